// round_robin_arbiter_n12
//
// Round-robin arbiter: the requester after the last winner comes first.
//
// Parameters: n = 12
// Made by: warpmesh export default
// Configuration: default
`default_nettype none

module round_robin_arbiter_n12 (
    input wire clock,
    input wire reset,
    input wire [11:0] request, // Requests, set by set.
    input wire advance, // The grant is used: the priorities move.
    output wire [11:0] grant // The request that is granted, one-hot.
);
  reg [11:0] mask;
  wire [11:0] masked;
  wire some_after;
  wire [11:0] chosen;

  assign masked = request & mask;
  assign some_after = |masked;
  assign chosen = some_after ? masked & ~(masked - 12'h001) : request & ~(request - 12'h001);
  assign grant = chosen;

  always @(posedge clock) begin
    if (reset) begin
      mask <= 12'h000;
    end else begin
      if (advance & (|request)) begin
        mask <= some_after ? ~(masked ^ (masked - 12'h001)) : ~(request ^ (request - 12'h001));
      end
    end
  end
endmodule

`default_nettype wire
