// fp32_fma_registers3
//
// Single-precision fused multiply-add, round to nearest even.
//
// Parameters: registers = 3
// Made by: warpmesh export default
// Configuration: default
`default_nettype none

module fp32_fma_registers3 (
    input wire clock,
    input wire [31:0] a, // A factor.
    input wire [31:0] b, // The other one.
    input wire [31:0] c, // What is added.
    input wire [2:0] enable, // Enable of each register within.
    output wire [31:0] y // The result.
);
  wire [25:0] product_level0_0_either;
  wire [25:0] product_level0_0_sum;
  wire [25:0] product_level0_0_carry;
  wire [25:0] product_level0_1_either;
  wire [25:0] product_level0_1_sum;
  wire [25:0] product_level0_1_carry;
  wire [25:0] product_level0_2_either;
  wire [25:0] product_level0_2_sum;
  wire [25:0] product_level0_2_carry;
  wire [25:0] product_level0_3_either;
  wire [25:0] product_level0_3_sum;
  wire [25:0] product_level0_3_carry;
  wire [25:0] product_level0_4_either;
  wire [25:0] product_level0_4_sum;
  wire [25:0] product_level0_4_carry;
  wire [25:0] product_level0_5_either;
  wire [25:0] product_level0_5_sum;
  wire [25:0] product_level0_5_carry;
  wire [25:0] product_level0_6_either;
  wire [25:0] product_level0_6_sum;
  wire [25:0] product_level0_6_carry;
  wire [25:0] product_level0_7_either;
  wire [25:0] product_level0_7_sum;
  wire [25:0] product_level0_7_carry;
  wire [28:0] product_level1_0_either;
  wire [28:0] product_level1_0_sum;
  wire [28:0] product_level1_0_carry;
  wire [28:0] product_level1_1_either;
  wire [28:0] product_level1_1_sum;
  wire [28:0] product_level1_1_carry;
  wire [28:0] product_level1_2_either;
  wire [28:0] product_level1_2_sum;
  wire [28:0] product_level1_2_carry;
  wire [28:0] product_level1_3_either;
  wire [28:0] product_level1_3_sum;
  wire [28:0] product_level1_3_carry;
  wire [28:0] product_level1_4_either;
  wire [28:0] product_level1_4_sum;
  wire [28:0] product_level1_4_carry;
  wire [32:0] product_level2_0_either;
  wire [32:0] product_level2_0_sum;
  wire [32:0] product_level2_0_carry;
  wire [33:0] product_level2_1_either;
  wire [33:0] product_level2_1_sum;
  wire [33:0] product_level2_1_carry;
  wire [33:0] product_level2_2_either;
  wire [33:0] product_level2_2_sum;
  wire [33:0] product_level2_2_carry;
  wire [38:0] product_level3_0_either;
  wire [38:0] product_level3_0_sum;
  wire [38:0] product_level3_0_carry;
  wire [41:0] product_level3_1_either;
  wire [41:0] product_level3_1_sum;
  /* verilator lint_off UNUSED */ // bits 41 are not read
  wire [41:0] product_level3_1_carry;
  /* verilator lint_on UNUSED */
  wire [47:0] product_level4_0_either;
  wire [47:0] product_level4_0_sum;
  /* verilator lint_off UNUSED */ // bits 47 are not read
  wire [47:0] product_level4_0_carry;
  /* verilator lint_on UNUSED */
  wire [40:0] product_level4_1_either;
  wire [40:0] product_level4_1_sum;
  /* verilator lint_off UNUSED */ // bits 40 are not read
  wire [40:0] product_level4_1_carry;
  /* verilator lint_on UNUSED */
  wire [47:0] product_level5_0_either;
  wire [47:0] product_level5_0_sum;
  /* verilator lint_off UNUSED */ // bits 47 are not read
  wire [47:0] product_level5_0_carry;
  /* verilator lint_on UNUSED */
  wire [47:0] product_level6_0_either;
  wire [47:0] product_level6_0_sum;
  /* verilator lint_off UNUSED */ // bits 47 are not read
  wire [47:0] product_level6_0_carry;
  /* verilator lint_on UNUSED */
  wire [9:0] above_level0_0_either;
  wire [9:0] above_level0_0_sum;
  /* verilator lint_off UNUSED */ // bits 9 are not read
  wire [9:0] above_level0_0_carry;
  /* verilator lint_on UNUSED */
  wire [9:0] above_level1_0_either;
  wire [9:0] above_level1_0_sum;
  /* verilator lint_off UNUSED */ // bits 9 are not read
  wire [9:0] above_level1_0_carry;
  /* verilator lint_on UNUSED */
  wire [9:0] product_above;
  wire addend_rules;
  wire [9:0] exponent_level0_0_either;
  wire [9:0] exponent_level0_0_sum;
  /* verilator lint_off UNUSED */ // bits 9 are not read
  wire [9:0] exponent_level0_0_carry;
  /* verilator lint_on UNUSED */
  wire [6:0] places;
  wire far;
  wire [8:0] top_exponent;
  wire [4:0] signs;
  reg [47:0] stage1_product_sum;
  reg [47:0] stage1_product_carries;
  reg [23:0] stage1_addend;
  reg [6:0] stage1_places;
  reg stage1_far;
  reg [8:0] stage1_top_exponent;
  reg [4:0] stage1_signs;
  wire [99:0] shifted;
  wire [76:0] aligned;
  wire [77:0] total_level0_0_either;
  wire [77:0] total_level0_0_sum;
  /* verilator lint_off UNUSED */ // bits 77 are not read
  wire [77:0] total_level0_0_carry;
  /* verilator lint_on UNUSED */
  wire [77:0] sum;
  wire [77:0] sum_and_one;
  wire addend_wins;
  wire [76:0] magnitude;
  reg [76:0] stage2_magnitude;
  reg stage2_addend_wins;
  reg [8:0] stage2_top_exponent;
  reg [4:0] stage2_signs;
  wire [6:0] places_to_top;
  wire sign;
  reg [76:0] stage3_magnitude;
  reg [6:0] stage3_places_to_top;
  reg [8:0] stage3_room;
  reg stage3_sign;
  /* verilator lint_off UNUSED */ // bits 1:0 are not read
  reg [4:0] stage3_signs;
  /* verilator lint_on UNUSED */
  wire [25:0] value;
  wire [8:0] room;

  wire [23:0] product_level0_0_either_joined = {|a[30:23], a[22:0]};
  wire [25:0] product_level0_0_either_joined_2 = {{1'b0, product_level0_0_either_joined & {24{b[1]}}}, 1'b0};
  wire [25:0] product_level0_0_either_joined_3 = {2'h0, product_level0_0_either_joined & {24{b[0]}}};
  assign product_level0_0_either = product_level0_0_either_joined_3 ^ product_level0_0_either_joined_2;
  wire [25:0] product_level0_0_sum_joined = {product_level0_0_either_joined & {24{b[2]}}, 2'h0};
  assign product_level0_0_sum = product_level0_0_either ^ product_level0_0_sum_joined;
  assign product_level0_0_carry = product_level0_0_either_joined_3 & product_level0_0_either_joined_2 |
      product_level0_0_either & product_level0_0_sum_joined;
  wire [25:0] product_level0_1_either_joined = {{1'b0, product_level0_0_either_joined & {24{b[4]}}}, 1'b0};
  wire [25:0] product_level0_1_either_joined_2 = {2'h0, product_level0_0_either_joined & {24{b[3]}}};
  assign product_level0_1_either = product_level0_1_either_joined_2 ^ product_level0_1_either_joined;
  wire [25:0] product_level0_1_sum_joined = {product_level0_0_either_joined & {24{b[5]}}, 2'h0};
  assign product_level0_1_sum = product_level0_1_either ^ product_level0_1_sum_joined;
  assign product_level0_1_carry = product_level0_1_either_joined_2 & product_level0_1_either_joined |
      product_level0_1_either & product_level0_1_sum_joined;
  wire [25:0] product_level0_2_either_joined = {{1'b0, product_level0_0_either_joined & {24{b[7]}}}, 1'b0};
  wire [25:0] product_level0_2_either_joined_2 = {2'h0, product_level0_0_either_joined & {24{b[6]}}};
  assign product_level0_2_either = product_level0_2_either_joined_2 ^ product_level0_2_either_joined;
  wire [25:0] product_level0_2_sum_joined = {product_level0_0_either_joined & {24{b[8]}}, 2'h0};
  assign product_level0_2_sum = product_level0_2_either ^ product_level0_2_sum_joined;
  assign product_level0_2_carry = product_level0_2_either_joined_2 & product_level0_2_either_joined |
      product_level0_2_either & product_level0_2_sum_joined;
  wire [25:0] product_level0_3_either_joined = {{1'b0, product_level0_0_either_joined & {24{b[10]}}}, 1'b0};
  wire [25:0] product_level0_3_either_joined_2 = {2'h0, product_level0_0_either_joined & {24{b[9]}}};
  assign product_level0_3_either = product_level0_3_either_joined_2 ^ product_level0_3_either_joined;
  wire [25:0] product_level0_3_sum_joined = {product_level0_0_either_joined & {24{b[11]}}, 2'h0};
  assign product_level0_3_sum = product_level0_3_either ^ product_level0_3_sum_joined;
  assign product_level0_3_carry = product_level0_3_either_joined_2 & product_level0_3_either_joined |
      product_level0_3_either & product_level0_3_sum_joined;
  wire [25:0] product_level0_4_either_joined = {{1'b0, product_level0_0_either_joined & {24{b[13]}}}, 1'b0};
  wire [25:0] product_level0_4_either_joined_2 = {2'h0, product_level0_0_either_joined & {24{b[12]}}};
  assign product_level0_4_either = product_level0_4_either_joined_2 ^ product_level0_4_either_joined;
  wire [25:0] product_level0_4_sum_joined = {product_level0_0_either_joined & {24{b[14]}}, 2'h0};
  assign product_level0_4_sum = product_level0_4_either ^ product_level0_4_sum_joined;
  assign product_level0_4_carry = product_level0_4_either_joined_2 & product_level0_4_either_joined |
      product_level0_4_either & product_level0_4_sum_joined;
  wire [25:0] product_level0_5_either_joined = {{1'b0, product_level0_0_either_joined & {24{b[16]}}}, 1'b0};
  wire [25:0] product_level0_5_either_joined_2 = {2'h0, product_level0_0_either_joined & {24{b[15]}}};
  assign product_level0_5_either = product_level0_5_either_joined_2 ^ product_level0_5_either_joined;
  wire [25:0] product_level0_5_sum_joined = {product_level0_0_either_joined & {24{b[17]}}, 2'h0};
  assign product_level0_5_sum = product_level0_5_either ^ product_level0_5_sum_joined;
  assign product_level0_5_carry = product_level0_5_either_joined_2 & product_level0_5_either_joined |
      product_level0_5_either & product_level0_5_sum_joined;
  wire [25:0] product_level0_6_either_joined = {{1'b0, product_level0_0_either_joined & {24{b[19]}}}, 1'b0};
  wire [25:0] product_level0_6_either_joined_2 = {2'h0, product_level0_0_either_joined & {24{b[18]}}};
  assign product_level0_6_either = product_level0_6_either_joined_2 ^ product_level0_6_either_joined;
  wire [25:0] product_level0_6_sum_joined = {product_level0_0_either_joined & {24{b[20]}}, 2'h0};
  assign product_level0_6_sum = product_level0_6_either ^ product_level0_6_sum_joined;
  assign product_level0_6_carry = product_level0_6_either_joined_2 & product_level0_6_either_joined |
      product_level0_6_either & product_level0_6_sum_joined;
  wire [25:0] product_level0_7_either_joined = {{1'b0, product_level0_0_either_joined & {24{b[22]}}}, 1'b0};
  wire [25:0] product_level0_7_either_joined_2 = {2'h0, product_level0_0_either_joined & {24{b[21]}}};
  assign product_level0_7_either = product_level0_7_either_joined_2 ^ product_level0_7_either_joined;
  wire [25:0] product_level0_7_sum_joined = {product_level0_0_either_joined & {24{|b[30:23]}}, 2'h0};
  assign product_level0_7_sum = product_level0_7_either ^ product_level0_7_sum_joined;
  assign product_level0_7_carry = product_level0_7_either_joined_2 & product_level0_7_either_joined |
      product_level0_7_either & product_level0_7_sum_joined;
  wire [28:0] product_level1_0_either_joined = {{2'h0, product_level0_0_carry}, 1'b0};
  assign product_level1_0_either = {3'h0, product_level0_0_sum} ^ product_level1_0_either_joined;
  assign product_level1_0_sum = product_level1_0_either ^ {product_level0_1_sum, 3'h0};
  assign product_level1_0_carry = {3'h0, product_level0_0_sum} & product_level1_0_either_joined |
      product_level1_0_either & {product_level0_1_sum, 3'h0};
  wire [28:0] product_level1_1_either_joined = {{1'b0, product_level0_2_sum}, 2'h0};
  assign product_level1_1_either = {3'h0, product_level0_1_carry} ^ product_level1_1_either_joined;
  assign product_level1_1_sum = product_level1_1_either ^ {product_level0_2_carry, 3'h0};
  assign product_level1_1_carry = {3'h0, product_level0_1_carry} & product_level1_1_either_joined |
      product_level1_1_either & {product_level0_2_carry, 3'h0};
  wire [28:0] product_level1_2_either_joined = {{2'h0, product_level0_3_carry}, 1'b0};
  assign product_level1_2_either = {3'h0, product_level0_3_sum} ^ product_level1_2_either_joined;
  assign product_level1_2_sum = product_level1_2_either ^ {product_level0_4_sum, 3'h0};
  assign product_level1_2_carry = {3'h0, product_level0_3_sum} & product_level1_2_either_joined |
      product_level1_2_either & {product_level0_4_sum, 3'h0};
  wire [28:0] product_level1_3_either_joined = {{1'b0, product_level0_5_sum}, 2'h0};
  assign product_level1_3_either = {3'h0, product_level0_4_carry} ^ product_level1_3_either_joined;
  assign product_level1_3_sum = product_level1_3_either ^ {product_level0_5_carry, 3'h0};
  assign product_level1_3_carry = {3'h0, product_level0_4_carry} & product_level1_3_either_joined |
      product_level1_3_either & {product_level0_5_carry, 3'h0};
  wire [28:0] product_level1_4_either_joined = {{2'h0, product_level0_6_carry}, 1'b0};
  assign product_level1_4_either = {3'h0, product_level0_6_sum} ^ product_level1_4_either_joined;
  assign product_level1_4_sum = product_level1_4_either ^ {product_level0_7_sum, 3'h0};
  assign product_level1_4_carry = {3'h0, product_level0_6_sum} & product_level1_4_either_joined |
      product_level1_4_either & {product_level0_7_sum, 3'h0};
  wire [32:0] product_level2_0_either_joined = {{3'h0, product_level1_0_carry}, 1'b0};
  assign product_level2_0_either = {4'h0, product_level1_0_sum} ^ product_level2_0_either_joined;
  assign product_level2_0_sum = product_level2_0_either ^ {product_level1_1_sum, 4'h0};
  assign product_level2_0_carry = {4'h0, product_level1_0_sum} & product_level2_0_either_joined |
      product_level2_0_either & {product_level1_1_sum, 4'h0};
  wire [33:0] product_level2_1_either_joined = {{1'b0, product_level1_2_sum}, 4'h0};
  assign product_level2_1_either = {5'h00, product_level1_1_carry} ^ product_level2_1_either_joined;
  assign product_level2_1_sum = product_level2_1_either ^ {product_level1_2_carry, 5'h00};
  assign product_level2_1_carry = {5'h00, product_level1_1_carry} & product_level2_1_either_joined |
      product_level2_1_either & {product_level1_2_carry, 5'h00};
  wire [33:0] product_level2_2_either_joined = {{4'h0, product_level1_3_carry}, 1'b0};
  assign product_level2_2_either = {5'h00, product_level1_3_sum} ^ product_level2_2_either_joined;
  assign product_level2_2_sum = product_level2_2_either ^ {product_level1_4_sum, 5'h00};
  assign product_level2_2_carry = {5'h00, product_level1_3_sum} & product_level2_2_either_joined |
      product_level2_2_either & {product_level1_4_sum, 5'h00};
  wire [38:0] product_level3_0_either_joined = {{5'h00, product_level2_0_carry}, 1'b0};
  assign product_level3_0_either = {6'h00, product_level2_0_sum} ^ product_level3_0_either_joined;
  assign product_level3_0_sum = product_level3_0_either ^ {product_level2_1_sum, 5'h00};
  assign product_level3_0_carry = {6'h00, product_level2_0_sum} & product_level3_0_either_joined |
      product_level3_0_either & {product_level2_1_sum, 5'h00};
  wire [41:0] product_level3_1_either_joined = {{1'b0, product_level2_2_sum}, 7'h00};
  assign product_level3_1_either = {8'h00, product_level2_1_carry} ^ product_level3_1_either_joined;
  assign product_level3_1_sum = product_level3_1_either ^ {product_level2_2_carry, 8'h00};
  assign product_level3_1_carry = {8'h00, product_level2_1_carry} & product_level3_1_either_joined |
      product_level3_1_either & {product_level2_2_carry, 8'h00};
  wire [47:0] product_level4_0_either_joined = {{8'h00, product_level3_0_carry}, 1'b0};
  assign product_level4_0_either = {9'h000, product_level3_0_sum} ^ product_level4_0_either_joined;
  assign product_level4_0_sum = product_level4_0_either ^ {product_level3_1_sum, 6'h00};
  assign product_level4_0_carry = {9'h000, product_level3_0_sum} & product_level4_0_either_joined |
      product_level4_0_either & {product_level3_1_sum, 6'h00};
  assign product_level4_1_either = product_level3_1_carry[40:0] ^ {product_level1_4_carry, 12'h000};
  assign product_level4_1_sum = product_level4_1_either ^ {product_level0_7_carry, 15'h0000};
  assign product_level4_1_carry = product_level3_1_carry[40:0] & {product_level1_4_carry, 12'h000} |
      product_level4_1_either & {product_level0_7_carry, 15'h0000};
  assign product_level5_0_either = product_level4_0_sum ^ {product_level4_0_carry[46:0], 1'b0};
  assign product_level5_0_sum = product_level5_0_either ^ {product_level4_1_sum, 7'h00};
  assign product_level5_0_carry = product_level4_0_sum & {product_level4_0_carry[46:0], 1'b0} |
      product_level5_0_either & {product_level4_1_sum, 7'h00};
  assign product_level6_0_either = product_level5_0_sum ^ {product_level5_0_carry[46:0], 1'b0};
  assign product_level6_0_sum = product_level6_0_either ^ {product_level4_1_carry[39:0], 8'h00};
  assign product_level6_0_carry = product_level5_0_sum & {product_level5_0_carry[46:0], 1'b0} |
      product_level6_0_either & {product_level4_1_carry[39:0], 8'h00};
  wire [9:0] above_level0_0_either_joined = {2'h0, {b[30:24], b[23] | !(|b[30:23])}};
  wire [9:0] above_level0_0_either_joined_2 = {2'h0, {a[30:24], a[23] | !(|a[30:23])}};
  assign above_level0_0_either = above_level0_0_either_joined_2 ^ above_level0_0_either_joined;
  wire [9:0] above_level0_0_sum_joined = {2'h0, {c[30:24], c[23] | !(|c[30:23])}};
  assign above_level0_0_sum = above_level0_0_either ^ ~above_level0_0_sum_joined;
  assign above_level0_0_carry = above_level0_0_either_joined_2 & above_level0_0_either_joined |
      above_level0_0_either & ~above_level0_0_sum_joined;
  assign above_level1_0_either = above_level0_0_sum ^ {above_level0_0_carry[8:0], 1'b0};
  assign above_level1_0_sum = above_level1_0_either ^ 10'h39d;
  assign above_level1_0_carry = above_level0_0_sum & {above_level0_0_carry[8:0], 1'b0} |
      above_level1_0_either & 10'h39d;
  assign product_above = above_level1_0_sum + {above_level1_0_carry[8:0], 1'b0};
  wire addend_rules_merged = !(|product_level0_0_either_joined) | !(|{|b[30:23], b[22:0]});
  assign addend_rules = addend_rules_merged | product_above[9];
  assign exponent_level0_0_either = above_level0_0_either_joined_2 ^ above_level0_0_either_joined;
  assign exponent_level0_0_sum = exponent_level0_0_either ^ 10'h39c;
  assign exponent_level0_0_carry = above_level0_0_either_joined_2 & above_level0_0_either_joined |
      exponent_level0_0_either & 10'h39c;
  assign places = product_above[6:0] & ~{7{addend_rules}};
  assign far = !addend_rules & (10'h04c < product_above);
  /* verilator lint_off UNUSED */ // bits 9 are not read
  wire [9:0] top_exponent_choice = addend_rules ? above_level0_0_sum_joined : exponent_level0_0_sum +
      {exponent_level0_0_carry[8:0], 1'b0};
  /* verilator lint_on UNUSED */
  assign top_exponent = top_exponent_choice[8:0];
  wire signs_mixed = a[31] ^ b[31] ^ c[31];
  wire signs_masked = (&c[30:23]) & !(|c[22:0]);
  wire signs_merged = (&a[30:23]) & !(|a[22:0]) | (&b[30:23]) & !(|b[22:0]);
  wire signs_merged_2 = (&a[30:23]) & (|a[22:0]) | (&b[30:23]) & (|b[22:0]) | signs_merged &
      addend_rules_merged;
  wire signs_merged_3 = signs_merged_2 | (&c[30:23]) & (|c[22:0]) | signs_merged & signs_masked & signs_mixed;
  assign signs = {signs_merged ? a[31] ^ b[31] : c[31], signs_merged | signs_masked, signs_merged_3,
      signs_mixed, a[31] ^ b[31]};
  assign shifted = {stage1_addend, 76'h0000000000000000000} >> stage1_places;
  assign aligned = {shifted[99:24] & ~{76{stage1_far}}, stage1_far ? |stage1_addend : |shifted[23:0]};
  wire [77:0] total_level0_0_either_joined = {{27'h0000000, stage1_product_carries}, 3'h0};
  wire [77:0] total_level0_0_either_joined_2 = {{27'h0000000, stage1_product_sum}, 3'h0};
  assign total_level0_0_either = total_level0_0_either_joined_2 ^ total_level0_0_either_joined;
  wire [77:0] total_level0_0_sum_mixed = {1'b0, aligned} ^ {78{stage1_signs[1]}};
  assign total_level0_0_sum = total_level0_0_either ^ total_level0_0_sum_mixed;
  assign total_level0_0_carry = total_level0_0_either_joined_2 & total_level0_0_either_joined |
      total_level0_0_either & total_level0_0_sum_mixed;
  assign sum = total_level0_0_sum + {total_level0_0_carry[76:0], 1'b0};
  assign sum_and_one = sum + {77'h00000000000000000000, stage1_signs[1]};
  assign addend_wins = stage1_signs[1] & sum[77];
  /* verilator lint_off UNUSED */ // bits 77 are not read
  wire [77:0] magnitude_choice = addend_wins ? ~sum : sum_and_one;
  /* verilator lint_on UNUSED */
  assign magnitude = magnitude_choice[76:0];
  wire places_to_top_masked = !stage2_magnitude[76] & !stage2_magnitude[75];
  wire places_to_top_masked_2 = !stage2_magnitude[72] & !stage2_magnitude[71];
  wire places_to_top_masked_3 = places_to_top_masked & !stage2_magnitude[74] & !stage2_magnitude[73];
  wire [2:0] places_to_top_joined = {places_to_top_masked_3, places_to_top_masked_3 ?
      {places_to_top_masked_2, places_to_top_masked_2 ? !stage2_magnitude[70] : !stage2_magnitude[72]} :
      {places_to_top_masked, places_to_top_masked ? !stage2_magnitude[74] : !stage2_magnitude[76]}};
  wire places_to_top_masked_4 = !stage2_magnitude[68] & !stage2_magnitude[67];
  wire places_to_top_masked_5 = !stage2_magnitude[64] & !stage2_magnitude[63];
  wire places_to_top_masked_6 = places_to_top_masked_4 & !stage2_magnitude[66] & !stage2_magnitude[65];
  wire [2:0] places_to_top_joined_2 = {places_to_top_masked_6, places_to_top_masked_6 ?
      {places_to_top_masked_5, places_to_top_masked_5 ? !stage2_magnitude[62] : !stage2_magnitude[64]} :
      {places_to_top_masked_4, places_to_top_masked_4 ? !stage2_magnitude[66] : !stage2_magnitude[68]}};
  wire places_to_top_masked_7 = places_to_top_masked_3 & places_to_top_masked_2 & !stage2_magnitude[70] &
      !stage2_magnitude[69];
  wire places_to_top_masked_8 = !stage2_magnitude[60] & !stage2_magnitude[59];
  wire places_to_top_masked_9 = !stage2_magnitude[56] & !stage2_magnitude[55];
  wire places_to_top_masked_10 = places_to_top_masked_8 & !stage2_magnitude[58] & !stage2_magnitude[57];
  wire [2:0] places_to_top_joined_3 = {places_to_top_masked_10, places_to_top_masked_10 ?
      {places_to_top_masked_9, places_to_top_masked_9 ? !stage2_magnitude[54] : !stage2_magnitude[56]} :
      {places_to_top_masked_8, places_to_top_masked_8 ? !stage2_magnitude[58] : !stage2_magnitude[60]}};
  wire places_to_top_masked_11 = !stage2_magnitude[52] & !stage2_magnitude[51];
  wire places_to_top_masked_12 = !stage2_magnitude[48] & !stage2_magnitude[47];
  wire places_to_top_masked_13 = places_to_top_masked_11 & !stage2_magnitude[50] & !stage2_magnitude[49];
  wire [2:0] places_to_top_joined_4 = {places_to_top_masked_13, places_to_top_masked_13 ?
      {places_to_top_masked_12, places_to_top_masked_12 ? !stage2_magnitude[46] : !stage2_magnitude[48]} :
      {places_to_top_masked_11, places_to_top_masked_11 ? !stage2_magnitude[50] : !stage2_magnitude[52]}};
  wire places_to_top_masked_14 = places_to_top_masked_10 & places_to_top_masked_9 & !stage2_magnitude[54] &
      !stage2_magnitude[53];
  wire places_to_top_masked_15 = places_to_top_masked_7 & places_to_top_masked_6 & places_to_top_masked_5 &
      !stage2_magnitude[62] & !stage2_magnitude[61];
  wire [4:0] places_to_top_joined_5 = {places_to_top_masked_15, places_to_top_masked_15 ?
      {places_to_top_masked_14, places_to_top_masked_14 ? places_to_top_joined_4 : places_to_top_joined_3} :
      {places_to_top_masked_7, places_to_top_masked_7 ? places_to_top_joined_2 : places_to_top_joined}};
  wire places_to_top_masked_16 = !stage2_magnitude[44] & !stage2_magnitude[43];
  wire places_to_top_masked_17 = !stage2_magnitude[40] & !stage2_magnitude[39];
  wire places_to_top_masked_18 = places_to_top_masked_16 & !stage2_magnitude[42] & !stage2_magnitude[41];
  wire [2:0] places_to_top_joined_6 = {places_to_top_masked_18, places_to_top_masked_18 ?
      {places_to_top_masked_17, places_to_top_masked_17 ? !stage2_magnitude[38] : !stage2_magnitude[40]} :
      {places_to_top_masked_16, places_to_top_masked_16 ? !stage2_magnitude[42] : !stage2_magnitude[44]}};
  wire places_to_top_masked_19 = !stage2_magnitude[36] & !stage2_magnitude[35];
  wire places_to_top_masked_20 = !stage2_magnitude[32] & !stage2_magnitude[31];
  wire places_to_top_masked_21 = places_to_top_masked_19 & !stage2_magnitude[34] & !stage2_magnitude[33];
  wire [2:0] places_to_top_joined_7 = {places_to_top_masked_21, places_to_top_masked_21 ?
      {places_to_top_masked_20, places_to_top_masked_20 ? !stage2_magnitude[30] : !stage2_magnitude[32]} :
      {places_to_top_masked_19, places_to_top_masked_19 ? !stage2_magnitude[34] : !stage2_magnitude[36]}};
  wire places_to_top_masked_22 = places_to_top_masked_18 & places_to_top_masked_17 & !stage2_magnitude[38] &
      !stage2_magnitude[37];
  wire places_to_top_masked_23 = !stage2_magnitude[28] & !stage2_magnitude[27];
  wire places_to_top_masked_24 = !stage2_magnitude[24] & !stage2_magnitude[23];
  wire places_to_top_masked_25 = places_to_top_masked_23 & !stage2_magnitude[26] & !stage2_magnitude[25];
  wire [2:0] places_to_top_joined_8 = {places_to_top_masked_25, places_to_top_masked_25 ?
      {places_to_top_masked_24, places_to_top_masked_24 ? !stage2_magnitude[22] : !stage2_magnitude[24]} :
      {places_to_top_masked_23, places_to_top_masked_23 ? !stage2_magnitude[26] : !stage2_magnitude[28]}};
  wire places_to_top_masked_26 = !stage2_magnitude[20] & !stage2_magnitude[19];
  wire places_to_top_masked_27 = !stage2_magnitude[16] & !stage2_magnitude[15];
  wire places_to_top_masked_28 = places_to_top_masked_26 & !stage2_magnitude[18] & !stage2_magnitude[17];
  wire [2:0] places_to_top_joined_9 = {places_to_top_masked_28, places_to_top_masked_28 ?
      {places_to_top_masked_27, places_to_top_masked_27 ? !stage2_magnitude[14] : !stage2_magnitude[16]} :
      {places_to_top_masked_26, places_to_top_masked_26 ? !stage2_magnitude[18] : !stage2_magnitude[20]}};
  wire places_to_top_masked_29 = places_to_top_masked_25 & places_to_top_masked_24 & !stage2_magnitude[22] &
      !stage2_magnitude[21];
  wire places_to_top_masked_30 = places_to_top_masked_22 & places_to_top_masked_21 & places_to_top_masked_20
      & !stage2_magnitude[30] & !stage2_magnitude[29];
  wire places_to_top_masked_31 = places_to_top_masked_15 & places_to_top_masked_14 & places_to_top_masked_13
      & places_to_top_masked_12 & !stage2_magnitude[46] & !stage2_magnitude[45];
  wire [5:0] places_to_top_joined_10 = {places_to_top_masked_31, places_to_top_masked_31 ?
      {places_to_top_masked_30, places_to_top_masked_30 ? {places_to_top_masked_29, places_to_top_masked_29 ?
      places_to_top_joined_9 : places_to_top_joined_8} : {places_to_top_masked_22, places_to_top_masked_22 ?
      places_to_top_joined_7 : places_to_top_joined_6}} : places_to_top_joined_5};
  wire places_to_top_masked_32 = !stage2_magnitude[12] & !stage2_magnitude[11];
  wire places_to_top_masked_33 = !stage2_magnitude[8] & !stage2_magnitude[7];
  wire places_to_top_masked_34 = places_to_top_masked_32 & !stage2_magnitude[10] & !stage2_magnitude[9];
  wire [2:0] places_to_top_joined_11 = {places_to_top_masked_34, places_to_top_masked_34 ?
      {places_to_top_masked_33, places_to_top_masked_33 ? !stage2_magnitude[6] : !stage2_magnitude[8]} :
      {places_to_top_masked_32, places_to_top_masked_32 ? !stage2_magnitude[10] : !stage2_magnitude[12]}};
  wire places_to_top_masked_35 = !stage2_magnitude[4] & !stage2_magnitude[3];
  wire places_to_top_masked_36 = places_to_top_masked_35 & !stage2_magnitude[2] & !stage2_magnitude[1];
  wire places_to_top_masked_37 = places_to_top_masked_34 & places_to_top_masked_33 & !stage2_magnitude[6] &
      !stage2_magnitude[5];
  wire [3:0] places_to_top_joined_12 = {places_to_top_masked_37, places_to_top_masked_37 ?
      {places_to_top_masked_36, places_to_top_masked_36 ? {1'b0, !stage2_magnitude[0]} :
      {places_to_top_masked_35, places_to_top_masked_35 ? !stage2_magnitude[2] : !stage2_magnitude[4]}} :
      places_to_top_joined_11};
  wire places_to_top_masked_38 = places_to_top_masked_31 & places_to_top_masked_30 & places_to_top_masked_29
      & places_to_top_masked_28 & places_to_top_masked_27 & !stage2_magnitude[14] & !stage2_magnitude[13];
  wire [8:0] places_to_top_joined_13 = {2'h0, {places_to_top_masked_38, places_to_top_masked_38 ? {1'b0,
      {1'b0, places_to_top_joined_12}} : places_to_top_joined_10}};
  /* verilator lint_off UNUSED */ // bits 8:7 are not read
  wire [8:0] places_to_top_choice = ((stage2_top_exponent - 9'h001) < places_to_top_joined_13) ?
      stage2_top_exponent - 9'h001 : places_to_top_joined_13;
  /* verilator lint_on UNUSED */
  assign places_to_top = places_to_top_choice[6:0];
  assign sign = !(|stage2_magnitude) ? stage2_signs[0] & !stage2_signs[1] : stage2_signs[0] ^
      stage2_addend_wins;
  wire [76:0] value_shifted = stage3_magnitude << stage3_places_to_top;
  assign value = {value_shifted[76:52], |value_shifted[51:0]};
  assign room = stage3_room - {2'h0, stage3_places_to_top};
  wire [31:0] y_sum = {(room + 9'h001) & {9{value[25]}}, value[24:2]} + {31'h00000000, value[1] & (value[0] |
      value[2])};
  assign y = stage3_signs[2] ? 32'h7fffffff : stage3_signs[3] ? {stage3_signs[4], 31'h7f800000} :
      {stage3_sign, (y_sum[31:23] >= 9'h0ff) ? 31'h7f800000 : y_sum[30:0]};

  always @(posedge clock) begin
    if (enable[0]) begin
      stage1_product_sum <= product_level6_0_sum;
      stage1_product_carries <= {product_level6_0_carry[46:0], 1'b0};
      stage1_addend <= {|c[30:23], c[22:0]};
      stage1_places <= places;
      stage1_far <= far;
      stage1_top_exponent <= top_exponent;
      stage1_signs <= signs;
    end
    if (enable[1]) begin
      stage2_magnitude <= magnitude;
      stage2_addend_wins <= addend_wins;
      stage2_top_exponent <= stage1_top_exponent;
      stage2_signs <= stage1_signs;
    end
    if (enable[2]) begin
      stage3_magnitude <= stage2_magnitude;
      stage3_places_to_top <= places_to_top;
      stage3_room <= stage2_top_exponent - 9'h001;
      stage3_sign <= sign;
      stage3_signs <= {stage2_signs[4], stage2_signs[3], stage2_signs[2], stage2_signs[1], stage2_signs[0]};
    end
  end
endmodule

`default_nettype wire
