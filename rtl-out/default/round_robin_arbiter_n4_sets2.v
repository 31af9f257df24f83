// round_robin_arbiter_n4_sets2
//
// Round-robin arbiter: the requester after the last winner comes first.
//
// Parameters: n = 4, sets = 2
// Made by: warpmesh export default
// Configuration: default
`default_nettype none

module round_robin_arbiter_n4_sets2 (
    input wire clock,
    input wire reset,
    input wire [7:0] request, // Requests, set by set.
    input wire [1:0] which, // Set whose request is granted, one-hot.
    input wire advance, // The grant is used: the priorities move.
    output wire [3:0] grant // The request that is granted, one-hot.
);
  reg [3:0] mask;
  wire [3:0] masked0;
  wire some_after0;
  wire [3:0] chosen0;
  wire [3:0] masked1;
  wire some_after1;
  wire [3:0] chosen1;

  assign masked0 = request[3:0] & mask;
  assign some_after0 = |masked0;
  assign chosen0 = some_after0 ? masked0 & ~(masked0 - 4'h1) : request[3:0] & ~(request[3:0] - 4'h1);
  assign masked1 = request[7:4] & mask;
  assign some_after1 = |masked1;
  assign chosen1 = some_after1 ? masked1 & ~(masked1 - 4'h1) : request[7:4] & ~(request[7:4] - 4'h1);
  assign grant = chosen0 & {4{which[0]}} | chosen1 & {4{which[1]}};

  wire [3:0] next_masked = (some_after1 ? ~(masked1 ^ (masked1 - 4'h1)) : ~(request[7:4] ^ (request[7:4] -
      4'h1))) & {4{which[1]}};
  always @(posedge clock) begin
    if (reset) begin
      mask <= 4'h0;
    end else begin
      if (advance & ((|request[3:0]) & which[0] | (|request[7:4]) & which[1])) begin
        mask <= (some_after0 ? ~(masked0 ^ (masked0 - 4'h1)) : ~(request[3:0] ^ (request[3:0] - 4'h1))) &
            {4{which[0]}} | next_masked;
      end
    end
  end

`ifdef WARPMESH_ASSERT
  always @(posedge clock) begin
    if (!reset) begin
      if (!(!(|(which & (which - 2'h1))))) begin
        $display("%m: assertion failed: at most one set is chosen");
        $stop;
      end
    end
  end
`endif
endmodule

`default_nettype wire
