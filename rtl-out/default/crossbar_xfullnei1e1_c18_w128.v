// crossbar_xfullnei1e1_c18_w128
//
// A multiplexer for each output, over the inputs that may send to it.
//
// Parameters: x = fullnei1e1, control = 18, width = 128
// Made by: warpmesh export default
// Configuration: default
`default_nettype none

module crossbar_xfullnei1e1_c18_w128 (
`ifdef WARPMESH_ASSERT
    input wire reset,
    input wire clock,
`endif
    input wire [1:0] from_north_select,
    input wire [17:0] from_north_control,
    input wire [127:0] from_north_payload,
    input wire [1:0] from_east_select,
    input wire [17:0] from_east_control,
    input wire [127:0] from_east_payload,
    input wire [2:0] from_inject0_select,
    input wire [17:0] from_inject0_control,
    input wire [127:0] from_inject0_payload,
    output wire to_north_valid,
    output wire [17:0] to_north_control,
    output wire [127:0] to_north_payload,
    output wire to_east_valid,
    output wire [17:0] to_east_control,
    output wire [127:0] to_east_payload,
    output wire to_eject0_valid,
    output wire [17:0] to_eject0_control,
    output wire [127:0] to_eject0_payload
);
  wire [1:0] from_north;
  wire [1:0] from_east;
  wire [2:0] from_eject0;

  assign from_north = {from_inject0_select[0], from_east_select[0]};
  assign to_north_valid = |from_north;
  assign to_north_control = from_north[0] ? from_east_control : from_inject0_control;
  assign to_north_payload = from_north[0] ? from_east_payload : from_inject0_payload;
  assign from_east = {from_inject0_select[1], from_north_select[0]};
  assign to_east_valid = |from_east;
  assign to_east_control = from_east[0] ? from_north_control : from_inject0_control;
  assign to_east_payload = from_east[0] ? from_north_payload : from_inject0_payload;
  assign from_eject0 = {from_inject0_select[2], from_east_select[1], from_north_select[1]};
  assign to_eject0_valid = |from_eject0;
  assign to_eject0_control = from_eject0[0] ? from_north_control : from_eject0[1] ? from_east_control :
      from_inject0_control;
  assign to_eject0_payload = from_eject0[0] ? from_north_payload : from_eject0[1] ? from_east_payload :
      from_inject0_payload;

`ifdef WARPMESH_ASSERT
  always @(posedge clock) begin
    if (!reset) begin
      if (!(!(|(from_north & (from_north - 2'h1))))) begin
        $display("%m: assertion failed: one flit an output");
        $stop;
      end
      if (!(!(|(from_east & (from_east - 2'h1))))) begin
        $display("%m: assertion failed: one flit an output");
        $stop;
      end
      if (!(!(|(from_eject0 & (from_eject0 - 3'h1))))) begin
        $display("%m: assertion failed: one flit an output");
        $stop;
      end
    end
  end
`endif
endmodule

`default_nettype wire
