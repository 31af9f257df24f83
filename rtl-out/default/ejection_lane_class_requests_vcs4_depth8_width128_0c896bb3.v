// ejection_lane_class_requests_vcs4_depth8_width128_0c896bb3
//
// Flits of one ejection port, put together to packets.
//
// Parameters: class = requests, vcs = 4, depth = 8, width = 128, columns = 4, ejects = 1, injects = 1, messages = 2,
//   network.classes = 2, network.depth = 8, network.extra_latency = 0, network.format.class_bits = 1,
//   network.format.length_bits = 0, network.format.node_bits = 4, network.format.priority_bits = 0,
//   network.format.sideband_bits = 5, network.format.vcs = 4, network.format.width = 128, network.input_speedup = 1,
//   network.longest = 5, network.pipeline = 4, network.routing = xy, network.switch_allocator.arbiter = round-robin,
//   network.switch_allocator.iterations = 1, network.switch_allocator.kind = islip,
//   network.vc_allocator.arbiter = round-robin, network.vc_allocator.iterations = 1, network.vc_allocator.kind = islip,
//   network.vc_arbiter = round-robin, network.vc_reallocation = behind-tail, network.vc_reuse_delay = 1,
//   odd_is_half = true, organisation = single, payload_bits = [576,512], port_choice = round-robin, rows = 4,
//   rx_queue_packets = 32, sends = replies, tx_queue_packets = 2
// Made by: warpmesh export default
// Configuration: default
`default_nettype none

module ejection_lane_class_requests_vcs4_depth8_width128_0c896bb3 (
    input wire clock,
    input wire reset,
    input wire in_valid, // Flits of the router.
    input wire in_head, // Flits of the router.
    input wire in_tail, // Flits of the router.
    input wire [1:0] in_vc, // Flits of the router.
    input wire [8:0] in_info, // Flits of the router.
    input wire [127:0] in_payload, // Flits of the router.
    input wire end_grant, // The tail that is next is taken.
    output wire ends, // A tail is next.
    output wire [3:0] in_credit, // A pulse for each place that is free again.
    output wire [3:0] src, // The packet, in the cycle after its tail was taken.
    output wire [4:0] sideband, // The packet, in the cycle after its tail was taken.
    output wire [575:0] payload // The packet, in the cycle after its tail was taken.
);
  reg arrived;
  reg [1:0] arrived_vc;
  reg [10:0] arrived_carried;
  reg [127:0] arrived_payload;
  wire [1:0] arriving_vc;
  wire [1:0] flit_buffer_occupied;
  wire [10:0] flit_buffer_front_carried;
  wire [127:0] flit_buffer_front_payload;
  reg draining;
  reg [1:0] draining_vc;
  wire drain;
  wire [1:0] drain_arbiter_grant;
  wire [1:0] drain_from;
  wire [1:0] drained_vc;
  reg [1:0] credit;
  reg [8:0] packet_info;
  reg [2:0] word_index;
  reg [127:0] word0;
  reg [127:0] word1;
  reg [127:0] word2;
  reg [127:0] word3;
  reg [63:0] word4;

  assign arriving_vc = {arrived & (arrived_vc == 2'h1), arrived & (arrived_vc == 2'h0)};
  // Drain one VC from head to tail; the tail waits until the packet can be taken.
  assign drain_from = (draining ? draining_vc : drain_arbiter_grant) & flit_buffer_occupied;
  wire flit_buffer_front_carried_tail = flit_buffer_front_carried[9];
  assign ends = (|drain_from) & flit_buffer_front_carried_tail;
  assign drained_vc = drain_from & {2{!flit_buffer_front_carried_tail | end_grant}};
  assign drain = |drained_vc;
  assign in_credit = {2'h0, credit};
  assign src = packet_info[8:5];
  assign sideband = packet_info[4:0];
  assign payload = {word4, word3, word2, word1, word0};

  flit_buffer_vcs2_depth8_carried11_width128_route0 flit_buffer (
    .clock(clock),
    .reset(reset),
    .push(arriving_vc),
    .carried(arrived_carried),
    .payload(arrived_payload),
    .select(drain_from),
    .pop(drained_vc),
    .occupied(flit_buffer_occupied),
    .front_carried(flit_buffer_front_carried),
    .front_payload(flit_buffer_front_payload)
  );

  round_robin_arbiter_n2 drain_arbiter (
    .clock(clock),
    .reset(reset),
    .request(flit_buffer_occupied),
    .advance(drain & !draining),
    .grant(drain_arbiter_grant)
  );

  always @(posedge clock) begin
    if (reset) begin
      arrived <= 1'b0;
      draining <= 1'b0;
      draining_vc <= 2'h0;
      credit <= 2'h0;
      word_index <= 3'h0;
    end else begin
      arrived <= in_valid;
      if (drain) begin
        draining <= !flit_buffer_front_carried_tail;
        draining_vc <= drain_from;
      end
      credit <= drained_vc;
      if (drain) begin
        word_index <= flit_buffer_front_carried_tail ? 3'h0 : word_index + 3'h1;
      end
    end
  end

  wire flit_buffer_front_carried_head = flit_buffer_front_carried[10];
  wire [8:0] flit_buffer_front_carried_info = flit_buffer_front_carried[8:0];
  always @(posedge clock) begin
    if (in_valid) begin
      arrived_vc <= in_vc;
    end
    if (in_valid) begin
      arrived_carried <= {in_head, in_tail, in_info};
    end
    if (in_valid) begin
      arrived_payload <= in_payload;
    end
    if (drain & flit_buffer_front_carried_head) begin
      packet_info <= flit_buffer_front_carried_info;
    end
    if (drain & (word_index == 3'h0)) begin
      word0 <= flit_buffer_front_payload;
    end
    if (drain & (word_index == 3'h1)) begin
      word1 <= flit_buffer_front_payload;
    end
    if (drain & (word_index == 3'h2)) begin
      word2 <= flit_buffer_front_payload;
    end
    if (drain & (word_index == 3'h3)) begin
      word3 <= flit_buffer_front_payload;
    end
    if (drain & (word_index == 3'h4)) begin
      word4 <= flit_buffer_front_payload[63:0];
    end
  end

`ifdef WARPMESH_ASSERT
  always @(posedge clock) begin
    if (!reset) begin
      if (!(!arrived | (|arriving_vc))) begin
        $display("%m: assertion failed: a flit of the received class arrives");
        $stop;
      end
      if (!(!drain | (flit_buffer_front_carried_head ^ draining))) begin
        $display("%m: assertion failed: a packet starts with a head flit and has no other");
        $stop;
      end
      if (!(!drain | flit_buffer_front_carried_tail | (word_index != 3'h4))) begin
        $display("%m: assertion failed: a packet has no more flits than the longest");
        $stop;
      end
    end
  end
`endif
endmodule

`default_nettype wire
