// crossbar_inputs3_outputs3_turns_full2_control18_width128
//
// A multiplexer for each output, over the inputs that may send to it.
//
// Parameters: inputs = 3, outputs = 3, turns = full2, control = 18, width = 128
// Made by: warpmesh export default
// Configuration: default
`default_nettype none

module crossbar_inputs3_outputs3_turns_full2_control18_width128 (
`ifdef WARPMESH_ASSERT
    input wire reset,
    input wire clock,
`endif
    input wire [1:0] from0_select, // The output that the flit goes to, of those within reach, one-hot, or none.
    input wire [17:0] from0_control, // Control of the flit.
    input wire [127:0] from0_payload, // Its payload.
    input wire [1:0] from1_select, // The output that the flit goes to, of those within reach, one-hot, or none.
    input wire [17:0] from1_control, // Control of the flit.
    input wire [127:0] from1_payload, // Its payload.
    input wire [2:0] from2_select, // The output that the flit goes to, of those within reach, one-hot, or none.
    input wire [17:0] from2_control, // Control of the flit.
    input wire [127:0] from2_payload, // Its payload.
    output wire to0_valid, // There is a flit.
    output wire [17:0] to0_control, // Control of the flit.
    output wire [127:0] to0_payload, // Its payload.
    output wire to1_valid, // There is a flit.
    output wire [17:0] to1_control, // Control of the flit.
    output wire [127:0] to1_payload, // Its payload.
    output wire to2_valid, // There is a flit.
    output wire [17:0] to2_control, // Control of the flit.
    output wire [127:0] to2_payload // Its payload.
);
  wire [1:0] select0;
  wire [1:0] select1;
  wire [2:0] select2;

  assign select0 = {from2_select[0], from1_select[0]};
  assign to0_valid = |select0;
  assign to0_control = select0[0] ? from1_control : from2_control;
  assign to0_payload = select0[0] ? from1_payload : from2_payload;
  assign select1 = {from2_select[1], from0_select[0]};
  assign to1_valid = |select1;
  assign to1_control = select1[0] ? from0_control : from2_control;
  assign to1_payload = select1[0] ? from0_payload : from2_payload;
  assign select2 = {from2_select[2], from1_select[1], from0_select[1]};
  assign to2_valid = |select2;
  assign to2_control = select2[0] ? from0_control : select2[1] ? from1_control : from2_control;
  assign to2_payload = select2[0] ? from0_payload : select2[1] ? from1_payload : from2_payload;

`ifdef WARPMESH_ASSERT
  always @(posedge clock) begin
    if (!reset) begin
      if (!(!(|(select0 & (select0 - 2'h1))))) begin
        $display("%m: assertion failed: one flit an output");
        $stop;
      end
      if (!(!(|(select1 & (select1 - 2'h1))))) begin
        $display("%m: assertion failed: one flit an output");
        $stop;
      end
      if (!(!(|(select2 & (select2 - 3'h1))))) begin
        $display("%m: assertion failed: one flit an output");
        $stop;
      end
    end
  end
`endif
endmodule

`default_nettype wire
