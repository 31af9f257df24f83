// fp32_compare
//
// Single-precision comparison, ordered and unordered.
//
// Made by: warpmesh export default
// Configuration: default
`default_nettype none

module fp32_compare (
    input wire [31:0] a, // What is compared.
    input wire [31:0] b, // With what.
    input wire [3:0] comparison, // The relation.
    output wire result // They are in it.
);
  wire unordered;
  wire equal;
  wire less;

  assign unordered = (&a[30:23]) & (|a[22:0]) | (&b[30:23]) & (|b[22:0]);
  /* verilator lint_off UNUSED */ // bits 31 are not read
  wire [31:0] equal_merged = a | b;
  /* verilator lint_on UNUSED */
  assign equal = (a == b) | !(|equal_merged[30:0]);
  assign less = ((a ^ (a[31] ? 32'hffffffff : 32'h80000000)) < (b ^ (b[31] ? 32'hffffffff : 32'h80000000))) &
      !equal;
  wire result_choice = comparison[2] ? (comparison[1] ? !comparison[3] : comparison[0] ? !less : !(less |
      equal)) : comparison[1] ? (comparison[0] ? less | equal : less) : comparison[0] ? !equal : equal;
  assign result = unordered ? comparison[3] : result_choice;
endmodule

`default_nettype wire
