// switch_allocator_xfullesi1e1_aislip1rr
//
// Matches inputs and outputs of the crossbar for the next cycle.
//
// Parameters: x = fullesi1e1, allocator = islip1rr
// Made by: warpmesh export default
// Configuration: default
`default_nettype none

module switch_allocator_xfullesi1e1_aislip1rr (
    input wire clock,
    input wire reset,
    input wire [1:0] request_east,
    input wire [1:0] request_south,
    input wire [2:0] request_inject0,
    output wire [1:0] grant_east,
    output wire [1:0] grant_south,
    output wire [2:0] grant_inject0,
    output wire [1:0] sender_east,
    output wire [1:0] sender_south,
    output wire [2:0] sender_eject0
);
  wire taken_output_east;
  wire taken_output_south;
  wire taken_output_eject0;
  wire [1:0] output_east_grant;
  wire [1:0] output_south_grant;
  wire [2:0] output_eject0_grant;
  wire [1:0] input_east_grant;
  wire [1:0] input_south_grant;
  wire [2:0] input_inject0_grant;

  assign taken_output_east = |{input_inject0_grant[0], input_south_grant[0]};
  assign taken_output_south = |{input_inject0_grant[1], input_east_grant[0]};
  assign taken_output_eject0 = |sender_eject0;
  assign grant_east = input_east_grant;
  assign grant_south = input_south_grant;
  assign grant_inject0 = input_inject0_grant;
  assign sender_east = {input_inject0_grant[0], input_south_grant[0]};
  assign sender_south = {input_inject0_grant[1], input_east_grant[0]};
  assign sender_eject0 = {input_inject0_grant[2], input_south_grant[1], input_east_grant[1]};

  round_robin_arbiter_n2 output_east (
    .clock(clock),
    .reset(reset),
    .request({request_inject0[0], request_south[0]}),
    .advance(taken_output_east),
    .grant(output_east_grant)
  );

  round_robin_arbiter_n2 output_south (
    .clock(clock),
    .reset(reset),
    .request({request_inject0[1], request_east[0]}),
    .advance(taken_output_south),
    .grant(output_south_grant)
  );

  round_robin_arbiter_n3 output_eject0 (
    .clock(clock),
    .reset(reset),
    .request({request_inject0[2], request_south[1], request_east[1]}),
    .advance(taken_output_eject0),
    .grant(output_eject0_grant)
  );

  round_robin_arbiter_n2 input_east (
    .clock(clock),
    .reset(reset),
    .request({output_eject0_grant[0], output_south_grant[0]}),
    .advance(1'b1),
    .grant(input_east_grant)
  );

  round_robin_arbiter_n2 input_south (
    .clock(clock),
    .reset(reset),
    .request({output_eject0_grant[1], output_east_grant[0]}),
    .advance(1'b1),
    .grant(input_south_grant)
  );

  round_robin_arbiter_n3 input_inject0 (
    .clock(clock),
    .reset(reset),
    .request({output_eject0_grant[2], output_south_grant[1], output_east_grant[1]}),
    .advance(1'b1),
    .grant(input_inject0_grant)
  );

`ifdef WARPMESH_ASSERT
  always @(posedge clock) begin
    if (!reset) begin
      if (!(!(|(input_east_grant & (input_east_grant - 2'h1))))) begin
        $display("%m: assertion failed: an input gets at most one output");
        $stop;
      end
      if (!(!(|(input_south_grant & (input_south_grant - 2'h1))))) begin
        $display("%m: assertion failed: an input gets at most one output");
        $stop;
      end
      if (!(!(|(input_inject0_grant & (input_inject0_grant - 3'h1))))) begin
        $display("%m: assertion failed: an input gets at most one output");
        $stop;
      end
      if (!(!(|({input_inject0_grant[0], input_south_grant[0]} & ({input_inject0_grant[0],
          input_south_grant[0]} - 2'h1))))) begin
        $display("%m: assertion failed: an output gets at most one input");
        $stop;
      end
      if (!(!(|({input_inject0_grant[1], input_east_grant[0]} & ({input_inject0_grant[1],
          input_east_grant[0]} - 2'h1))))) begin
        $display("%m: assertion failed: an output gets at most one input");
        $stop;
      end
      if (!(!(|(sender_eject0 & (sender_eject0 - 3'h1))))) begin
        $display("%m: assertion failed: an output gets at most one input");
        $stop;
      end
    end
  end
`endif
endmodule

`default_nettype wire
