// fp32_to_integer
//
// Single precision to integer, toward zero or nearest even, saturating; NaN gives 0.
//
// Made by: warpmesh export default
// Configuration: default
`default_nettype none

module fp32_to_integer (
    input wire [31:0] a,
    input wire signed_value,
    input wire nearest,
    output wire [31:0] y
);
  wire \large ;
  wire [55:0] fixed;
  wire [32:0] rounded;

  wire [7:0] large_joined = {a[30:24], a[23] | !(|a[30:23])};
  assign \large  = 8'h9e < large_joined;
  assign fixed = {{|a[30:23], a[22:0]}, 32'h00000000} >> (8'h9e - large_joined);
  assign rounded = {1'b0, fixed[55:24]} + {32'h00000000, nearest & fixed[23] & ((|fixed[22:0]) | fixed[24])};
  wire [31:0] y_choice = (\large  | ({1'b0, signed_value ? 32'h80000000 : 32'h00000000} < rounded)) ?
      (signed_value ? 32'h80000000 : 32'h00000000) : 32'h00000000 - rounded[31:0];
  wire [31:0] y_choice_2 = a[31] ? y_choice : (\large  | ({1'b0, signed_value ? 32'h7fffffff : 32'hffffffff}
      < rounded)) ? (signed_value ? 32'h7fffffff : 32'hffffffff) : rounded[31:0];
  assign y = ((&a[30:23]) & (|a[22:0])) ? 32'h00000000 : y_choice_2;
endmodule

`default_nettype wire
