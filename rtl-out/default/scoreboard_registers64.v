// scoreboard_registers64
//
// Registers and predicates of one warp whose results are still to come.
//
// Parameters: registers = 64
// Made by: warpmesh export default
// Configuration: default
`default_nettype none

module scoreboard_registers64 (
    input wire clock,
    input wire reset,
    /* verilator lint_off UNUSED */ // bits 4:0, 47 are not read
    input wire [47:0] hazards, // Hazards of the next instruction, as a word.
    /* verilator lint_on UNUSED */
    input wire issue, // It issues now.
    input wire lane_done, // A result has come from there.
    input wire [5:0] lane_destination, // A result has come from there.
    input wire load_done, // A result has come from there.
    input wire [5:0] load_destination, // A result has come from there.
    input wire shared_done, // A result has come from there.
    input wire [5:0] shared_destination, // A result has come from there.
    input wire predicate_done, // A predicate has come.
    input wire [2:0] predicate_number, // A predicate has come.
    output wire free, // None of its registers and predicates is awaited.
    output wire clean // Nothing at all is awaited.
);
  reg [63:0] registers;
  reg [6:0] predicates;
  wire [63:0] cleared;
  wire [63:0] marked;

  wire [6:0] hazards_predicates = hazards[18:12];
  wire hazards_d_used = hazards[25];
  wire [5:0] hazards_d = hazards[24:19];
  wire hazards_c_used = hazards[32];
  wire [5:0] hazards_c = hazards[31:26];
  wire hazards_b_used = hazards[39];
  wire [5:0] hazards_b = hazards[38:33];
  wire hazards_a_used = hazards[46];
  wire [5:0] hazards_a = hazards[45:40];
  wire free_merged = registers[hazards_a] & hazards_a_used | registers[hazards_b] & hazards_b_used |
      registers[hazards_c] & hazards_c_used;
  assign free = !(free_merged | registers[hazards_d] & hazards_d_used | (|(predicates & hazards_predicates)));
  assign clean = !((|registers) | (|predicates));
  wire [63:0] cleared_merged = (64'h0000000000000001 << lane_destination) & {64{lane_done}} |
      (64'h0000000000000001 << load_destination) & {64{load_done}};
  assign cleared = cleared_merged | (64'h0000000000000001 << shared_destination) & {64{shared_done}};
  assign marked = (64'h0000000000000001 << hazards_d) & {64{issue & hazards_d_used}};

  wire [6:0] hazards_predicates_written = hazards[11:5];
  wire [6:0] next_masked = (7'h01 << predicate_number) & {7{predicate_done}};
  always @(posedge clock) begin
    if (reset) begin
      registers <= 64'h0000000000000000;
      predicates <= 7'h00;
    end else begin
      registers <= registers & ~cleared | marked;
      predicates <= predicates & ~next_masked | hazards_predicates_written & {7{issue}};
    end
  end

`ifdef WARPMESH_ASSERT
  always @(posedge clock) begin
    if (!reset) begin
      if (!(!(|(cleared & ~registers)) & !(|(next_masked & ~predicates)))) begin
        $display("%m: assertion failed: a result is awaited");
        $stop;
      end
      if (!(!(|(marked & registers)))) begin
        $display("%m: assertion failed: a destination is free when its instruction issues");
        $stop;
      end
    end
  end
`endif
endmodule

`default_nettype wire
