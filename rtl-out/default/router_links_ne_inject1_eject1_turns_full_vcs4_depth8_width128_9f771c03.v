// router_links_ne_inject1_eject1_turns_full_vcs4_depth8_width128_9f771c03
//
// Four-stage virtual-channel router, one flit a cycle and port.
//
// Parameters: links = ne, inject = 1, eject = 1, turns = full, vcs = 4, depth = 8, width = 128, addressing.columns = 4,
//   addressing.rows = 4, connectivity.allowed = x6x5x7, connectivity.inputs = ["north","east","inject0"],
//   connectivity.outputs = ["north","east","eject0"], connectivity.ports.0.links = 1,
//   connectivity.ports.0.switch_inputs = 1, connectivity.ports.1.links = 1, connectivity.ports.1.switch_inputs = 1,
//   connectivity.ports.2.links = 1, connectivity.ports.2.switch_inputs = 1, network.classes = 2, network.depth = 8,
//   network.extra_latency = 0, network.format.class_bits = 1, network.format.length_bits = 0,
//   network.format.node_bits = 4, network.format.priority_bits = 0, network.format.sideband_bits = 5,
//   network.format.vcs = 4, network.format.width = 128, network.input_speedup = 1, network.longest = 5,
//   network.pipeline = 4, network.routing = xy, network.switch_allocator.arbiter = round-robin,
//   network.switch_allocator.iterations = 1, network.switch_allocator.kind = islip,
//   network.vc_allocator.arbiter = round-robin, network.vc_allocator.iterations = 1, network.vc_allocator.kind = islip,
//   network.vc_arbiter = round-robin, network.vc_reallocation = behind-tail, network.vc_reuse_delay = 1, slots = [0]
// Made by: warpmesh export default
// Configuration: default
`default_nettype none

module router_links_ne_inject1_eject1_turns_full_vcs4_depth8_width128_9f771c03 (
    input wire clock,
    input wire reset,
    input wire [1:0] here_x, // Its column.
    input wire [1:0] here_y, // Its row.
    input wire in_north_valid, // There is one.
    input wire in_north_head, // First flit of its packet.
    input wire in_north_tail, // Last flit of its packet.
    input wire [1:0] in_north_vc, // Virtual channel, at the receiver.
    input wire [3:0] in_north_dest, // Destination node.
    input wire in_north_route_class, // Routing class.
    input wire [8:0] in_north_info, // Info as a word.
    input wire [127:0] in_north_payload, // Flits that come.
    input wire in_east_valid, // There is one.
    input wire in_east_head, // First flit of its packet.
    input wire in_east_tail, // Last flit of its packet.
    input wire [1:0] in_east_vc, // Virtual channel, at the receiver.
    input wire [3:0] in_east_dest, // Destination node.
    input wire in_east_route_class, // Routing class.
    input wire [8:0] in_east_info, // Info as a word.
    input wire [127:0] in_east_payload, // Flits that come.
    input wire in_inject0_valid, // There is one.
    input wire in_inject0_head, // First flit of its packet.
    input wire in_inject0_tail, // Last flit of its packet.
    input wire [1:0] in_inject0_vc, // Virtual channel, at the receiver.
    input wire [3:0] in_inject0_dest, // Destination node.
    input wire in_inject0_route_class, // Routing class.
    input wire [8:0] in_inject0_info, // Info as a word.
    input wire [127:0] in_inject0_payload, // Flits that come.
    input wire [3:0] out_north_credit, // A pulse for each place that is free again.
    input wire [3:0] out_east_credit, // A pulse for each place that is free again.
    input wire [3:0] out_eject0_credit, // A pulse for each place that is free again.
    output wire [3:0] in_north_credit, // A pulse for each place that is free again.
    output wire [3:0] in_east_credit, // A pulse for each place that is free again.
    output wire [3:0] in_inject0_credit, // A pulse for each place that is free again.
    output wire out_north_valid, // There is one.
    output wire out_north_head, // First flit of its packet.
    output wire out_north_tail, // Last flit of its packet.
    output wire [1:0] out_north_vc, // Virtual channel, at the receiver.
    output wire [3:0] out_north_dest, // Destination node.
    output wire out_north_route_class, // Routing class.
    output wire [8:0] out_north_info, // Info as a word.
    output wire [127:0] out_north_payload, // Flits that go.
    output wire out_east_valid, // There is one.
    output wire out_east_head, // First flit of its packet.
    output wire out_east_tail, // Last flit of its packet.
    output wire [1:0] out_east_vc, // Virtual channel, at the receiver.
    output wire [3:0] out_east_dest, // Destination node.
    output wire out_east_route_class, // Routing class.
    output wire [8:0] out_east_info, // Info as a word.
    output wire [127:0] out_east_payload, // Flits that go.
    output wire out_eject0_valid, // There is one.
    output wire out_eject0_head, // First flit of its packet.
    output wire out_eject0_tail, // Last flit of its packet.
    output wire [1:0] out_eject0_vc, // Virtual channel, at the receiver.
    output wire [3:0] out_eject0_dest, // Destination node.
    output wire out_eject0_route_class, // Routing class.
    output wire [8:0] out_eject0_info, // Info as a word.
    output wire [127:0] out_eject0_payload // Flits that go.
);
  wire [15:0] vc_allocator_grant0;
  wire [15:0] vc_allocator_grant1;
  wire [23:0] vc_allocator_grant2;
  wire [3:0] vc_allocator_taken0;
  wire [3:0] vc_allocator_taken1;
  wire [3:0] vc_allocator_taken2;
  wire [1:0] switch_allocator_grant0;
  wire [1:0] switch_allocator_grant1;
  wire [2:0] switch_allocator_grant2;
  wire [1:0] switch_allocator_sender0;
  wire [1:0] switch_allocator_sender1;
  wire [2:0] switch_allocator_sender2;
  wire crossbar_to0_valid;
  wire [17:0] crossbar_to0_control;
  wire [127:0] crossbar_to0_payload;
  wire crossbar_to1_valid;
  wire [17:0] crossbar_to1_control;
  wire [127:0] crossbar_to1_payload;
  wire crossbar_to2_valid;
  wire [17:0] crossbar_to2_control;
  wire [127:0] crossbar_to2_payload;
  wire [3:0] output_unit_to_north_available;
  wire [3:0] output_unit_to_north_free;
  wire output_unit_to_north_out_valid;
  wire output_unit_to_north_out_head;
  wire output_unit_to_north_out_tail;
  wire [1:0] output_unit_to_north_out_vc;
  wire [3:0] output_unit_to_north_out_dest;
  wire output_unit_to_north_out_route_class;
  wire [8:0] output_unit_to_north_out_info;
  wire [127:0] output_unit_to_north_out_payload;
  wire [3:0] output_unit_to_east_available;
  wire [3:0] output_unit_to_east_free;
  wire output_unit_to_east_out_valid;
  wire output_unit_to_east_out_head;
  wire output_unit_to_east_out_tail;
  wire [1:0] output_unit_to_east_out_vc;
  wire [3:0] output_unit_to_east_out_dest;
  wire output_unit_to_east_out_route_class;
  wire [8:0] output_unit_to_east_out_info;
  wire [127:0] output_unit_to_east_out_payload;
  wire [3:0] output_unit_to_eject0_available;
  wire [3:0] output_unit_to_eject0_free;
  wire output_unit_to_eject0_out_valid;
  wire output_unit_to_eject0_out_head;
  wire output_unit_to_eject0_out_tail;
  wire [1:0] output_unit_to_eject0_out_vc;
  wire [3:0] output_unit_to_eject0_out_dest;
  wire output_unit_to_eject0_out_route_class;
  wire [8:0] output_unit_to_eject0_out_info;
  wire [127:0] output_unit_to_eject0_out_payload;
  wire [3:0] input_unit_from_north_arrived_dest;
  wire [7:0] input_unit_from_north_va_request;
  wire [1:0] input_unit_from_north_sa_request;
  wire [3:0] input_unit_from_north_send_vc;
  wire input_unit_from_north_send_tail;
  wire [1:0] input_unit_from_north_st_select;
  wire [17:0] input_unit_from_north_st_control;
  wire [127:0] input_unit_from_north_st_payload;
  wire [3:0] input_unit_from_north_in_credit;
  wire [1:0] route_unit_from_north_route;
  wire [3:0] input_unit_from_east_arrived_dest;
  wire [7:0] input_unit_from_east_va_request;
  wire [1:0] input_unit_from_east_sa_request;
  wire [3:0] input_unit_from_east_send_vc;
  wire input_unit_from_east_send_tail;
  wire [1:0] input_unit_from_east_st_select;
  wire [17:0] input_unit_from_east_st_control;
  wire [127:0] input_unit_from_east_st_payload;
  wire [3:0] input_unit_from_east_in_credit;
  wire [1:0] route_unit_from_east_route;
  wire [3:0] input_unit_from_inject0_arrived_dest;
  wire [11:0] input_unit_from_inject0_va_request;
  wire [2:0] input_unit_from_inject0_sa_request;
  wire [3:0] input_unit_from_inject0_send_vc;
  wire input_unit_from_inject0_send_tail;
  wire [2:0] input_unit_from_inject0_st_select;
  wire [17:0] input_unit_from_inject0_st_control;
  wire [127:0] input_unit_from_inject0_st_payload;
  wire [3:0] input_unit_from_inject0_in_credit;
  wire [2:0] route_unit_from_inject0_route;

  assign in_north_credit = input_unit_from_north_in_credit;
  assign in_east_credit = input_unit_from_east_in_credit;
  assign in_inject0_credit = input_unit_from_inject0_in_credit;
  assign out_north_valid = output_unit_to_north_out_valid;
  assign out_north_head = output_unit_to_north_out_head;
  assign out_north_tail = output_unit_to_north_out_tail;
  assign out_north_vc = output_unit_to_north_out_vc;
  assign out_north_dest = output_unit_to_north_out_dest;
  assign out_north_route_class = output_unit_to_north_out_route_class;
  assign out_north_info = output_unit_to_north_out_info;
  assign out_north_payload = output_unit_to_north_out_payload;
  assign out_east_valid = output_unit_to_east_out_valid;
  assign out_east_head = output_unit_to_east_out_head;
  assign out_east_tail = output_unit_to_east_out_tail;
  assign out_east_vc = output_unit_to_east_out_vc;
  assign out_east_dest = output_unit_to_east_out_dest;
  assign out_east_route_class = output_unit_to_east_out_route_class;
  assign out_east_info = output_unit_to_east_out_info;
  assign out_east_payload = output_unit_to_east_out_payload;
  assign out_eject0_valid = output_unit_to_eject0_out_valid;
  assign out_eject0_head = output_unit_to_eject0_out_head;
  assign out_eject0_tail = output_unit_to_eject0_out_tail;
  assign out_eject0_vc = output_unit_to_eject0_out_vc;
  assign out_eject0_dest = output_unit_to_eject0_out_dest;
  assign out_eject0_route_class = output_unit_to_eject0_out_route_class;
  assign out_eject0_info = output_unit_to_eject0_out_info;
  assign out_eject0_payload = output_unit_to_eject0_out_payload;

  vc_allocator_inputs3_outputs3_turns_full2_vcs4_classes2_e69015ad vc_allocator (
    .clock(clock),
    .reset(reset),
    .free0(output_unit_to_north_free),
    .free1(output_unit_to_east_free),
    .free2(output_unit_to_eject0_free),
    .request0(input_unit_from_north_va_request),
    .request1(input_unit_from_east_va_request),
    .request2(input_unit_from_inject0_va_request),
    .grant0(vc_allocator_grant0),
    .grant1(vc_allocator_grant1),
    .grant2(vc_allocator_grant2),
    .taken0(vc_allocator_taken0),
    .taken1(vc_allocator_taken1),
    .taken2(vc_allocator_taken2)
  );

  switch_allocator_inputs3_outputs3_turns_full2_79d054f2 switch_allocator (
    .clock(clock),
    .reset(reset),
    .request0(input_unit_from_north_sa_request),
    .request1(input_unit_from_east_sa_request),
    .request2(input_unit_from_inject0_sa_request),
    .grant0(switch_allocator_grant0),
    .grant1(switch_allocator_grant1),
    .grant2(switch_allocator_grant2),
    .sender0(switch_allocator_sender0),
    .sender1(switch_allocator_sender1),
    .sender2(switch_allocator_sender2)
  );

  crossbar_inputs3_outputs3_turns_full2_control18_width128 crossbar (
`ifdef WARPMESH_ASSERT
    .clock(clock),
    .reset(reset),
