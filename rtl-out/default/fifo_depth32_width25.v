// fifo_depth32_width25
//
// Synchronous first-in first-out queue, show-ahead.
//
// Parameters: depth = 32, width = 25
// Made by: warpmesh export default
// Configuration: default
`default_nettype none

module fifo_depth32_width25 (
    input wire clock,
    input wire reset,
    input wire push, // Puts a word in.
    input wire [24:0] push_data, // The word that is put in.
    input wire pop, // Takes the word that is shown.
    output wire valid, // A word is shown.
    output wire [24:0] data, // The oldest word.
    output wire full, // There is no free place.
    output wire [5:0] count // Words in the queue.
);
  reg [5:0] used;
  reg [4:0] head;
  reg [4:0] tail;
  reg [24:0] words [0:31];

  assign valid = |used;
  assign data = words[head];
  assign full = used == 6'h20;
  assign count = used;

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
      if (!(!push | (used != 6'h20) | pop)) begin
        $display("%m: assertion failed: push finds a free place");
        $stop;
      end
    end
  end
`endif
endmodule

`default_nettype wire
