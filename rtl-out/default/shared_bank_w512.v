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

  assign word = word_now;

  wire [31:0] words_word;
  sram_d512_w32_r1_m4 words_memory (
    .clock(clock),
    .write_enable(write),
    .write_address(address),
    .write_data(data),
    .write_mask(bytes),
    .read0_address(address),
    .read0_data(words_word)
  );

  always @(posedge clock) begin
    word_now <= read ? words_word : word_now;
  end
endmodule

`default_nettype wire
