// fp32_from_integer
//
// Integer to single precision, round to nearest even.
//
// Made by: warpmesh export default
// Configuration: default
`default_nettype none

module fp32_from_integer (
    input wire [31:0] value,
    input wire signed_value,
    output wire [31:0] y
);
  wire sign;
  wire [31:0] magnitude;

  assign sign = signed_value & value[31];
  assign magnitude = sign ? 32'h00000000 - value : value;
  wire y_masked = !(|magnitude[31:16]) & (8'h9d >= 8'h10);
  wire [31:0] y_choice = y_masked ? magnitude << 6'h10 : magnitude;
  wire [7:0] y_choice_2 = y_masked ? 8'h9d - 8'h10 : 8'h9d;
  wire y_masked_2 = !(|y_choice[31:24]) & (y_choice_2 >= 8'h08);
  wire [31:0] y_choice_3 = y_masked_2 ? y_choice << 6'h08 : y_choice;
  wire [7:0] y_choice_4 = y_masked_2 ? y_choice_2 - 8'h08 : y_choice_2;
  wire y_masked_3 = !(|y_choice_3[31:28]) & (y_choice_4 >= 8'h04);
  wire [31:0] y_choice_5 = y_masked_3 ? y_choice_3 << 6'h04 : y_choice_3;
  wire [7:0] y_choice_6 = y_masked_3 ? y_choice_4 - 8'h04 : y_choice_4;
  wire y_masked_4 = !(|y_choice_5[31:30]) & (y_choice_6 >= 8'h02);
  wire [31:0] y_choice_7 = y_masked_4 ? y_choice_5 << 6'h02 : y_choice_5;
  wire [7:0] y_choice_8 = y_masked_4 ? y_choice_6 - 8'h02 : y_choice_6;
  wire y_masked_5 = !y_choice_7[31] & (y_choice_8 >= 8'h01);
  wire [31:0] y_choice_9 = y_masked_5 ? y_choice_7 << 6'h01 : y_choice_7;
  wire [31:0] y_joined = {({1'b0, y_masked_5 ? y_choice_8 - 8'h01 : y_choice_8} + 9'h001) &
      {9{y_choice_9[31]}}, y_choice_9[30:8]};
  wire [31:0] y_sum = y_joined + {31'h00000000, y_choice_9[7] & ((|y_choice_9[6:0]) | y_choice_9[8])};
  assign y = {sign, (y_sum[31:23] >= 9'h0ff) ? 31'h7f800000 : y_sum[30:0]};
endmodule

`default_nettype wire
