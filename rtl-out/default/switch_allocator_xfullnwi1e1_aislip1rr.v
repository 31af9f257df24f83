// switch_allocator_xfullnwi1e1_aislip1rr
//
// Matches inputs and outputs of the crossbar for the next cycle.
//
// Parameters: x = fullnwi1e1, allocator = islip1rr
// Made by: warpmesh export default
// Configuration: default
`default_nettype none

module switch_allocator_xfullnwi1e1_aislip1rr (
    input wire clock,
    input wire reset,
    input wire [1:0] request_north,
    input wire [1:0] request_west,
    input wire [2:0] request_inject0,
    output wire [1:0] grant_north,
    output wire [1:0] grant_west,
    output wire [2:0] grant_inject0,
    output wire [1:0] sender_north,
    output wire [1:0] sender_west,
    output wire [2:0] sender_eject0
);
  wire taken_output_north;
  wire taken_output_west;
  wire taken_output_eject0;
  wire [1:0] output_north_grant;
  wire [1:0] output_west_grant;
  wire [2:0] output_eject0_grant;
  wire [1:0] input_north_grant;
  wire [1:0] input_west_grant;
  wire [2:0] input_inject0_grant;

  assign taken_output_north = |{input_inject0_grant[0], input_west_grant[0]};
  assign taken_output_west = |{input_inject0_grant[1], input_north_grant[0]};
  assign taken_output_eject0 = |sender_eject0;
  assign grant_north = input_north_grant;
  assign grant_west = input_west_grant;
  assign grant_inject0 = input_inject0_grant;
  assign sender_north = {input_inject0_grant[0], input_west_grant[0]};
  assign sender_west = {input_inject0_grant[1], input_north_grant[0]};
  assign sender_eject0 = {input_inject0_grant[2], input_west_grant[1], input_north_grant[1]};

  round_robin_arbiter_n2 output_north (
    .clock(clock),
    .reset(reset),
    .request({request_inject0[0], request_west[0]}),
    .advance(taken_output_north),
    .grant(output_north_grant)
  );

  round_robin_arbiter_n2 output_west (
    .clock(clock),
    .reset(reset),
    .request({request_inject0[1], request_north[0]}),
    .advance(taken_output_west),
    .grant(output_west_grant)
  );

  round_robin_arbiter_n3 output_eject0 (
    .clock(clock),
    .reset(reset),
    .request({request_inject0[2], request_west[1], request_north[1]}),
    .advance(taken_output_eject0),
    .grant(output_eject0_grant)
  );

  round_robin_arbiter_n2 input_north (
    .clock(clock),
    .reset(reset),
    .request({output_eject0_grant[0], output_west_grant[0]}),
    .advance(1'b1),
    .grant(input_north_grant)
  );

  round_robin_arbiter_n2 input_west (
    .clock(clock),
    .reset(reset),
    .request({output_eject0_grant[1], output_north_grant[0]}),
    .advance(1'b1),
    .grant(input_west_grant)
  );

  round_robin_arbiter_n3 input_inject0 (
    .clock(clock),
    .reset(reset),
    .request({output_eject0_grant[2], output_west_grant[1], output_north_grant[1]}),
    .advance(1'b1),
    .grant(input_inject0_grant)
  );

`ifdef WARPMESH_ASSERT
  always @(posedge clock) begin
    if (!reset) begin
      if (!(!(|(input_north_grant & (input_north_grant - 2'h1))))) begin
        $display("%m: assertion failed: an input gets at most one output");
        $stop;
      end
      if (!(!(|(input_west_grant & (input_west_grant - 2'h1))))) begin
        $display("%m: assertion failed: an input gets at most one output");
        $stop;
      end
      if (!(!(|(input_inject0_grant & (input_inject0_grant - 3'h1))))) begin
        $display("%m: assertion failed: an input gets at most one output");
        $stop;
      end
      if (!(!(|({input_inject0_grant[0], input_west_grant[0]} & ({input_inject0_grant[0],
          input_west_grant[0]} - 2'h1))))) begin
        $display("%m: assertion failed: an output gets at most one input");
        $stop;
      end
      if (!(!(|({input_inject0_grant[1], input_north_grant[0]} & ({input_inject0_grant[1],
          input_north_grant[0]} - 2'h1))))) begin
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
