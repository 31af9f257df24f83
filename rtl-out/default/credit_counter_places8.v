// credit_counter_places8
//
// Free places in the receiver's buffer, as its sender knows them.
//
// Parameters: places = 8
// Made by: warpmesh export default
// Configuration: default
`default_nettype none

module credit_counter_places8 (
    input wire clock,
    input wire reset,
    input wire send, // Takes a place.
    input wire credit, // A place is free again.
    output wire available, // At least one place is free.
    output wire [3:0] count // Free places.
);
  reg [3:0] free;
  reg some_free;

  // A register: switch allocation begins with it.
  assign available = some_free;
  assign count = free;

  always @(posedge clock) begin
    if (reset) begin
      free <= 4'h8;
      some_free <= 1'b1;
    end else begin
      if (send ^ credit) begin
        free <= send ? free - 4'h1 : free + 4'h1;
        some_free <= !send | (free != 4'h1);
      end
    end
  end

`ifdef WARPMESH_ASSERT
  always @(posedge clock) begin
    if (!reset) begin
      if (!(some_free == (|free))) begin
        $display("%m: assertion failed: what is available is counted");
        $stop;
      end
      if (!(!send | some_free)) begin
        $display("%m: assertion failed: nothing is sent without a credit");
        $stop;
      end
      if (!(!credit | send | (free != 4'h8))) begin
        $display("%m: assertion failed: no more credits than places");
        $stop;
      end
    end
  end
`endif
endmodule

`default_nettype wire
