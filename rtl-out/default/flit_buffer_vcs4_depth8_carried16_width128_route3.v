// flit_buffer_vcs4_depth8_carried16_width128_route3
//
// A queue of flits for each virtual channel, their payload in one memory.
//
// Parameters: vcs = 4, depth = 8, carried = 16, width = 128, route = 3
// Made by: warpmesh export default
// Configuration: default
`default_nettype none

module flit_buffer_vcs4_depth8_carried16_width128_route3 (
    input wire clock,
    input wire reset,
    input wire [3:0] push, // The queue that a flit is put in, one-hot, or none.
    input wire [15:0] carried, // Control of that flit.
    input wire [127:0] payload, // Its payload.
    input wire [3:0] select, // The queue whose oldest flit is shown, one-hot.
    input wire [3:0] pop, // The queue whose oldest flit is taken: that one, or none.
    input wire [2:0] route, // Of the flit that is put in, bits for the second reader.
    input wire [3:0] expose, // The queue that the second reader looks at, one-hot.
    output wire [3:0] occupied, // Queues with a flit.
    output wire [15:0] front_carried, // Control of the flit that is shown.
    output wire [127:0] front_payload, // Its payload.
    output wire [2:0] exposed_route // What it sees there.
);
  reg [3:0] occupied_vcs;
  wire [1:0] push_at;
  wire [1:0] pop_at;
  reg [2:0] read_pointer0;
  reg [2:0] read_pointer1;
  reg [2:0] read_pointer2;
  reg [2:0] read_pointer3;
  reg [2:0] write_pointer0;
  reg [2:0] write_pointer1;
  reg [2:0] write_pointer2;
  reg [2:0] write_pointer3;
  wire [4:0] write_row;
  wire [4:0] read_row;
  reg [15:0] control_rows0 [0:7];
  reg [15:0] control_rows1 [0:7];
  reg [15:0] control_rows2 [0:7];
  reg [15:0] control_rows3 [0:7];
  reg [2:0] route_rows [0:31];

  assign push_at = {|(push & 4'hc), |(push & 4'ha)};
  assign pop_at = {|(select & 4'hc), |(select & 4'ha)};
  wire [2:0] write_row_choice = push_at[1] ? (push_at[0] ? write_pointer3 : write_pointer2) : push_at[0] ?
      write_pointer1 : write_pointer0;
  assign write_row = {push_at, write_row_choice};
  assign read_row = {pop_at, pop_at[1] ? (pop_at[0] ? read_pointer3 : read_pointer2) : pop_at[0] ?
      read_pointer1 : read_pointer0};
  assign occupied = occupied_vcs;
  wire [15:0] control_rows3_word = control_rows3[read_pointer3];
  wire [15:0] control_rows2_word = control_rows2[read_pointer2];
  wire [15:0] front_carried_merged = control_rows2_word & {16{select[2]}} | control_rows3_word &
      {16{select[3]}};
  wire [15:0] control_rows1_word = control_rows1[read_pointer1];
  wire [15:0] control_rows0_word = control_rows0[read_pointer0];
  assign front_carried = control_rows0_word & {16{select[0]}} | control_rows1_word & {16{select[1]}} |
      front_carried_merged;
  wire [127:0] payload_rows_word;
  assign front_payload = payload_rows_word;
  wire exposed_route_any = |(expose & 4'ha);
  wire exposed_route_any_2 = |(expose & 4'hc);
  assign exposed_route = route_rows[{{exposed_route_any_2, exposed_route_any}, exposed_route_any_2 ?
      (exposed_route_any ? read_pointer3 : read_pointer2) : exposed_route_any ? read_pointer1 :
      read_pointer0}];

  async_ram_depth32_width128_reads1 payload_rows (
    .clock(clock),
    .write_enable(|push),
    .write_address(write_row),
    .write_data(payload),
    .read0_address(read_row),
    .read0_data(payload_rows_word)
  );

  wire [3:0] next_joined = {(read_pointer3 + 3'h1) == write_pointer3, (read_pointer2 + 3'h1) ==
      write_pointer2, (read_pointer1 + 3'h1) == write_pointer1, (read_pointer0 + 3'h1) == write_pointer0};
  always @(posedge clock) begin
    if (reset) begin
      occupied_vcs <= 4'h0;
      read_pointer0 <= 3'h0;
      read_pointer1 <= 3'h0;
      read_pointer2 <= 3'h0;
      read_pointer3 <= 3'h0;
      write_pointer0 <= 3'h0;
      write_pointer1 <= 3'h0;
      write_pointer2 <= 3'h0;
      write_pointer3 <= 3'h0;
    end else begin
      if (pop[0]) begin
        read_pointer0 <= read_pointer0 + 3'h1;
      end
      if (pop[1]) begin
        read_pointer1 <= read_pointer1 + 3'h1;
      end
      if (pop[2]) begin
        read_pointer2 <= read_pointer2 + 3'h1;
      end
      if (pop[3]) begin
        read_pointer3 <= read_pointer3 + 3'h1;
      end
      if (push[0]) begin
        write_pointer0 <= write_pointer0 + 3'h1;
      end
      if (push[1]) begin
        write_pointer1 <= write_pointer1 + 3'h1;
      end
      if (push[2]) begin
        write_pointer2 <= write_pointer2 + 3'h1;
      end
      if (push[3]) begin
        write_pointer3 <= write_pointer3 + 3'h1;
      end
      occupied_vcs <= occupied_vcs & ~(pop & next_joined) | push;
    end
  end

  always @(posedge clock) begin
    // Control of the oldest flit of each queue is there before one is selected.
    if (push[0]) begin
      control_rows0[write_pointer0] <= carried;
    end
  end

  always @(posedge clock) begin
    if (push[1]) begin
      control_rows1[write_pointer1] <= carried;
    end
  end

  always @(posedge clock) begin
    if (push[2]) begin
      control_rows2[write_pointer2] <= carried;
    end
  end

  always @(posedge clock) begin
    if (push[3]) begin
      control_rows3[write_pointer3] <= carried;
    end
  end

  always @(posedge clock) begin
    if (|push) begin
      route_rows[write_row] <= route;
    end
  end

`ifdef WARPMESH_ASSERT
  always @(posedge clock) begin
    if (!reset) begin
      if (!(!(|(push & (push - 4'h1))) & !(|(pop & (pop - 4'h1))))) begin
        $display("%m: assertion failed: at most one flit comes and one goes");
        $stop;
      end
      if (!(!(|(pop & ~occupied_vcs)))) begin
        $display("%m: assertion failed: a flit is taken from a queue that has one");
        $stop;
      end
      if (!(!(|(push & occupied_vcs & {4{write_row_choice == (push_at[1] ? (push_at[0] ? read_pointer3 :
          read_pointer2) : push_at[0] ? read_pointer1 : read_pointer0)}})))) begin
        $display("%m: assertion failed: no flit arrives for a full buffer");
        $stop;
      end
    end
  end
`endif
endmodule

`default_nettype wire
