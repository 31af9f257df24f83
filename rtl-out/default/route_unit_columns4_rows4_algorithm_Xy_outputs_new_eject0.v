// route_unit_columns4_rows4_algorithm_Xy_outputs_new_eject0
//
// The output ports on the way to a destination.
//
// Parameters: columns = 4, rows = 4, algorithm = Xy, outputs = new eject0
// Made by: warpmesh export default
// Configuration: default
`default_nettype none

module route_unit_columns4_rows4_algorithm_Xy_outputs_new_eject0 (
    input wire [1:0] here_x, // This router's column.
    input wire [1:0] here_y, // This router's row.
    input wire [3:0] dest, // Destination node.
    output wire [3:0] route // Outputs on the way.
);
  wire x_less;
  wire x_equal;
  wire y_less;
  wire y_equal;

  assign x_less = dest[1:0] < here_x;
  assign x_equal = dest[1:0] == here_x;
  assign y_less = dest[3:2] < here_y;
  assign y_equal = dest[3:2] == here_y;
  assign route = {x_equal & y_equal, x_less, !(x_less | x_equal), x_equal & y_less};
endmodule

`default_nettype wire
