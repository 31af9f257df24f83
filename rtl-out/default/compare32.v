// compare32
//
// Described as a rust-hdl block.
//
// Made by: warpmesh export default
// Configuration: default
`default_nettype none

module compare32 (
    input wire [31:0] a,
    input wire [31:0] b,
    input wire [2:0] code,
    input wire is_signed,
    output reg holds
);
  wire equal;
  wire less;
  wire [31:0] flip;

  assign flip = {31'h00000000, is_signed} << 6'h1f;
  assign equal = a == b;
  assign less = (a ^ flip) < (b ^ flip);
  always @* begin
    case (code)
      3'h0: begin
        holds = equal;
      end
      3'h1: begin
        holds = !equal;
      end
      3'h2: begin
        holds = less;
      end
      3'h3: begin
        holds = less | equal;
      end
      3'h4: begin
        holds = !less & !equal;
      end
      default: begin
        holds = !less;
      end
    endcase
  end
endmodule

`default_nettype wire
