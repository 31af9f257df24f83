// network_interface_sreplies_v4_d8_w128_n4_tag_bits4_tx2_r32
//
// Cuts packets into flits and puts flits together to packets.
//
// Parameters: sends = replies, vcs = 4, depth = 8, width = 128, node_bits = 4, tag_bits = 4, tx = 2, rx = 32
// Made by: warpmesh export default
// Configuration: default
`default_nettype none

module network_interface_sreplies_v4_d8_w128_n4_tag_bits4_tx2_r32 (
    input wire clock,
    input wire reset,
    input wire [3:0] here,
    input wire tx_valid,
    input wire tx_write,
    input wire [3:0] tx_dest,
    input wire [3:0] tx_tag,
    input wire [63:0] tx_header,
    input wire [511:0] tx_data,
    input wire [3:0] out_inject0_credit,
    input wire in_eject0_valid,
    input wire in_eject0_head,
    input wire in_eject0_tail,
    input wire [1:0] in_eject0_vc,
    input wire [8:0] in_eject0_info,
    input wire [127:0] in_eject0_payload,
    input wire rx_credit,
    output wire out_inject0_valid,
    output wire out_inject0_head,
    output wire out_inject0_tail,
    output wire [1:0] out_inject0_vc,
    output wire [3:0] out_inject0_dest,
    output wire out_inject0_yx,
    output wire [8:0] out_inject0_info,
    output wire [127:0] out_inject0_payload,
    output wire tx_credit,
    output wire [3:0] in_eject0_credit,
    output wire rx_valid,
    output wire [3:0] rx_src,
    output wire rx_write,
    output wire [3:0] rx_tag,
    output wire [63:0] rx_header,
    output wire [511:0] rx_data
);
  reg [1:0] places_used;
  reg enter_at;
  reg leave_at;
  wire sending;
  reg [1:0] flit_index;
  wire last_flit;
  wire first_flit;
  wire [1:0] available_vc;
  wire [1:0] chosen_vc;
  wire credits_vc2_available;
  wire credits_vc3_available;
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
  wire rx_credits_available;
  wire [1:0] drained_vc;
  wire delivered;
  reg [1:0] credit;
  reg packet_valid;
  reg [8:0] packet_info;
  reg [2:0] word_index;
  reg [127:0] word0;
  reg [127:0] word1;
  reg [127:0] word2;
  reg [127:0] word3;
  reg [63:0] word4;
  reg [8:0] tx_controls [0:1];
  reg [127:0] tx_words0 [0:1];
  reg [127:0] tx_words1 [0:1];
  reg [127:0] tx_words2 [0:1];
  reg [127:0] tx_words3 [0:1];

  wire [8:0] tx_controls_word = tx_controls[leave_at];
  assign last_flit = flit_index == (tx_controls_word[4] ? 2'h0 : 2'h3);
  assign first_flit = !(|flit_index);
  // A packet takes the next VC of its class that has a credit.
  assign available_vc = {credits_vc3_available, credits_vc2_available};
  assign chosen_vc = first_flit ? vc_arbiter_grant : kept_vc;
  assign sending = (|places_used) & (|(chosen_vc & available_vc));
  assign packet_leaves = sending & last_flit;
  assign out_inject0_valid = valid;
  assign out_inject0_head = head;
  assign out_inject0_tail = tail;
  assign out_inject0_vc = vc;
  assign out_inject0_dest = dest;
  assign out_inject0_yx = 1'b0;
  assign out_inject0_info = info;
  assign out_inject0_payload = payload;
  assign tx_credit = place_free;
  assign arriving_vc = {arrived & (arrived_vc == 2'h1), arrived & (arrived_vc == 2'h0)};
  // Drain one VC from head to tail; the tail waits until the endpoint can take the packet.
  assign drain_from = (draining ? draining_vc : drain_arbiter_grant) & flit_buffer_occupied;
  assign drained_vc = drain_from & {2{!flit_buffer_front_carried[9] | rx_credits_available}};
  assign drain = |drained_vc;
  assign delivered = drain & flit_buffer_front_carried[9];
  assign in_eject0_credit = {2'h0, credit};
  assign rx_valid = packet_valid;
  assign rx_src = packet_info[8:5];
  assign rx_write = packet_info[4];
  assign rx_tag = packet_info[3:0];
  assign rx_header = word0[63:0];
  assign rx_data = {word4, word3, word2, word1, word0[127:64]};

  wire [3:0] unused_credits_vc2_count;
  credit_counter_p8 credits_vc2 (
    .clock(clock),
    .reset(reset),
    .send(sending & chosen_vc[0]),
    .credit(|(out_inject0_credit & 4'h4)),
    .available(credits_vc2_available),
    .count(unused_credits_vc2_count)
  );

  wire [3:0] unused_credits_vc3_count;
  credit_counter_p8 credits_vc3 (
    .clock(clock),
    .reset(reset),
    .send(sending & chosen_vc[1]),
    .credit(|(out_inject0_credit & 4'h8)),
    .available(credits_vc3_available),
    .count(unused_credits_vc3_count)
  );

  round_robin_arbiter_n2 vc_arbiter (
    .clock(clock),
    .reset(reset),
    .request(available_vc),
    .advance(first_flit & sending),
    .grant(vc_arbiter_grant)
  );

  flit_buffer_v2_d8_c11_w128_r0 flit_buffer (
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

  wire [5:0] unused_rx_credits_count;
  credit_counter_p32 rx_credits (
    .clock(clock),
    .reset(reset),
    .send(delivered),
    .credit(rx_credit),
    .available(rx_credits_available),
    .count(unused_rx_credits_count)
  );

  always @(posedge clock) begin
    if (reset) begin
      places_used <= 2'h0;
      enter_at <= 1'b0;
      leave_at <= 1'b0;
      flit_index <= 2'h0;
      kept_vc <= 2'h0;
      valid <= 1'b0;
      place_free <= 1'b0;
      arrived <= 1'b0;
      draining <= 1'b0;
      draining_vc <= 2'h0;
      credit <= 2'h0;
      packet_valid <= 1'b0;
      word_index <= 3'h0;
    end else begin
      if (sending) begin
        flit_index <= last_flit ? 2'h0 : flit_index + 2'h1;
      end
      if (sending) begin
        kept_vc <= chosen_vc;
      end
      if (tx_valid) begin
        enter_at <= enter_at + 1'b1;
      end
      if (packet_leaves) begin
        leave_at <= leave_at + 1'b1;
      end
      if (tx_valid ^ packet_leaves) begin
        places_used <= tx_valid ? places_used + 2'h1 : places_used - 2'h1;
      end
      valid <= sending;
      place_free <= packet_leaves;
      arrived <= in_eject0_valid;
      if (drain) begin
        draining <= !flit_buffer_front_carried[9];
        draining_vc <= drain_from;
      end
      credit <= drained_vc;
      packet_valid <= delivered;
      if (drain) begin
        word_index <= flit_buffer_front_carried[9] ? 3'h0 : word_index + 3'h1;
      end
    end
  end

  wire [127:0] tx_words0_word = tx_words0[leave_at];
  wire [127:0] tx_words1_word = tx_words1[leave_at];
  wire [127:0] tx_words2_word = tx_words2[leave_at];
  wire [127:0] tx_words3_word = tx_words3[leave_at];
  always @(posedge clock) begin
    if (sending) begin
      head <= first_flit;
    end
    if (sending) begin
      tail <= last_flit;
    end
    if (sending) begin
      vc <= {|({chosen_vc, 2'h0} & 4'hc), |({chosen_vc, 2'h0} & 4'ha)};
    end
    if (sending) begin
      dest <= tx_controls_word[8:5];
    end
    if (sending) begin
      info <= {here, tx_controls_word[4], tx_controls_word[3:0]};
    end
    if (sending) begin
      payload <= flit_index[1] ? (flit_index[0] ? tx_words3_word : tx_words2_word) : flit_index[0] ?
          tx_words1_word : tx_words0_word;
    end
    if (in_eject0_valid) begin
      arrived_vc <= in_eject0_vc;
      arrived_carried <= {in_eject0_head, in_eject0_tail, in_eject0_info};
      arrived_payload <= in_eject0_payload;
    end
    if (drain & flit_buffer_front_carried[10]) begin
      packet_info <= flit_buffer_front_carried[8:0];
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

  always @(posedge clock) begin
    // Packets wait in a ring of places: their words in a memory each, their control fields in another.
    if (tx_valid) begin
      tx_controls[enter_at] <= {tx_dest, tx_write, tx_tag};
    end
  end

  always @(posedge clock) begin
    if (tx_valid) begin
      tx_words0[enter_at] <= tx_write ? {64'h0000000000000000, tx_header} : tx_data[127:0];
    end
  end

  always @(posedge clock) begin
    if (tx_valid & !tx_write) begin
      tx_words1[enter_at] <= tx_data[255:128];
    end
  end

  always @(posedge clock) begin
    if (tx_valid & !tx_write) begin
      tx_words2[enter_at] <= tx_data[383:256];
    end
  end

  always @(posedge clock) begin
    if (tx_valid & !tx_write) begin
      tx_words3[enter_at] <= tx_data[511:384];
    end
  end

`ifdef WARPMESH_ASSERT
  always @(posedge clock) begin
    if (!reset) begin
      if (!(!tx_valid | (places_used != 2'h2))) begin
        $display("%m: assertion failed: a packet comes only for a free place");
        $stop;
      end
      if (!(!arrived | (|arriving_vc))) begin
        $display("%m: assertion failed: a flit of the received class arrives");
        $stop;
      end
      if (!(!drain | (flit_buffer_front_carried[10] ^ draining))) begin
        $display("%m: assertion failed: a packet starts with a head flit and has no other");
        $stop;
      end
    end
  end
`endif
endmodule

`default_nettype wire
