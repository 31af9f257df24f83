// execute_warps8_lanes8_registers64
//
// The lanes and the pipeline in and behind them.
//
// Parameters: warps = 8, lanes = 8, registers = 64
// Made by: warpmesh export default
// Configuration: default
`default_nettype none

module execute_warps8_lanes8_registers64 (
    input wire clock,
    input wire reset,
    input wire x_valid, // The beat at the lanes.
    input wire [2:0] x_warp, // The beat at the lanes.
    input wire [1:0] x_beat, // The beat at the lanes.
    input wire [7:0] x_active, // Lanes whose thread executes and whose guard holds.
    /* verilator lint_off UNUSED */ // bits 42:0, 89:57 are not read
    input wire [101:0] x_control, // Controls as a word.
    /* verilator lint_on UNUSED */
    input wire [255:0] a, // Its operands.
    input wire [255:0] b, // Its operands.
    input wire [255:0] c, // Its operands.
    input wire [7:0] p, // Its operands.
    input wire [7:0] q, // Its operands.
    output wire [255:0] address, // Sum of operands a and b of each lane.
    output wire result_valid, // Words for the registers.
    output wire [2:0] result_warp, // Words for the registers.
    output wire [5:0] result_destination, // Words for the registers.
    output wire [1:0] result_beat, // Words for the registers.
    output wire [7:0] result_mask, // Lanes that are written.
    output wire [255:0] result_data, // Words for the registers.
    output wire result_done_valid, // A register has its result.
    output wire [2:0] result_done_warp, // A register has its result.
    output wire [5:0] result_done_destination, // A register has its result.
    output wire predicate_valid, // Predicates.
    output wire [2:0] predicate_warp, // Predicates.
    output wire [2:0] predicate_number, // Predicates.
    output wire [1:0] predicate_beat, // Predicates.
    output wire [7:0] predicate_mask, // Lanes that are written.
    output wire [7:0] predicate_bits, // Predicates.
    output wire predicate_released_done, // A predicate has its result, of the warp of predicate.
    output wire [2:0] predicate_released_number // A predicate has its result, of the warp of predicate.
);
  reg valid1;
  reg valid2;
  reg valid3;
  reg valid4;
  reg [7:0] opcode1;
  reg [7:0] opcode2;
  reg [7:0] opcode3;
  wire [31:0] lane0_result;
  wire lane0_predicate;
  wire [31:0] lane0_address;
  wire [31:0] lane1_result;
  wire lane1_predicate;
  wire [31:0] lane1_address;
  wire [31:0] lane2_result;
  wire lane2_predicate;
  wire [31:0] lane2_address;
  wire [31:0] lane3_result;
  wire lane3_predicate;
  wire [31:0] lane3_address;
  wire [31:0] lane4_result;
  wire lane4_predicate;
  wire [31:0] lane4_address;
  wire [31:0] lane5_result;
  wire lane5_predicate;
  wire [31:0] lane5_address;
  wire [31:0] lane6_result;
  wire lane6_predicate;
  wire [31:0] lane6_address;
  wire [31:0] lane7_result;
  wire lane7_predicate;
  wire [31:0] lane7_address;
  reg [31:0] travelling1;
  reg [31:0] travelling2;
  reg [31:0] travelling3;
  reg [31:0] travelling4;
  wire [255:0] data;
  reg [255:0] result4;
  wire writes_now;
  wire writes_predicate_now;

  assign address = {lane7_address, lane6_address, lane5_address, lane4_address, lane3_address, lane2_address,
      lane1_address, lane0_address};
  assign data = {lane7_result, lane6_result, lane5_result, lane4_result, lane3_result, lane2_result,
      lane1_result, lane0_result};
  wire travelling4_writes = travelling4[31];
  assign writes_now = valid4 & travelling4_writes;
  wire travelling4_writes_predicate = travelling4[30];
  assign writes_predicate_now = valid4 & travelling4_writes_predicate;
  assign result_valid = writes_now;
  assign result_warp = travelling4[29:27];
  assign result_destination = travelling4[26:21];
  assign result_beat = travelling4[17:16];
  assign result_mask = travelling4[15:8];
  assign result_data = result4;
  assign result_done_valid = writes_now & !(|result_beat);
  assign result_done_warp = result_warp;
  assign result_done_destination = result_destination;
  assign predicate_valid = writes_predicate_now;
  assign predicate_warp = result_warp;
  assign predicate_number = travelling4[20:18];
  assign predicate_beat = result_beat;
  assign predicate_mask = result_mask;
  assign predicate_bits = travelling4[7:0];
  assign predicate_released_done = writes_predicate_now & (result_beat == 2'h3);
  assign predicate_released_number = predicate_number;

  wire [7:0] x_control_opcode = x_control[101:94];
  wire [3:0] x_control_code = x_control[93:90];
  wire [2:0] x_control_negate = x_control[45:43];
  wire [2:0] lane0_valid_joined = {valid2, valid1, x_valid};
  wire [23:0] lane0_later_joined = {opcode3, opcode2, opcode1};
  lane_registers3 lane0 (
    .clock(clock),
    .opcode(x_control_opcode),
    .code(x_control_code),
    .negate(x_control_negate),
    .a(a[31:0]),
    .b(b[31:0]),
    .c(c[31:0]),
    .p(p[0]),
    .q(q[0]),
    .valid(lane0_valid_joined),
    .later(lane0_later_joined),
    .result(lane0_result),
    .predicate(lane0_predicate),
    .address(lane0_address)
  );

  lane_registers3 lane1 (
    .clock(clock),
    .opcode(x_control_opcode),
    .code(x_control_code),
    .negate(x_control_negate),
    .a(a[63:32]),
    .b(b[63:32]),
    .c(c[63:32]),
    .p(p[1]),
    .q(q[1]),
    .valid(lane0_valid_joined),
    .later(lane0_later_joined),
    .result(lane1_result),
    .predicate(lane1_predicate),
    .address(lane1_address)
  );

  lane_registers3 lane2 (
    .clock(clock),
    .opcode(x_control_opcode),
    .code(x_control_code),
    .negate(x_control_negate),
    .a(a[95:64]),
    .b(b[95:64]),
    .c(c[95:64]),
    .p(p[2]),
    .q(q[2]),
    .valid(lane0_valid_joined),
    .later(lane0_later_joined),
    .result(lane2_result),
    .predicate(lane2_predicate),
    .address(lane2_address)
  );

  lane_registers3 lane3 (
    .clock(clock),
    .opcode(x_control_opcode),
    .code(x_control_code),
    .negate(x_control_negate),
    .a(a[127:96]),
    .b(b[127:96]),
    .c(c[127:96]),
    .p(p[3]),
    .q(q[3]),
    .valid(lane0_valid_joined),
    .later(lane0_later_joined),
    .result(lane3_result),
    .predicate(lane3_predicate),
    .address(lane3_address)
  );

  lane_registers3 lane4 (
    .clock(clock),
    .opcode(x_control_opcode),
    .code(x_control_code),
    .negate(x_control_negate),
    .a(a[159:128]),
    .b(b[159:128]),
    .c(c[159:128]),
    .p(p[4]),
    .q(q[4]),
    .valid(lane0_valid_joined),
    .later(lane0_later_joined),
    .result(lane4_result),
    .predicate(lane4_predicate),
    .address(lane4_address)
  );

  lane_registers3 lane5 (
    .clock(clock),
    .opcode(x_control_opcode),
    .code(x_control_code),
    .negate(x_control_negate),
    .a(a[191:160]),
    .b(b[191:160]),
    .c(c[191:160]),
    .p(p[5]),
    .q(q[5]),
    .valid(lane0_valid_joined),
    .later(lane0_later_joined),
    .result(lane5_result),
    .predicate(lane5_predicate),
    .address(lane5_address)
  );

  lane_registers3 lane6 (
    .clock(clock),
    .opcode(x_control_opcode),
    .code(x_control_code),
    .negate(x_control_negate),
    .a(a[223:192]),
    .b(b[223:192]),
    .c(c[223:192]),
    .p(p[6]),
    .q(q[6]),
    .valid(lane0_valid_joined),
    .later(lane0_later_joined),
    .result(lane6_result),
    .predicate(lane6_predicate),
    .address(lane6_address)
  );

  lane_registers3 lane7 (
    .clock(clock),
    .opcode(x_control_opcode),
    .code(x_control_code),
    .negate(x_control_negate),
    .a(a[255:224]),
    .b(b[255:224]),
    .c(c[255:224]),
    .p(p[7]),
    .q(q[7]),
    .valid(lane0_valid_joined),
    .later(lane0_later_joined),
    .result(lane7_result),
    .predicate(lane7_predicate),
    .address(lane7_address)
  );

  always @(posedge clock) begin
    if (reset) begin
      valid1 <= 1'b0;
      valid2 <= 1'b0;
      valid3 <= 1'b0;
      valid4 <= 1'b0;
    end else begin
      valid1 <= x_valid;
      valid2 <= valid1;
      valid3 <= valid2;
      valid4 <= valid3;
    end
  end

  wire [2:0] x_control_d_predicate = x_control[50:48];
  wire [5:0] x_control_d = x_control[56:51];
  wire x_control_lane_predicate = x_control[46];
  wire x_control_lane_result = x_control[47];
  always @(posedge clock) begin
    if (x_valid) begin
      opcode1 <= x_control_opcode;
    end
    if (valid1) begin
      opcode2 <= opcode1;
    end
    if (valid2) begin
      opcode3 <= opcode2;
    end
    if (x_valid) begin
      travelling1 <= {x_control_lane_result, x_control_lane_predicate, x_warp, x_control_d,
          x_control_d_predicate, x_beat, x_active, {lane7_predicate, lane6_predicate, lane5_predicate,
          lane4_predicate, lane3_predicate, lane2_predicate, lane1_predicate, lane0_predicate}};
    end
    if (valid1) begin
      travelling2 <= travelling1;
    end
    if (valid2) begin
      travelling3 <= travelling2;
    end
    if (valid3) begin
      travelling4 <= travelling3;
    end
    if (valid3) begin
      result4 <= data;
    end
  end
endmodule

`default_nettype wire
