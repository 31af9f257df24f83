// input_unit_outputs3_vcs4_depth8_width128_8adaae94
//
// Channel register, flit buffers, state of the virtual channels, credit return.
//
// Parameters: outputs = 3, vcs = 4, depth = 8, width = 128, arbiter = round-robin, depths.above = 8, depths.below = 8,
//   depths.from = 0, format.class_bits = 1, format.length_bits = 0, format.node_bits = 4, format.priority_bits = 0,
//   format.sideband_bits = 5, format.vcs = 4, format.width = 128, merges.depth = 4, port.links = 1,
//   port.switch_inputs = 1, rule = Xy, sets.classes = 2, sets.vcs = 4, vc_reuse_delay = 1
// Made by: warpmesh export default
// Configuration: default
`default_nettype none

module input_unit_outputs3_vcs4_depth8_width128_8adaae94 (
    input wire clock,
    input wire reset,
    input wire in_valid, // There is one.
    input wire in_head, // First flit of its packet.
    input wire in_tail, // Last flit of its packet.
    input wire [1:0] in_vc, // Virtual channel, at the receiver.
    input wire [3:0] in_dest, // Destination node.
    input wire in_route_class, // Routing class.
    input wire [8:0] in_info, // Info as a word.
    input wire [127:0] in_payload, // Flits of a link.
    input wire [2:0] route, // Ways that it may go.
    input wire [23:0] va_grant, // By VC: the VC of an output that it is granted.
    input wire [11:0] available, // By output: VCs with a place behind them.
    input wire [2:0] sa_grant, // By switch input: the output that it is granted.
    output wire [3:0] arrived_dest, // Destination node.
    output wire [11:0] va_request, // By output: VCs whose packets ask for a VC there.
    output wire [2:0] sa_request, // By switch input: outputs that it asks for.
    output wire [3:0] send_vc, // By switch input: the output VC of the flit that won the switch.
    output wire send_tail, // By switch input: it is a tail.
    output wire [2:0] st_select, // By switch input: the output of the flit for the crossbar.
    output wire [17:0] st_control, // By switch input: control of that flit.
    output wire [127:0] st_payload, // By switch input: its payload.
    output wire [3:0] in_credit // A pulse for each place that is free again.
);
  reg [1:0] arrived_vc;
  reg [15:0] arrived_carried;
  reg [127:0] arrived_payload;
  reg arrived;
  wire [3:0] arriving_vc;
  wire [3:0] flit_buffer_occupied;
  wire [15:0] flit_buffer_front_carried;
  wire [127:0] flit_buffer_front_payload;
  wire [2:0] flit_buffer_exposed_route;
  reg [3:0] waiting_vcs;
  reg [3:0] active_vcs;
  wire [3:0] idle;
  wire [3:0] start_stored;
  wire [3:0] start_arrived;
  wire [3:0] start;
  reg [3:0] to_output0;
  reg [3:0] to_output1;
  reg [3:0] to_output2;
  wire [3:0] granted;
  reg [5:0] owned_by_vc0;
  reg [5:0] owned_by_vc1;
  reg [5:0] owned_by_vc2;
  reg [5:0] owned_by_vc3;
  wire [5:0] available_class0;
  wire [5:0] available_class1;
  wire [3:0] ready;
  wire [3:0] vc_arbiter_grant;
  wire [3:0] pop;
  wire any_pop;
  wire [3:0] pop_stored;
  wire bypass;
  wire [15:0] front;
  wire [3:0] done;
  wire [3:0] sending_vc;
  reg [2:0] traversal_select;
  reg [17:0] traversal_control;
  reg [127:0] traversal_payload;
  reg [3:0] credit;

  assign arriving_vc = (4'h1 << arrived_vc) & {4{arrived}};
  assign arrived_dest = arrived_carried[12:9];
  // RC: an idle VC whose oldest flit is here takes its route.
  assign idle = ~(waiting_vcs | active_vcs);
  assign start_stored = idle & flit_buffer_occupied;
  assign start_arrived = idle & ~flit_buffer_occupied & arriving_vc;
  assign start = start_stored | start_arrived;
  // VA: a waiting VC asks for a VC of its output until it owns one.
  assign va_request = {to_output2 & waiting_vcs, to_output1 & waiting_vcs, to_output0 & waiting_vcs};
  assign granted = {|va_grant[23:18], |va_grant[17:12], |va_grant[11:6], |va_grant[5:0]};
  // SA: an active VC with a flit and a credit asks for its output.
  assign available_class0 = {available[9:8], available[5:4], available[1:0]};
  assign available_class1 = {available[11:10], available[7:6], available[3:2]};
  wire [3:0] ready_joined = {|(owned_by_vc3 & available_class1), |(owned_by_vc2 & available_class1),
      |(owned_by_vc1 & available_class0), |(owned_by_vc0 & available_class0)};
  assign ready = active_vcs & (flit_buffer_occupied | arriving_vc) & ready_joined;
  assign sa_request = {|(to_output2 & ready), |(to_output1 & ready), |(to_output0 & ready)};
  assign pop = vc_arbiter_grant;
  assign any_pop = |pop;
  assign pop_stored = pop & flit_buffer_occupied;
  assign bypass = |(pop & ~flit_buffer_occupied);
  wire [8:0] arrived_carried_info = arrived_carried[8:0];
  wire arrived_carried_route_class = arrived_carried[13];
  wire arrived_carried_tail = arrived_carried[14];
  wire arrived_carried_head = arrived_carried[15];
  wire [15:0] front_joined = {arrived_carried_head, arrived_carried_tail, arrived_carried_route_class,
      arrived_dest, arrived_carried_info};
  assign front = bypass ? front_joined : flit_buffer_front_carried;
  assign done = pop & {4{send_tail}};
  wire [5:0] sending_vc_merged = owned_by_vc0 & {6{pop[0]}} | owned_by_vc1 & {6{pop[1]}};
  wire [5:0] sending_vc_merged_2 = owned_by_vc2 & {6{pop[2]}} | owned_by_vc3 & {6{pop[3]}};
  assign sending_vc = {sending_vc_merged_2[1:0] | sending_vc_merged_2[3:2] | sending_vc_merged_2[5:4],
      sending_vc_merged[1:0] | sending_vc_merged[3:2] | sending_vc_merged[5:4]};
  assign send_vc = sending_vc;
  assign send_tail = front[14];
  assign st_select = traversal_select;
  assign st_control = traversal_control;
  assign st_payload = traversal_payload;
  assign in_credit = credit;

  flit_buffer_vcs4_depth8_carried16_width128_route3 flit_buffer (
    .clock(clock),
    .reset(reset),
    .push(arriving_vc & ~{4{bypass}}),
    .carried(front_joined),
    .payload(arrived_payload),
    .select(pop_stored),
    .pop(pop_stored),
    .route(route),
    .expose(start_stored),
    .occupied(flit_buffer_occupied),
    .front_carried(flit_buffer_front_carried),
    .front_payload(flit_buffer_front_payload),
    .exposed_route(flit_buffer_exposed_route)
  );

  round_robin_arbiter_n4_sets3 vc_arbiter (
    .clock(clock),
    .reset(reset),
    .request({to_output2 & ready, to_output1 & ready, to_output0 & ready}),
    .which(sa_grant),
    .advance(1'b1),
    .grant(vc_arbiter_grant)
  );

  always @(posedge clock) begin
    if (reset) begin
      arrived <= 1'b0;
      waiting_vcs <= 4'h0;
      active_vcs <= 4'h0;
      to_output0 <= 4'h0;
      to_output1 <= 4'h0;
      to_output2 <= 4'h0;
      owned_by_vc0 <= 6'h00;
      owned_by_vc1 <= 6'h00;
      owned_by_vc2 <= 6'h00;
      owned_by_vc3 <= 6'h00;
      traversal_select <= 3'h0;
      credit <= 4'h0;
    end else begin
      arrived <= in_valid;
      to_output0 <= to_output0 & ~start | start_stored & {4{flit_buffer_exposed_route[0]}} | start_arrived &
          {4{route[0]}};
      to_output1 <= to_output1 & ~start | start_stored & {4{flit_buffer_exposed_route[1]}} | start_arrived &
          {4{route[1]}};
      to_output2 <= to_output2 & ~start | start_stored & {4{flit_buffer_exposed_route[2]}} | start_arrived &
          {4{route[2]}};
      if (granted[0]) begin
        owned_by_vc0 <= va_grant[5:0];
      end
      if (granted[1]) begin
        owned_by_vc1 <= va_grant[11:6];
      end
      if (granted[2]) begin
        owned_by_vc2 <= va_grant[17:12];
      end
      if (granted[3]) begin
        owned_by_vc3 <= va_grant[23:18];
      end
      waiting_vcs <= waiting_vcs & ~granted | start;
      active_vcs <= active_vcs & ~done | granted;
      // ST: the flit waits one cycle for the crossbar.
      traversal_select <= sa_grant;
      credit <= pop;
    end
  end

  always @(posedge clock) begin
    if (in_valid) begin
      arrived_vc <= in_vc;
    end
    if (in_valid) begin
      arrived_carried <= {in_head, in_tail, in_route_class, in_dest, in_info};
    end
    if (in_valid) begin
      arrived_payload <= in_payload;
    end
    if (any_pop) begin
      traversal_control <= {{|(sending_vc & 4'hc), |(sending_vc & 4'ha)}, front};
    end
    if (any_pop) begin
      traversal_payload <= bypass ? arrived_payload : flit_buffer_front_payload;
    end
  end

`ifdef WARPMESH_ASSERT
  always @(posedge clock) begin
    if (!reset) begin
      if (!(!(|start_arrived) | arrived_carried_head)) begin
        $display("%m: assertion failed: a packet starts with a head flit");
        $stop;
      end
      if (!(!(|(start_stored & (start_stored - 4'h1))))) begin
        $display("%m: assertion failed: at most one stored packet starts");
        $stop;
      end
      if (!(any_pop == (|sa_grant))) begin
        $display("%m: assertion failed: the switch is granted to a VC that asked");
        $stop;
      end
      if (!(!(|(granted & ~waiting_vcs)))) begin
        $display("%m: assertion failed: a VC is granted while it waits");
        $stop;
      end
    end
  end
`endif
endmodule

`default_nettype wire
