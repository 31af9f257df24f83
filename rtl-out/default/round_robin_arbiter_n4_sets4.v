// round_robin_arbiter_n4_sets4
//
// Round-robin arbiter: the requester after the last winner comes first.
//
// Parameters: n = 4, sets = 4
// Made by: warpmesh export default
// Configuration: default
`default_nettype none

module round_robin_arbiter_n4_sets4 (
    input wire clock,
    input wire reset,
    input wire [15:0] request, // Requests, set by set.
    input wire [3:0] which, // Set whose request is granted, one-hot.
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
  wire [3:0] masked2;
  wire some_after2;
  wire [3:0] chosen2;
  wire [3:0] masked3;
  wire some_after3;
  wire [3:0] chosen3;

  assign masked0 = request[3:0] & mask;
  assign some_after0 = |masked0;
  assign chosen0 = some_after0 ? masked0 & ~(masked0 - 4'h1) : request[3:0] & ~(request[3:0] - 4'h1);
  assign masked1 = request[7:4] & mask;
  assign some_after1 = |masked1;
  assign chosen1 = some_after1 ? masked1 & ~(masked1 - 4'h1) : request[7:4] & ~(request[7:4] - 4'h1);
  assign masked2 = request[11:8] & mask;
  assign some_after2 = |masked2;
  assign chosen2 = some_after2 ? masked2 & ~(masked2 - 4'h1) : request[11:8] & ~(request[11:8] - 4'h1);
  assign masked3 = request[15:12] & mask;
  assign some_after3 = |masked3;
  assign chosen3 = some_after3 ? masked3 & ~(masked3 - 4'h1) : request[15:12] & ~(request[15:12] - 4'h1);
  wire [3:0] grant_merged = chosen2 & {4{which[2]}} | chosen3 & {4{which[3]}};
  assign grant = chosen0 & {4{which[0]}} | chosen1 & {4{which[1]}} | grant_merged;

  wire next_merged = (|request[11:8]) & which[2] | (|request[15:12]) & which[3];
  wire [3:0] next_masked = (some_after3 ? ~(masked3 ^ (masked3 - 4'h1)) : ~(request[15:12] ^ (request[15:12]
      - 4'h1))) & {4{which[3]}};
  wire [3:0] next_merged_2 = (some_after2 ? ~(masked2 ^ (masked2 - 4'h1)) : ~(request[11:8] ^ (request[11:8]
      - 4'h1))) & {4{which[2]}} | next_masked;
  wire [3:0] next_masked_2 = (some_after1 ? ~(masked1 ^ (masked1 - 4'h1)) : ~(request[7:4] ^ (request[7:4] -
      4'h1))) & {4{which[1]}};
  wire [3:0] next_merged_3 = (some_after0 ? ~(masked0 ^ (masked0 - 4'h1)) : ~(request[3:0] ^ (request[3:0] -
      4'h1))) & {4{which[0]}} | next_masked_2;
  always @(posedge clock) begin
    if (reset) begin
      mask <= 4'h0;
    end else begin
      if (advance & ((|request[3:0]) & which[0] | (|request[7:4]) & which[1] | next_merged)) begin
        mask <= next_merged_3 | next_merged_2;
      end
    end
  end

`ifdef WARPMESH_ASSERT
  always @(posedge clock) begin
    if (!reset) begin
      if (!(!(|(which & (which - 4'h1))))) begin
        $display("%m: assertion failed: at most one set is chosen");
        $stop;
      end
    end
  end
`endif
endmodule

`default_nettype wire
