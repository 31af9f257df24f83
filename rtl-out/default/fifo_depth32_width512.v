// fifo_depth32_width512
//
// Synchronous first-in first-out queue, show-ahead.
//
// Parameters: depth = 32, width = 512
// Made by: warpmesh export default
// Configuration: default
`default_nettype none

module fifo_depth32_width512 (
    input wire clock,
    input wire reset,
    input wire push, // Puts a word in.
    input wire [511:0] push_data, // The word that is put in.
    input wire pop, // Takes the word that is shown.
    output wire valid, // A word is shown.
    output wire [511:0] data, // The oldest word.
    output wire full, // There is no free place.
    output wire [5:0] count // Words in the queue.
);
  reg [5:0] used;
  reg [4:0] head;
  reg [4:0] tail;

  assign valid = |used;
  wire [511:0] words_word;
  assign data = words_word;
  assign full = used == 6'h20;
  assign count = used;

  async_ram_depth32_width512_reads1 words_memory (
    .clock(clock),
    .write_enable(push),
    .write_address(tail),
    .write_data(push_data),
    .read0_address(head),
    .read0_data(words_word)
  );

  always @(posedge clock) begin
    if (reset) begin
      used <= 6'h00;
      head <= 5'h00;
      tail <= 5'h00;
    end else begin
      if (push ^ pop) begin
        used <= push ? used + 6'h01 : used - 6'h01;
      end
      if (pop) begin
        head <= head + 5'h01;
      end
      if (push) begin
        tail <= tail + 5'h01;
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
      if (!(!push | (used != 6'h20) | pop)) begin
        $display("%m: assertion failed: push finds a free place");
        $stop;
      end
    end
  end
`endif
endmodule

`default_nettype wire
