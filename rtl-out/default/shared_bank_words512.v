// shared_bank_words512
//
// One bank of shared memory.
//
// Parameters: words = 512
// Made by: warpmesh export default
// Configuration: default
`default_nettype none

module shared_bank_words512 (
    input wire clock,
    input wire [8:0] address, // Number of a word.
    input wire read, // It is read.
    input wire [31:0] data, // What is written.
    input wire [3:0] bytes, // The bytes of it that are.
    input wire write, // The word is written.
    output wire [31:0] word // The word that was read last.
);
  wire [31:0] word_now;

  assign word = word_now;

  sram_depth512_width32_mask4 words_memory (
    .clock(clock),
    .write_enable(write),
    .write_address(address),
    .write_data(data),
    .write_mask(bytes),
    .read_enable(read),
    .read_address(address),
    .read_data(word_now)
  );
endmodule

`default_nettype wire
