// barrier_warps8_blocks8
//
// Releases the warps of a thread block when all of them that have not ended wait at the barrier.
//
// Parameters: warps = 8, blocks = 8
// Made by: warpmesh export default
// Configuration: default
`default_nettype none

module barrier_warps8_blocks8 (
    input wire [7:0] active, // Warps that run a block.
    input wire [7:0] at_barrier, // Warps that are at a barrier.
    input wire [23:0] slots, // Slot of each warp's block.
    output wire [7:0] release_ // Warps that go on.
);
  wire [7:0] elsewhere;
  wire [7:0] blocked;

  assign elsewhere = active & ~at_barrier;
  wire [7:0] blocked_merged = (8'h01 << slots[20:18]) & {8{elsewhere[6]}} | (8'h01 << slots[23:21]) &
      {8{elsewhere[7]}};
  wire [7:0] blocked_merged_2 = (8'h01 << slots[14:12]) & {8{elsewhere[4]}} | (8'h01 << slots[17:15]) &
      {8{elsewhere[5]}} | blocked_merged;
  wire [7:0] blocked_merged_3 = (8'h01 << slots[8:6]) & {8{elsewhere[2]}} | (8'h01 << slots[11:9]) &
      {8{elsewhere[3]}};
  assign blocked = (8'h01 << slots[2:0]) & {8{elsewhere[0]}} | (8'h01 << slots[5:3]) & {8{elsewhere[1]}} |
      blocked_merged_3 | blocked_merged_2;
  wire release_masked = at_barrier[0] & !blocked[slots[2:0]];
  wire release_masked_2 = at_barrier[1] & !blocked[slots[5:3]];
  wire release_masked_3 = at_barrier[2] & !blocked[slots[8:6]];
  wire release_masked_4 = at_barrier[3] & !blocked[slots[11:9]];
  wire release_masked_5 = at_barrier[4] & !blocked[slots[14:12]];
  wire release_masked_6 = at_barrier[5] & !blocked[slots[17:15]];
  assign release_ = {at_barrier[7] & !blocked[slots[23:21]], at_barrier[6] & !blocked[slots[20:18]],
      release_masked_6, release_masked_5, release_masked_4, release_masked_3, release_masked_2,
      release_masked};
endmodule

`default_nettype wire
