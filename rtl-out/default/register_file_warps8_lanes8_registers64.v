// register_file_warps8_lanes8_registers64
//
// Registers of all threads: a row per warp, register and beat.
//
// Parameters: warps = 8, lanes = 8, registers = 64
// Made by: warpmesh export default
// Configuration: default
`default_nettype none

module register_file_warps8_lanes8_registers64 (
    input wire clock,
    input wire [2:0] read_warp, // Whose registers are read.
    input wire [1:0] read_beat, // Of the threads of which beat.
    input wire [5:0] read_a, // Register of operand a.
    input wire read_enable_a, // Operand a is read.
    input wire [5:0] read_b, // Register of operand b.
    input wire read_enable_b, // Operand b is read.
    input wire [5:0] read_c, // Register of operand c.
    input wire read_enable_c, // Operand c is read.
    input wire write_valid, // What is written.
    input wire [2:0] write_warp, // What is written.
    input wire [5:0] write_destination, // What is written.
    input wire [1:0] write_beat, // What is written.
    input wire [7:0] write_mask, // Lanes that are written.
    input wire [255:0] write_data, // What is written.
    output wire [255:0] a, // Operand a of each lane.
    output wire [255:0] b, // Operand b of each lane.
    output wire [255:0] c // Operand c of each lane.
);
  wire [255:0] a_row;
  wire [255:0] b_row;
  wire [255:0] c_row;

  assign a = a_row;
  assign b = b_row;
  assign c = c_row;

  wire [10:0] rows_write_address_joined = {write_warp, write_destination, write_beat};
  sram_depth2048_width256_mask8 rows (
    .clock(clock),
    .write_enable(write_valid),
    .write_address(rows_write_address_joined),
    .write_data(write_data),
    .write_mask(write_mask),
    .read_enable(read_enable_a),
    .read_address({read_warp, read_a, read_beat}),
    .read_data(a_row)
  );

  sram_depth2048_width256_mask8 rows_copy (
    .clock(clock),
    .write_enable(write_valid),
    .write_address(rows_write_address_joined),
    .write_data(write_data),
    .write_mask(write_mask),
    .read_enable(read_enable_b),
    .read_address({read_warp, read_b, read_beat}),
    .read_data(b_row)
  );

  sram_depth2048_width256_mask8 rows_copy_2 (
    .clock(clock),
    .write_enable(write_valid),
    .write_address(rows_write_address_joined),
    .write_data(write_data),
    .write_mask(write_mask),
    .read_enable(read_enable_c),
    .read_address({read_warp, read_c, read_beat}),
    .read_data(c_row)
  );
endmodule

`default_nettype wire
