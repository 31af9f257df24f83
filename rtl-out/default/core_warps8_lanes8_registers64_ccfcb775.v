// core_warps8_lanes8_registers64_ccfcb775
//
// SIMT core: warps of 32 threads on a few lanes.
//
// Parameters: warps = 8, lanes = 8, registers = 64, map.banks = 8, map.controller_nodes = [1,2,13,14], map.kind = low-256,
//   map.line_bytes = 64, map.node_bits = 4, map.row_bytes = 2048
// Made by: warpmesh export default
// Configuration: default
`default_nettype none

module core_warps8_lanes8_registers64_ccfcb775 (
    input wire clock,
    input wire reset,
    input wire program_write, // Words for the instruction memory.
    input wire [15:0] program_address, // Words for the instruction memory.
    input wire [63:0] program_data, // Words for the instruction memory.
    input wire param_write, // Words for the kernel parameter memory.
    input wire [9:0] param_address, // Words for the kernel parameter memory.
    input wire [31:0] param_data, // Words for the kernel parameter memory.
    input wire [10:0] block_dim_x, // Threads of a block.
    input wire [10:0] block_dim_y, // Threads of a block.
    input wire [6:0] block_dim_z, // Threads of a block.
    input wire [31:0] grid_dim_x, // Blocks of the grid.
    input wire [15:0] grid_dim_y, // Blocks of the grid.
    input wire [15:0] grid_dim_z, // Blocks of the grid.
    input wire [3:0] block_warps, // Warps, rounded up.
    input wire [10:0] block_threads, // Threads.
    input wire [15:0] shared_stride, // Bytes of shared memory from one slot to the next.
    input wire block_valid, // A block comes.
    input wire [2:0] block_slot, // To this slot.
    input wire [31:0] block_x, // Its index in the grid.
    input wire [15:0] block_y, // Its index in the grid.
    input wire [15:0] block_z, // Its index in the grid.
    input wire tx_credit, // A pulse for each place that is free again.
    input wire rx_valid, // Replies.
    input wire [4:0] rx_sideband, // Replies.
    input wire [511:0] rx_payload, // Replies.
    output wire [7:0] block_done, // Slots whose block has ended.
    output wire idle, // No block is here.
    output wire tx_valid, // There is one.
    output wire [3:0] tx_dest, // Destination node.
    output wire [2:0] tx_flits, // Length, 1 and up.
    output wire [4:0] tx_sideband, // Requests.
    output wire [575:0] tx_payload, // Requests.
    output wire rx_credit // A pulse for each place that is free again.
);
  wire [1:0] front_end_beat;
  wire front_end_issue_valid;
  wire [2:0] front_end_issue_warp;
  wire [31:0] front_end_issue_mask;
  wire [101:0] front_end_issue_control;
  wire [2:0] front_end_issue_slot;
  wire [7:0] front_end_active;
  wire [7:0] front_end_at_barrier;
  wire [23:0] front_end_slots;
  wire [2:0] block_control_start_slot;
  wire [7:0] block_control_start_warps;
  wire [7:0] block_control_start_full;
  wire [31:0] block_control_last_mask;
  wire [7:0] block_control_done;
  wire block_control_busy;
  wire [31:0] block_control_table_x;
  wire [15:0] block_control_table_y;
  wire [15:0] block_control_table_z;
  wire [15:0] block_control_table_shared;
  wire [2:0] block_control_table_within;
  wire [7:0] barrier_release;
  wire [31:0] operands_taken;
  wire operands_table_ready;
  wire operands_x_valid;
  wire [2:0] operands_x_warp;
  wire [1:0] operands_x_beat;
  wire [7:0] operands_x_active;
  wire [101:0] operands_x_control;
  wire [15:0] operands_x_shared_base;
  wire [255:0] operands_a;
  wire [255:0] operands_b;
  wire [255:0] operands_c;
  wire [7:0] operands_p;
  wire [7:0] operands_q;
  wire [255:0] execute_address;
  wire execute_result_valid;
  wire [2:0] execute_result_warp;
  wire [5:0] execute_result_destination;
  wire [1:0] execute_result_beat;
  wire [7:0] execute_result_mask;
  wire [255:0] execute_result_data;
  wire execute_result_done_valid;
  wire [2:0] execute_result_done_warp;
  wire [5:0] execute_result_done_destination;
  wire execute_predicate_valid;
  wire [2:0] execute_predicate_warp;
  wire [2:0] execute_predicate_number;
  wire [1:0] execute_predicate_beat;
  wire [7:0] execute_predicate_mask;
  wire [7:0] execute_predicate_bits;
  wire execute_predicate_released_done;
  wire [2:0] execute_predicate_released_number;
  wire shared_memory_write_valid;
  wire [2:0] shared_memory_write_warp;
  wire [5:0] shared_memory_write_destination;
  wire [1:0] shared_memory_write_beat;
  wire [7:0] shared_memory_write_mask;
  wire [255:0] shared_memory_write_data;
  wire shared_memory_done_valid;
  wire [2:0] shared_memory_done_warp;
  wire [5:0] shared_memory_done_destination;
  wire shared_memory_ready;
  wire load_store_ready_load;
  wire load_store_ready_store;
  wire load_store_request_valid;
  wire load_store_request_write;
  wire [3:0] load_store_request_tag;
  wire [25:0] load_store_request_line;
  wire [15:0] load_store_request_words;
  wire [3:0] load_store_request_bytes;
  wire [511:0] load_store_request_data;
  wire load_store_write_valid;
  wire [2:0] load_store_write_warp;
  wire [5:0] load_store_write_destination;
  wire [1:0] load_store_write_beat;
  wire [7:0] load_store_write_mask;
  wire [255:0] load_store_write_data;
  wire load_store_done_valid;
  wire [2:0] load_store_done_warp;
  wire [5:0] load_store_done_destination;
  wire [7:0] load_store_stores_open;
  wire [7:0] load_store_loads_open;
  wire write_back_valid;
  wire [2:0] write_back_warp;
  wire [5:0] write_back_destination;
  wire [1:0] write_back_beat;
  wire [7:0] write_back_mask;
  wire [255:0] write_back_data;
  wire write_back_load_granted;
  wire write_back_shared_granted;
  wire write_back_hold_lanes;
  reg idle_now;
  wire first;
  wire memory_port_client0_taken;
  wire memory_port_tx_valid;
  wire [3:0] memory_port_tx_dest;
  wire [2:0] memory_port_tx_flits;
  wire [4:0] memory_port_tx_sideband;
  wire [575:0] memory_port_tx_payload;
  wire memory_port_client0_reply_valid;
  wire memory_port_client0_reply_write;
  wire [3:0] memory_port_client0_reply_tag;
  wire [511:0] memory_port_client0_reply_data;
  wire memory_port_rx_credit;

  // Host and dispatcher.
  assign block_done = block_control_done;
  assign idle = idle_now;
  // Warps: barrier, block control, issue.
  // Lanes.
  // Memory units: reserved in beat 0, fed with the beats of addresses and data.
  assign first = front_end_issue_valid & !(|front_end_beat);
  // Results: register file, scoreboard.
  // Memory transactions of all units, and the network interface.
  assign tx_valid = memory_port_tx_valid;
  assign tx_dest = memory_port_tx_dest;
  assign tx_flits = memory_port_tx_flits;
  assign tx_sideband = memory_port_tx_sideband;
  assign tx_payload = memory_port_tx_payload;
  assign rx_credit = memory_port_rx_credit;

  front_end_warps8_lanes8_registers64 front_end (
    .clock(clock),
    .reset(reset),
    .start_warps(block_control_start_warps),
    .program_write(program_write),
    .program_address(program_address),
    .program_data(program_data),
    .taken(operands_taken),
    .hold_loads(!load_store_ready_load),
    .hold_stores(!load_store_ready_store),
    .hold_shared(!shared_memory_ready),
    .hold_lanes(write_back_hold_lanes),
    .loads_open(load_store_loads_open),
    .stores_open(load_store_stores_open),
    .release_(barrier_release),
    .lane_done_valid(execute_result_done_valid),
    .lane_done_warp(execute_result_done_warp),
    .lane_done_destination(execute_result_done_destination),
    .load_done_valid(load_store_done_valid),
    .load_done_warp(load_store_done_warp),
    .load_done_destination(load_store_done_destination),
    .shared_done_valid(shared_memory_done_valid),
    .shared_done_warp(shared_memory_done_warp),
    .shared_done_destination(shared_memory_done_destination),
    .predicate_done(execute_predicate_released_done),
    .predicate_number(execute_predicate_released_number),
    .predicate_warp(execute_predicate_warp),
    .start_slot(block_control_start_slot),
    .last_mask(block_control_last_mask),
    .start_full(block_control_start_full),
    .beat(front_end_beat),
    .issue_valid(front_end_issue_valid),
    .issue_warp(front_end_issue_warp),
    .issue_mask(front_end_issue_mask),
    .issue_control(front_end_issue_control),
    .issue_slot(front_end_issue_slot),
    .active(front_end_active),
    .at_barrier(front_end_at_barrier),
    .slots(front_end_slots)
  );

  wire unused_block_control_start;
  block_control_warps8_blocks8 block_control (
    .clock(clock),
    .reset(reset),
    .block_valid(block_valid),
    .block_slot(block_slot),
    .shared_stride(shared_stride),
    .block_warps(block_warps),
    .block_x(block_x),
    .block_y(block_y),
    .block_z(block_z),
    .table_ready(operands_table_ready),
    .block_threads(block_threads),
    .slots(front_end_slots),
    .active(front_end_active),
    .table_slot(front_end_issue_slot),
    .table_warp(front_end_issue_warp),
    .start(unused_block_control_start),
    .start_slot(block_control_start_slot),
    .start_warps(block_control_start_warps),
    .start_full(block_control_start_full),
    .last_mask(block_control_last_mask),
    .done(block_control_done),
    .busy(block_control_busy),
    .table_x(block_control_table_x),
    .table_y(block_control_table_y),
    .table_z(block_control_table_z),
    .table_shared(block_control_table_shared),
    .table_within(block_control_table_within)
  );

  barrier_warps8_blocks8 barrier (
    .active(front_end_active),
    .at_barrier(front_end_at_barrier),
    .slots(front_end_slots),
    .release_(barrier_release)
  );

  operands_warps8_lanes8_registers64 operands (
    .clock(clock),
    .reset(reset),
    .issue_valid(front_end_issue_valid),
    .issue_warp(front_end_issue_warp),
    .issue_mask(front_end_issue_mask),
    .issue_control(front_end_issue_control),
    .beat(front_end_beat),
    .predicate_write_valid(execute_predicate_valid),
    .predicate_write_warp(execute_predicate_warp),
    .predicate_write_number(execute_predicate_number),
    .predicate_write_beat(execute_predicate_beat),
    .predicate_write_mask(execute_predicate_mask),
    .predicate_write_bits(execute_predicate_bits),
    .register_write_valid(write_back_valid),
    .register_write_warp(write_back_warp),
    .register_write_destination(write_back_destination),
    .register_write_beat(write_back_beat),
    .register_write_mask(write_back_mask),
    .register_write_data(write_back_data),
    .param_write(param_write),
    .param_address(param_address),
    .param_data(param_data),
    .issue_within(block_control_table_within),
    .block_dim_x(block_dim_x),
    .block_dim_y(block_dim_y),
    .block_dim_z(block_dim_z),
    .block_x(block_control_table_x),
    .block_y(block_control_table_y),
    .block_z(block_control_table_z),
    .grid_dim_x(grid_dim_x),
    .grid_dim_y(grid_dim_y),
    .grid_dim_z(grid_dim_z),
    .issue_shared_base(block_control_table_shared),
    .taken(operands_taken),
    .table_ready(operands_table_ready),
    .x_valid(operands_x_valid),
    .x_warp(operands_x_warp),
    .x_beat(operands_x_beat),
    .x_active(operands_x_active),
    .x_control(operands_x_control),
    .x_shared_base(operands_x_shared_base),
    .a(operands_a),
    .b(operands_b),
    .c(operands_c),
    .p(operands_p),
    .q(operands_q)
  );

  execute_warps8_lanes8_registers64 execute (
    .clock(clock),
    .reset(reset),
    .x_valid(operands_x_valid),
    .x_warp(operands_x_warp),
    .x_beat(operands_x_beat),
    .x_active(operands_x_active),
    .x_control(operands_x_control),
    .a(operands_a),
    .b(operands_b),
    .c(operands_c),
    .p(operands_p),
    .q(operands_q),
    .address(execute_address),
    .result_valid(execute_result_valid),
    .result_warp(execute_result_warp),
    .result_destination(execute_result_destination),
    .result_beat(execute_result_beat),
    .result_mask(execute_result_mask),
    .result_data(execute_result_data),
    .result_done_valid(execute_result_done_valid),
    .result_done_warp(execute_result_done_warp),
    .result_done_destination(execute_result_done_destination),
    .predicate_valid(execute_predicate_valid),
    .predicate_warp(execute_predicate_warp),
    .predicate_number(execute_predicate_number),
    .predicate_beat(execute_predicate_beat),
    .predicate_mask(execute_predicate_mask),
    .predicate_bits(execute_predicate_bits),
    .predicate_released_done(execute_predicate_released_done),
    .predicate_released_number(execute_predicate_released_number)
  );

  wire front_end_issue_control_shared = front_end_issue_control[2];
  wire front_end_issue_control_store = front_end_issue_control[1];
  /* verilator lint_off UNUSED */ // bits 7:3 are not read
  wire [7:0] front_end_issue_control_opcode = front_end_issue_control[101:94];
  /* verilator lint_on UNUSED */
  wire [5:0] front_end_issue_control_d = front_end_issue_control[56:51];
  wire front_end_issue_control_register_load = front_end_issue_control[0];
  wire operands_x_control_shared = operands_x_control[2];
  shared_memory_warps8_lanes8_bytes16384_banks8 shared_memory (
    .clock(clock),
    .reset(reset),
    .reserve(first & front_end_issue_control_shared),
    .store(front_end_issue_control_store),
    .size(front_end_issue_control_opcode[2:0]),
    .warp(front_end_issue_warp),
    .destination(front_end_issue_control_d),
    .writes(front_end_issue_control_register_load),
    .beat_valid(operands_x_valid & operands_x_control_shared),
    .beat(operands_x_beat),
    .active(operands_x_active),
    .address(execute_address),
    .store_data(operands_c),
    .base(operands_x_shared_base),
    .write_granted(write_back_shared_granted),
    .write_valid(shared_memory_write_valid),
    .write_warp(shared_memory_write_warp),
    .write_destination(shared_memory_write_destination),
    .write_beat(shared_memory_write_beat),
    .write_mask(shared_memory_write_mask),
    .write_data(shared_memory_write_data),
    .done_valid(shared_memory_done_valid),
    .done_warp(shared_memory_done_warp),
    .done_destination(shared_memory_done_destination),
    .ready(shared_memory_ready)
  );

  wire front_end_issue_control_global = front_end_issue_control[4];
  wire operands_x_control_global = operands_x_control[4];
  load_store_warps8_lanes8_loads8 load_store (
    .clock(clock),
    .reset(reset),
    .reserve(first & front_end_issue_control_global),
    .store(front_end_issue_control_store),
    .size(front_end_issue_control_opcode[2:0]),
    .warp(front_end_issue_warp),
    .destination(front_end_issue_control_d),
    .writes(front_end_issue_control_register_load),
    .beat_valid(operands_x_valid & operands_x_control_global),
    .beat(operands_x_beat),
    .active(operands_x_active),
    .address(execute_address),
    .store_data(operands_c),
    .request_taken(memory_port_client0_taken),
    .reply_valid(memory_port_client0_reply_valid),
    .reply_write(memory_port_client0_reply_write),
    .reply_tag(memory_port_client0_reply_tag),
    .reply_data(memory_port_client0_reply_data),
    .write_granted(write_back_load_granted),
    .ready_load(load_store_ready_load),
    .ready_store(load_store_ready_store),
    .request_valid(load_store_request_valid),
    .request_write(load_store_request_write),
    .request_tag(load_store_request_tag),
    .request_line(load_store_request_line),
    .request_words(load_store_request_words),
    .request_bytes(load_store_request_bytes),
    .request_data(load_store_request_data),
    .write_valid(load_store_write_valid),
    .write_warp(load_store_write_warp),
    .write_destination(load_store_write_destination),
    .write_beat(load_store_write_beat),
    .write_mask(load_store_write_mask),
    .write_data(load_store_write_data),
    .done_valid(load_store_done_valid),
    .done_warp(load_store_done_warp),
    .done_destination(load_store_done_destination),
    .stores_open(load_store_stores_open),
    .loads_open(load_store_loads_open)
  );

  write_back_warps8_lanes8_registers64 write_back (
    .clock(clock),
    .reset(reset),
    .lane_valid(execute_result_valid),
    .lane_warp(execute_result_warp),
    .lane_destination(execute_result_destination),
    .lane_beat(execute_result_beat),
    .lane_mask(execute_result_mask),
    .lane_data(execute_result_data),
    .load_valid(load_store_write_valid),
    .load_warp(load_store_write_warp),
    .load_destination(load_store_write_destination),
    .load_beat(load_store_write_beat),
    .load_mask(load_store_write_mask),
    .load_data(load_store_write_data),
    .shared_valid(shared_memory_write_valid),
    .shared_warp(shared_memory_write_warp),
    .shared_destination(shared_memory_write_destination),
    .shared_beat(shared_memory_write_beat),
    .shared_mask(shared_memory_write_mask),
    .shared_data(shared_memory_write_data),
    .valid(write_back_valid),
    .warp(write_back_warp),
    .destination(write_back_destination),
    .beat(write_back_beat),
    .mask(write_back_mask),
    .data(write_back_data),
    .load_granted(write_back_load_granted),
    .shared_granted(write_back_shared_granted),
    .hold_lanes(write_back_hold_lanes)
  );

  memory_port_clients1_line_bytes64_tag_bits4_2fac869f memory_port (
    .clock(clock),
    .reset(reset),
    .client0_valid(load_store_request_valid),
    .client0_write(load_store_request_write),
    .client0_tag(load_store_request_tag),
    .client0_line(load_store_request_line),
    .client0_words(load_store_request_words),
    .client0_bytes(load_store_request_bytes),
    .client0_data(load_store_request_data),
    .tx_credit(tx_credit),
    .rx_valid(rx_valid),
    .rx_sideband(rx_sideband),
    .rx_payload(rx_payload),
    .client0_taken(memory_port_client0_taken),
    .tx_valid(memory_port_tx_valid),
    .tx_dest(memory_port_tx_dest),
    .tx_flits(memory_port_tx_flits),
    .tx_sideband(memory_port_tx_sideband),
    .tx_payload(memory_port_tx_payload),
    .client0_reply_valid(memory_port_client0_reply_valid),
    .client0_reply_write(memory_port_client0_reply_write),
    .client0_reply_tag(memory_port_client0_reply_tag),
    .client0_reply_data(memory_port_client0_reply_data),
    .rx_credit(memory_port_rx_credit)
  );

  always @(posedge clock) begin
    if (reset) begin
      idle_now <= 1'b1;
    end else begin
      idle_now <= !block_control_busy;
    end
  end
endmodule

`default_nettype wire
