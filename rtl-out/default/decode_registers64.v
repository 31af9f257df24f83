// decode_registers64
//
// Splits an instruction into hazards (for the scoreboard) and controls (for the pipeline).
//
// Parameters: registers = 64
// Made by: warpmesh export default
// Configuration: default
`default_nettype none

module decode_registers64 (
`ifdef WARPMESH_ASSERT
    input wire reset,
    input wire clock,
`endif
    input wire [63:0] instruction, // The instruction.
    output wire [47:0] hazards, // Hazards as a word.
    output wire [101:0] controls // Controls as a word.
);
  localparam [7:0] OPCODE_BRA = 8'h01;
  localparam [7:0] OPCODE_BAR = 8'h02;
  localparam [7:0] OPCODE_EXIT = 8'h03;
  localparam [7:0] OPCODE_MEMBAR = 8'h04;
  localparam [7:0] OPCODE_MOV = 8'h20;
  localparam [7:0] OPCODE_S2R = 8'h21;
  localparam [7:0] OPCODE_ADD = 8'h22;
  localparam [7:0] OPCODE_SUB = 8'h23;
  localparam [7:0] OPCODE_ADDC = 8'h24;
  localparam [7:0] OPCODE_SUBC = 8'h25;
  localparam [7:0] OPCODE_AND = 8'h26;
  localparam [7:0] OPCODE_OR = 8'h27;
  localparam [7:0] OPCODE_XOR = 8'h28;
  localparam [7:0] OPCODE_SHL = 8'h29;
  localparam [7:0] OPCODE_SHR = 8'h2a;
  localparam [7:0] OPCODE_SAR = 8'h2b;
  localparam [7:0] OPCODE_MINS = 8'h2c;
  localparam [7:0] OPCODE_MAXS = 8'h2d;
  localparam [7:0] OPCODE_MINU = 8'h2e;
  localparam [7:0] OPCODE_MAXU = 8'h2f;
  localparam [7:0] OPCODE_SEL = 8'h30;
  localparam [7:0] OPCODE_ISETPS = 8'h40;
  localparam [7:0] OPCODE_ISETPU = 8'h41;
  localparam [7:0] OPCODE_FSETP = 8'h42;
  localparam [7:0] OPCODE_PLOP = 8'h43;
  localparam [7:0] OPCODE_MUL = 8'h60;
  localparam [7:0] OPCODE_MULHS = 8'h61;
  localparam [7:0] OPCODE_MULHU = 8'h62;
  localparam [7:0] OPCODE_MAD = 8'h63;
  localparam [7:0] OPCODE_FADD = 8'h80;
  localparam [7:0] OPCODE_FMUL = 8'h81;
  localparam [7:0] OPCODE_FFMA = 8'h82;
  localparam [7:0] OPCODE_FMIN = 8'h83;
  localparam [7:0] OPCODE_FMAX = 8'h84;
  localparam [7:0] OPCODE_I2FS = 8'h85;
  localparam [7:0] OPCODE_I2FU = 8'h86;
  localparam [7:0] OPCODE_F2IS = 8'h87;
  localparam [7:0] OPCODE_F2IU = 8'h88;
  localparam [7:0] OPCODE_LDG32 = 8'ha0;
  localparam [7:0] OPCODE_LDGU8 = 8'ha1;
  localparam [7:0] OPCODE_LDGS8 = 8'ha2;
  localparam [7:0] OPCODE_LDGU16 = 8'ha3;
  localparam [7:0] OPCODE_LDGS16 = 8'ha4;
  localparam [7:0] OPCODE_LDS32 = 8'ha8;
  localparam [7:0] OPCODE_LDSU8 = 8'ha9;
  localparam [7:0] OPCODE_LDSS8 = 8'haa;
  localparam [7:0] OPCODE_LDSU16 = 8'hab;
  localparam [7:0] OPCODE_LDSS16 = 8'hac;
  localparam [7:0] OPCODE_LDP32 = 8'hb0;
  localparam [7:0] OPCODE_LDV32 = 8'hb8;
  localparam [7:0] OPCODE_LDVU8 = 8'hb9;
  localparam [7:0] OPCODE_LDVS8 = 8'hba;
  localparam [7:0] OPCODE_LDVU16 = 8'hbb;
  localparam [7:0] OPCODE_LDVS16 = 8'hbc;
  localparam [7:0] OPCODE_STG32 = 8'hc0;
  localparam [7:0] OPCODE_STG8 = 8'hc1;
  localparam [7:0] OPCODE_STG16 = 8'hc3;
  localparam [7:0] OPCODE_STS32 = 8'hc8;
  localparam [7:0] OPCODE_STS8 = 8'hc9;
  localparam [7:0] OPCODE_STS16 = 8'hcb;
  localparam [7:0] OPCODE_LDC32 = 8'hd0;
  localparam [7:0] OPCODE_LDCU8 = 8'hd1;
  localparam [7:0] OPCODE_LDCS8 = 8'hd2;
  localparam [7:0] OPCODE_LDCU16 = 8'hd3;
  localparam [7:0] OPCODE_LDCS16 = 8'hd4;
  localparam [7:0] OPCODE_LDT32 = 8'hd8;

  wire store;
  wire predicate_result;
  wire a_used;
  wire b_used;
  wire [7:0] c;
  wire c_used;
  wire d_used;
  wire [2:0] q;
  wire p_used;
  wire [6:0] predicates_written;
  wire uncached;
  wire global_;
  wire shared;
  wire parameter_;
  wire barrier;
  wire exit;
  wire lane_result;
  wire [2:0] negate;

  wire [7:0] instruction_opcode = instruction[63:56];
  wire store_merged = (instruction_opcode == OPCODE_STS8) | (instruction_opcode == OPCODE_STS16);
  assign store = (instruction_opcode == OPCODE_STG32) | (instruction_opcode == OPCODE_STG8) |
      (instruction_opcode == OPCODE_STG16) | (instruction_opcode == OPCODE_STS32) | store_merged;
  assign predicate_result = (instruction_opcode == OPCODE_ISETPS) | (instruction_opcode == OPCODE_ISETPU) |
      (instruction_opcode == OPCODE_FSETP) | (instruction_opcode == OPCODE_PLOP);
  wire [7:0] instruction_a = instruction[42:35];
  wire a_used_merged = (instruction_opcode == OPCODE_LDS32) | (instruction_opcode == OPCODE_LDSU8) |
      (instruction_opcode == OPCODE_LDSS8) | (instruction_opcode == OPCODE_LDSU16);
  wire a_used_merged_2 = (instruction_opcode == OPCODE_STG8) | (instruction_opcode == OPCODE_STG16);
  wire a_used_merged_3 = (instruction_opcode == OPCODE_LDVS8) | (instruction_opcode == OPCODE_LDVU16);
  wire a_used_merged_4 = (instruction_opcode == OPCODE_LDV32) | (instruction_opcode == OPCODE_LDVU8);
  wire a_used_merged_5 = (instruction_opcode == OPCODE_MINU) | (instruction_opcode == OPCODE_MAXU);
  wire a_used_merged_6 = (instruction_opcode == OPCODE_MINS) | (instruction_opcode == OPCODE_MAXS);
  wire a_used_merged_7 = (instruction_opcode == OPCODE_SHR) | (instruction_opcode == OPCODE_SAR);
  wire a_used_merged_8 = (instruction_opcode == OPCODE_XOR) | (instruction_opcode == OPCODE_SHL);
  wire a_used_merged_9 = (instruction_opcode == OPCODE_AND) | (instruction_opcode == OPCODE_OR);
  wire a_used_merged_10 = (instruction_opcode == OPCODE_ADDC) | (instruction_opcode == OPCODE_SUBC);
  wire a_used_merged_11 = (instruction_opcode == OPCODE_ADD) | (instruction_opcode == OPCODE_SUB);
  wire a_used_merged_12 = (instruction_opcode == OPCODE_FFMA) | (instruction_opcode == OPCODE_FMIN);
  wire a_used_merged_13 = (instruction_opcode == OPCODE_FADD) | (instruction_opcode == OPCODE_FMUL);
  wire a_used_merged_14 = (instruction_opcode == OPCODE_MULHU) | (instruction_opcode == OPCODE_MAD);
  wire a_used_merged_15 = (instruction_opcode == OPCODE_MUL) | (instruction_opcode == OPCODE_MULHS);
  wire a_used_merged_16 = (instruction_opcode == OPCODE_ISETPU) | (instruction_opcode == OPCODE_FSETP);
  wire a_used_merged_17 = (instruction_opcode == OPCODE_SEL) | (instruction_opcode == OPCODE_ISETPS);
  wire a_used_merged_18 = (instruction_opcode == OPCODE_STS16) | (instruction_opcode == OPCODE_LDC32) |
      (instruction_opcode == OPCODE_LDCU8) | (instruction_opcode == OPCODE_LDCS8);
  wire a_used_merged_19 = a_used_merged_18 | (instruction_opcode == OPCODE_LDCU16) | (instruction_opcode ==
      OPCODE_LDCS16) | (instruction_opcode == OPCODE_LDT32);
  wire a_used_merged_20 = a_used_merged_3 | (instruction_opcode == OPCODE_LDVS16) | (instruction_opcode ==
      OPCODE_STG32) | a_used_merged_2 | (instruction_opcode == OPCODE_STS32) | (instruction_opcode ==
      OPCODE_STS8);
  wire a_used_merged_21 = (instruction_opcode == OPCODE_LDGU8) | (instruction_opcode == OPCODE_LDGS8) |
      (instruction_opcode == OPCODE_LDGU16) | (instruction_opcode == OPCODE_LDGS16);
  wire a_used_merged_22 = a_used_merged_16 | a_used_merged_15 | a_used_merged_14 | a_used_merged_13 |
      a_used_merged_12 | (instruction_opcode == OPCODE_FMAX) | (instruction_opcode == OPCODE_LDG32) |
      a_used_merged_21;
  wire a_used_merged_23 = a_used_merged_11 | a_used_merged_10 | a_used_merged_9 | a_used_merged_8 |
      a_used_merged_7 | a_used_merged_6 | a_used_merged_5 | a_used_merged_17 | a_used_merged_22;
  assign a_used = (a_used_merged_23 | a_used_merged | (instruction_opcode == OPCODE_LDSS16) |
      (instruction_opcode == OPCODE_LDP32) | a_used_merged_4 | a_used_merged_20 | a_used_merged_19) &
      (instruction_a != 8'hff);
  wire [7:0] instruction_b = instruction[7:0];
  wire instruction_immediate_form = instruction[55];
  wire b_used_merged = (instruction_opcode == OPCODE_MOV) | (instruction_opcode == OPCODE_S2R) |
      a_used_merged_11 | a_used_merged_10 | a_used_merged_9 | a_used_merged_8 | a_used_merged_7 |
      a_used_merged_6 | a_used_merged_5;
  wire b_used_merged_2 = a_used_merged_13 | a_used_merged_12 | (instruction_opcode == OPCODE_FMAX) |
      (instruction_opcode == OPCODE_I2FS) | (instruction_opcode == OPCODE_I2FU) | (instruction_opcode ==
      OPCODE_F2IS);
  wire b_used_masked = (b_used_merged | a_used_merged_17 | a_used_merged_16 | a_used_merged_15 |
      a_used_merged_14 | b_used_merged_2 | (instruction_opcode == OPCODE_F2IU)) & !instruction_immediate_form;
  assign b_used = b_used_masked & (instruction_b != 8'hff);
  // A store reads its data through the third operand port.
  wire [7:0] instruction_dst = instruction[50:43];
  wire [7:0] instruction_c = instruction[23:16];
  assign c = store ? instruction_dst : instruction_c;
  assign c_used = (store | ((instruction_opcode == OPCODE_MAD) | (instruction_opcode == OPCODE_FFMA)) &
      !instruction_immediate_form) & (c != 8'hff);
  wire d_used_merged = (instruction_opcode == OPCODE_LDCS8) | (instruction_opcode == OPCODE_LDCU16);
  wire d_used_merged_2 = (instruction_opcode == OPCODE_LDC32) | (instruction_opcode == OPCODE_LDCU8);
  wire d_used_merged_3 = (instruction_opcode == OPCODE_LDGS8) | (instruction_opcode == OPCODE_LDGU16);
  wire d_used_merged_4 = (instruction_opcode == OPCODE_LDG32) | (instruction_opcode == OPCODE_LDGU8);
  wire d_used_merged_5 = (instruction_opcode == OPCODE_LDP32) | (instruction_opcode == OPCODE_LDV32) |
      (instruction_opcode == OPCODE_LDVU8) | (instruction_opcode == OPCODE_LDVS8);
  wire d_used_merged_6 = d_used_merged_5 | (instruction_opcode == OPCODE_LDVU16) | (instruction_opcode ==
      OPCODE_LDVS16) | d_used_merged_2;
  wire d_used_merged_7 = (instruction_opcode == OPCODE_LDSU8) | (instruction_opcode == OPCODE_LDSS8) |
      (instruction_opcode == OPCODE_LDSU16) | (instruction_opcode == OPCODE_LDSS16);
  wire d_used_merged_8 = d_used_merged_3 | (instruction_opcode == OPCODE_LDGS16) | (instruction_opcode ==
      OPCODE_LDS32) | d_used_merged_7 | d_used_merged_6;
  wire d_used_merged_9 = (instruction_opcode == OPCODE_FMIN) | (instruction_opcode == OPCODE_FMAX) |
      (instruction_opcode == OPCODE_I2FS) | (instruction_opcode == OPCODE_I2FU);
  wire d_used_merged_10 = (instruction_opcode == OPCODE_MAD) | (instruction_opcode == OPCODE_FADD) |
      (instruction_opcode == OPCODE_FMUL) | (instruction_opcode == OPCODE_FFMA);
  wire d_used_merged_11 = (instruction_opcode == OPCODE_SEL) | (instruction_opcode == OPCODE_MUL) |
      (instruction_opcode == OPCODE_MULHS) | (instruction_opcode == OPCODE_MULHU) | d_used_merged_10;
  wire d_used_merged_12 = b_used_merged | d_used_merged_11 | d_used_merged_9 | (instruction_opcode ==
      OPCODE_F2IS) | (instruction_opcode == OPCODE_F2IU) | d_used_merged_4;
  assign d_used = (d_used_merged_12 | d_used_merged_8 | d_used_merged | (instruction_opcode == OPCODE_LDCS16)
      | (instruction_opcode == OPCODE_LDT32)) & (instruction_dst != 8'hff);
  assign q = instruction_b[2:0];
  assign p_used = a_used_merged_10 | (instruction_opcode == OPCODE_SEL) | (instruction_opcode == OPCODE_PLOP);
  // Predicate 7 is constant and never waited for: only seven bits.
  wire [2:0] instruction_dst_predicate = instruction[45:43];
  assign predicates_written = (7'h01 << instruction_dst_predicate) & {7{predicate_result}};
  assign uncached = a_used_merged_4 | a_used_merged_3 | (instruction_opcode == OPCODE_LDVS16);
  wire global_merged = d_used_merged_4 | d_used_merged_3 | (instruction_opcode == OPCODE_LDGS16) |
      (instruction_opcode == OPCODE_STG32) | a_used_merged_2 | (instruction_opcode == OPCODE_LDT32) |
      uncached;
  assign global_ = global_merged | d_used_merged_2 | d_used_merged | (instruction_opcode == OPCODE_LDCS16);
  assign shared = a_used_merged | (instruction_opcode == OPCODE_LDSS16) | (instruction_opcode ==
      OPCODE_STS32) | store_merged;
  assign parameter_ = instruction_opcode == OPCODE_LDP32;
  assign barrier = instruction_opcode == OPCODE_BAR;
  assign exit = instruction_opcode == OPCODE_EXIT;
  assign lane_result = d_used & !global_ & !shared;
  wire hazards_merged = barrier | exit | (instruction_opcode == OPCODE_MEMBAR);
  wire [2:0] instruction_p = instruction[34:32];
  wire [2:0] instruction_guard = instruction[54:52];
  wire [6:0] hazards_merged_2 = (7'h01 << instruction_guard) | (7'h01 << instruction_p) & {7{p_used}} |
      (7'h01 << q) & {7{instruction_opcode == OPCODE_PLOP}};
  assign hazards = {uncached, a_used, instruction_a[5:0], b_used, instruction_b[5:0], c_used, c[5:0], d_used,
      instruction_dst[5:0], hazards_merged_2 | predicates_written, predicates_written, global_ & !store,
      global_ & store, shared, hazards_merged, lane_result};
  wire instruction_negate_a = instruction[27];
  wire instruction_negate_b = instruction[28];
  wire instruction_negate_c = instruction[29];
  assign negate = {instruction_negate_c, instruction_negate_b, instruction_negate_a} &
      {3{!instruction_immediate_form}};
  wire controls_masked = d_used & (global_ | shared);
  wire [31:0] instruction_immediate = instruction[31:0];
  wire controls_masked_2 = predicate_result & (|predicates_written);
  wire instruction_p_negate = instruction[31];
  wire controls_masked_3 = instruction_p_negate & !instruction_immediate_form;
  wire instruction_guard_negate = instruction[51];
  /* verilator lint_off UNUSED */ // bits 4 are not read
  wire [4:0] instruction_code = instruction[50:46];
  /* verilator lint_on UNUSED */
  assign controls = {instruction_opcode, instruction_code[3:0], instruction_guard, instruction_guard_negate,
      p_used ? instruction_p : 3'h7, controls_masked_3, q, instruction_b[3], instruction_a[5:0], a_used,
      instruction_b[5:0], b_used, c[5:0], c_used, instruction_dst[5:0], instruction_dst_predicate,
      lane_result, controls_masked_2, negate, instruction_immediate_form, instruction_immediate,
      instruction_opcode == OPCODE_BRA, barrier, exit, instruction_opcode == OPCODE_S2R, parameter_, global_,
      uncached, shared, store, controls_masked};

`ifdef WARPMESH_ASSERT
  wire claim_merged = a_used & (|instruction_a[7:6]) | b_used & (|instruction_b[7:6]) | c_used & (|c[7:6]);
  always @(posedge clock) begin
    if (!reset) begin
      if (!(!(claim_merged | d_used & (|instruction_code[4:3])))) begin
        $display("%m: assertion failed: the registers that an instruction names exist");
        $stop;
      end
    end
  end
`endif
endmodule

`default_nettype wire
