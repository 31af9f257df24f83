// block_dispatcher_cores12_warps8_blocks8_7a15c5d9
//
// Block dispatcher tile: loads a kernel for the host and gives thread blocks to the cores, breadth first.
//
// Parameters: cores = 12, warps = 8, blocks = 8, distribution = round-robin, flushed = 0, later = 0
// Made by: warpmesh export default
// Configuration: default
`default_nettype none

module block_dispatcher_cores12_warps8_blocks8_7a15c5d9 (
    input wire clock,
    input wire reset,
    input wire host_write, // The host writes a word.
    input wire [19:0] host_address, // To this address.
    input wire [63:0] host_data, // What the host writes, and that the kernel starts.
    input wire host_start, // The kernel starts.
    input wire [7:0] block_done0, // Slots of a core whose block has ended.
    input wire [7:0] block_done1, // Slots of a core whose block has ended.
    input wire [7:0] block_done2, // Slots of a core whose block has ended.
    input wire [7:0] block_done3, // Slots of a core whose block has ended.
    input wire [7:0] block_done4, // Slots of a core whose block has ended.
    input wire [7:0] block_done5, // Slots of a core whose block has ended.
    input wire [7:0] block_done6, // Slots of a core whose block has ended.
    input wire [7:0] block_done7, // Slots of a core whose block has ended.
    input wire [7:0] block_done8, // Slots of a core whose block has ended.
    input wire [7:0] block_done9, // Slots of a core whose block has ended.
    input wire [7:0] block_done10, // Slots of a core whose block has ended.
    input wire [7:0] block_done11, // Slots of a core whose block has ended.
    output wire program_write, // Words for the instruction memories of all cores.
    output wire [15:0] program_address, // Words for the instruction memories of all cores.
    output wire [63:0] program_data, // Words for the instruction memories of all cores.
    output wire param_write, // Words for the kernel parameter memories of all cores.
    output wire [9:0] param_address, // Words for the kernel parameter memories of all cores.
    output wire [31:0] param_data, // Words for the kernel parameter memories of all cores.
    output wire [10:0] block_dim_x, // Threads of a block.
    output wire [10:0] block_dim_y, // Threads of a block.
    output wire [6:0] block_dim_z, // Threads of a block.
    output wire [31:0] grid_dim_x, // Blocks of the grid.
    output wire [15:0] grid_dim_y, // Blocks of the grid.
    output wire [15:0] grid_dim_z, // Blocks of the grid.
    output wire [3:0] block_warps, // Warps, rounded up.
    output wire [10:0] block_threads, // Threads.
    output wire [15:0] shared_stride, // Bytes of shared memory from one slot to the next.
    output wire block_valid0, // A core gets a block.
    output wire block_valid1, // A core gets a block.
    output wire block_valid2, // A core gets a block.
    output wire block_valid3, // A core gets a block.
    output wire block_valid4, // A core gets a block.
    output wire block_valid5, // A core gets a block.
    output wire block_valid6, // A core gets a block.
    output wire block_valid7, // A core gets a block.
    output wire block_valid8, // A core gets a block.
    output wire block_valid9, // A core gets a block.
    output wire block_valid10, // A core gets a block.
    output wire block_valid11, // A core gets a block.
    output wire [2:0] block_slot, // In this slot.
    output wire [31:0] block_x, // Index of that block.
    output wire [15:0] block_y, // Index of that block.
    output wire [15:0] block_z, // Index of that block.
    output wire host_done // The kernel is over.
);
  reg running;
  reg host_write_in;
  reg [19:0] host_address_in;
  reg [63:0] host_data_in;
  reg host_start_in;
  reg program_enable;
  reg param_enable;
  reg [15:0] load_address;
  reg [63:0] load_data;
  reg [10:0] block_dim_x_launch;
  reg [10:0] block_dim_y_launch;
  reg [6:0] block_dim_z_launch;
  reg [31:0] grid_dim_x_launch;
  reg [15:0] grid_dim_y_launch;
  reg [15:0] grid_dim_z_launch;
  reg [3:0] block_warps_launch;
  reg [10:0] block_threads_launch;
  reg [15:0] shared_stride_launch;
  reg [3:0] slots_launch;
  wire [7:0] usable;
  reg [7:0] busy0;
  reg [7:0] busy1;
  reg [7:0] busy2;
  reg [7:0] busy3;
  reg [7:0] busy4;
  reg [7:0] busy5;
  reg [7:0] busy6;
  reg [7:0] busy7;
  reg [7:0] busy8;
  reg [7:0] busy9;
  reg [7:0] busy10;
  reg [7:0] busy11;
  wire [11:0] has_free_slot;
  reg blocks_left;
  wire give;
  wire [11:0] turn_grant;
  wire [7:0] slot_there;
  wire given0;
  reg valid0;
  wire given1;
  reg valid1;
  wire given2;
  reg valid2;
  wire given3;
  reg valid3;
  wire given4;
  reg valid4;
  wire given5;
  reg valid5;
  wire given6;
  reg valid6;
  wire given7;
  reg valid7;
  wire given8;
  reg valid8;
  wire given9;
  reg valid9;
  wire given10;
  reg valid10;
  wire given11;
  reg valid11;
  reg [2:0] slot_number;
  reg [31:0] next_x;
  wire last_x;
  wire carry_x;
  reg [31:0] given_x;
  reg [15:0] next_y;
  wire last_y;
  wire carry_y;
  reg [15:0] given_y;
  reg [15:0] next_z;
  wire last_z;
  wire carry_z;
  reg [15:0] given_z;
  wire all_ended;
  reg done;

  assign program_write = program_enable;
  assign program_address = load_address;
  assign program_data = load_data;
  assign param_write = param_enable;
  assign param_address = load_address[9:0];
  assign param_data = load_data[31:0];
  assign block_dim_x = block_dim_x_launch;
  assign block_dim_y = block_dim_y_launch;
  assign block_dim_z = block_dim_z_launch;
  assign grid_dim_x = grid_dim_x_launch;
  assign grid_dim_y = grid_dim_y_launch;
  assign grid_dim_z = grid_dim_z_launch;
  assign block_warps = block_warps_launch;
  assign block_threads = block_threads_launch;
  assign shared_stride = shared_stride_launch;
  assign usable = {4'h7 < slots_launch, 4'h6 < slots_launch, 4'h5 < slots_launch, 4'h4 < slots_launch, 4'h3 <
      slots_launch, 4'h2 < slots_launch, 4'h1 < slots_launch, 4'h0 < slots_launch};
  wire has_free_slot_any = |(usable & ~busy0);
  wire has_free_slot_any_2 = |(usable & ~busy1);
  wire has_free_slot_any_3 = |(usable & ~busy2);
  wire has_free_slot_any_4 = |(usable & ~busy3);
  wire has_free_slot_any_5 = |(usable & ~busy4);
  wire has_free_slot_any_6 = |(usable & ~busy5);
  wire has_free_slot_any_7 = |(usable & ~busy6);
  wire has_free_slot_any_8 = |(usable & ~busy7);
  wire has_free_slot_any_9 = |(usable & ~busy8);
  wire has_free_slot_any_10 = |(usable & ~busy9);
  assign has_free_slot = {|(usable & ~busy11), |(usable & ~busy10), has_free_slot_any_10,
      has_free_slot_any_9, has_free_slot_any_8, has_free_slot_any_7, has_free_slot_any_6,
      has_free_slot_any_5, has_free_slot_any_4, has_free_slot_any_3, has_free_slot_any_2, has_free_slot_any};
  assign give = blocks_left & (|has_free_slot);
  wire [7:0] slot_there_masked = usable & ~busy11 & ~((usable & ~busy11) - 8'h01) & {8{turn_grant[11]}};
  wire [7:0] slot_there_merged = usable & ~busy10 & ~((usable & ~busy10) - 8'h01) & {8{turn_grant[10]}} |
      slot_there_masked;
  wire [7:0] slot_there_masked_2 = usable & ~busy9 & ~((usable & ~busy9) - 8'h01) & {8{turn_grant[9]}};
  wire [7:0] slot_there_masked_3 = usable & ~busy7 & ~((usable & ~busy7) - 8'h01) & {8{turn_grant[7]}};
  wire [7:0] slot_there_merged_2 = usable & ~busy6 & ~((usable & ~busy6) - 8'h01) & {8{turn_grant[6]}} |
      slot_there_masked_3;
  wire [7:0] slot_there_masked_4 = usable & ~busy5 & ~((usable & ~busy5) - 8'h01) & {8{turn_grant[5]}};
  wire [7:0] slot_there_merged_3 = usable & ~busy4 & ~((usable & ~busy4) - 8'h01) & {8{turn_grant[4]}} |
      slot_there_masked_4 | slot_there_merged_2;
  wire [7:0] slot_there_masked_5 = usable & ~busy3 & ~((usable & ~busy3) - 8'h01) & {8{turn_grant[3]}};
  wire [7:0] slot_there_merged_4 = usable & ~busy2 & ~((usable & ~busy2) - 8'h01) & {8{turn_grant[2]}} |
      slot_there_masked_5;
  wire [7:0] slot_there_masked_6 = usable & ~busy1 & ~((usable & ~busy1) - 8'h01) & {8{turn_grant[1]}};
  wire [7:0] slot_there_merged_5 = usable & ~busy0 & ~((usable & ~busy0) - 8'h01) & {8{turn_grant[0]}} |
      slot_there_masked_6 | slot_there_merged_4 | slot_there_merged_3;
  assign slot_there = slot_there_merged_5 | usable & ~busy8 & ~((usable & ~busy8) - 8'h01) &
      {8{turn_grant[8]}} | slot_there_masked_2 | slot_there_merged;
  assign given0 = give & turn_grant[0];
  assign block_valid0 = valid0;
  assign given1 = give & turn_grant[1];
  assign block_valid1 = valid1;
  assign given2 = give & turn_grant[2];
  assign block_valid2 = valid2;
  assign given3 = give & turn_grant[3];
  assign block_valid3 = valid3;
  assign given4 = give & turn_grant[4];
  assign block_valid4 = valid4;
  assign given5 = give & turn_grant[5];
  assign block_valid5 = valid5;
  assign given6 = give & turn_grant[6];
  assign block_valid6 = valid6;
  assign given7 = give & turn_grant[7];
  assign block_valid7 = valid7;
  assign given8 = give & turn_grant[8];
  assign block_valid8 = valid8;
  assign given9 = give & turn_grant[9];
  assign block_valid9 = valid9;
  assign given10 = give & turn_grant[10];
  assign block_valid10 = valid10;
  assign given11 = give & turn_grant[11];
  assign block_valid11 = valid11;
  assign block_slot = slot_number;
  assign last_x = (next_x + 32'h00000001) == grid_dim_x_launch;
  assign carry_x = give & last_x;
  assign last_y = (next_y + 16'h0001) == grid_dim_y_launch;
  assign carry_y = carry_x & last_y;
  assign last_z = (next_z + 16'h0001) == grid_dim_z_launch;
  assign carry_z = carry_y & last_z;
  assign block_x = given_x;
  assign block_y = given_y;
  assign block_z = given_z;
  wire [7:0] all_ended_merged = busy0 | busy1 | busy2 | busy3 | busy4 | busy5 | busy6 | busy7;
  assign all_ended = !blocks_left & !(|(all_ended_merged | busy8 | busy9 | busy10 | busy11));
  assign host_done = done;

  round_robin_arbiter_n12 turn (
    .clock(clock),
    .reset(reset),
    .request(has_free_slot),
    .advance(give),
    .grant(turn_grant)
  );

  wire next_masked = host_write_in & (host_address_in[19:16] == 4'h2);
  always @(posedge clock) begin
    if (reset) begin
      running <= 1'b0;
      host_write_in <= 1'b0;
      host_address_in <= 20'h00000;
      host_data_in <= 64'h0000000000000000;
      host_start_in <= 1'b0;
      program_enable <= 1'b0;
      param_enable <= 1'b0;
      block_dim_x_launch <= 11'h000;
      block_dim_y_launch <= 11'h000;
      block_dim_z_launch <= 7'h00;
      grid_dim_x_launch <= 32'h00000000;
      grid_dim_y_launch <= 16'h0000;
      grid_dim_z_launch <= 16'h0000;
      block_warps_launch <= 4'h0;
      block_threads_launch <= 11'h000;
      shared_stride_launch <= 16'h0000;
      slots_launch <= 4'h0;
      busy0 <= 8'h00;
      busy1 <= 8'h00;
      busy2 <= 8'h00;
      busy3 <= 8'h00;
      busy4 <= 8'h00;
      busy5 <= 8'h00;
      busy6 <= 8'h00;
      busy7 <= 8'h00;
      busy8 <= 8'h00;
      busy9 <= 8'h00;
      busy10 <= 8'h00;
      busy11 <= 8'h00;
      blocks_left <= 1'b0;
      valid0 <= 1'b0;
      valid1 <= 1'b0;
      valid2 <= 1'b0;
      valid3 <= 1'b0;
      valid4 <= 1'b0;
      valid5 <= 1'b0;
      valid6 <= 1'b0;
      valid7 <= 1'b0;
      valid8 <= 1'b0;
      valid9 <= 1'b0;
      valid10 <= 1'b0;
      valid11 <= 1'b0;
      slot_number <= 3'h0;
      next_x <= 32'h00000000;
      next_y <= 16'h0000;
      next_z <= 16'h0000;
      done <= 1'b0;
    end else begin
      host_write_in <= host_write;
      host_address_in <= host_address;
      host_data_in <= host_data;
      host_start_in <= host_start;
      program_enable <= host_write_in & (host_address_in[19:16] == 4'h0);
      param_enable <= host_write_in & (host_address_in[19:16] == 4'h1);
      if (next_masked & (host_address_in[15:0] == 16'h0000)) begin
        block_dim_x_launch <= host_data_in[10:0];
      end
      if (next_masked & (host_address_in[15:0] == 16'h0001)) begin
        block_dim_y_launch <= host_data_in[10:0];
      end
      if (next_masked & (host_address_in[15:0] == 16'h0002)) begin
        block_dim_z_launch <= host_data_in[6:0];
      end
      if (next_masked & (host_address_in[15:0] == 16'h0003)) begin
        grid_dim_x_launch <= host_data_in[31:0];
      end
      if (next_masked & (host_address_in[15:0] == 16'h0004)) begin
        grid_dim_y_launch <= host_data_in[15:0];
      end
      if (next_masked & (host_address_in[15:0] == 16'h0005)) begin
        grid_dim_z_launch <= host_data_in[15:0];
      end
      if (next_masked & (host_address_in[15:0] == 16'h0006)) begin
        block_warps_launch <= host_data_in[3:0];
      end
      if (next_masked & (host_address_in[15:0] == 16'h0007)) begin
        block_threads_launch <= host_data_in[10:0];
      end
      if (next_masked & (host_address_in[15:0] == 16'h0008)) begin
        shared_stride_launch <= host_data_in[15:0];
      end
      if (next_masked & (host_address_in[15:0] == 16'h0009)) begin
        slots_launch <= host_data_in[3:0];
      end
      busy0 <= (busy0 | slot_there & {8{given0}}) & ~block_done0;
      valid0 <= given0;
      busy1 <= (busy1 | slot_there & {8{given1}}) & ~block_done1;
      valid1 <= given1;
      busy2 <= (busy2 | slot_there & {8{given2}}) & ~block_done2;
      valid2 <= given2;
      busy3 <= (busy3 | slot_there & {8{given3}}) & ~block_done3;
      valid3 <= given3;
      busy4 <= (busy4 | slot_there & {8{given4}}) & ~block_done4;
      valid4 <= given4;
      busy5 <= (busy5 | slot_there & {8{given5}}) & ~block_done5;
      valid5 <= given5;
      busy6 <= (busy6 | slot_there & {8{given6}}) & ~block_done6;
      valid6 <= given6;
      busy7 <= (busy7 | slot_there & {8{given7}}) & ~block_done7;
      valid7 <= given7;
      busy8 <= (busy8 | slot_there & {8{given8}}) & ~block_done8;
      valid8 <= given8;
      busy9 <= (busy9 | slot_there & {8{given9}}) & ~block_done9;
      valid9 <= given9;
      busy10 <= (busy10 | slot_there & {8{given10}}) & ~block_done10;
      valid10 <= given10;
      busy11 <= (busy11 | slot_there & {8{given11}}) & ~block_done11;
      valid11 <= given11;
      slot_number <= {|(slot_there & 8'hf0), |(slot_there & 8'hcc), |(slot_there & 8'haa)};
      if (give) begin
        next_x <= last_x ? 32'h00000000 : next_x + 32'h00000001;
      end
      if (host_start_in) begin
        next_x <= 32'h00000000;
      end
      if (carry_x) begin
        next_y <= last_y ? 16'h0000 : next_y + 16'h0001;
      end
      if (host_start_in) begin
        next_y <= 16'h0000;
      end
      if (carry_y) begin
        next_z <= last_z ? 16'h0000 : next_z + 16'h0001;
      end
      if (host_start_in) begin
        next_z <= 16'h0000;
      end
      if (carry_z) begin
        blocks_left <= 1'b0;
      end
      if (host_start_in) begin
        blocks_left <= !(!(|grid_dim_x_launch) | !(|grid_dim_y_launch) | !(|grid_dim_z_launch));
      end
      if (host_start_in) begin
        running <= 1'b1;
        done <= 1'b0;
      end else if (running & all_ended) begin
        running <= 1'b0;
        done <= 1'b1;
      end
    end
  end

  always @(posedge clock) begin
    if (host_write_in) begin
      load_address <= host_address_in[15:0];
    end
    if (host_write_in) begin
      load_data <= host_data_in;
    end
    if (give) begin
      given_x <= next_x;
    end
    if (give) begin
      given_y <= next_y;
    end
    if (give) begin
      given_z <= next_z;
    end
  end

`ifdef WARPMESH_ASSERT
  always @(posedge clock) begin
    if (!reset) begin
      if (!(!(running & (host_write_in | host_start_in)))) begin
        $display("%m: assertion failed: the host is silent while a kernel runs");
        $stop;
      end
      if (!(!(|(block_done0 & ~busy0)))) begin
        $display("%m: assertion failed: only a block that was given ends");
        $stop;
      end
      if (!(!(|(block_done1 & ~busy1)))) begin
        $display("%m: assertion failed: only a block that was given ends");
        $stop;
      end
      if (!(!(|(block_done2 & ~busy2)))) begin
        $display("%m: assertion failed: only a block that was given ends");
        $stop;
      end
      if (!(!(|(block_done3 & ~busy3)))) begin
        $display("%m: assertion failed: only a block that was given ends");
        $stop;
      end
      if (!(!(|(block_done4 & ~busy4)))) begin
        $display("%m: assertion failed: only a block that was given ends");
        $stop;
      end
      if (!(!(|(block_done5 & ~busy5)))) begin
        $display("%m: assertion failed: only a block that was given ends");
        $stop;
      end
      if (!(!(|(block_done6 & ~busy6)))) begin
        $display("%m: assertion failed: only a block that was given ends");
        $stop;
      end
      if (!(!(|(block_done7 & ~busy7)))) begin
        $display("%m: assertion failed: only a block that was given ends");
        $stop;
      end
      if (!(!(|(block_done8 & ~busy8)))) begin
        $display("%m: assertion failed: only a block that was given ends");
        $stop;
      end
      if (!(!(|(block_done9 & ~busy9)))) begin
        $display("%m: assertion failed: only a block that was given ends");
        $stop;
      end
      if (!(!(|(block_done10 & ~busy10)))) begin
        $display("%m: assertion failed: only a block that was given ends");
        $stop;
      end
      if (!(!(|(block_done11 & ~busy11)))) begin
        $display("%m: assertion failed: only a block that was given ends");
        $stop;
      end
    end
  end
`endif
endmodule

`default_nettype wire
