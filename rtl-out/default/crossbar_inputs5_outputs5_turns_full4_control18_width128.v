// crossbar_inputs5_outputs5_turns_full4_control18_width128
//
// A multiplexer for each output, over the inputs that may send to it.
//
// Parameters: inputs = 5, outputs = 5, turns = full4, control = 18, width = 128
// Made by: warpmesh export default
// Configuration: default
`default_nettype none

module crossbar_inputs5_outputs5_turns_full4_control18_width128 (
`ifdef WARPMESH_ASSERT
    input wire reset,
    input wire clock,
`endif
    input wire [3:0] from0_select, // The output that the flit goes to, of those within reach, one-hot, or none.
    input wire [17:0] from0_control, // Control of the flit.
    input wire [127:0] from0_payload, // Its payload.
    input wire [3:0] from1_select, // The output that the flit goes to, of those within reach, one-hot, or none.
    input wire [17:0] from1_control, // Control of the flit.
    input wire [127:0] from1_payload, // Its payload.
    input wire [3:0] from2_select, // The output that the flit goes to, of those within reach, one-hot, or none.
    input wire [17:0] from2_control, // Control of the flit.
    input wire [127:0] from2_payload, // Its payload.
    input wire [3:0] from3_select, // The output that the flit goes to, of those within reach, one-hot, or none.
    input wire [17:0] from3_control, // Control of the flit.
    input wire [127:0] from3_payload, // Its payload.
    input wire [4:0] from4_select, // The output that the flit goes to, of those within reach, one-hot, or none.
    input wire [17:0] from4_control, // Control of the flit.
    input wire [127:0] from4_payload, // Its payload.
    output wire to0_valid, // There is a flit.
    output wire [17:0] to0_control, // Control of the flit.
    output wire [127:0] to0_payload, // Its payload.
    output wire to1_valid, // There is a flit.
    output wire [17:0] to1_control, // Control of the flit.
    output wire [127:0] to1_payload, // Its payload.
    output wire to2_valid, // There is a flit.
    output wire [17:0] to2_control, // Control of the flit.
    output wire [127:0] to2_payload, // Its payload.
    output wire to3_valid, // There is a flit.
    output wire [17:0] to3_control, // Control of the flit.
    output wire [127:0] to3_payload, // Its payload.
    output wire to4_valid, // There is a flit.
    output wire [17:0] to4_control, // Control of the flit.
    output wire [127:0] to4_payload // Its payload.
);
  wire [3:0] select0;
  wire [3:0] select1;
  wire [3:0] select2;
  wire [3:0] select3;
  wire [4:0] select4;

  assign select0 = {from4_select[0], from3_select[0], from2_select[0], from1_select[0]};
  assign to0_valid = |select0;
  assign to0_control = select0[0] ? from1_control : select0[1] ? from2_control : select0[2] ? from3_control :
      from4_control;
  assign to0_payload = select0[0] ? from1_payload : select0[1] ? from2_payload : select0[2] ? from3_payload :
      from4_payload;
  assign select1 = {from4_select[1], from3_select[1], from2_select[1], from0_select[0]};
  assign to1_valid = |select1;
  assign to1_control = select1[0] ? from0_control : select1[1] ? from2_control : select1[2] ? from3_control :
      from4_control;
  assign to1_payload = select1[0] ? from0_payload : select1[1] ? from2_payload : select1[2] ? from3_payload :
      from4_payload;
  assign select2 = {from4_select[2], from3_select[2], from1_select[1], from0_select[1]};
  assign to2_valid = |select2;
  assign to2_control = select2[0] ? from0_control : select2[1] ? from1_control : select2[2] ? from3_control :
      from4_control;
  assign to2_payload = select2[0] ? from0_payload : select2[1] ? from1_payload : select2[2] ? from3_payload :
      from4_payload;
  assign select3 = {from4_select[3], from2_select[2], from1_select[2], from0_select[2]};
  assign to3_valid = |select3;
  assign to3_control = select3[0] ? from0_control : select3[1] ? from1_control : select3[2] ? from2_control :
      from4_control;
  assign to3_payload = select3[0] ? from0_payload : select3[1] ? from1_payload : select3[2] ? from2_payload :
      from4_payload;
  assign select4 = {from4_select[4], from3_select[3], from2_select[3], from1_select[3], from0_select[3]};
  assign to4_valid = |select4;
  assign to4_control = select4[0] ? from0_control : select4[1] ? from1_control : select4[2] ? from2_control :
      select4[3] ? from3_control : from4_control;
  assign to4_payload = select4[0] ? from0_payload : select4[1] ? from1_payload : select4[2] ? from2_payload :
      select4[3] ? from3_payload : from4_payload;

`ifdef WARPMESH_ASSERT
  always @(posedge clock) begin
    if (!reset) begin
      if (!(!(|(select0 & (select0 - 4'h1))))) begin
        $display("%m: assertion failed: one flit an output");
        $stop;
      end
      if (!(!(|(select1 & (select1 - 4'h1))))) begin
        $display("%m: assertion failed: one flit an output");
        $stop;
      end
      if (!(!(|(select2 & (select2 - 4'h1))))) begin
        $display("%m: assertion failed: one flit an output");
        $stop;
      end
      if (!(!(|(select3 & (select3 - 4'h1))))) begin
        $display("%m: assertion failed: one flit an output");
        $stop;
      end
      if (!(!(|(select4 & (select4 - 5'h01))))) begin
        $display("%m: assertion failed: one flit an output");
        $stop;
      end
    end
  end
`endif
endmodule

`default_nettype wire
