// memory_partition_banks8_queue_entries32_928fbd02
//
// Memory partition tile: the controller of a DRAM channel, on a node of the network.
//
// Parameters: banks = 8, queue_entries = 32, atomics = 0, flit_bits = 128, map.banks = 8,
//   map.controller_nodes = [1,2,13,14], map.kind = low-256, map.line_bytes = 64, map.node_bits = 4, map.row_bytes = 2048,
//   partial_write = mask, reply_entries = 8, service.min_latency = 0, service.row_streak_max = 0,
//   service.scheduler = fifo, tag_bits = 4, timing.burst = 4, timing.t_ccd = 1, timing.t_cl = 9, timing.t_ras = 21,
//   timing.t_rc = 34, timing.t_rcd = 12, timing.t_rp = 13, timing.t_rrd = 8, timing.t_rtw = 0, timing.t_wl = 0,
//   timing.t_wtr = 0, tx_queue_packets = 2, write_reply = packet
// Made by: warpmesh export default
// Configuration: default
`default_nettype none

module memory_partition_banks8_queue_entries32_928fbd02 (
    input wire clock,
    input wire reset,
    input wire [511:0] dram_read_data, // The line that comes from the DRAM.
    input wire rx_valid, // There is one.
    input wire [3:0] rx_src, // Node that sent it.
    input wire [4:0] rx_sideband, // Requests from the network
    /* verilator lint_off UNUSED */ // bits 63:46 are not read
    input wire [575:0] rx_payload, // Flits that the packet does not have are what they were.
    /* verilator lint_on UNUSED */
    input wire tx_credit, // A pulse for each place that is free again.
    output wire [2:0] dram_command, // See command.
    output wire [2:0] dram_bank, // Pins of the DRAM channel.
    output wire [15:0] dram_row, // Pins of the DRAM channel.
    output wire [4:0] dram_column, // Pins of the DRAM channel.
    output wire [511:0] dram_write_data, // Pins of the DRAM channel.
    output wire [63:0] dram_write_mask, // Pins of the DRAM channel.
    output wire rx_credit, // A pulse for each place that is free again.
    output wire tx_valid, // There is one.
    output wire [3:0] tx_dest, // Destination node.
    output wire [2:0] tx_flits, // Length, 1 and up.
    output wire [4:0] tx_sideband, // Replies for the network.
    output wire [511:0] tx_payload // Replies for the network.
);
  /* verilator lint_off UNUSED */ // not read
  wire controller_request_taken;
  /* verilator lint_on UNUSED */
  wire controller_request_left;
  wire [2:0] controller_dram_command;
  wire [2:0] controller_dram_bank;
  wire [15:0] controller_dram_row;
  wire [4:0] controller_dram_column;
  wire [511:0] controller_dram_write_data;
  wire [63:0] controller_dram_write_mask;
  wire controller_reply_valid;
  wire controller_reply_write;
  wire [7:0] controller_reply_tag;
  wire [511:0] controller_reply_data;
  wire [25:0] local_line;
  wire credits_available;
  wire send;
  reg tx_valid_now;
  reg [3:0] tx_dest_now;
  reg [2:0] tx_flits_now;
  reg [4:0] tx_sideband_now;
  reg [511:0] tx_payload_now;

  // DRAM.
  assign dram_command = controller_dram_command;
  assign dram_bank = controller_dram_bank;
  assign dram_row = controller_dram_row;
  assign dram_column = controller_dram_column;
  assign dram_write_data = controller_dram_write_data;
  assign dram_write_mask = controller_dram_write_mask;
  // Requests.
  /* verilator lint_off UNUSED */ // bits 3:2 are not read
  wire [25:0] rx_payload_line = rx_payload[25:0];
  /* verilator lint_on UNUSED */
  assign local_line = {2'h0, {rx_payload_line[25:4], rx_payload_line[1:0]}};
  assign rx_credit = controller_request_left;
  // Replies, when the network interface has a place.
  assign send = controller_reply_valid & credits_available;
  assign tx_valid = tx_valid_now;
  assign tx_dest = tx_dest_now;
  assign tx_flits = tx_flits_now;
  assign tx_sideband = tx_sideband_now;
  assign tx_payload = tx_payload_now;

  wire rx_sideband_write = rx_sideband[4];
  wire [3:0] rx_sideband_tag = rx_sideband[3:0];
  wire [15:0] rx_payload_words = rx_payload[41:26];
  wire [3:0] rx_payload_bytes = rx_payload[45:42];
  wire [511:0] rx_payload_data = rx_payload[575:64];
  memory_controller_banks8_queue_entries32_533e2ce5 controller (
    .clock(clock),
    .reset(reset),
    .request_valid(rx_valid),
    .request_write(rx_sideband_write),
    .request_tag({rx_src, rx_sideband_tag}),
    .request_line(local_line),
    .request_words(rx_payload_words),
    .request_bytes(rx_payload_bytes),
    .request_data(rx_payload_data),
    .dram_read_data(dram_read_data),
    .reply_taken(send),
    .request_taken(controller_request_taken),
    .request_left(controller_request_left),
    .dram_command(controller_dram_command),
    .dram_bank(controller_dram_bank),
    .dram_row(controller_dram_row),
    .dram_column(controller_dram_column),
    .dram_write_data(controller_dram_write_data),
    .dram_write_mask(controller_dram_write_mask),
    .reply_valid(controller_reply_valid),
    .reply_write(controller_reply_write),
    .reply_tag(controller_reply_tag),
    .reply_data(controller_reply_data)
  );

  wire [1:0] unused_credits_count;
  credit_counter_places2 credits (
    .clock(clock),
    .reset(reset),
    .send(send),
    .credit(tx_credit),
    .available(credits_available),
    .count(unused_credits_count)
  );

  always @(posedge clock) begin
    if (reset) begin
      tx_valid_now <= 1'b0;
    end else begin
      tx_valid_now <= send;
    end
  end

  wire [3:0] controller_reply_tag_tag = controller_reply_tag[3:0];
  wire [3:0] controller_reply_tag_node = controller_reply_tag[7:4];
  always @(posedge clock) begin
    if (send) begin
      tx_dest_now <= controller_reply_tag_node;
    end
    if (send) begin
      tx_flits_now <= controller_reply_write ? 3'h1 : 3'h4;
    end
    if (send) begin
      tx_sideband_now <= {controller_reply_write, controller_reply_tag_tag};
    end
    if (send) begin
      tx_payload_now <= {controller_reply_data[511:128], controller_reply_data[127:0] &
          {128{!controller_reply_write}}};
    end
  end

`ifdef WARPMESH_ASSERT
  wire [17:0] rx_payload_reserved = rx_payload[63:46];
  always @(posedge clock) begin
    if (!reset) begin
      if (!(!rx_valid | !(|rx_payload_reserved))) begin
        $display("%m: assertion failed: reserved header bits are zero");
        $stop;
      end
      if (!(!rx_valid | controller_request_taken)) begin
        $display("%m: assertion failed: a request has a place in the queue");
        $stop;
      end
    end
  end
`endif
endmodule

`default_nettype wire
