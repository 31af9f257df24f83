// vc_allocator_inputs5_outputs5_turns_full4_vcs4_classes2_e69015ad
//
// Matches waiting packets and free virtual channels of the outputs.
//
// Parameters: inputs = 5, outputs = 5, turns = full4, vcs = 4, classes = 2, sets.classes = 2, sets.vcs = 4,
//   allocator.arbiter = round-robin, allocator.iterations = 1, allocator.kind = islip, transition.classes = 1,
//   transition.pairs = 0
// Made by: warpmesh export default
// Configuration: default
`default_nettype none

module vc_allocator_inputs5_outputs5_turns_full4_vcs4_classes2_e69015ad (
    input wire clock,
    input wire reset,
    input wire [3:0] free0, // VCs of an output that no packet owns.
    input wire [3:0] free1, // VCs of an output that no packet owns.
    input wire [3:0] free2, // VCs of an output that no packet owns.
    input wire [3:0] free3, // VCs of an output that no packet owns.
    input wire [3:0] free4, // VCs of an output that no packet owns.
    input wire [15:0] request0, // By output: VCs of an input that ask for a VC there.
    input wire [15:0] request1, // By output: VCs of an input that ask for a VC there.
    input wire [15:0] request2, // By output: VCs of an input that ask for a VC there.
    input wire [15:0] request3, // By output: VCs of an input that ask for a VC there.
    input wire [19:0] request4, // By output: VCs of an input that ask for a VC there.
    output wire [31:0] grant0, // By VC of an input: the VC of an output that it is given.
    output wire [31:0] grant1, // By VC of an input: the VC of an output that it is given.
    output wire [31:0] grant2, // By VC of an input: the VC of an output that it is given.
    output wire [31:0] grant3, // By VC of an input: the VC of an output that it is given.
    output wire [39:0] grant4, // By VC of an input: the VC of an output that it is given.
    output wire [3:0] taken0, // VCs of an output that are given to packets.
    output wire [3:0] taken1, // VCs of an output that are given to packets.
    output wire [3:0] taken2, // VCs of an output that are given to packets.
    output wire [3:0] taken3, // VCs of an output that are given to packets.
    output wire [3:0] taken4 // VCs of an output that are given to packets.
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
  wire taken_output3_vc0;
  wire taken_output3_vc1;
  wire taken_output3_vc2;
  wire taken_output3_vc3;
  wire taken_output4_vc0;
  wire taken_output4_vc1;
  wire taken_output4_vc2;
  wire taken_output4_vc3;
  wire [7:0] output0_vc0_grant;
  wire [7:0] output0_vc1_grant;
  wire [7:0] output0_vc2_grant;
  wire [7:0] output0_vc3_grant;
  wire [7:0] output1_vc0_grant;
  wire [7:0] output1_vc1_grant;
  wire [7:0] output1_vc2_grant;
  wire [7:0] output1_vc3_grant;
  wire [7:0] output2_vc0_grant;
  wire [7:0] output2_vc1_grant;
  wire [7:0] output2_vc2_grant;
  wire [7:0] output2_vc3_grant;
  wire [7:0] output3_vc0_grant;
  wire [7:0] output3_vc1_grant;
  wire [7:0] output3_vc2_grant;
  wire [7:0] output3_vc3_grant;
  wire [9:0] output4_vc0_grant;
  wire [9:0] output4_vc1_grant;
  wire [9:0] output4_vc2_grant;
  wire [9:0] output4_vc3_grant;
  wire [7:0] input0_vc0_grant;
  wire [7:0] input0_vc1_grant;
  wire [7:0] input0_vc2_grant;
  wire [7:0] input0_vc3_grant;
  wire [7:0] input1_vc0_grant;
  wire [7:0] input1_vc1_grant;
  wire [7:0] input1_vc2_grant;
  wire [7:0] input1_vc3_grant;
  wire [7:0] input2_vc0_grant;
  wire [7:0] input2_vc1_grant;
  wire [7:0] input2_vc2_grant;
  wire [7:0] input2_vc3_grant;
  wire [7:0] input3_vc0_grant;
  wire [7:0] input3_vc1_grant;
  wire [7:0] input3_vc2_grant;
  wire [7:0] input3_vc3_grant;
  wire [9:0] input4_vc0_grant;
  wire [9:0] input4_vc1_grant;
  wire [9:0] input4_vc2_grant;
  wire [9:0] input4_vc3_grant;

  assign taken_output0_vc0 = |{input4_vc1_grant[0], input4_vc0_grant[0], input3_vc1_grant[0],
      input3_vc0_grant[0], input2_vc1_grant[0], input2_vc0_grant[0], input1_vc1_grant[0],
      input1_vc0_grant[0]};
  assign taken_output0_vc1 = |{input4_vc1_grant[1], input4_vc0_grant[1], input3_vc1_grant[1],
      input3_vc0_grant[1], input2_vc1_grant[1], input2_vc0_grant[1], input1_vc1_grant[1],
      input1_vc0_grant[1]};
  assign taken_output0_vc2 = |{input4_vc3_grant[0], input4_vc2_grant[0], input3_vc3_grant[0],
      input3_vc2_grant[0], input2_vc3_grant[0], input2_vc2_grant[0], input1_vc3_grant[0],
      input1_vc2_grant[0]};
  assign taken_output0_vc3 = |{input4_vc3_grant[1], input4_vc2_grant[1], input3_vc3_grant[1],
      input3_vc2_grant[1], input2_vc3_grant[1], input2_vc2_grant[1], input1_vc3_grant[1],
      input1_vc2_grant[1]};
  assign taken_output1_vc0 = |{input4_vc1_grant[2], input4_vc0_grant[2], input3_vc1_grant[2],
      input3_vc0_grant[2], input2_vc1_grant[2], input2_vc0_grant[2], input0_vc1_grant[0],
      input0_vc0_grant[0]};
  assign taken_output1_vc1 = |{input4_vc1_grant[3], input4_vc0_grant[3], input3_vc1_grant[3],
      input3_vc0_grant[3], input2_vc1_grant[3], input2_vc0_grant[3], input0_vc1_grant[1],
      input0_vc0_grant[1]};
  assign taken_output1_vc2 = |{input4_vc3_grant[2], input4_vc2_grant[2], input3_vc3_grant[2],
      input3_vc2_grant[2], input2_vc3_grant[2], input2_vc2_grant[2], input0_vc3_grant[0],
      input0_vc2_grant[0]};
  assign taken_output1_vc3 = |{input4_vc3_grant[3], input4_vc2_grant[3], input3_vc3_grant[3],
      input3_vc2_grant[3], input2_vc3_grant[3], input2_vc2_grant[3], input0_vc3_grant[1],
      input0_vc2_grant[1]};
  assign taken_output2_vc0 = |{input4_vc1_grant[4], input4_vc0_grant[4], input3_vc1_grant[4],
      input3_vc0_grant[4], input1_vc1_grant[2], input1_vc0_grant[2], input0_vc1_grant[2],
      input0_vc0_grant[2]};
  assign taken_output2_vc1 = |{input4_vc1_grant[5], input4_vc0_grant[5], input3_vc1_grant[5],
      input3_vc0_grant[5], input1_vc1_grant[3], input1_vc0_grant[3], input0_vc1_grant[3],
      input0_vc0_grant[3]};
  assign taken_output2_vc2 = |{input4_vc3_grant[4], input4_vc2_grant[4], input3_vc3_grant[4],
      input3_vc2_grant[4], input1_vc3_grant[2], input1_vc2_grant[2], input0_vc3_grant[2],
      input0_vc2_grant[2]};
  assign taken_output2_vc3 = |{input4_vc3_grant[5], input4_vc2_grant[5], input3_vc3_grant[5],
      input3_vc2_grant[5], input1_vc3_grant[3], input1_vc2_grant[3], input0_vc3_grant[3],
      input0_vc2_grant[3]};
  assign taken_output3_vc0 = |{input4_vc1_grant[6], input4_vc0_grant[6], input2_vc1_grant[4],
      input2_vc0_grant[4], input1_vc1_grant[4], input1_vc0_grant[4], input0_vc1_grant[4],
      input0_vc0_grant[4]};
  assign taken_output3_vc1 = |{input4_vc1_grant[7], input4_vc0_grant[7], input2_vc1_grant[5],
      input2_vc0_grant[5], input1_vc1_grant[5], input1_vc0_grant[5], input0_vc1_grant[5],
      input0_vc0_grant[5]};
  assign taken_output3_vc2 = |{input4_vc3_grant[6], input4_vc2_grant[6], input2_vc3_grant[4],
      input2_vc2_grant[4], input1_vc3_grant[4], input1_vc2_grant[4], input0_vc3_grant[4],
      input0_vc2_grant[4]};
  assign taken_output3_vc3 = |{input4_vc3_grant[7], input4_vc2_grant[7], input2_vc3_grant[5],
      input2_vc2_grant[5], input1_vc3_grant[5], input1_vc2_grant[5], input0_vc3_grant[5],
      input0_vc2_grant[5]};
  assign taken_output4_vc0 = |{input4_vc1_grant[8], input4_vc0_grant[8], input3_vc1_grant[6],
      input3_vc0_grant[6], input2_vc1_grant[6], input2_vc0_grant[6], input1_vc1_grant[6],
      input1_vc0_grant[6], input0_vc1_grant[6], input0_vc0_grant[6]};
  assign taken_output4_vc1 = |{input4_vc1_grant[9], input4_vc0_grant[9], input3_vc1_grant[7],
      input3_vc0_grant[7], input2_vc1_grant[7], input2_vc0_grant[7], input1_vc1_grant[7],
      input1_vc0_grant[7], input0_vc1_grant[7], input0_vc0_grant[7]};
  assign taken_output4_vc2 = |{input4_vc3_grant[8], input4_vc2_grant[8], input3_vc3_grant[6],
      input3_vc2_grant[6], input2_vc3_grant[6], input2_vc2_grant[6], input1_vc3_grant[6],
      input1_vc2_grant[6], input0_vc3_grant[6], input0_vc2_grant[6]};
  assign taken_output4_vc3 = |{input4_vc3_grant[9], input4_vc2_grant[9], input3_vc3_grant[7],
      input3_vc2_grant[7], input2_vc3_grant[7], input2_vc2_grant[7], input1_vc3_grant[7],
      input1_vc2_grant[7], input0_vc3_grant[7], input0_vc2_grant[7]};
  assign grant0 = {input0_vc3_grant, input0_vc2_grant, input0_vc1_grant, input0_vc0_grant};
  assign grant1 = {input1_vc3_grant, input1_vc2_grant, input1_vc1_grant, input1_vc0_grant};
  assign grant2 = {input2_vc3_grant, input2_vc2_grant, input2_vc1_grant, input2_vc0_grant};
  assign grant3 = {input3_vc3_grant, input3_vc2_grant, input3_vc1_grant, input3_vc0_grant};
  assign grant4 = {input4_vc3_grant, input4_vc2_grant, input4_vc1_grant, input4_vc0_grant};
  assign taken0 = {taken_output0_vc3, taken_output0_vc2, taken_output0_vc1, taken_output0_vc0};
  assign taken1 = {taken_output1_vc3, taken_output1_vc2, taken_output1_vc1, taken_output1_vc0};
  assign taken2 = {taken_output2_vc3, taken_output2_vc2, taken_output2_vc1, taken_output2_vc0};
  assign taken3 = {taken_output3_vc3, taken_output3_vc2, taken_output3_vc1, taken_output3_vc0};
  assign taken4 = {taken_output4_vc3, taken_output4_vc2, taken_output4_vc1, taken_output4_vc0};

  wire [7:0] output0_vc0_request_joined = {request4[1:0], request3[1:0], request2[1:0], request1[1:0]};
  round_robin_arbiter_n8 output0_vc0 (
    .clock(clock),
    .reset(reset),
    .request(output0_vc0_request_joined & {8{free0[0]}}),
    .advance(taken_output0_vc0),
    .grant(output0_vc0_grant)
  );

  round_robin_arbiter_n8 output0_vc1 (
    .clock(clock),
    .reset(reset),
    .request(output0_vc0_request_joined & {8{free0[1]}}),
    .advance(taken_output0_vc1),
    .grant(output0_vc1_grant)
  );

  wire [7:0] output0_vc2_request_joined = {request4[3:2], request3[3:2], request2[3:2], request1[3:2]};
  round_robin_arbiter_n8 output0_vc2 (
    .clock(clock),
    .reset(reset),
    .request(output0_vc2_request_joined & {8{free0[2]}}),
    .advance(taken_output0_vc2),
    .grant(output0_vc2_grant)
  );

  round_robin_arbiter_n8 output0_vc3 (
    .clock(clock),
    .reset(reset),
    .request(output0_vc2_request_joined & {8{free0[3]}}),
    .advance(taken_output0_vc3),
    .grant(output0_vc3_grant)
  );

  wire [7:0] output1_vc0_request_joined = {request4[5:4], request3[5:4], request2[5:4], request0[1:0]};
  round_robin_arbiter_n8 output1_vc0 (
    .clock(clock),
    .reset(reset),
    .request(output1_vc0_request_joined & {8{free1[0]}}),
    .advance(taken_output1_vc0),
    .grant(output1_vc0_grant)
  );

  round_robin_arbiter_n8 output1_vc1 (
    .clock(clock),
    .reset(reset),
    .request(output1_vc0_request_joined & {8{free1[1]}}),
    .advance(taken_output1_vc1),
    .grant(output1_vc1_grant)
  );

  wire [7:0] output1_vc2_request_joined = {request4[7:6], request3[7:6], request2[7:6], request0[3:2]};
  round_robin_arbiter_n8 output1_vc2 (
    .clock(clock),
    .reset(reset),
    .request(output1_vc2_request_joined & {8{free1[2]}}),
    .advance(taken_output1_vc2),
    .grant(output1_vc2_grant)
  );

  round_robin_arbiter_n8 output1_vc3 (
    .clock(clock),
    .reset(reset),
    .request(output1_vc2_request_joined & {8{free1[3]}}),
    .advance(taken_output1_vc3),
    .grant(output1_vc3_grant)
  );

  wire [7:0] output2_vc0_request_joined = {request4[9:8], request3[9:8], request1[5:4], request0[5:4]};
  round_robin_arbiter_n8 output2_vc0 (
    .clock(clock),
    .reset(reset),
    .request(output2_vc0_request_joined & {8{free2[0]}}),
    .advance(taken_output2_vc0),
    .grant(output2_vc0_grant)
  );

  round_robin_arbiter_n8 output2_vc1 (
    .clock(clock),
    .reset(reset),
    .request(output2_vc0_request_joined & {8{free2[1]}}),
    .advance(taken_output2_vc1),
    .grant(output2_vc1_grant)
  );

  wire [7:0] output2_vc2_request_joined = {request4[11:10], request3[11:10], request1[7:6], request0[7:6]};
  round_robin_arbiter_n8 output2_vc2 (
    .clock(clock),
    .reset(reset),
    .request(output2_vc2_request_joined & {8{free2[2]}}),
    .advance(taken_output2_vc2),
    .grant(output2_vc2_grant)
  );

  round_robin_arbiter_n8 output2_vc3 (
    .clock(clock),
    .reset(reset),
    .request(output2_vc2_request_joined & {8{free2[3]}}),
    .advance(taken_output2_vc3),
    .grant(output2_vc3_grant)
  );

  wire [7:0] output3_vc0_request_joined = {request4[13:12], request2[9:8], request1[9:8], request0[9:8]};
  round_robin_arbiter_n8 output3_vc0 (
    .clock(clock),
    .reset(reset),
    .request(output3_vc0_request_joined & {8{free3[0]}}),
    .advance(taken_output3_vc0),
    .grant(output3_vc0_grant)
  );

  round_robin_arbiter_n8 output3_vc1 (
    .clock(clock),
    .reset(reset),
    .request(output3_vc0_request_joined & {8{free3[1]}}),
    .advance(taken_output3_vc1),
    .grant(output3_vc1_grant)
  );

  wire [7:0] output3_vc2_request_joined = {request4[15:14], request2[11:10], request1[11:10],
      request0[11:10]};
  round_robin_arbiter_n8 output3_vc2 (
    .clock(clock),
    .reset(reset),
    .request(output3_vc2_request_joined & {8{free3[2]}}),
    .advance(taken_output3_vc2),
    .grant(output3_vc2_grant)
  );

  round_robin_arbiter_n8 output3_vc3 (
    .clock(clock),
    .reset(reset),
    .request(output3_vc2_request_joined & {8{free3[3]}}),
    .advance(taken_output3_vc3),
    .grant(output3_vc3_grant)
  );

  wire [9:0] output4_vc0_request_joined = {request4[17:16], request3[13:12], request2[13:12],
      request1[13:12], request0[13:12]};
  round_robin_arbiter_n10 output4_vc0 (
    .clock(clock),
    .reset(reset),
    .request(output4_vc0_request_joined & {10{free4[0]}}),
    .advance(taken_output4_vc0),
    .grant(output4_vc0_grant)
  );

  round_robin_arbiter_n10 output4_vc1 (
    .clock(clock),
    .reset(reset),
    .request(output4_vc0_request_joined & {10{free4[1]}}),
    .advance(taken_output4_vc1),
    .grant(output4_vc1_grant)
  );

  wire [9:0] output4_vc2_request_joined = {request4[19:18], request3[15:14], request2[15:14],
      request1[15:14], request0[15:14]};
  round_robin_arbiter_n10 output4_vc2 (
    .clock(clock),
    .reset(reset),
    .request(output4_vc2_request_joined & {10{free4[2]}}),
    .advance(taken_output4_vc2),
    .grant(output4_vc2_grant)
  );

  round_robin_arbiter_n10 output4_vc3 (
    .clock(clock),
    .reset(reset),
    .request(output4_vc2_request_joined & {10{free4[3]}}),
    .advance(taken_output4_vc3),
    .grant(output4_vc3_grant)
  );

  round_robin_arbiter_n8 input0_vc0 (
    .clock(clock),
    .reset(reset),
    .request({output4_vc1_grant[0], output4_vc0_grant[0], output3_vc1_grant[0], output3_vc0_grant[0],
        output2_vc1_grant[0], output2_vc0_grant[0], output1_vc1_grant[0], output1_vc0_grant[0]}),
    .advance(1'b1),
    .grant(input0_vc0_grant)
  );

  round_robin_arbiter_n8 input0_vc1 (
    .clock(clock),
    .reset(reset),
    .request({output4_vc1_grant[1], output4_vc0_grant[1], output3_vc1_grant[1], output3_vc0_grant[1],
        output2_vc1_grant[1], output2_vc0_grant[1], output1_vc1_grant[1], output1_vc0_grant[1]}),
    .advance(1'b1),
    .grant(input0_vc1_grant)
  );

  round_robin_arbiter_n8 input0_vc2 (
    .clock(clock),
    .reset(reset),
    .request({output4_vc3_grant[0], output4_vc2_grant[0], output3_vc3_grant[0], output3_vc2_grant[0],
        output2_vc3_grant[0], output2_vc2_grant[0], output1_vc3_grant[0], output1_vc2_grant[0]}),
    .advance(1'b1),
    .grant(input0_vc2_grant)
  );

  round_robin_arbiter_n8 input0_vc3 (
    .clock(clock),
    .reset(reset),
    .request({output4_vc3_grant[1], output4_vc2_grant[1], output3_vc3_grant[1], output3_vc2_grant[1],
        output2_vc3_grant[1], output2_vc2_grant[1], output1_vc3_grant[1], output1_vc2_grant[1]}),
    .advance(1'b1),
    .grant(input0_vc3_grant)
  );

  round_robin_arbiter_n8 input1_vc0 (
    .clock(clock),
    .reset(reset),
    .request({output4_vc1_grant[2], output4_vc0_grant[2], output3_vc1_grant[2], output3_vc0_grant[2],
        output2_vc1_grant[2], output2_vc0_grant[2], output0_vc1_grant[0], output0_vc0_grant[0]}),
    .advance(1'b1),
    .grant(input1_vc0_grant)
  );

  round_robin_arbiter_n8 input1_vc1 (
    .clock(clock),
    .reset(reset),
    .request({output4_vc1_grant[3], output4_vc0_grant[3], output3_vc1_grant[3], output3_vc0_grant[3],
        output2_vc1_grant[3], output2_vc0_grant[3], output0_vc1_grant[1], output0_vc0_grant[1]}),
    .advance(1'b1),
    .grant(input1_vc1_grant)
  );

  round_robin_arbiter_n8 input1_vc2 (
    .clock(clock),
    .reset(reset),
    .request({output4_vc3_grant[2], output4_vc2_grant[2], output3_vc3_grant[2], output3_vc2_grant[2],
        output2_vc3_grant[2], output2_vc2_grant[2], output0_vc3_grant[0], output0_vc2_grant[0]}),
    .advance(1'b1),
    .grant(input1_vc2_grant)
  );

  round_robin_arbiter_n8 input1_vc3 (
    .clock(clock),
    .reset(reset),
    .request({output4_vc3_grant[3], output4_vc2_grant[3], output3_vc3_grant[3], output3_vc2_grant[3],
        output2_vc3_grant[3], output2_vc2_grant[3], output0_vc3_grant[1], output0_vc2_grant[1]}),
    .advance(1'b1),
    .grant(input1_vc3_grant)
  );

  round_robin_arbiter_n8 input2_vc0 (
    .clock(clock),
    .reset(reset),
    .request({output4_vc1_grant[4], output4_vc0_grant[4], output3_vc1_grant[4], output3_vc0_grant[4],
        output1_vc1_grant[2], output1_vc0_grant[2], output0_vc1_grant[2], output0_vc0_grant[2]}),
    .advance(1'b1),
    .grant(input2_vc0_grant)
  );

  round_robin_arbiter_n8 input2_vc1 (
    .clock(clock),
    .reset(reset),
    .request({output4_vc1_grant[5], output4_vc0_grant[5], output3_vc1_grant[5], output3_vc0_grant[5],
        output1_vc1_grant[3], output1_vc0_grant[3], output0_vc1_grant[3], output0_vc0_grant[3]}),
    .advance(1'b1),
    .grant(input2_vc1_grant)
  );

  round_robin_arbiter_n8 input2_vc2 (
    .clock(clock),
    .reset(reset),
    .request({output4_vc3_grant[4], output4_vc2_grant[4], output3_vc3_grant[4], output3_vc2_grant[4],
        output1_vc3_grant[2], output1_vc2_grant[2], output0_vc3_grant[2], output0_vc2_grant[2]}),
    .advance(1'b1),
    .grant(input2_vc2_grant)
  );

  round_robin_arbiter_n8 input2_vc3 (
    .clock(clock),
    .reset(reset),
    .request({output4_vc3_grant[5], output4_vc2_grant[5], output3_vc3_grant[5], output3_vc2_grant[5],
        output1_vc3_grant[3], output1_vc2_grant[3], output0_vc3_grant[3], output0_vc2_grant[3]}),
    .advance(1'b1),
    .grant(input2_vc3_grant)
  );

  round_robin_arbiter_n8 input3_vc0 (
    .clock(clock),
    .reset(reset),
    .request({output4_vc1_grant[6], output4_vc0_grant[6], output2_vc1_grant[4], output2_vc0_grant[4],
        output1_vc1_grant[4], output1_vc0_grant[4], output0_vc1_grant[4], output0_vc0_grant[4]}),
    .advance(1'b1),
    .grant(input3_vc0_grant)
  );

  round_robin_arbiter_n8 input3_vc1 (
    .clock(clock),
    .reset(reset),
    .request({output4_vc1_grant[7], output4_vc0_grant[7], output2_vc1_grant[5], output2_vc0_grant[5],
        output1_vc1_grant[5], output1_vc0_grant[5], output0_vc1_grant[5], output0_vc0_grant[5]}),
    .advance(1'b1),
    .grant(input3_vc1_grant)
  );

  round_robin_arbiter_n8 input3_vc2 (
    .clock(clock),
    .reset(reset),
    .request({output4_vc3_grant[6], output4_vc2_grant[6], output2_vc3_grant[4], output2_vc2_grant[4],
        output1_vc3_grant[4], output1_vc2_grant[4], output0_vc3_grant[4], output0_vc2_grant[4]}),
    .advance(1'b1),
    .grant(input3_vc2_grant)
  );

  round_robin_arbiter_n8 input3_vc3 (
    .clock(clock),
    .reset(reset),
    .request({output4_vc3_grant[7], output4_vc2_grant[7], output2_vc3_grant[5], output2_vc2_grant[5],
        output1_vc3_grant[5], output1_vc2_grant[5], output0_vc3_grant[5], output0_vc2_grant[5]}),
    .advance(1'b1),
    .grant(input3_vc3_grant)
  );

  round_robin_arbiter_n10 input4_vc0 (
    .clock(clock),
    .reset(reset),
    .request({output4_vc1_grant[8], output4_vc0_grant[8], output3_vc1_grant[6], output3_vc0_grant[6],
        output2_vc1_grant[6], output2_vc0_grant[6], output1_vc1_grant[6], output1_vc0_grant[6],
        output0_vc1_grant[6], output0_vc0_grant[6]}),
    .advance(1'b1),
    .grant(input4_vc0_grant)
  );

  round_robin_arbiter_n10 input4_vc1 (
    .clock(clock),
    .reset(reset),
    .request({output4_vc1_grant[9], output4_vc0_grant[9], output3_vc1_grant[7], output3_vc0_grant[7],
        output2_vc1_grant[7], output2_vc0_grant[7], output1_vc1_grant[7], output1_vc0_grant[7],
        output0_vc1_grant[7], output0_vc0_grant[7]}),
    .advance(1'b1),
    .grant(input4_vc1_grant)
  );

  round_robin_arbiter_n10 input4_vc2 (
    .clock(clock),
    .reset(reset),
    .request({output4_vc3_grant[8], output4_vc2_grant[8], output3_vc3_grant[6], output3_vc2_grant[6],
        output2_vc3_grant[6], output2_vc2_grant[6], output1_vc3_grant[6], output1_vc2_grant[6],
        output0_vc3_grant[6], output0_vc2_grant[6]}),
    .advance(1'b1),
    .grant(input4_vc2_grant)
  );

  round_robin_arbiter_n10 input4_vc3 (
    .clock(clock),
    .reset(reset),
    .request({output4_vc3_grant[9], output4_vc2_grant[9], output3_vc3_grant[7], output3_vc2_grant[7],
        output2_vc3_grant[7], output2_vc2_grant[7], output1_vc3_grant[7], output1_vc2_grant[7],
        output0_vc3_grant[7], output0_vc2_grant[7]}),
    .advance(1'b1),
    .grant(input4_vc3_grant)
  );
endmodule

`default_nettype wire
