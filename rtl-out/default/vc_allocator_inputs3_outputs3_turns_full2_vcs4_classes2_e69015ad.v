// vc_allocator_inputs3_outputs3_turns_full2_vcs4_classes2_e69015ad
//
// Matches waiting packets and free virtual channels of the outputs.
//
// Parameters: inputs = 3, outputs = 3, turns = full2, vcs = 4, classes = 2, sets.classes = 2, sets.vcs = 4,
//   allocator.arbiter = round-robin, allocator.iterations = 1, allocator.kind = islip, transition.classes = 1,
//   transition.pairs = 0
// Made by: warpmesh export default
// Configuration: default
`default_nettype none

module vc_allocator_inputs3_outputs3_turns_full2_vcs4_classes2_e69015ad (
    input wire clock,
    input wire reset,
    input wire [3:0] free0, // VCs of an output that no packet owns.
    input wire [3:0] free1, // VCs of an output that no packet owns.
    input wire [3:0] free2, // VCs of an output that no packet owns.
    input wire [7:0] request0, // By output: VCs of an input that ask for a VC there.
    input wire [7:0] request1, // By output: VCs of an input that ask for a VC there.
    input wire [11:0] request2, // By output: VCs of an input that ask for a VC there.
    output wire [15:0] grant0, // By VC of an input: the VC of an output that it is given.
    output wire [15:0] grant1, // By VC of an input: the VC of an output that it is given.
    output wire [23:0] grant2, // By VC of an input: the VC of an output that it is given.
    output wire [3:0] taken0, // VCs of an output that are given to packets.
    output wire [3:0] taken1, // VCs of an output that are given to packets.
    output wire [3:0] taken2 // VCs of an output that are given to packets.
);
  wire taken_output0_vc0;
  wire taken_output0_vc1;
  wire taken_output0_vc2;
  wire taken_output0_vc3;
  wire taken_output1_vc0;
  wire taken_output1_vc1;
  wire taken_output1_vc2;
  wire taken_output1_vc3;
  wire taken_output2_vc0;
  wire taken_output2_vc1;
  wire taken_output2_vc2;
  wire taken_output2_vc3;
  wire [3:0] output0_vc0_grant;
  wire [3:0] output0_vc1_grant;
  wire [3:0] output0_vc2_grant;
  wire [3:0] output0_vc3_grant;
  wire [3:0] output1_vc0_grant;
  wire [3:0] output1_vc1_grant;
  wire [3:0] output1_vc2_grant;
  wire [3:0] output1_vc3_grant;
  wire [5:0] output2_vc0_grant;
  wire [5:0] output2_vc1_grant;
  wire [5:0] output2_vc2_grant;
  wire [5:0] output2_vc3_grant;
  wire [3:0] input0_vc0_grant;
  wire [3:0] input0_vc1_grant;
  wire [3:0] input0_vc2_grant;
  wire [3:0] input0_vc3_grant;
  wire [3:0] input1_vc0_grant;
  wire [3:0] input1_vc1_grant;
  wire [3:0] input1_vc2_grant;
  wire [3:0] input1_vc3_grant;
  wire [5:0] input2_vc0_grant;
  wire [5:0] input2_vc1_grant;
  wire [5:0] input2_vc2_grant;
  wire [5:0] input2_vc3_grant;

  assign taken_output0_vc0 = |{input2_vc1_grant[0], input2_vc0_grant[0], input1_vc1_grant[0],
      input1_vc0_grant[0]};
  assign taken_output0_vc1 = |{input2_vc1_grant[1], input2_vc0_grant[1], input1_vc1_grant[1],
      input1_vc0_grant[1]};
  assign taken_output0_vc2 = |{input2_vc3_grant[0], input2_vc2_grant[0], input1_vc3_grant[0],
      input1_vc2_grant[0]};
  assign taken_output0_vc3 = |{input2_vc3_grant[1], input2_vc2_grant[1], input1_vc3_grant[1],
      input1_vc2_grant[1]};
  assign taken_output1_vc0 = |{input2_vc1_grant[2], input2_vc0_grant[2], input0_vc1_grant[0],
      input0_vc0_grant[0]};
  assign taken_output1_vc1 = |{input2_vc1_grant[3], input2_vc0_grant[3], input0_vc1_grant[1],
      input0_vc0_grant[1]};
  assign taken_output1_vc2 = |{input2_vc3_grant[2], input2_vc2_grant[2], input0_vc3_grant[0],
      input0_vc2_grant[0]};
  assign taken_output1_vc3 = |{input2_vc3_grant[3], input2_vc2_grant[3], input0_vc3_grant[1],
      input0_vc2_grant[1]};
  assign taken_output2_vc0 = |{input2_vc1_grant[4], input2_vc0_grant[4], input1_vc1_grant[2],
      input1_vc0_grant[2], input0_vc1_grant[2], input0_vc0_grant[2]};
  assign taken_output2_vc1 = |{input2_vc1_grant[5], input2_vc0_grant[5], input1_vc1_grant[3],
      input1_vc0_grant[3], input0_vc1_grant[3], input0_vc0_grant[3]};
  assign taken_output2_vc2 = |{input2_vc3_grant[4], input2_vc2_grant[4], input1_vc3_grant[2],
      input1_vc2_grant[2], input0_vc3_grant[2], input0_vc2_grant[2]};
  assign taken_output2_vc3 = |{input2_vc3_grant[5], input2_vc2_grant[5], input1_vc3_grant[3],
      input1_vc2_grant[3], input0_vc3_grant[3], input0_vc2_grant[3]};
  assign grant0 = {input0_vc3_grant, input0_vc2_grant, input0_vc1_grant, input0_vc0_grant};
  assign grant1 = {input1_vc3_grant, input1_vc2_grant, input1_vc1_grant, input1_vc0_grant};
  assign grant2 = {input2_vc3_grant, input2_vc2_grant, input2_vc1_grant, input2_vc0_grant};
  assign taken0 = {taken_output0_vc3, taken_output0_vc2, taken_output0_vc1, taken_output0_vc0};
  assign taken1 = {taken_output1_vc3, taken_output1_vc2, taken_output1_vc1, taken_output1_vc0};
  assign taken2 = {taken_output2_vc3, taken_output2_vc2, taken_output2_vc1, taken_output2_vc0};

  round_robin_arbiter_n4 output0_vc0 (
    .clock(clock),
    .reset(reset),
    .request({request2[1:0], request1[1:0]} & {4{free0[0]}}),
    .advance(taken_output0_vc0),
    .grant(output0_vc0_grant)
  );

  round_robin_arbiter_n4 output0_vc1 (
    .clock(clock),
    .reset(reset),
    .request({request2[1:0], request1[1:0]} & {4{free0[1]}}),
    .advance(taken_output0_vc1),
    .grant(output0_vc1_grant)
  );

  round_robin_arbiter_n4 output0_vc2 (
    .clock(clock),
    .reset(reset),
    .request({request2[3:2], request1[3:2]} & {4{free0[2]}}),
    .advance(taken_output0_vc2),
    .grant(output0_vc2_grant)
  );

  round_robin_arbiter_n4 output0_vc3 (
    .clock(clock),
    .reset(reset),
    .request({request2[3:2], request1[3:2]} & {4{free0[3]}}),
    .advance(taken_output0_vc3),
    .grant(output0_vc3_grant)
  );

  round_robin_arbiter_n4 output1_vc0 (
    .clock(clock),
    .reset(reset),
    .request({request2[5:4], request0[1:0]} & {4{free1[0]}}),
    .advance(taken_output1_vc0),
    .grant(output1_vc0_grant)
  );

  round_robin_arbiter_n4 output1_vc1 (
    .clock(clock),
    .reset(reset),
    .request({request2[5:4], request0[1:0]} & {4{free1[1]}}),
    .advance(taken_output1_vc1),
    .grant(output1_vc1_grant)
  );

  round_robin_arbiter_n4 output1_vc2 (
    .clock(clock),
    .reset(reset),
    .request({request2[7:6], request0[3:2]} & {4{free1[2]}}),
    .advance(taken_output1_vc2),
    .grant(output1_vc2_grant)
  );

  round_robin_arbiter_n4 output1_vc3 (
    .clock(clock),
    .reset(reset),
    .request({request2[7:6], request0[3:2]} & {4{free1[3]}}),
    .advance(taken_output1_vc3),
    .grant(output1_vc3_grant)
  );

  wire [5:0] output2_vc0_request_joined = {request2[9:8], request1[5:4], request0[5:4]};
  round_robin_arbiter_n6 output2_vc0 (
    .clock(clock),
    .reset(reset),
    .request(output2_vc0_request_joined & {6{free2[0]}}),
    .advance(taken_output2_vc0),
    .grant(output2_vc0_grant)
  );

  round_robin_arbiter_n6 output2_vc1 (
    .clock(clock),
    .reset(reset),
    .request(output2_vc0_request_joined & {6{free2[1]}}),
    .advance(taken_output2_vc1),
    .grant(output2_vc1_grant)
  );

  wire [5:0] output2_vc2_request_joined = {request2[11:10], request1[7:6], request0[7:6]};
  round_robin_arbiter_n6 output2_vc2 (
    .clock(clock),
    .reset(reset),
    .request(output2_vc2_request_joined & {6{free2[2]}}),
    .advance(taken_output2_vc2),
    .grant(output2_vc2_grant)
  );

  round_robin_arbiter_n6 output2_vc3 (
    .clock(clock),
    .reset(reset),
    .request(output2_vc2_request_joined & {6{free2[3]}}),
    .advance(taken_output2_vc3),
    .grant(output2_vc3_grant)
  );

  round_robin_arbiter_n4 input0_vc0 (
    .clock(clock),
    .reset(reset),
    .request({output2_vc1_grant[0], output2_vc0_grant[0], output1_vc1_grant[0], output1_vc0_grant[0]}),
    .advance(1'b1),
    .grant(input0_vc0_grant)
  );

  round_robin_arbiter_n4 input0_vc1 (
    .clock(clock),
    .reset(reset),
    .request({output2_vc1_grant[1], output2_vc0_grant[1], output1_vc1_grant[1], output1_vc0_grant[1]}),
    .advance(1'b1),
    .grant(input0_vc1_grant)
  );

  round_robin_arbiter_n4 input0_vc2 (
    .clock(clock),
    .reset(reset),
    .request({output2_vc3_grant[0], output2_vc2_grant[0], output1_vc3_grant[0], output1_vc2_grant[0]}),
    .advance(1'b1),
    .grant(input0_vc2_grant)
  );

  round_robin_arbiter_n4 input0_vc3 (
    .clock(clock),
    .reset(reset),
    .request({output2_vc3_grant[1], output2_vc2_grant[1], output1_vc3_grant[1], output1_vc2_grant[1]}),
    .advance(1'b1),
    .grant(input0_vc3_grant)
  );

  round_robin_arbiter_n4 input1_vc0 (
    .clock(clock),
    .reset(reset),
    .request({output2_vc1_grant[2], output2_vc0_grant[2], output0_vc1_grant[0], output0_vc0_grant[0]}),
    .advance(1'b1),
    .grant(input1_vc0_grant)
  );

  round_robin_arbiter_n4 input1_vc1 (
    .clock(clock),
    .reset(reset),
    .request({output2_vc1_grant[3], output2_vc0_grant[3], output0_vc1_grant[1], output0_vc0_grant[1]}),
    .advance(1'b1),
    .grant(input1_vc1_grant)
  );

  round_robin_arbiter_n4 input1_vc2 (
    .clock(clock),
    .reset(reset),
    .request({output2_vc3_grant[2], output2_vc2_grant[2], output0_vc3_grant[0], output0_vc2_grant[0]}),
    .advance(1'b1),
    .grant(input1_vc2_grant)
  );

  round_robin_arbiter_n4 input1_vc3 (
    .clock(clock),
    .reset(reset),
    .request({output2_vc3_grant[3], output2_vc2_grant[3], output0_vc3_grant[1], output0_vc2_grant[1]}),
    .advance(1'b1),
    .grant(input1_vc3_grant)
  );

  round_robin_arbiter_n6 input2_vc0 (
    .clock(clock),
    .reset(reset),
    .request({output2_vc1_grant[4], output2_vc0_grant[4], output1_vc1_grant[2], output1_vc0_grant[2],
        output0_vc1_grant[2], output0_vc0_grant[2]}),
    .advance(1'b1),
    .grant(input2_vc0_grant)
  );

  round_robin_arbiter_n6 input2_vc1 (
    .clock(clock),
    .reset(reset),
    .request({output2_vc1_grant[5], output2_vc0_grant[5], output1_vc1_grant[3], output1_vc0_grant[3],
        output0_vc1_grant[3], output0_vc0_grant[3]}),
    .advance(1'b1),
    .grant(input2_vc1_grant)
  );

  round_robin_arbiter_n6 input2_vc2 (
    .clock(clock),
    .reset(reset),
    .request({output2_vc3_grant[4], output2_vc2_grant[4], output1_vc3_grant[2], output1_vc2_grant[2],
        output0_vc3_grant[2], output0_vc2_grant[2]}),
    .advance(1'b1),
    .grant(input2_vc2_grant)
  );

  round_robin_arbiter_n6 input2_vc3 (
    .clock(clock),
    .reset(reset),
    .request({output2_vc3_grant[5], output2_vc2_grant[5], output1_vc3_grant[3], output1_vc2_grant[3],
        output0_vc3_grant[3], output0_vc2_grant[3]}),
    .advance(1'b1),
    .grant(input2_vc3_grant)
  );
endmodule

`default_nettype wire
