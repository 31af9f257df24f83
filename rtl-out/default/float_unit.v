// float_unit
//
// Single-precision arithmetic, minimum and maximum, and conversions to and from integers.
//
// Made by: warpmesh export default
// Configuration: default
`default_nettype none

module float_unit (
    input wire [4:0] \function ,
    input wire [31:0] a,
    input wire negate_a,
    input wire [31:0] b,
    input wire negate_b,
    input wire [31:0] c,
    input wire negate_c,
    output wire [31:0] result
);
  wire [31:0] fma_y;
  wire [31:0] min_max_y;
  wire [31:0] from_integer_y;
  wire [31:0] to_integer_y;

  wire [31:0] result_choice = ((\function  == 5'h05) | (\function  == 5'h06)) ? from_integer_y : ((\function 
      == 5'h07) | (\function  == 5'h08)) ? to_integer_y : fma_y;
  assign result = ((\function  == 5'h03) | (\function  == 5'h04)) ? min_max_y : result_choice;

  wire [31:0] fma_a_joined = {a[31] ^ negate_a, a[30:0]};
  wire [31:0] fma_b_joined = {b[31] ^ negate_b, b[30:0]};
  fp32_fma fma (
    .a(fma_a_joined),
    .b((\function  == 5'h00) ? 32'h3f800000 : fma_b_joined),
    .c((\function  == 5'h00) ? fma_b_joined : (\function  == 5'h01) ? 32'h80000000 : {c[31] ^ negate_c,
        c[30:0]}),
    .y(fma_y)
  );

  fp32_min_max min_max (
    .a(fma_a_joined),
    .b(fma_b_joined),
    .maximum(\function  == 5'h04),
    .y(min_max_y)
  );

  fp32_from_integer from_integer (
    .value(fma_b_joined),
    .signed_value(\function  == 5'h05),
    .y(from_integer_y)
  );

  fp32_to_integer to_integer (
    .a(fma_b_joined),
    .signed_value(\function  == 5'h07),
    .nearest(1'b0),
    .y(to_integer_y)
  );
endmodule

`default_nettype wire
