// fifo_depth16_width4
//
// Synchronous first-in first-out queue, show-ahead.
//
// Parameters: depth = 16, width = 4
// Made by: warpmesh export default
// Configuration: default
`default_nettype none

module fifo_depth16_width4 (
    input wire clock,
    input wire reset,
    input wire push, // Puts a word in.
    input wire [3:0] push_data, // The word that is put in.
    input wire pop, // Takes the word that is shown.
    output wire valid, // A word is shown.
    output wire [3:0] data, // The oldest word.
    output wire full, // There is no free place.
    output wire [4:0] count // Words in the queue.
);
  reg [4:0] used;
  reg [3:0] head;
  reg [3:0] tail;
  reg [3:0] words [0:15];

  assign valid = |used;
  assign data = words[head];
  assign full = used == 5'h10;
  assign count = used;

  always @(posedge clock) begin
    if (reset) begin
      used <= 5'h00;
      head <= 4'h0;
      tail <= 4'h0;
    end else begin
      if (push ^ pop) begin
        used <= push ? used + 5'h01 : used - 5'h01;
      end
      if (pop) begin
        head <= head + 4'h1;
      end
      if (push) begin
        tail <= tail + 4'h1;
      end
    end
  end

  always @(posedge clock) begin
    if (push) begin
      words[tail] <= push_data;
    end
  end

`ifdef WARPMESH_ASSERT
  always @(posedge clock) begin
    if (!reset) begin
      if (!(!pop | (|used))) begin
        $display("%m: assertion failed: pop takes a valid word");
        $stop;
      end
      if (!(!push | (used != 5'h10) | pop)) begin
        $display("%m: assertion failed: push finds a free place");
        $stop;
      end
    end
  end
`endif
endmodule

`default_nettype wire
