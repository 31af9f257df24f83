// fifo_depth8_width512
//
// Synchronous first-in first-out queue, show-ahead.
//
// Parameters: depth = 8, width = 512
// Made by: warpmesh export default
// Configuration: default
`default_nettype none

module fifo_depth8_width512 (
    input wire clock,
    input wire reset,
    input wire push, // Puts a word in.
    input wire [511:0] push_data, // The word that is put in.
    input wire pop, // Takes the word that is shown.
    output wire valid, // A word is shown.
    output wire [511:0] data, // The oldest word.
    output wire full, // There is no free place.
    output wire [3:0] count // Words in the queue.
);
  reg [3:0] used;
  reg [2:0] head;
  reg [2:0] tail;

  assign valid = |used;
  wire [511:0] words_word;
  assign data = words_word;
  assign full = used == 4'h8;
  assign count = used;

  async_ram_depth8_width512_reads1 words_memory (
    .clock(clock),
    .write_enable(push),
    .write_address(tail),
    .write_data(push_data),
    .read0_address(head),
    .read0_data(words_word)
  );

  always @(posedge clock) begin
    if (reset) begin
      used <= 4'h0;
      head <= 3'h0;
      tail <= 3'h0;
    end else begin
      if (push ^ pop) begin
        used <= push ? used + 4'h1 : used - 4'h1;
      end
      if (pop) begin
        head <= head + 3'h1;
      end
      if (push) begin
        tail <= tail + 3'h1;
      end
    end
  end

`ifdef WARPMESH_ASSERT
  always @(posedge clock) begin
    if (!reset) begin
      if (!(!pop | (|used))) begin
        $display("%m: assertion failed: pop takes a valid word");
        $stop;
      end
      if (!(!push | (used != 4'h8) | pop)) begin
        $display("%m: assertion failed: push finds a free place");
        $stop;
      end
    end
  end
`endif
endmodule

`default_nettype wire
