// round_robin_arbiter_n2
//
// Round-robin arbiter: the requester after the last winner comes first.
//
// Parameters: n = 2
// Made by: warpmesh export default
// Configuration: default
`default_nettype none

module round_robin_arbiter_n2 (
    input wire clock,
    input wire reset,
    input wire [1:0] request, // Requests, set by set.
    input wire advance, // The grant is used: the priorities move.
    output wire [1:0] grant // The request that is granted, one-hot.
);
  reg [1:0] mask;
  wire [1:0] masked;
  wire some_after;
  wire [1:0] chosen;

  assign masked = request & mask;
  assign some_after = |masked;
  assign chosen = some_after ? masked & ~(masked - 2'h1) : request & ~(request - 2'h1);
  assign grant = chosen;

  always @(posedge clock) begin
    if (reset) begin
      mask <= 2'h0;
    end else begin
      if (advance & (|request)) begin
        mask <= some_after ? ~(masked ^ (masked - 2'h1)) : ~(request ^ (request - 2'h1));
      end
    end
  end
endmodule

`default_nettype wire
