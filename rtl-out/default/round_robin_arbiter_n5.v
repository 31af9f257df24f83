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
    input wire [4:0] request,
    input wire advance,
    output wire [4:0] grant
);
  reg [4:0] mask;
  wire [4:0] masked;
  wire [4:0] chosen;

  assign masked = request & mask;
  wire [4:0] chosen_choice = (|masked) ? masked : request;
  assign chosen = chosen_choice & ~(chosen_choice - 5'h01);
  assign grant = chosen;

  always @(posedge clock) begin
    if (reset) begin
      mask <= 5'h00;
    end else begin
      if (advance & (|request)) begin
        mask <= ~(chosen ^ (chosen - 5'h01));
      end
    end
  end
endmodule

`default_nettype wire
