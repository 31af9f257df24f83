// front_end_warps8_lanes8_registers64
//
// Instruction memory, decoder, warps and scheduler: issues one instruction of one warp per issue interval.
//
// Parameters: warps = 8, lanes = 8, registers = 64
// Made by: warpmesh export default
// Configuration: default
`default_nettype none

module front_end_warps8_lanes8_registers64 (
    input wire clock,
    input wire reset,
    input wire [7:0] start_warps, // Warps that start.
    input wire program_write, // Words for the instruction memory.
    input wire [15:0] program_address, // Words for the instruction memory.
    input wire [63:0] program_data, // Words for the instruction memory.
    input wire [31:0] taken, // In beat 0: its executing threads whose guard holds.
    input wire hold_loads, // Units that cannot take an instruction now.
    input wire hold_stores, // Units that cannot take an instruction now.
    input wire hold_shared, // Units that cannot take an instruction now.
    input wire hold_lanes, // Units that cannot take an instruction now.
    input wire [7:0] loads_open, // Warps with loads that have not returned.
    input wire [7:0] stores_open, // Warps with stores that are not acknowledged.
    input wire [7:0] release_, // Warps that have passed their barrier.
    input wire lane_done_valid, // A register has its result, from there.
    input wire [2:0] lane_done_warp, // A register has its result, from there.
    input wire [5:0] lane_done_destination, // A register has its result, from there.
    input wire load_done_valid, // A register has its result, from there.
    input wire [2:0] load_done_warp, // A register has its result, from there.
    input wire [5:0] load_done_destination, // A register has its result, from there.
    input wire shared_done_valid, // A register has its result, from there.
    input wire [2:0] shared_done_warp, // A register has its result, from there.
    input wire [5:0] shared_done_destination, // A register has its result, from there.
    input wire predicate_done, // A predicate has its result.
    input wire [2:0] predicate_number, // A predicate has its result.
    input wire [2:0] predicate_warp, // Whose predicate that is.
    input wire [2:0] start_slot, // Slot of the block that starts.
    input wire [31:0] last_mask, // Threads of the last warp of a block.
    input wire [7:0] start_full, // Warps that have 32 threads if they start.
    output wire [1:0] beat, // Beat of the issue interval.
    output wire issue_valid, // The issued instruction, for all its beats.
    output wire [2:0] issue_warp, // The issued instruction, for all its beats.
    output wire [31:0] issue_mask, // Threads that execute.
    output wire [101:0] issue_control, // Controls as a word.
    output wire [2:0] issue_slot, // Slot of its block.
    output wire [7:0] active, // Warps that run a block.
    output wire [7:0] at_barrier, // Warps that are at a barrier.
    output wire [23:0] slots // Slot of each warp's block.
);
  wire warp0_fetch;
  wire [15:0] warp0_pc;
  wire [31:0] warp0_mask;
  wire [2:0] warp0_slot;
  wire warp0_active;
  wire warp0_at_barrier;
  wire warp0_ready;
  wire warp1_fetch;
  wire [15:0] warp1_pc;
  wire [31:0] warp1_mask;
  wire [2:0] warp1_slot;
  wire warp1_active;
  wire warp1_at_barrier;
  wire warp1_ready;
  wire warp2_fetch;
  wire [15:0] warp2_pc;
  wire [31:0] warp2_mask;
  wire [2:0] warp2_slot;
  wire warp2_active;
  wire warp2_at_barrier;
  wire warp2_ready;
  wire warp3_fetch;
  wire [15:0] warp3_pc;
  wire [31:0] warp3_mask;
  wire [2:0] warp3_slot;
  wire warp3_active;
  wire warp3_at_barrier;
  wire warp3_ready;
  wire warp4_fetch;
  wire [15:0] warp4_pc;
  wire [31:0] warp4_mask;
  wire [2:0] warp4_slot;
  wire warp4_active;
  wire warp4_at_barrier;
  wire warp4_ready;
  wire warp5_fetch;
  wire [15:0] warp5_pc;
  wire [31:0] warp5_mask;
  wire [2:0] warp5_slot;
  wire warp5_active;
  wire warp5_at_barrier;
  wire warp5_ready;
  wire warp6_fetch;
  wire [15:0] warp6_pc;
  wire [31:0] warp6_mask;
  wire [2:0] warp6_slot;
  wire warp6_active;
  wire warp6_at_barrier;
  wire warp6_ready;
  wire warp7_fetch;
  wire [15:0] warp7_pc;
  wire [31:0] warp7_mask;
  wire [2:0] warp7_slot;
  wire warp7_active;
  wire warp7_at_barrier;
  wire warp7_ready;
  reg [1:0] beat_now;
  wire last_beat;
  wire [7:0] fetch_arbiter_grant;
  wire [7:0] fetch;
  /* verilator lint_off UNUSED */ // bits 15:12 are not read
  wire [15:0] fetch_pc;
  /* verilator lint_on UNUSED */
  wire [63:0] instruction;
  reg [7:0] fetched;
  wire [47:0] decode_hazards;
  wire [101:0] decode_controls;
  wire [7:0] ready;
  wire [7:0] scheduler_grant;
  wire [7:0] chosen;
  wire [2:0] chosen_number;
  reg issued;
  reg [2:0] issued_number;
  reg [31:0] issued_mask;
  reg [101:0] control;
  reg [2:0] issued_slot;
  reg [7:0] issued_warp;
  wire first;
  wire [7:0] lane_done_of_warp;
  wire [7:0] load_done_of_warp;
  wire [7:0] shared_done_of_warp;
  wire [7:0] predicate_done_of_warp;
  reg [101:0] decoded [0:7];

  assign beat = beat_now;
  assign last_beat = beat_now == 2'h3;
  // Fetch: one warp a cycle; the instruction is decoded in the next.
  assign fetch = fetch_arbiter_grant;
  wire [15:0] fetch_pc_merged = warp6_pc & {16{fetch[6]}} | warp7_pc & {16{fetch[7]}};
  wire [15:0] fetch_pc_merged_2 = warp4_pc & {16{fetch[4]}} | warp5_pc & {16{fetch[5]}} | fetch_pc_merged;
  wire [15:0] fetch_pc_merged_3 = warp2_pc & {16{fetch[2]}} | warp3_pc & {16{fetch[3]}};
  assign fetch_pc = warp0_pc & {16{fetch[0]}} | warp1_pc & {16{fetch[1]}} | fetch_pc_merged_3 |
      fetch_pc_merged_2;
  // Issue: in the last beat, one of the ready warps.
  assign ready = {warp7_ready, warp6_ready, warp5_ready, warp4_ready, warp3_ready, warp2_ready, warp1_ready,
      warp0_ready} & {8{last_beat}};
  assign chosen = scheduler_grant;
  assign chosen_number = {|(chosen & 8'hf0), |(chosen & 8'hcc), |(chosen & 8'haa)};
  assign issue_valid = issued;
  assign issue_warp = issued_number;
  assign issue_mask = issued_mask;
  assign issue_control = control;
  assign issue_slot = issued_slot;
  assign first = issued & !(|beat_now);
  // Beat 0: the instruction is carried out in its warp's stack.
  assign lane_done_of_warp = (8'h01 << lane_done_warp) & {8{lane_done_valid}};
  assign load_done_of_warp = (8'h01 << load_done_warp) & {8{load_done_valid}};
  assign shared_done_of_warp = (8'h01 << shared_done_warp) & {8{shared_done_valid}};
  assign predicate_done_of_warp = (8'h01 << predicate_warp) & {8{predicate_done}};
  assign active = {warp7_active, warp6_active, warp5_active, warp4_active, warp3_active, warp2_active,
      warp1_active, warp0_active};
  assign at_barrier = {warp7_at_barrier, warp6_at_barrier, warp5_at_barrier, warp4_at_barrier,
      warp3_at_barrier, warp2_at_barrier, warp1_at_barrier, warp0_at_barrier};
  assign slots = {warp7_slot, warp6_slot, warp5_slot, warp4_slot, warp3_slot, warp2_slot, warp1_slot,
      warp0_slot};

  wire [7:0] warp0_step_masked = {8{first}} & issued_warp;
  wire control_branch = control[9];
  wire control_exit = control[7];
  wire control_barrier = control[8];
  wire [31:0] control_immediate = control[41:10];
  wire unused_warp0_waits_for_result;
  wire unused_warp0_waits_for_unit;
  warp_registers64_blocks8 warp0 (
    .clock(clock),
    .reset(reset),
    .start(start_warps[0]),
    .granted(fetch[0]),
    .fetched(fetched[0]),
    .issue(chosen[0]),
    .step(warp0_step_masked[0]),
    .release_(release_[0]),
    .last_mask(last_mask),
    .start_full(start_full[0]),
    .branch(control_branch),
    .exit(control_exit),
    .barrier(control_barrier),
    .taken(taken),
    .target(control_immediate[15:0]),
    .reconvergence_pc(control_immediate[31:16]),
    .lane_done(lane_done_of_warp[0]),
    .lane_destination(lane_done_destination),
    .load_done(load_done_of_warp[0]),
    .load_destination(load_done_destination),
    .shared_done(shared_done_of_warp[0]),
    .shared_destination(shared_done_destination),
    .predicate_done(predicate_done_of_warp[0]),
    .predicate_number(predicate_number),
    .loads_open(loads_open[0]),
    .stores_open(stores_open[0]),
    .hold_loads(hold_loads),
    .hold_stores(hold_stores),
    .hold_shared(hold_shared),
    .hold_lanes(hold_lanes),
    .hazards(decode_hazards),
    .start_slot(start_slot),
    .fetch(warp0_fetch),
    .pc(warp0_pc),
    .mask(warp0_mask),
    .slot(warp0_slot),
    .active(warp0_active),
    .at_barrier(warp0_at_barrier),
    .ready(warp0_ready),
    .waits_for_result(unused_warp0_waits_for_result),
    .waits_for_unit(unused_warp0_waits_for_unit)
  );

  wire unused_warp1_waits_for_result;
  wire unused_warp1_waits_for_unit;
  warp_registers64_blocks8 warp1 (
    .clock(clock),
    .reset(reset),
    .start(start_warps[1]),
    .granted(fetch[1]),
    .fetched(fetched[1]),
    .issue(chosen[1]),
    .step(warp0_step_masked[1]),
    .release_(release_[1]),
    .last_mask(last_mask),
    .start_full(start_full[1]),
    .branch(control_branch),
    .exit(control_exit),
    .barrier(control_barrier),
    .taken(taken),
    .target(control_immediate[15:0]),
    .reconvergence_pc(control_immediate[31:16]),
    .lane_done(lane_done_of_warp[1]),
    .lane_destination(lane_done_destination),
    .load_done(load_done_of_warp[1]),
    .load_destination(load_done_destination),
    .shared_done(shared_done_of_warp[1]),
    .shared_destination(shared_done_destination),
    .predicate_done(predicate_done_of_warp[1]),
    .predicate_number(predicate_number),
    .loads_open(loads_open[1]),
    .stores_open(stores_open[1]),
    .hold_loads(hold_loads),
    .hold_stores(hold_stores),
    .hold_shared(hold_shared),
    .hold_lanes(hold_lanes),
    .hazards(decode_hazards),
    .start_slot(start_slot),
    .fetch(warp1_fetch),
    .pc(warp1_pc),
    .mask(warp1_mask),
    .slot(warp1_slot),
    .active(warp1_active),
    .at_barrier(warp1_at_barrier),
    .ready(warp1_ready),
    .waits_for_result(unused_warp1_waits_for_result),
    .waits_for_unit(unused_warp1_waits_for_unit)
  );

  wire unused_warp2_waits_for_result;
  wire unused_warp2_waits_for_unit;
  warp_registers64_blocks8 warp2 (
    .clock(clock),
    .reset(reset),
    .start(start_warps[2]),
    .granted(fetch[2]),
    .fetched(fetched[2]),
    .issue(chosen[2]),
    .step(warp0_step_masked[2]),
    .release_(release_[2]),
    .last_mask(last_mask),
    .start_full(start_full[2]),
    .branch(control_branch),
    .exit(control_exit),
    .barrier(control_barrier),
    .taken(taken),
    .target(control_immediate[15:0]),
    .reconvergence_pc(control_immediate[31:16]),
    .lane_done(lane_done_of_warp[2]),
    .lane_destination(lane_done_destination),
    .load_done(load_done_of_warp[2]),
    .load_destination(load_done_destination),
    .shared_done(shared_done_of_warp[2]),
    .shared_destination(shared_done_destination),
    .predicate_done(predicate_done_of_warp[2]),
    .predicate_number(predicate_number),
    .loads_open(loads_open[2]),
    .stores_open(stores_open[2]),
    .hold_loads(hold_loads),
    .hold_stores(hold_stores),
    .hold_shared(hold_shared),
    .hold_lanes(hold_lanes),
    .hazards(decode_hazards),
    .start_slot(start_slot),
    .fetch(warp2_fetch),
    .pc(warp2_pc),
    .mask(warp2_mask),
    .slot(warp2_slot),
    .active(warp2_active),
    .at_barrier(warp2_at_barrier),
    .ready(warp2_ready),
    .waits_for_result(unused_warp2_waits_for_result),
    .waits_for_unit(unused_warp2_waits_for_unit)
  );

  wire unused_warp3_waits_for_result;
  wire unused_warp3_waits_for_unit;
  warp_registers64_blocks8 warp3 (
    .clock(clock),
    .reset(reset),
    .start(start_warps[3]),
    .granted(fetch[3]),
    .fetched(fetched[3]),
    .issue(chosen[3]),
    .step(warp0_step_masked[3]),
    .release_(release_[3]),
    .last_mask(last_mask),
    .start_full(start_full[3]),
    .branch(control_branch),
    .exit(control_exit),
    .barrier(control_barrier),
    .taken(taken),
    .target(control_immediate[15:0]),
    .reconvergence_pc(control_immediate[31:16]),
    .lane_done(lane_done_of_warp[3]),
    .lane_destination(lane_done_destination),
    .load_done(load_done_of_warp[3]),
    .load_destination(load_done_destination),
    .shared_done(shared_done_of_warp[3]),
    .shared_destination(shared_done_destination),
    .predicate_done(predicate_done_of_warp[3]),
    .predicate_number(predicate_number),
    .loads_open(loads_open[3]),
    .stores_open(stores_open[3]),
    .hold_loads(hold_loads),
    .hold_stores(hold_stores),
    .hold_shared(hold_shared),
    .hold_lanes(hold_lanes),
    .hazards(decode_hazards),
    .start_slot(start_slot),
    .fetch(warp3_fetch),
    .pc(warp3_pc),
    .mask(warp3_mask),
    .slot(warp3_slot),
    .active(warp3_active),
    .at_barrier(warp3_at_barrier),
    .ready(warp3_ready),
    .waits_for_result(unused_warp3_waits_for_result),
    .waits_for_unit(unused_warp3_waits_for_unit)
  );

  wire unused_warp4_waits_for_result;
  wire unused_warp4_waits_for_unit;
  warp_registers64_blocks8 warp4 (
    .clock(clock),
    .reset(reset),
    .start(start_warps[4]),
    .granted(fetch[4]),
    .fetched(fetched[4]),
    .issue(chosen[4]),
    .step(warp0_step_masked[4]),
    .release_(release_[4]),
    .last_mask(last_mask),
    .start_full(start_full[4]),
    .branch(control_branch),
    .exit(control_exit),
    .barrier(control_barrier),
    .taken(taken),
    .target(control_immediate[15:0]),
    .reconvergence_pc(control_immediate[31:16]),
    .lane_done(lane_done_of_warp[4]),
    .lane_destination(lane_done_destination),
    .load_done(load_done_of_warp[4]),
    .load_destination(load_done_destination),
    .shared_done(shared_done_of_warp[4]),
    .shared_destination(shared_done_destination),
    .predicate_done(predicate_done_of_warp[4]),
    .predicate_number(predicate_number),
    .loads_open(loads_open[4]),
    .stores_open(stores_open[4]),
    .hold_loads(hold_loads),
    .hold_stores(hold_stores),
    .hold_shared(hold_shared),
    .hold_lanes(hold_lanes),
    .hazards(decode_hazards),
    .start_slot(start_slot),
    .fetch(warp4_fetch),
    .pc(warp4_pc),
    .mask(warp4_mask),
    .slot(warp4_slot),
    .active(warp4_active),
    .at_barrier(warp4_at_barrier),
    .ready(warp4_ready),
    .waits_for_result(unused_warp4_waits_for_result),
    .waits_for_unit(unused_warp4_waits_for_unit)
  );

  wire unused_warp5_waits_for_result;
  wire unused_warp5_waits_for_unit;
  warp_registers64_blocks8 warp5 (
    .clock(clock),
    .reset(reset),
    .start(start_warps[5]),
    .granted(fetch[5]),
    .fetched(fetched[5]),
    .issue(chosen[5]),
    .step(warp0_step_masked[5]),
    .release_(release_[5]),
    .last_mask(last_mask),
    .start_full(start_full[5]),
    .branch(control_branch),
    .exit(control_exit),
    .barrier(control_barrier),
    .taken(taken),
    .target(control_immediate[15:0]),
    .reconvergence_pc(control_immediate[31:16]),
    .lane_done(lane_done_of_warp[5]),
    .lane_destination(lane_done_destination),
    .load_done(load_done_of_warp[5]),
    .load_destination(load_done_destination),
    .shared_done(shared_done_of_warp[5]),
    .shared_destination(shared_done_destination),
    .predicate_done(predicate_done_of_warp[5]),
    .predicate_number(predicate_number),
    .loads_open(loads_open[5]),
    .stores_open(stores_open[5]),
    .hold_loads(hold_loads),
    .hold_stores(hold_stores),
    .hold_shared(hold_shared),
    .hold_lanes(hold_lanes),
    .hazards(decode_hazards),
    .start_slot(start_slot),
    .fetch(warp5_fetch),
    .pc(warp5_pc),
    .mask(warp5_mask),
    .slot(warp5_slot),
    .active(warp5_active),
    .at_barrier(warp5_at_barrier),
    .ready(warp5_ready),
    .waits_for_result(unused_warp5_waits_for_result),
    .waits_for_unit(unused_warp5_waits_for_unit)
  );

  wire unused_warp6_waits_for_result;
  wire unused_warp6_waits_for_unit;
  warp_registers64_blocks8 warp6 (
    .clock(clock),
    .reset(reset),
    .start(start_warps[6]),
    .granted(fetch[6]),
    .fetched(fetched[6]),
    .issue(chosen[6]),
    .step(warp0_step_masked[6]),
    .release_(release_[6]),
    .last_mask(last_mask),
    .start_full(start_full[6]),
    .branch(control_branch),
    .exit(control_exit),
    .barrier(control_barrier),
    .taken(taken),
    .target(control_immediate[15:0]),
    .reconvergence_pc(control_immediate[31:16]),
    .lane_done(lane_done_of_warp[6]),
    .lane_destination(lane_done_destination),
    .load_done(load_done_of_warp[6]),
    .load_destination(load_done_destination),
    .shared_done(shared_done_of_warp[6]),
    .shared_destination(shared_done_destination),
    .predicate_done(predicate_done_of_warp[6]),
    .predicate_number(predicate_number),
    .loads_open(loads_open[6]),
    .stores_open(stores_open[6]),
    .hold_loads(hold_loads),
    .hold_stores(hold_stores),
    .hold_shared(hold_shared),
    .hold_lanes(hold_lanes),
    .hazards(decode_hazards),
    .start_slot(start_slot),
    .fetch(warp6_fetch),
    .pc(warp6_pc),
    .mask(warp6_mask),
    .slot(warp6_slot),
    .active(warp6_active),
    .at_barrier(warp6_at_barrier),
    .ready(warp6_ready),
    .waits_for_result(unused_warp6_waits_for_result),
    .waits_for_unit(unused_warp6_waits_for_unit)
  );

  wire unused_warp7_waits_for_result;
  wire unused_warp7_waits_for_unit;
  warp_registers64_blocks8 warp7 (
    .clock(clock),
    .reset(reset),
    .start(start_warps[7]),
    .granted(fetch[7]),
    .fetched(fetched[7]),
    .issue(chosen[7]),
    .step(warp0_step_masked[7]),
    .release_(release_[7]),
    .last_mask(last_mask),
    .start_full(start_full[7]),
    .branch(control_branch),
    .exit(control_exit),
    .barrier(control_barrier),
    .taken(taken),
    .target(control_immediate[15:0]),
    .reconvergence_pc(control_immediate[31:16]),
    .lane_done(lane_done_of_warp[7]),
    .lane_destination(lane_done_destination),
    .load_done(load_done_of_warp[7]),
    .load_destination(load_done_destination),
    .shared_done(shared_done_of_warp[7]),
    .shared_destination(shared_done_destination),
    .predicate_done(predicate_done_of_warp[7]),
    .predicate_number(predicate_number),
    .loads_open(loads_open[7]),
    .stores_open(stores_open[7]),
    .hold_loads(hold_loads),
    .hold_stores(hold_stores),
    .hold_shared(hold_shared),
    .hold_lanes(hold_lanes),
    .hazards(decode_hazards),
    .start_slot(start_slot),
    .fetch(warp7_fetch),
    .pc(warp7_pc),
    .mask(warp7_mask),
    .slot(warp7_slot),
    .active(warp7_active),
    .at_barrier(warp7_at_barrier),
    .ready(warp7_ready),
    .waits_for_result(unused_warp7_waits_for_result),
    .waits_for_unit(unused_warp7_waits_for_unit)
  );

  round_robin_arbiter_n8 fetch_arbiter (
    .clock(clock),
    .reset(reset),
    .request({warp7_fetch, warp6_fetch, warp5_fetch, warp4_fetch, warp3_fetch, warp2_fetch, warp1_fetch,
        warp0_fetch}),
    .advance(1'b1),
    .grant(fetch_arbiter_grant)
  );

  decode_registers64 decode (
`ifdef WARPMESH_ASSERT
    .clock(clock),
    .reset(reset),
