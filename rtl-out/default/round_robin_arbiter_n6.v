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
    input wire [5:0] request,
    input wire advance,
    output wire [5:0] grant
);
  reg [5:0] mask;
  wire [5:0] masked;
  wire [5:0] chosen;

  assign masked = request & mask;
  wire [5:0] chosen_choice = (|masked) ? masked : request;
  assign chosen = chosen_choice & ~(chosen_choice - 6'h01);
  assign grant = chosen;

  always @(posedge clock) begin
    if (reset) begin
      mask <= 6'h00;
    end else begin
      if (advance & (|request)) begin
        mask <= ~(chosen ^ (chosen - 6'h01));
      end
    end
  end
endmodule

`default_nettype wire
