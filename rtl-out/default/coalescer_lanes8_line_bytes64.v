// coalescer_lanes8_line_bytes64
//
// Turns the global accesses of a warp into requests for lines.
//
// Parameters: lanes = 8, line_bytes = 64
// Made by: warpmesh export default
// Configuration: default
`default_nettype none

module coalescer_lanes8_line_bytes64 (
    input wire clock,
    input wire reset,
    input wire reserve, // An instruction begins.
    input wire beat_valid, // Its beats at the lanes, in the cycles that follow.
    input wire [1:0] beat, // Its beats at the lanes, in the cycles that follow.
    input wire [7:0] active, // Its beats at the lanes, in the cycles that follow.
    input wire [255:0] address, // Its beats at the lanes, in the cycles that follow.
    input wire [255:0] store_data, // Of stores, and the operand of atomics.
    input wire may_begin, // A round of a load may begin: a tag is free.
    input wire request_taken, // What is shown is taken in this cycle.
    input wire store, // The instruction writes, or is an atomic whose old value nobody wants.
    input wire [2:0] size, // Size of what a thread accesses: see sub_word.
    output wire busy, // An instruction is being carried out.
    output wire row_valid, // A beat of a round of a load.
    output wire [1:0] row_beat, // A beat of a round of a load.
    output wire [7:0] row_match, // A beat of a round of a load.
    output wire [47:0] row_offset, // A beat of a round of a load.
    output wire begin_, // First beat of the round.
    output wire last, // Last beat of the round.
    output wire finish, // The instruction has no more rounds.
    output wire request_valid, // What a round asks for.
    output wire request_store, // What a round asks for.
    output wire [25:0] request_line, // What a round asks for.
    output wire [15:0] request_words, // What a round asks for.
    output wire [3:0] request_bytes, // What a round asks for.
    output wire [511:0] request_data // What a round asks for.
);
  reg busy_now;
  reg complete;
  reg store_now;
  reg [2:0] size_now;
  reg [7:0] pending0;
  reg [7:0] pending1;
  reg [7:0] pending2;
  reg [7:0] pending3;
  wire row_arrives;
  reg in_round;
  reg [3:0] todo;
  reg [25:0] line;
  reg [3:0] lane_bytes;
  wire [3:0] visits;
  wire [3:0] beat_hit;
  wire [1:0] round_beat;
  wire [255:0] address_row;
  wire [7:0] waiting;
  /* verilator lint_off UNUSED */ // bits 5:2 are not read
  wire [31:0] leader;
  /* verilator lint_on UNUSED */
  wire [25:0] line_now;
  wire [3:0] bytes_now;
  wire [7:0] matched;
  reg loaded;
  wire go;
  wire last_now;
  wire finish_now;
  reg [15:0] word_mask;
  reg [511:0] line_data;
  wire [255:0] data_row;
  wire hit0;
  wire hit1;
  wire hit2;
  wire hit3;
  wire hit4;
  wire hit5;
  wire hit6;
  wire hit7;
  wire hit8;
  wire hit9;
  wire hit10;
  wire hit11;
  wire hit12;
  wire hit13;
  wire hit14;
  wire hit15;
  reg [255:0] addresses [0:3];
  reg [255:0] data [0:3];

  assign row_arrives = beat_valid;
  // A round: the beats still to visit, and the line that its first thread chose.
  wire [3:0] visits_joined = {|pending3, |pending2, |pending1, |pending0};
  assign visits = in_round ? todo : visits_joined;
  assign beat_hit = visits & ~(visits - 4'h1);
  assign round_beat = {|(beat_hit & 4'hc), |(beat_hit & 4'ha)};
  assign address_row = addresses[round_beat];
  wire [7:0] waiting_merged = pending2 & {8{beat_hit[2]}} | pending3 & {8{beat_hit[3]}};
  assign waiting = pending0 & {8{beat_hit[0]}} | pending1 & {8{beat_hit[1]}} | waiting_merged;
  wire [7:0] leader_masked = waiting & ~(waiting - 8'h01);
  wire [31:0] leader_merged = address_row[223:192] & {32{leader_masked[6]}} | address_row[255:224] &
      {32{leader_masked[7]}};
  wire [31:0] leader_merged_2 = address_row[159:128] & {32{leader_masked[4]}} | address_row[191:160] &
      {32{leader_masked[5]}} | leader_merged;
  wire [31:0] leader_merged_3 = address_row[95:64] & {32{leader_masked[2]}} | address_row[127:96] &
      {32{leader_masked[3]}};
  assign leader = address_row[31:0] & {32{leader_masked[0]}} | address_row[63:32] & {32{leader_masked[1]}} |
      leader_merged_3 | leader_merged_2;
  assign line_now = in_round ? line : leader[31:6];
  wire bytes_now_merged = (size_now == 3'h3) | (size_now == 3'h4);
  wire bytes_now_inverse = !(|size_now);
  assign bytes_now = in_round ? lane_bytes : store_now ? (bytes_now_inverse ? 4'hf : bytes_now_merged ?
      (leader[1] ? 4'hc : 4'h3) : 4'h1 << leader[1:0]) : 4'hf;
  wire matched_masked = (address_row[31:6] == line_now) & (!store_now | ((bytes_now_inverse ? 4'hf :
      bytes_now_merged ? (address_row[1] ? 4'hc : 4'h3) : 4'h1 << address_row[1:0]) == bytes_now));
  wire matched_masked_2 = (address_row[63:38] == line_now) & (!store_now | ((bytes_now_inverse ? 4'hf :
      bytes_now_merged ? (address_row[33] ? 4'hc : 4'h3) : 4'h1 << address_row[33:32]) == bytes_now));
  wire matched_masked_3 = (address_row[95:70] == line_now) & (!store_now | ((bytes_now_inverse ? 4'hf :
      bytes_now_merged ? (address_row[65] ? 4'hc : 4'h3) : 4'h1 << address_row[65:64]) == bytes_now));
  wire matched_masked_4 = (address_row[127:102] == line_now) & (!store_now | ((bytes_now_inverse ? 4'hf :
      bytes_now_merged ? (address_row[97] ? 4'hc : 4'h3) : 4'h1 << address_row[97:96]) == bytes_now));
  wire matched_masked_5 = (address_row[159:134] == line_now) & (!store_now | ((bytes_now_inverse ? 4'hf :
      bytes_now_merged ? (address_row[129] ? 4'hc : 4'h3) : 4'h1 << address_row[129:128]) == bytes_now));
  wire matched_masked_6 = (address_row[191:166] == line_now) & (!store_now | ((bytes_now_inverse ? 4'hf :
      bytes_now_merged ? (address_row[161] ? 4'hc : 4'h3) : 4'h1 << address_row[161:160]) == bytes_now));
  wire matched_masked_7 = (address_row[223:198] == line_now) & (!store_now | ((bytes_now_inverse ? 4'hf :
      bytes_now_merged ? (address_row[193] ? 4'hc : 4'h3) : 4'h1 << address_row[193:192]) == bytes_now));
  wire matched_masked_8 = (address_row[255:230] == line_now) & (!store_now | ((bytes_now_inverse ? 4'hf :
      bytes_now_merged ? (address_row[225] ? 4'hc : 4'h3) : 4'h1 << address_row[225:224]) == bytes_now));
  assign matched = waiting & {matched_masked_8, matched_masked_7, matched_masked_6, matched_masked_5,
      matched_masked_4, matched_masked_3, matched_masked_2, matched_masked};
  assign go = loaded & (|visits) & (in_round | store_now | may_begin) & (!complete | request_taken);
  assign last_now = go & !(|(visits & ~beat_hit));
  assign finish_now = busy_now & loaded & !(|visits_joined) & !complete;
  // Words of the line: gathered beat by beat, from the highest lane that wants each.
  assign data_row = data[round_beat];
  wire hit0_masked = matched[1] & (address_row[37:34] == 4'h0);
  wire hit0_masked_2 = matched[2] & (address_row[69:66] == 4'h0);
  wire hit0_masked_3 = matched[3] & (address_row[101:98] == 4'h0);
  wire hit0_masked_4 = matched[4] & (address_row[133:130] == 4'h0);
  wire hit0_masked_5 = matched[5] & (address_row[165:162] == 4'h0);
  wire hit0_masked_6 = matched[6] & (address_row[197:194] == 4'h0);
  wire hit0_masked_7 = matched[7] & (address_row[229:226] == 4'h0);
  assign hit0 = matched[0] & (address_row[5:2] == 4'h0) | hit0_masked | hit0_masked_2 | hit0_masked_3 |
      hit0_masked_4 | hit0_masked_5 | hit0_masked_6 | hit0_masked_7;
  wire hit1_masked = matched[1] & (address_row[37:34] == 4'h1);
  wire hit1_masked_2 = matched[2] & (address_row[69:66] == 4'h1);
  wire hit1_masked_3 = matched[3] & (address_row[101:98] == 4'h1);
  wire hit1_masked_4 = matched[4] & (address_row[133:130] == 4'h1);
  wire hit1_masked_5 = matched[5] & (address_row[165:162] == 4'h1);
  wire hit1_masked_6 = matched[6] & (address_row[197:194] == 4'h1);
  wire hit1_masked_7 = matched[7] & (address_row[229:226] == 4'h1);
  assign hit1 = matched[0] & (address_row[5:2] == 4'h1) | hit1_masked | hit1_masked_2 | hit1_masked_3 |
      hit1_masked_4 | hit1_masked_5 | hit1_masked_6 | hit1_masked_7;
  wire hit2_masked = matched[1] & (address_row[37:34] == 4'h2);
  wire hit2_masked_2 = matched[2] & (address_row[69:66] == 4'h2);
  wire hit2_masked_3 = matched[3] & (address_row[101:98] == 4'h2);
  wire hit2_masked_4 = matched[4] & (address_row[133:130] == 4'h2);
  wire hit2_masked_5 = matched[5] & (address_row[165:162] == 4'h2);
  wire hit2_masked_6 = matched[6] & (address_row[197:194] == 4'h2);
  wire hit2_masked_7 = matched[7] & (address_row[229:226] == 4'h2);
  assign hit2 = matched[0] & (address_row[5:2] == 4'h2) | hit2_masked | hit2_masked_2 | hit2_masked_3 |
      hit2_masked_4 | hit2_masked_5 | hit2_masked_6 | hit2_masked_7;
  wire hit3_masked = matched[1] & (address_row[37:34] == 4'h3);
  wire hit3_masked_2 = matched[2] & (address_row[69:66] == 4'h3);
  wire hit3_masked_3 = matched[3] & (address_row[101:98] == 4'h3);
  wire hit3_masked_4 = matched[4] & (address_row[133:130] == 4'h3);
  wire hit3_masked_5 = matched[5] & (address_row[165:162] == 4'h3);
  wire hit3_masked_6 = matched[6] & (address_row[197:194] == 4'h3);
  wire hit3_masked_7 = matched[7] & (address_row[229:226] == 4'h3);
  assign hit3 = matched[0] & (address_row[5:2] == 4'h3) | hit3_masked | hit3_masked_2 | hit3_masked_3 |
      hit3_masked_4 | hit3_masked_5 | hit3_masked_6 | hit3_masked_7;
  wire hit4_masked = matched[1] & (address_row[37:34] == 4'h4);
  wire hit4_masked_2 = matched[2] & (address_row[69:66] == 4'h4);
  wire hit4_masked_3 = matched[3] & (address_row[101:98] == 4'h4);
  wire hit4_masked_4 = matched[4] & (address_row[133:130] == 4'h4);
  wire hit4_masked_5 = matched[5] & (address_row[165:162] == 4'h4);
  wire hit4_masked_6 = matched[6] & (address_row[197:194] == 4'h4);
  wire hit4_masked_7 = matched[7] & (address_row[229:226] == 4'h4);
  assign hit4 = matched[0] & (address_row[5:2] == 4'h4) | hit4_masked | hit4_masked_2 | hit4_masked_3 |
      hit4_masked_4 | hit4_masked_5 | hit4_masked_6 | hit4_masked_7;
  wire hit5_masked = matched[1] & (address_row[37:34] == 4'h5);
  wire hit5_masked_2 = matched[2] & (address_row[69:66] == 4'h5);
  wire hit5_masked_3 = matched[3] & (address_row[101:98] == 4'h5);
  wire hit5_masked_4 = matched[4] & (address_row[133:130] == 4'h5);
  wire hit5_masked_5 = matched[5] & (address_row[165:162] == 4'h5);
  wire hit5_masked_6 = matched[6] & (address_row[197:194] == 4'h5);
  wire hit5_masked_7 = matched[7] & (address_row[229:226] == 4'h5);
  assign hit5 = matched[0] & (address_row[5:2] == 4'h5) | hit5_masked | hit5_masked_2 | hit5_masked_3 |
      hit5_masked_4 | hit5_masked_5 | hit5_masked_6 | hit5_masked_7;
  wire hit6_masked = matched[1] & (address_row[37:34] == 4'h6);
  wire hit6_masked_2 = matched[2] & (address_row[69:66] == 4'h6);
  wire hit6_masked_3 = matched[3] & (address_row[101:98] == 4'h6);
  wire hit6_masked_4 = matched[4] & (address_row[133:130] == 4'h6);
  wire hit6_masked_5 = matched[5] & (address_row[165:162] == 4'h6);
  wire hit6_masked_6 = matched[6] & (address_row[197:194] == 4'h6);
  wire hit6_masked_7 = matched[7] & (address_row[229:226] == 4'h6);
  assign hit6 = matched[0] & (address_row[5:2] == 4'h6) | hit6_masked | hit6_masked_2 | hit6_masked_3 |
      hit6_masked_4 | hit6_masked_5 | hit6_masked_6 | hit6_masked_7;
  wire hit7_masked = matched[1] & (address_row[37:34] == 4'h7);
  wire hit7_masked_2 = matched[2] & (address_row[69:66] == 4'h7);
  wire hit7_masked_3 = matched[3] & (address_row[101:98] == 4'h7);
  wire hit7_masked_4 = matched[4] & (address_row[133:130] == 4'h7);
  wire hit7_masked_5 = matched[5] & (address_row[165:162] == 4'h7);
  wire hit7_masked_6 = matched[6] & (address_row[197:194] == 4'h7);
  wire hit7_masked_7 = matched[7] & (address_row[229:226] == 4'h7);
  assign hit7 = matched[0] & (address_row[5:2] == 4'h7) | hit7_masked | hit7_masked_2 | hit7_masked_3 |
      hit7_masked_4 | hit7_masked_5 | hit7_masked_6 | hit7_masked_7;
  wire hit8_masked = matched[1] & (address_row[37:34] == 4'h8);
  wire hit8_masked_2 = matched[2] & (address_row[69:66] == 4'h8);
  wire hit8_masked_3 = matched[3] & (address_row[101:98] == 4'h8);
  wire hit8_masked_4 = matched[4] & (address_row[133:130] == 4'h8);
  wire hit8_masked_5 = matched[5] & (address_row[165:162] == 4'h8);
  wire hit8_masked_6 = matched[6] & (address_row[197:194] == 4'h8);
  wire hit8_masked_7 = matched[7] & (address_row[229:226] == 4'h8);
  assign hit8 = matched[0] & (address_row[5:2] == 4'h8) | hit8_masked | hit8_masked_2 | hit8_masked_3 |
      hit8_masked_4 | hit8_masked_5 | hit8_masked_6 | hit8_masked_7;
  wire hit9_masked = matched[1] & (address_row[37:34] == 4'h9);
  wire hit9_masked_2 = matched[2] & (address_row[69:66] == 4'h9);
  wire hit9_masked_3 = matched[3] & (address_row[101:98] == 4'h9);
  wire hit9_masked_4 = matched[4] & (address_row[133:130] == 4'h9);
  wire hit9_masked_5 = matched[5] & (address_row[165:162] == 4'h9);
  wire hit9_masked_6 = matched[6] & (address_row[197:194] == 4'h9);
  wire hit9_masked_7 = matched[7] & (address_row[229:226] == 4'h9);
  assign hit9 = matched[0] & (address_row[5:2] == 4'h9) | hit9_masked | hit9_masked_2 | hit9_masked_3 |
      hit9_masked_4 | hit9_masked_5 | hit9_masked_6 | hit9_masked_7;
  wire hit10_masked = matched[1] & (address_row[37:34] == 4'ha);
  wire hit10_masked_2 = matched[2] & (address_row[69:66] == 4'ha);
  wire hit10_masked_3 = matched[3] & (address_row[101:98] == 4'ha);
  wire hit10_masked_4 = matched[4] & (address_row[133:130] == 4'ha);
  wire hit10_masked_5 = matched[5] & (address_row[165:162] == 4'ha);
  wire hit10_masked_6 = matched[6] & (address_row[197:194] == 4'ha);
  wire hit10_masked_7 = matched[7] & (address_row[229:226] == 4'ha);
  assign hit10 = matched[0] & (address_row[5:2] == 4'ha) | hit10_masked | hit10_masked_2 | hit10_masked_3 |
      hit10_masked_4 | hit10_masked_5 | hit10_masked_6 | hit10_masked_7;
  wire hit11_masked = matched[1] & (address_row[37:34] == 4'hb);
  wire hit11_masked_2 = matched[2] & (address_row[69:66] == 4'hb);
  wire hit11_masked_3 = matched[3] & (address_row[101:98] == 4'hb);
  wire hit11_masked_4 = matched[4] & (address_row[133:130] == 4'hb);
  wire hit11_masked_5 = matched[5] & (address_row[165:162] == 4'hb);
  wire hit11_masked_6 = matched[6] & (address_row[197:194] == 4'hb);
  wire hit11_masked_7 = matched[7] & (address_row[229:226] == 4'hb);
  assign hit11 = matched[0] & (address_row[5:2] == 4'hb) | hit11_masked | hit11_masked_2 | hit11_masked_3 |
      hit11_masked_4 | hit11_masked_5 | hit11_masked_6 | hit11_masked_7;
  wire hit12_masked = matched[1] & (address_row[37:34] == 4'hc);
  wire hit12_masked_2 = matched[2] & (address_row[69:66] == 4'hc);
  wire hit12_masked_3 = matched[3] & (address_row[101:98] == 4'hc);
  wire hit12_masked_4 = matched[4] & (address_row[133:130] == 4'hc);
  wire hit12_masked_5 = matched[5] & (address_row[165:162] == 4'hc);
  wire hit12_masked_6 = matched[6] & (address_row[197:194] == 4'hc);
  wire hit12_masked_7 = matched[7] & (address_row[229:226] == 4'hc);
  assign hit12 = matched[0] & (address_row[5:2] == 4'hc) | hit12_masked | hit12_masked_2 | hit12_masked_3 |
      hit12_masked_4 | hit12_masked_5 | hit12_masked_6 | hit12_masked_7;
  wire hit13_masked = matched[1] & (address_row[37:34] == 4'hd);
  wire hit13_masked_2 = matched[2] & (address_row[69:66] == 4'hd);
  wire hit13_masked_3 = matched[3] & (address_row[101:98] == 4'hd);
  wire hit13_masked_4 = matched[4] & (address_row[133:130] == 4'hd);
  wire hit13_masked_5 = matched[5] & (address_row[165:162] == 4'hd);
  wire hit13_masked_6 = matched[6] & (address_row[197:194] == 4'hd);
  wire hit13_masked_7 = matched[7] & (address_row[229:226] == 4'hd);
  assign hit13 = matched[0] & (address_row[5:2] == 4'hd) | hit13_masked | hit13_masked_2 | hit13_masked_3 |
      hit13_masked_4 | hit13_masked_5 | hit13_masked_6 | hit13_masked_7;
  wire hit14_masked = matched[1] & (address_row[37:34] == 4'he);
  wire hit14_masked_2 = matched[2] & (address_row[69:66] == 4'he);
  wire hit14_masked_3 = matched[3] & (address_row[101:98] == 4'he);
  wire hit14_masked_4 = matched[4] & (address_row[133:130] == 4'he);
  wire hit14_masked_5 = matched[5] & (address_row[165:162] == 4'he);
  wire hit14_masked_6 = matched[6] & (address_row[197:194] == 4'he);
  wire hit14_masked_7 = matched[7] & (address_row[229:226] == 4'he);
  assign hit14 = matched[0] & (address_row[5:2] == 4'he) | hit14_masked | hit14_masked_2 | hit14_masked_3 |
      hit14_masked_4 | hit14_masked_5 | hit14_masked_6 | hit14_masked_7;
  wire hit15_masked = matched[1] & (address_row[37:34] == 4'hf);
  wire hit15_masked_2 = matched[2] & (address_row[69:66] == 4'hf);
  wire hit15_masked_3 = matched[3] & (address_row[101:98] == 4'hf);
  wire hit15_masked_4 = matched[4] & (address_row[133:130] == 4'hf);
  wire hit15_masked_5 = matched[5] & (address_row[165:162] == 4'hf);
  wire hit15_masked_6 = matched[6] & (address_row[197:194] == 4'hf);
  wire hit15_masked_7 = matched[7] & (address_row[229:226] == 4'hf);
  assign hit15 = matched[0] & (address_row[5:2] == 4'hf) | hit15_masked | hit15_masked_2 | hit15_masked_3 |
      hit15_masked_4 | hit15_masked_5 | hit15_masked_6 | hit15_masked_7;
  assign busy = busy_now;
  assign row_valid = go & !store_now;
  assign row_beat = round_beat;
  assign row_match = matched;
  assign row_offset = {address_row[229:224], address_row[197:192], address_row[165:160],
      address_row[133:128], address_row[101:96], address_row[69:64], address_row[37:32], address_row[5:0]};
  assign begin_ = go & !in_round & !store_now;
  assign last = last_now & !store_now;
  assign finish = finish_now;
  assign request_valid = complete;
  assign request_store = store_now;
  assign request_line = line;
  assign request_words = word_mask;
  assign request_bytes = lane_bytes;
  assign request_data = line_data;

  wire next_masked = row_arrives & (beat == 2'h3);
  wire [15:0] next_joined = {hit15, hit14, hit13, hit12, hit11, hit10, hit9, hit8, hit7, hit6, hit5, hit4,
      hit3, hit2, hit1, hit0};
  always @(posedge clock) begin
    if (reset) begin
      busy_now <= 1'b0;
      complete <= 1'b0;
      store_now <= 1'b0;
      size_now <= 3'h0;
      pending0 <= 8'h00;
      pending1 <= 8'h00;
      pending2 <= 8'h00;
      pending3 <= 8'h00;
      in_round <= 1'b0;
      todo <= 4'h0;
      line <= 26'h0000000;
      lane_bytes <= 4'h0;
      loaded <= 1'b0;
      word_mask <= 16'h0000;
    end else begin
      if (go) begin
        in_round <= !last_now;
        todo <= visits & ~beat_hit;
        line <= line_now;
        lane_bytes <= bytes_now;
      end
      complete <= last_now | complete & !request_taken;
      pending0 <= (row_arrives & (beat == 2'h0)) ? active : pending0 & ~(matched & {8{go & beat_hit[0]}});
      pending1 <= (row_arrives & (beat == 2'h1)) ? active : pending1 & ~(matched & {8{go & beat_hit[1]}});
      pending2 <= (row_arrives & (beat == 2'h2)) ? active : pending2 & ~(matched & {8{go & beat_hit[2]}});
      pending3 <= next_masked ? active : pending3 & ~(matched & {8{go & beat_hit[3]}});
      if (go) begin
        word_mask <= (go & !in_round) ? next_joined : word_mask | next_joined;
      end
      if (reserve) begin
        busy_now <= 1'b1;
        store_now <= store;
        size_now <= size;
      end
      if (next_masked) begin
        loaded <= 1'b1;
      end
      if (finish_now) begin
        busy_now <= 1'b0;
        loaded <= 1'b0;
      end
    end
  end

  wire [31:0] next_choice = bytes_now_inverse ? data_row[31:0] : bytes_now_merged ? {2{data_row[15:0]}} :
      {4{data_row[7:0]}};
  wire [31:0] next_choice_2 = bytes_now_inverse ? data_row[63:32] : bytes_now_merged ? {2{data_row[47:32]}} :
      {4{data_row[39:32]}};
  wire [31:0] next_choice_3 = bytes_now_inverse ? data_row[95:64] : bytes_now_merged ? {2{data_row[79:64]}} :
      {4{data_row[71:64]}};
  wire [31:0] next_choice_4 = bytes_now_inverse ? data_row[127:96] : bytes_now_merged ? {2{data_row[111:96]}}
      : {4{data_row[103:96]}};
  wire [31:0] next_choice_5 = bytes_now_inverse ? data_row[159:128] : bytes_now_merged ?
      {2{data_row[143:128]}} : {4{data_row[135:128]}};
  wire [31:0] next_choice_6 = bytes_now_inverse ? data_row[191:160] : bytes_now_merged ?
      {2{data_row[175:160]}} : {4{data_row[167:160]}};
  wire [31:0] next_choice_7 = bytes_now_inverse ? data_row[223:192] : bytes_now_merged ?
      {2{data_row[207:192]}} : {4{data_row[199:192]}};
  wire [31:0] next_choice_8 = bytes_now_inverse ? data_row[255:224] : bytes_now_merged ?
      {2{data_row[239:224]}} : {4{data_row[231:224]}};
  always @(posedge clock) begin
    if (go & hit0 & store_now) begin
      line_data[31:0] <= hit0_masked_7 ? next_choice_8 : hit0_masked_6 ? next_choice_7 : hit0_masked_5 ?
          next_choice_6 : hit0_masked_4 ? next_choice_5 : hit0_masked_3 ? next_choice_4 : hit0_masked_2 ?
          next_choice_3 : hit0_masked ? next_choice_2 : next_choice;
    end
    if (go & hit1 & store_now) begin
      line_data[63:32] <= hit1_masked_7 ? next_choice_8 : hit1_masked_6 ? next_choice_7 : hit1_masked_5 ?
          next_choice_6 : hit1_masked_4 ? next_choice_5 : hit1_masked_3 ? next_choice_4 : hit1_masked_2 ?
          next_choice_3 : hit1_masked ? next_choice_2 : next_choice;
    end
    if (go & hit2 & store_now) begin
      line_data[95:64] <= hit2_masked_7 ? next_choice_8 : hit2_masked_6 ? next_choice_7 : hit2_masked_5 ?
          next_choice_6 : hit2_masked_4 ? next_choice_5 : hit2_masked_3 ? next_choice_4 : hit2_masked_2 ?
          next_choice_3 : hit2_masked ? next_choice_2 : next_choice;
    end
    if (go & hit3 & store_now) begin
      line_data[127:96] <= hit3_masked_7 ? next_choice_8 : hit3_masked_6 ? next_choice_7 : hit3_masked_5 ?
          next_choice_6 : hit3_masked_4 ? next_choice_5 : hit3_masked_3 ? next_choice_4 : hit3_masked_2 ?
          next_choice_3 : hit3_masked ? next_choice_2 : next_choice;
    end
    if (go & hit4 & store_now) begin
      line_data[159:128] <= hit4_masked_7 ? next_choice_8 : hit4_masked_6 ? next_choice_7 : hit4_masked_5 ?
          next_choice_6 : hit4_masked_4 ? next_choice_5 : hit4_masked_3 ? next_choice_4 : hit4_masked_2 ?
          next_choice_3 : hit4_masked ? next_choice_2 : next_choice;
    end
    if (go & hit5 & store_now) begin
      line_data[191:160] <= hit5_masked_7 ? next_choice_8 : hit5_masked_6 ? next_choice_7 : hit5_masked_5 ?
          next_choice_6 : hit5_masked_4 ? next_choice_5 : hit5_masked_3 ? next_choice_4 : hit5_masked_2 ?
          next_choice_3 : hit5_masked ? next_choice_2 : next_choice;
    end
    if (go & hit6 & store_now) begin
      line_data[223:192] <= hit6_masked_7 ? next_choice_8 : hit6_masked_6 ? next_choice_7 : hit6_masked_5 ?
          next_choice_6 : hit6_masked_4 ? next_choice_5 : hit6_masked_3 ? next_choice_4 : hit6_masked_2 ?
          next_choice_3 : hit6_masked ? next_choice_2 : next_choice;
    end
    if (go & hit7 & store_now) begin
      line_data[255:224] <= hit7_masked_7 ? next_choice_8 : hit7_masked_6 ? next_choice_7 : hit7_masked_5 ?
          next_choice_6 : hit7_masked_4 ? next_choice_5 : hit7_masked_3 ? next_choice_4 : hit7_masked_2 ?
          next_choice_3 : hit7_masked ? next_choice_2 : next_choice;
    end
    if (go & hit8 & store_now) begin
      line_data[287:256] <= hit8_masked_7 ? next_choice_8 : hit8_masked_6 ? next_choice_7 : hit8_masked_5 ?
          next_choice_6 : hit8_masked_4 ? next_choice_5 : hit8_masked_3 ? next_choice_4 : hit8_masked_2 ?
          next_choice_3 : hit8_masked ? next_choice_2 : next_choice;
    end
    if (go & hit9 & store_now) begin
      line_data[319:288] <= hit9_masked_7 ? next_choice_8 : hit9_masked_6 ? next_choice_7 : hit9_masked_5 ?
          next_choice_6 : hit9_masked_4 ? next_choice_5 : hit9_masked_3 ? next_choice_4 : hit9_masked_2 ?
          next_choice_3 : hit9_masked ? next_choice_2 : next_choice;
    end
    if (go & hit10 & store_now) begin
      line_data[351:320] <= hit10_masked_7 ? next_choice_8 : hit10_masked_6 ? next_choice_7 : hit10_masked_5
          ? next_choice_6 : hit10_masked_4 ? next_choice_5 : hit10_masked_3 ? next_choice_4 : hit10_masked_2
          ? next_choice_3 : hit10_masked ? next_choice_2 : next_choice;
    end
    if (go & hit11 & store_now) begin
      line_data[383:352] <= hit11_masked_7 ? next_choice_8 : hit11_masked_6 ? next_choice_7 : hit11_masked_5
          ? next_choice_6 : hit11_masked_4 ? next_choice_5 : hit11_masked_3 ? next_choice_4 : hit11_masked_2
          ? next_choice_3 : hit11_masked ? next_choice_2 : next_choice;
    end
    if (go & hit12 & store_now) begin
      line_data[415:384] <= hit12_masked_7 ? next_choice_8 : hit12_masked_6 ? next_choice_7 : hit12_masked_5
          ? next_choice_6 : hit12_masked_4 ? next_choice_5 : hit12_masked_3 ? next_choice_4 : hit12_masked_2
          ? next_choice_3 : hit12_masked ? next_choice_2 : next_choice;
    end
    if (go & hit13 & store_now) begin
      line_data[447:416] <= hit13_masked_7 ? next_choice_8 : hit13_masked_6 ? next_choice_7 : hit13_masked_5
          ? next_choice_6 : hit13_masked_4 ? next_choice_5 : hit13_masked_3 ? next_choice_4 : hit13_masked_2
          ? next_choice_3 : hit13_masked ? next_choice_2 : next_choice;
    end
    if (go & hit14 & store_now) begin
      line_data[479:448] <= hit14_masked_7 ? next_choice_8 : hit14_masked_6 ? next_choice_7 : hit14_masked_5
          ? next_choice_6 : hit14_masked_4 ? next_choice_5 : hit14_masked_3 ? next_choice_4 : hit14_masked_2
          ? next_choice_3 : hit14_masked ? next_choice_2 : next_choice;
    end
    if (go & hit15 & store_now) begin
      line_data[511:480] <= hit15_masked_7 ? next_choice_8 : hit15_masked_6 ? next_choice_7 : hit15_masked_5
          ? next_choice_6 : hit15_masked_4 ? next_choice_5 : hit15_masked_3 ? next_choice_4 : hit15_masked_2
          ? next_choice_3 : hit15_masked ? next_choice_2 : next_choice;
    end
  end

  always @(posedge clock) begin
    if (row_arrives) begin
      addresses[beat] <= address;
    end
  end

  always @(posedge clock) begin
    if (row_arrives) begin
      data[beat] <= store_data;
    end
  end

`ifdef WARPMESH_ASSERT
  always @(posedge clock) begin
    if (!reset) begin
      if (!(!reserve | !busy_now)) begin
        $display("%m: assertion failed: a memory instruction comes when the coalescer is free");
        $stop;
      end
      if (!(!row_arrives | busy_now & !loaded)) begin
        $display("%m: assertion failed: beats come for a reserved instruction");
        $stop;
      end
      if (!(!(go & !in_round) | (|matched))) begin
        $display("%m: assertion failed: a round serves at least its first thread");
        $stop;
      end
    end
  end
`endif
endmodule

`default_nettype wire
