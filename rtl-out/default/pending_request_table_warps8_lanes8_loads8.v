// pending_request_table_warps8_lanes8_loads8
//
// Global loads in flight, and the way of their words into the register file.
//
// Parameters: warps = 8, lanes = 8, loads = 8
// Made by: warpmesh export default
// Configuration: default
`default_nettype none

module pending_request_table_warps8_lanes8_loads8 (
    input wire clock,
    input wire reset,
    input wire reserve, // A load begins; of two registers: its high part.
    /* verilator lint_off UNUSED */ // not read
    input wire store, // A load begins; of two registers: its high part.
    /* verilator lint_on UNUSED */
    input wire [2:0] size, // See sub_word.
    input wire [2:0] warp, // A load begins; of two registers: its high part.
    input wire [5:0] destination, // A load begins; of two registers: its high part.
    input wire writes, // A load whose register is not RZ.
    input wire row_valid, // A beat of a round of the coalescer for the load that has begun.
    input wire [1:0] row_beat, // A beat of a round of the coalescer for the load that has begun.
    input wire [7:0] row_match, // A beat of a round of the coalescer for the load that has begun.
    input wire [47:0] row_offset, // A beat of a round of the coalescer for the load that has begun.
    input wire begin_, // First beat of the round.
    input wire last, // Last beat of the round.
    input wire finish, // The instruction has no more rounds.
    input wire reply_valid, // Lines, in any order.
    /* verilator lint_off UNUSED */ // not read
    input wire reply_write, // Kind of what was asked for.
    /* verilator lint_on UNUSED */
    input wire [3:0] reply_tag, // Lines, in any order.
    input wire [511:0] reply_data, // The line, of a read.
    input wire write_granted, // What were shown would be taken in this cycle, as nobody who comes first shows anything.
    output wire load_free, // Another load has a place.
    output wire [3:0] tag, // Tag of the round.
    output wire tag_free, // A round may begin.
    output wire write_valid, // Words for the registers.
    output wire [2:0] write_warp, // Words for the registers.
    output wire [5:0] write_destination, // Words for the registers.
    output wire [1:0] write_beat, // Words for the registers.
    output wire [7:0] write_mask, // Lanes that are written.
    output wire [255:0] write_data, // Words for the registers.
    output wire [7:0] open, // Warps with a load in flight.
    output wire done_valid, // A load is done.
    output wire [2:0] done_warp, // A load is done.
    output wire [5:0] done_destination // A load is done.
);
  reg [7:0] loads_busy;
  reg [7:0] loads_open;
  reg [2:0] warp_of_load0;
  reg [2:0] warp_of_load1;
  reg [2:0] warp_of_load2;
  reg [2:0] warp_of_load3;
  reg [2:0] warp_of_load4;
  reg [2:0] warp_of_load5;
  reg [2:0] warp_of_load6;
  reg [2:0] warp_of_load7;
  wire [7:0] free_load;
  reg [2:0] present_load;
  reg [15:0] tags_free;
  reg [3:0] held_tag;
  wire [3:0] round_tag;
  reg [3:0] used_beats;
  wire [3:0] used_now;
  wire arrived_valid;
  wire [3:0] arrived_data;
  reg writing;
  reg [3:0] writing_tag;
  reg [3:0] beats_left;
  reg [2:0] writing_load;
  wire [3:0] beat_hit;
  wire granted_now;
  wire ends;
  wire next;
  wire [511:0] line;
  wire [6:0] next_info;
  wire [1:0] write_beat_now;
  wire [55:0] row;
  wire [12:0] present_info;
  reg [5:0] remaining0;
  reg [5:0] remaining1;
  reg [5:0] remaining2;
  reg [5:0] remaining3;
  reg [5:0] remaining4;
  reg [5:0] remaining5;
  reg [5:0] remaining6;
  reg [5:0] remaining7;
  wire [7:0] complete;
  wire [2:0] complete_number;
  /* verilator lint_off UNUSED */ // bits 3:1 are not read
  wire [12:0] done_info;
  /* verilator lint_on UNUSED */
  reg [12:0] load_info [0:7];
  reg [6:0] tag_info [0:15];

  // Loads: the present one is open until the coalescer has made all its requests.
  assign free_load = ~loads_busy & ~(~loads_busy - 8'h01);
  assign load_free = |(~loads_busy);
  // Tags: a round of the coalescer takes the lowest free one.
  wire [15:0] round_tag_masked = tags_free & ~(tags_free - 16'h0001);
  wire [3:0] round_tag_joined = {|(round_tag_masked & 16'hff00), |(round_tag_masked & 16'hf0f0),
      |(round_tag_masked & 16'hcccc), |(round_tag_masked & 16'haaaa)};
  assign round_tag = begin_ ? round_tag_joined : held_tag;
  assign tag = held_tag;
  assign tag_free = |tags_free;
  assign used_now = (4'h1 << row_beat) & {4{|row_match}} | (begin_ ? 4'h0 : used_beats);
  // One line at a time is written, a beat with a grant.
  assign beat_hit = beats_left & ~(beats_left - 4'h1);
  assign granted_now = writing & write_granted;
  assign ends = granted_now & !(|(beats_left & ~beat_hit));
  assign next = arrived_valid & (!writing | ends);
  assign next_info = tag_info[arrived_data];
  assign write_beat_now = {|(beat_hit & 4'hc), |(beat_hit & 4'ha)};
  wire [55:0] rows_word;
  assign row = rows_word;
  assign present_info = load_info[writing_load];
  wire present_info_writes = present_info[0];
  assign write_valid = writing & present_info_writes;
  assign write_warp = present_info[12:10];
  assign write_destination = present_info[9:4];
  assign write_beat = write_beat_now;
  assign write_mask = row[55:48];
  reg [31:0] write_data_row;
  always @* begin
    case (row[5:2])
      4'h0: write_data_row = line[31:0];
      4'h1: write_data_row = line[63:32];
      4'h2: write_data_row = line[95:64];
      4'h3: write_data_row = line[127:96];
      4'h4: write_data_row = line[159:128];
      4'h5: write_data_row = line[191:160];
      4'h6: write_data_row = line[223:192];
      4'h7: write_data_row = line[255:224];
      4'h8: write_data_row = line[287:256];
      4'h9: write_data_row = line[319:288];
      4'ha: write_data_row = line[351:320];
      4'hb: write_data_row = line[383:352];
      4'hc: write_data_row = line[415:384];
      4'hd: write_data_row = line[447:416];
      4'he: write_data_row = line[479:448];
      4'hf: write_data_row = line[511:480];
      default: write_data_row = {32{1'bx}};
    endcase
  end
  wire [15:0] write_data_choice = row[1] ? write_data_row[31:16] : write_data_row[15:0];
  wire [7:0] write_data_choice_2 = row[0] ? write_data_choice[15:8] : write_data_choice[7:0];
  wire [2:0] present_info_size = present_info[3:1];
  wire write_data_merged = (present_info_size == 3'h3) | (present_info_size == 3'h4);
  wire write_data_inverse = !(|present_info_size);
  wire [31:0] write_data_choice_3 = write_data_inverse ? write_data_row : write_data_merged ?
      (present_info_size[2] ? {{16{write_data_choice[15]}}, write_data_choice} : {16'h0000,
      write_data_choice}) : present_info_size[1] ? {{24{write_data_choice_2[7]}}, write_data_choice_2} :
      {24'h000000, write_data_choice_2};
  reg [31:0] write_data_row_2;
  always @* begin
    case (row[11:8])
      4'h0: write_data_row_2 = line[31:0];
      4'h1: write_data_row_2 = line[63:32];
      4'h2: write_data_row_2 = line[95:64];
      4'h3: write_data_row_2 = line[127:96];
      4'h4: write_data_row_2 = line[159:128];
      4'h5: write_data_row_2 = line[191:160];
      4'h6: write_data_row_2 = line[223:192];
      4'h7: write_data_row_2 = line[255:224];
      4'h8: write_data_row_2 = line[287:256];
      4'h9: write_data_row_2 = line[319:288];
      4'ha: write_data_row_2 = line[351:320];
      4'hb: write_data_row_2 = line[383:352];
      4'hc: write_data_row_2 = line[415:384];
      4'hd: write_data_row_2 = line[447:416];
      4'he: write_data_row_2 = line[479:448];
      4'hf: write_data_row_2 = line[511:480];
      default: write_data_row_2 = {32{1'bx}};
    endcase
  end
  wire [15:0] write_data_choice_4 = row[7] ? write_data_row_2[31:16] : write_data_row_2[15:0];
  wire [7:0] write_data_choice_5 = row[6] ? write_data_choice_4[15:8] : write_data_choice_4[7:0];
  wire [31:0] write_data_choice_6 = write_data_inverse ? write_data_row_2 : write_data_merged ?
      (present_info_size[2] ? {{16{write_data_choice_4[15]}}, write_data_choice_4} : {16'h0000,
      write_data_choice_4}) : present_info_size[1] ? {{24{write_data_choice_5[7]}}, write_data_choice_5} :
      {24'h000000, write_data_choice_5};
  reg [31:0] write_data_row_3;
  always @* begin
    case (row[17:14])
      4'h0: write_data_row_3 = line[31:0];
      4'h1: write_data_row_3 = line[63:32];
      4'h2: write_data_row_3 = line[95:64];
      4'h3: write_data_row_3 = line[127:96];
      4'h4: write_data_row_3 = line[159:128];
      4'h5: write_data_row_3 = line[191:160];
      4'h6: write_data_row_3 = line[223:192];
      4'h7: write_data_row_3 = line[255:224];
      4'h8: write_data_row_3 = line[287:256];
      4'h9: write_data_row_3 = line[319:288];
      4'ha: write_data_row_3 = line[351:320];
      4'hb: write_data_row_3 = line[383:352];
      4'hc: write_data_row_3 = line[415:384];
      4'hd: write_data_row_3 = line[447:416];
      4'he: write_data_row_3 = line[479:448];
      4'hf: write_data_row_3 = line[511:480];
      default: write_data_row_3 = {32{1'bx}};
    endcase
  end
  wire [15:0] write_data_choice_7 = row[13] ? write_data_row_3[31:16] : write_data_row_3[15:0];
  wire [7:0] write_data_choice_8 = row[12] ? write_data_choice_7[15:8] : write_data_choice_7[7:0];
  wire [31:0] write_data_choice_9 = write_data_inverse ? write_data_row_3 : write_data_merged ?
      (present_info_size[2] ? {{16{write_data_choice_7[15]}}, write_data_choice_7} : {16'h0000,
      write_data_choice_7}) : present_info_size[1] ? {{24{write_data_choice_8[7]}}, write_data_choice_8} :
      {24'h000000, write_data_choice_8};
  reg [31:0] write_data_row_4;
  always @* begin
    case (row[23:20])
      4'h0: write_data_row_4 = line[31:0];
      4'h1: write_data_row_4 = line[63:32];
      4'h2: write_data_row_4 = line[95:64];
      4'h3: write_data_row_4 = line[127:96];
      4'h4: write_data_row_4 = line[159:128];
      4'h5: write_data_row_4 = line[191:160];
      4'h6: write_data_row_4 = line[223:192];
      4'h7: write_data_row_4 = line[255:224];
      4'h8: write_data_row_4 = line[287:256];
      4'h9: write_data_row_4 = line[319:288];
      4'ha: write_data_row_4 = line[351:320];
      4'hb: write_data_row_4 = line[383:352];
      4'hc: write_data_row_4 = line[415:384];
      4'hd: write_data_row_4 = line[447:416];
      4'he: write_data_row_4 = line[479:448];
      4'hf: write_data_row_4 = line[511:480];
      default: write_data_row_4 = {32{1'bx}};
    endcase
  end
  wire [15:0] write_data_choice_10 = row[19] ? write_data_row_4[31:16] : write_data_row_4[15:0];
  wire [7:0] write_data_choice_11 = row[18] ? write_data_choice_10[15:8] : write_data_choice_10[7:0];
  wire [31:0] write_data_choice_12 = write_data_inverse ? write_data_row_4 : write_data_merged ?
      (present_info_size[2] ? {{16{write_data_choice_10[15]}}, write_data_choice_10} : {16'h0000,
      write_data_choice_10}) : present_info_size[1] ? {{24{write_data_choice_11[7]}}, write_data_choice_11} :
      {24'h000000, write_data_choice_11};
  reg [31:0] write_data_row_5;
  always @* begin
    case (row[29:26])
      4'h0: write_data_row_5 = line[31:0];
      4'h1: write_data_row_5 = line[63:32];
      4'h2: write_data_row_5 = line[95:64];
      4'h3: write_data_row_5 = line[127:96];
      4'h4: write_data_row_5 = line[159:128];
      4'h5: write_data_row_5 = line[191:160];
      4'h6: write_data_row_5 = line[223:192];
      4'h7: write_data_row_5 = line[255:224];
      4'h8: write_data_row_5 = line[287:256];
      4'h9: write_data_row_5 = line[319:288];
      4'ha: write_data_row_5 = line[351:320];
      4'hb: write_data_row_5 = line[383:352];
      4'hc: write_data_row_5 = line[415:384];
      4'hd: write_data_row_5 = line[447:416];
      4'he: write_data_row_5 = line[479:448];
      4'hf: write_data_row_5 = line[511:480];
      default: write_data_row_5 = {32{1'bx}};
    endcase
  end
  wire [15:0] write_data_choice_13 = row[25] ? write_data_row_5[31:16] : write_data_row_5[15:0];
  wire [7:0] write_data_choice_14 = row[24] ? write_data_choice_13[15:8] : write_data_choice_13[7:0];
  wire [31:0] write_data_choice_15 = write_data_inverse ? write_data_row_5 : write_data_merged ?
      (present_info_size[2] ? {{16{write_data_choice_13[15]}}, write_data_choice_13} : {16'h0000,
      write_data_choice_13}) : present_info_size[1] ? {{24{write_data_choice_14[7]}}, write_data_choice_14} :
      {24'h000000, write_data_choice_14};
  reg [31:0] write_data_row_6;
  always @* begin
    case (row[35:32])
      4'h0: write_data_row_6 = line[31:0];
      4'h1: write_data_row_6 = line[63:32];
      4'h2: write_data_row_6 = line[95:64];
      4'h3: write_data_row_6 = line[127:96];
      4'h4: write_data_row_6 = line[159:128];
      4'h5: write_data_row_6 = line[191:160];
      4'h6: write_data_row_6 = line[223:192];
      4'h7: write_data_row_6 = line[255:224];
      4'h8: write_data_row_6 = line[287:256];
      4'h9: write_data_row_6 = line[319:288];
      4'ha: write_data_row_6 = line[351:320];
      4'hb: write_data_row_6 = line[383:352];
      4'hc: write_data_row_6 = line[415:384];
      4'hd: write_data_row_6 = line[447:416];
      4'he: write_data_row_6 = line[479:448];
      4'hf: write_data_row_6 = line[511:480];
      default: write_data_row_6 = {32{1'bx}};
    endcase
  end
  wire [15:0] write_data_choice_16 = row[31] ? write_data_row_6[31:16] : write_data_row_6[15:0];
  wire [7:0] write_data_choice_17 = row[30] ? write_data_choice_16[15:8] : write_data_choice_16[7:0];
  wire [31:0] write_data_choice_18 = write_data_inverse ? write_data_row_6 : write_data_merged ?
      (present_info_size[2] ? {{16{write_data_choice_16[15]}}, write_data_choice_16} : {16'h0000,
      write_data_choice_16}) : present_info_size[1] ? {{24{write_data_choice_17[7]}}, write_data_choice_17} :
      {24'h000000, write_data_choice_17};
  reg [31:0] write_data_row_7;
  always @* begin
    case (row[41:38])
      4'h0: write_data_row_7 = line[31:0];
      4'h1: write_data_row_7 = line[63:32];
      4'h2: write_data_row_7 = line[95:64];
      4'h3: write_data_row_7 = line[127:96];
      4'h4: write_data_row_7 = line[159:128];
      4'h5: write_data_row_7 = line[191:160];
      4'h6: write_data_row_7 = line[223:192];
      4'h7: write_data_row_7 = line[255:224];
      4'h8: write_data_row_7 = line[287:256];
      4'h9: write_data_row_7 = line[319:288];
      4'ha: write_data_row_7 = line[351:320];
      4'hb: write_data_row_7 = line[383:352];
      4'hc: write_data_row_7 = line[415:384];
      4'hd: write_data_row_7 = line[447:416];
      4'he: write_data_row_7 = line[479:448];
      4'hf: write_data_row_7 = line[511:480];
      default: write_data_row_7 = {32{1'bx}};
    endcase
  end
  wire [15:0] write_data_choice_19 = row[37] ? write_data_row_7[31:16] : write_data_row_7[15:0];
  wire [7:0] write_data_choice_20 = row[36] ? write_data_choice_19[15:8] : write_data_choice_19[7:0];
  wire [31:0] write_data_choice_21 = write_data_inverse ? write_data_row_7 : write_data_merged ?
      (present_info_size[2] ? {{16{write_data_choice_19[15]}}, write_data_choice_19} : {16'h0000,
      write_data_choice_19}) : present_info_size[1] ? {{24{write_data_choice_20[7]}}, write_data_choice_20} :
      {24'h000000, write_data_choice_20};
  reg [31:0] write_data_row_8;
  always @* begin
    case (row[47:44])
      4'h0: write_data_row_8 = line[31:0];
      4'h1: write_data_row_8 = line[63:32];
      4'h2: write_data_row_8 = line[95:64];
      4'h3: write_data_row_8 = line[127:96];
      4'h4: write_data_row_8 = line[159:128];
      4'h5: write_data_row_8 = line[191:160];
      4'h6: write_data_row_8 = line[223:192];
      4'h7: write_data_row_8 = line[255:224];
      4'h8: write_data_row_8 = line[287:256];
      4'h9: write_data_row_8 = line[319:288];
      4'ha: write_data_row_8 = line[351:320];
      4'hb: write_data_row_8 = line[383:352];
      4'hc: write_data_row_8 = line[415:384];
      4'hd: write_data_row_8 = line[447:416];
      4'he: write_data_row_8 = line[479:448];
      4'hf: write_data_row_8 = line[511:480];
      default: write_data_row_8 = {32{1'bx}};
    endcase
  end
  wire [15:0] write_data_choice_22 = row[43] ? write_data_row_8[31:16] : write_data_row_8[15:0];
  wire [7:0] write_data_choice_23 = row[42] ? write_data_choice_22[15:8] : write_data_choice_22[7:0];
  wire [31:0] write_data_choice_24 = write_data_inverse ? write_data_row_8 : write_data_merged ?
      (present_info_size[2] ? {{16{write_data_choice_22[15]}}, write_data_choice_22} : {16'h0000,
      write_data_choice_22}) : present_info_size[1] ? {{24{write_data_choice_23[7]}}, write_data_choice_23} :
      {24'h000000, write_data_choice_23};
  assign write_data = {write_data_choice_24, write_data_choice_21, write_data_choice_18,
      write_data_choice_15, write_data_choice_12, write_data_choice_9, write_data_choice_6,
      write_data_choice_3};
  wire [7:0] open_merged = (8'h01 << warp_of_load6) & {8{loads_busy[6]}} | (8'h01 << warp_of_load7) &
      {8{loads_busy[7]}};
  wire [7:0] open_merged_2 = (8'h01 << warp_of_load4) & {8{loads_busy[4]}} | (8'h01 << warp_of_load5) &
      {8{loads_busy[5]}} | open_merged;
  wire [7:0] open_merged_3 = (8'h01 << warp_of_load2) & {8{loads_busy[2]}} | (8'h01 << warp_of_load3) &
      {8{loads_busy[3]}};
  assign open = (8'h01 << warp_of_load0) & {8{loads_busy[0]}} | (8'h01 << warp_of_load1) & {8{loads_busy[1]}}
      | open_merged_3 | open_merged_2;
  wire complete_inverse = !(|remaining0);
  wire complete_inverse_2 = !(|remaining1);
  wire complete_inverse_3 = !(|remaining2);
  wire complete_inverse_4 = !(|remaining3);
  wire complete_inverse_5 = !(|remaining4);
  wire [7:0] complete_joined = {!(|remaining7), !(|remaining6), !(|remaining5), complete_inverse_5,
      complete_inverse_4, complete_inverse_3, complete_inverse_2, complete_inverse};
  wire [7:0] complete_masked = loads_busy & ~loads_open & complete_joined;
  assign complete = complete_masked & ~(complete_masked - 8'h01);
  assign complete_number = {|(complete & 8'hf0), |(complete & 8'hcc), |(complete & 8'haa)};
  assign done_info = load_info[complete_number];
  wire done_info_writes = done_info[0];
  assign done_valid = (|complete) & done_info_writes;
  assign done_warp = done_info[12:10];
  assign done_destination = done_info[9:4];

  wire unused_arrived_full;
  wire [4:0] unused_arrived_count;
  fifo_depth16_width4 arrived (
    .clock(clock),
    .reset(reset),
    .push(reply_valid),
    .push_data(reply_tag),
    .pop(next),
    .valid(arrived_valid),
    .data(arrived_data),
    .full(unused_arrived_full),
    .count(unused_arrived_count)
  );

  async_ram_depth64_width56_reads1 rows (
    .clock(clock),
    .write_enable(row_valid),
    .write_address({round_tag, row_beat}),
    .write_data({row_match, row_offset}),
    .read0_address({writing_tag, write_beat_now}),
    .read0_data(rows_word)
  );

  sram_depth16_width512 lines (
    .clock(clock),
    .write_enable(reply_valid),
    .write_address(reply_tag),
    .write_data(reply_data),
    .read_enable(next),
    .read_address(arrived_data),
    .read_data(line)
  );

  wire [2:0] next_joined = {|(free_load & 8'hf0), |(free_load & 8'hcc), |(free_load & 8'haa)};
  wire [7:0] next_masked = free_load & {8{reserve}};
  wire next_masked_2 = begin_ & (present_load == 3'h0);
  wire next_masked_3 = begin_ & (present_load == 3'h1);
  wire next_masked_4 = begin_ & (present_load == 3'h2);
  wire next_masked_5 = begin_ & (present_load == 3'h3);
  wire next_masked_6 = begin_ & (present_load == 3'h4);
  wire next_masked_7 = begin_ & (present_load == 3'h5);
  wire next_masked_8 = begin_ & (present_load == 3'h6);
  wire next_masked_9 = begin_ & (present_load == 3'h7);
  always @(posedge clock) begin
    if (reset) begin
      loads_busy <= 8'h00;
      loads_open <= 8'h00;
      warp_of_load0 <= 3'h0;
      warp_of_load1 <= 3'h0;
      warp_of_load2 <= 3'h0;
      warp_of_load3 <= 3'h0;
      warp_of_load4 <= 3'h0;
      warp_of_load5 <= 3'h0;
      warp_of_load6 <= 3'h0;
      warp_of_load7 <= 3'h0;
      present_load <= 3'h0;
      tags_free <= 16'hffff;
      held_tag <= 4'h0;
      used_beats <= 4'h0;
      writing <= 1'b0;
      writing_tag <= 4'h0;
      beats_left <= 4'h0;
      writing_load <= 3'h0;
      remaining0 <= 6'h00;
      remaining1 <= 6'h00;
      remaining2 <= 6'h00;
      remaining3 <= 6'h00;
      remaining4 <= 6'h00;
      remaining5 <= 6'h00;
      remaining6 <= 6'h00;
      remaining7 <= 6'h00;
    end else begin
      if (reserve) begin
        present_load <= next_joined;
        if (free_load[0]) begin
          warp_of_load0 <= warp;
        end
        if (free_load[1]) begin
          warp_of_load1 <= warp;
        end
        if (free_load[2]) begin
          warp_of_load2 <= warp;
        end
        if (free_load[3]) begin
          warp_of_load3 <= warp;
        end
        if (free_load[4]) begin
          warp_of_load4 <= warp;
        end
        if (free_load[5]) begin
          warp_of_load5 <= warp;
        end
        if (free_load[6]) begin
          warp_of_load6 <= warp;
        end
        if (free_load[7]) begin
          warp_of_load7 <= warp;
        end
      end
      held_tag <= round_tag;
      if (row_valid) begin
        used_beats <= used_now;
      end
      if (granted_now) begin
        beats_left <= beats_left & ~beat_hit;
      end
      writing <= next | writing & !ends;
      if (next) begin
        writing_tag <= arrived_data;
        beats_left <= next_info[3:0];
        writing_load <= next_info[6:4];
      end
      // A load is done when it is closed and no request remains.
      tags_free <= tags_free & ~((16'h0001 << round_tag) & {16{begin_}}) | (16'h0001 << writing_tag) &
          {16{ends}};
      if (next_masked_2 ^ (ends & (writing_load == 3'h0))) begin
        remaining0 <= next_masked_2 ? remaining0 + 6'h01 : remaining0 - 6'h01;
      end
      if (next_masked_3 ^ (ends & (writing_load == 3'h1))) begin
        remaining1 <= next_masked_3 ? remaining1 + 6'h01 : remaining1 - 6'h01;
      end
      if (next_masked_4 ^ (ends & (writing_load == 3'h2))) begin
        remaining2 <= next_masked_4 ? remaining2 + 6'h01 : remaining2 - 6'h01;
      end
      if (next_masked_5 ^ (ends & (writing_load == 3'h3))) begin
        remaining3 <= next_masked_5 ? remaining3 + 6'h01 : remaining3 - 6'h01;
      end
      if (next_masked_6 ^ (ends & (writing_load == 3'h4))) begin
        remaining4 <= next_masked_6 ? remaining4 + 6'h01 : remaining4 - 6'h01;
      end
      if (next_masked_7 ^ (ends & (writing_load == 3'h5))) begin
        remaining5 <= next_masked_7 ? remaining5 + 6'h01 : remaining5 - 6'h01;
      end
      if (next_masked_8 ^ (ends & (writing_load == 3'h6))) begin
        remaining6 <= next_masked_8 ? remaining6 + 6'h01 : remaining6 - 6'h01;
      end
      if (next_masked_9 ^ (ends & (writing_load == 3'h7))) begin
        remaining7 <= next_masked_9 ? remaining7 + 6'h01 : remaining7 - 6'h01;
      end
      loads_busy <= loads_busy & ~complete | next_masked;
      loads_open <= loads_open & ~((8'h01 << present_load) & {8{finish}}) | next_masked;
    end
  end

  always @(posedge clock) begin
    if (reserve) begin
      load_info[next_joined] <= {warp, destination, size, writes};
    end
  end

  always @(posedge clock) begin
    if (last) begin
      tag_info[round_tag] <= {present_load, used_now};
    end
  end

`ifdef WARPMESH_ASSERT
  always @(posedge clock) begin
    if (!reset) begin
      if (!(!reply_valid | !reply_write)) begin
        $display("%m: assertion failed: a read is answered by a line");
        $stop;
      end
      if (!(!(|((16'h0001 << reply_tag) & {16{reply_valid}} & tags_free)))) begin
        $display("%m: assertion failed: a reply answers a request");
        $stop;
      end
      if (!(!begin_ | (|tags_free))) begin
        $display("%m: assertion failed: a request has a tag");
        $stop;
      end
      if (!(!reserve | (|(~loads_busy)))) begin
        $display("%m: assertion failed: a load has a place in the table");
        $stop;
      end
    end
  end
`endif
endmodule

`default_nettype wire
