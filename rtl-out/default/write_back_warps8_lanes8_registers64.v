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
    input wire lane_valid,
    input wire [2:0] lane_warp,
    input wire [5:0] lane_destination,
    input wire [1:0] lane_beat,
    input wire [7:0] lane_mask,
    input wire [255:0] lane_data,
    input wire load_valid,
    input wire [2:0] load_warp,
    input wire [5:0] load_destination,
    input wire [1:0] load_beat,
    input wire [7:0] load_mask,
    input wire [255:0] load_data,
    input wire shared_valid,
    input wire [2:0] shared_warp,
    input wire [5:0] shared_destination,
    input wire [1:0] shared_beat,
    input wire [7:0] shared_mask,
    input wire [255:0] shared_data,
    output wire valid,
    output wire [2:0] warp,
    output wire [5:0] destination,
    output wire [1:0] beat,
    output wire [7:0] mask,
    output wire [255:0] data,
    output wire load_granted,
    output wire shared_granted,
    output wire hold_lanes
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
