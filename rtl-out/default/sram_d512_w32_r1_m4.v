// sram_d512_w32_r1_m4
//
// Behavioural memory: bind the macro of a memory compiler in its place. Writes at the clock edge; reads are
// asynchronous and give the word before the write.
//
// Parameters: depth = 512, width = 32, reads = 1, mask = 4
// Made by: warpmesh export default
// Configuration: default
`default_nettype none

module sram_d512_w32_r1_m4 (
    input wire clock,
    input wire write_enable,
    input wire [8:0] write_address,
    input wire [31:0] write_data,
    input wire [3:0] write_mask,
    input wire [8:0] read0_address,
    output wire [31:0] read0_data
);
  reg [31:0] words [0:511];

  assign read0_data = words[read0_address];

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
