// block_control_warps8_blocks8
//
// Takes thread blocks, starts their warps and reports their end.
//
// Parameters: warps = 8, blocks = 8
// Made by: warpmesh export default
// Configuration: default
`default_nettype none

module block_control_warps8_blocks8 (
    input wire clock,
    input wire reset,
    input wire block_valid,
    input wire [2:0] block_slot,
    input wire [15:0] shared_stride,
    input wire [3:0] block_warps,
    input wire [31:0] block_x,
    input wire [15:0] block_y,
    input wire [15:0] block_z,
    input wire table_ready,
    /* verilator lint_off UNUSED */ // bits 10:5 are not read
    input wire [10:0] block_threads,
    /* verilator lint_on UNUSED */
    input wire [23:0] slots,
    input wire [7:0] active,
    input wire [2:0] table_slot,
    input wire [2:0] table_warp,
    output wire start,
    output wire [2:0] start_slot,
    output wire [7:0] start_warps,
    output wire [7:0] start_full,
    output wire [31:0] last_mask,
    output wire [7:0] done,
    output wire busy,
    output wire [31:0] table_x,
    output wire [15:0] table_y,
    output wire [15:0] table_z,
    output wire [15:0] table_shared,
    output wire [2:0] table_within
);
  reg [7:0] waiting;
  reg [7:0] running;
  wire [7:0] arrived;
  wire [7:0] first;
  wire [2:0] first_number;
  wire starts;
  wire [2:0] start_base;
  wire [7:0] ended;
  reg [7:0] done_now;
  wire [63:0] row;
  reg [63:0] slot_table [0:7];

  assign arrived = (8'h01 << block_slot) & {8{block_valid}};
  assign first = waiting & ~(waiting - 8'h01) & {8{table_ready}};
  assign first_number = {|(first & 8'hf0), |(first & 8'hcc), |(first & 8'haa)};
  assign starts = |first;
  assign start = starts;
  assign start_slot = first_number;
  // Warps from start_base on; the last one may have less than 32 threads.
  /* verilator lint_off UNUSED */ // bits 6:3 are not read
  wire [6:0] start_base_product = {4'h0, first_number} * {3'h0, block_warps};
  /* verilator lint_on UNUSED */
  assign start_base = start_base_product[2:0];
  assign start_warps = ((8'h01 << ({1'b0, start_base} + block_warps)) - (8'h01 << start_base)) & {8{starts}};
  assign start_full = start_warps >> 4'h1;
  assign last_mask = 32'hffffffff >> (5'h00 - block_threads[4:0]);
  wire [7:0] ended_merged = (8'h01 << slots[20:18]) & {8{active[6]}} | (8'h01 << slots[23:21]) &
      {8{active[7]}};
  wire [7:0] ended_merged_2 = (8'h01 << slots[14:12]) & {8{active[4]}} | (8'h01 << slots[17:15]) &
      {8{active[5]}} | ended_merged;
  wire [7:0] ended_merged_3 = (8'h01 << slots[8:6]) & {8{active[2]}} | (8'h01 << slots[11:9]) &
      {8{active[3]}};
  wire [7:0] ended_inverse = ~((8'h01 << slots[2:0]) & {8{active[0]}} | (8'h01 << slots[5:3]) &
      {8{active[1]}} | ended_merged_3 | ended_merged_2);
  assign ended = running & ended_inverse;
  assign done = done_now;
  assign busy = |(waiting | running);
  assign row = slot_table[table_slot];
  assign table_x = row[63:32];
  assign table_y = row[31:16];
  assign table_z = row[15:0];
  /* verilator lint_off UNUSED */ // bits 18:16 are not read
  wire [18:0] table_shared_product = {16'h0000, table_slot} * {3'h0, shared_stride};
  /* verilator lint_on UNUSED */
  assign table_shared = table_shared_product[15:0];
  /* verilator lint_off UNUSED */ // bits 6:3 are not read
  wire [6:0] table_within_product = {4'h0, table_slot} * {3'h0, block_warps};
  /* verilator lint_on UNUSED */
  assign table_within = table_warp - table_within_product[2:0];

  always @(posedge clock) begin
    if (reset) begin
      waiting <= 8'h00;
      running <= 8'h00;
      done_now <= 8'h00;
    end else begin
      waiting <= waiting & ~first | arrived;
      running <= running & ~ended | first;
      done_now <= ended;
    end
  end

  always @(posedge clock) begin
    if (block_valid) begin
      slot_table[block_slot] <= {block_x, block_y, block_z};
    end
  end

`ifdef WARPMESH_ASSERT
  always @(posedge clock) begin
    if (!reset) begin
      if (!(!(|(arrived & (waiting | running))))) begin
        $display("%m: assertion failed: a block comes to a free slot");
        $stop;
      end
      if (!(!starts | (((block_threads + 11'h01f) >> 4'h5) == {7'h00, block_warps}))) begin
        $display("%m: assertion failed: the threads of a block fill its warps");
        $stop;
      end
    end
  end
`endif
endmodule

`default_nettype wire
