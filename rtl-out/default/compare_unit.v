// compare_unit
//
// Integer and floating-point comparisons, and logic of predicates.
//
// Made by: warpmesh export default
// Configuration: default
`default_nettype none

module compare_unit (
    input wire [4:0] function_, // The opcode within its unit.
    input wire [3:0] code, // Comparison or logic.
    input wire [31:0] a, // An operand.
    input wire [31:0] b, // Another one.
    input wire p, // A predicate.
    input wire q, // Another one.
    input wire negate_a, // Negate a, a float.
    input wire negate_b, // Negate b, a float.
    output wire result // The predicate that it gives.
);
  wire integer_holds;
  wire float_result;

  // Functions 0 and 1 compare integers, 2 floats, 3 is logic.
  assign result = function_[1] ? (function_[0] ? (code[1] ? p ^ q : code[0] ? p | q : p & q) : float_result)
      : function_[0] ? integer_holds : integer_holds;

  compare32 integer_ (
    .a(a),
    .b(b),
    .code(code[2:0]),
    .is_signed(function_ == 5'h00),
    .holds(integer_holds)
  );

  fp32_compare float (
    .a({a[31] ^ negate_a, a[30:0]}),
    .b({b[31] ^ negate_b, b[30:0]}),
    .comparison(code),
    .result(float_result)
  );
endmodule

`default_nettype wire
