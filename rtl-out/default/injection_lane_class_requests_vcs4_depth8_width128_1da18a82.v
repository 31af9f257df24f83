// injection_lane_class_requests_vcs4_depth8_width128_1da18a82
//
// Packets for one injection port, cut into flits.
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
//   rx_queue_packets = 4, sends = requests, tx_queue_packets = 2
// Made by: warpmesh export default
// Configuration: default
`default_nettype none

module injection_lane_class_requests_vcs4_depth8_width128_1da18a82 (
    input wire clock,
    input wire reset,
    input wire [3:0] here, // This node.
    input wire enter, // The packet, or its flit, enters a queue, a bit each.
    input wire [3:0] packet_dest, // The packet that enters
    input wire [2:0] packet_flits, // The packet that enters
    input wire [4:0] packet_sideband, // The packet that enters
    input wire [575:0] packet_payload, // The packet that enters
    input wire [3:0] out_credit, // A pulse for each place that is free again.
    output wire out_valid, // There is one.
    output wire out_head, // First flit of its packet.
    output wire out_tail, // Last flit of its packet.
    output wire [1:0] out_vc, // Virtual channel, at the receiver.
    output wire [3:0] out_dest, // Destination node.
    output wire out_route_class, // Routing class.
    output wire [8:0] out_info, // Info as a word.
    output wire [127:0] out_payload, // Flits for the router.
    output wire left, // A packet has left its place.
    output wire [1:0] used // Packets in their places.
);
  reg [1:0] places_used;
  reg enter_at;
  reg leave_at;
  wire sending;
  reg [2:0] flit_index;
  wire last_flit;
  wire first_flit;
  wire [1:0] available_vc;
  wire [1:0] chosen_vc;
  wire credits_vc0_available;
  wire credits_vc1_available;
  wire [1:0] vc_arbiter_grant;
  reg [1:0] kept_vc;
  wire packet_leaves;
  reg valid;
  reg head;
  reg tail;
  reg [1:0] vc;
  reg [3:0] dest;
  reg [8:0] info;
  reg [127:0] payload;
  reg place_free;
  reg [11:0] controls [0:1];
  reg [127:0] words0 [0:1];
  reg [127:0] words1 [0:1];
  reg [127:0] words2 [0:1];
  reg [127:0] words3 [0:1];
  reg [127:0] words4 [0:1];

  wire [11:0] controls_word = controls[leave_at];
  assign last_flit = flit_index == (controls_word[7:5] - 3'h1);
  assign first_flit = !(|flit_index);
  // A packet takes the next VC of its set that has a credit.
  assign available_vc = {credits_vc1_available, credits_vc0_available};
  assign chosen_vc = first_flit ? vc_arbiter_grant : kept_vc;
  assign sending = (|places_used) & (|(chosen_vc & available_vc));
  assign packet_leaves = sending & last_flit;
  assign out_valid = valid;
  assign out_head = head;
  assign out_tail = tail;
  assign out_vc = vc;
  assign out_dest = dest;
  assign out_route_class = 1'b0;
  assign out_info = info;
  assign out_payload = payload;
  assign left = place_free;
  assign used = places_used;

  wire [3:0] unused_credits_vc0_count;
  credit_counter_places8 credits_vc0 (
    .clock(clock),
    .reset(reset),
    .send(sending & chosen_vc[0]),
    .credit(|(out_credit & 4'h1)),
    .available(credits_vc0_available),
    .count(unused_credits_vc0_count)
  );

  wire [3:0] unused_credits_vc1_count;
  credit_counter_places8 credits_vc1 (
    .clock(clock),
    .reset(reset),
    .send(sending & chosen_vc[1]),
    .credit(|(out_credit & 4'h2)),
    .available(credits_vc1_available),
    .count(unused_credits_vc1_count)
  );

  round_robin_arbiter_n2 vc_arbiter (
    .clock(clock),
    .reset(reset),
    .request(available_vc),
    .advance(first_flit & sending),
    .grant(vc_arbiter_grant)
  );

  always @(posedge clock) begin
    if (reset) begin
      places_used <= 2'h0;
      enter_at <= 1'b0;
      leave_at <= 1'b0;
      flit_index <= 3'h0;
      kept_vc <= 2'h0;
      valid <= 1'b0;
      place_free <= 1'b0;
    end else begin
      if (sending) begin
        flit_index <= last_flit ? 3'h0 : flit_index + 3'h1;
      end
      if (sending) begin
        kept_vc <= chosen_vc;
      end
      if (enter) begin
        enter_at <= enter_at + 1'b1;
      end
      if (packet_leaves) begin
        leave_at <= leave_at + 1'b1;
      end
      if (enter ^ packet_leaves) begin
        places_used <= enter ? places_used + 2'h1 : places_used - 2'h1;
      end
      // The output register.
      valid <= sending;
      place_free <= packet_leaves;
    end
  end

  wire [127:0] words0_word = words0[leave_at];
  wire [127:0] words1_word = words1[leave_at];
  wire [127:0] words2_word = words2[leave_at];
  wire [127:0] words3_word = words3[leave_at];
  wire [127:0] words4_word = words4[leave_at];
  always @(posedge clock) begin
    if (sending) begin
      head <= first_flit;
    end
    if (sending) begin
      tail <= last_flit;
    end
    if (sending) begin
      vc <= {|({2'h0, chosen_vc} & 4'hc), |({2'h0, chosen_vc} & 4'ha)};
    end
    if (sending) begin
      dest <= controls_word[11:8];
    end
    if (sending) begin
      info <= {here, controls_word[4:0]};
    end
    if (sending) begin
      payload <= flit_index[2] ? words4_word : flit_index[1] ? (flit_index[0] ? words3_word : words2_word) :
          flit_index[0] ? words1_word : words0_word;
    end
  end

  always @(posedge clock) begin
    // Packets wait in a ring of places: their words in a memory each, their control fields in another.
    if (enter) begin
      controls[enter_at] <= {packet_dest, packet_flits, packet_sideband};
    end
  end

  always @(posedge clock) begin
    if (enter) begin
      words0[enter_at] <= packet_payload[127:0];
    end
  end

  always @(posedge clock) begin
    if (enter & (3'h1 < packet_flits)) begin
      words1[enter_at] <= packet_payload[255:128];
    end
  end

  always @(posedge clock) begin
    if (enter & (3'h2 < packet_flits)) begin
      words2[enter_at] <= packet_payload[383:256];
    end
  end

  always @(posedge clock) begin
    if (enter & (3'h3 < packet_flits)) begin
      words3[enter_at] <= packet_payload[511:384];
    end
  end

  always @(posedge clock) begin
    if (enter & (3'h4 < packet_flits)) begin
      words4[enter_at] <= {64'h0000000000000000, packet_payload[575:512]};
    end
  end

`ifdef WARPMESH_ASSERT
  always @(posedge clock) begin
    if (!reset) begin
      if (!(!enter | (|packet_flits) & (3'h5 >= packet_flits))) begin
        $display("%m: assertion failed: a packet has flits, and not too many");
        $stop;
      end
      if (!(!enter | (places_used != 2'h2))) begin
        $display("%m: assertion failed: a packet comes only for a free place");
        $stop;
      end
    end
  end
`endif
endmodule

`default_nettype wire
