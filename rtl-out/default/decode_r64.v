// decode_r64
//
// Splits an instruction into hazards (for the scoreboard) and controls (for the pipeline).
//
// Parameters: r = 64
// Made by: warpmesh export default
// Configuration: default
`default_nettype none

module decode_r64 (
`ifdef WARPMESH_ASSERT
    input wire reset,
    input wire clock,
`endif
    input wire [63:0] instruction,
    output wire [47:0] hazards,
    output wire [101:0] controls
);
  wire store;
  wire predicate_result;
  wire a_used;
  wire b_used;
  wire [7:0] c;
  wire c_used;
  wire d_used;
  wire [2:0] q;
  wire p_used;
  wire [6:0] predicates_written;
  wire uncached;
  wire \global ;
  wire shared;
  wire \parameter ;
  wire barrier;
  wire exit;
  wire lane_result;
  wire [2:0] negate;

  wire store_merged = (instruction[63:56] == 8'hc9) | (instruction[63:56] == 8'hcb);
  assign store = (instruction[63:56] == 8'hc0) | (instruction[63:56] == 8'hc1) | (instruction[63:56] ==
      8'hc3) | (instruction[63:56] == 8'hc8) | store_merged;
  assign predicate_result = (instruction[63:56] == 8'h40) | (instruction[63:56] == 8'h41) |
      (instruction[63:56] == 8'h42) | (instruction[63:56] == 8'h43);
  wire a_used_merged = (instruction[63:56] == 8'ha8) | (instruction[63:56] == 8'ha9) | (instruction[63:56] ==
      8'haa) | (instruction[63:56] == 8'hab);
  wire a_used_merged_2 = (instruction[63:56] == 8'hc1) | (instruction[63:56] == 8'hc3);
  wire a_used_merged_3 = (instruction[63:56] == 8'hba) | (instruction[63:56] == 8'hbb);
  wire a_used_merged_4 = (instruction[63:56] == 8'hb8) | (instruction[63:56] == 8'hb9);
  wire a_used_merged_5 = (instruction[63:56] == 8'h2e) | (instruction[63:56] == 8'h2f);
  wire a_used_merged_6 = (instruction[63:56] == 8'h2c) | (instruction[63:56] == 8'h2d);
  wire a_used_merged_7 = (instruction[63:56] == 8'h2a) | (instruction[63:56] == 8'h2b);
  wire a_used_merged_8 = (instruction[63:56] == 8'h28) | (instruction[63:56] == 8'h29);
  wire a_used_merged_9 = (instruction[63:56] == 8'h26) | (instruction[63:56] == 8'h27);
  wire a_used_merged_10 = (instruction[63:56] == 8'h24) | (instruction[63:56] == 8'h25);
  wire a_used_merged_11 = (instruction[63:56] == 8'h22) | (instruction[63:56] == 8'h23);
  wire a_used_merged_12 = (instruction[63:56] == 8'h82) | (instruction[63:56] == 8'h83);
  wire a_used_merged_13 = (instruction[63:56] == 8'h80) | (instruction[63:56] == 8'h81);
  wire a_used_merged_14 = (instruction[63:56] == 8'h62) | (instruction[63:56] == 8'h63);
  wire a_used_merged_15 = (instruction[63:56] == 8'h60) | (instruction[63:56] == 8'h61);
  wire a_used_merged_16 = (instruction[63:56] == 8'h41) | (instruction[63:56] == 8'h42);
  wire a_used_merged_17 = (instruction[63:56] == 8'h30) | (instruction[63:56] == 8'h40);
  wire a_used_merged_18 = (instruction[63:56] == 8'hcb) | (instruction[63:56] == 8'hd0) | (instruction[63:56]
      == 8'hd1) | (instruction[63:56] == 8'hd2);
  wire a_used_merged_19 = a_used_merged_18 | (instruction[63:56] == 8'hd3) | (instruction[63:56] == 8'hd4) |
      (instruction[63:56] == 8'hd8);
  wire a_used_merged_20 = a_used_merged_3 | (instruction[63:56] == 8'hbc) | (instruction[63:56] == 8'hc0) |
      a_used_merged_2 | (instruction[63:56] == 8'hc8) | (instruction[63:56] == 8'hc9);
  wire a_used_merged_21 = (instruction[63:56] == 8'ha1) | (instruction[63:56] == 8'ha2) | (instruction[63:56]
      == 8'ha3) | (instruction[63:56] == 8'ha4);
  wire a_used_merged_22 = a_used_merged_16 | a_used_merged_15 | a_used_merged_14 | a_used_merged_13 |
      a_used_merged_12 | (instruction[63:56] == 8'h84) | (instruction[63:56] == 8'ha0) | a_used_merged_21;
  wire a_used_merged_23 = a_used_merged_11 | a_used_merged_10 | a_used_merged_9 | a_used_merged_8 |
      a_used_merged_7 | a_used_merged_6 | a_used_merged_5 | a_used_merged_17 | a_used_merged_22;
  assign a_used = (a_used_merged_23 | a_used_merged | (instruction[63:56] == 8'hac) | (instruction[63:56] ==
      8'hb0) | a_used_merged_4 | a_used_merged_20 | a_used_merged_19) & (instruction[42:35] != 8'hff);
  wire b_used_merged = (instruction[63:56] == 8'h20) | (instruction[63:56] == 8'h21) | a_used_merged_11 |
      a_used_merged_10 | a_used_merged_9 | a_used_merged_8 | a_used_merged_7 | a_used_merged_6 |
      a_used_merged_5;
  wire b_used_merged_2 = a_used_merged_13 | a_used_merged_12 | (instruction[63:56] == 8'h84) |
      (instruction[63:56] == 8'h85) | (instruction[63:56] == 8'h86) | (instruction[63:56] == 8'h87);
  wire b_used_masked = (b_used_merged | a_used_merged_17 | a_used_merged_16 | a_used_merged_15 |
      a_used_merged_14 | b_used_merged_2 | (instruction[63:56] == 8'h88)) & !instruction[55];
  assign b_used = b_used_masked & (instruction[7:0] != 8'hff);
  // A store reads its data through the third operand port.
  assign c = store ? instruction[50:43] : instruction[23:16];
  assign c_used = (store | ((instruction[63:56] == 8'h63) | (instruction[63:56] == 8'h82)) &
      !instruction[55]) & (c != 8'hff);
  wire d_used_merged = (instruction[63:56] == 8'hd2) | (instruction[63:56] == 8'hd3);
  wire d_used_merged_2 = (instruction[63:56] == 8'hd0) | (instruction[63:56] == 8'hd1);
  wire d_used_merged_3 = (instruction[63:56] == 8'ha2) | (instruction[63:56] == 8'ha3);
  wire d_used_merged_4 = (instruction[63:56] == 8'ha0) | (instruction[63:56] == 8'ha1);
  wire d_used_merged_5 = (instruction[63:56] == 8'hb0) | (instruction[63:56] == 8'hb8) | (instruction[63:56]
      == 8'hb9) | (instruction[63:56] == 8'hba);
  wire d_used_merged_6 = d_used_merged_5 | (instruction[63:56] == 8'hbb) | (instruction[63:56] == 8'hbc) |
      d_used_merged_2;
  wire d_used_merged_7 = (instruction[63:56] == 8'ha9) | (instruction[63:56] == 8'haa) | (instruction[63:56]
      == 8'hab) | (instruction[63:56] == 8'hac);
  wire d_used_merged_8 = d_used_merged_3 | (instruction[63:56] == 8'ha4) | (instruction[63:56] == 8'ha8) |
      d_used_merged_7 | d_used_merged_6;
  wire d_used_merged_9 = (instruction[63:56] == 8'h83) | (instruction[63:56] == 8'h84) | (instruction[63:56]
      == 8'h85) | (instruction[63:56] == 8'h86);
  wire d_used_merged_10 = (instruction[63:56] == 8'h63) | (instruction[63:56] == 8'h80) | (instruction[63:56]
      == 8'h81) | (instruction[63:56] == 8'h82);
  wire d_used_merged_11 = (instruction[63:56] == 8'h30) | (instruction[63:56] == 8'h60) | (instruction[63:56]
      == 8'h61) | (instruction[63:56] == 8'h62) | d_used_merged_10;
  wire d_used_merged_12 = b_used_merged | d_used_merged_11 | d_used_merged_9 | (instruction[63:56] == 8'h87)
      | (instruction[63:56] == 8'h88) | d_used_merged_4;
  assign d_used = (d_used_merged_12 | d_used_merged_8 | d_used_merged | (instruction[63:56] == 8'hd4) |
      (instruction[63:56] == 8'hd8)) & (instruction[50:43] != 8'hff);
  assign q = instruction[2:0];
  assign p_used = a_used_merged_10 | (instruction[63:56] == 8'h30) | (instruction[63:56] == 8'h43);
  // Predicate 7 is constant and never waited for: only seven bits.
  assign predicates_written = (7'h01 << instruction[45:43]) & {7{predicate_result}};
  assign uncached = a_used_merged_4 | a_used_merged_3 | (instruction[63:56] == 8'hbc);
  wire global_merged = d_used_merged_4 | d_used_merged_3 | (instruction[63:56] == 8'ha4) |
      (instruction[63:56] == 8'hc0) | a_used_merged_2 | (instruction[63:56] == 8'hd8) | uncached;
  assign \global  = global_merged | d_used_merged_2 | d_used_merged | (instruction[63:56] == 8'hd4);
  assign shared = a_used_merged | (instruction[63:56] == 8'hac) | (instruction[63:56] == 8'hc8) |
      store_merged;
  assign \parameter  = instruction[63:56] == 8'hb0;
  assign barrier = instruction[63:56] == 8'h02;
  assign exit = instruction[63:56] == 8'h03;
  assign lane_result = d_used & !\global  & !shared;
  wire hazards_merged = barrier | exit | (instruction[63:56] == 8'h04);
  wire [6:0] hazards_merged_2 = (7'h01 << instruction[54:52]) | (7'h01 << instruction[34:32]) & {7{p_used}} |
      (7'h01 << q) & {7{instruction[63:56] == 8'h43}};
  assign hazards = {uncached, a_used, instruction[40:35], b_used, instruction[5:0], c_used, c[5:0], d_used,
      instruction[48:43], hazards_merged_2 | predicates_written, predicates_written, \global  & !store,
      \global  & store, shared, hazards_merged, lane_result};
  assign negate = {instruction[29], instruction[28], instruction[27]} & {3{!instruction[55]}};
  wire controls_masked = d_used & (\global  | shared);
  wire controls_masked_2 = predicate_result & (|predicates_written);
  wire controls_masked_3 = instruction[31] & !instruction[55];
  assign controls = {instruction[63:56], instruction[49:46], instruction[54:52], instruction[51], p_used ?
      instruction[34:32] : 3'h7, controls_masked_3, q, instruction[3], instruction[40:35], a_used,
      instruction[5:0], b_used, c[5:0], c_used, instruction[48:43], instruction[45:43], lane_result,
      controls_masked_2, negate, instruction[55], instruction[31:0], instruction[63:56] == 8'h01, barrier,
      exit, instruction[63:56] == 8'h21, \parameter , \global , uncached, shared, store, controls_masked};

`ifdef WARPMESH_ASSERT
  wire claim_merged = a_used & (|instruction[42:41]) | b_used & (|instruction[7:6]) | c_used & (|c[7:6]);
  always @(posedge clock) begin
    if (!reset) begin
      if (!(!(claim_merged | d_used & (|instruction[50:49])))) begin
        $display("%m: assertion failed: the registers that an instruction names exist");
        $stop;
      end
    end
  end
`endif
endmodule

`default_nettype wire
