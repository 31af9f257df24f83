// output_unit_inputs3_vcs4_depth8_width128_3369c0d8
//
// Credit counters and owners of the virtual channels behind an output, and its register.
//
// Parameters: inputs = 3, vcs = 4, depth = 8, width = 128, depths.above = 8, depths.below = 8, depths.from = 0,
//   extra_latency = 0, format.class_bits = 1, format.length_bits = 0, format.node_bits = 4, format.priority_bits = 0,
//   format.sideband_bits = 5, format.vcs = 4, format.width = 128
// Made by: warpmesh export default
// Configuration: default
`default_nettype none

module output_unit_inputs3_vcs4_depth8_width128_3369c0d8 (
    input wire clock,
    input wire reset,
    input wire [3:0] taken, // VCs that are given to packets.
    input wire [2:0] sender, // The input that sends, one-hot, or none.
    input wire [11:0] send_vc, // Of each input: the VC that it sends on, one-hot.
    input wire [2:0] send_tail, // Of each input: it sends a tail.
    input wire [3:0] out_credit, // A pulse for each place that is free again.
    input wire valid, // The flit behind the crossbar.
    input wire [17:0] control, // Control as a word.
    input wire [127:0] payload, // The flit behind the crossbar.
    output wire [3:0] available, // VCs with a place behind them.
    output wire [3:0] free, // VCs that may be given to a packet.
    output wire out_valid, // There is one.
    output wire out_head, // First flit of its packet.
    output wire out_tail, // Last flit of its packet.
    output wire [1:0] out_vc, // Virtual channel, at the receiver.
    output wire [3:0] out_dest, // Destination node.
    output wire out_route_class, // Routing class.
    output wire [8:0] out_info, // Info as a word.
    output wire [127:0] out_payload // The flit on the channel.
);
  wire [3:0] sent;
  wire sent_tail;
  reg [3:0] owned;
  wire credits_vc0_available;
  wire credits_vc1_available;
  wire credits_vc2_available;
  wire credits_vc3_available;
  reg [17:0] output_control;
  reg [127:0] output_payload;
  reg output_valid;

  assign sent = send_vc[3:0] & {4{sender[0]}} | send_vc[7:4] & {4{sender[1]}} | send_vc[11:8] &
      {4{sender[2]}};
  assign sent_tail = |(sender & send_tail);
  assign available = {credits_vc3_available, credits_vc2_available, credits_vc1_available,
      credits_vc0_available};
  assign free = ~owned;
  assign out_valid = output_valid;
  assign out_head = output_control[15];
  assign out_tail = output_control[14];
  assign out_vc = output_control[17:16];
  assign out_dest = output_control[12:9];
  assign out_route_class = output_control[13];
  assign out_info = output_control[8:0];
  assign out_payload = output_payload;

  wire [3:0] unused_credits_vc0_count;
  credit_counter_places8 credits_vc0 (
    .clock(clock),
    .reset(reset),
    .send(sent[0]),
    .credit(out_credit[0]),
    .available(credits_vc0_available),
    .count(unused_credits_vc0_count)
  );

  wire [3:0] unused_credits_vc1_count;
  credit_counter_places8 credits_vc1 (
    .clock(clock),
    .reset(reset),
    .send(sent[1]),
    .credit(out_credit[1]),
    .available(credits_vc1_available),
    .count(unused_credits_vc1_count)
  );

  wire [3:0] unused_credits_vc2_count;
  credit_counter_places8 credits_vc2 (
    .clock(clock),
    .reset(reset),
    .send(sent[2]),
    .credit(out_credit[2]),
    .available(credits_vc2_available),
    .count(unused_credits_vc2_count)
  );

  wire [3:0] unused_credits_vc3_count;
  credit_counter_places8 credits_vc3 (
    .clock(clock),
    .reset(reset),
    .send(sent[3]),
    .credit(out_credit[3]),
    .available(credits_vc3_available),
    .count(unused_credits_vc3_count)
  );

  always @(posedge clock) begin
    if (reset) begin
      owned <= 4'h0;
      output_valid <= 1'b0;
    end else begin
      owned <= owned & ~(sent & {4{sent_tail}}) | taken;
      output_valid <= valid;
    end
  end

  always @(posedge clock) begin
    if (valid) begin
      output_control <= control;
    end
    if (valid) begin
      output_payload <= payload;
    end
  end

`ifdef WARPMESH_ASSERT
  always @(posedge clock) begin
    if (!reset) begin
      if (!(!(|(sent & ~owned)))) begin
        $display("%m: assertion failed: only owners send");
        $stop;
      end
      if (!(!(|(taken & owned)))) begin
        $display("%m: assertion failed: a VC is taken while it is free");
        $stop;
      end
    end
  end
`endif
endmodule

`default_nettype wire
