// switch_allocator_inputs4_outputs4_turns_full3_79d054f2
//
// Matches inputs and outputs of the crossbar for the next cycle.
//
// Parameters: inputs = 4, outputs = 4, turns = full3, allocator.arbiter = round-robin, allocator.iterations = 1,
//   allocator.kind = islip
// Made by: warpmesh export default
// Configuration: default
`default_nettype none

module switch_allocator_inputs4_outputs4_turns_full3_79d054f2 (
    input wire clock,
    input wire reset,
    input wire [2:0] request0, // Outputs that an input asks for.
    input wire [2:0] request1, // Outputs that an input asks for.
    input wire [2:0] request2, // Outputs that an input asks for.
    input wire [3:0] request3, // Outputs that an input asks for.
    output wire [2:0] grant0, // The output that it is given, one-hot, or none.
    output wire [2:0] grant1, // The output that it is given, one-hot, or none.
    output wire [2:0] grant2, // The output that it is given, one-hot, or none.
    output wire [3:0] grant3, // The output that it is given, one-hot, or none.
    output wire [2:0] sender0, // The switch input that an output is given to, one-hot, or none.
    output wire [2:0] sender1, // The switch input that an output is given to, one-hot, or none.
    output wire [2:0] sender2, // The switch input that an output is given to, one-hot, or none.
    output wire [3:0] sender3 // The switch input that an output is given to, one-hot, or none.
);
  wire taken_output0;
  wire taken_output1;
  wire taken_output2;
  wire taken_output3;
  wire [2:0] output0_grant;
  wire [2:0] output1_grant;
  wire [2:0] output2_grant;
  wire [3:0] output3_grant;
  wire [2:0] input0_grant;
  wire [2:0] input1_grant;
  wire [2:0] input2_grant;
  wire [3:0] input3_grant;

  assign taken_output0 = |sender0;
  assign taken_output1 = |sender1;
  assign taken_output2 = |sender2;
  assign taken_output3 = |sender3;
  assign grant0 = input0_grant;
  assign grant1 = input1_grant;
  assign grant2 = input2_grant;
  assign grant3 = input3_grant;
  assign sender0 = {input3_grant[0], input2_grant[0], input1_grant[0]};
  assign sender1 = {input3_grant[1], input2_grant[1], input0_grant[0]};
  assign sender2 = {input3_grant[2], input1_grant[1], input0_grant[1]};
  assign sender3 = {input3_grant[3], input2_grant[2], input1_grant[2], input0_grant[2]};

  round_robin_arbiter_n3 output0 (
    .clock(clock),
    .reset(reset),
    .request({request3[0], request2[0], request1[0]}),
    .advance(taken_output0),
    .grant(output0_grant)
  );

  round_robin_arbiter_n3 output1 (
    .clock(clock),
    .reset(reset),
    .request({request3[1], request2[1], request0[0]}),
    .advance(taken_output1),
    .grant(output1_grant)
  );

  round_robin_arbiter_n3 output2 (
    .clock(clock),
    .reset(reset),
    .request({request3[2], request1[1], request0[1]}),
    .advance(taken_output2),
    .grant(output2_grant)
  );

  round_robin_arbiter_n4 output3 (
    .clock(clock),
    .reset(reset),
    .request({request3[3], request2[2], request1[2], request0[2]}),
    .advance(taken_output3),
    .grant(output3_grant)
  );

  round_robin_arbiter_n3 input0 (
    .clock(clock),
    .reset(reset),
    .request({output3_grant[0], output2_grant[0], output1_grant[0]}),
    .advance(1'b1),
    .grant(input0_grant)
  );

  round_robin_arbiter_n3 input1 (
    .clock(clock),
    .reset(reset),
    .request({output3_grant[1], output2_grant[1], output0_grant[0]}),
    .advance(1'b1),
    .grant(input1_grant)
  );

  round_robin_arbiter_n3 input2 (
    .clock(clock),
    .reset(reset),
    .request({output3_grant[2], output1_grant[1], output0_grant[1]}),
    .advance(1'b1),
    .grant(input2_grant)
  );

  round_robin_arbiter_n4 input3 (
    .clock(clock),
    .reset(reset),
    .request({output3_grant[3], output2_grant[2], output1_grant[2], output0_grant[2]}),
    .advance(1'b1),
    .grant(input3_grant)
  );

`ifdef WARPMESH_ASSERT
  always @(posedge clock) begin
    if (!reset) begin
      if (!(!(|(input0_grant & (input0_grant - 3'h1))))) begin
        $display("%m: assertion failed: an input gets at most one output");
        $stop;
      end
      if (!(!(|(input1_grant & (input1_grant - 3'h1))))) begin
        $display("%m: assertion failed: an input gets at most one output");
        $stop;
      end
      if (!(!(|(input2_grant & (input2_grant - 3'h1))))) begin
        $display("%m: assertion failed: an input gets at most one output");
        $stop;
      end
      if (!(!(|(input3_grant & (input3_grant - 4'h1))))) begin
        $display("%m: assertion failed: an input gets at most one output");
        $stop;
      end
      if (!(!(|(sender0 & (sender0 - 3'h1))))) begin
        $display("%m: assertion failed: an output gets at most one input");
        $stop;
      end
      if (!(!(|(sender1 & (sender1 - 3'h1))))) begin
        $display("%m: assertion failed: an output gets at most one input");
        $stop;
      end
      if (!(!(|(sender2 & (sender2 - 3'h1))))) begin
        $display("%m: assertion failed: an output gets at most one input");
        $stop;
      end
      if (!(!(|(sender3 & (sender3 - 4'h1))))) begin
        $display("%m: assertion failed: an output gets at most one input");
        $stop;
      end
    end
  end
`endif
endmodule

`default_nettype wire
