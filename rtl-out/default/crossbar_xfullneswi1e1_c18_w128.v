// crossbar_xfullneswi1e1_c18_w128
//
// A multiplexer for each output, over the inputs that may send to it.
//
// Parameters: x = fullneswi1e1, control = 18, width = 128
// Made by: warpmesh export default
// Configuration: default
`default_nettype none

module crossbar_xfullneswi1e1_c18_w128 (
`ifdef WARPMESH_ASSERT
    input wire reset,
    input wire clock,
`endif
    input wire [3:0] select_from_north,
    input wire [17:0] control_from_north,
    input wire [127:0] payload_from_north,
    input wire [3:0] select_from_east,
    input wire [17:0] control_from_east,
    input wire [127:0] payload_from_east,
    input wire [3:0] select_from_south,
    input wire [17:0] control_from_south,
    input wire [127:0] payload_from_south,
    input wire [3:0] select_from_west,
    input wire [17:0] control_from_west,
    input wire [127:0] payload_from_west,
    input wire [4:0] select_from_inject0,
    input wire [17:0] control_from_inject0,
    input wire [127:0] payload_from_inject0,
    output wire valid_to_north,
    output wire [17:0] control_to_north,
    output wire [127:0] payload_to_north,
    output wire valid_to_east,
    output wire [17:0] control_to_east,
    output wire [127:0] payload_to_east,
    output wire valid_to_south,
    output wire [17:0] control_to_south,
    output wire [127:0] payload_to_south,
    output wire valid_to_west,
    output wire [17:0] control_to_west,
    output wire [127:0] payload_to_west,
    output wire valid_to_eject0,
    output wire [17:0] control_to_eject0,
    output wire [127:0] payload_to_eject0
);
  wire [3:0] from_north;
  wire [3:0] from_east;
  wire [3:0] from_south;
  wire [3:0] from_west;
  wire [4:0] from_eject0;

  assign from_north = {select_from_inject0[0], select_from_west[0], select_from_south[0],
      select_from_east[0]};
  assign valid_to_north = |from_north;
  assign control_to_north = from_north[0] ? control_from_east : from_north[1] ? control_from_south :
      from_north[2] ? control_from_west : control_from_inject0;
  assign payload_to_north = from_north[0] ? payload_from_east : from_north[1] ? payload_from_south :
      from_north[2] ? payload_from_west : payload_from_inject0;
  assign from_east = {select_from_inject0[1], select_from_west[1], select_from_south[1],
      select_from_north[0]};
  assign valid_to_east = |from_east;
  assign control_to_east = from_east[0] ? control_from_north : from_east[1] ? control_from_south :
      from_east[2] ? control_from_west : control_from_inject0;
  assign payload_to_east = from_east[0] ? payload_from_north : from_east[1] ? payload_from_south :
      from_east[2] ? payload_from_west : payload_from_inject0;
  assign from_south = {select_from_inject0[2], select_from_west[2], select_from_east[1],
      select_from_north[1]};
  assign valid_to_south = |from_south;
  assign control_to_south = from_south[0] ? control_from_north : from_south[1] ? control_from_east :
      from_south[2] ? control_from_west : control_from_inject0;
  assign payload_to_south = from_south[0] ? payload_from_north : from_south[1] ? payload_from_east :
      from_south[2] ? payload_from_west : payload_from_inject0;
  assign from_west = {select_from_inject0[3], select_from_south[2], select_from_east[2],
      select_from_north[2]};
  assign valid_to_west = |from_west;
  assign control_to_west = from_west[0] ? control_from_north : from_west[1] ? control_from_east :
      from_west[2] ? control_from_south : control_from_inject0;
  assign payload_to_west = from_west[0] ? payload_from_north : from_west[1] ? payload_from_east :
      from_west[2] ? payload_from_south : payload_from_inject0;
  assign from_eject0 = {select_from_inject0[4], select_from_west[3], select_from_south[3],
      select_from_east[3], select_from_north[3]};
  assign valid_to_eject0 = |from_eject0;
  assign control_to_eject0 = from_eject0[0] ? control_from_north : from_eject0[1] ? control_from_east :
      from_eject0[2] ? control_from_south : from_eject0[3] ? control_from_west : control_from_inject0;
  assign payload_to_eject0 = from_eject0[0] ? payload_from_north : from_eject0[1] ? payload_from_east :
      from_eject0[2] ? payload_from_south : from_eject0[3] ? payload_from_west : payload_from_inject0;

`ifdef WARPMESH_ASSERT
  always @(posedge clock) begin
    if (!reset) begin
      if (!(!(|(from_north & (from_north - 4'h1))))) begin
        $display("%m: assertion failed: one flit an output");
        $stop;
      end
      if (!(!(|(from_east & (from_east - 4'h1))))) begin
        $display("%m: assertion failed: one flit an output");
        $stop;
      end
      if (!(!(|(from_south & (from_south - 4'h1))))) begin
        $display("%m: assertion failed: one flit an output");
        $stop;
      end
      if (!(!(|(from_west & (from_west - 4'h1))))) begin
        $display("%m: assertion failed: one flit an output");
        $stop;
      end
      if (!(!(|(from_eject0 & (from_eject0 - 5'h01))))) begin
        $display("%m: assertion failed: one flit an output");
        $stop;
      end
    end
  end
`endif
endmodule

`default_nettype wire
