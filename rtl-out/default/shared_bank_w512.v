// shared_bank_w512
//
// One bank of shared memory.
//
// Parameters: words = 512
// Made by: warpmesh export default
// Configuration: default
`default_nettype none

module shared_bank_w512 (
    input wire clock,
    input wire [8:0] address,
    input wire read,
    input wire [31:0] data,
    input wire [3:0] bytes,
    input wire write,
    output wire [31:0] word
);
  reg [31:0] word_now;
  reg [31:0] words [0:511];

  assign word = word_now;

  wire [31:0] words_word = words[address];
  always @(posedge clock) begin
    word_now <= read ? words_word : word_now;
  end

  genvar words_lane;
  generate
    for (words_lane = 0; words_lane < 4; words_lane = words_lane + 1) begin : words_lanes
      always @(posedge clock) begin
        if (write) begin
          if (bytes[words_lane]) begin
            words[address][words_lane * 8 +: 8] <= data[words_lane * 8 +: 8];
          end
        end
      end
    end
  endgenerate
endmodule

`default_nettype wire
