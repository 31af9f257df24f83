// lane_registers3
//
// What one thread computes in one instruction.
//
// Parameters: registers = 3
// Made by: warpmesh export default
// Configuration: default
`default_nettype none

module lane_registers3 (
    input wire clock,
    input wire [7:0] opcode, // Opcode of the instruction.
    input wire [3:0] code, // Comparison or logic.
    input wire [2:0] negate, // Negate operands a, b, c: bits 0, 1, 2.
    input wire [31:0] a, // An operand.
    input wire [31:0] b, // Another one.
    input wire [31:0] c, // A third one.
    input wire p, // A predicate.
    input wire q, // Another one.
    input wire [2:0] valid, // For each piece in front of a register: an instruction is in it.
    input wire [23:0] later, // The opcode behind each register.
    output wire [31:0] result, // What it gives.
    output wire predicate, // The predicate that it gives, now.
    output wire [31:0] address // Sum of a and b, now.
);
  wire [31:0] integer_result;
  wire compare_result;
  wire [31:0] multiply_low;
  wire [31:0] multiply_high;
  wire [31:0] from_integer_y;
  wire [31:0] to_integer_y;
  wire [31:0] fma_y;
  wire [31:0] min_max_y;
  reg [31:0] travelling1;
  reg [31:0] travelling2;
  reg [31:0] travelling3;

  wire result_masked = (later[23:21] == 3'h4) & ((later[20:16] == 5'h05) | (later[20:16] == 5'h06));
  wire result_merged = (later[23:21] == 3'h4) & ((later[20:16] == 5'h03) | (later[20:16] == 5'h04)) |
      result_masked;
  wire [31:0] result_choice = ((later[23:21] == 3'h4) & !(result_merged | (later[23:21] == 3'h4) &
      ((later[20:16] == 5'h07) | (later[20:16] == 5'h08)))) ? fma_y : travelling3;
  assign result = result_masked ? from_integer_y : result_choice;
  assign predicate = compare_result;
  assign address = a + b;

  alu32 integer_ (
    .a(a),
    .b(b),
    .p(p),
    .operation(opcode[4:0]),
    .result(integer_result)
  );

  compare_unit compare (
    .function_(opcode[4:0]),
    .code(code),
    .a(a),
    .b(b),
    .p(p),
    .q(q),
    .negate_a(negate[0]),
    .negate_b(negate[1]),
    .result(compare_result)
  );

  multiply32_registers2 multiply (
    .clock(clock),
    .a(a),
    .b(b),
    .c(c & {32{opcode[1:0] == 2'h3}}),
    .signed_value(opcode[1:0] == 2'h1),
    .enable({valid[1] & (later[7:5] == 3'h3), valid[0] & (opcode[7:5] == 3'h3)}),
    .low(multiply_low),
    .high(multiply_high)
  );

  wire [31:0] from_integer_value_joined = {b[31] ^ negate[1], b[30:0]};
  wire from_integer_enable_masked = (opcode[7:5] == 3'h4) & ((opcode[4:0] == 5'h05) | (opcode[4:0] == 5'h06));
  wire from_integer_enable_masked_2 = (later[7:5] == 3'h4) & ((later[4:0] == 5'h05) | (later[4:0] == 5'h06));
  wire from_integer_enable_masked_3 = (later[15:13] == 3'h4) & ((later[12:8] == 5'h05) | (later[12:8] ==
      5'h06));
  fp32_from_integer_registers3 from_integer (
    .clock(clock),
    .value(from_integer_value_joined),
    .signed_value(opcode[4:0] == 5'h05),
    .enable({valid[2] & from_integer_enable_masked_3, valid[1] & from_integer_enable_masked_2, valid[0] &
        from_integer_enable_masked}),
    .y(from_integer_y)
  );

  wire to_integer_enable_masked = (opcode[7:5] == 3'h4) & ((opcode[4:0] == 5'h07) | (opcode[4:0] == 5'h08));
  wire to_integer_enable_masked_2 = (later[7:5] == 3'h4) & ((later[4:0] == 5'h07) | (later[4:0] == 5'h08));
  fp32_to_integer_registers2 to_integer (
    .clock(clock),
    .a(from_integer_value_joined),
    .signed_value(opcode[4:0] == 5'h07),
    .nearest(1'b0),
    .enable({valid[1] & to_integer_enable_masked_2, valid[0] & to_integer_enable_masked}),
    .y(to_integer_y)
  );

  wire [31:0] fma_a_joined = {a[31] ^ negate[0], a[30:0]};
  wire fma_enable_masked = (opcode[7:5] == 3'h4) & ((opcode[4:0] == 5'h03) | (opcode[4:0] == 5'h04));
  wire fma_enable_masked_2 = (opcode[7:5] == 3'h4) & !(fma_enable_masked | from_integer_enable_masked |
      to_integer_enable_masked);
  wire fma_enable_masked_3 = (later[7:5] == 3'h4) & !((later[7:5] == 3'h4) & ((later[4:0] == 5'h03) |
      (later[4:0] == 5'h04)) | from_integer_enable_masked_2 | to_integer_enable_masked_2);
  wire fma_enable_masked_4 = (later[15:13] == 3'h4) & ((later[12:8] == 5'h07) | (later[12:8] == 5'h08));
  wire fma_enable_masked_5 = (later[15:13] == 3'h4) & !((later[15:13] == 3'h4) & ((later[12:8] == 5'h03) |
      (later[12:8] == 5'h04)) | from_integer_enable_masked_3 | fma_enable_masked_4);
  fp32_fma_registers3 fma (
    .clock(clock),
    .a(fma_a_joined),
    .b((opcode[4:0] == 5'h00) ? 32'h3f800000 : from_integer_value_joined),
    .c((opcode[4:0] == 5'h00) ? from_integer_value_joined : (opcode[4:0] == 5'h01) ? 32'h80000000 : {c[31] ^
        negate[2], c[30:0]}),
    .enable({valid[2] & fma_enable_masked_5, valid[1] & fma_enable_masked_3, valid[0] & fma_enable_masked_2}),
    .y(fma_y)
  );

  fp32_min_max min_max (
    .a(fma_a_joined),
    .b(from_integer_value_joined),
    .maximum(opcode[4:0] == 5'h04),
    .y(min_max_y)
  );

  always @(posedge clock) begin
    // Loads of kernel parameters (unit 5) come here with the word as operand b.
    if (valid[0] & !fma_enable_masked_2) begin
      travelling1 <= (opcode[7:5] == 3'h5) ? b : fma_enable_masked ? min_max_y : integer_result;
    end
    if (valid[1] & !fma_enable_masked_3) begin
      travelling2 <= travelling1;
    end
    if (valid[2] & !fma_enable_masked_5) begin
      travelling3 <= (later[15:13] == 3'h3) ? (((later[9:8] == 2'h1) | (later[9:8] == 2'h2)) ? multiply_high
          : multiply_low) : fma_enable_masked_4 ? to_integer_y : travelling2;
    end
  end
endmodule

`default_nettype wire
