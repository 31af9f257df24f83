// load_store_warps8_lanes8_loads8
//
// Global loads and stores: coalescer, pending request table, store tracker.
//
// Parameters: warps = 8, lanes = 8, loads = 8
// Made by: warpmesh export default
// Configuration: default
`default_nettype none

module load_store_warps8_lanes8_loads8 (
    input wire clock,
    input wire reset,
    input wire reserve, // An instruction begins.
    input wire store, // An instruction begins.
    input wire [2:0] size, // See sub_word.
    input wire [2:0] warp, // An instruction begins.
    input wire [5:0] destination, // An instruction begins.
    input wire writes, // A load whose register is not RZ.
    input wire beat_valid, // Its beats at the lanes, in the cycles that follow.
    input wire [1:0] beat, // Its beats at the lanes, in the cycles that follow.
    input wire [7:0] active, // Its beats at the lanes, in the cycles that follow.
    input wire [255:0] address, // Its beats at the lanes, in the cycles that follow.
    input wire [255:0] store_data, // Of stores, and the operand of atomics.
    input wire request_taken, // What is shown is taken in this cycle.
    input wire reply_valid, // Replies, which are always taken.
    input wire reply_write, // Kind of what was asked for.
    input wire [3:0] reply_tag, // Replies, which are always taken.
    input wire [511:0] reply_data, // The line, of a read.
    input wire write_granted, // What were shown would be taken in this cycle, as nobody who comes first shows anything.
    output wire ready_load, // A load can issue now.
    output wire ready_store, // A store can issue now.
    output wire request_valid, // Transactions.
    output wire request_write, // Kind: a write or an atomic, or else a read.
    output wire [3:0] request_tag, // Transactions.
    output wire [25:0] request_line, // Number of the line.
    output wire [15:0] request_words, // Words of the line that are read or written.
    output wire [3:0] request_bytes, // Bytes of each of these words that are written; of an atomic none.
    output wire [511:0] request_data, // Of a write or an atomic.
    output wire write_valid, // Words for the registers.
    output wire [2:0] write_warp, // Words for the registers.
    output wire [5:0] write_destination, // Words for the registers.
    output wire [1:0] write_beat, // Words for the registers.
    output wire [7:0] write_mask, // Lanes that are written.
    output wire [255:0] write_data, // Words for the registers.
    output wire done_valid, // A load is done.
    output wire [2:0] done_warp, // A load is done.
    output wire [5:0] done_destination, // A load is done.
    output wire [7:0] stores_open, // Warps with stores that are not acknowledged.
    output wire [7:0] loads_open // Warps with loads in flight.
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
  wire pending_request_table_load_free;
  wire [3:0] pending_request_table_tag;
  wire pending_request_table_tag_free;
  wire pending_request_table_write_valid;
  wire [2:0] pending_request_table_write_warp;
  wire [5:0] pending_request_table_write_destination;
  wire [1:0] pending_request_table_write_beat;
  wire [7:0] pending_request_table_write_mask;
  wire [255:0] pending_request_table_write_data;
  wire [7:0] pending_request_table_open;
  wire pending_request_table_done_valid;
  wire [2:0] pending_request_table_done_warp;
  wire [5:0] pending_request_table_done_destination;
  wire [2:0] store_tracker_store_warp;
  wire [7:0] store_tracker_open;

  // Instructions.
  assign ready_load = !coalescer_busy & pending_request_table_load_free;
  assign ready_store = !coalescer_busy;
  // Requests.
  assign request_valid = coalescer_request_valid;
  assign request_write = coalescer_request_store;
  assign request_tag = coalescer_request_store ? {1'b0, store_tracker_store_warp} : pending_request_table_tag;
  assign request_line = coalescer_request_line;
  assign request_words = coalescer_request_words;
  assign request_bytes = coalescer_request_bytes;
  assign request_data = coalescer_request_data;
  // Replies.
  assign write_valid = pending_request_table_write_valid;
  assign write_warp = pending_request_table_write_warp;
  assign write_destination = pending_request_table_write_destination;
  assign write_beat = pending_request_table_write_beat;
  assign write_mask = pending_request_table_write_mask;
  assign write_data = pending_request_table_write_data;
  assign done_valid = pending_request_table_done_valid;
  assign done_warp = pending_request_table_done_warp;
  assign done_destination = pending_request_table_done_destination;
  assign stores_open = store_tracker_open;
  assign loads_open = pending_request_table_open;

  coalescer_lanes8_line_bytes64 coalescer (
    .clock(clock),
    .reset(reset),
    .reserve(reserve),
    .beat_valid(beat_valid),
    .beat(beat),
    .active(active),
    .address(address),
    .store_data(store_data),
    .may_begin(pending_request_table_tag_free),
    .request_taken(request_taken),
    .store(store),
    .size(size),
    .busy(coalescer_busy),
    .row_valid(coalescer_row_valid),
    .row_beat(coalescer_row_beat),
    .row_match(coalescer_row_match),
    .row_offset(coalescer_row_offset),
    .begin_(coalescer_begin),
    .last(coalescer_last),
    .finish(coalescer_finish),
    .request_valid(coalescer_request_valid),
    .request_store(coalescer_request_store),
    .request_line(coalescer_request_line),
    .request_words(coalescer_request_words),
    .request_bytes(coalescer_request_bytes),
    .request_data(coalescer_request_data)
  );

  pending_request_table_warps8_lanes8_loads8 pending_request_table (
    .clock(clock),
    .reset(reset),
    .reserve(reserve & !store),
    .store(store),
    .size(size),
    .warp(warp),
    .destination(destination),
    .writes(writes),
    .row_valid(coalescer_row_valid),
    .row_beat(coalescer_row_beat),
    .row_match(coalescer_row_match),
    .row_offset(coalescer_row_offset),
    .begin_(coalescer_begin),
    .last(coalescer_last),
    .finish(coalescer_finish),
    .reply_valid(reply_valid & !reply_write),
    .reply_write(reply_write),
    .reply_tag(reply_tag),
    .reply_data(reply_data),
    .write_granted(write_granted),
    .load_free(pending_request_table_load_free),
    .tag(pending_request_table_tag),
    .tag_free(pending_request_table_tag_free),
    .write_valid(pending_request_table_write_valid),
    .write_warp(pending_request_table_write_warp),
    .write_destination(pending_request_table_write_destination),
    .write_beat(pending_request_table_write_beat),
    .write_mask(pending_request_table_write_mask),
    .write_data(pending_request_table_write_data),
    .open(pending_request_table_open),
    .done_valid(pending_request_table_done_valid),
    .done_warp(pending_request_table_done_warp),
    .done_destination(pending_request_table_done_destination)
  );

  store_tracker_warps8_order_warp store_tracker (
    .clock(clock),
    .reset(reset),
    .warp(warp),
    .reserve(reserve & store),
    .sent(request_taken & coalescer_request_store),
    .coalescing(coalescer_busy & coalescer_request_store),
    .acknowledged_warp(reply_tag[2:0]),
    .acknowledge(reply_valid & reply_write),
    .store_warp(store_tracker_store_warp),
    .open(store_tracker_open)
  );
endmodule

`default_nettype wire
