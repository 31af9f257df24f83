// fifo_depth8_width9
//
// Synchronous first-in first-out queue, show-ahead.
//
// Parameters: depth = 8, width = 9
// Made by: warpmesh export default
// Configuration: default
`default_nettype none

module fifo_depth8_width9 (
    input wire clock,
    input wire reset,
    input wire push, // Puts a word in.
    input wire [8:0] push_data, // The word that is put in.
    input wire pop, // Takes the word that is shown.
    output wire valid, // A word is shown.
    output wire [8:0] data, // The oldest word.
    output wire full, // There is no free place.
    output wire [3:0] count // Words in the queue.
);
  reg [3:0] used;
  reg [2:0] head;
  reg [2:0] tail;
  reg [8:0] words [0:7];

  assign valid = |used;
  assign data = words[head];
  assign full = used == 4'h8;
  assign count = used;

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
      if (!(!push | (used != 4'h8) | pop)) begin
        $display("%m: assertion failed: push finds a free place");
        $stop;
      end
    end
  end
`endif
endmodule

`default_nettype wire
