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
  wire [7:0] rows_masked = write_mask & {8{rows_shifted[0]}};
  wire [7:0] rows_masked_2 = write_mask & {8{rows_shifted[1]}};
  wire [7:0] rows_masked_3 = write_mask & {8{rows_shifted[2]}};
  wire [7:0] rows_masked_4 = write_mask & {8{rows_shifted[3]}};
  always @(posedge clock) begin
    if (write_valid) begin
      if (rows_masked[0]) begin
        rows[{write_warp, write_number}][0] <= rows_copies[0];
      end
      if (rows_masked[1]) begin
        rows[{write_warp, write_number}][1] <= rows_copies[1];
      end
      if (rows_masked[2]) begin
        rows[{write_warp, write_number}][2] <= rows_copies[2];
      end
      if (rows_masked[3]) begin
        rows[{write_warp, write_number}][3] <= rows_copies[3];
      end
      if (rows_masked[4]) begin
        rows[{write_warp, write_number}][4] <= rows_copies[4];
      end
      if (rows_masked[5]) begin
        rows[{write_warp, write_number}][5] <= rows_copies[5];
      end
      if (rows_masked[6]) begin
        rows[{write_warp, write_number}][6] <= rows_copies[6];
      end
      if (rows_masked[7]) begin
        rows[{write_warp, write_number}][7] <= rows_copies[7];
      end
      if (rows_masked_2[0]) begin
        rows[{write_warp, write_number}][8] <= rows_copies[8];
      end
      if (rows_masked_2[1]) begin
        rows[{write_warp, write_number}][9] <= rows_copies[9];
      end
      if (rows_masked_2[2]) begin
        rows[{write_warp, write_number}][10] <= rows_copies[10];
      end
      if (rows_masked_2[3]) begin
        rows[{write_warp, write_number}][11] <= rows_copies[11];
      end
      if (rows_masked_2[4]) begin
        rows[{write_warp, write_number}][12] <= rows_copies[12];
      end
      if (rows_masked_2[5]) begin
        rows[{write_warp, write_number}][13] <= rows_copies[13];
      end
      if (rows_masked_2[6]) begin
        rows[{write_warp, write_number}][14] <= rows_copies[14];
      end
      if (rows_masked_2[7]) begin
        rows[{write_warp, write_number}][15] <= rows_copies[15];
      end
      if (rows_masked_3[0]) begin
        rows[{write_warp, write_number}][16] <= rows_copies[16];
      end
      if (rows_masked_3[1]) begin
        rows[{write_warp, write_number}][17] <= rows_copies[17];
      end
      if (rows_masked_3[2]) begin
        rows[{write_warp, write_number}][18] <= rows_copies[18];
      end
      if (rows_masked_3[3]) begin
        rows[{write_warp, write_number}][19] <= rows_copies[19];
      end
      if (rows_masked_3[4]) begin
        rows[{write_warp, write_number}][20] <= rows_copies[20];
      end
      if (rows_masked_3[5]) begin
        rows[{write_warp, write_number}][21] <= rows_copies[21];
      end
      if (rows_masked_3[6]) begin
        rows[{write_warp, write_number}][22] <= rows_copies[22];
      end
      if (rows_masked_3[7]) begin
        rows[{write_warp, write_number}][23] <= rows_copies[23];
      end
      if (rows_masked_4[0]) begin
        rows[{write_warp, write_number}][24] <= rows_copies[24];
      end
      if (rows_masked_4[1]) begin
        rows[{write_warp, write_number}][25] <= rows_copies[25];
      end
      if (rows_masked_4[2]) begin
        rows[{write_warp, write_number}][26] <= rows_copies[26];
      end
      if (rows_masked_4[3]) begin
        rows[{write_warp, write_number}][27] <= rows_copies[27];
      end
      if (rows_masked_4[4]) begin
        rows[{write_warp, write_number}][28] <= rows_copies[28];
      end
      if (rows_masked_4[5]) begin
        rows[{write_warp, write_number}][29] <= rows_copies[29];
      end
      if (rows_masked_4[6]) begin
        rows[{write_warp, write_number}][30] <= rows_copies[30];
      end
      if (rows_masked_4[7]) begin
        rows[{write_warp, write_number}][31] <= rows_copies[31];
      end
    end
  end
endmodule

`default_nettype wire
