// sram_d2048_w256_r3_m8
//
// Behavioural memory: bind the macro of a memory compiler in its place. Writes at the clock edge; reads are
// asynchronous and give the word before the write.
//
// Parameters: depth = 2048, width = 256, reads = 3, mask = 8
// Made by: warpmesh export default
// Configuration: default
`default_nettype none

module sram_d2048_w256_r3_m8 (
    input wire clock,
    input wire write_enable,
    input wire [10:0] write_address,
    input wire [255:0] write_data,
    input wire [7:0] write_mask,
    input wire [10:0] read0_address,
    input wire [10:0] read1_address,
    input wire [10:0] read2_address,
    output wire [255:0] read0_data,
    output wire [255:0] read1_data,
    output wire [255:0] read2_data
);
  reg [255:0] words [0:2047];

  assign read0_data = words[read0_address];
  assign read1_data = words[read1_address];
  assign read2_data = words[read2_address];

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
