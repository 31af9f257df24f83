// fp32_to_integer_registers2
//
// Single precision to integer, toward zero or nearest even, saturating; NaN gives 0.
//
// Parameters: registers = 2
// Made by: warpmesh export default
// Configuration: default
`default_nettype none

module fp32_to_integer_registers2 (
    input wire clock,
    input wire [31:0] a, // The number.
    input wire signed_value, // The integer has a sign.
    input wire nearest, // The nearest integer, not the next one toward zero.
    input wire [1:0] enable, // Enable of each register within.
    output wire [31:0] y // The integer.
);
  reg [31:0] stage1_a;
  reg stage1_signed;
  reg stage1_nearest;
  wire large_;
  wire [55:0] fixed;
  reg [31:0] stage2_whole;
  reg stage2_up;
  reg stage2_large;
  reg stage2_negative;
  reg stage2_nan;
  reg stage2_signed;
  wire [32:0] rounded;

  wire [7:0] large_joined = {stage1_a[30:24], stage1_a[23] | !(|stage1_a[30:23])};
  assign large_ = 8'h9e < large_joined;
  assign fixed = {{|stage1_a[30:23], stage1_a[22:0]}, 32'h00000000} >> (8'h9e - large_joined);
  assign rounded = {1'b0, stage2_whole} + {32'h00000000, stage2_up};
  wire [31:0] y_choice = (stage2_large | ({1'b0, stage2_signed ? 32'h80000000 : 32'h00000000} < rounded)) ?
      (stage2_signed ? 32'h80000000 : 32'h00000000) : 32'h00000000 - rounded[31:0];
  assign y = stage2_nan ? 32'h00000000 : stage2_negative ? y_choice : (stage2_large | ({1'b0, stage2_signed ?
      32'h7fffffff : 32'hffffffff} < rounded)) ? (stage2_signed ? 32'h7fffffff : 32'hffffffff) :
      rounded[31:0];

  always @(posedge clock) begin
    if (enable[0]) begin
      stage1_a <= a;
      stage1_signed <= signed_value;
      stage1_nearest <= nearest;
    end
    if (enable[1]) begin
      stage2_whole <= fixed[55:24];
      stage2_up <= stage1_nearest & fixed[23] & ((|fixed[22:0]) | fixed[24]);
      stage2_large <= large_;
      stage2_negative <= stage1_a[31];
      stage2_nan <= (&stage1_a[30:23]) & (|stage1_a[22:0]);
      stage2_signed <= stage1_signed;
    end
  end
endmodule

`default_nettype wire
