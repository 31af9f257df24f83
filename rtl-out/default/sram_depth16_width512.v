// sram_depth16_width512
//
// Behavioural memory with a write and a read port at the clock edge: bind the macro of a memory compiler in
// its place, or let an FPGA tool find a block memory. A word that is read and written at once is read as it
// was before; without `read_enable` the word that was read last stays.
//
// Parameters: depth = 16, width = 512
// Made by: warpmesh export default
// Configuration: default
`default_nettype none

module sram_depth16_width512 (
    input wire clock,
    input wire write_enable,
    input wire [3:0] write_address,
    input wire [511:0] write_data,
    input wire read_enable,
    input wire [3:0] read_address,
    output wire [511:0] read_data
);
  reg [511:0] word;
  reg [511:0] words [0:15];

  assign read_data = word;

  wire [511:0] words_word = words[read_address];
  always @(posedge clock) begin
    if (read_enable) begin
      word <= words_word;
    end
  end

  always @(posedge clock) begin
    if (write_enable) begin
      words[write_address] <= write_data;
    end
  end
endmodule

`default_nettype wire
