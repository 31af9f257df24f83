// warp_registers64_blocks8
//
// Context of one warp: state, next instruction, scoreboard, reconvergence stack.
//
// Parameters: registers = 64, blocks = 8
// Made by: warpmesh export default
// Configuration: default
`default_nettype none

module warp_registers64_blocks8 (
    input wire clock,
    input wire reset,
    input wire start, // It starts.
    input wire granted, // Its fetch is accepted.
    input wire fetched, // The instruction comes that it has asked for.
    input wire issue, // Its instruction issues.
    input wire step, // The instruction that has issued is carried out.
    input wire release_, // The barrier is passed.
    input wire [31:0] last_mask, // Otherwise these, as the last warp of its block.
    input wire start_full, // It has 32 threads if it starts.
    input wire branch, // How.
    input wire exit, // How.
    input wire barrier, // How.
    input wire [31:0] taken, // Threads whose guard holds.
    input wire [15:0] target, // Of a branch.
    input wire [15:0] reconvergence_pc, // Its reconvergence point.
    input wire lane_done, // A result has come from there.
    input wire [5:0] lane_destination, // A result has come from there.
    input wire load_done, // A result has come from there.
    input wire [5:0] load_destination, // A result has come from there.
    input wire shared_done, // A result has come from there.
    input wire [5:0] shared_destination, // A result has come from there.
    input wire predicate_done, // A predicate has come.
    input wire [2:0] predicate_number, // A predicate has come.
    input wire loads_open, // It has loads that have not returned.
    input wire stores_open, // It has stores that are not acknowledged.
    input wire hold_loads, // Units that cannot take an instruction.
    input wire hold_stores, // Units that cannot take an instruction.
    input wire hold_shared, // Units that cannot take an instruction.
    input wire hold_lanes, // Units that cannot take an instruction.
    input wire [47:0] hazards, // Hazards of that instruction, as a word.
    input wire [2:0] start_slot, // Slot of the block that starts.
    output wire fetch, // It wants the instruction at pc.
    output wire [15:0] pc, // Where it is.
    output wire [31:0] mask, // Threads that execute there.
    output wire [2:0] slot, // Slot of its block.
    output wire active, // It runs a block.
    output wire at_barrier, // It is at a barrier.
    output wire ready, // The next instruction can issue.
    output wire waits_for_result, // It waits for a result.
    output wire waits_for_unit // It waits for a unit, and for no result.
);
  localparam [1:0] STATE_IDLE = 2'h0;
  localparam [1:0] STATE_RUNNING = 2'h1;
  localparam [1:0] STATE_AT_BARRIER = 2'h2;

  reg [2:0] slot_now;
  reg [1:0] state;
  reg held;
  reg fetching;
  reg [47:0] hazard_word;
  wire [15:0] stack_pc;
  wire [31:0] stack_mask;
  wire stack_ready;
  wire stack_ended;
  wire stack_gathered;
  wire running;
  wire wants_instruction;
  wire scoreboard_free;
  wire scoreboard_clean;
  wire waits;
  wire can_issue;

  assign running = state == STATE_RUNNING;
  assign wants_instruction = running & stack_ready & !held & !fetching & !step;
  assign fetch = wants_instruction;
  assign pc = stack_pc;
  assign mask = stack_mask;
  assign slot = slot_now;
  assign active = |state;
  assign at_barrier = state == STATE_AT_BARRIER;
  wire hazard_word_must_drain = hazard_word[1];
  wire hazard_word_lane_result = hazard_word[0];
  wire hazard_word_shared = hazard_word[2];
  wire hazard_word_global_store = hazard_word[3];
  wire hazard_word_uncached = hazard_word[47];
  wire hazard_word_global_load = hazard_word[4];
  wire waits_merged = hazard_word_global_load & (hold_loads | stores_open | hazard_word_uncached &
      (stores_open | loads_open)) | hazard_word_global_store & (hold_stores | stores_open | loads_open);
  assign waits = waits_merged | hazard_word_shared & hold_shared | hazard_word_lane_result & hold_lanes |
      hazard_word_must_drain & !(scoreboard_clean & !loads_open & !stores_open) | !scoreboard_free;
  assign can_issue = held & !waits;
  assign ready = can_issue;
  assign waits_for_result = held & !scoreboard_free;
  assign waits_for_unit = held & scoreboard_free & waits;

  reconvergence_stack stack (
    .clock(clock),
    .reset(reset),
    .start(start),
    .start_mask(last_mask | {32{start_full}}),
    .step(step),
    .branch(branch),
    .exit(exit),
    .barrier(barrier),
    .taken(taken),
    .target(target),
    .reconvergence_pc(reconvergence_pc),
    .pc(stack_pc),
    .mask(stack_mask),
    .ready(stack_ready),
    .ended(stack_ended),
    .gathered(stack_gathered)
  );

  scoreboard_registers64 scoreboard (
    .clock(clock),
    .reset(reset),
    .hazards(hazard_word),
    .issue(issue),
    .lane_done(lane_done),
    .lane_destination(lane_destination),
    .load_done(load_done),
    .load_destination(load_destination),
    .shared_done(shared_done),
    .shared_destination(shared_destination),
    .predicate_done(predicate_done),
    .predicate_number(predicate_number),
    .free(scoreboard_free),
    .clean(scoreboard_clean)
  );

  always @(posedge clock) begin
    if (reset) begin
      slot_now <= 3'h0;
      state <= STATE_IDLE;
      held <= 1'b0;
      fetching <= 1'b0;
    end else begin
      if (granted) begin
        fetching <= 1'b1;
      end
      if (fetched) begin
        fetching <= 1'b0;
        held <= 1'b1;
      end
      if (issue) begin
        held <= 1'b0;
      end
      if (running & stack_ended) begin
        state <= STATE_IDLE;
      end
      if (stack_gathered) begin
        state <= STATE_AT_BARRIER;
      end
      if (release_) begin
        state <= STATE_RUNNING;
      end
      if (start) begin
        state <= STATE_RUNNING;
        slot_now <= start_slot;
      end
    end
  end

  always @(posedge clock) begin
    if (fetched) begin
      hazard_word <= hazards;
    end
  end

`ifdef WARPMESH_ASSERT
  always @(posedge clock) begin
    if (!reset) begin
      if (!(!start | !(|state) & scoreboard_clean)) begin
        $display("%m: assertion failed: a warp is started when it is idle and nothing is awaited");
        $stop;
      end
      if (!(!issue | held & !waits)) begin
        $display("%m: assertion failed: an instruction issues when it is ready");
        $stop;
      end
      if (!(!fetched | fetching)) begin
        $display("%m: assertion failed: an instruction arrives when it was asked for");
        $stop;
      end
    end
  end
`endif
endmodule

`default_nettype wire
