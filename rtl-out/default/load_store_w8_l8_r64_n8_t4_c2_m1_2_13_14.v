// load_store_w8_l8_r64_n8_t4_c2_m1_2_13_14
//
// Global loads and stores: coalescing, transactions, packet port.
//
// Parameters: w = 8, l = 8, r = 64, n = 8, t = 4, c = 2, m = _1_2_13_14
// Made by: warpmesh export default
// Configuration: default
`default_nettype none

module load_store_w8_l8_r64_n8_t4_c2_m1_2_13_14 (
    input wire clock,
    input wire reset,
    input wire reserve,
    input wire store,
    input wire [2:0] size,
    input wire [2:0] warp,
    input wire [5:0] register,
    input wire writes,
    input wire beat_valid,
    input wire [1:0] beat,
    input wire [7:0] active,
    input wire [255:0] address,
    input wire [255:0] store_data,
    input wire write_granted,
    input wire rx_valid,
    input wire rx_write,
    input wire [3:0] rx_tag,
    input wire [511:0] rx_data,
    input wire tx_credit,
    output wire write_valid,
    output wire [2:0] write_warp,
    output wire [5:0] write_register,
    output wire [1:0] write_beat,
    output wire [7:0] write_mask,
    output wire [255:0] write_data,
    output wire done_valid,
    output wire [2:0] done_warp,
    output wire [5:0] done_register,
    output wire [7:0] stores_open,
    output wire [7:0] loads_open,
    output wire ready_load,
    output wire ready_store,
    output wire tx_valid,
    output wire [3:0] tx_dest,
    output wire tx_write,
    output wire [3:0] tx_tag,
    output wire [63:0] tx_header,
    output wire [511:0] tx_data,
    output wire rx_credit
);
  wire coalescer_busy;
  wire coalescer_row_valid;
  wire [1:0] coalescer_row_beat;
  wire [7:0] coalescer_row_match;
  wire [47:0] coalescer_row_offset;
  wire coalescer_begin;
  wire coalescer_last;
  wire coalescer_finish;
  wire coalescer_request_valid;
  wire coalescer_request_store;
  wire [25:0] coalescer_request_line;
  wire [15:0] coalescer_request_words;
  wire [3:0] coalescer_request_bytes;
  wire [511:0] coalescer_request_data;
  wire transactions_load_free;
  wire [3:0] transactions_tag;
  wire transactions_tag_free;
  wire transactions_write_valid;
  wire [2:0] transactions_write_warp;
  wire [5:0] transactions_write_register;
  wire [1:0] transactions_write_beat;
  wire [7:0] transactions_write_mask;
  wire [255:0] transactions_write_data;
  wire [7:0] transactions_open;
  wire transactions_done_valid;
  wire [2:0] transactions_done_warp;
  wire [5:0] transactions_done_register;
  reg [2:0] store_warp;
  wire credits_available;
  wire send;
  reg [5:0] open_stores0;
  reg [5:0] open_stores1;
  reg [5:0] open_stores2;
  reg [5:0] open_stores3;
  reg [5:0] open_stores4;
  reg [5:0] open_stores5;
  reg [5:0] open_stores6;
  reg [5:0] open_stores7;
  reg tx_valid_now;
  reg [3:0] tx_dest_now;
  reg tx_write_now;
  reg [3:0] tx_tag_now;
  reg [63:0] tx_header_now;
  reg [511:0] tx_data_now;
  reg rx_credit_now;

  assign write_valid = transactions_write_valid;
  assign write_warp = transactions_write_warp;
  assign write_register = transactions_write_register;
  assign write_beat = transactions_write_beat;
  assign write_mask = transactions_write_mask;
  assign write_data = transactions_write_data;
  assign done_valid = transactions_done_valid;
  assign done_warp = transactions_done_warp;
  assign done_register = transactions_done_register;
  assign send = coalescer_request_valid & credits_available;
  wire [7:0] stores_open_joined = {|open_stores7, |open_stores6, |open_stores5, |open_stores4, |open_stores3,
      |open_stores2, |open_stores1, |open_stores0};
  assign stores_open = stores_open_joined | (8'h01 << store_warp) & {8{coalescer_busy &
      coalescer_request_store}};
  assign loads_open = transactions_open;
  assign ready_load = !coalescer_busy & transactions_load_free;
  assign ready_store = !coalescer_busy;
  assign tx_valid = tx_valid_now;
  assign tx_dest = tx_dest_now;
  assign tx_write = tx_write_now;
  assign tx_tag = tx_tag_now;
  assign tx_header = tx_header_now;
  assign tx_data = tx_data_now;
  assign rx_credit = rx_credit_now;

  coalescer_l8 coalescer (
    .clock(clock),
    .reset(reset),
    .reserve(reserve),
    .beat_valid(beat_valid),
    .beat(beat),
    .active(active),
    .address(address),
    .store_data(store_data),
    .may_begin(transactions_tag_free),
    .request_taken(send),
    .store(store),
    .size(size),
    .busy(coalescer_busy),
    .row_valid(coalescer_row_valid),
    .row_beat(coalescer_row_beat),
    .row_match(coalescer_row_match),
    .row_offset(coalescer_row_offset),
    .\begin (coalescer_begin),
    .last(coalescer_last),
    .finish(coalescer_finish),
    .request_valid(coalescer_request_valid),
    .request_store(coalescer_request_store),
    .request_line(coalescer_request_line),
    .request_words(coalescer_request_words),
    .request_bytes(coalescer_request_bytes),
    .request_data(coalescer_request_data)
  );

  transactions_w8_l8_r64_n8_t4 transactions (
    .clock(clock),
    .reset(reset),
    .reserve(reserve & !store),
    .store(store),
    .size(size),
    .warp(warp),
    .register(register),
    .writes(writes),
    .row_valid(coalescer_row_valid),
    .row_beat(coalescer_row_beat),
    .row_match(coalescer_row_match),
    .row_offset(coalescer_row_offset),
    .\begin (coalescer_begin),
    .last(coalescer_last),
    .finish(coalescer_finish),
    .reply_valid(rx_valid & !rx_write),
    .reply_tag(rx_tag),
    .reply_data(rx_data),
    .write_granted(write_granted),
    .load_free(transactions_load_free),
    .tag(transactions_tag),
    .tag_free(transactions_tag_free),
    .write_valid(transactions_write_valid),
    .write_warp(transactions_write_warp),
    .write_register(transactions_write_register),
    .write_beat(transactions_write_beat),
    .write_mask(transactions_write_mask),
    .write_data(transactions_write_data),
    .open(transactions_open),
    .done_valid(transactions_done_valid),
    .done_warp(transactions_done_warp),
    .done_register(transactions_done_register)
  );

  wire [1:0] unused_credits_count;
  credit_counter_p2 credits (
    .clock(clock),
    .reset(reset),
    .send(send),
    .credit(tx_credit),
    .available(credits_available),
    .count(unused_credits_count)
  );

  wire [7:0] next_masked = (8'h01 << rx_tag[2:0]) & {8{rx_valid & rx_write}};
  wire [7:0] next_masked_2 = (8'h01 << store_warp) & {8{send & coalescer_request_store}};
  always @(posedge clock) begin
    if (reset) begin
      store_warp <= 3'h0;
      open_stores0 <= 6'h00;
      open_stores1 <= 6'h00;
      open_stores2 <= 6'h00;
      open_stores3 <= 6'h00;
      open_stores4 <= 6'h00;
      open_stores5 <= 6'h00;
      open_stores6 <= 6'h00;
      open_stores7 <= 6'h00;
      tx_valid_now <= 1'b0;
      rx_credit_now <= 1'b0;
    end else begin
      // Open stores of each warp, and the warp whose store is being coalesced.
      if (reserve & store) begin
        store_warp <= warp;
      end
      if (next_masked_2[0] ^ next_masked[0]) begin
        open_stores0 <= next_masked_2[0] ? open_stores0 + 6'h01 : open_stores0 - 6'h01;
      end
      if (next_masked_2[1] ^ next_masked[1]) begin
        open_stores1 <= next_masked_2[1] ? open_stores1 + 6'h01 : open_stores1 - 6'h01;
      end
      if (next_masked_2[2] ^ next_masked[2]) begin
        open_stores2 <= next_masked_2[2] ? open_stores2 + 6'h01 : open_stores2 - 6'h01;
      end
      if (next_masked_2[3] ^ next_masked[3]) begin
        open_stores3 <= next_masked_2[3] ? open_stores3 + 6'h01 : open_stores3 - 6'h01;
      end
      if (next_masked_2[4] ^ next_masked[4]) begin
        open_stores4 <= next_masked_2[4] ? open_stores4 + 6'h01 : open_stores4 - 6'h01;
      end
      if (next_masked_2[5] ^ next_masked[5]) begin
        open_stores5 <= next_masked_2[5] ? open_stores5 + 6'h01 : open_stores5 - 6'h01;
      end
      if (next_masked_2[6] ^ next_masked[6]) begin
        open_stores6 <= next_masked_2[6] ? open_stores6 + 6'h01 : open_stores6 - 6'h01;
      end
      if (next_masked_2[7] ^ next_masked[7]) begin
        open_stores7 <= next_masked_2[7] ? open_stores7 + 6'h01 : open_stores7 - 6'h01;
      end
      // Packet port.
      tx_valid_now <= send;
      rx_credit_now <= rx_valid;
    end
  end

  always @(posedge clock) begin
    if (send) begin
      tx_dest_now <= coalescer_request_line[3] ? (coalescer_request_line[2] ? 4'he : 4'hd) :
          coalescer_request_line[2] ? 4'h2 : 4'h1;
    end
    if (send) begin
      tx_write_now <= coalescer_request_store;
    end
    if (send) begin
      tx_tag_now <= coalescer_request_store ? {1'b0, store_warp} : transactions_tag;
    end
    if (send) begin
      tx_header_now <= {12'h000, coalescer_request_bytes, coalescer_request_words, {coalescer_request_line,
          6'h00}};
    end
    if (send) begin
      tx_data_now <= coalescer_request_data;
    end
  end

`ifdef WARPMESH_ASSERT
  always @(posedge clock) begin
    if (!reset) begin
      if (!(!next_masked[0] | (|open_stores0))) begin
        $display("%m: assertion failed: an acknowledgement answers a store");
        $stop;
      end
      if (!(!next_masked[1] | (|open_stores1))) begin
        $display("%m: assertion failed: an acknowledgement answers a store");
        $stop;
      end
      if (!(!next_masked[2] | (|open_stores2))) begin
        $display("%m: assertion failed: an acknowledgement answers a store");
        $stop;
      end
      if (!(!next_masked[3] | (|open_stores3))) begin
        $display("%m: assertion failed: an acknowledgement answers a store");
        $stop;
      end
      if (!(!next_masked[4] | (|open_stores4))) begin
        $display("%m: assertion failed: an acknowledgement answers a store");
        $stop;
      end
      if (!(!next_masked[5] | (|open_stores5))) begin
        $display("%m: assertion failed: an acknowledgement answers a store");
        $stop;
      end
      if (!(!next_masked[6] | (|open_stores6))) begin
        $display("%m: assertion failed: an acknowledgement answers a store");
        $stop;
      end
      if (!(!next_masked[7] | (|open_stores7))) begin
        $display("%m: assertion failed: an acknowledgement answers a store");
        $stop;
      end
    end
  end
`endif
endmodule

`default_nettype wire
