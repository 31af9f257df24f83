// multiply32
//
// 32 x 32 bit integer product.
//
// Made by: warpmesh export default
// Configuration: default
`default_nettype none

module multiply32 (
    input wire [31:0] a,
    input wire [31:0] b,
    output wire [31:0] low,
    output wire [31:0] high_signed,
    output wire [31:0] high_unsigned
);
  wire [63:0] product;

  assign product = {32'h00000000, a} * {32'h00000000, b};
  assign low = product[31:0];
  assign high_signed = product[63:32] - (a[31] ? b : 32'h00000000) - (b[31] ? a : 32'h00000000);
  assign high_unsigned = product[63:32];
endmodule

`default_nettype wire
