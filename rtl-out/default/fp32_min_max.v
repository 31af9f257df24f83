// fp32_min_max
//
// Single-precision minimum and maximum; a NaN operand loses.
//
// Made by: warpmesh export default
// Configuration: default
`default_nettype none

module fp32_min_max (
    input wire [31:0] a, // An operand.
    input wire [31:0] b, // The other one.
    input wire maximum, // The greater one is wanted, not the lesser.
    output wire [31:0] y // The one that is wanted.
);
  wire a_is_less;

  assign a_is_less = (a ^ (a[31] ? 32'hffffffff : 32'h80000000)) < (b ^ (b[31] ? 32'hffffffff :
      32'h80000000));
  wire y_masked = (&b[30:23]) & (|b[22:0]);
  wire y_masked_2 = (&a[30:23]) & (|a[22:0]);
  assign y = (y_masked_2 & y_masked) ? 32'h7fffffff : y_masked_2 ? b : y_masked ? a : (a_is_less ^ maximum) ?
      a : b;
endmodule

`default_nettype wire
