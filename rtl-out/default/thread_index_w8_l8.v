// thread_index_w8_l8
//
// Thread index within the block, per warp and beat; filled by a walker whenever the block's dimensions change.
//
// Parameters: w = 8, l = 8
// Made by: warpmesh export default
// Configuration: default
`default_nettype none

module thread_index_w8_l8 (
    input wire clock,
    input wire reset,
    input wire [10:0] block_dim_x,
    input wire [10:0] block_dim_y,
    input wire [6:0] block_dim_z,
    input wire [2:0] warp,
    input wire [1:0] beat,
    input wire read_enable,
    output wire filled,
    output wire [79:0] x,
    output wire [79:0] y,
    output wire [79:0] z
);
  reg [10:0] dim_x;
  reg [10:0] dim_y;
  reg [6:0] dim_z;
  reg [4:0] row;
  reg filled_now;
  reg [9:0] at_x;
  reg [9:0] at_y;
  reg [5:0] at_z;
  wire differs;
  wire row_ends0;
  wire plane_ends0;
  wire [9:0] next_x0;
  wire [9:0] next_y0;
  wire [5:0] next_z0;
  wire row_ends1;
  wire plane_ends1;
  wire [9:0] next_x1;
  wire [9:0] next_y1;
  wire [5:0] next_z1;
  wire row_ends2;
  wire plane_ends2;
  wire [9:0] next_x2;
  wire [9:0] next_y2;
  wire [5:0] next_z2;
  wire row_ends3;
  wire plane_ends3;
  wire [9:0] next_x3;
  wire [9:0] next_y3;
  wire [5:0] next_z3;
  wire row_ends4;
  wire plane_ends4;
  wire [9:0] next_x4;
  wire [9:0] next_y4;
  wire [5:0] next_z4;
  wire row_ends5;
  wire plane_ends5;
  wire [9:0] next_x5;
  wire [9:0] next_y5;
  wire [5:0] next_z5;
  wire row_ends6;
  wire plane_ends6;
  wire [9:0] next_x6;
  wire [9:0] next_y6;
  wire [5:0] next_z6;
  wire row_ends7;
  wire plane_ends7;
  wire [9:0] next_x7;
  wire [9:0] next_y7;
  wire [5:0] next_z7;
  reg [207:0] shown;

  assign differs = (block_dim_x != dim_x) | (block_dim_y != dim_y) | (block_dim_z != dim_z);
  assign row_ends0 = ({1'b0, at_x} + 11'h001) >= dim_x;
  assign plane_ends0 = row_ends0 & (({1'b0, at_y} + 11'h001) >= dim_y);
  assign next_x0 = row_ends0 ? 10'h000 : at_x + 10'h001;
  assign next_y0 = plane_ends0 ? 10'h000 : row_ends0 ? at_y + 10'h001 : at_y;
  assign next_z0 = plane_ends0 ? at_z + 6'h01 : at_z;
  assign row_ends1 = ({1'b0, next_x0} + 11'h001) >= dim_x;
  assign plane_ends1 = row_ends1 & (({1'b0, next_y0} + 11'h001) >= dim_y);
  assign next_x1 = row_ends1 ? 10'h000 : next_x0 + 10'h001;
  assign next_y1 = plane_ends1 ? 10'h000 : row_ends1 ? next_y0 + 10'h001 : next_y0;
  assign next_z1 = plane_ends1 ? next_z0 + 6'h01 : next_z0;
  assign row_ends2 = ({1'b0, next_x1} + 11'h001) >= dim_x;
  assign plane_ends2 = row_ends2 & (({1'b0, next_y1} + 11'h001) >= dim_y);
  assign next_x2 = row_ends2 ? 10'h000 : next_x1 + 10'h001;
  assign next_y2 = plane_ends2 ? 10'h000 : row_ends2 ? next_y1 + 10'h001 : next_y1;
  assign next_z2 = plane_ends2 ? next_z1 + 6'h01 : next_z1;
  assign row_ends3 = ({1'b0, next_x2} + 11'h001) >= dim_x;
  assign plane_ends3 = row_ends3 & (({1'b0, next_y2} + 11'h001) >= dim_y);
  assign next_x3 = row_ends3 ? 10'h000 : next_x2 + 10'h001;
  assign next_y3 = plane_ends3 ? 10'h000 : row_ends3 ? next_y2 + 10'h001 : next_y2;
  assign next_z3 = plane_ends3 ? next_z2 + 6'h01 : next_z2;
  assign row_ends4 = ({1'b0, next_x3} + 11'h001) >= dim_x;
  assign plane_ends4 = row_ends4 & (({1'b0, next_y3} + 11'h001) >= dim_y);
  assign next_x4 = row_ends4 ? 10'h000 : next_x3 + 10'h001;
  assign next_y4 = plane_ends4 ? 10'h000 : row_ends4 ? next_y3 + 10'h001 : next_y3;
  assign next_z4 = plane_ends4 ? next_z3 + 6'h01 : next_z3;
  assign row_ends5 = ({1'b0, next_x4} + 11'h001) >= dim_x;
  assign plane_ends5 = row_ends5 & (({1'b0, next_y4} + 11'h001) >= dim_y);
  assign next_x5 = row_ends5 ? 10'h000 : next_x4 + 10'h001;
  assign next_y5 = plane_ends5 ? 10'h000 : row_ends5 ? next_y4 + 10'h001 : next_y4;
  assign next_z5 = plane_ends5 ? next_z4 + 6'h01 : next_z4;
  assign row_ends6 = ({1'b0, next_x5} + 11'h001) >= dim_x;
  assign plane_ends6 = row_ends6 & (({1'b0, next_y5} + 11'h001) >= dim_y);
  assign next_x6 = row_ends6 ? 10'h000 : next_x5 + 10'h001;
  assign next_y6 = plane_ends6 ? 10'h000 : row_ends6 ? next_y5 + 10'h001 : next_y5;
  assign next_z6 = plane_ends6 ? next_z5 + 6'h01 : next_z5;
  assign row_ends7 = ({1'b0, next_x6} + 11'h001) >= dim_x;
  assign plane_ends7 = row_ends7 & (({1'b0, next_y6} + 11'h001) >= dim_y);
  assign next_x7 = row_ends7 ? 10'h000 : next_x6 + 10'h001;
  assign next_y7 = plane_ends7 ? 10'h000 : row_ends7 ? next_y6 + 10'h001 : next_y6;
  assign next_z7 = plane_ends7 ? next_z6 + 6'h01 : next_z6;
  assign filled = filled_now & !differs;
  assign x = {shown[191:182], shown[165:156], shown[139:130], shown[113:104], shown[87:78], shown[61:52],
      shown[35:26], shown[9:0]};
  assign y = {shown[201:192], shown[175:166], shown[149:140], shown[123:114], shown[97:88], shown[71:62],
      shown[45:36], shown[19:10]};
  assign z = {{4'h0, shown[207:202]}, {4'h0, shown[181:176]}, {4'h0, shown[155:150]}, {4'h0, shown[129:124]},
      {4'h0, shown[103:98]}, {4'h0, shown[77:72]}, {4'h0, shown[51:46]}, {4'h0, shown[25:20]}};

  wire [25:0] rows_write_data_joined = {at_z, at_y, at_x};
  wire [25:0] rows_write_data_joined_2 = {next_z0, next_y0, next_x0};
  wire [25:0] rows_write_data_joined_3 = {next_z1, next_y1, next_x1};
  wire [25:0] rows_write_data_joined_4 = {next_z2, next_y2, next_x2};
  wire [25:0] rows_write_data_joined_5 = {next_z3, next_y3, next_x3};
  wire [207:0] rows_word;
  sram_d32_w208_r1 rows (
    .clock(clock),
    .write_enable(!filled_now),
    .write_address(row),
    .write_data({{next_z6, next_y6, next_x6}, {next_z5, next_y5, next_x5}, {next_z4, next_y4, next_x4},
        rows_write_data_joined_5, rows_write_data_joined_4, rows_write_data_joined_3,
        rows_write_data_joined_2, rows_write_data_joined}),
    .read0_address({warp, beat}),
    .read0_data(rows_word)
  );

  always @(posedge clock) begin
    if (reset) begin
      dim_x <= 11'h000;
      dim_y <= 11'h000;
      dim_z <= 7'h00;
      row <= 5'h00;
      filled_now <= 1'b0;
      at_x <= 10'h000;
      at_y <= 10'h000;
      at_z <= 6'h00;
    end else begin
      if (!filled_now) begin
        row <= row + 5'h01;
        at_x <= next_x7;
        at_y <= next_y7;
        at_z <= next_z7;
        if (&row) begin
          filled_now <= 1'b1;
        end
      end
      if (differs) begin
        dim_x <= block_dim_x;
        dim_y <= block_dim_y;
        dim_z <= block_dim_z;
        at_x <= 10'h000;
        at_y <= 10'h000;
        at_z <= 6'h00;
        row <= 5'h00;
        filled_now <= 1'b0;
      end
    end
  end

  always @(posedge clock) begin
    shown <= read_enable ? rows_word : shown;
  end
endmodule

`default_nettype wire
