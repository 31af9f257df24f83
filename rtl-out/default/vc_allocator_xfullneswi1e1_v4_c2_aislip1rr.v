// vc_allocator_xfullneswi1e1_v4_c2_aislip1rr
//
// Matches waiting packets and free virtual channels of the outputs.
//
// Parameters: x = fullneswi1e1, vcs = 4, classes = 2, allocator = islip1rr
// Made by: warpmesh export default
// Configuration: default
`default_nettype none

module vc_allocator_xfullneswi1e1_v4_c2_aislip1rr (
    input wire clock,
    input wire reset,
    input wire [3:0] free_north,
    input wire [3:0] free_east,
    input wire [3:0] free_south,
    input wire [3:0] free_west,
    input wire [3:0] free_eject0,
    input wire [15:0] request_north,
    input wire [15:0] request_east,
    input wire [15:0] request_south,
    input wire [15:0] request_west,
    input wire [19:0] request_inject0,
    output wire [31:0] grant_north,
    output wire [31:0] grant_east,
    output wire [31:0] grant_south,
    output wire [31:0] grant_west,
    output wire [39:0] grant_inject0,
    output wire [3:0] taken_north,
    output wire [3:0] taken_east,
    output wire [3:0] taken_south,
    output wire [3:0] taken_west,
    output wire [3:0] taken_eject0
);
  wire taken_output_north_vc0;
  wire taken_output_north_vc1;
  wire taken_output_north_vc2;
  wire taken_output_north_vc3;
  wire taken_output_east_vc0;
  wire taken_output_east_vc1;
  wire taken_output_east_vc2;
  wire taken_output_east_vc3;
  wire taken_output_south_vc0;
  wire taken_output_south_vc1;
  wire taken_output_south_vc2;
  wire taken_output_south_vc3;
  wire taken_output_west_vc0;
  wire taken_output_west_vc1;
  wire taken_output_west_vc2;
  wire taken_output_west_vc3;
  wire taken_output_eject0_vc0;
  wire taken_output_eject0_vc1;
  wire taken_output_eject0_vc2;
  wire taken_output_eject0_vc3;
  wire [7:0] output_north_vc0_grant;
  wire [7:0] output_north_vc1_grant;
  wire [7:0] output_north_vc2_grant;
  wire [7:0] output_north_vc3_grant;
  wire [7:0] output_east_vc0_grant;
  wire [7:0] output_east_vc1_grant;
  wire [7:0] output_east_vc2_grant;
  wire [7:0] output_east_vc3_grant;
  wire [7:0] output_south_vc0_grant;
  wire [7:0] output_south_vc1_grant;
  wire [7:0] output_south_vc2_grant;
  wire [7:0] output_south_vc3_grant;
  wire [7:0] output_west_vc0_grant;
  wire [7:0] output_west_vc1_grant;
  wire [7:0] output_west_vc2_grant;
  wire [7:0] output_west_vc3_grant;
  wire [9:0] output_eject0_vc0_grant;
  wire [9:0] output_eject0_vc1_grant;
  wire [9:0] output_eject0_vc2_grant;
  wire [9:0] output_eject0_vc3_grant;
  wire [7:0] input_north_vc0_grant;
  wire [7:0] input_north_vc1_grant;
  wire [7:0] input_north_vc2_grant;
  wire [7:0] input_north_vc3_grant;
  wire [7:0] input_east_vc0_grant;
  wire [7:0] input_east_vc1_grant;
  wire [7:0] input_east_vc2_grant;
  wire [7:0] input_east_vc3_grant;
  wire [7:0] input_south_vc0_grant;
  wire [7:0] input_south_vc1_grant;
  wire [7:0] input_south_vc2_grant;
  wire [7:0] input_south_vc3_grant;
  wire [7:0] input_west_vc0_grant;
  wire [7:0] input_west_vc1_grant;
  wire [7:0] input_west_vc2_grant;
  wire [7:0] input_west_vc3_grant;
  wire [9:0] input_inject0_vc0_grant;
  wire [9:0] input_inject0_vc1_grant;
  wire [9:0] input_inject0_vc2_grant;
  wire [9:0] input_inject0_vc3_grant;

  assign taken_output_north_vc0 = |{input_inject0_vc1_grant[0], input_inject0_vc0_grant[0],
      input_west_vc1_grant[0], input_west_vc0_grant[0], input_south_vc1_grant[0], input_south_vc0_grant[0],
      input_east_vc1_grant[0], input_east_vc0_grant[0]};
  assign taken_output_north_vc1 = |{input_inject0_vc1_grant[1], input_inject0_vc0_grant[1],
      input_west_vc1_grant[1], input_west_vc0_grant[1], input_south_vc1_grant[1], input_south_vc0_grant[1],
      input_east_vc1_grant[1], input_east_vc0_grant[1]};
  assign taken_output_north_vc2 = |{input_inject0_vc3_grant[0], input_inject0_vc2_grant[0],
      input_west_vc3_grant[0], input_west_vc2_grant[0], input_south_vc3_grant[0], input_south_vc2_grant[0],
      input_east_vc3_grant[0], input_east_vc2_grant[0]};
  assign taken_output_north_vc3 = |{input_inject0_vc3_grant[1], input_inject0_vc2_grant[1],
      input_west_vc3_grant[1], input_west_vc2_grant[1], input_south_vc3_grant[1], input_south_vc2_grant[1],
      input_east_vc3_grant[1], input_east_vc2_grant[1]};
  assign taken_output_east_vc0 = |{input_inject0_vc1_grant[2], input_inject0_vc0_grant[2],
      input_west_vc1_grant[2], input_west_vc0_grant[2], input_south_vc1_grant[2], input_south_vc0_grant[2],
      input_north_vc1_grant[0], input_north_vc0_grant[0]};
  assign taken_output_east_vc1 = |{input_inject0_vc1_grant[3], input_inject0_vc0_grant[3],
      input_west_vc1_grant[3], input_west_vc0_grant[3], input_south_vc1_grant[3], input_south_vc0_grant[3],
      input_north_vc1_grant[1], input_north_vc0_grant[1]};
  assign taken_output_east_vc2 = |{input_inject0_vc3_grant[2], input_inject0_vc2_grant[2],
      input_west_vc3_grant[2], input_west_vc2_grant[2], input_south_vc3_grant[2], input_south_vc2_grant[2],
      input_north_vc3_grant[0], input_north_vc2_grant[0]};
  assign taken_output_east_vc3 = |{input_inject0_vc3_grant[3], input_inject0_vc2_grant[3],
      input_west_vc3_grant[3], input_west_vc2_grant[3], input_south_vc3_grant[3], input_south_vc2_grant[3],
      input_north_vc3_grant[1], input_north_vc2_grant[1]};
  assign taken_output_south_vc0 = |{input_inject0_vc1_grant[4], input_inject0_vc0_grant[4],
      input_west_vc1_grant[4], input_west_vc0_grant[4], input_east_vc1_grant[2], input_east_vc0_grant[2],
      input_north_vc1_grant[2], input_north_vc0_grant[2]};
  assign taken_output_south_vc1 = |{input_inject0_vc1_grant[5], input_inject0_vc0_grant[5],
      input_west_vc1_grant[5], input_west_vc0_grant[5], input_east_vc1_grant[3], input_east_vc0_grant[3],
      input_north_vc1_grant[3], input_north_vc0_grant[3]};
  assign taken_output_south_vc2 = |{input_inject0_vc3_grant[4], input_inject0_vc2_grant[4],
      input_west_vc3_grant[4], input_west_vc2_grant[4], input_east_vc3_grant[2], input_east_vc2_grant[2],
      input_north_vc3_grant[2], input_north_vc2_grant[2]};
  assign taken_output_south_vc3 = |{input_inject0_vc3_grant[5], input_inject0_vc2_grant[5],
      input_west_vc3_grant[5], input_west_vc2_grant[5], input_east_vc3_grant[3], input_east_vc2_grant[3],
      input_north_vc3_grant[3], input_north_vc2_grant[3]};
  assign taken_output_west_vc0 = |{input_inject0_vc1_grant[6], input_inject0_vc0_grant[6],
      input_south_vc1_grant[4], input_south_vc0_grant[4], input_east_vc1_grant[4], input_east_vc0_grant[4],
      input_north_vc1_grant[4], input_north_vc0_grant[4]};
  assign taken_output_west_vc1 = |{input_inject0_vc1_grant[7], input_inject0_vc0_grant[7],
      input_south_vc1_grant[5], input_south_vc0_grant[5], input_east_vc1_grant[5], input_east_vc0_grant[5],
      input_north_vc1_grant[5], input_north_vc0_grant[5]};
  assign taken_output_west_vc2 = |{input_inject0_vc3_grant[6], input_inject0_vc2_grant[6],
      input_south_vc3_grant[4], input_south_vc2_grant[4], input_east_vc3_grant[4], input_east_vc2_grant[4],
      input_north_vc3_grant[4], input_north_vc2_grant[4]};
  assign taken_output_west_vc3 = |{input_inject0_vc3_grant[7], input_inject0_vc2_grant[7],
      input_south_vc3_grant[5], input_south_vc2_grant[5], input_east_vc3_grant[5], input_east_vc2_grant[5],
      input_north_vc3_grant[5], input_north_vc2_grant[5]};
  assign taken_output_eject0_vc0 = |{input_inject0_vc1_grant[8], input_inject0_vc0_grant[8],
      input_west_vc1_grant[6], input_west_vc0_grant[6], input_south_vc1_grant[6], input_south_vc0_grant[6],
      input_east_vc1_grant[6], input_east_vc0_grant[6], input_north_vc1_grant[6], input_north_vc0_grant[6]};
  assign taken_output_eject0_vc1 = |{input_inject0_vc1_grant[9], input_inject0_vc0_grant[9],
      input_west_vc1_grant[7], input_west_vc0_grant[7], input_south_vc1_grant[7], input_south_vc0_grant[7],
      input_east_vc1_grant[7], input_east_vc0_grant[7], input_north_vc1_grant[7], input_north_vc0_grant[7]};
  assign taken_output_eject0_vc2 = |{input_inject0_vc3_grant[8], input_inject0_vc2_grant[8],
      input_west_vc3_grant[6], input_west_vc2_grant[6], input_south_vc3_grant[6], input_south_vc2_grant[6],
      input_east_vc3_grant[6], input_east_vc2_grant[6], input_north_vc3_grant[6], input_north_vc2_grant[6]};
  assign taken_output_eject0_vc3 = |{input_inject0_vc3_grant[9], input_inject0_vc2_grant[9],
      input_west_vc3_grant[7], input_west_vc2_grant[7], input_south_vc3_grant[7], input_south_vc2_grant[7],
      input_east_vc3_grant[7], input_east_vc2_grant[7], input_north_vc3_grant[7], input_north_vc2_grant[7]};
  assign grant_north = {input_north_vc3_grant, input_north_vc2_grant, input_north_vc1_grant,
      input_north_vc0_grant};
  assign grant_east = {input_east_vc3_grant, input_east_vc2_grant, input_east_vc1_grant,
      input_east_vc0_grant};
  assign grant_south = {input_south_vc3_grant, input_south_vc2_grant, input_south_vc1_grant,
      input_south_vc0_grant};
  assign grant_west = {input_west_vc3_grant, input_west_vc2_grant, input_west_vc1_grant,
      input_west_vc0_grant};
  assign grant_inject0 = {input_inject0_vc3_grant, input_inject0_vc2_grant, input_inject0_vc1_grant,
      input_inject0_vc0_grant};
  assign taken_north = {taken_output_north_vc3, taken_output_north_vc2, taken_output_north_vc1,
      taken_output_north_vc0};
  assign taken_east = {taken_output_east_vc3, taken_output_east_vc2, taken_output_east_vc1,
      taken_output_east_vc0};
  assign taken_south = {taken_output_south_vc3, taken_output_south_vc2, taken_output_south_vc1,
      taken_output_south_vc0};
  assign taken_west = {taken_output_west_vc3, taken_output_west_vc2, taken_output_west_vc1,
      taken_output_west_vc0};
  assign taken_eject0 = {taken_output_eject0_vc3, taken_output_eject0_vc2, taken_output_eject0_vc1,
      taken_output_eject0_vc0};

  wire [7:0] output_north_vc0_request_joined = {request_inject0[1:0], request_west[1:0], request_south[1:0],
      request_east[1:0]};
  round_robin_arbiter_n8 output_north_vc0 (
    .clock(clock),
    .reset(reset),
    .request(output_north_vc0_request_joined & {8{free_north[0]}}),
    .advance(taken_output_north_vc0),
    .grant(output_north_vc0_grant)
  );

  round_robin_arbiter_n8 output_north_vc1 (
    .clock(clock),
    .reset(reset),
    .request(output_north_vc0_request_joined & {8{free_north[1]}}),
    .advance(taken_output_north_vc1),
    .grant(output_north_vc1_grant)
  );

  wire [7:0] output_north_vc2_request_joined = {request_inject0[3:2], request_west[3:2], request_south[3:2],
      request_east[3:2]};
  round_robin_arbiter_n8 output_north_vc2 (
    .clock(clock),
    .reset(reset),
    .request(output_north_vc2_request_joined & {8{free_north[2]}}),
    .advance(taken_output_north_vc2),
    .grant(output_north_vc2_grant)
  );

  round_robin_arbiter_n8 output_north_vc3 (
    .clock(clock),
    .reset(reset),
    .request(output_north_vc2_request_joined & {8{free_north[3]}}),
    .advance(taken_output_north_vc3),
    .grant(output_north_vc3_grant)
  );

  wire [7:0] output_east_vc0_request_joined = {request_inject0[5:4], request_west[5:4], request_south[5:4],
      request_north[1:0]};
  round_robin_arbiter_n8 output_east_vc0 (
    .clock(clock),
    .reset(reset),
    .request(output_east_vc0_request_joined & {8{free_east[0]}}),
    .advance(taken_output_east_vc0),
    .grant(output_east_vc0_grant)
  );

  round_robin_arbiter_n8 output_east_vc1 (
    .clock(clock),
    .reset(reset),
    .request(output_east_vc0_request_joined & {8{free_east[1]}}),
    .advance(taken_output_east_vc1),
    .grant(output_east_vc1_grant)
  );

  wire [7:0] output_east_vc2_request_joined = {request_inject0[7:6], request_west[7:6], request_south[7:6],
      request_north[3:2]};
  round_robin_arbiter_n8 output_east_vc2 (
    .clock(clock),
    .reset(reset),
    .request(output_east_vc2_request_joined & {8{free_east[2]}}),
    .advance(taken_output_east_vc2),
    .grant(output_east_vc2_grant)
  );

  round_robin_arbiter_n8 output_east_vc3 (
    .clock(clock),
    .reset(reset),
    .request(output_east_vc2_request_joined & {8{free_east[3]}}),
    .advance(taken_output_east_vc3),
    .grant(output_east_vc3_grant)
  );

  wire [7:0] output_south_vc0_request_joined = {request_inject0[9:8], request_west[9:8], request_east[5:4],
      request_north[5:4]};
  round_robin_arbiter_n8 output_south_vc0 (
    .clock(clock),
    .reset(reset),
    .request(output_south_vc0_request_joined & {8{free_south[0]}}),
    .advance(taken_output_south_vc0),
    .grant(output_south_vc0_grant)
  );

  round_robin_arbiter_n8 output_south_vc1 (
    .clock(clock),
    .reset(reset),
    .request(output_south_vc0_request_joined & {8{free_south[1]}}),
    .advance(taken_output_south_vc1),
    .grant(output_south_vc1_grant)
  );

  wire [7:0] output_south_vc2_request_joined = {request_inject0[11:10], request_west[11:10],
      request_east[7:6], request_north[7:6]};
  round_robin_arbiter_n8 output_south_vc2 (
    .clock(clock),
    .reset(reset),
    .request(output_south_vc2_request_joined & {8{free_south[2]}}),
    .advance(taken_output_south_vc2),
    .grant(output_south_vc2_grant)
  );

  round_robin_arbiter_n8 output_south_vc3 (
    .clock(clock),
    .reset(reset),
    .request(output_south_vc2_request_joined & {8{free_south[3]}}),
    .advance(taken_output_south_vc3),
    .grant(output_south_vc3_grant)
  );

  wire [7:0] output_west_vc0_request_joined = {request_inject0[13:12], request_south[9:8], request_east[9:8],
      request_north[9:8]};
  round_robin_arbiter_n8 output_west_vc0 (
    .clock(clock),
    .reset(reset),
    .request(output_west_vc0_request_joined & {8{free_west[0]}}),
    .advance(taken_output_west_vc0),
    .grant(output_west_vc0_grant)
  );

  round_robin_arbiter_n8 output_west_vc1 (
    .clock(clock),
    .reset(reset),
    .request(output_west_vc0_request_joined & {8{free_west[1]}}),
    .advance(taken_output_west_vc1),
    .grant(output_west_vc1_grant)
  );

  wire [7:0] output_west_vc2_request_joined = {request_inject0[15:14], request_south[11:10],
      request_east[11:10], request_north[11:10]};
  round_robin_arbiter_n8 output_west_vc2 (
    .clock(clock),
    .reset(reset),
    .request(output_west_vc2_request_joined & {8{free_west[2]}}),
    .advance(taken_output_west_vc2),
    .grant(output_west_vc2_grant)
  );

  round_robin_arbiter_n8 output_west_vc3 (
    .clock(clock),
    .reset(reset),
    .request(output_west_vc2_request_joined & {8{free_west[3]}}),
    .advance(taken_output_west_vc3),
    .grant(output_west_vc3_grant)
  );

  wire [9:0] output_eject0_vc0_request_joined = {request_inject0[17:16], request_west[13:12],
      request_south[13:12], request_east[13:12], request_north[13:12]};
  round_robin_arbiter_n10 output_eject0_vc0 (
    .clock(clock),
    .reset(reset),
    .request(output_eject0_vc0_request_joined & {10{free_eject0[0]}}),
    .advance(taken_output_eject0_vc0),
    .grant(output_eject0_vc0_grant)
  );

  round_robin_arbiter_n10 output_eject0_vc1 (
    .clock(clock),
    .reset(reset),
    .request(output_eject0_vc0_request_joined & {10{free_eject0[1]}}),
    .advance(taken_output_eject0_vc1),
    .grant(output_eject0_vc1_grant)
  );

  wire [9:0] output_eject0_vc2_request_joined = {request_inject0[19:18], request_west[15:14],
      request_south[15:14], request_east[15:14], request_north[15:14]};
  round_robin_arbiter_n10 output_eject0_vc2 (
    .clock(clock),
    .reset(reset),
    .request(output_eject0_vc2_request_joined & {10{free_eject0[2]}}),
    .advance(taken_output_eject0_vc2),
    .grant(output_eject0_vc2_grant)
  );

  round_robin_arbiter_n10 output_eject0_vc3 (
    .clock(clock),
    .reset(reset),
    .request(output_eject0_vc2_request_joined & {10{free_eject0[3]}}),
    .advance(taken_output_eject0_vc3),
    .grant(output_eject0_vc3_grant)
  );

  round_robin_arbiter_n8 input_north_vc0 (
    .clock(clock),
    .reset(reset),
    .request({output_eject0_vc1_grant[0], output_eject0_vc0_grant[0], output_west_vc1_grant[0],
        output_west_vc0_grant[0], output_south_vc1_grant[0], output_south_vc0_grant[0],
        output_east_vc1_grant[0], output_east_vc0_grant[0]}),
    .advance(1'b1),
    .grant(input_north_vc0_grant)
  );

  round_robin_arbiter_n8 input_north_vc1 (
    .clock(clock),
    .reset(reset),
    .request({output_eject0_vc1_grant[1], output_eject0_vc0_grant[1], output_west_vc1_grant[1],
        output_west_vc0_grant[1], output_south_vc1_grant[1], output_south_vc0_grant[1],
        output_east_vc1_grant[1], output_east_vc0_grant[1]}),
    .advance(1'b1),
    .grant(input_north_vc1_grant)
  );

  round_robin_arbiter_n8 input_north_vc2 (
    .clock(clock),
    .reset(reset),
    .request({output_eject0_vc3_grant[0], output_eject0_vc2_grant[0], output_west_vc3_grant[0],
        output_west_vc2_grant[0], output_south_vc3_grant[0], output_south_vc2_grant[0],
        output_east_vc3_grant[0], output_east_vc2_grant[0]}),
    .advance(1'b1),
    .grant(input_north_vc2_grant)
  );

  round_robin_arbiter_n8 input_north_vc3 (
    .clock(clock),
    .reset(reset),
    .request({output_eject0_vc3_grant[1], output_eject0_vc2_grant[1], output_west_vc3_grant[1],
        output_west_vc2_grant[1], output_south_vc3_grant[1], output_south_vc2_grant[1],
        output_east_vc3_grant[1], output_east_vc2_grant[1]}),
    .advance(1'b1),
    .grant(input_north_vc3_grant)
  );

  round_robin_arbiter_n8 input_east_vc0 (
    .clock(clock),
    .reset(reset),
    .request({output_eject0_vc1_grant[2], output_eject0_vc0_grant[2], output_west_vc1_grant[2],
        output_west_vc0_grant[2], output_south_vc1_grant[2], output_south_vc0_grant[2],
        output_north_vc1_grant[0], output_north_vc0_grant[0]}),
    .advance(1'b1),
    .grant(input_east_vc0_grant)
  );

  round_robin_arbiter_n8 input_east_vc1 (
    .clock(clock),
    .reset(reset),
    .request({output_eject0_vc1_grant[3], output_eject0_vc0_grant[3], output_west_vc1_grant[3],
        output_west_vc0_grant[3], output_south_vc1_grant[3], output_south_vc0_grant[3],
        output_north_vc1_grant[1], output_north_vc0_grant[1]}),
    .advance(1'b1),
    .grant(input_east_vc1_grant)
  );

  round_robin_arbiter_n8 input_east_vc2 (
    .clock(clock),
    .reset(reset),
    .request({output_eject0_vc3_grant[2], output_eject0_vc2_grant[2], output_west_vc3_grant[2],
        output_west_vc2_grant[2], output_south_vc3_grant[2], output_south_vc2_grant[2],
        output_north_vc3_grant[0], output_north_vc2_grant[0]}),
    .advance(1'b1),
    .grant(input_east_vc2_grant)
  );

  round_robin_arbiter_n8 input_east_vc3 (
    .clock(clock),
    .reset(reset),
    .request({output_eject0_vc3_grant[3], output_eject0_vc2_grant[3], output_west_vc3_grant[3],
        output_west_vc2_grant[3], output_south_vc3_grant[3], output_south_vc2_grant[3],
        output_north_vc3_grant[1], output_north_vc2_grant[1]}),
    .advance(1'b1),
    .grant(input_east_vc3_grant)
  );

  round_robin_arbiter_n8 input_south_vc0 (
    .clock(clock),
    .reset(reset),
    .request({output_eject0_vc1_grant[4], output_eject0_vc0_grant[4], output_west_vc1_grant[4],
        output_west_vc0_grant[4], output_east_vc1_grant[2], output_east_vc0_grant[2],
        output_north_vc1_grant[2], output_north_vc0_grant[2]}),
    .advance(1'b1),
    .grant(input_south_vc0_grant)
  );

  round_robin_arbiter_n8 input_south_vc1 (
    .clock(clock),
    .reset(reset),
    .request({output_eject0_vc1_grant[5], output_eject0_vc0_grant[5], output_west_vc1_grant[5],
        output_west_vc0_grant[5], output_east_vc1_grant[3], output_east_vc0_grant[3],
        output_north_vc1_grant[3], output_north_vc0_grant[3]}),
    .advance(1'b1),
    .grant(input_south_vc1_grant)
  );

  round_robin_arbiter_n8 input_south_vc2 (
    .clock(clock),
    .reset(reset),
    .request({output_eject0_vc3_grant[4], output_eject0_vc2_grant[4], output_west_vc3_grant[4],
        output_west_vc2_grant[4], output_east_vc3_grant[2], output_east_vc2_grant[2],
        output_north_vc3_grant[2], output_north_vc2_grant[2]}),
    .advance(1'b1),
    .grant(input_south_vc2_grant)
  );

  round_robin_arbiter_n8 input_south_vc3 (
    .clock(clock),
    .reset(reset),
    .request({output_eject0_vc3_grant[5], output_eject0_vc2_grant[5], output_west_vc3_grant[5],
        output_west_vc2_grant[5], output_east_vc3_grant[3], output_east_vc2_grant[3],
        output_north_vc3_grant[3], output_north_vc2_grant[3]}),
    .advance(1'b1),
    .grant(input_south_vc3_grant)
  );

  round_robin_arbiter_n8 input_west_vc0 (
    .clock(clock),
    .reset(reset),
    .request({output_eject0_vc1_grant[6], output_eject0_vc0_grant[6], output_south_vc1_grant[4],
        output_south_vc0_grant[4], output_east_vc1_grant[4], output_east_vc0_grant[4],
        output_north_vc1_grant[4], output_north_vc0_grant[4]}),
    .advance(1'b1),
    .grant(input_west_vc0_grant)
  );

  round_robin_arbiter_n8 input_west_vc1 (
    .clock(clock),
    .reset(reset),
    .request({output_eject0_vc1_grant[7], output_eject0_vc0_grant[7], output_south_vc1_grant[5],
        output_south_vc0_grant[5], output_east_vc1_grant[5], output_east_vc0_grant[5],
        output_north_vc1_grant[5], output_north_vc0_grant[5]}),
    .advance(1'b1),
    .grant(input_west_vc1_grant)
  );

  round_robin_arbiter_n8 input_west_vc2 (
    .clock(clock),
    .reset(reset),
    .request({output_eject0_vc3_grant[6], output_eject0_vc2_grant[6], output_south_vc3_grant[4],
        output_south_vc2_grant[4], output_east_vc3_grant[4], output_east_vc2_grant[4],
        output_north_vc3_grant[4], output_north_vc2_grant[4]}),
    .advance(1'b1),
    .grant(input_west_vc2_grant)
  );

  round_robin_arbiter_n8 input_west_vc3 (
    .clock(clock),
    .reset(reset),
    .request({output_eject0_vc3_grant[7], output_eject0_vc2_grant[7], output_south_vc3_grant[5],
        output_south_vc2_grant[5], output_east_vc3_grant[5], output_east_vc2_grant[5],
        output_north_vc3_grant[5], output_north_vc2_grant[5]}),
    .advance(1'b1),
    .grant(input_west_vc3_grant)
  );

  round_robin_arbiter_n10 input_inject0_vc0 (
    .clock(clock),
    .reset(reset),
    .request({output_eject0_vc1_grant[8], output_eject0_vc0_grant[8], output_west_vc1_grant[6],
        output_west_vc0_grant[6], output_south_vc1_grant[6], output_south_vc0_grant[6],
        output_east_vc1_grant[6], output_east_vc0_grant[6], output_north_vc1_grant[6],
        output_north_vc0_grant[6]}),
    .advance(1'b1),
    .grant(input_inject0_vc0_grant)
  );

  round_robin_arbiter_n10 input_inject0_vc1 (
    .clock(clock),
    .reset(reset),
    .request({output_eject0_vc1_grant[9], output_eject0_vc0_grant[9], output_west_vc1_grant[7],
        output_west_vc0_grant[7], output_south_vc1_grant[7], output_south_vc0_grant[7],
        output_east_vc1_grant[7], output_east_vc0_grant[7], output_north_vc1_grant[7],
        output_north_vc0_grant[7]}),
    .advance(1'b1),
    .grant(input_inject0_vc1_grant)
  );

  round_robin_arbiter_n10 input_inject0_vc2 (
    .clock(clock),
    .reset(reset),
    .request({output_eject0_vc3_grant[8], output_eject0_vc2_grant[8], output_west_vc3_grant[6],
        output_west_vc2_grant[6], output_south_vc3_grant[6], output_south_vc2_grant[6],
        output_east_vc3_grant[6], output_east_vc2_grant[6], output_north_vc3_grant[6],
        output_north_vc2_grant[6]}),
    .advance(1'b1),
    .grant(input_inject0_vc2_grant)
  );

  round_robin_arbiter_n10 input_inject0_vc3 (
    .clock(clock),
    .reset(reset),
    .request({output_eject0_vc3_grant[9], output_eject0_vc2_grant[9], output_west_vc3_grant[7],
        output_west_vc2_grant[7], output_south_vc3_grant[7], output_south_vc2_grant[7],
        output_east_vc3_grant[7], output_east_vc2_grant[7], output_north_vc3_grant[7],
        output_north_vc2_grant[7]}),
    .advance(1'b1),
    .grant(input_inject0_vc3_grant)
  );
endmodule

`default_nettype wire
