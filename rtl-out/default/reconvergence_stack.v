// reconvergence_stack
//
// Reconvergence stack of one warp: program counter and active threads.
//
// Made by: warpmesh export default
// Configuration: default
`default_nettype none

module reconvergence_stack (
    input wire clock,
    input wire reset,
    input wire start, // The warp starts.
    input wire [31:0] start_mask, // Threads that it then has.
    input wire step, // The instruction at pc has been carried out.
    input wire branch, // How.
    input wire exit, // How.
    input wire barrier, // How.
    input wire [31:0] taken, // Threads whose guard holds.
    input wire [15:0] target, // Of a branch.
    input wire [15:0] reconvergence_pc, // Its reconvergence point.
    output wire [15:0] pc, // Where the warp is.
    output wire [31:0] mask, // Threads that execute there.
    output wire ready, // pc and mask are settled.
    output wire ended, // No thread is left.
    output wire gathered // All live threads are at a barrier.
);
  reg [5:0] used;
  reg [15:0] pc_now;
  reg [15:0] top_reconvergence_pc;
  reg [31:0] top_mask;
  reg [31:0] live;
  reg waiting;
  reg [15:0] waiting_pc;
  reg [31:0] waiting_mask;
  reg [31:0] arrived;
  reg [15:0] barrier_pc;
  wire [31:0] absent;
  wire [31:0] executing;
  wire finished;
  wire settled;
  wire arrives;
  wire last_arrive;
  wire all_arrived;
  wire [15:0] next;
  wire [31:0] staying;
  wire jumps;
  wire diverges;
  wire keeps_join;
  wire push;
  wire pop;
  wire [63:0] below;

  assign absent = live & ~arrived;
  assign executing = top_mask & absent;
  assign finished = (pc_now == top_reconvergence_pc) | !(|executing);
  assign settled = !finished & !waiting;
  assign pc = pc_now;
  assign mask = executing;
  assign ready = settled;
  assign ended = !(|live);
  // All live threads are at the barrier: the last ones step there now, or have just ended elsewhere.
  assign arrives = step & barrier;
  assign last_arrive = arrives & !(|(absent & ~top_mask));
  assign all_arrived = last_arrive | (|arrived) & !(|absent);
  assign gathered = all_arrived;
  assign next = pc_now + 16'h0001;
  assign staying = executing & ~taken;
  assign jumps = step & branch & (|taken);
  assign diverges = jumps & (|staying);
  assign keeps_join = diverges & (reconvergence_pc != top_reconvergence_pc);
  assign push = keeps_join | waiting;
  assign pop = finished & !waiting & (|used);
  wire [63:0] entries_word;
  assign below = entries_word;

  async_ram_depth64_width64_reads1 entries (
    .clock(clock),
    .write_enable(push),
    .write_address(used),
    .write_data(waiting ? {waiting_pc, top_reconvergence_pc, waiting_mask} : {reconvergence_pc,
        top_reconvergence_pc, top_mask}),
    .read0_address(used - 6'h01),
    .read0_data(entries_word)
  );

  always @(posedge clock) begin
    if (reset) begin
      used <= 6'h00;
      pc_now <= 16'h0000;
      top_reconvergence_pc <= 16'hffff;
      top_mask <= 32'h00000000;
      live <= 32'h00000000;
      waiting <= 1'b0;
      waiting_pc <= 16'h0000;
      waiting_mask <= 32'h00000000;
      arrived <= 32'h00000000;
      barrier_pc <= 16'h0000;
    end else begin
      // Stored: the reconvergence point of a divergence, and one cycle later the threads that did not jump.
      if (push) begin
        used <= used + 6'h01;
      end
      waiting <= 1'b0;
      if (pop) begin
        used <= used - 6'h01;
        pc_now <= below[63:48];
        top_reconvergence_pc <= below[47:32];
        top_mask <= below[31:0];
      end
      if (step) begin
        pc_now <= jumps ? target : next;
        if (diverges) begin
          top_reconvergence_pc <= reconvergence_pc;
          top_mask <= taken;
          waiting <= next != reconvergence_pc;
          waiting_pc <= next;
          waiting_mask <= staying;
        end
        if (exit) begin
          live <= live & ~taken;
        end
      end
      if (arrives) begin
        arrived <= arrived | executing;
        barrier_pc <= next;
      end
      if (all_arrived) begin
        pc_now <= last_arrive ? next : barrier_pc;
        top_reconvergence_pc <= 16'hffff;
        top_mask <= live;
        used <= 6'h00;
        arrived <= 32'h00000000;
      end
      if (start) begin
        pc_now <= 16'h0000;
        top_reconvergence_pc <= 16'hffff;
        top_mask <= start_mask;
        live <= start_mask;
        used <= 6'h00;
      end
    end
  end

`ifdef WARPMESH_ASSERT
  always @(posedge clock) begin
    if (!reset) begin
      if (!(!step | settled)) begin
        $display("%m: assertion failed: a step finds the stack settled");
        $stop;
      end
      if (!(!step | !(|(taken & ~executing)))) begin
        $display("%m: assertion failed: only executing threads jump or end");
        $stop;
      end
      if (!(!arrives | !(|arrived) | (barrier_pc == next))) begin
        $display("%m: assertion failed: threads of a warp wait at one barrier");
        $stop;
      end
      if (!(!push | (used != 6'h3f))) begin
        $display("%m: assertion failed: the stack does not overflow");
        $stop;
      end
      if (!(!start | ended)) begin
        $display("%m: assertion failed: a warp starts when no thread is left");
        $stop;
      end
    end
  end
`endif
endmodule

`default_nettype wire