`endif
    .from0_select(input_unit_from_north_st_select),
    .from0_control(input_unit_from_north_st_control),
    .from0_payload(input_unit_from_north_st_payload),
    .from1_select(input_unit_from_east_st_select),
    .from1_control(input_unit_from_east_st_control),
    .from1_payload(input_unit_from_east_st_payload),
    .from2_select(input_unit_from_inject0_st_select),
    .from2_control(input_unit_from_inject0_st_control),
    .from2_payload(input_unit_from_inject0_st_payload),
    .to0_valid(crossbar_to0_valid),
    .to0_control(crossbar_to0_control),
    .to0_payload(crossbar_to0_payload),
    .to1_valid(crossbar_to1_valid),
    .to1_control(crossbar_to1_control),
    .to1_payload(crossbar_to1_payload),
    .to2_valid(crossbar_to2_valid),
    .to2_control(crossbar_to2_control),
    .to2_payload(crossbar_to2_payload)
  );

  output_unit_inputs2_vcs4_depth8_width128_3369c0d8 output_unit_to_north (
    .clock(clock),
    .reset(reset),
    .taken(vc_allocator_taken0),
    .sender(switch_allocator_sender0),
    .send_vc({input_unit_from_inject0_send_vc, input_unit_from_east_send_vc}),
    .send_tail({input_unit_from_inject0_send_tail, input_unit_from_east_send_tail}),
    .out_credit(out_north_credit),
    .valid(crossbar_to0_valid),
    .control(crossbar_to0_control),
    .payload(crossbar_to0_payload),
    .available(output_unit_to_north_available),
    .free(output_unit_to_north_free),
    .out_valid(output_unit_to_north_out_valid),
    .out_head(output_unit_to_north_out_head),
    .out_tail(output_unit_to_north_out_tail),
    .out_vc(output_unit_to_north_out_vc),
    .out_dest(output_unit_to_north_out_dest),
    .out_route_class(output_unit_to_north_out_route_class),
    .out_info(output_unit_to_north_out_info),
    .out_payload(output_unit_to_north_out_payload)
  );

  output_unit_inputs2_vcs4_depth8_width128_3369c0d8 output_unit_to_east (
    .clock(clock),
    .reset(reset),
    .taken(vc_allocator_taken1),
    .sender(switch_allocator_sender1),
    .send_vc({input_unit_from_inject0_send_vc, input_unit_from_north_send_vc}),
    .send_tail({input_unit_from_inject0_send_tail, input_unit_from_north_send_tail}),
    .out_credit(out_east_credit),
    .valid(crossbar_to1_valid),
    .control(crossbar_to1_control),
    .payload(crossbar_to1_payload),
    .available(output_unit_to_east_available),
    .free(output_unit_to_east_free),
    .out_valid(output_unit_to_east_out_valid),
    .out_head(output_unit_to_east_out_head),
    .out_tail(output_unit_to_east_out_tail),
    .out_vc(output_unit_to_east_out_vc),
    .out_dest(output_unit_to_east_out_dest),
    .out_route_class(output_unit_to_east_out_route_class),
    .out_info(output_unit_to_east_out_info),
    .out_payload(output_unit_to_east_out_payload)
  );

  output_unit_inputs3_vcs4_depth8_width128_3369c0d8 output_unit_to_eject0 (
    .clock(clock),
    .reset(reset),
    .taken(vc_allocator_taken2),
    .sender(switch_allocator_sender2),
    .send_vc({input_unit_from_inject0_send_vc, input_unit_from_east_send_vc, input_unit_from_north_send_vc}),
    .send_tail({input_unit_from_inject0_send_tail, input_unit_from_east_send_tail,
        input_unit_from_north_send_tail}),
    .out_credit(out_eject0_credit),
    .valid(crossbar_to2_valid),
    .control(crossbar_to2_control),
    .payload(crossbar_to2_payload),
    .available(output_unit_to_eject0_available),
    .free(output_unit_to_eject0_free),
    .out_valid(output_unit_to_eject0_out_valid),
    .out_head(output_unit_to_eject0_out_head),
    .out_tail(output_unit_to_eject0_out_tail),
    .out_vc(output_unit_to_eject0_out_vc),
    .out_dest(output_unit_to_eject0_out_dest),
    .out_route_class(output_unit_to_eject0_out_route_class),
    .out_info(output_unit_to_eject0_out_info),
    .out_payload(output_unit_to_eject0_out_payload)
  );

  input_unit_outputs2_vcs4_depth8_width128_8adaae94 input_unit_from_north (
    .clock(clock),
    .reset(reset),
    .in_valid(in_north_valid),
    .in_head(in_north_head),
    .in_tail(in_north_tail),
    .in_vc(in_north_vc),
    .in_dest(in_north_dest),
    .in_route_class(in_north_route_class),
    .in_info(in_north_info),
    .in_payload(in_north_payload),
    .route(route_unit_from_north_route),
    .va_grant(vc_allocator_grant0),
    .available({output_unit_to_eject0_available, output_unit_to_east_available}),
    .sa_grant(switch_allocator_grant0),
    .arrived_dest(input_unit_from_north_arrived_dest),
    .va_request(input_unit_from_north_va_request),
    .sa_request(input_unit_from_north_sa_request),
    .send_vc(input_unit_from_north_send_vc),
    .send_tail(input_unit_from_north_send_tail),
    .st_select(input_unit_from_north_st_select),
    .st_control(input_unit_from_north_st_control),
    .st_payload(input_unit_from_north_st_payload),
    .in_credit(input_unit_from_north_in_credit)
  );

  route_unit_columns4_rows4_algorithm_Xy_outputs_e_eject0 route_unit_from_north (
    .here_x(here_x),
    .here_y(here_y),
    .dest(input_unit_from_north_arrived_dest),
    .route(route_unit_from_north_route)
  );

  input_unit_outputs2_vcs4_depth8_width128_8adaae94 input_unit_from_east (
    .clock(clock),
    .reset(reset),
    .in_valid(in_east_valid),
    .in_head(in_east_head),
    .in_tail(in_east_tail),
    .in_vc(in_east_vc),
    .in_dest(in_east_dest),
    .in_route_class(in_east_route_class),
    .in_info(in_east_info),
    .in_payload(in_east_payload),
    .route(route_unit_from_east_route),
    .va_grant(vc_allocator_grant1),
    .available({output_unit_to_eject0_available, output_unit_to_north_available}),
    .sa_grant(switch_allocator_grant1),
    .arrived_dest(input_unit_from_east_arrived_dest),
    .va_request(input_unit_from_east_va_request),
    .sa_request(input_unit_from_east_sa_request),
    .send_vc(input_unit_from_east_send_vc),
    .send_tail(input_unit_from_east_send_tail),
    .st_select(input_unit_from_east_st_select),
    .st_control(input_unit_from_east_st_control),
    .st_payload(input_unit_from_east_st_payload),
    .in_credit(input_unit_from_east_in_credit)
  );

  route_unit_columns4_rows4_algorithm_Xy_outputs_n_eject0 route_unit_from_east (
    .here_x(here_x),
    .here_y(here_y),
    .dest(input_unit_from_east_arrived_dest),
    .route(route_unit_from_east_route)
  );

  input_unit_outputs3_vcs4_depth8_width128_8adaae94 input_unit_from_inject0 (
    .clock(clock),
    .reset(reset),
    .in_valid(in_inject0_valid),
    .in_head(in_inject0_head),
    .in_tail(in_inject0_tail),
    .in_vc(in_inject0_vc),
    .in_dest(in_inject0_dest),
    .in_route_class(in_inject0_route_class),
    .in_info(in_inject0_info),
    .in_payload(in_inject0_payload),
    .route(route_unit_from_inject0_route),
    .va_grant(vc_allocator_grant2),
    .available({output_unit_to_eject0_available, output_unit_to_east_available,
        output_unit_to_north_available}),
    .sa_grant(switch_allocator_grant2),
    .arrived_dest(input_unit_from_inject0_arrived_dest),
    .va_request(input_unit_from_inject0_va_request),
    .sa_request(input_unit_from_inject0_sa_request),
    .send_vc(input_unit_from_inject0_send_vc),
    .send_tail(input_unit_from_inject0_send_tail),
    .st_select(input_unit_from_inject0_st_select),
    .st_control(input_unit_from_inject0_st_control),
    .st_payload(input_unit_from_inject0_st_payload),
    .in_credit(input_unit_from_inject0_in_credit)
  );

  route_unit_columns4_rows4_algorithm_Xy_outputs_ne_eject0 route_unit_from_inject0 (
    .here_x(here_x),
    .here_y(here_y),
    .dest(input_unit_from_inject0_arrived_dest),
    .route(route_unit_from_inject0_route)
  );
endmodule

`default_nettype wire
