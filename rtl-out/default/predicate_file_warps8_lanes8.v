// predicate_file_warps8_lanes8
//
// Predicates of all threads: a row of 32 bits per warp and predicate.
//
// Parameters: warps = 8, lanes = 8
// Made by: warpmesh export default
// Configuration: default
`default_nettype none

module predicate_file_warps8_lanes8 (
    input wire clock,
    input wire [2:0] read_warp, // Whose predicates are read.
    input wire [2:0] read_guard, // Number of the guard.
    input wire [2:0] read_p, // Number of the first operand.
    input wire [2:0] read_q, // Number of the second operand.
    input wire write_valid, // What is written.
    input wire [2:0] write_warp, // What is written.
    input wire [2:0] write_number, // What is written.
    input wire [1:0] write_beat, // What is written.
    input wire [7:0] write_mask, // Lanes that are written.
    input wire [7:0] write_bits, // What is written.
    output wire [31:0] guard, // The guard of each thread.
    output wire [31:0] p, // The first operand of each thread.
    output wire [31:0] q // The second operand of each thread.
);
  wire [31:0] rows_word;
  assign guard = (&read_guard) ? 32'hffffffff : rows_word;
  wire [31:0] rows_word_2;
  assign p = (&read_p) ? 32'hffffffff : rows_word_2;
  wire [31:0] rows_word_3;
  assign q = (&read_q) ? 32'hffffffff : rows_word_3;

  wire [3:0] rows_write_mask_shifted = 4'h1 << write_beat;
  async_ram_depth64_width32_reads3_mask32 rows (
    .clock(clock),
    .write_enable(write_valid),
    .write_address({write_warp, write_number}),
    .write_data({4{write_bits}}),
    .write_mask({write_mask & {8{rows_write_mask_shifted[3]}}, write_mask & {8{rows_write_mask_shifted[2]}},
        write_mask & {8{rows_write_mask_shifted[1]}}, write_mask & {8{rows_write_mask_shifted[0]}}}),
    .read0_address({read_warp, read_guard}),
    .read1_address({read_warp, read_p}),
    .read2_address({read_warp, read_q}),
    .read0_data(rows_word),
    .read1_data(rows_word_2),
    .read2_data(rows_word_3)
  );
endmodule

`default_nettype wire
