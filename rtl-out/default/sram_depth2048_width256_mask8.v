// sram_depth2048_width256_mask8
//
// Behavioural memory with a write and a read port at the clock edge: bind the macro of a memory compiler in
// its place, or let an FPGA tool find a block memory. A word that is read and written at once is read as it
// was before; without `read_enable` the word that was read last stays.
//
// Parameters: depth = 2048, width = 256, mask = 8
// Made by: warpmesh export default
// Configuration: default
`default_nettype none

module sram_depth2048_width256_mask8 (
    input wire clock,
    input wire write_enable,
    input wire [10:0] write_address,
    input wire [255:0] write_data,
    input wire [7:0] write_mask,
    input wire read_enable,
    input wire [10:0] read_address,
    output wire [255:0] read_data
);
  reg [255:0] word;
  reg [255:0] words [0:2047];

  assign read_data = word;

  wire [255:0] words_word = words[read_address];
  always @(posedge clock) begin
    if (read_enable) begin
      word <= words_word;
    end
  end

  genvar words_lane;
  generate
    for (words_lane = 0; words_lane < 8; words_lane = words_lane + 1) begin : words_lanes
      always @(posedge clock) begin
        if (write_enable) begin
          if (write_mask[words_lane]) begin
            words[write_address][words_lane * 32 +: 32] <= write_data[words_lane * 32 +: 32];
          end
        end
      end
    end
  endgenerate
endmodule

`default_nettype wire
