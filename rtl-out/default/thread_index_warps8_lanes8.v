// thread_index_warps8_lanes8
//
// Thread index within the block, per warp and beat; filled by a walker whenever the block's dimensions change.
//
// Parameters: warps = 8, lanes = 8
// Made by: warpmesh export default
// Configuration: default
`default_nettype none

module thread_index_warps8_lanes8 (
    input wire clock,
    input wire reset,
    input wire [10:0] block_dim_x, // Dimensions of the kernel's blocks.
    input wire [10:0] block_dim_y, // Dimensions of the kernel's blocks.
    input wire [6:0] block_dim_z, // Dimensions of the kernel's blocks.
    input wire [2:0] warp, // Warp of the row that is read, by its number in its block.
    input wire [1:0] beat, // Beat of that row.
    input wire read_enable, // It is read.
    output wire filled, // The table is that of these dimensions.
    output wire [79:0] x, // Index along x of the thread of each lane.
    output wire [79:0] y, // Along y.
    output wire [79:0] z // Along z.
);
  reg [10:0] dim_x;
  reg [10:0] dim_y;
  reg [6:0] dim_z;
  wire differs;
  reg [5:0] cycle;
  reg filled_now;
  reg walking;
  wire [10:0] radix_x;
  wire [10:0] radix_y;
  reg [9:0] step_x;
  reg [9:0] step_y;
  reg [5:0] step_z;
  reg [9:0] lane0_x;
  reg [9:0] lane0_y;
  reg [5:0] lane0_z;
  reg [9:0] lane1_x;
  reg [9:0] lane1_y;
  reg [5:0] lane1_z;
  reg [9:0] lane2_x;
  reg [9:0] lane2_y;
  reg [5:0] lane2_z;
  reg [9:0] lane3_x;
  reg [9:0] lane3_y;
  reg [5:0] lane3_z;
  reg [9:0] lane4_x;
  reg [9:0] lane4_y;
  reg [5:0] lane4_z;
  reg [9:0] lane5_x;
  reg [9:0] lane5_y;
  reg [5:0] lane5_z;
  reg [9:0] lane6_x;
  reg [9:0] lane6_y;
  reg [5:0] lane6_z;
  reg [9:0] lane7_x;
  reg [9:0] lane7_y;
  reg [5:0] lane7_z;
  wire in_rows;
  wire doubling0;
  wire doubling1;
  wire doubling2;
  wire [10:0] twice_x;
  wire twice_x_carries;
  wire [10:0] twice_y;
  wire twice_y_carries;
  wire [10:0] twice_y_and_one;
  wire twice_y_and_one_carries;
  wire [10:0] next0_x;
  wire next0_x_carries;
  wire [10:0] next0_y;
  wire next0_y_carries;
  wire [10:0] next0_y_and_one;
  wire next0_y_and_one_carries;
  wire [10:0] next1_x;
  wire next1_x_carries;
  wire [10:0] next1_y;
  wire next1_y_carries;
  wire [10:0] next1_y_and_one;
  wire next1_y_and_one_carries;
  wire [10:0] next2_x;
  wire next2_x_carries;
  wire [10:0] next2_y;
  wire next2_y_carries;
  wire [10:0] next2_y_and_one;
  wire next2_y_and_one_carries;
  wire [10:0] next3_x;
  wire next3_x_carries;
  wire [10:0] next3_y;
  wire next3_y_carries;
  wire [10:0] next3_y_and_one;
  wire next3_y_and_one_carries;
  wire [10:0] next4_x;
  wire next4_x_carries;
  wire [10:0] next4_y;
  wire next4_y_carries;
  wire [10:0] next4_y_and_one;
  wire next4_y_and_one_carries;
  wire [10:0] next5_x;
  wire next5_x_carries;
  wire [10:0] next5_y;
  wire next5_y_carries;
  wire [10:0] next5_y_and_one;
  wire next5_y_and_one_carries;
  wire [10:0] next6_x;
  wire next6_x_carries;
  wire [10:0] next6_y;
  wire next6_y_carries;
  wire [10:0] next6_y_and_one;
  wire next6_y_and_one_carries;
  wire [10:0] next7_x;
  wire next7_x_carries;
  wire [10:0] next7_y;
  wire next7_y_carries;
  wire [10:0] next7_y_and_one;
  wire next7_y_and_one_carries;
  wire [207:0] shown;

  assign differs = (block_dim_x != dim_x) | (block_dim_y != dim_y) | (block_dim_z != dim_z);
  // The step and the lanes: numbers of three digits. The step begins with 1, here of a block of 0 x 0 x 0.
  assign radix_x = {dim_x[10:1], dim_x[0] | !(|dim_x)};
  assign radix_y = {dim_y[10:1], dim_y[0] | !(|dim_y)};
  assign in_rows = cycle >= 6'h03;
  assign doubling0 = cycle == 6'h00;
  assign doubling1 = cycle == 6'h01;
  assign doubling2 = cycle == 6'h02;
  assign twice_x = {1'b0, step_x} + {1'b0, step_x};
  assign twice_x_carries = twice_x >= radix_x;
  assign twice_y = {1'b0, step_y} + {1'b0, step_y};
  assign twice_y_carries = twice_y >= radix_y;
  assign twice_y_and_one = twice_y + 11'h001;
  assign twice_y_and_one_carries = twice_y_and_one >= radix_y;
  assign next0_x = {1'b0, lane0_x} + {1'b0, step_x};
  assign next0_x_carries = next0_x >= radix_x;
  assign next0_y = {1'b0, lane0_y} + {1'b0, step_y};
  assign next0_y_carries = next0_y >= radix_y;
  assign next0_y_and_one = next0_y + 11'h001;
  assign next0_y_and_one_carries = next0_y_and_one >= radix_y;
  assign next1_x = {1'b0, lane1_x} + {1'b0, step_x};
  assign next1_x_carries = next1_x >= radix_x;
  assign next1_y = {1'b0, lane1_y} + {1'b0, step_y};
  assign next1_y_carries = next1_y >= radix_y;
  assign next1_y_and_one = next1_y + 11'h001;
  assign next1_y_and_one_carries = next1_y_and_one >= radix_y;
  assign next2_x = {1'b0, lane2_x} + {1'b0, step_x};
  assign next2_x_carries = next2_x >= radix_x;
  assign next2_y = {1'b0, lane2_y} + {1'b0, step_y};
  assign next2_y_carries = next2_y >= radix_y;
  assign next2_y_and_one = next2_y + 11'h001;
  assign next2_y_and_one_carries = next2_y_and_one >= radix_y;
  assign next3_x = {1'b0, lane3_x} + {1'b0, step_x};
  assign next3_x_carries = next3_x >= radix_x;
  assign next3_y = {1'b0, lane3_y} + {1'b0, step_y};
  assign next3_y_carries = next3_y >= radix_y;
  assign next3_y_and_one = next3_y + 11'h001;
  assign next3_y_and_one_carries = next3_y_and_one >= radix_y;
  assign next4_x = {1'b0, lane4_x} + {1'b0, step_x};
  assign next4_x_carries = next4_x >= radix_x;
  assign next4_y = {1'b0, lane4_y} + {1'b0, step_y};
  assign next4_y_carries = next4_y >= radix_y;
  assign next4_y_and_one = next4_y + 11'h001;
  assign next4_y_and_one_carries = next4_y_and_one >= radix_y;
  assign next5_x = {1'b0, lane5_x} + {1'b0, step_x};
  assign next5_x_carries = next5_x >= radix_x;
  assign next5_y = {1'b0, lane5_y} + {1'b0, step_y};
  assign next5_y_carries = next5_y >= radix_y;
  assign next5_y_and_one = next5_y + 11'h001;
  assign next5_y_and_one_carries = next5_y_and_one >= radix_y;
  assign next6_x = {1'b0, lane6_x} + {1'b0, step_x};
  assign next6_x_carries = next6_x >= radix_x;
  assign next6_y = {1'b0, lane6_y} + {1'b0, step_y};
  assign next6_y_carries = next6_y >= radix_y;
  assign next6_y_and_one = next6_y + 11'h001;
  assign next6_y_and_one_carries = next6_y_and_one >= radix_y;
  assign next7_x = {1'b0, lane7_x} + {1'b0, step_x};
  assign next7_x_carries = next7_x >= radix_x;
  assign next7_y = {1'b0, lane7_y} + {1'b0, step_y};
  assign next7_y_carries = next7_y >= radix_y;
  assign next7_y_and_one = next7_y + 11'h001;
  assign next7_y_and_one_carries = next7_y_and_one >= radix_y;
  assign filled = filled_now & !differs;
  assign x = {shown[191:182], shown[165:156], shown[139:130], shown[113:104], shown[87:78], shown[61:52],
      shown[35:26], shown[9:0]};
  assign y = {shown[201:192], shown[175:166], shown[149:140], shown[123:114], shown[97:88], shown[71:62],
      shown[45:36], shown[19:10]};
  assign z = {{4'h0, shown[207:202]}, {4'h0, shown[181:176]}, {4'h0, shown[155:150]}, {4'h0, shown[129:124]},
      {4'h0, shown[103:98]}, {4'h0, shown[77:72]}, {4'h0, shown[51:46]}, {4'h0, shown[25:20]}};

  /* verilator lint_off UNUSED */ // bits 5 are not read
  wire [5:0] rows_write_address_difference = cycle - 6'h03;
  /* verilator lint_on UNUSED */
  wire [25:0] rows_write_data_joined = {lane0_z, lane0_y, lane0_x};
  wire [25:0] rows_write_data_joined_2 = {lane1_z, lane1_y, lane1_x};
  wire [25:0] rows_write_data_joined_3 = {lane2_z, lane2_y, lane2_x};
  wire [25:0] rows_write_data_joined_4 = {lane3_z, lane3_y, lane3_x};
  wire [25:0] rows_write_data_joined_5 = {lane4_z, lane4_y, lane4_x};
  wire [207:0] rows_write_data_joined_6 = {{lane7_z, lane7_y, lane7_x}, {lane6_z, lane6_y, lane6_x},
      {lane5_z, lane5_y, lane5_x}, rows_write_data_joined_5, rows_write_data_joined_4,
      rows_write_data_joined_3, rows_write_data_joined_2, rows_write_data_joined};
  sram_depth32_width208 rows (
    .clock(clock),
    .write_enable(in_rows & walking),
    .write_address(rows_write_address_difference[4:0]),
    .write_data(rows_write_data_joined_6),
    .read_enable(read_enable),
    .read_address({warp, beat}),
    .read_data(shown)
  );

  /* verilator lint_off UNUSED */ // bits 10 are not read
  wire [10:0] next_choice = next0_x_carries ? next0_x - radix_x : next0_x;
  /* verilator lint_on UNUSED */
  /* verilator lint_off UNUSED */ // bits 10 are not read
  wire [10:0] next_choice_2 = twice_x_carries ? twice_x - radix_x : twice_x;
  /* verilator lint_on UNUSED */
  /* verilator lint_off UNUSED */ // bits 10 are not read
  wire [10:0] next_choice_3 = next0_y_carries ? next0_y - radix_y : next0_y;
  /* verilator lint_on UNUSED */
  /* verilator lint_off UNUSED */ // bits 10 are not read
  wire [10:0] next_choice_4 = next0_y_and_one_carries ? next0_y_and_one - radix_y : next0_y_and_one;
  /* verilator lint_on UNUSED */
  /* verilator lint_off UNUSED */ // bits 10 are not read
  wire [10:0] next_choice_5 = twice_y_carries ? twice_y - radix_y : twice_y;
  /* verilator lint_on UNUSED */
  /* verilator lint_off UNUSED */ // bits 10 are not read
  wire [10:0] next_choice_6 = twice_y_and_one_carries ? twice_y_and_one - radix_y : twice_y_and_one;
  /* verilator lint_on UNUSED */
  /* verilator lint_off UNUSED */ // bits 10 are not read
  wire [10:0] next_choice_7 = next1_x_carries ? next1_x - radix_x : next1_x;
  /* verilator lint_on UNUSED */
  /* verilator lint_off UNUSED */ // bits 10 are not read
  wire [10:0] next_choice_8 = next1_y_carries ? next1_y - radix_y : next1_y;
  /* verilator lint_on UNUSED */
  /* verilator lint_off UNUSED */ // bits 10 are not read
  wire [10:0] next_choice_9 = next1_y_and_one_carries ? next1_y_and_one - radix_y : next1_y_and_one;
  /* verilator lint_on UNUSED */
  /* verilator lint_off UNUSED */ // bits 10 are not read
  wire [10:0] next_choice_10 = next2_x_carries ? next2_x - radix_x : next2_x;
  /* verilator lint_on UNUSED */
  /* verilator lint_off UNUSED */ // bits 10 are not read
  wire [10:0] next_choice_11 = next2_y_carries ? next2_y - radix_y : next2_y;
  /* verilator lint_on UNUSED */
  /* verilator lint_off UNUSED */ // bits 10 are not read
  wire [10:0] next_choice_12 = next2_y_and_one_carries ? next2_y_and_one - radix_y : next2_y_and_one;
  /* verilator lint_on UNUSED */
  /* verilator lint_off UNUSED */ // bits 10 are not read
  wire [10:0] next_choice_13 = next3_x_carries ? next3_x - radix_x : next3_x;
  /* verilator lint_on UNUSED */
  /* verilator lint_off UNUSED */ // bits 10 are not read
  wire [10:0] next_choice_14 = next3_y_carries ? next3_y - radix_y : next3_y;
  /* verilator lint_on UNUSED */
  /* verilator lint_off UNUSED */ // bits 10 are not read
  wire [10:0] next_choice_15 = next3_y_and_one_carries ? next3_y_and_one - radix_y : next3_y_and_one;
  /* verilator lint_on UNUSED */
  /* verilator lint_off UNUSED */ // bits 10 are not read
  wire [10:0] next_choice_16 = next4_x_carries ? next4_x - radix_x : next4_x;
  /* verilator lint_on UNUSED */
  /* verilator lint_off UNUSED */ // bits 10 are not read
  wire [10:0] next_choice_17 = next4_y_carries ? next4_y - radix_y : next4_y;
  /* verilator lint_on UNUSED */
  /* verilator lint_off UNUSED */ // bits 10 are not read
  wire [10:0] next_choice_18 = next4_y_and_one_carries ? next4_y_and_one - radix_y : next4_y_and_one;
  /* verilator lint_on UNUSED */
  /* verilator lint_off UNUSED */ // bits 10 are not read
  wire [10:0] next_choice_19 = next5_x_carries ? next5_x - radix_x : next5_x;
  /* verilator lint_on UNUSED */
  /* verilator lint_off UNUSED */ // bits 10 are not read
  wire [10:0] next_choice_20 = next5_y_carries ? next5_y - radix_y : next5_y;
  /* verilator lint_on UNUSED */
  /* verilator lint_off UNUSED */ // bits 10 are not read
  wire [10:0] next_choice_21 = next5_y_and_one_carries ? next5_y_and_one - radix_y : next5_y_and_one;
  /* verilator lint_on UNUSED */
  /* verilator lint_off UNUSED */ // bits 10 are not read
  wire [10:0] next_choice_22 = next6_x_carries ? next6_x - radix_x : next6_x;
  /* verilator lint_on UNUSED */
  /* verilator lint_off UNUSED */ // bits 10 are not read
  wire [10:0] next_choice_23 = next6_y_carries ? next6_y - radix_y : next6_y;
  /* verilator lint_on UNUSED */
  /* verilator lint_off UNUSED */ // bits 10 are not read
  wire [10:0] next_choice_24 = next6_y_and_one_carries ? next6_y_and_one - radix_y : next6_y_and_one;
  /* verilator lint_on UNUSED */
  /* verilator lint_off UNUSED */ // bits 10 are not read
  wire [10:0] next_choice_25 = next7_x_carries ? next7_x - radix_x : next7_x;
  /* verilator lint_on UNUSED */
  /* verilator lint_off UNUSED */ // bits 10 are not read
  wire [10:0] next_choice_26 = next7_y_carries ? next7_y - radix_y : next7_y;
  /* verilator lint_on UNUSED */
  /* verilator lint_off UNUSED */ // bits 10 are not read
  wire [10:0] next_choice_27 = next7_y_and_one_carries ? next7_y_and_one - radix_y : next7_y_and_one;
  /* verilator lint_on UNUSED */
  always @(posedge clock) begin
    if (reset) begin
      dim_x <= 11'h000;
      dim_y <= 11'h000;
      dim_z <= 7'h00;
      cycle <= 6'h00;
      filled_now <= 1'b0;
      walking <= 1'b1;
      step_x <= 10'h000;
      step_y <= 10'h000;
      step_z <= 6'h01;
      lane0_x <= 10'h000;
      lane0_y <= 10'h000;
      lane0_z <= 6'h00;
      lane1_x <= 10'h000;
      lane1_y <= 10'h000;
      lane1_z <= 6'h00;
      lane2_x <= 10'h000;
      lane2_y <= 10'h000;
      lane2_z <= 6'h00;
      lane3_x <= 10'h000;
      lane3_y <= 10'h000;
      lane3_z <= 6'h00;
      lane4_x <= 10'h000;
      lane4_y <= 10'h000;
      lane4_z <= 6'h00;
      lane5_x <= 10'h000;
      lane5_y <= 10'h000;
      lane5_z <= 6'h00;
      lane6_x <= 10'h000;
      lane6_y <= 10'h000;
      lane6_z <= 6'h00;
      lane7_x <= 10'h000;
      lane7_y <= 10'h000;
      lane7_z <= 6'h00;
    end else begin
      if (walking) begin
        cycle <= cycle + 6'h01;
        if (!in_rows) begin
          step_x <= next_choice_2[9:0];
          step_y <= twice_x_carries ? next_choice_6[9:0] : next_choice_5[9:0];
          step_z <= (twice_x_carries ? twice_y_and_one_carries : twice_y_carries) ? step_z + step_z + 6'h01 :
              step_z + step_z;
        end
        if (in_rows) begin
          lane0_x <= next_choice[9:0];
          lane0_y <= next0_x_carries ? next_choice_4[9:0] : next_choice_3[9:0];
          lane0_z <= (next0_x_carries ? next0_y_and_one_carries : next0_y_carries) ? lane0_z + step_z + 6'h01
              : lane0_z + step_z;
        end
        if (doubling0 | in_rows) begin
          lane1_x <= next_choice_7[9:0];
          lane1_y <= next1_x_carries ? next_choice_9[9:0] : next_choice_8[9:0];
          lane1_z <= (next1_x_carries ? next1_y_and_one_carries : next1_y_carries) ? lane1_z + step_z + 6'h01
              : lane1_z + step_z;
        end
        if (doubling1 | in_rows) begin
          lane2_x <= next_choice_10[9:0];
          lane2_y <= next2_x_carries ? next_choice_12[9:0] : next_choice_11[9:0];
          lane2_z <= (next2_x_carries ? next2_y_and_one_carries : next2_y_carries) ? lane2_z + step_z + 6'h01
              : lane2_z + step_z;
        end
        if (doubling0 | doubling1 | in_rows) begin
          lane3_x <= next_choice_13[9:0];
          lane3_y <= next3_x_carries ? next_choice_15[9:0] : next_choice_14[9:0];
          lane3_z <= (next3_x_carries ? next3_y_and_one_carries : next3_y_carries) ? lane3_z + step_z + 6'h01
              : lane3_z + step_z;
        end
        if (doubling2 | in_rows) begin
          lane4_x <= next_choice_16[9:0];
          lane4_y <= next4_x_carries ? next_choice_18[9:0] : next_choice_17[9:0];
          lane4_z <= (next4_x_carries ? next4_y_and_one_carries : next4_y_carries) ? lane4_z + step_z + 6'h01
              : lane4_z + step_z;
        end
        if (doubling0 | doubling2 | in_rows) begin
          lane5_x <= next_choice_19[9:0];
          lane5_y <= next5_x_carries ? next_choice_21[9:0] : next_choice_20[9:0];
          lane5_z <= (next5_x_carries ? next5_y_and_one_carries : next5_y_carries) ? lane5_z + step_z + 6'h01
              : lane5_z + step_z;
        end
        if (doubling1 | doubling2 | in_rows) begin
          lane6_x <= next_choice_22[9:0];
          lane6_y <= next6_x_carries ? next_choice_24[9:0] : next_choice_23[9:0];
          lane6_z <= (next6_x_carries ? next6_y_and_one_carries : next6_y_carries) ? lane6_z + step_z + 6'h01
              : lane6_z + step_z;
        end
        if (doubling0 | doubling1 | doubling2 | in_rows) begin
          lane7_x <= next_choice_25[9:0];
          lane7_y <= next7_x_carries ? next_choice_27[9:0] : next_choice_26[9:0];
          lane7_z <= (next7_x_carries ? next7_y_and_one_carries : next7_y_carries) ? lane7_z + step_z + 6'h01
              : lane7_z + step_z;
        end
        if (cycle == 6'h1f) begin
          filled_now <= 1'b1;
        end
        if (cycle == 6'h22) begin
          walking <= 1'b0;
        end
      end
      if (differs) begin
        dim_x <= block_dim_x;
        dim_y <= block_dim_y;
        dim_z <= block_dim_z;
        step_x <= {9'h000, |block_dim_x[10:1]};
        step_y <= {9'h000, !(|block_dim_x[10:1]) & (|block_dim_y[10:1])};
        step_z <= {5'h00, !((|block_dim_x[10:1]) | (|block_dim_y[10:1]))};
        lane0_x <= 10'h000;
        lane0_y <= 10'h000;
        lane0_z <= 6'h00;
        lane1_x <= 10'h000;
        lane1_y <= 10'h000;
        lane1_z <= 6'h00;
        lane2_x <= 10'h000;
        lane2_y <= 10'h000;
        lane2_z <= 6'h00;
        lane3_x <= 10'h000;
        lane3_y <= 10'h000;
        lane3_z <= 6'h00;
        lane4_x <= 10'h000;
        lane4_y <= 10'h000;
        lane4_z <= 6'h00;
        lane5_x <= 10'h000;
        lane5_y <= 10'h000;
        lane5_z <= 6'h00;
        lane6_x <= 10'h000;
        lane6_y <= 10'h000;
        lane6_z <= 6'h00;
        lane7_x <= 10'h000;
        lane7_y <= 10'h000;
        lane7_z <= 6'h00;
        cycle <= 6'h00;
        filled_now <= 1'b0;
        walking <= 1'b1;
      end
    end
  end

`ifdef WARPMESH_ASSERT
  always @(posedge clock) begin
    if (!reset) begin
      if (!(!(read_enable & filled_now & walking))) begin
        $display("%m: assertion failed: no warp reads before the last row is written");
        $stop;
      end
    end
  end
`endif
endmodule

`default_nettype wire
