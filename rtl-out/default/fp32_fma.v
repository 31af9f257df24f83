// fp32_fma
//
// Single-precision fused multiply-add, round to nearest even.
//
// Made by: warpmesh export default
// Configuration: default
`default_nettype none

module fp32_fma (
    input wire [31:0] a,
    input wire [31:0] b,
    input wire [31:0] c,
    output wire [31:0] y
);
  wire [47:0] product;
  wire addend_rules;
  wire [8:0] top_exponent;
  wire [99:0] shifted;
  wire [76:0] aligned;
  wire [76:0] placed;
  wire addend_wins;
  wire [76:0] magnitude;

  wire [23:0] product_joined = {|b[30:23], b[22:0]};
  wire [23:0] product_joined_2 = {|a[30:23], a[22:0]};
  assign product = {24'h000000, product_joined_2} * {24'h000000, product_joined};
  wire addend_rules_merged = !(|product_joined_2) | !(|product_joined);
  wire [7:0] addend_rules_joined = {c[30:24], c[23] | !(|c[30:23])};
  wire [9:0] addend_rules_joined_2 = {2'h0, {b[30:24], b[23] | !(|b[30:23])}};
  wire [9:0] addend_rules_difference = {2'h0, {a[30:24], a[23] | !(|a[30:23])}} + addend_rules_joined_2 -
      10'h064;
  assign addend_rules = addend_rules_merged | ($signed(addend_rules_difference) < $signed({2'h0,
      addend_rules_joined}));
  /* verilator lint_off UNUSED */ // bits 9 are not read
  wire [9:0] top_exponent_choice = addend_rules ? {2'h0, addend_rules_joined} : addend_rules_difference;
  /* verilator lint_on UNUSED */
  assign top_exponent = top_exponent_choice[8:0];
  wire [8:0] shifted_difference = top_exponent - {1'b0, addend_rules_joined};
  /* verilator lint_off UNUSED */ // bits 8:7 are not read
  wire [8:0] shifted_choice = (9'h04c < shifted_difference) ? 9'h04c : shifted_difference;
  /* verilator lint_on UNUSED */
  assign shifted = {{|c[30:23], c[22:0]}, 76'h0000000000000000000} >> shifted_choice[6:0];
  assign aligned = {shifted[99:24], |shifted[23:0]};
  assign placed = {26'h0000000, {product, 3'h0}};
  wire addend_wins_mixed = a[31] ^ b[31] ^ c[31];
  assign addend_wins = addend_wins_mixed & (placed < aligned);
  assign magnitude = addend_wins_mixed ? (addend_wins ? aligned : placed) - (addend_wins ? placed : aligned)
      : placed + aligned;
  wire y_masked = !(|magnitude[76:13]) & ((top_exponent - 9'h001) >= 9'h040);
  wire [76:0] y_choice = y_masked ? magnitude << 7'h40 : magnitude;
  wire [8:0] y_choice_2 = y_masked ? top_exponent - 9'h001 - 9'h040 : top_exponent - 9'h001;
  wire y_masked_2 = !(|y_choice[76:45]) & (y_choice_2 >= 9'h020);
  wire [76:0] y_choice_3 = y_masked_2 ? y_choice << 7'h20 : y_choice;
  wire [8:0] y_choice_4 = y_masked_2 ? y_choice_2 - 9'h020 : y_choice_2;
  wire y_masked_3 = !(|y_choice_3[76:61]) & (y_choice_4 >= 9'h010);
  wire [76:0] y_choice_5 = y_masked_3 ? y_choice_3 << 7'h10 : y_choice_3;
  wire [8:0] y_choice_6 = y_masked_3 ? y_choice_4 - 9'h010 : y_choice_4;
  wire y_masked_4 = !(|y_choice_5[76:69]) & (y_choice_6 >= 9'h008);
  wire [76:0] y_choice_7 = y_masked_4 ? y_choice_5 << 7'h08 : y_choice_5;
  wire [8:0] y_choice_8 = y_masked_4 ? y_choice_6 - 9'h008 : y_choice_6;
  wire y_masked_5 = !(|y_choice_7[76:73]) & (y_choice_8 >= 9'h004);
  wire [76:0] y_choice_9 = y_masked_5 ? y_choice_7 << 7'h04 : y_choice_7;
  wire [8:0] y_choice_10 = y_masked_5 ? y_choice_8 - 9'h004 : y_choice_8;
  wire y_masked_6 = !(|y_choice_9[76:75]) & (y_choice_10 >= 9'h002);
  wire [76:0] y_choice_11 = y_masked_6 ? y_choice_9 << 7'h02 : y_choice_9;
  wire [8:0] y_choice_12 = y_masked_6 ? y_choice_10 - 9'h002 : y_choice_10;
  wire y_masked_7 = !y_choice_11[76] & (y_choice_12 >= 9'h001);
  wire [76:0] y_choice_13 = y_masked_7 ? y_choice_11 << 7'h01 : y_choice_11;
  wire [31:0] y_joined = {((y_masked_7 ? y_choice_12 - 9'h001 : y_choice_12) + 9'h001) &
      {9{y_choice_13[76]}}, y_choice_13[75:53]};
  wire [31:0] y_sum = y_joined + {31'h00000000, y_choice_13[52] & ((|y_choice_13[51:0]) | y_choice_13[53])};
  wire [31:0] y_joined_2 = {(|magnitude) ? (addend_wins ? c[31] : a[31] ^ b[31]) : (a[31] ^ b[31]) & c[31],
      (y_sum[31:23] >= 9'h0ff) ? 31'h7f800000 : y_sum[30:0]};
  wire y_merged = (&a[30:23]) & !(|a[22:0]) | (&b[30:23]) & !(|b[22:0]);
  wire y_masked_8 = (&c[30:23]) & !(|c[22:0]);
  wire y_merged_2 = (&a[30:23]) & (|a[22:0]) | (&b[30:23]) & (|b[22:0]) | y_merged & addend_rules_merged;
  wire y_merged_3 = y_merged_2 | (&c[30:23]) & (|c[22:0]) | y_merged & y_masked_8 & addend_wins_mixed;
  assign y = y_merged_3 ? 32'h7fffffff : (y_merged | y_masked_8) ? {y_merged ? a[31] ^ b[31] : c[31],
      31'h7f800000} : y_joined_2;
endmodule

`default_nettype wire
