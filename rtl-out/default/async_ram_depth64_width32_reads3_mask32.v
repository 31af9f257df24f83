// async_ram_depth64_width32_reads3_mask32
//
// Behavioural memory: bind the macro of a memory compiler in its place. Writes at the clock edge; reads are
// asynchronous and give the word before the write.
//
// Parameters: depth = 64, width = 32, reads = 3, mask = 32
// Made by: warpmesh export default
// Configuration: default
`default_nettype none

module async_ram_depth64_width32_reads3_mask32 (
    input wire clock,
    input wire write_enable,
    input wire [5:0] write_address,
    input wire [31:0] write_data,
    input wire [31:0] write_mask,
    input wire [5:0] read0_address,
    input wire [5:0] read1_address,
    input wire [5:0] read2_address,
    output wire [31:0] read0_data,
    output wire [31:0] read1_data,
    output wire [31:0] read2_data
);
  reg [31:0] words [0:63];

  assign read0_data = words[read0_address];
  assign read1_data = words[read1_address];
  assign read2_data = words[read2_address];

  genvar words_lane;
  generate
    for (words_lane = 0; words_lane < 32; words_lane = words_lane + 1) begin : words_lanes
      always @(posedge clock) begin
        if (write_enable) begin
          if (write_mask[words_lane]) begin
            words[write_address][words_lane] <= write_data[words_lane];
          end
        end
      end
    end
  endgenerate
endmodule

`default_nettype wire
