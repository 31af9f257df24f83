// round_robin_arbiter_n6
//
// Round-robin arbiter: the requester after the last winner comes first.
//
// Parameters: n = 6
// Made by: warpmesh export default
// Configuration: default
`default_nettype none

module round_robin_arbiter_n6 (
    input wire clock,
    input wire reset,
    input wire [5:0] request, // Requests, set by set.
    input wire advance, // The grant is used: the priorities move.
    output wire [5:0] grant // The request that is granted, one-hot.
);
  reg [5:0] mask;
  wire [5:0] masked;
  wire some_after;
  wire [5:0] chosen;

  assign masked = request & mask;
  assign some_after = |masked;
  assign chosen = some_after ? masked & ~(masked - 6'h01) : request & ~(request - 6'h01);
  assign grant = chosen;

  always @(posedge clock) begin
    if (reset) begin
      mask <= 6'h00;
    end else begin
      if (advance & (|request)) begin
        mask <= some_after ? ~(masked ^ (masked - 6'h01)) : ~(request ^ (request - 6'h01));
      end
    end
  end
endmodule

`default_nettype wire
