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
    input wire block_valid, // A block comes.
    input wire [2:0] block_slot, // To this slot.
    input wire [15:0] shared_stride, // Bytes of shared memory from one slot to the next.
    input wire [3:0] block_warps, // Warps of a block.
    input wire [31:0] block_x, // Its index in the grid.
    input wire [15:0] block_y, // Its index in the grid.
    input wire [15:0] block_z, // Its index in the grid.
    input wire table_ready, // The tables of thread indices are those of the kernel.
    /* verilator lint_off UNUSED */ // bits 10:5 are not read
    input wire [10:0] block_threads, // Threads of a block.
    /* verilator lint_on UNUSED */
    input wire [23:0] slots, // Slot of each warp's block.
    input wire [7:0] active, // Warps that run a block.
    input wire [2:0] table_slot, // Slot whose row of the table a part looks at.
    input wire [2:0] table_warp, // A warp of the block there.
    output wire start, // The warps of a block begin.
    output wire [2:0] start_slot, // Slot of the block.
    output wire [7:0] start_warps, // Those warps.
    output wire [7:0] start_full, // Warps that have 32 threads if they start: the next one starts, too.
    output wire [31:0] last_mask, // Threads of the last warp of a block.
    output wire [7:0] done, // Slots whose block has ended.
    output wire busy, // Some block waits or runs.
    output wire [31:0] table_x, // Index of the block there.
    output wire [15:0] table_y, // Index of the block there.
    output wire [15:0] table_z, // Index of the block there.
    output wire [15:0] table_shared, // Where its shared memory begins.
    output wire [2:0] table_within // Its number within the block.
);
  reg [7:0] waiting;
  reg [7:0] running;
  wire [7:0] arrived;
  wire [7:0] first;
  wire [2:0] first_number;
  wire starts;
  reg [2:0] first_warp1;
  reg [2:0] first_warp2;
  reg [2:0] first_warp3;
  reg [2:0] first_warp4;
  reg [2:0] first_warp5;
  reg [2:0] first_warp6;
  reg [2:0] first_warp7;
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
  wire [2:0] start_base_merged = first_warp6 & {3{first[6]}} | first_warp7 & {3{first[7]}};
  wire [2:0] start_base_merged_2 = first_warp1 & {3{first[1]}} | first_warp2 & {3{first[2]}} | first_warp3 &
      {3{first[3]}};
  assign start_base = start_base_merged_2 | first_warp4 & {3{first[4]}} | first_warp5 & {3{first[5]}} |
      start_base_merged;
  assign start_warps = (~(8'hff << block_warps) << start_base) & {8{starts}};
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
  reg [2:0] table_within_row;
  always @* begin
    case (table_slot)
      3'h0: table_within_row = 3'h0;
      3'h1: table_within_row = first_warp1;
      3'h2: table_within_row = first_warp2;
      3'h3: table_within_row = first_warp3;
      3'h4: table_within_row = first_warp4;
      3'h5: table_within_row = first_warp5;
      3'h6: table_within_row = first_warp6;
      3'h7: table_within_row = first_warp7;
      default: table_within_row = {3{1'bx}};
    endcase
  end
  assign table_within = table_warp - table_within_row;

  wire [2:0] next_sum = (block_warps[2:0] << 2'h1) + block_warps[2:0];
  wire [2:0] next_shifted = (block_warps[2:0] << 2'h1) << 2'h1;
  always @(posedge clock) begin
    if (reset) begin
      waiting <= 8'h00;
      running <= 8'h00;
      first_warp1 <= 3'h0;
      first_warp2 <= 3'h0;
      first_warp3 <= 3'h0;
      first_warp4 <= 3'h0;
      first_warp5 <= 3'h0;
      first_warp6 <= 3'h0;
      first_warp7 <= 3'h0;
      done_now <= 8'h00;
    end else begin
      // A block takes block_warps warps from start_base on; its last one may have less than 32 threads.
      first_warp1 <= block_warps[2:0];
      first_warp2 <= block_warps[2:0] << 2'h1;
      first_warp3 <= next_sum;
      first_warp4 <= next_shifted;
      first_warp5 <= next_shifted + block_warps[2:0];
      first_warp6 <= next_sum << 2'h1;
      first_warp7 <= (next_sum << 2'h1) + block_warps[2:0];
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
      if (!(!starts | (first_warp1 == block_warps[2:0]))) begin
        $display("%m: assertion failed: block_warps is as in the cycle before a block starts");
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
