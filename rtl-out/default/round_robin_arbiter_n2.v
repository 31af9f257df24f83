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
    input wire [1:0] request,
    input wire advance,
    output wire [1:0] grant
);
  reg [1:0] mask;
  wire [1:0] masked;
  wire [1:0] chosen;

  assign masked = request & mask;
  wire [1:0] chosen_choice = (|masked) ? masked : request;
  assign chosen = chosen_choice & ~(chosen_choice - 2'h1);
  assign grant = chosen;

  always @(posedge clock) begin
    if (reset) begin
      mask <= 2'h0;
    end else begin
      if (advance & (|request)) begin
        mask <= ~(chosen ^ (chosen - 2'h1));
      end
    end
  end
endmodule

`default_nettype wire
