// lane
//
// What one thread computes in one instruction.
//
// Made by: warpmesh export default
// Configuration: default
`default_nettype none

module lane (
    input wire [7:0] opcode,
    input wire [3:0] code,
    input wire [2:0] negate,
    input wire [31:0] a,
    input wire [31:0] b,
    input wire [31:0] c,
    input wire p,
    input wire q,
    output wire [31:0] result,
    output wire predicate,
    output wire [31:0] address
);
  wire [31:0] integer_result;
  wire compare_result;
  wire [31:0] float_result;
  wire [31:0] multiply_low;
  wire [31:0] multiply_high_signed;
  wire [31:0] multiply_high_unsigned;

  // Loads of kernel parameters (unit 5) come here with the word as operand b.
  assign result = (opcode[7:5] == 3'h5) ? b : (opcode[7:5] == 3'h3) ? (opcode[1] ? (opcode[0] ? multiply_low
      + c : multiply_high_unsigned) : opcode[0] ? multiply_high_signed : multiply_low) : (opcode[7:5] ==
      3'h4) ? float_result : integer_result;
  assign predicate = compare_result;
  assign address = a + b;

  alu32 \integer  (
    .a(a),
    .b(b),
    .p(p),
    .operation(opcode[4:0]),
    .result(integer_result)
  );

  compare_unit compare (
    .\function (opcode[4:0]),
    .code(code),
    .a(a),
    .b(b),
    .p(p),
    .q(q),
    .negate_a(negate[0]),
    .negate_b(negate[1]),
    .result(compare_result)
  );

  float_unit float (
    .\function (opcode[4:0]),
    .a(a),
    .negate_a(negate[0]),
    .b(b),
    .negate_b(negate[1]),
    .c(c),
    .negate_c(negate[2]),
    .result(float_result)
  );

  multiply32 multiply (
    .a(a),
    .b(b),
    .low(multiply_low),
    .high_signed(multiply_high_signed),
    .high_unsigned(multiply_high_unsigned)
  );
endmodule

`default_nettype wire
