// fp32_from_integer_registers3
//
// Integer to single precision, round to nearest even.
//
// Parameters: registers = 3
// Made by: warpmesh export default
// Configuration: default
`default_nettype none

module fp32_from_integer_registers3 (
    input wire clock,
    input wire [31:0] value, // The integer.
    input wire signed_value, // It has a sign.
    input wire [2:0] enable, // Enable of each register within.
    output wire [31:0] y // The number.
);
  reg [31:0] stage1_value;
  reg stage1_signed;
  wire sign;
  wire [31:0] magnitude;
  reg stage2_sign;
  reg [31:0] stage2_magnitude;
  wire [25:0] normal;
  reg stage3_sign;
  reg [25:0] stage3_value;
  reg [7:0] stage3_room;

  assign sign = stage1_signed & stage1_value[31];
  assign magnitude = sign ? 32'h00000000 - stage1_value : stage1_value;
  wire normal_masked = !stage2_magnitude[31] & !stage2_magnitude[30];
  wire normal_masked_2 = !stage2_magnitude[27] & !stage2_magnitude[26];
  wire normal_masked_3 = normal_masked & !stage2_magnitude[29] & !stage2_magnitude[28];
  wire [2:0] normal_joined = {normal_masked_3, normal_masked_3 ? {normal_masked_2, normal_masked_2 ?
      !stage2_magnitude[25] : !stage2_magnitude[27]} : {normal_masked, normal_masked ? !stage2_magnitude[29]
      : !stage2_magnitude[31]}};
  wire normal_masked_4 = !stage2_magnitude[23] & !stage2_magnitude[22];
  wire normal_masked_5 = !stage2_magnitude[19] & !stage2_magnitude[18];
  wire normal_masked_6 = normal_masked_4 & !stage2_magnitude[21] & !stage2_magnitude[20];
  wire [2:0] normal_joined_2 = {normal_masked_6, normal_masked_6 ? {normal_masked_5, normal_masked_5 ?
      !stage2_magnitude[17] : !stage2_magnitude[19]} : {normal_masked_4, normal_masked_4 ?
      !stage2_magnitude[21] : !stage2_magnitude[23]}};
  wire normal_masked_7 = normal_masked_3 & normal_masked_2 & !stage2_magnitude[25] & !stage2_magnitude[24];
  wire normal_masked_8 = !stage2_magnitude[15] & !stage2_magnitude[14];
  wire normal_masked_9 = !stage2_magnitude[11] & !stage2_magnitude[10];
  wire normal_masked_10 = normal_masked_8 & !stage2_magnitude[13] & !stage2_magnitude[12];
  wire [2:0] normal_joined_3 = {normal_masked_10, normal_masked_10 ? {normal_masked_9, normal_masked_9 ?
      !stage2_magnitude[9] : !stage2_magnitude[11]} : {normal_masked_8, normal_masked_8 ?
      !stage2_magnitude[13] : !stage2_magnitude[15]}};
  wire normal_masked_11 = !stage2_magnitude[7] & !stage2_magnitude[6];
  wire normal_masked_12 = !stage2_magnitude[3] & !stage2_magnitude[2];
  wire normal_masked_13 = normal_masked_11 & !stage2_magnitude[5] & !stage2_magnitude[4];
  wire [2:0] normal_joined_4 = {normal_masked_13, normal_masked_13 ? {normal_masked_12, normal_masked_12 ?
      !stage2_magnitude[1] : !stage2_magnitude[3]} : {normal_masked_11, normal_masked_11 ?
      !stage2_magnitude[5] : !stage2_magnitude[7]}};
  wire normal_masked_14 = normal_masked_10 & normal_masked_9 & !stage2_magnitude[9] & !stage2_magnitude[8];
  wire normal_masked_15 = normal_masked_7 & normal_masked_6 & normal_masked_5 & !stage2_magnitude[17] &
      !stage2_magnitude[16];
  wire [7:0] normal_joined_5 = {3'h0, {normal_masked_15, normal_masked_15 ? {normal_masked_14,
      normal_masked_14 ? normal_joined_4 : normal_joined_3} : {normal_masked_7, normal_masked_7 ?
      normal_joined_2 : normal_joined}}};
  /* verilator lint_off UNUSED */ // bits 7:5 are not read
  wire [7:0] normal_choice = (8'h9d < normal_joined_5) ? 8'h9d : normal_joined_5;
  /* verilator lint_on UNUSED */
  wire [31:0] normal_shifted = stage2_magnitude << normal_choice[4:0];
  assign normal = {normal_shifted[31:7], |normal_shifted[6:0]};
  wire [31:0] y_sum = {({1'b0, stage3_room} + 9'h001) & {9{stage3_value[25]}}, stage3_value[24:2]} +
      {31'h00000000, stage3_value[1] & (stage3_value[0] | stage3_value[2])};
  assign y = {stage3_sign, (y_sum[31:23] >= 9'h0ff) ? 31'h7f800000 : y_sum[30:0]};

  always @(posedge clock) begin
    if (enable[0]) begin
      stage1_value <= value;
      stage1_signed <= signed_value;
    end
    if (enable[1]) begin
      stage2_sign <= sign;
      stage2_magnitude <= magnitude;
    end
    if (enable[2]) begin
      stage3_sign <= stage2_sign;
      stage3_value <= normal;
      stage3_room <= 8'h9d - {3'h0, normal_choice[4:0]};
    end
  end
endmodule

`default_nettype wire
