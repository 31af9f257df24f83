// network_interface_sends_replies_vcs4_depth8_width128_a35d6e70
//
// Cuts packets into flits and puts flits together to packets.
//
// Parameters: sends = replies, vcs = 4, depth = 8, width = 128, columns = 4, ejects = 1, injects = 1, messages = 2,
//   network.classes = 2, network.depth = 8, network.extra_latency = 0, network.format.class_bits = 1,
//   network.format.length_bits = 0, network.format.node_bits = 4, network.format.priority_bits = 0,
//   network.format.sideband_bits = 5, network.format.vcs = 4, network.format.width = 128, network.input_speedup = 1,
//   network.longest = 5, network.pipeline = 4, network.routing = xy, network.switch_allocator.arbiter = round-robin,
//   network.switch_allocator.iterations = 1, network.switch_allocator.kind = islip,
//   network.vc_allocator.arbiter = round-robin, network.vc_allocator.iterations = 1, network.vc_allocator.kind = islip,
//   network.vc_arbiter = round-robin, network.vc_reallocation = behind-tail, network.vc_reuse_delay = 1,
//   odd_is_half = true, organisation = single, payload_bits = [576,512], port_choice = round-robin, rows = 4,
//   rx_queue_packets = 32, tx_queue_packets = 2
// Made by: warpmesh export default
// Configuration: default
`default_nettype none

module network_interface_sends_replies_vcs4_depth8_width128_a35d6e70 (
    input wire clock,
    input wire reset,
    input wire tx_valid, // There is one.
    input wire [3:0] tx_dest, // Destination node.
    input wire [2:0] tx_flits, // Length, 1 and up.
    input wire [4:0] tx_sideband, // Packets; a credit for each place that is free again.
    input wire [511:0] tx_payload, // Packets; a credit for each place that is free again.
    input wire [3:0] here, // This node.
    input wire [3:0] out_inject0_credit, // A pulse for each place that is free again.
    input wire in_eject0_valid, // By lane: flits of its ejection port.
    input wire in_eject0_head, // By lane: flits of its ejection port.
    input wire in_eject0_tail, // By lane: flits of its ejection port.
    input wire [1:0] in_eject0_vc, // By lane: flits of its ejection port.
    input wire [8:0] in_eject0_info, // By lane: flits of its ejection port.
    input wire [127:0] in_eject0_payload, // By lane: flits of its ejection port.
    input wire rx_credit, // A pulse for each place that is free again.
    output wire tx_credit, // A pulse for each place that is free again.
    output wire out_inject0_valid, // There is one.
    output wire out_inject0_head, // First flit of its packet.
    output wire out_inject0_tail, // Last flit of its packet.
    output wire [1:0] out_inject0_vc, // Virtual channel, at the receiver.
    output wire [3:0] out_inject0_dest, // Destination node.
    output wire out_inject0_route_class, // Routing class.
    output wire [8:0] out_inject0_info, // Info as a word.
    output wire [127:0] out_inject0_payload, // By lane: flits for its injection port.
    output wire [3:0] in_eject0_credit, // A pulse for each place that is free again.
    output wire rx_valid, // There is one.
    output wire [3:0] rx_src, // Node that sent it.
    output wire [4:0] rx_sideband, // Packets; a credit for each place that is free again.
    output wire [575:0] rx_payload // Flits that the packet does not have are what they were.
);
  wire injection_lane0_out_valid;
  wire injection_lane0_out_head;
  wire injection_lane0_out_tail;
  wire [1:0] injection_lane0_out_vc;
  wire [3:0] injection_lane0_out_dest;
  wire injection_lane0_out_route_class;
  wire [8:0] injection_lane0_out_info;
  wire [127:0] injection_lane0_out_payload;
  wire injection_lane0_left;
  wire ejection_lane0_ends;
  wire [3:0] ejection_lane0_in_credit;
  wire [3:0] ejection_lane0_src;
  wire [4:0] ejection_lane0_sideband;
  wire [575:0] ejection_lane0_payload;
  wire rx_credits_available;
  wire packet_ends;
  wire end_granted;
  reg packet_valid;

  assign tx_credit = injection_lane0_left;
  assign out_inject0_valid = injection_lane0_out_valid;
  assign out_inject0_head = injection_lane0_out_head;
  assign out_inject0_tail = injection_lane0_out_tail;
  assign out_inject0_vc = injection_lane0_out_vc;
  assign out_inject0_dest = injection_lane0_out_dest;
  assign out_inject0_route_class = injection_lane0_out_route_class;
  assign out_inject0_info = injection_lane0_out_info;
  assign out_inject0_payload = injection_lane0_out_payload;
  assign in_eject0_credit = ejection_lane0_in_credit;
  assign packet_ends = ejection_lane0_ends;
  assign end_granted = packet_ends & rx_credits_available;
  assign rx_valid = packet_valid;
  assign rx_src = ejection_lane0_src;
  assign rx_sideband = ejection_lane0_sideband;
  assign rx_payload = ejection_lane0_payload;

  wire [1:0] unused_injection_lane0_used;
  injection_lane_class_replies_vcs4_depth8_width128_0c896bb3 injection_lane0 (
    .clock(clock),
    .reset(reset),
    .here(here),
    .enter(tx_valid),
    .packet_dest(tx_dest),
    .packet_flits(tx_flits),
    .packet_sideband(tx_sideband),
    .packet_payload(tx_payload),
    .out_credit(out_inject0_credit),
    .out_valid(injection_lane0_out_valid),
    .out_head(injection_lane0_out_head),
    .out_tail(injection_lane0_out_tail),
    .out_vc(injection_lane0_out_vc),
    .out_dest(injection_lane0_out_dest),
    .out_route_class(injection_lane0_out_route_class),
    .out_info(injection_lane0_out_info),
    .out_payload(injection_lane0_out_payload),
    .left(injection_lane0_left),
    .used(unused_injection_lane0_used)
  );

  ejection_lane_class_requests_vcs4_depth8_width128_0c896bb3 ejection_lane0 (
    .clock(clock),
    .reset(reset),
    .in_valid(in_eject0_valid),
    .in_head(in_eject0_head),
    .in_tail(in_eject0_tail),
    .in_vc(in_eject0_vc),
    .in_info(in_eject0_info),
    .in_payload(in_eject0_payload),
    .end_grant(rx_credits_available),
    .ends(ejection_lane0_ends),
    .in_credit(ejection_lane0_in_credit),
    .src(ejection_lane0_src),
    .sideband(ejection_lane0_sideband),
    .payload(ejection_lane0_payload)
  );

  wire [5:0] unused_rx_credits_count;
  credit_counter_places32 rx_credits (
    .clock(clock),
    .reset(reset),
    .send(end_granted),
    .credit(rx_credit),
    .available(rx_credits_available),
    .count(unused_rx_credits_count)
  );

  always @(posedge clock) begin
    if (reset) begin
      packet_valid <= 1'b0;
    end else begin
      packet_valid <= end_granted;
    end
  end
endmodule

`default_nettype wire
