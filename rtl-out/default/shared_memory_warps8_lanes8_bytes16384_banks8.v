// shared_memory_warps8_lanes8_bytes16384_banks8
//
// Banked shared memory with conflict serialisation.
//
// Parameters: warps = 8, lanes = 8, bytes = 16384, banks = 8
// Made by: warpmesh export default
// Configuration: default
`default_nettype none

module shared_memory_warps8_lanes8_bytes16384_banks8 (
    input wire clock,
    input wire reset,
    input wire reserve, // An access begins.
    input wire store, // An access begins.
    input wire [2:0] size, // See sub_word.
    input wire [2:0] warp, // An access begins.
    input wire [5:0] destination, // An access begins.
    input wire writes, // A load whose register is not RZ.
    input wire beat_valid, // Its beats at the lanes, in the cycles that follow.
    input wire [1:0] beat, // Its beats at the lanes, in the cycles that follow.
    input wire [7:0] active, // Its beats at the lanes, in the cycles that follow.
    /* verilator lint_off UNUSED */ // some bits are not read
    input wire [255:0] address, // Its beats at the lanes, in the cycles that follow.
    /* verilator lint_on UNUSED */
    input wire [255:0] store_data, // Of stores, and the operand of atomics.
    /* verilator lint_off UNUSED */ // bits 15:14 are not read
    input wire [15:0] base, // Where the share of the block begins.
    /* verilator lint_on UNUSED */
    input wire write_granted, // What were shown would be taken in this cycle, as nobody who comes first shows anything.
    output wire write_valid, // Words for the registers.
    output wire [2:0] write_warp, // Words for the registers.
    output wire [5:0] write_destination, // Words for the registers.
    output wire [1:0] write_beat, // Words for the registers.
    output wire [7:0] write_mask, // Lanes that are written.
    output wire [255:0] write_data, // Words for the registers.
    output wire done_valid, // An access is done.
    output wire [2:0] done_warp, // An access is done.
    output wire [5:0] done_destination, // An access is done.
    output wire ready // There is a place for one more access.
);
  reg tail;
  reg loading;
  reg head;
  reg [1:0] busy;
  reg [1:0] loaded;
  reg [31:0] pending0;
  reg [31:0] pending1;
  wire [1:0] head_hit;
  wire [31:0] threads_waiting;
  wire [13:0] access_now;
  wire [3:0] group_hit;
  wire [1:0] serving_group;
  wire [7:0] waiting;
  wire [111:0] row;
  wire [255:0] data_row;
  reg answered;
  reg [2:0] answer_warp;
  reg [5:0] answer_destination;
  reg answer_writes;
  reg [2:0] answer_size;
  wire stalled;
  wire go;
  wire [7:0] wants0;
  wire [7:0] first0;
  wire [8:0] word0;
  wire [31:0] bank0_word;
  wire [7:0] wants1;
  wire [7:0] first1;
  wire [8:0] word1;
  wire [31:0] bank1_word;
  wire [7:0] wants2;
  wire [7:0] first2;
  wire [8:0] word2;
  wire [31:0] bank2_word;
  wire [7:0] wants3;
  wire [7:0] first3;
  wire [8:0] word3;
  wire [31:0] bank3_word;
  wire [7:0] wants4;
  wire [7:0] first4;
  wire [8:0] word4;
  wire [31:0] bank4_word;
  wire [7:0] wants5;
  wire [7:0] first5;
  wire [8:0] word5;
  wire [31:0] bank5_word;
  wire [7:0] wants6;
  wire [7:0] first6;
  wire [8:0] word6;
  wire [31:0] bank6_word;
  wire [7:0] wants7;
  wire [7:0] first7;
  wire [8:0] word7;
  wire [31:0] bank7_word;
  wire [7:0] served;
  wire [31:0] threads_served;
  wire [31:0] threads_left;
  wire leaves;
  wire answer;
  reg answer_ends;
  reg [7:0] answer_mask;
  reg [1:0] answer_group;
  reg [2:0] answer_bank0;
  reg [1:0] answer_byte0;
  reg [2:0] answer_bank1;
  reg [1:0] answer_byte1;
  reg [2:0] answer_bank2;
  reg [1:0] answer_byte2;
  reg [2:0] answer_bank3;
  reg [1:0] answer_byte3;
  reg [2:0] answer_bank4;
  reg [1:0] answer_byte4;
  reg [2:0] answer_bank5;
  reg [1:0] answer_byte5;
  reg [2:0] answer_bank6;
  reg [1:0] answer_byte6;
  reg [2:0] answer_bank7;
  reg [1:0] answer_byte7;
  wire finish;
  reg [13:0] accesses [0:1];
  reg [111:0] rows [0:7];

  assign head_hit = 2'h1 << head;
  assign threads_waiting = pending0 & {32{head_hit[0]}} | pending1 & {32{head_hit[1]}};
  assign access_now = accesses[head];
  wire [3:0] group_hit_joined = {|threads_waiting[31:24], |threads_waiting[23:16], |threads_waiting[15:8],
      |threads_waiting[7:0]};
  assign group_hit = group_hit_joined & ~(group_hit_joined - 4'h1);
  assign serving_group = {|(group_hit & 4'hc), |(group_hit & 4'ha)};
  wire [7:0] waiting_merged = threads_waiting[23:16] & {8{group_hit[2]}} | threads_waiting[31:24] &
      {8{group_hit[3]}};
  assign waiting = threads_waiting[7:0] & {8{group_hit[0]}} | threads_waiting[15:8] & {8{group_hit[1]}} |
      waiting_merged;
  assign row = rows[{head, serving_group}];
  wire [255:0] data_word;
  assign data_row = data_word;
  // Each bank serves the lowest waiting lane that wants it, and for loads all that want the same word.
  assign stalled = answered & answer_writes & !write_granted;
  assign go = (|group_hit_joined) & !stalled;
  wire wants0_masked = waiting[0] & (row[4:2] == 3'h0);
  wire wants0_masked_2 = waiting[1] & (row[18:16] == 3'h0);
  wire wants0_masked_3 = waiting[2] & (row[32:30] == 3'h0);
  wire wants0_masked_4 = waiting[3] & (row[46:44] == 3'h0);
  wire wants0_masked_5 = waiting[4] & (row[60:58] == 3'h0);
  assign wants0 = {waiting[7] & (row[102:100] == 3'h0), waiting[6] & (row[88:86] == 3'h0), waiting[5] &
      (row[74:72] == 3'h0), wants0_masked_5, wants0_masked_4, wants0_masked_3, wants0_masked_2,
      wants0_masked};
  assign first0 = wants0 & ~(wants0 - 8'h01);
  wire [8:0] word0_merged = row[97:89] & {9{first0[6]}} | row[111:103] & {9{first0[7]}};
  wire [8:0] word0_merged_2 = row[69:61] & {9{first0[4]}} | row[83:75] & {9{first0[5]}} | word0_merged;
  wire [8:0] word0_merged_3 = row[41:33] & {9{first0[2]}} | row[55:47] & {9{first0[3]}};
  assign word0 = row[13:5] & {9{first0[0]}} | row[27:19] & {9{first0[1]}} | word0_merged_3 | word0_merged_2;
  wire wants1_masked = waiting[0] & (row[4:2] == 3'h1);
  wire wants1_masked_2 = waiting[1] & (row[18:16] == 3'h1);
  wire wants1_masked_3 = waiting[2] & (row[32:30] == 3'h1);
  wire wants1_masked_4 = waiting[3] & (row[46:44] == 3'h1);
  wire wants1_masked_5 = waiting[4] & (row[60:58] == 3'h1);
  assign wants1 = {waiting[7] & (row[102:100] == 3'h1), waiting[6] & (row[88:86] == 3'h1), waiting[5] &
      (row[74:72] == 3'h1), wants1_masked_5, wants1_masked_4, wants1_masked_3, wants1_masked_2,
      wants1_masked};
  assign first1 = wants1 & ~(wants1 - 8'h01);
  wire [8:0] word1_merged = row[97:89] & {9{first1[6]}} | row[111:103] & {9{first1[7]}};
  wire [8:0] word1_merged_2 = row[69:61] & {9{first1[4]}} | row[83:75] & {9{first1[5]}} | word1_merged;
  wire [8:0] word1_merged_3 = row[41:33] & {9{first1[2]}} | row[55:47] & {9{first1[3]}};
  assign word1 = row[13:5] & {9{first1[0]}} | row[27:19] & {9{first1[1]}} | word1_merged_3 | word1_merged_2;
  wire wants2_masked = waiting[0] & (row[4:2] == 3'h2);
  wire wants2_masked_2 = waiting[1] & (row[18:16] == 3'h2);
  wire wants2_masked_3 = waiting[2] & (row[32:30] == 3'h2);
  wire wants2_masked_4 = waiting[3] & (row[46:44] == 3'h2);
  wire wants2_masked_5 = waiting[4] & (row[60:58] == 3'h2);
  assign wants2 = {waiting[7] & (row[102:100] == 3'h2), waiting[6] & (row[88:86] == 3'h2), waiting[5] &
      (row[74:72] == 3'h2), wants2_masked_5, wants2_masked_4, wants2_masked_3, wants2_masked_2,
      wants2_masked};
  assign first2 = wants2 & ~(wants2 - 8'h01);
  wire [8:0] word2_merged = row[97:89] & {9{first2[6]}} | row[111:103] & {9{first2[7]}};
  wire [8:0] word2_merged_2 = row[69:61] & {9{first2[4]}} | row[83:75] & {9{first2[5]}} | word2_merged;
  wire [8:0] word2_merged_3 = row[41:33] & {9{first2[2]}} | row[55:47] & {9{first2[3]}};
  assign word2 = row[13:5] & {9{first2[0]}} | row[27:19] & {9{first2[1]}} | word2_merged_3 | word2_merged_2;
  wire wants3_masked = waiting[0] & (row[4:2] == 3'h3);
  wire wants3_masked_2 = waiting[1] & (row[18:16] == 3'h3);
  wire wants3_masked_3 = waiting[2] & (row[32:30] == 3'h3);
  wire wants3_masked_4 = waiting[3] & (row[46:44] == 3'h3);
  wire wants3_masked_5 = waiting[4] & (row[60:58] == 3'h3);
  assign wants3 = {waiting[7] & (row[102:100] == 3'h3), waiting[6] & (row[88:86] == 3'h3), waiting[5] &
      (row[74:72] == 3'h3), wants3_masked_5, wants3_masked_4, wants3_masked_3, wants3_masked_2,
      wants3_masked};
  assign first3 = wants3 & ~(wants3 - 8'h01);
  wire [8:0] word3_merged = row[97:89] & {9{first3[6]}} | row[111:103] & {9{first3[7]}};
  wire [8:0] word3_merged_2 = row[69:61] & {9{first3[4]}} | row[83:75] & {9{first3[5]}} | word3_merged;
  wire [8:0] word3_merged_3 = row[41:33] & {9{first3[2]}} | row[55:47] & {9{first3[3]}};
  assign word3 = row[13:5] & {9{first3[0]}} | row[27:19] & {9{first3[1]}} | word3_merged_3 | word3_merged_2;
  wire wants4_masked = waiting[0] & (row[4:2] == 3'h4);
  wire wants4_masked_2 = waiting[1] & (row[18:16] == 3'h4);
  wire wants4_masked_3 = waiting[2] & (row[32:30] == 3'h4);
  wire wants4_masked_4 = waiting[3] & (row[46:44] == 3'h4);
  wire wants4_masked_5 = waiting[4] & (row[60:58] == 3'h4);
  assign wants4 = {waiting[7] & (row[102:100] == 3'h4), waiting[6] & (row[88:86] == 3'h4), waiting[5] &
      (row[74:72] == 3'h4), wants4_masked_5, wants4_masked_4, wants4_masked_3, wants4_masked_2,
      wants4_masked};
  assign first4 = wants4 & ~(wants4 - 8'h01);
  wire [8:0] word4_merged = row[97:89] & {9{first4[6]}} | row[111:103] & {9{first4[7]}};
  wire [8:0] word4_merged_2 = row[69:61] & {9{first4[4]}} | row[83:75] & {9{first4[5]}} | word4_merged;
  wire [8:0] word4_merged_3 = row[41:33] & {9{first4[2]}} | row[55:47] & {9{first4[3]}};
  assign word4 = row[13:5] & {9{first4[0]}} | row[27:19] & {9{first4[1]}} | word4_merged_3 | word4_merged_2;
  wire wants5_masked = waiting[0] & (row[4:2] == 3'h5);
  wire wants5_masked_2 = waiting[1] & (row[18:16] == 3'h5);
  wire wants5_masked_3 = waiting[2] & (row[32:30] == 3'h5);
  wire wants5_masked_4 = waiting[3] & (row[46:44] == 3'h5);
  wire wants5_masked_5 = waiting[4] & (row[60:58] == 3'h5);
  assign wants5 = {waiting[7] & (row[102:100] == 3'h5), waiting[6] & (row[88:86] == 3'h5), waiting[5] &
      (row[74:72] == 3'h5), wants5_masked_5, wants5_masked_4, wants5_masked_3, wants5_masked_2,
      wants5_masked};
  assign first5 = wants5 & ~(wants5 - 8'h01);
  wire [8:0] word5_merged = row[97:89] & {9{first5[6]}} | row[111:103] & {9{first5[7]}};
  wire [8:0] word5_merged_2 = row[69:61] & {9{first5[4]}} | row[83:75] & {9{first5[5]}} | word5_merged;
  wire [8:0] word5_merged_3 = row[41:33] & {9{first5[2]}} | row[55:47] & {9{first5[3]}};
  assign word5 = row[13:5] & {9{first5[0]}} | row[27:19] & {9{first5[1]}} | word5_merged_3 | word5_merged_2;
  wire wants6_masked = waiting[0] & (row[4:2] == 3'h6);
  wire wants6_masked_2 = waiting[1] & (row[18:16] == 3'h6);
  wire wants6_masked_3 = waiting[2] & (row[32:30] == 3'h6);
  wire wants6_masked_4 = waiting[3] & (row[46:44] == 3'h6);
  wire wants6_masked_5 = waiting[4] & (row[60:58] == 3'h6);
  assign wants6 = {waiting[7] & (row[102:100] == 3'h6), waiting[6] & (row[88:86] == 3'h6), waiting[5] &
      (row[74:72] == 3'h6), wants6_masked_5, wants6_masked_4, wants6_masked_3, wants6_masked_2,
      wants6_masked};
  assign first6 = wants6 & ~(wants6 - 8'h01);
  wire [8:0] word6_merged = row[97:89] & {9{first6[6]}} | row[111:103] & {9{first6[7]}};
  wire [8:0] word6_merged_2 = row[69:61] & {9{first6[4]}} | row[83:75] & {9{first6[5]}} | word6_merged;
  wire [8:0] word6_merged_3 = row[41:33] & {9{first6[2]}} | row[55:47] & {9{first6[3]}};
  assign word6 = row[13:5] & {9{first6[0]}} | row[27:19] & {9{first6[1]}} | word6_merged_3 | word6_merged_2;
  wire wants7_masked = waiting[0] & (row[4:2] == 3'h7);
  wire wants7_masked_2 = waiting[1] & (row[18:16] == 3'h7);
  wire wants7_masked_3 = waiting[2] & (row[32:30] == 3'h7);
  wire wants7_masked_4 = waiting[3] & (row[46:44] == 3'h7);
  wire wants7_masked_5 = waiting[4] & (row[60:58] == 3'h7);
  assign wants7 = {waiting[7] & (row[102:100] == 3'h7), waiting[6] & (row[88:86] == 3'h7), waiting[5] &
      (row[74:72] == 3'h7), wants7_masked_5, wants7_masked_4, wants7_masked_3, wants7_masked_2,
      wants7_masked};
  assign first7 = wants7 & ~(wants7 - 8'h01);
  wire [8:0] word7_merged = row[97:89] & {9{first7[6]}} | row[111:103] & {9{first7[7]}};
  wire [8:0] word7_merged_2 = row[69:61] & {9{first7[4]}} | row[83:75] & {9{first7[5]}} | word7_merged;
  wire [8:0] word7_merged_3 = row[41:33] & {9{first7[2]}} | row[55:47] & {9{first7[3]}};
  assign word7 = row[13:5] & {9{first7[0]}} | row[27:19] & {9{first7[1]}} | word7_merged_3 | word7_merged_2;
  wire access_now_store = access_now[13];
  wire [7:0] served_joined = {row[111:103] == word7, row[97:89] == word7, row[83:75] == word7, row[69:61] ==
      word7, row[55:47] == word7, row[41:33] == word7, row[27:19] == word7, row[13:5] == word7};
  wire [7:0] served_joined_2 = {row[111:103] == word6, row[97:89] == word6, row[83:75] == word6, row[69:61]
      == word6, row[55:47] == word6, row[41:33] == word6, row[27:19] == word6, row[13:5] == word6};
  wire [7:0] served_merged = (access_now_store ? first6 : wants6 & served_joined_2) | (access_now_store ?
      first7 : wants7 & served_joined);
  wire [7:0] served_joined_3 = {row[111:103] == word5, row[97:89] == word5, row[83:75] == word5, row[69:61]
      == word5, row[55:47] == word5, row[41:33] == word5, row[27:19] == word5, row[13:5] == word5};
  wire [7:0] served_joined_4 = {row[111:103] == word4, row[97:89] == word4, row[83:75] == word4, row[69:61]
      == word4, row[55:47] == word4, row[41:33] == word4, row[27:19] == word4, row[13:5] == word4};
  wire [7:0] served_merged_2 = (access_now_store ? first4 : wants4 & served_joined_4) | (access_now_store ?
      first5 : wants5 & served_joined_3) | served_merged;
  wire [7:0] served_joined_5 = {row[111:103] == word3, row[97:89] == word3, row[83:75] == word3, row[69:61]
      == word3, row[55:47] == word3, row[41:33] == word3, row[27:19] == word3, row[13:5] == word3};
  wire [7:0] served_joined_6 = {row[111:103] == word2, row[97:89] == word2, row[83:75] == word2, row[69:61]
      == word2, row[55:47] == word2, row[41:33] == word2, row[27:19] == word2, row[13:5] == word2};
  wire [7:0] served_merged_3 = (access_now_store ? first2 : wants2 & served_joined_6) | (access_now_store ?
      first3 : wants3 & served_joined_5);
  wire [7:0] served_joined_7 = {row[111:103] == word1, row[97:89] == word1, row[83:75] == word1, row[69:61]
      == word1, row[55:47] == word1, row[41:33] == word1, row[27:19] == word1, row[13:5] == word1};
  wire [7:0] served_joined_8 = {row[111:103] == word0, row[97:89] == word0, row[83:75] == word0, row[69:61]
      == word0, row[55:47] == word0, row[41:33] == word0, row[27:19] == word0, row[13:5] == word0};
  assign served = (access_now_store ? first0 : wants0 & served_joined_8) | (access_now_store ? first1 :
      wants1 & served_joined_7) | served_merged_3 | served_merged_2;
  wire [31:0] threads_served_joined = {served & {8{group_hit[3]}}, served & {8{group_hit[2]}}, served &
      {8{group_hit[1]}}, served & {8{group_hit[0]}}};
  assign threads_served = threads_served_joined & {32{go}};
  assign threads_left = {threads_waiting[31:24], threads_waiting[23:16], threads_waiting[15:8],
      threads_waiting[7:0]} & ~threads_served;
  assign leaves = !stalled & loaded[head] & !(|threads_left);
  // The cycle after: each lane takes its word from its bank.
  assign answer = go & !access_now_store;
  assign write_valid = answered & answer_writes;
  assign write_warp = answer_warp;
  assign write_destination = answer_destination;
  assign write_beat = answer_group;
  assign write_mask = answer_mask;
  reg [31:0] write_data_row;
  always @* begin
    case (answer_bank0)
      3'h0: write_data_row = bank0_word;
      3'h1: write_data_row = bank1_word;
      3'h2: write_data_row = bank2_word;
      3'h3: write_data_row = bank3_word;
      3'h4: write_data_row = bank4_word;
      3'h5: write_data_row = bank5_word;
      3'h6: write_data_row = bank6_word;
      3'h7: write_data_row = bank7_word;
      default: write_data_row = {32{1'bx}};
    endcase
  end
  wire [15:0] write_data_choice = answer_byte0[1] ? write_data_row[31:16] : write_data_row[15:0];
  wire [7:0] write_data_choice_2 = answer_byte0[0] ? write_data_choice[15:8] : write_data_choice[7:0];
  wire write_data_merged = (answer_size == 3'h3) | (answer_size == 3'h4);
  wire write_data_inverse = !(|answer_size);
  wire [31:0] write_data_choice_3 = write_data_inverse ? write_data_row : write_data_merged ? (answer_size[2]
      ? {{16{write_data_choice[15]}}, write_data_choice} : {16'h0000, write_data_choice}) : answer_size[1] ?
      {{24{write_data_choice_2[7]}}, write_data_choice_2} : {24'h000000, write_data_choice_2};
  reg [31:0] write_data_row_2;
  always @* begin
    case (answer_bank1)
      3'h0: write_data_row_2 = bank0_word;
      3'h1: write_data_row_2 = bank1_word;
      3'h2: write_data_row_2 = bank2_word;
      3'h3: write_data_row_2 = bank3_word;
      3'h4: write_data_row_2 = bank4_word;
      3'h5: write_data_row_2 = bank5_word;
      3'h6: write_data_row_2 = bank6_word;
      3'h7: write_data_row_2 = bank7_word;
      default: write_data_row_2 = {32{1'bx}};
    endcase
  end
  wire [15:0] write_data_choice_4 = answer_byte1[1] ? write_data_row_2[31:16] : write_data_row_2[15:0];
  wire [7:0] write_data_choice_5 = answer_byte1[0] ? write_data_choice_4[15:8] : write_data_choice_4[7:0];
  wire [31:0] write_data_choice_6 = write_data_inverse ? write_data_row_2 : write_data_merged ?
      (answer_size[2] ? {{16{write_data_choice_4[15]}}, write_data_choice_4} : {16'h0000,
      write_data_choice_4}) : answer_size[1] ? {{24{write_data_choice_5[7]}}, write_data_choice_5} :
      {24'h000000, write_data_choice_5};
  reg [31:0] write_data_row_3;
  always @* begin
    case (answer_bank2)
      3'h0: write_data_row_3 = bank0_word;
      3'h1: write_data_row_3 = bank1_word;
      3'h2: write_data_row_3 = bank2_word;
      3'h3: write_data_row_3 = bank3_word;
      3'h4: write_data_row_3 = bank4_word;
      3'h5: write_data_row_3 = bank5_word;
      3'h6: write_data_row_3 = bank6_word;
      3'h7: write_data_row_3 = bank7_word;
      default: write_data_row_3 = {32{1'bx}};
    endcase
  end
  wire [15:0] write_data_choice_7 = answer_byte2[1] ? write_data_row_3[31:16] : write_data_row_3[15:0];
  wire [7:0] write_data_choice_8 = answer_byte2[0] ? write_data_choice_7[15:8] : write_data_choice_7[7:0];
  wire [31:0] write_data_choice_9 = write_data_inverse ? write_data_row_3 : write_data_merged ?
      (answer_size[2] ? {{16{write_data_choice_7[15]}}, write_data_choice_7} : {16'h0000,
      write_data_choice_7}) : answer_size[1] ? {{24{write_data_choice_8[7]}}, write_data_choice_8} :
      {24'h000000, write_data_choice_8};
  reg [31:0] write_data_row_4;
  always @* begin
    case (answer_bank3)
      3'h0: write_data_row_4 = bank0_word;
      3'h1: write_data_row_4 = bank1_word;
      3'h2: write_data_row_4 = bank2_word;
      3'h3: write_data_row_4 = bank3_word;
      3'h4: write_data_row_4 = bank4_word;
      3'h5: write_data_row_4 = bank5_word;
      3'h6: write_data_row_4 = bank6_word;
      3'h7: write_data_row_4 = bank7_word;
      default: write_data_row_4 = {32{1'bx}};
    endcase
  end
  wire [15:0] write_data_choice_10 = answer_byte3[1] ? write_data_row_4[31:16] : write_data_row_4[15:0];
  wire [7:0] write_data_choice_11 = answer_byte3[0] ? write_data_choice_10[15:8] : write_data_choice_10[7:0];
  wire [31:0] write_data_choice_12 = write_data_inverse ? write_data_row_4 : write_data_merged ?
      (answer_size[2] ? {{16{write_data_choice_10[15]}}, write_data_choice_10} : {16'h0000,
      write_data_choice_10}) : answer_size[1] ? {{24{write_data_choice_11[7]}}, write_data_choice_11} :
      {24'h000000, write_data_choice_11};
  reg [31:0] write_data_row_5;
  always @* begin
    case (answer_bank4)
      3'h0: write_data_row_5 = bank0_word;
      3'h1: write_data_row_5 = bank1_word;
      3'h2: write_data_row_5 = bank2_word;
      3'h3: write_data_row_5 = bank3_word;
      3'h4: write_data_row_5 = bank4_word;
      3'h5: write_data_row_5 = bank5_word;
      3'h6: write_data_row_5 = bank6_word;
      3'h7: write_data_row_5 = bank7_word;
      default: write_data_row_5 = {32{1'bx}};
    endcase
  end
  wire [15:0] write_data_choice_13 = answer_byte4[1] ? write_data_row_5[31:16] : write_data_row_5[15:0];
  wire [7:0] write_data_choice_14 = answer_byte4[0] ? write_data_choice_13[15:8] : write_data_choice_13[7:0];
  wire [31:0] write_data_choice_15 = write_data_inverse ? write_data_row_5 : write_data_merged ?
      (answer_size[2] ? {{16{write_data_choice_13[15]}}, write_data_choice_13} : {16'h0000,
      write_data_choice_13}) : answer_size[1] ? {{24{write_data_choice_14[7]}}, write_data_choice_14} :
      {24'h000000, write_data_choice_14};
  reg [31:0] write_data_row_6;
  always @* begin
    case (answer_bank5)
      3'h0: write_data_row_6 = bank0_word;
      3'h1: write_data_row_6 = bank1_word;
      3'h2: write_data_row_6 = bank2_word;
      3'h3: write_data_row_6 = bank3_word;
      3'h4: write_data_row_6 = bank4_word;
      3'h5: write_data_row_6 = bank5_word;
      3'h6: write_data_row_6 = bank6_word;
      3'h7: write_data_row_6 = bank7_word;
      default: write_data_row_6 = {32{1'bx}};
    endcase
  end
  wire [15:0] write_data_choice_16 = answer_byte5[1] ? write_data_row_6[31:16] : write_data_row_6[15:0];
  wire [7:0] write_data_choice_17 = answer_byte5[0] ? write_data_choice_16[15:8] : write_data_choice_16[7:0];
  wire [31:0] write_data_choice_18 = write_data_inverse ? write_data_row_6 : write_data_merged ?
      (answer_size[2] ? {{16{write_data_choice_16[15]}}, write_data_choice_16} : {16'h0000,
      write_data_choice_16}) : answer_size[1] ? {{24{write_data_choice_17[7]}}, write_data_choice_17} :
      {24'h000000, write_data_choice_17};
  reg [31:0] write_data_row_7;
  always @* begin
    case (answer_bank6)
      3'h0: write_data_row_7 = bank0_word;
      3'h1: write_data_row_7 = bank1_word;
      3'h2: write_data_row_7 = bank2_word;
      3'h3: write_data_row_7 = bank3_word;
      3'h4: write_data_row_7 = bank4_word;
      3'h5: write_data_row_7 = bank5_word;
      3'h6: write_data_row_7 = bank6_word;
      3'h7: write_data_row_7 = bank7_word;
      default: write_data_row_7 = {32{1'bx}};
    endcase
  end
  wire [15:0] write_data_choice_19 = answer_byte6[1] ? write_data_row_7[31:16] : write_data_row_7[15:0];
  wire [7:0] write_data_choice_20 = answer_byte6[0] ? write_data_choice_19[15:8] : write_data_choice_19[7:0];
  wire [31:0] write_data_choice_21 = write_data_inverse ? write_data_row_7 : write_data_merged ?
      (answer_size[2] ? {{16{write_data_choice_19[15]}}, write_data_choice_19} : {16'h0000,
      write_data_choice_19}) : answer_size[1] ? {{24{write_data_choice_20[7]}}, write_data_choice_20} :
      {24'h000000, write_data_choice_20};
  reg [31:0] write_data_row_8;
  always @* begin
    case (answer_bank7)
      3'h0: write_data_row_8 = bank0_word;
      3'h1: write_data_row_8 = bank1_word;
      3'h2: write_data_row_8 = bank2_word;
      3'h3: write_data_row_8 = bank3_word;
      3'h4: write_data_row_8 = bank4_word;
      3'h5: write_data_row_8 = bank5_word;
      3'h6: write_data_row_8 = bank6_word;
      3'h7: write_data_row_8 = bank7_word;
      default: write_data_row_8 = {32{1'bx}};
    endcase
  end
  wire [15:0] write_data_choice_22 = answer_byte7[1] ? write_data_row_8[31:16] : write_data_row_8[15:0];
  wire [7:0] write_data_choice_23 = answer_byte7[0] ? write_data_choice_22[15:8] : write_data_choice_22[7:0];
  wire [31:0] write_data_choice_24 = write_data_inverse ? write_data_row_8 : write_data_merged ?
      (answer_size[2] ? {{16{write_data_choice_22[15]}}, write_data_choice_22} : {16'h0000,
      write_data_choice_22}) : answer_size[1] ? {{24{write_data_choice_23[7]}}, write_data_choice_23} :
      {24'h000000, write_data_choice_23};
  assign write_data = {write_data_choice_24, write_data_choice_21, write_data_choice_18,
      write_data_choice_15, write_data_choice_12, write_data_choice_9, write_data_choice_6,
      write_data_choice_3};
  assign finish = answer_ends & !stalled;
  assign done_valid = finish & answer_writes;
  assign done_warp = answer_warp;
  assign done_destination = answer_destination;
  assign ready = !busy[tail];

  wire [2:0] access_now_size = access_now[12:10];
  wire bank0_data_merged = (access_now_size == 3'h3) | (access_now_size == 3'h4);
  wire bank0_data_inverse = !(|access_now_size);
  wire [31:0] bank0_data_choice = bank0_data_inverse ? data_row[255:224] : bank0_data_merged ?
      {2{data_row[239:224]}} : {4{data_row[231:224]}};
  wire [31:0] bank0_data_choice_2 = bank0_data_inverse ? data_row[223:192] : bank0_data_merged ?
      {2{data_row[207:192]}} : {4{data_row[199:192]}};
  wire [31:0] bank0_data_merged_2 = bank0_data_choice_2 & {32{first0[6]}} | bank0_data_choice &
      {32{first0[7]}};
  wire [31:0] bank0_data_choice_3 = bank0_data_inverse ? data_row[191:160] : bank0_data_merged ?
      {2{data_row[175:160]}} : {4{data_row[167:160]}};
  wire [31:0] bank0_data_choice_4 = bank0_data_inverse ? data_row[159:128] : bank0_data_merged ?
      {2{data_row[143:128]}} : {4{data_row[135:128]}};
  wire [31:0] bank0_data_merged_3 = bank0_data_choice_4 & {32{first0[4]}} | bank0_data_choice_3 &
      {32{first0[5]}} | bank0_data_merged_2;
  wire [31:0] bank0_data_choice_5 = bank0_data_inverse ? data_row[127:96] : bank0_data_merged ?
      {2{data_row[111:96]}} : {4{data_row[103:96]}};
  wire [31:0] bank0_data_choice_6 = bank0_data_inverse ? data_row[95:64] : bank0_data_merged ?
      {2{data_row[79:64]}} : {4{data_row[71:64]}};
  wire [31:0] bank0_data_merged_4 = bank0_data_choice_6 & {32{first0[2]}} | bank0_data_choice_5 &
      {32{first0[3]}};
  wire [31:0] bank0_data_choice_7 = bank0_data_inverse ? data_row[63:32] : bank0_data_merged ?
      {2{data_row[47:32]}} : {4{data_row[39:32]}};
  wire [31:0] bank0_data_choice_8 = bank0_data_inverse ? data_row[31:0] : bank0_data_merged ?
      {2{data_row[15:0]}} : {4{data_row[7:0]}};
  wire [3:0] bank0_bytes_choice = bank0_data_inverse ? 4'hf : bank0_data_merged ? (row[99] ? 4'hc : 4'h3) :
      4'h1 << row[99:98];
  wire [3:0] bank0_bytes_choice_2 = bank0_data_inverse ? 4'hf : bank0_data_merged ? (row[85] ? 4'hc : 4'h3) :
      4'h1 << row[85:84];
  wire [3:0] bank0_bytes_merged = bank0_bytes_choice_2 & {4{first0[6]}} | bank0_bytes_choice & {4{first0[7]}};
  wire [3:0] bank0_bytes_choice_3 = bank0_data_inverse ? 4'hf : bank0_data_merged ? (row[71] ? 4'hc : 4'h3) :
      4'h1 << row[71:70];
  wire [3:0] bank0_bytes_choice_4 = bank0_data_inverse ? 4'hf : bank0_data_merged ? (row[57] ? 4'hc : 4'h3) :
      4'h1 << row[57:56];
  wire [3:0] bank0_bytes_merged_2 = bank0_bytes_choice_4 & {4{first0[4]}} | bank0_bytes_choice_3 &
      {4{first0[5]}} | bank0_bytes_merged;
  wire [3:0] bank0_bytes_choice_5 = bank0_data_inverse ? 4'hf : bank0_data_merged ? (row[43] ? 4'hc : 4'h3) :
      4'h1 << row[43:42];
  wire [3:0] bank0_bytes_choice_6 = bank0_data_inverse ? 4'hf : bank0_data_merged ? (row[29] ? 4'hc : 4'h3) :
      4'h1 << row[29:28];
  wire [3:0] bank0_bytes_merged_3 = bank0_bytes_choice_6 & {4{first0[2]}} | bank0_bytes_choice_5 &
      {4{first0[3]}};
  wire [3:0] bank0_bytes_choice_7 = bank0_data_inverse ? 4'hf : bank0_data_merged ? (row[15] ? 4'hc : 4'h3) :
      4'h1 << row[15:14];
  wire [3:0] bank0_bytes_choice_8 = bank0_data_inverse ? 4'hf : bank0_data_merged ? (row[1] ? 4'hc : 4'h3) :
      4'h1 << row[1:0];
  shared_bank_words512 bank0 (
    .clock(clock),
    .address(word0),
    .read(answer),
    .data(bank0_data_choice_8 & {32{first0[0]}} | bank0_data_choice_7 & {32{first0[1]}} | bank0_data_merged_4
        | bank0_data_merged_3),
    .bytes(bank0_bytes_choice_8 & {4{first0[0]}} | bank0_bytes_choice_7 & {4{first0[1]}} |
        bank0_bytes_merged_3 | bank0_bytes_merged_2),
    .write(go & access_now_store & (|first0)),
    .word(bank0_word)
  );

  wire [31:0] bank1_data_merged = bank0_data_choice_2 & {32{first1[6]}} | bank0_data_choice & {32{first1[7]}};
  wire [31:0] bank1_data_merged_2 = bank0_data_choice_4 & {32{first1[4]}} | bank0_data_choice_3 &
      {32{first1[5]}} | bank1_data_merged;
  wire [31:0] bank1_data_merged_3 = bank0_data_choice_6 & {32{first1[2]}} | bank0_data_choice_5 &
      {32{first1[3]}};
  wire [3:0] bank1_bytes_merged = bank0_bytes_choice_2 & {4{first1[6]}} | bank0_bytes_choice & {4{first1[7]}};
  wire [3:0] bank1_bytes_merged_2 = bank0_bytes_choice_4 & {4{first1[4]}} | bank0_bytes_choice_3 &
      {4{first1[5]}} | bank1_bytes_merged;
  wire [3:0] bank1_bytes_merged_3 = bank0_bytes_choice_6 & {4{first1[2]}} | bank0_bytes_choice_5 &
      {4{first1[3]}};
  shared_bank_words512 bank1 (
    .clock(clock),
    .address(word1),
    .read(answer),
    .data(bank0_data_choice_8 & {32{first1[0]}} | bank0_data_choice_7 & {32{first1[1]}} | bank1_data_merged_3
        | bank1_data_merged_2),
    .bytes(bank0_bytes_choice_8 & {4{first1[0]}} | bank0_bytes_choice_7 & {4{first1[1]}} |
        bank1_bytes_merged_3 | bank1_bytes_merged_2),
    .write(go & access_now_store & (|first1)),
    .word(bank1_word)
  );

  wire [31:0] bank2_data_merged = bank0_data_choice_2 & {32{first2[6]}} | bank0_data_choice & {32{first2[7]}};
  wire [31:0] bank2_data_merged_2 = bank0_data_choice_4 & {32{first2[4]}} | bank0_data_choice_3 &
      {32{first2[5]}} | bank2_data_merged;
  wire [31:0] bank2_data_merged_3 = bank0_data_choice_6 & {32{first2[2]}} | bank0_data_choice_5 &
      {32{first2[3]}};
  wire [3:0] bank2_bytes_merged = bank0_bytes_choice_2 & {4{first2[6]}} | bank0_bytes_choice & {4{first2[7]}};
  wire [3:0] bank2_bytes_merged_2 = bank0_bytes_choice_4 & {4{first2[4]}} | bank0_bytes_choice_3 &
      {4{first2[5]}} | bank2_bytes_merged;
  wire [3:0] bank2_bytes_merged_3 = bank0_bytes_choice_6 & {4{first2[2]}} | bank0_bytes_choice_5 &
      {4{first2[3]}};
  shared_bank_words512 bank2 (
    .clock(clock),
    .address(word2),
    .read(answer),
    .data(bank0_data_choice_8 & {32{first2[0]}} | bank0_data_choice_7 & {32{first2[1]}} | bank2_data_merged_3
        | bank2_data_merged_2),
    .bytes(bank0_bytes_choice_8 & {4{first2[0]}} | bank0_bytes_choice_7 & {4{first2[1]}} |
        bank2_bytes_merged_3 | bank2_bytes_merged_2),
    .write(go & access_now_store & (|first2)),
    .word(bank2_word)
  );

  wire [31:0] bank3_data_merged = bank0_data_choice_2 & {32{first3[6]}} | bank0_data_choice & {32{first3[7]}};
  wire [31:0] bank3_data_merged_2 = bank0_data_choice_4 & {32{first3[4]}} | bank0_data_choice_3 &
      {32{first3[5]}} | bank3_data_merged;
  wire [31:0] bank3_data_merged_3 = bank0_data_choice_6 & {32{first3[2]}} | bank0_data_choice_5 &
      {32{first3[3]}};
  wire [3:0] bank3_bytes_merged = bank0_bytes_choice_2 & {4{first3[6]}} | bank0_bytes_choice & {4{first3[7]}};
  wire [3:0] bank3_bytes_merged_2 = bank0_bytes_choice_4 & {4{first3[4]}} | bank0_bytes_choice_3 &
      {4{first3[5]}} | bank3_bytes_merged;
  wire [3:0] bank3_bytes_merged_3 = bank0_bytes_choice_6 & {4{first3[2]}} | bank0_bytes_choice_5 &
      {4{first3[3]}};
  shared_bank_words512 bank3 (
    .clock(clock),
    .address(word3),
    .read(answer),
    .data(bank0_data_choice_8 & {32{first3[0]}} | bank0_data_choice_7 & {32{first3[1]}} | bank3_data_merged_3
        | bank3_data_merged_2),
    .bytes(bank0_bytes_choice_8 & {4{first3[0]}} | bank0_bytes_choice_7 & {4{first3[1]}} |
        bank3_bytes_merged_3 | bank3_bytes_merged_2),
    .write(go & access_now_store & (|first3)),
    .word(bank3_word)
  );

  wire [31:0] bank4_data_merged = bank0_data_choice_2 & {32{first4[6]}} | bank0_data_choice & {32{first4[7]}};
  wire [31:0] bank4_data_merged_2 = bank0_data_choice_4 & {32{first4[4]}} | bank0_data_choice_3 &
      {32{first4[5]}} | bank4_data_merged;
  wire [31:0] bank4_data_merged_3 = bank0_data_choice_6 & {32{first4[2]}} | bank0_data_choice_5 &
      {32{first4[3]}};
  wire [3:0] bank4_bytes_merged = bank0_bytes_choice_2 & {4{first4[6]}} | bank0_bytes_choice & {4{first4[7]}};
  wire [3:0] bank4_bytes_merged_2 = bank0_bytes_choice_4 & {4{first4[4]}} | bank0_bytes_choice_3 &
      {4{first4[5]}} | bank4_bytes_merged;
  wire [3:0] bank4_bytes_merged_3 = bank0_bytes_choice_6 & {4{first4[2]}} | bank0_bytes_choice_5 &
      {4{first4[3]}};
  shared_bank_words512 bank4 (
    .clock(clock),
    .address(word4),
    .read(answer),
    .data(bank0_data_choice_8 & {32{first4[0]}} | bank0_data_choice_7 & {32{first4[1]}} | bank4_data_merged_3
        | bank4_data_merged_2),
    .bytes(bank0_bytes_choice_8 & {4{first4[0]}} | bank0_bytes_choice_7 & {4{first4[1]}} |
        bank4_bytes_merged_3 | bank4_bytes_merged_2),
    .write(go & access_now_store & (|first4)),
    .word(bank4_word)
  );

  wire [31:0] bank5_data_merged = bank0_data_choice_2 & {32{first5[6]}} | bank0_data_choice & {32{first5[7]}};
  wire [31:0] bank5_data_merged_2 = bank0_data_choice_4 & {32{first5[4]}} | bank0_data_choice_3 &
      {32{first5[5]}} | bank5_data_merged;
  wire [31:0] bank5_data_merged_3 = bank0_data_choice_6 & {32{first5[2]}} | bank0_data_choice_5 &
      {32{first5[3]}};
  wire [3:0] bank5_bytes_merged = bank0_bytes_choice_2 & {4{first5[6]}} | bank0_bytes_choice & {4{first5[7]}};
  wire [3:0] bank5_bytes_merged_2 = bank0_bytes_choice_4 & {4{first5[4]}} | bank0_bytes_choice_3 &
      {4{first5[5]}} | bank5_bytes_merged;
  wire [3:0] bank5_bytes_merged_3 = bank0_bytes_choice_6 & {4{first5[2]}} | bank0_bytes_choice_5 &
      {4{first5[3]}};
  shared_bank_words512 bank5 (
    .clock(clock),
    .address(word5),
    .read(answer),
    .data(bank0_data_choice_8 & {32{first5[0]}} | bank0_data_choice_7 & {32{first5[1]}} | bank5_data_merged_3
        | bank5_data_merged_2),
    .bytes(bank0_bytes_choice_8 & {4{first5[0]}} | bank0_bytes_choice_7 & {4{first5[1]}} |
        bank5_bytes_merged_3 | bank5_bytes_merged_2),
    .write(go & access_now_store & (|first5)),
    .word(bank5_word)
  );

  wire [31:0] bank6_data_merged = bank0_data_choice_2 & {32{first6[6]}} | bank0_data_choice & {32{first6[7]}};
  wire [31:0] bank6_data_merged_2 = bank0_data_choice_4 & {32{first6[4]}} | bank0_data_choice_3 &
      {32{first6[5]}} | bank6_data_merged;
  wire [31:0] bank6_data_merged_3 = bank0_data_choice_6 & {32{first6[2]}} | bank0_data_choice_5 &
      {32{first6[3]}};
  wire [3:0] bank6_bytes_merged = bank0_bytes_choice_2 & {4{first6[6]}} | bank0_bytes_choice & {4{first6[7]}};
  wire [3:0] bank6_bytes_merged_2 = bank0_bytes_choice_4 & {4{first6[4]}} | bank0_bytes_choice_3 &
      {4{first6[5]}} | bank6_bytes_merged;
  wire [3:0] bank6_bytes_merged_3 = bank0_bytes_choice_6 & {4{first6[2]}} | bank0_bytes_choice_5 &
      {4{first6[3]}};
  shared_bank_words512 bank6 (
    .clock(clock),
    .address(word6),
    .read(answer),
    .data(bank0_data_choice_8 & {32{first6[0]}} | bank0_data_choice_7 & {32{first6[1]}} | bank6_data_merged_3
        | bank6_data_merged_2),
    .bytes(bank0_bytes_choice_8 & {4{first6[0]}} | bank0_bytes_choice_7 & {4{first6[1]}} |
        bank6_bytes_merged_3 | bank6_bytes_merged_2),
    .write(go & access_now_store & (|first6)),
    .word(bank6_word)
  );

  wire [31:0] bank7_data_merged = bank0_data_choice_2 & {32{first7[6]}} | bank0_data_choice & {32{first7[7]}};
  wire [31:0] bank7_data_merged_2 = bank0_data_choice_4 & {32{first7[4]}} | bank0_data_choice_3 &
      {32{first7[5]}} | bank7_data_merged;
  wire [31:0] bank7_data_merged_3 = bank0_data_choice_6 & {32{first7[2]}} | bank0_data_choice_5 &
      {32{first7[3]}};
  wire [3:0] bank7_bytes_merged = bank0_bytes_choice_2 & {4{first7[6]}} | bank0_bytes_choice & {4{first7[7]}};
  wire [3:0] bank7_bytes_merged_2 = bank0_bytes_choice_4 & {4{first7[4]}} | bank0_bytes_choice_3 &
      {4{first7[5]}} | bank7_bytes_merged;
  wire [3:0] bank7_bytes_merged_3 = bank0_bytes_choice_6 & {4{first7[2]}} | bank0_bytes_choice_5 &
      {4{first7[3]}};
  shared_bank_words512 bank7 (
    .clock(clock),
    .address(word7),
    .read(answer),
    .data(bank0_data_choice_8 & {32{first7[0]}} | bank0_data_choice_7 & {32{first7[1]}} | bank7_data_merged_3
        | bank7_data_merged_2),
    .bytes(bank0_bytes_choice_8 & {4{first7[0]}} | bank0_bytes_choice_7 & {4{first7[1]}} |
        bank7_bytes_merged_3 | bank7_bytes_merged_2),
    .write(go & access_now_store & (|first7)),
    .word(bank7_word)
  );

  async_ram_depth8_width256_reads1 data (
    .clock(clock),
    .write_enable(beat_valid),
    .write_address({loading, beat}),
    .write_data(store_data),
    .read0_address({head, serving_group}),
    .read0_data(data_word)
  );

  wire next_masked = beat_valid & (beat == 2'h3);
  wire [1:0] next_inverse = ~((2'h1 << head) & {2{leaves}});
  wire [31:0] next_choice = head_hit[1] ? threads_left : pending1;
  wire next_masked_2 = beat_valid & (loading == 1'b1);
  wire [7:0] next_choice_2 = (next_masked_2 & (beat == 2'h0)) ? active : next_choice[7:0];
  wire [7:0] next_choice_3 = (next_masked_2 & (beat == 2'h1)) ? active : next_choice[15:8];
  wire [31:0] next_choice_4 = head_hit[0] ? threads_left : pending0;
  wire next_masked_3 = beat_valid & (loading == 1'b0);
  wire [7:0] next_choice_5 = (next_masked_3 & (beat == 2'h0)) ? active : next_choice_4[7:0];
  wire [7:0] next_choice_6 = (next_masked_3 & (beat == 2'h1)) ? active : next_choice_4[15:8];
  always @(posedge clock) begin
    if (reset) begin
      tail <= 1'b0;
      loading <= 1'b0;
      head <= 1'b0;
      busy <= 2'h0;
      loaded <= 2'h0;
      pending0 <= 32'h00000000;
      pending1 <= 32'h00000000;
      answered <= 1'b0;
      answer_ends <= 1'b0;
      answer_mask <= 8'h00;
      answer_group <= 2'h0;
      answer_bank0 <= 3'h0;
      answer_byte0 <= 2'h0;
      answer_bank1 <= 3'h0;
      answer_byte1 <= 2'h0;
      answer_bank2 <= 3'h0;
      answer_byte2 <= 2'h0;
      answer_bank3 <= 3'h0;
      answer_byte3 <= 2'h0;
      answer_bank4 <= 3'h0;
      answer_byte4 <= 2'h0;
      answer_bank5 <= 3'h0;
      answer_byte5 <= 2'h0;
      answer_bank6 <= 3'h0;
      answer_byte6 <= 2'h0;
      answer_bank7 <= 3'h0;
      answer_byte7 <= 2'h0;
    end else begin
      // Accesses in flight: a ring of places.
      if (reserve) begin
        tail <= tail + 1'b1;
      end
      if (next_masked) begin
        loading <= loading + 1'b1;
      end
      pending0 <= {(next_masked_3 & (beat == 2'h3)) ? active : next_choice_4[31:24], (next_masked_3 & (beat
          == 2'h2)) ? active : next_choice_4[23:16], next_choice_6, next_choice_5};
      pending1 <= {(next_masked_2 & (beat == 2'h3)) ? active : next_choice[31:24], (next_masked_2 & (beat ==
          2'h2)) ? active : next_choice[23:16], next_choice_3, next_choice_2};
      busy <= busy & next_inverse | (2'h1 << tail) & {2{reserve}};
      loaded <= loaded & next_inverse | (2'h1 << loading) & {2{next_masked}};
      if (leaves) begin
        head <= head + 1'b1;
      end
      if (!stalled) begin
        answered <= answer;
        answer_ends <= leaves;
      end
      if (answer) begin
        answer_mask <= served;
      end
      if (answer) begin
        answer_group <= serving_group;
      end
      if (answer) begin
        answer_bank0 <= row[4:2];
      end
      if (answer) begin
        answer_byte0 <= row[1:0];
      end
      if (answer) begin
        answer_bank1 <= row[18:16];
      end
      if (answer) begin
        answer_byte1 <= row[15:14];
      end
      if (answer) begin
        answer_bank2 <= row[32:30];
      end
      if (answer) begin
        answer_byte2 <= row[29:28];
      end
      if (answer) begin
        answer_bank3 <= row[46:44];
      end
      if (answer) begin
        answer_byte3 <= row[43:42];
      end
      if (answer) begin
        answer_bank4 <= row[60:58];
      end
      if (answer) begin
        answer_byte4 <= row[57:56];
      end
      if (answer) begin
        answer_bank5 <= row[74:72];
      end
      if (answer) begin
        answer_byte5 <= row[71:70];
      end
      if (answer) begin
        answer_bank6 <= row[88:86];
      end
      if (answer) begin
        answer_byte6 <= row[85:84];
      end
      if (answer) begin
        answer_bank7 <= row[102:100];
      end
      if (answer) begin
        answer_byte7 <= row[99:98];
      end
    end
  end

  wire access_now_writes = access_now[0];
  wire [5:0] access_now_destination = access_now[6:1];
  wire [2:0] access_now_warp = access_now[9:7];
  always @(posedge clock) begin
    if (answer | leaves) begin
      answer_warp <= access_now_warp;
      answer_destination <= access_now_destination;
      answer_writes <= access_now_writes;
      answer_size <= access_now_size;
    end
  end

  always @(posedge clock) begin
    if (reserve) begin
      accesses[tail] <= {store, size, warp, destination, writes};
    end
  end

  always @(posedge clock) begin
    // A row per beat: place in the memory, and store data.
    if (beat_valid) begin
      rows[{loading, beat}] <= {address[237:224] + base[13:0], address[205:192] + base[13:0],
          address[173:160] + base[13:0], address[141:128] + base[13:0], address[109:96] + base[13:0],
          address[77:64] + base[13:0], address[45:32] + base[13:0], address[13:0] + base[13:0]};
    end
  end

`ifdef WARPMESH_ASSERT
  always @(posedge clock) begin
    if (!reset) begin
      if (!(!reserve | ready)) begin
        $display("%m: assertion failed: a shared access comes when there is room");
        $stop;
      end
      if (!(!beat_valid | busy[loading] & !loaded[loading])) begin
        $display("%m: assertion failed: beats come for a reserved access");
        $stop;
      end
      if (!(!leaves | busy[head])) begin
        $display("%m: assertion failed: an access that leaves is there");
        $stop;
      end
    end
  end
`endif
endmodule

`default_nettype wire
