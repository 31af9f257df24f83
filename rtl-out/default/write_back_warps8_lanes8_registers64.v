// write_back_warps8_lanes8_registers64
//
// Chooses who writes the register file: lanes, global loads, shared loads.
//
// Parameters: warps = 8, lanes = 8, registers = 64
// Made by: warpmesh export default
// Configuration: default
`default_nettype none

module write_back_warps8_lanes8_registers64 (
    input wire clock,
    input wire reset,
    input wire lane_valid, // Results of the lanes, which cannot wait.
    input wire [2:0] lane_warp, // Results of the lanes, which cannot wait.
    input wire [5:0] lane_destination, // Results of the lanes, which cannot wait.
    input wire [1:0] lane_beat, // Results of the lanes, which cannot wait.
    input wire [7:0] lane_mask, // Lanes that are written.
    input wire [255:0] lane_data, // Results of the lanes, which cannot wait.
    input wire load_valid, // Words of others, in the order of their turn.
    input wire [2:0] load_warp, // Words of others, in the order of their turn.
    input wire [5:0] load_destination, // Words of others, in the order of their turn.
    input wire [1:0] load_beat, // Words of others, in the order of their turn.
    input wire [7:0] load_mask, // Lanes that are written.
    input wire [255:0] load_data, // Words of others, in the order of their turn.
    input wire shared_valid, // Words of others, in the order of their turn.
    input wire [2:0] shared_warp, // Words of others, in the order of their turn.
    input wire [5:0] shared_destination, // Words of others, in the order of their turn.
    input wire [1:0] shared_beat, // Words of others, in the order of their turn.
    input wire [7:0] shared_mask, // Lanes that are written.
    input wire [255:0] shared_data, // Words of others, in the order of their turn.
    output wire valid, // What is written.
    output wire [2:0] warp, // What is written.
    output wire [5:0] destination, // What is written.
    output wire [1:0] beat, // What is written.
    output wire [7:0] mask, // Lanes that are written.
    output wire [255:0] data, // What is written.
    output wire load_granted, // What were shown would be taken in this cycle, as nobody who comes first shows anything.
    output wire shared_granted, // What were shown would be taken in this cycle
    output wire hold_lanes // Nothing with a lane result is to issue.
);
  reg [3:0] waited;
  wire waits;

  assign valid = lane_valid | load_valid | shared_valid;
  assign warp = lane_valid ? lane_warp : load_valid ? load_warp : shared_warp;
  assign destination = lane_valid ? lane_destination : load_valid ? load_destination : shared_destination;
  assign beat = lane_valid ? lane_beat : load_valid ? load_beat : shared_beat;
  assign mask = lane_valid ? lane_mask : load_valid ? load_mask : shared_mask;
  assign data = lane_valid ? lane_data : load_valid ? load_data : shared_data;
  assign load_granted = !lane_valid;
  assign shared_granted = !lane_valid & !load_valid;
  assign waits = lane_valid & load_valid | shared_valid & (lane_valid | load_valid);
  assign hold_lanes = waited == 4'hc;

  always @(posedge clock) begin
    if (reset) begin
      waited <= 4'h0;
    end else begin
      if (!waits) begin
        waited <= 4'h0;
      end else if (waited < 4'hc) begin
        waited <= waited + 4'h1;
      end
    end
  end
endmodule

`default_nettype wire
