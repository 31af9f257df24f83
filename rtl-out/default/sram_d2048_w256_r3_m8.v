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

  always @(posedge clock) begin
    if (write_enable) begin
      if (write_mask[0]) begin
        words[write_address][31:0] <= write_data[31:0];
      end
      if (write_mask[1]) begin
        words[write_address][63:32] <= write_data[63:32];
      end
      if (write_mask[2]) begin
        words[write_address][95:64] <= write_data[95:64];
      end
      if (write_mask[3]) begin
        words[write_address][127:96] <= write_data[127:96];
      end
      if (write_mask[4]) begin
        words[write_address][159:128] <= write_data[159:128];
      end
      if (write_mask[5]) begin
        words[write_address][191:160] <= write_data[191:160];
      end
      if (write_mask[6]) begin
        words[write_address][223:192] <= write_data[223:192];
      end
      if (write_mask[7]) begin
        words[write_address][255:224] <= write_data[255:224];
      end
    end
  end
endmodule

`default_nettype wire
