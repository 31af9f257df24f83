// multiply32_registers2
//
// 32 x 32 bit integer product and sum.
//
// Parameters: registers = 2
// Made by: warpmesh export default
// Configuration: default
`default_nettype none

module multiply32_registers2 (
    input wire clock,
    input wire [31:0] a, // A factor.
    input wire [31:0] b, // The other one.
    input wire [31:0] c, // What is added.
    input wire signed_value, // The factors have signs.
    input wire [1:0] enable, // Enable of each register within.
    output wire [31:0] low, // Low word of the result.
    output wire [31:0] high // High word of the result.
);
  reg [31:0] stage1_a;
  reg [31:0] stage1_b;
  reg [31:0] stage1_c;
  reg stage1_signed;
  wire [33:0] product_level0_0_either;
  wire [33:0] product_level0_0_sum;
  wire [33:0] product_level0_0_carry;
  wire [33:0] product_level0_1_either;
  wire [33:0] product_level0_1_sum;
  wire [33:0] product_level0_1_carry;
  wire [33:0] product_level0_2_either;
  wire [33:0] product_level0_2_sum;
  wire [33:0] product_level0_2_carry;
  wire [33:0] product_level0_3_either;
  wire [33:0] product_level0_3_sum;
  wire [33:0] product_level0_3_carry;
  wire [33:0] product_level0_4_either;
  wire [33:0] product_level0_4_sum;
  wire [33:0] product_level0_4_carry;
  wire [33:0] product_level0_5_either;
  wire [33:0] product_level0_5_sum;
  wire [33:0] product_level0_5_carry;
  wire [33:0] product_level0_6_either;
  wire [33:0] product_level0_6_sum;
  wire [33:0] product_level0_6_carry;
  wire [33:0] product_level0_7_either;
  wire [33:0] product_level0_7_sum;
  wire [33:0] product_level0_7_carry;
  wire [33:0] product_level0_8_either;
  wire [33:0] product_level0_8_sum;
  wire [33:0] product_level0_8_carry;
  wire [33:0] product_level0_9_either;
  wire [33:0] product_level0_9_sum;
  wire [33:0] product_level0_9_carry;
  wire [62:0] product_level0_10_either;
  wire [62:0] product_level0_10_sum;
  wire [62:0] product_level0_10_carry;
  wire [31:0] product_level0_11_either;
  wire [31:0] product_level0_11_sum;
  /* verilator lint_off UNUSED */ // bits 31 are not read
  wire [31:0] product_level0_11_carry;
  /* verilator lint_on UNUSED */
  wire [36:0] product_level1_0_either;
  wire [36:0] product_level1_0_sum;
  wire [36:0] product_level1_0_carry;
  wire [36:0] product_level1_1_either;
  wire [36:0] product_level1_1_sum;
  wire [36:0] product_level1_1_carry;
  wire [36:0] product_level1_2_either;
  wire [36:0] product_level1_2_sum;
  wire [36:0] product_level1_2_carry;
  wire [36:0] product_level1_3_either;
  wire [36:0] product_level1_3_sum;
  wire [36:0] product_level1_3_carry;
  wire [36:0] product_level1_4_either;
  wire [36:0] product_level1_4_sum;
  wire [36:0] product_level1_4_carry;
  wire [36:0] product_level1_5_either;
  wire [36:0] product_level1_5_sum;
  wire [36:0] product_level1_5_carry;
  wire [62:0] product_level1_6_either;
  wire [62:0] product_level1_6_sum;
  wire [62:0] product_level1_6_carry;
  wire [62:0] product_level1_7_either;
  wire [62:0] product_level1_7_sum;
  /* verilator lint_off UNUSED */ // bits 62 are not read
  wire [62:0] product_level1_7_carry;
  /* verilator lint_on UNUSED */
  wire [40:0] product_level2_0_either;
  wire [40:0] product_level2_0_sum;
  wire [40:0] product_level2_0_carry;
  wire [41:0] product_level2_1_either;
  wire [41:0] product_level2_1_sum;
  wire [41:0] product_level2_1_carry;
  wire [41:0] product_level2_2_either;
  wire [41:0] product_level2_2_sum;
  wire [41:0] product_level2_2_carry;
  wire [40:0] product_level2_3_either;
  wire [40:0] product_level2_3_sum;
  wire [40:0] product_level2_3_carry;
  wire [63:0] product_level2_4_either;
  wire [63:0] product_level2_4_sum;
  /* verilator lint_off UNUSED */ // bits 63 are not read
  wire [63:0] product_level2_4_carry;
  /* verilator lint_on UNUSED */
  wire [46:0] product_level3_0_either;
  wire [46:0] product_level3_0_sum;
  wire [46:0] product_level3_0_carry;
  wire [49:0] product_level3_1_either;
  wire [49:0] product_level3_1_sum;
  wire [49:0] product_level3_1_carry;
  wire [63:0] product_level3_2_either;
  wire [63:0] product_level3_2_sum;
  /* verilator lint_off UNUSED */ // bits 63 are not read
  wire [63:0] product_level3_2_carry;
  /* verilator lint_on UNUSED */
  wire [55:0] product_level4_0_either;
  wire [55:0] product_level4_0_sum;
  wire [55:0] product_level4_0_carry;
  wire [63:0] product_level4_1_either;
  wire [63:0] product_level4_1_sum;
  /* verilator lint_off UNUSED */ // bits 63 are not read
  wire [63:0] product_level4_1_carry;
  /* verilator lint_on UNUSED */
  wire [63:0] product_level5_0_either;
  wire [63:0] product_level5_0_sum;
  /* verilator lint_off UNUSED */ // bits 63 are not read
  wire [63:0] product_level5_0_carry;
  /* verilator lint_on UNUSED */
  wire [62:0] product_level5_1_either;
  wire [62:0] product_level5_1_sum;
  /* verilator lint_off UNUSED */ // bits 62 are not read
  wire [62:0] product_level5_1_carry;
  /* verilator lint_on UNUSED */
  wire [63:0] product_level6_0_either;
  wire [63:0] product_level6_0_sum;
  /* verilator lint_off UNUSED */ // bits 63 are not read
  wire [63:0] product_level6_0_carry;
  /* verilator lint_on UNUSED */
  wire [63:0] product_level7_0_either;
  wire [63:0] product_level7_0_sum;
  /* verilator lint_off UNUSED */ // bits 63 are not read
  wire [63:0] product_level7_0_carry;
  /* verilator lint_on UNUSED */
  reg [63:0] stage2_sum;
  reg [63:0] stage2_carries;
  wire [63:0] result;

  wire [33:0] product_level0_0_either_joined = {{1'b0, stage1_a & {32{stage1_b[1]}}}, 1'b0};
  wire [33:0] product_level0_0_either_joined_2 = {2'h0, stage1_a & {32{stage1_b[0]}}};
  assign product_level0_0_either = product_level0_0_either_joined_2 ^ product_level0_0_either_joined;
  wire [33:0] product_level0_0_sum_joined = {stage1_a & {32{stage1_b[2]}}, 2'h0};
  assign product_level0_0_sum = product_level0_0_either ^ product_level0_0_sum_joined;
  assign product_level0_0_carry = product_level0_0_either_joined_2 & product_level0_0_either_joined |
      product_level0_0_either & product_level0_0_sum_joined;
  wire [33:0] product_level0_1_either_joined = {{1'b0, stage1_a & {32{stage1_b[4]}}}, 1'b0};
  wire [33:0] product_level0_1_either_joined_2 = {2'h0, stage1_a & {32{stage1_b[3]}}};
  assign product_level0_1_either = product_level0_1_either_joined_2 ^ product_level0_1_either_joined;
  wire [33:0] product_level0_1_sum_joined = {stage1_a & {32{stage1_b[5]}}, 2'h0};
  assign product_level0_1_sum = product_level0_1_either ^ product_level0_1_sum_joined;
  assign product_level0_1_carry = product_level0_1_either_joined_2 & product_level0_1_either_joined |
      product_level0_1_either & product_level0_1_sum_joined;
  wire [33:0] product_level0_2_either_joined = {{1'b0, stage1_a & {32{stage1_b[7]}}}, 1'b0};
  wire [33:0] product_level0_2_either_joined_2 = {2'h0, stage1_a & {32{stage1_b[6]}}};
  assign product_level0_2_either = product_level0_2_either_joined_2 ^ product_level0_2_either_joined;
  wire [33:0] product_level0_2_sum_joined = {stage1_a & {32{stage1_b[8]}}, 2'h0};
  assign product_level0_2_sum = product_level0_2_either ^ product_level0_2_sum_joined;
  assign product_level0_2_carry = product_level0_2_either_joined_2 & product_level0_2_either_joined |
      product_level0_2_either & product_level0_2_sum_joined;
  wire [33:0] product_level0_3_either_joined = {{1'b0, stage1_a & {32{stage1_b[10]}}}, 1'b0};
  wire [33:0] product_level0_3_either_joined_2 = {2'h0, stage1_a & {32{stage1_b[9]}}};
  assign product_level0_3_either = product_level0_3_either_joined_2 ^ product_level0_3_either_joined;
  wire [33:0] product_level0_3_sum_joined = {stage1_a & {32{stage1_b[11]}}, 2'h0};
  assign product_level0_3_sum = product_level0_3_either ^ product_level0_3_sum_joined;
  assign product_level0_3_carry = product_level0_3_either_joined_2 & product_level0_3_either_joined |
      product_level0_3_either & product_level0_3_sum_joined;
  wire [33:0] product_level0_4_either_joined = {{1'b0, stage1_a & {32{stage1_b[13]}}}, 1'b0};
  wire [33:0] product_level0_4_either_joined_2 = {2'h0, stage1_a & {32{stage1_b[12]}}};
  assign product_level0_4_either = product_level0_4_either_joined_2 ^ product_level0_4_either_joined;
  wire [33:0] product_level0_4_sum_joined = {stage1_a & {32{stage1_b[14]}}, 2'h0};
  assign product_level0_4_sum = product_level0_4_either ^ product_level0_4_sum_joined;
  assign product_level0_4_carry = product_level0_4_either_joined_2 & product_level0_4_either_joined |
      product_level0_4_either & product_level0_4_sum_joined;
  wire [33:0] product_level0_5_either_joined = {{1'b0, stage1_a & {32{stage1_b[16]}}}, 1'b0};
  wire [33:0] product_level0_5_either_joined_2 = {2'h0, stage1_a & {32{stage1_b[15]}}};
  assign product_level0_5_either = product_level0_5_either_joined_2 ^ product_level0_5_either_joined;
  wire [33:0] product_level0_5_sum_joined = {stage1_a & {32{stage1_b[17]}}, 2'h0};
  assign product_level0_5_sum = product_level0_5_either ^ product_level0_5_sum_joined;
  assign product_level0_5_carry = product_level0_5_either_joined_2 & product_level0_5_either_joined |
      product_level0_5_either & product_level0_5_sum_joined;
  wire [33:0] product_level0_6_either_joined = {{1'b0, stage1_a & {32{stage1_b[19]}}}, 1'b0};
  wire [33:0] product_level0_6_either_joined_2 = {2'h0, stage1_a & {32{stage1_b[18]}}};
  assign product_level0_6_either = product_level0_6_either_joined_2 ^ product_level0_6_either_joined;
  wire [33:0] product_level0_6_sum_joined = {stage1_a & {32{stage1_b[20]}}, 2'h0};
  assign product_level0_6_sum = product_level0_6_either ^ product_level0_6_sum_joined;
  assign product_level0_6_carry = product_level0_6_either_joined_2 & product_level0_6_either_joined |
      product_level0_6_either & product_level0_6_sum_joined;
  wire [33:0] product_level0_7_either_joined = {{1'b0, stage1_a & {32{stage1_b[22]}}}, 1'b0};
  wire [33:0] product_level0_7_either_joined_2 = {2'h0, stage1_a & {32{stage1_b[21]}}};
  assign product_level0_7_either = product_level0_7_either_joined_2 ^ product_level0_7_either_joined;
  wire [33:0] product_level0_7_sum_joined = {stage1_a & {32{stage1_b[23]}}, 2'h0};
  assign product_level0_7_sum = product_level0_7_either ^ product_level0_7_sum_joined;
  assign product_level0_7_carry = product_level0_7_either_joined_2 & product_level0_7_either_joined |
      product_level0_7_either & product_level0_7_sum_joined;
  wire [33:0] product_level0_8_either_joined = {{1'b0, stage1_a & {32{stage1_b[25]}}}, 1'b0};
  wire [33:0] product_level0_8_either_joined_2 = {2'h0, stage1_a & {32{stage1_b[24]}}};
  assign product_level0_8_either = product_level0_8_either_joined_2 ^ product_level0_8_either_joined;
  wire [33:0] product_level0_8_sum_joined = {stage1_a & {32{stage1_b[26]}}, 2'h0};
  assign product_level0_8_sum = product_level0_8_either ^ product_level0_8_sum_joined;
  assign product_level0_8_carry = product_level0_8_either_joined_2 & product_level0_8_either_joined |
      product_level0_8_either & product_level0_8_sum_joined;
  wire [33:0] product_level0_9_either_joined = {{1'b0, stage1_a & {32{stage1_b[28]}}}, 1'b0};
  wire [33:0] product_level0_9_either_joined_2 = {2'h0, stage1_a & {32{stage1_b[27]}}};
  assign product_level0_9_either = product_level0_9_either_joined_2 ^ product_level0_9_either_joined;
  wire [33:0] product_level0_9_sum_joined = {stage1_a & {32{stage1_b[29]}}, 2'h0};
  assign product_level0_9_sum = product_level0_9_either ^ product_level0_9_sum_joined;
  assign product_level0_9_carry = product_level0_9_either_joined_2 & product_level0_9_either_joined |
      product_level0_9_either & product_level0_9_sum_joined;
  wire [62:0] product_level0_10_either_joined = {stage1_a & {32{stage1_b[31]}}, 31'h00000000};
  wire [62:0] product_level0_10_either_joined_2 = {{1'b0, stage1_a & {32{stage1_b[30]}}}, 30'h00000000};
  assign product_level0_10_either = product_level0_10_either_joined_2 ^ product_level0_10_either_joined;
  assign product_level0_10_sum = product_level0_10_either ^ {31'h00000000, stage1_c};
  assign product_level0_10_carry = product_level0_10_either_joined_2 & product_level0_10_either_joined |
      product_level0_10_either & {31'h00000000, stage1_c};
  wire [31:0] product_level0_11_either_inverse = ~(stage1_a & {32{stage1_b[31] & stage1_signed}});
  wire [31:0] product_level0_11_either_inverse_2 = ~(stage1_b & {32{stage1_a[31] & stage1_signed}});
  assign product_level0_11_either = product_level0_11_either_inverse_2 ^ product_level0_11_either_inverse;
  assign product_level0_11_sum = product_level0_11_either ^ 32'h00000002;
  assign product_level0_11_carry = product_level0_11_either_inverse_2 & product_level0_11_either_inverse |
      product_level0_11_either & 32'h00000002;
  wire [36:0] product_level1_0_either_joined = {{2'h0, product_level0_0_carry}, 1'b0};
  assign product_level1_0_either = {3'h0, product_level0_0_sum} ^ product_level1_0_either_joined;
  assign product_level1_0_sum = product_level1_0_either ^ {product_level0_1_sum, 3'h0};
  assign product_level1_0_carry = {3'h0, product_level0_0_sum} & product_level1_0_either_joined |
      product_level1_0_either & {product_level0_1_sum, 3'h0};
  wire [36:0] product_level1_1_either_joined = {{1'b0, product_level0_2_sum}, 2'h0};
  assign product_level1_1_either = {3'h0, product_level0_1_carry} ^ product_level1_1_either_joined;
  assign product_level1_1_sum = product_level1_1_either ^ {product_level0_2_carry, 3'h0};
  assign product_level1_1_carry = {3'h0, product_level0_1_carry} & product_level1_1_either_joined |
      product_level1_1_either & {product_level0_2_carry, 3'h0};
  wire [36:0] product_level1_2_either_joined = {{2'h0, product_level0_3_carry}, 1'b0};
  assign product_level1_2_either = {3'h0, product_level0_3_sum} ^ product_level1_2_either_joined;
  assign product_level1_2_sum = product_level1_2_either ^ {product_level0_4_sum, 3'h0};
  assign product_level1_2_carry = {3'h0, product_level0_3_sum} & product_level1_2_either_joined |
      product_level1_2_either & {product_level0_4_sum, 3'h0};
  wire [36:0] product_level1_3_either_joined = {{1'b0, product_level0_5_sum}, 2'h0};
  assign product_level1_3_either = {3'h0, product_level0_4_carry} ^ product_level1_3_either_joined;
  assign product_level1_3_sum = product_level1_3_either ^ {product_level0_5_carry, 3'h0};
  assign product_level1_3_carry = {3'h0, product_level0_4_carry} & product_level1_3_either_joined |
      product_level1_3_either & {product_level0_5_carry, 3'h0};
  wire [36:0] product_level1_4_either_joined = {{2'h0, product_level0_6_carry}, 1'b0};
  assign product_level1_4_either = {3'h0, product_level0_6_sum} ^ product_level1_4_either_joined;
  assign product_level1_4_sum = product_level1_4_either ^ {product_level0_7_sum, 3'h0};
  assign product_level1_4_carry = {3'h0, product_level0_6_sum} & product_level1_4_either_joined |
      product_level1_4_either & {product_level0_7_sum, 3'h0};
  wire [36:0] product_level1_5_either_joined = {{1'b0, product_level0_8_sum}, 2'h0};
  assign product_level1_5_either = {3'h0, product_level0_7_carry} ^ product_level1_5_either_joined;
  assign product_level1_5_sum = product_level1_5_either ^ {product_level0_8_carry, 3'h0};
  assign product_level1_5_carry = {3'h0, product_level0_7_carry} & product_level1_5_either_joined |
      product_level1_5_either & {product_level0_8_carry, 3'h0};
  wire [62:0] product_level1_6_either_joined = {{1'b0, product_level0_9_carry}, 28'h0000000};
  wire [62:0] product_level1_6_either_joined_2 = {{2'h0, product_level0_9_sum}, 27'h0000000};
  assign product_level1_6_either = product_level1_6_either_joined_2 ^ product_level1_6_either_joined;
  assign product_level1_6_sum = product_level1_6_either ^ product_level0_10_sum;
  assign product_level1_6_carry = product_level1_6_either_joined_2 & product_level1_6_either_joined |
      product_level1_6_either & product_level0_10_sum;
  assign product_level1_7_either = product_level0_10_carry ^ {product_level0_11_sum, 31'h00000000};
  assign product_level1_7_sum = product_level1_7_either ^ {product_level0_11_carry[30:0], 32'h00000000};
  assign product_level1_7_carry = product_level0_10_carry & {product_level0_11_sum, 31'h00000000} |
      product_level1_7_either & {product_level0_11_carry[30:0], 32'h00000000};
  wire [40:0] product_level2_0_either_joined = {{3'h0, product_level1_0_carry}, 1'b0};
  assign product_level2_0_either = {4'h0, product_level1_0_sum} ^ product_level2_0_either_joined;
  assign product_level2_0_sum = product_level2_0_either ^ {product_level1_1_sum, 4'h0};
  assign product_level2_0_carry = {4'h0, product_level1_0_sum} & product_level2_0_either_joined |
      product_level2_0_either & {product_level1_1_sum, 4'h0};
  wire [41:0] product_level2_1_either_joined = {{1'b0, product_level1_2_sum}, 4'h0};
  assign product_level2_1_either = {5'h00, product_level1_1_carry} ^ product_level2_1_either_joined;
  assign product_level2_1_sum = product_level2_1_either ^ {product_level1_2_carry, 5'h00};
  assign product_level2_1_carry = {5'h00, product_level1_1_carry} & product_level2_1_either_joined |
      product_level2_1_either & {product_level1_2_carry, 5'h00};
  wire [41:0] product_level2_2_either_joined = {{4'h0, product_level1_3_carry}, 1'b0};
  assign product_level2_2_either = {5'h00, product_level1_3_sum} ^ product_level2_2_either_joined;
  assign product_level2_2_sum = product_level2_2_either ^ {product_level1_4_sum, 5'h00};
  assign product_level2_2_carry = {5'h00, product_level1_3_sum} & product_level2_2_either_joined |
      product_level2_2_either & {product_level1_4_sum, 5'h00};
  wire [40:0] product_level2_3_either_joined = {{1'b0, product_level1_5_sum}, 3'h0};
  assign product_level2_3_either = {4'h0, product_level1_4_carry} ^ product_level2_3_either_joined;
  assign product_level2_3_sum = product_level2_3_either ^ {product_level1_5_carry, 4'h0};
  assign product_level2_3_carry = {4'h0, product_level1_4_carry} & product_level2_3_either_joined |
      product_level2_3_either & {product_level1_5_carry, 4'h0};
  assign product_level2_4_either = {1'b0, product_level1_6_sum} ^ {product_level1_6_carry, 1'b0};
  assign product_level2_4_sum = product_level2_4_either ^ {product_level1_7_sum, 1'b0};
  assign product_level2_4_carry = {1'b0, product_level1_6_sum} & {product_level1_6_carry, 1'b0} |
      product_level2_4_either & {product_level1_7_sum, 1'b0};
  wire [46:0] product_level3_0_either_joined = {{5'h00, product_level2_0_carry}, 1'b0};
  assign product_level3_0_either = {6'h00, product_level2_0_sum} ^ product_level3_0_either_joined;
  assign product_level3_0_sum = product_level3_0_either ^ {product_level2_1_sum, 5'h00};
  assign product_level3_0_carry = {6'h00, product_level2_0_sum} & product_level3_0_either_joined |
      product_level3_0_either & {product_level2_1_sum, 5'h00};
  wire [49:0] product_level3_1_either_joined = {{1'b0, product_level2_2_sum}, 7'h00};
  assign product_level3_1_either = {8'h00, product_level2_1_carry} ^ product_level3_1_either_joined;
  assign product_level3_1_sum = product_level3_1_either ^ {product_level2_2_carry, 8'h00};
  assign product_level3_1_carry = {8'h00, product_level2_1_carry} & product_level3_1_either_joined |
      product_level3_1_either & {product_level2_2_carry, 8'h00};
  wire [63:0] product_level3_2_either_joined = {{3'h0, product_level2_3_carry}, 20'h00000};
  wire [63:0] product_level3_2_either_joined_2 = {{4'h0, product_level2_3_sum}, 19'h00000};
  assign product_level3_2_either = product_level3_2_either_joined_2 ^ product_level3_2_either_joined;
  assign product_level3_2_sum = product_level3_2_either ^ product_level2_4_sum;
  assign product_level3_2_carry = product_level3_2_either_joined_2 & product_level3_2_either_joined |
      product_level3_2_either & product_level2_4_sum;
  wire [55:0] product_level4_0_either_joined = {{8'h00, product_level3_0_carry}, 1'b0};
  assign product_level4_0_either = {9'h000, product_level3_0_sum} ^ product_level4_0_either_joined;
  assign product_level4_0_sum = product_level4_0_either ^ {product_level3_1_sum, 6'h00};
  assign product_level4_0_carry = {9'h000, product_level3_0_sum} & product_level4_0_either_joined |
      product_level4_0_either & {product_level3_1_sum, 6'h00};
  wire [63:0] product_level4_1_either_joined = {{7'h00, product_level3_1_carry}, 7'h00};
  assign product_level4_1_either = product_level4_1_either_joined ^ product_level3_2_sum;
  assign product_level4_1_sum = product_level4_1_either ^ {product_level3_2_carry[62:0], 1'b0};
  assign product_level4_1_carry = product_level4_1_either_joined & product_level3_2_sum |
      product_level4_1_either & {product_level3_2_carry[62:0], 1'b0};
  wire [63:0] product_level5_0_either_joined = {{7'h00, product_level4_0_carry}, 1'b0};
  assign product_level5_0_either = {8'h00, product_level4_0_sum} ^ product_level5_0_either_joined;
  assign product_level5_0_sum = product_level5_0_either ^ product_level4_1_sum;
  assign product_level5_0_carry = {8'h00, product_level4_0_sum} & product_level5_0_either_joined |
      product_level5_0_either & product_level4_1_sum;
  assign product_level5_1_either = product_level4_1_carry[62:0] ^ product_level2_4_carry[62:0];
  assign product_level5_1_sum = product_level5_1_either ^ {product_level1_7_carry[61:0], 1'b0};
  assign product_level5_1_carry = product_level4_1_carry[62:0] & product_level2_4_carry[62:0] |
      product_level5_1_either & {product_level1_7_carry[61:0], 1'b0};
  assign product_level6_0_either = product_level5_0_sum ^ {product_level5_0_carry[62:0], 1'b0};
  assign product_level6_0_sum = product_level6_0_either ^ {product_level5_1_sum, 1'b0};
  assign product_level6_0_carry = product_level5_0_sum & {product_level5_0_carry[62:0], 1'b0} |
      product_level6_0_either & {product_level5_1_sum, 1'b0};
  assign product_level7_0_either = product_level6_0_sum ^ {product_level6_0_carry[62:0], 1'b0};
  assign product_level7_0_sum = product_level7_0_either ^ {product_level5_1_carry[61:0], 2'h0};
  assign product_level7_0_carry = product_level6_0_sum & {product_level6_0_carry[62:0], 1'b0} |
      product_level7_0_either & {product_level5_1_carry[61:0], 2'h0};
  assign result = stage2_sum + stage2_carries;
  assign low = result[31:0];
  assign high = result[63:32];

  always @(posedge clock) begin
    if (enable[0]) begin
      stage1_a <= a;
      stage1_b <= b;
      stage1_c <= c;
      stage1_signed <= signed_value;
    end
    if (enable[1]) begin
      stage2_sum <= product_level7_0_sum;
      stage2_carries <= {product_level7_0_carry[62:0], 1'b0};
    end
  end
endmodule

`default_nettype wire
