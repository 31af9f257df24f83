// memory_controller_banks8_queue_entries32_533e2ce5
//
// Memory controller: takes transactions, drives one DRAM channel, returns replies.
//
// Parameters: banks = 8, queue_entries = 32, map.banks = 8, map.controller_nodes = [1,2,13,14], map.kind = low-256,
//   map.line_bytes = 64, map.node_bits = 4, map.row_bytes = 2048, reply_entries = 8, service.min_latency = 0,
//   service.row_streak_max = 0, service.scheduler = fifo, tag_bits = 8, timing.burst = 4, timing.t_ccd = 1,
//   timing.t_cl = 9, timing.t_ras = 21, timing.t_rc = 34, timing.t_rcd = 12, timing.t_rp = 13, timing.t_rrd = 8,
//   timing.t_rtw = 0, timing.t_wl = 0, timing.t_wtr = 0
// Made by: warpmesh export default
// Configuration: default
`default_nettype none

module memory_controller_banks8_queue_entries32_533e2ce5 (
    input wire clock,
    input wire reset,
    input wire request_valid, // Requests.
    input wire request_write, // Kind: a write or an atomic, or else a read.
    input wire [7:0] request_tag, // Requests.
    /* verilator lint_off UNUSED */ // bits 25:24 are not read
    input wire [25:0] request_line, // Number of the line.
    /* verilator lint_on UNUSED */
    input wire [15:0] request_words, // Words of the line that are read or written.
    input wire [3:0] request_bytes, // Bytes of each of these words that are written; of an atomic none.
    input wire [511:0] request_data, // Of a write or an atomic.
    input wire [511:0] dram_read_data, // The line that comes from it.
    input wire reply_taken, // What is shown is taken in this cycle.
    output wire request_taken, // What is shown is taken in this cycle.
    output wire request_left, // A request has left the queue.
    output wire [2:0] dram_command, // See command.
    output wire [2:0] dram_bank, // Pins of the DRAM channel.
    output wire [15:0] dram_row, // Pins of the DRAM channel.
    output wire [4:0] dram_column, // Pins of the DRAM channel.
    output wire [511:0] dram_write_data, // Pins of the DRAM channel.
    output wire [63:0] dram_write_mask, // Pins of the DRAM channel.
    output wire reply_valid, // Replies.
    output wire reply_write, // Kind of what was asked for.
    output wire [7:0] reply_tag, // Replies.
    output wire [511:0] reply_data // The line, of a read.
);
  localparam [2:0] COMMAND_NONE = 3'h0;
  localparam [2:0] COMMAND_ACTIVATE = 3'h1;
  localparam [2:0] COMMAND_PRECHARGE = 3'h2;
  localparam [2:0] COMMAND_READ = 3'h3;
  localparam [2:0] COMMAND_WRITE = 3'h4;

  wire taken;
  wire leave;
  wire [28:0] requests_data;
  wire requests_full;
  wire [511:0] write_lines_data;
  reg [3:0] outstanding;
  wire reply_free;
  wire bank0_can_activate;
  wire bank0_can_precharge;
  wire bank0_can_access;
  wire bank1_can_activate;
  wire bank1_can_precharge;
  wire bank1_can_access;
  wire bank2_can_activate;
  wire bank2_can_precharge;
  wire bank2_can_access;
  wire bank3_can_activate;
  wire bank3_can_precharge;
  wire bank3_can_access;
  wire bank4_can_activate;
  wire bank4_can_precharge;
  wire bank4_can_access;
  wire bank5_can_activate;
  wire bank5_can_precharge;
  wire bank5_can_access;
  wire bank6_can_activate;
  wire bank6_can_precharge;
  wire bank6_can_access;
  wire bank7_can_activate;
  wire bank7_can_precharge;
  wire bank7_can_access;
  reg [15:0] open_row0;
  reg [15:0] open_row1;
  reg [15:0] open_row2;
  reg [15:0] open_row3;
  reg [15:0] open_row4;
  reg [15:0] open_row5;
  reg [15:0] open_row6;
  reg [15:0] open_row7;
  wire activate;
  wire access;
  reg [2:0] row_wait;
  reg [1:0] bus_wait;
  wire commands_valid;
  wire [24:0] commands_data;
  wire [15:0] head_row;
  wire [2:0] head_bank;
  wire row_open_for_head;
  wire precharge;
  wire command_for_bank0;
  wire command_for_bank1;
  wire command_for_bank2;
  wire command_for_bank3;
  wire command_for_bank4;
  wire command_for_bank5;
  wire command_for_bank6;
  wire command_for_bank7;
  reg [13:0] flight;
  reg request_left_register;
  reg [2:0] dram_command_register;
  reg [2:0] command_bank;
  reg [15:0] command_row;
  reg [4:0] command_column;
  reg [511:0] write_data;
  reg [63:0] dram_write_mask_register;
  wire done;
  reg [8:0] done_who;
  wire replies_valid;
  wire [8:0] replies_data;
  wire [511:0] read_lines_data;

  assign taken = request_valid & !requests_full;
  assign request_taken = taken;
  assign reply_free = outstanding != 4'h8;
  assign head_row = commands_data[23:8];
  assign head_bank = commands_data[7:5];
  wire [7:0] row_open_for_head_shifted = 8'h01 << head_bank;
  wire row_open_for_head_merged = (open_row6 == head_row) & row_open_for_head_shifted[6] | (open_row7 ==
      head_row) & row_open_for_head_shifted[7];
  wire row_open_for_head_merged_2 = (open_row4 == head_row) & row_open_for_head_shifted[4] | (open_row5 ==
      head_row) & row_open_for_head_shifted[5] | row_open_for_head_merged;
  wire row_open_for_head_merged_3 = (open_row2 == head_row) & row_open_for_head_shifted[2] | (open_row3 ==
      head_row) & row_open_for_head_shifted[3];
  assign row_open_for_head = (open_row0 == head_row) & row_open_for_head_shifted[0] | (open_row1 == head_row)
      & row_open_for_head_shifted[1] | row_open_for_head_merged_3 | row_open_for_head_merged_2;
  reg precharge_row;
  always @* begin
    case (head_bank)
      3'h0: precharge_row = bank0_can_precharge;
      3'h1: precharge_row = bank1_can_precharge;
      3'h2: precharge_row = bank2_can_precharge;
      3'h3: precharge_row = bank3_can_precharge;
      3'h4: precharge_row = bank4_can_precharge;
      3'h5: precharge_row = bank5_can_precharge;
      3'h6: precharge_row = bank6_can_precharge;
      3'h7: precharge_row = bank7_can_precharge;
      default: precharge_row = 1'bx;
    endcase
  end
  assign precharge = commands_valid & precharge_row & !row_open_for_head;
  reg activate_row;
  always @* begin
    case (head_bank)
      3'h0: activate_row = bank0_can_activate;
      3'h1: activate_row = bank1_can_activate;
      3'h2: activate_row = bank2_can_activate;
      3'h3: activate_row = bank3_can_activate;
      3'h4: activate_row = bank4_can_activate;
      3'h5: activate_row = bank5_can_activate;
      3'h6: activate_row = bank6_can_activate;
      3'h7: activate_row = bank7_can_activate;
      default: activate_row = 1'bx;
    endcase
  end
  assign activate = commands_valid & activate_row & !(|row_wait);
  reg access_row;
  always @* begin
    case (head_bank)
      3'h0: access_row = bank0_can_access;
      3'h1: access_row = bank1_can_access;
      3'h2: access_row = bank2_can_access;
      3'h3: access_row = bank3_can_access;
      3'h4: access_row = bank4_can_access;
      3'h5: access_row = bank5_can_access;
      3'h6: access_row = bank6_can_access;
      3'h7: access_row = bank7_can_access;
      default: access_row = 1'bx;
    endcase
  end
  assign access = commands_valid & access_row & row_open_for_head & !(|bus_wait) & reply_free;
  assign command_for_bank0 = head_bank == 3'h0;
  assign command_for_bank1 = head_bank == 3'h1;
  assign command_for_bank2 = head_bank == 3'h2;
  assign command_for_bank3 = head_bank == 3'h3;
  assign command_for_bank4 = head_bank == 3'h4;
  assign command_for_bank5 = head_bank == 3'h5;
  assign command_for_bank6 = head_bank == 3'h6;
  assign command_for_bank7 = head_bank == 3'h7;
  assign leave = flight[12];
  assign request_left = request_left_register;
  assign dram_command = dram_command_register;
  assign dram_bank = command_bank;
  assign dram_row = command_row;
  assign dram_column = command_column;
  assign dram_write_data = write_data;
  assign dram_write_mask = dram_write_mask_register;
  assign done = flight[13];
  assign reply_valid = replies_valid;
  assign reply_write = replies_data[8];
  assign reply_tag = replies_data[7:0];
  assign reply_data = read_lines_data;

  wire unused_requests_valid;
  wire [5:0] unused_requests_count;
  fifo_depth32_width29 requests (
    .clock(clock),
    .reset(reset),
    .push(taken),
    .push_data({request_bytes, request_words, {request_write, request_tag}}),
    .pop(leave),
    .valid(unused_requests_valid),
    .data(requests_data),
    .full(requests_full),
    .count(unused_requests_count)
  );

  wire unused_write_lines_valid;
  wire unused_write_lines_full;
  wire [5:0] unused_write_lines_count;
  fifo_depth32_width512 write_lines (
    .clock(clock),
    .reset(reset),
    .push(taken),
    .push_data(request_data),
    .pop(leave),
    .valid(unused_write_lines_valid),
    .data(write_lines_data),
    .full(unused_write_lines_full),
    .count(unused_write_lines_count)
  );

  wire commands_data_write = commands_data[24];
  wire unused_bank0_open;
  dram_bank_state bank0 (
    .clock(clock),
    .reset(reset),
    .activate(activate & command_for_bank0),
    .precharge(precharge & command_for_bank0),
    .read(access & command_for_bank0 & !commands_data_write),
    .write(access & command_for_bank0 & commands_data_write),
    .t_rp(8'h0d),
    .t_rc(8'h22),
    .t_ras(8'h15),
    .t_rcd(8'h0c),
    .after_read(9'h004),
    .after_write(9'h00d),
    .open(unused_bank0_open),
    .can_activate(bank0_can_activate),
    .can_precharge(bank0_can_precharge),
    .can_access(bank0_can_access)
  );

  wire unused_bank1_open;
  dram_bank_state bank1 (
    .clock(clock),
    .reset(reset),
    .activate(activate & command_for_bank1),
    .precharge(precharge & command_for_bank1),
    .read(access & command_for_bank1 & !commands_data_write),
    .write(access & command_for_bank1 & commands_data_write),
    .t_rp(8'h0d),
    .t_rc(8'h22),
    .t_ras(8'h15),
    .t_rcd(8'h0c),
    .after_read(9'h004),
    .after_write(9'h00d),
    .open(unused_bank1_open),
    .can_activate(bank1_can_activate),
    .can_precharge(bank1_can_precharge),
    .can_access(bank1_can_access)
  );

  wire unused_bank2_open;
  dram_bank_state bank2 (
    .clock(clock),
    .reset(reset),
    .activate(activate & command_for_bank2),
    .precharge(precharge & command_for_bank2),
    .read(access & command_for_bank2 & !commands_data_write),
    .write(access & command_for_bank2 & commands_data_write),
    .t_rp(8'h0d),
    .t_rc(8'h22),
    .t_ras(8'h15),
    .t_rcd(8'h0c),
    .after_read(9'h004),
    .after_write(9'h00d),
    .open(unused_bank2_open),
    .can_activate(bank2_can_activate),
    .can_precharge(bank2_can_precharge),
    .can_access(bank2_can_access)
  );

  wire unused_bank3_open;
  dram_bank_state bank3 (
    .clock(clock),
    .reset(reset),
    .activate(activate & command_for_bank3),
    .precharge(precharge & command_for_bank3),
    .read(access & command_for_bank3 & !commands_data_write),
    .write(access & command_for_bank3 & commands_data_write),
    .t_rp(8'h0d),
    .t_rc(8'h22),
    .t_ras(8'h15),
    .t_rcd(8'h0c),
    .after_read(9'h004),
    .after_write(9'h00d),
    .open(unused_bank3_open),
    .can_activate(bank3_can_activate),
    .can_precharge(bank3_can_precharge),
    .can_access(bank3_can_access)
  );

  wire unused_bank4_open;
  dram_bank_state bank4 (
    .clock(clock),
    .reset(reset),
    .activate(activate & command_for_bank4),
    .precharge(precharge & command_for_bank4),
    .read(access & command_for_bank4 & !commands_data_write),
    .write(access & command_for_bank4 & commands_data_write),
    .t_rp(8'h0d),
    .t_rc(8'h22),
    .t_ras(8'h15),
    .t_rcd(8'h0c),
    .after_read(9'h004),
    .after_write(9'h00d),
    .open(unused_bank4_open),
    .can_activate(bank4_can_activate),
    .can_precharge(bank4_can_precharge),
    .can_access(bank4_can_access)
  );

  wire unused_bank5_open;
  dram_bank_state bank5 (
    .clock(clock),
    .reset(reset),
    .activate(activate & command_for_bank5),
    .precharge(precharge & command_for_bank5),
    .read(access & command_for_bank5 & !commands_data_write),
    .write(access & command_for_bank5 & commands_data_write),
    .t_rp(8'h0d),
    .t_rc(8'h22),
    .t_ras(8'h15),
    .t_rcd(8'h0c),
    .after_read(9'h004),
    .after_write(9'h00d),
    .open(unused_bank5_open),
    .can_activate(bank5_can_activate),
    .can_precharge(bank5_can_precharge),
    .can_access(bank5_can_access)
  );

  wire unused_bank6_open;
  dram_bank_state bank6 (
    .clock(clock),
    .reset(reset),
    .activate(activate & command_for_bank6),
    .precharge(precharge & command_for_bank6),
    .read(access & command_for_bank6 & !commands_data_write),
    .write(access & command_for_bank6 & commands_data_write),
    .t_rp(8'h0d),
    .t_rc(8'h22),
    .t_ras(8'h15),
    .t_rcd(8'h0c),
    .after_read(9'h004),
    .after_write(9'h00d),
    .open(unused_bank6_open),
    .can_activate(bank6_can_activate),
    .can_precharge(bank6_can_precharge),
    .can_access(bank6_can_access)
  );

  wire unused_bank7_open;
  dram_bank_state bank7 (
    .clock(clock),
    .reset(reset),
    .activate(activate & command_for_bank7),
    .precharge(precharge & command_for_bank7),
    .read(access & command_for_bank7 & !commands_data_write),
    .write(access & command_for_bank7 & commands_data_write),
    .t_rp(8'h0d),
    .t_rc(8'h22),
    .t_ras(8'h15),
    .t_rcd(8'h0c),
    .after_read(9'h004),
    .after_write(9'h00d),
    .open(unused_bank7_open),
    .can_activate(bank7_can_activate),
    .can_precharge(bank7_can_precharge),
    .can_access(bank7_can_access)
  );

  wire unused_commands_full;
  wire [5:0] unused_commands_count;
  fifo_depth32_width25 commands (
    .clock(clock),
    .reset(reset),
    .push(taken),
    .push_data({request_write, request_line[23:8], request_line[7:5], request_line[4:0]}),
    .pop(access),
    .valid(commands_valid),
    .data(commands_data),
    .full(unused_commands_full),
    .count(unused_commands_count)
  );

  wire unused_replies_full;
  wire [3:0] unused_replies_count;
  fifo_depth8_width9 replies (
    .clock(clock),
    .reset(reset),
    .push(done),
    .push_data(done_who),
    .pop(reply_taken),
    .valid(replies_valid),
    .data(replies_data),
    .full(unused_replies_full),
    .count(unused_replies_count)
  );

  wire unused_read_lines_valid;
  wire unused_read_lines_full;
  wire [3:0] unused_read_lines_count;
  fifo_depth8_width512 read_lines (
    .clock(clock),
    .reset(reset),
    .push(done),
    .push_data(dram_read_data),
    .pop(reply_taken),
    .valid(unused_read_lines_valid),
    .data(read_lines_data),
    .full(unused_read_lines_full),
    .count(unused_read_lines_count)
  );

  wire [3:0] requests_data_bytes = requests_data[28:25];
  wire [15:0] requests_data_words = requests_data[24:9];
  wire [3:0] next_masked = {4{requests_data_words[0]}} & requests_data_bytes;
  wire [3:0] next_masked_2 = {4{requests_data_words[1]}} & requests_data_bytes;
  wire [3:0] next_masked_3 = {4{requests_data_words[2]}} & requests_data_bytes;
  wire [3:0] next_masked_4 = {4{requests_data_words[3]}} & requests_data_bytes;
  wire [3:0] next_masked_5 = {4{requests_data_words[4]}} & requests_data_bytes;
  wire [3:0] next_masked_6 = {4{requests_data_words[5]}} & requests_data_bytes;
  wire [3:0] next_masked_7 = {4{requests_data_words[6]}} & requests_data_bytes;
  wire [3:0] next_masked_8 = {4{requests_data_words[7]}} & requests_data_bytes;
  wire [3:0] next_masked_9 = {4{requests_data_words[8]}} & requests_data_bytes;
  wire [3:0] next_masked_10 = {4{requests_data_words[9]}} & requests_data_bytes;
  wire [3:0] next_masked_11 = {4{requests_data_words[10]}} & requests_data_bytes;
  wire [3:0] next_masked_12 = {4{requests_data_words[11]}} & requests_data_bytes;
  wire [3:0] next_masked_13 = {4{requests_data_words[12]}} & requests_data_bytes;
  wire [3:0] next_masked_14 = {4{requests_data_words[13]}} & requests_data_bytes;
  wire [3:0] next_masked_15 = {4{requests_data_words[14]}} & requests_data_bytes;
  wire [63:0] next_joined = {{4{requests_data_words[15]}} & requests_data_bytes, next_masked_15,
      next_masked_14, next_masked_13, next_masked_12, next_masked_11, next_masked_10, next_masked_9,
      next_masked_8, next_masked_7, next_masked_6, next_masked_5, next_masked_4, next_masked_3,
      next_masked_2, next_masked};
  wire requests_data_write = requests_data[8];
  always @(posedge clock) begin
    if (reset) begin
      outstanding <= 4'h0;
      row_wait <= 3'h0;
      bus_wait <= 2'h0;
      flight <= 14'h0000;
      request_left_register <= 1'b0;
      dram_command_register <= COMMAND_NONE;
      dram_write_mask_register <= 64'h0000000000000000;
    end else begin
      row_wait <= activate ? 3'h7 : (|row_wait) ? row_wait - 3'h1 : row_wait;
      bus_wait <= access ? 2'h3 : (|bus_wait) ? bus_wait - 2'h1 : bus_wait;
      flight <= {flight[12:0], access};
      request_left_register <= leave;
      dram_command_register <= access ? (commands_data_write ? COMMAND_WRITE : COMMAND_READ) : activate ?
          COMMAND_ACTIVATE : precharge ? COMMAND_PRECHARGE : COMMAND_NONE;
      dram_write_mask_register <= (leave & requests_data_write) ? next_joined : 64'h0000000000000000;
      if (access ^ reply_taken) begin
        outstanding <= access ? outstanding + 4'h1 : outstanding - 4'h1;
      end
    end
  end

  wire [8:0] requests_data_who = requests_data[8:0];
  wire [4:0] commands_data_column = commands_data[4:0];
  always @(posedge clock) begin
    if (activate & command_for_bank0) begin
      open_row0 <= head_row;
    end
    if (activate & command_for_bank1) begin
      open_row1 <= head_row;
    end
    if (activate & command_for_bank2) begin
      open_row2 <= head_row;
    end
    if (activate & command_for_bank3) begin
      open_row3 <= head_row;
    end
    if (activate & command_for_bank4) begin
      open_row4 <= head_row;
    end
    if (activate & command_for_bank5) begin
      open_row5 <= head_row;
    end
    if (activate & command_for_bank6) begin
      open_row6 <= head_row;
    end
    if (activate & command_for_bank7) begin
      open_row7 <= head_row;
    end
    if (commands_valid) begin
      command_bank <= head_bank;
    end
    if (commands_valid) begin
      command_row <= head_row;
    end
    if (commands_valid) begin
      command_column <= commands_data_column;
    end
    if (leave & requests_data_write) begin
      write_data <= write_lines_data;
    end
    if (leave) begin
      done_who <= requests_data_who;
    end
  end

`ifdef WARPMESH_ASSERT
  wire [2:0] claim_joined = {activate, precharge, access};
  always @(posedge clock) begin
    if (!reset) begin
      if (!(!(|(claim_joined & (claim_joined - 3'h1))))) begin
        $display("%m: assertion failed: one DRAM command a cycle");
        $stop;
      end
    end
  end
`endif
endmodule

`default_nettype wire
