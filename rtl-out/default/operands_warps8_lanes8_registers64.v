// operands_warps8_lanes8_registers64
//
// Reads guard, registers, special registers, parameters and immediates of the issued instruction, beat by beat.
//
// Parameters: warps = 8, lanes = 8, registers = 64
// Made by: warpmesh export default
// Configuration: default
`default_nettype none

module operands_warps8_lanes8_registers64 (
    input wire clock,
    input wire reset,
    input wire issue_valid, // The issued instruction, for all its beats.
    input wire [2:0] issue_warp, // The issued instruction, for all its beats.
    input wire [31:0] issue_mask, // Threads that execute.
    input wire [101:0] issue_control, // Controls as a word.
    input wire [1:0] beat, // The beat that is read.
    input wire predicate_write_valid, // Predicates that are written.
    input wire [2:0] predicate_write_warp, // Predicates that are written.
    input wire [2:0] predicate_write_number, // Predicates that are written.
    input wire [1:0] predicate_write_beat, // Predicates that are written.
    input wire [7:0] predicate_write_mask, // Lanes that are written.
    input wire [7:0] predicate_write_bits, // Predicates that are written.
    input wire register_write_valid, // Registers that are written.
    input wire [2:0] register_write_warp, // Registers that are written.
    input wire [5:0] register_write_destination, // Registers that are written.
    input wire [1:0] register_write_beat, // Registers that are written.
    input wire [7:0] register_write_mask, // Lanes that are written.
    input wire [255:0] register_write_data, // Registers that are written.
    input wire param_write, // Words for the kernel parameter memory.
    input wire [9:0] param_address, // Words for the kernel parameter memory.
    input wire [31:0] param_data, // Words for the kernel parameter memory.
    input wire [2:0] issue_within, // Number of its warp within the block.
    input wire [10:0] block_dim_x, // Threads of a block.
    input wire [10:0] block_dim_y, // Threads of a block.
    input wire [6:0] block_dim_z, // Threads of a block.
    input wire [31:0] block_x, // Index of the instruction's block.
    input wire [15:0] block_y, // Index of the instruction's block.
    input wire [15:0] block_z, // Index of the instruction's block.
    input wire [31:0] grid_dim_x, // Blocks of the grid.
    input wire [15:0] grid_dim_y, // Blocks of the grid.
    input wire [15:0] grid_dim_z, // Blocks of the grid.
    input wire [15:0] issue_shared_base, // Where the shared memory of its block begins.
    output wire [31:0] taken, // Threads that execute and whose guard holds, now.
    output wire table_ready, // The table of thread indices is that of these dimensions.
    output wire x_valid, // A cycle later: the beat at the lanes.
    output wire [2:0] x_warp, // A cycle later: the beat at the lanes.
    output wire [1:0] x_beat, // A cycle later: the beat at the lanes.
    output wire [7:0] x_active, // Lanes whose thread executes and whose guard holds.
    output wire [101:0] x_control, // Controls as a word.
    output wire [15:0] x_shared_base, // Where the shared memory of its block begins.
    output wire [255:0] a, // Its operands.
    output wire [255:0] b, // Its operands.
    output wire [255:0] c, // Its operands.
    output wire [7:0] p, // Its operands.
    output wire [7:0] q // Its operands.
);
  wire [31:0] predicate_file_guard;
  wire [31:0] predicate_file_p;
  wire [31:0] predicate_file_q;
  wire [31:0] guarded;
  wire [255:0] register_file_a;
  wire [255:0] register_file_b;
  wire [255:0] register_file_c;
  wire [31:0] parameter_;
  wire thread_index_filled;
  wire [79:0] thread_index_x;
  wire [79:0] thread_index_y;
  wire [79:0] thread_index_z;
  reg [31:0] clock_now;
  reg [31:0] uniform;
  reg [101:0] control_now;
  reg [2:0] warp_now;
  reg [1:0] beat_now;
  reg [7:0] active_now;
  reg [15:0] shared_base_now;
  reg [7:0] p_now;
  reg [7:0] q_now;
  reg valid_now;
  wire per_lane;
  wire [31:0] word;

  wire issue_control_guard_negate = issue_control[86];
  assign guarded = issue_mask & (predicate_file_guard ^ {32{issue_control_guard_negate}});
  assign taken = guarded;
  assign table_ready = thread_index_filled;
  assign x_valid = valid_now;
  assign x_warp = warp_now;
  assign x_beat = beat_now;
  assign x_active = active_now;
  assign x_control = control_now;
  assign x_shared_base = shared_base_now;
  // Operand b: immediate or uniform, index of the thread, register.
  /* verilator lint_off UNUSED */ // bits 31:4 are not read
  wire [31:0] control_now_immediate = control_now[41:10];
  /* verilator lint_on UNUSED */
  wire control_now_special = control_now[6];
  assign per_lane = control_now_special & ((control_now_immediate[3:0] < 4'h3) | (control_now_immediate[3:0]
      == 4'hc));
  wire control_now_parameter = control_now[5];
  assign word = control_now_parameter ? parameter_ : uniform;
  wire control_now_a_used = control_now[71];
  assign a = {control_now_a_used ? register_file_a[255:224] : 32'h00000000, control_now_a_used ?
      register_file_a[223:192] : 32'h00000000, control_now_a_used ? register_file_a[191:160] : 32'h00000000,
      control_now_a_used ? register_file_a[159:128] : 32'h00000000, control_now_a_used ?
      register_file_a[127:96] : 32'h00000000, control_now_a_used ? register_file_a[95:64] : 32'h00000000,
      control_now_a_used ? register_file_a[63:32] : 32'h00000000, control_now_a_used ? register_file_a[31:0]
      : 32'h00000000};
  wire control_now_b_used = control_now[64];
  wire control_now_immediate_form = control_now[42];
  wire [9:0] b_product = {8'h00, beat_now} * 10'h008;
  wire [31:0] b_choice = per_lane ? {22'h000000, control_now_immediate[3] ? b_product + 10'h000 :
      control_now_immediate[1] ? thread_index_z[9:0] : control_now_immediate[0] ? thread_index_y[9:0] :
      thread_index_x[9:0]} : control_now_immediate_form ? word : control_now_b_used ? register_file_b[31:0] :
      32'h00000000;
  wire [31:0] b_choice_2 = per_lane ? {22'h000000, control_now_immediate[3] ? b_product + 10'h001 :
      control_now_immediate[1] ? thread_index_z[19:10] : control_now_immediate[0] ? thread_index_y[19:10] :
      thread_index_x[19:10]} : control_now_immediate_form ? word : control_now_b_used ?
      register_file_b[63:32] : 32'h00000000;
  wire [31:0] b_choice_3 = per_lane ? {22'h000000, control_now_immediate[3] ? b_product + 10'h002 :
      control_now_immediate[1] ? thread_index_z[29:20] : control_now_immediate[0] ? thread_index_y[29:20] :
      thread_index_x[29:20]} : control_now_immediate_form ? word : control_now_b_used ?
      register_file_b[95:64] : 32'h00000000;
  wire [31:0] b_choice_4 = per_lane ? {22'h000000, control_now_immediate[3] ? b_product + 10'h003 :
      control_now_immediate[1] ? thread_index_z[39:30] : control_now_immediate[0] ? thread_index_y[39:30] :
      thread_index_x[39:30]} : control_now_immediate_form ? word : control_now_b_used ?
      register_file_b[127:96] : 32'h00000000;
  wire [31:0] b_choice_5 = per_lane ? {22'h000000, control_now_immediate[3] ? b_product + 10'h004 :
      control_now_immediate[1] ? thread_index_z[49:40] : control_now_immediate[0] ? thread_index_y[49:40] :
      thread_index_x[49:40]} : control_now_immediate_form ? word : control_now_b_used ?
      register_file_b[159:128] : 32'h00000000;
  wire [31:0] b_choice_6 = per_lane ? {22'h000000, control_now_immediate[3] ? b_product + 10'h005 :
      control_now_immediate[1] ? thread_index_z[59:50] : control_now_immediate[0] ? thread_index_y[59:50] :
      thread_index_x[59:50]} : control_now_immediate_form ? word : control_now_b_used ?
      register_file_b[191:160] : 32'h00000000;
  wire [31:0] b_choice_7 = per_lane ? {22'h000000, control_now_immediate[3] ? b_product + 10'h006 :
      control_now_immediate[1] ? thread_index_z[69:60] : control_now_immediate[0] ? thread_index_y[69:60] :
      thread_index_x[69:60]} : control_now_immediate_form ? word : control_now_b_used ?
      register_file_b[223:192] : 32'h00000000;
  wire [31:0] b_choice_8 = per_lane ? {22'h000000, control_now_immediate[3] ? b_product + 10'h007 :
      control_now_immediate[1] ? thread_index_z[79:70] : control_now_immediate[0] ? thread_index_y[79:70] :
      thread_index_x[79:70]} : control_now_immediate_form ? word : control_now_b_used ?
      register_file_b[255:224] : 32'h00000000;
  assign b = {b_choice_8, b_choice_7, b_choice_6, b_choice_5, b_choice_4, b_choice_3, b_choice_2, b_choice};
  wire control_now_c_used = control_now[57];
  assign c = {control_now_c_used ? register_file_c[255:224] : 32'h00000000, control_now_c_used ?
      register_file_c[223:192] : 32'h00000000, control_now_c_used ? register_file_c[191:160] : 32'h00000000,
      control_now_c_used ? register_file_c[159:128] : 32'h00000000, control_now_c_used ?
      register_file_c[127:96] : 32'h00000000, control_now_c_used ? register_file_c[95:64] : 32'h00000000,
      control_now_c_used ? register_file_c[63:32] : 32'h00000000, control_now_c_used ? register_file_c[31:0]
      : 32'h00000000};
  assign p = p_now;
  assign q = q_now;

  wire [2:0] issue_control_guard = issue_control[89:87];
  wire [2:0] issue_control_p = issue_control[85:83];
  wire [2:0] issue_control_q = issue_control[81:79];
  predicate_file_warps8_lanes8 predicate_file (
    .clock(clock),
    .read_warp(issue_warp),
    .read_guard(issue_control_guard),
    .read_p(issue_control_p),
    .read_q(issue_control_q),
    .write_valid(predicate_write_valid),
    .write_warp(predicate_write_warp),
    .write_number(predicate_write_number),
    .write_beat(predicate_write_beat),
    .write_mask(predicate_write_mask),
    .write_bits(predicate_write_bits),
    .guard(predicate_file_guard),
    .p(predicate_file_p),
    .q(predicate_file_q)
  );

  wire [5:0] issue_control_a = issue_control[77:72];
  wire issue_control_a_used = issue_control[71];
  wire [5:0] issue_control_b = issue_control[70:65];
  wire issue_control_b_used = issue_control[64];
  wire [5:0] issue_control_c = issue_control[63:58];
  wire issue_control_c_used = issue_control[57];
  register_file_warps8_lanes8_registers64 register_file (
    .clock(clock),
    .read_warp(issue_warp),
    .read_beat(beat),
    .read_a(issue_control_a),
    .read_enable_a(issue_valid & issue_control_a_used),
    .read_b(issue_control_b),
    .read_enable_b(issue_valid & issue_control_b_used),
    .read_c(issue_control_c),
    .read_enable_c(issue_valid & issue_control_c_used),
    .write_valid(register_write_valid),
    .write_warp(register_write_warp),
    .write_destination(register_write_destination),
    .write_beat(register_write_beat),
    .write_mask(register_write_mask),
    .write_data(register_write_data),
    .a(register_file_a),
    .b(register_file_b),
    .c(register_file_c)
  );

  wire issue_control_special = issue_control[6];
  thread_index_warps8_lanes8 thread_index (
    .clock(clock),
    .reset(reset),
    .block_dim_x(block_dim_x),
    .block_dim_y(block_dim_y),
    .block_dim_z(block_dim_z),
    .warp(issue_within),
    .beat(beat),
    .read_enable(issue_valid & issue_control_special),
    .filled(thread_index_filled),
    .x(thread_index_x),
    .y(thread_index_y),
    .z(thread_index_z)
  );

  wire issue_control_parameter = issue_control[5];
  wire [31:0] issue_control_immediate = issue_control[41:10];
  sram_depth1024_width32 parameters (
    .clock(clock),
    .write_enable(param_write),
    .write_address(param_address),
    .write_data(param_data),
    .read_enable(issue_valid & issue_control_parameter),
    .read_address(issue_control_immediate[11:2]),
    .read_data(parameter_)
  );

  always @(posedge clock) begin
    if (reset) begin
      clock_now <= 32'h00000000;
      valid_now <= 1'b0;
    end else begin
      // Special registers that are the same in all threads of a warp.
      clock_now <= clock_now + 32'h00000001;
      valid_now <= issue_valid;
    end
  end

  wire issue_control_q_negate = issue_control[78];
  wire [31:0] next_mixed = predicate_file_q ^ {32{issue_control_q_negate}};
  wire issue_control_p_negate = issue_control[82];
  wire [31:0] next_mixed_2 = predicate_file_p ^ {32{issue_control_p_negate}};
  reg [31:0] next_row;
  always @* begin
    case (issue_control_immediate[2:0])
      3'h0: next_row = 32'h00000000;
      3'h1: next_row = 32'h00000000;
      3'h2: next_row = 32'h00000000;
      3'h3: next_row = {21'h000000, block_dim_x};
      3'h4: next_row = {21'h000000, block_dim_y};
      3'h5: next_row = {25'h0000000, block_dim_z};
      3'h6: next_row = block_x;
      3'h7: next_row = {16'h0000, block_y};
      default: next_row = {32{1'bx}};
    endcase
  end
  wire [31:0] next_choice = issue_control_immediate[2] ? (issue_control_immediate[1] ? clock_now :
      issue_control_immediate[0] ? {29'h00000000, issue_within} : 32'h00000000) : issue_control_immediate[1]
      ? (issue_control_immediate[0] ? {16'h0000, grid_dim_z} : {16'h0000, grid_dim_y}) :
      issue_control_immediate[0] ? grid_dim_x : {16'h0000, block_z};
  always @(posedge clock) begin
    // Operand isolation: registers hold their value while nothing issues.
    if (issue_valid) begin
      uniform <= issue_control_special ? (issue_control_immediate[3] ? next_choice : next_row) :
          issue_control_immediate;
      control_now <= issue_control;
      warp_now <= issue_warp;
      beat_now <= beat;
      active_now <= beat[1] ? (beat[0] ? guarded[31:24] : guarded[23:16]) : beat[0] ? guarded[15:8] :
          guarded[7:0];
      shared_base_now <= issue_shared_base;
      p_now <= beat[1] ? (beat[0] ? next_mixed_2[31:24] : next_mixed_2[23:16]) : beat[0] ? next_mixed_2[15:8]
          : next_mixed_2[7:0];
      q_now <= beat[1] ? (beat[0] ? next_mixed[31:24] : next_mixed[23:16]) : beat[0] ? next_mixed[15:8] :
          next_mixed[7:0];
    end
  end
endmodule

`default_nettype wire
