// flit_buffer_vcs2_depth8_carried11_width128_route0
//
// A queue of flits for each virtual channel, their payload in one memory.
//
// Parameters: vcs = 2, depth = 8, carried = 11, width = 128, route = 0
// Made by: warpmesh export default
// Configuration: default
`default_nettype none

module flit_buffer_vcs2_depth8_carried11_width128_route0 (
    input wire clock,
    input wire reset,
    input wire [1:0] push, // The queue that a flit is put in, one-hot, or none.
    input wire [10:0] carried, // Control of that flit.
    input wire [127:0] payload, // Its payload.
    input wire [1:0] select, // The queue whose oldest flit is shown, one-hot.
    input wire [1:0] pop, // The queue whose oldest flit is taken: that one, or none.
    output wire [1:0] occupied, // Queues with a flit.
    output wire [10:0] front_carried, // Control of the flit that is shown.
    output wire [127:0] front_payload // Its payload.
);
  reg [1:0] occupied_vcs;
  wire push_at;
  wire pop_at;
  reg [2:0] read_pointer0;
  reg [2:0] read_pointer1;
  reg [2:0] write_pointer0;
  reg [2:0] write_pointer1;
  wire [3:0] write_row;
  wire [3:0] read_row;
  reg [10:0] control_rows0 [0:7];
  reg [10:0] control_rows1 [0:7];

  assign push_at = |(push & 2'h2);
  assign pop_at = |(select & 2'h2);
  assign write_row = {push_at, push_at ? write_pointer1 : write_pointer0};
  assign read_row = {pop_at, pop_at ? read_pointer1 : read_pointer0};
  assign occupied = occupied_vcs;
  wire [10:0] control_rows1_word = control_rows1[read_pointer1];
  wire [10:0] control_rows0_word = control_rows0[read_pointer0];
  assign front_carried = control_rows0_word & {11{select[0]}} | control_rows1_word & {11{select[1]}};
  wire [127:0] payload_rows_word;
  assign front_payload = payload_rows_word;

  async_ram_depth16_width128_reads1 payload_rows (
    .clock(clock),
    .write_enable(|push),
    .write_address(write_row),
    .write_data(payload),
    .read0_address(read_row),
    .read0_data(payload_rows_word)
  );

  always @(posedge clock) begin
    if (reset) begin
      occupied_vcs <= 2'h0;
      read_pointer0 <= 3'h0;
      read_pointer1 <= 3'h0;
      write_pointer0 <= 3'h0;
      write_pointer1 <= 3'h0;
    end else begin
      if (pop[0]) begin
        read_pointer0 <= read_pointer0 + 3'h1;
      end
      if (pop[1]) begin
        read_pointer1 <= read_pointer1 + 3'h1;
      end
      if (push[0]) begin
        write_pointer0 <= write_pointer0 + 3'h1;
      end
      if (push[1]) begin
        write_pointer1 <= write_pointer1 + 3'h1;
      end
      occupied_vcs <= occupied_vcs & ~(pop & {(read_pointer1 + 3'h1) == write_pointer1, (read_pointer0 +
          3'h1) == write_pointer0}) | push;
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

`ifdef WARPMESH_ASSERT
  always @(posedge clock) begin
    if (!reset) begin
      if (!(!(|(push & (push - 2'h1))) & !(|(pop & (pop - 2'h1))))) begin
        $display("%m: assertion failed: at most one flit comes and one goes");
        $stop;
      end
      if (!(!(|(pop & ~occupied_vcs)))) begin
        $display("%m: assertion failed: a flit is taken from a queue that has one");
        $stop;
      end
      if (!(!(|(push & occupied_vcs & {2{(push_at ? write_pointer1 : write_pointer0) == (push_at ?
          read_pointer1 : read_pointer0)}})))) begin
        $display("%m: assertion failed: no flit arrives for a full buffer");
        $stop;
      end
    end
  end
`endif
endmodule

`default_nettype wire
