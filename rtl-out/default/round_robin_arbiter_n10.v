// round_robin_arbiter_n10
//
// Round-robin arbiter: the requester after the last winner comes first.
//
// Parameters: n = 10
// Made by: warpmesh export default
// Configuration: default
`default_nettype none

module round_robin_arbiter_n10 (
    input wire clock,
    input wire reset,
    input wire [9:0] request, // Requests, set by set.
    input wire advance, // The grant is used: the priorities move.
    output wire [9:0] grant // The request that is granted, one-hot.
);
  reg [9:0] mask;
  wire [9:0] masked;
  wire some_after;
  wire [9:0] chosen;

  assign masked = request & mask;
  assign some_after = |masked;
  assign chosen = some_after ? masked & ~(masked - 10'h001) : request & ~(request - 10'h001);
  assign grant = chosen;

  always @(posedge clock) begin
    if (reset) begin
      mask <= 10'h000;
    end else begin
      if (advance & (|request)) begin
        mask <= some_after ? ~(masked ^ (masked - 10'h001)) : ~(request ^ (request - 10'h001));
      end
    end
  end
endmodule

`default_nettype wire
