// async_ram_depth16_width128_reads1
//
// Behavioural memory: bind the macro of a memory compiler in its place. Writes at the clock edge; reads are
// asynchronous and give the word before the write.
//
// Parameters: depth = 16, width = 128, reads = 1
// Made by: warpmesh export default
// Configuration: default
`default_nettype none

module async_ram_depth16_width128_reads1 (
    input wire clock,
    input wire write_enable,
    input wire [3:0] write_address,
    input wire [127:0] write_data,
    input wire [3:0] read0_address,
    output wire [127:0] read0_data
);
  reg [127:0] words [0:15];

  assign read0_data = words[read0_address];

  always @(posedge clock) begin
    if (write_enable) begin
      words[write_address] <= write_data;
    end
  end
endmodule

`default_nettype wire