`endif
    .instruction(instruction),
    .hazards(decode_hazards),
    .controls(decode_controls)
  );

  round_robin_arbiter_n8 scheduler (
    .clock(clock),
    .reset(reset),
    .request(ready),
    .advance(1'b1),
    .grant(scheduler_grant)
  );

  wire program_write_enable_masked = program_write & (program_address < 16'h1000);
  sram_depth4096_width64 program_ (
    .clock(clock),
    .write_enable(program_write_enable_masked),
    .write_address(program_address[11:0]),
    .write_data(program_data),
    .read_enable(|fetch),
    .read_address(fetch_pc[11:0]),
    .read_data(instruction)
  );

  wire [2:0] next_merged = warp6_slot & {3{chosen[6]}} | warp7_slot & {3{chosen[7]}};
  wire [2:0] next_merged_2 = warp4_slot & {3{chosen[4]}} | warp5_slot & {3{chosen[5]}} | next_merged;
  wire [2:0] next_merged_3 = warp2_slot & {3{chosen[2]}} | warp3_slot & {3{chosen[3]}};
  wire [31:0] next_merged_4 = warp6_mask & {32{chosen[6]}} | warp7_mask & {32{chosen[7]}};
  wire [31:0] next_merged_5 = warp4_mask & {32{chosen[4]}} | warp5_mask & {32{chosen[5]}} | next_merged_4;
  wire [31:0] next_merged_6 = warp2_mask & {32{chosen[2]}} | warp3_mask & {32{chosen[3]}};
  always @(posedge clock) begin
    if (reset) begin
      beat_now <= 2'h0;
      fetched <= 8'h00;
      issued <= 1'b0;
      issued_number <= 3'h0;
      issued_mask <= 32'h00000000;
      issued_slot <= 3'h0;
      issued_warp <= 8'h00;
    end else begin
      beat_now <= beat_now + 2'h1;
      fetched <= fetch;
      if (last_beat) begin
        issued <= |chosen;
        issued_number <= chosen_number;
        issued_mask <= warp0_mask & {32{chosen[0]}} | warp1_mask & {32{chosen[1]}} | next_merged_6 |
            next_merged_5;
        issued_slot <= warp0_slot & {3{chosen[0]}} | warp1_slot & {3{chosen[1]}} | next_merged_3 |
            next_merged_2;
        issued_warp <= chosen;
      end
    end
  end

  wire [101:0] decoded_word = decoded[chosen_number];
  always @(posedge clock) begin
    if (last_beat) begin
      control <= decoded_word;
    end
  end

  always @(posedge clock) begin
    if (|fetched) begin
      decoded[{|(fetched & 8'hf0), |(fetched & 8'hcc), |(fetched & 8'haa)}] <= decode_controls;
    end
  end

`ifdef WARPMESH_ASSERT
  wire claim_masked = !(|(chosen & (chosen - 8'h01))) & !(|(chosen & ~ready));
  always @(posedge clock) begin
    if (!reset) begin
      if (!(!(|fetch) | (fetch_pc < 16'h1000))) begin
        $display("%m: assertion failed: a program counter stays within the instruction memory");
        $stop;
      end
      if (!(claim_masked & ((|chosen) == (|ready)))) begin
        $display("%m: assertion failed: the scheduler chooses one of the ready warps, if there is any");
        $stop;
      end
      if (!(!(first & control_barrier & (taken != issued_mask)))) begin
        $display("%m: assertion failed: a barrier has no guard");
        $stop;
      end
    end
  end
`endif
endmodule

`default_nettype wire
