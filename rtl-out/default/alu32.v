// alu32
//
// Described as a rust-hdl block.
//
// Made by: warpmesh export default
// Configuration: default
`default_nettype none

module alu32 (
    input wire [31:0] a,
    input wire [31:0] b,
    input wire p,
    input wire [4:0] operation,
    output reg [31:0] result
);
  wire subtract;
  wire with_carry;
  reg [31:0] addend;
  wire carry;
  wire [31:0] sum;
  wire [4:0] amount;
  wire shifted_out;
  wire [31:0] fill;
  reg [31:0] right;
  reg [31:0] sign_bits;
  wire less_signed;
  wire less_unsigned;

  assign subtract = (operation == 5'h03) | (operation == 5'h05);
  assign with_carry = (operation == 5'h04) | (operation == 5'h05);
  always @* begin
    addend = b;
    if (subtract) begin
      addend = ~b;
    end
  end
  assign carry = subtract ^ (with_carry & p);
  assign sum = a + addend + {31'h00000000, carry};
  assign amount = b[4:0];
  assign shifted_out = |b[31:5];
  assign fill = 32'hffffffff;
  always @* begin
    right = a >> amount;
    if (shifted_out) begin
      right = 32'h00000000;
    end
  end
  always @* begin
    sign_bits = ~(fill >> amount);
    if (shifted_out) begin
      sign_bits = fill;
    end
  end
  assign less_unsigned = a < b;
  assign less_signed = $signed(a) < $signed(b);
  always @* begin
    result = b;
    case (operation)
      5'h00: begin
        result = b;
      end
      5'h01: begin
        result = b;
      end
      5'h02: begin
        result = sum;
      end
      5'h03: begin
        result = sum;
      end
      5'h04: begin
        result = sum;
      end
      5'h05: begin
        result = sum;
      end
      5'h06: begin
        result = a & b;
      end
      5'h07: begin
        result = a | b;
      end
      5'h08: begin
        result = a ^ b;
      end
      5'h09: begin
        result = a << amount;
        if (shifted_out) begin
          result = 32'h00000000;
        end
      end
      5'h0a: begin
        result = right;
      end
      5'h0b: begin
        result = right;
        if (a[31]) begin
          result = right | sign_bits;
        end
      end
      5'h0c: begin
        if (less_signed) begin
          result = a;
        end
      end
      5'h0d: begin
        if (!less_signed) begin
          result = a;
        end
      end
      5'h0e: begin
        if (less_unsigned) begin
          result = a;
        end
      end
      5'h0f: begin
        if (!less_unsigned) begin
          result = a;
        end
      end
      default: begin
        if (p) begin
          result = a;
        end
      end
    endcase
  end
endmodule

`default_nettype wire
