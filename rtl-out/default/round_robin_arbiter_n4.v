// round_robin_arbiter_n4
//
// Round-robin arbiter: the requester after the last winner comes first.
//
// Parameters: n = 4
// Made by: warpmesh export default
// Configuration: default
`default_nettype none

module round_robin_arbiter_n4 (
    input wire clock,
    input wire reset,
    input wire [3:0] request, // Requests, set by set.
    input wire advance, // The grant is used: the priorities move.
    output wire [3:0] grant // The request that is granted, one-hot.
);
  reg [3:0] mask;
  wire [3:0] masked;
  wire some_after;
  wire [3:0] chosen;

  assign masked = request & mask;
  assign some_after = |masked;
  assign chosen = some_after ? masked & ~(masked - 4'h1) : request & ~(request - 4'h1);
  assign grant = chosen;

  always @(posedge clock) begin
    if (reset) begin
      mask <= 4'h0;
    end else begin
      if (advance & (|request)) begin
        mask <= some_after ? ~(masked ^ (masked - 4'h1)) : ~(request ^ (request - 4'h1));
      end
    end
  end
endmodule

`default_nettype wire
