// round_robin_arbiter_n5
//
// Round-robin arbiter: the requester after the last winner comes first.
//
// Parameters: n = 5
// Made by: warpmesh export default
// Configuration: default
`default_nettype none

module round_robin_arbiter_n5 (
    input wire clock,
    input wire reset,
    input wire [4:0] request, // Requests, set by set.
    input wire advance, // The grant is used: the priorities move.
    output wire [4:0] grant // The request that is granted, one-hot.
);
  reg [4:0] mask;
  wire [4:0] masked;
  wire some_after;
  wire [4:0] chosen;

  assign masked = request & mask;
  assign some_after = |masked;
  assign chosen = some_after ? masked & ~(masked - 5'h01) : request & ~(request - 5'h01);
  assign grant = chosen;

  always @(posedge clock) begin
    if (reset) begin
      mask <= 5'h00;
    end else begin
      if (advance & (|request)) begin
        mask <= some_after ? ~(masked ^ (masked - 5'h01)) : ~(request ^ (request - 5'h01));
      end
    end
  end
endmodule

`default_nettype wire
