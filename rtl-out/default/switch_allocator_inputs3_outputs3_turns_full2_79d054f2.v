// switch_allocator_inputs3_outputs3_turns_full2_79d054f2
//
// Matches inputs and outputs of the crossbar for the next cycle.
//
// Parameters: inputs = 3, outputs = 3, turns = full2, allocator.arbiter = round-robin, allocator.iterations = 1,
//   allocator.kind = islip
// Made by: warpmesh export default
// Configuration: default
`default_nettype none

module switch_allocator_inputs3_outputs3_turns_full2_79d054f2 (
    input wire clock,
    input wire reset,
    input wire [1:0] request0, // Outputs that an input asks for.
    input wire [1:0] request1, // Outputs that an input asks for.
    input wire [2:0] request2, // Outputs that an input asks for.
    output wire [1:0] grant0, // The output that it is given, one-hot, or none.
    output wire [1:0] grant1, // The output that it is given, one-hot, or none.
    output wire [2:0] grant2, // The output that it is given, one-hot, or none.
    output wire [1:0] sender0, // The switch input that an output is given to, one-hot, or none.
    output wire [1:0] sender1, // The switch input that an output is given to, one-hot, or none.
    output wire [2:0] sender2 // The switch input that an output is given to, one-hot, or none.
);
  wire taken_output0;
  wire taken_output1;
  wire taken_output2;
  wire [1:0] output0_grant;
  wire [1:0] output1_grant;
  wire [2:0] output2_grant;
  wire [1:0] input0_grant;
  wire [1:0] input1_grant;
  wire [2:0] input2_grant;

  assign taken_output0 = |{input2_grant[0], input1_grant[0]};
  assign taken_output1 = |{input2_grant[1], input0_grant[0]};
  assign taken_output2 = |sender2;
  assign grant0 = input0_grant;
  assign grant1 = input1_grant;
  assign grant2 = input2_grant;
  assign sender0 = {input2_grant[0], input1_grant[0]};
  assign sender1 = {input2_grant[1], input0_grant[0]};
  assign sender2 = {input2_grant[2], input1_grant[1], input0_grant[1]};

  round_robin_arbiter_n2 output0 (
    .clock(clock),
    .reset(reset),
    .request({request2[0], request1[0]}),
    .advance(taken_output0),
    .grant(output0_grant)
  );

  round_robin_arbiter_n2 output1 (
    .clock(clock),
    .reset(reset),
    .request({request2[1], request0[0]}),
    .advance(taken_output1),
    .grant(output1_grant)
  );

  round_robin_arbiter_n3 output2 (
    .clock(clock),
    .reset(reset),
    .request({request2[2], request1[1], request0[1]}),
    .advance(taken_output2),
    .grant(output2_grant)
  );

  round_robin_arbiter_n2 input0 (
    .clock(clock),
    .reset(reset),
    .request({output2_grant[0], output1_grant[0]}),
    .advance(1'b1),
    .grant(input0_grant)
  );

  round_robin_arbiter_n2 input1 (
    .clock(clock),
    .reset(reset),
    .request({output2_grant[1], output0_grant[0]}),
    .advance(1'b1),
    .grant(input1_grant)
  );

  round_robin_arbiter_n3 input2 (
    .clock(clock),
    .reset(reset),
    .request({output2_grant[2], output1_grant[1], output0_grant[1]}),
    .advance(1'b1),
    .grant(input2_grant)
  );

`ifdef WARPMESH_ASSERT
  always @(posedge clock) begin
    if (!reset) begin
      if (!(!(|(input0_grant & (input0_grant - 2'h1))))) begin
        $display("%m: assertion failed: an input gets at most one output");
        $stop;
      end
      if (!(!(|(input1_grant & (input1_grant - 2'h1))))) begin
        $display("%m: assertion failed: an input gets at most one output");
        $stop;
      end
      if (!(!(|(input2_grant & (input2_grant - 3'h1))))) begin
        $display("%m: assertion failed: an input gets at most one output");
        $stop;
      end
      if (!(!(|({input2_grant[0], input1_grant[0]} & ({input2_grant[0], input1_grant[0]} - 2'h1))))) begin
        $display("%m: assertion failed: an output gets at most one input");
        $stop;
      end
      if (!(!(|({input2_grant[1], input0_grant[0]} & ({input2_grant[1], input0_grant[0]} - 2'h1))))) begin
        $display("%m: assertion failed: an output gets at most one input");
        $stop;
      end
      if (!(!(|(sender2 & (sender2 - 3'h1))))) begin
        $display("%m: assertion failed: an output gets at most one input");
        $stop;
      end
    end
  end
`endif
endmodule

`default_nettype wire
