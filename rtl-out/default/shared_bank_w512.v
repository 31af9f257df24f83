// shared_bank_w512
//
// One bank of shared memory.
//
// Parameters: words = 512
// Made by: warpmesh export default
// Configuration: default
`default_nettype none

module shared_bank_w512 (
    input wire clock,
    input wire [8:0] address,
    input wire read,
    input wire [31:0] data,
    input wire [3:0] bytes,
    input wire write,
    output wire [31:0] word
);
  reg [31:0] word_now;
  reg [31:0] words [0:511];

  assign word = word_now;

  wire [31:0] words_word = words[address];
  always @(posedge clock) begin
    word_now <= read ? words_word : word_now;
  end

  always @(posedge clock) begin
    if (write) begin
      if (bytes[0]) begin
        words[address][7:0] <= data[7:0];
      end
      if (bytes[1]) begin
        words[address][15:8] <= data[15:8];
      end
      if (bytes[2]) begin
        words[address][23:16] <= data[23:16];
      end
      if (bytes[3]) begin
        words[address][31:24] <= data[31:24];
      end
    end
  end
endmodule

`default_nettype wire
