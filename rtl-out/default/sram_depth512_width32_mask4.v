// sram_depth512_width32_mask4
//
// Behavioural memory with a write and a read port at the clock edge: bind the macro of a memory compiler in
// its place, or let an FPGA tool find a block memory. A word that is read and written at once is read as it
// was before; without `read_enable` the word that was read last stays.
//
// Parameters: depth = 512, width = 32, mask = 4
// Made by: warpmesh export default
// Configuration: default
`default_nettype none

module sram_depth512_width32_mask4 (
    input wire clock,
    input wire write_enable,
    input wire [8:0] write_address,
    input wire [31:0] write_data,
    input wire [3:0] write_mask,
    input wire read_enable,
    input wire [8:0] read_address,
    output wire [31:0] read_data
);
  reg [31:0] word;
  reg [31:0] words [0:511];

  assign read_data = word;

  wire [31:0] words_word = words[read_address];
  always @(posedge clock) begin
    if (read_enable) begin
      word <= words_word;
    end
  end

  genvar words_lane;
  generate
    for (words_lane = 0; words_lane < 4; words_lane = words_lane + 1) begin : words_lanes
      always @(posedge clock) begin
        if (write_enable) begin
          if (write_mask[words_lane]) begin
            words[write_address][words_lane * 8 +: 8] <= write_data[words_lane * 8 +: 8];
          end
        end
      end
    end
  endgenerate
endmodule

`default_nettype wire
