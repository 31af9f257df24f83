// predicate_file_w8_l8
//
// Predicates of all threads: a row of 32 bits per warp and predicate.
//
// Parameters: w = 8, l = 8
// Made by: warpmesh export default
// Configuration: default
`default_nettype none

module predicate_file_w8_l8 (
    input wire clock,
    input wire [2:0] read_warp,
    input wire [2:0] read_guard,
    input wire [2:0] read_p,
    input wire [2:0] read_q,
    input wire write_valid,
    input wire [2:0] write_warp,
    input wire [2:0] write_number,
    input wire [1:0] write_beat,
    input wire [7:0] write_mask,
    input wire [7:0] write_bits,
    output wire [31:0] guard,
    output wire [31:0] p,
    output wire [31:0] q
);
  reg [31:0] rows [0:63];

  wire [31:0] rows_word = rows[{read_warp, read_guard}];
  assign guard = (&read_guard) ? 32'hffffffff : rows_word;
  wire [31:0] rows_word_2 = rows[{read_warp, read_p}];
  assign p = (&read_p) ? 32'hffffffff : rows_word_2;
  wire [31:0] rows_word_3 = rows[{read_warp, read_q}];
  assign q = (&read_q) ? 32'hffffffff : rows_word_3;

  wire [31:0] rows_copies = {4{write_bits}};
  wire [3:0] rows_shifted = 4'h1 << write_beat;
  wire [31:0] rows_joined = {write_mask & {8{rows_shifted[3]}}, write_mask & {8{rows_shifted[2]}}, write_mask
      & {8{rows_shifted[1]}}, write_mask & {8{rows_shifted[0]}}};
  genvar rows_lane;
  generate
    for (rows_lane = 0; rows_lane < 32; rows_lane = rows_lane + 1) begin : rows_lanes
      always @(posedge clock) begin
        if (write_valid) begin
          if (rows_joined[rows_lane]) begin
            rows[{write_warp, write_number}][rows_lane] <= rows_copies[rows_lane];
          end
        end
      end
    end
  endgenerate
endmodule

`default_nettype wire
