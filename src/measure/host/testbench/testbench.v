// Test bench of an exported chip: resets it, loads a kernel through its host port, plays its DRAM devices, waits for the end, and
// compares memory and number of cycles with what `warpmesh run` finds.
//
// @TITLE@
//
// Everything outside the chip is one process. A cycle is: the devices see the pins as the last edge left them and answer, the host drives
// its pins, the clock rises. So nothing changes near an edge, and no simulator's order of events matters. Clocks of cores, network and DRAM
// have periods of whole ticks; edges of the same tick rise together, and parts of one frequency share a clock.
//
// The last line is PASS, or begins with FAIL; then the simulator ends with an exit code other than 0.
module testbench;
@PARAMETERS@
  // Number of a cycle before any other: no rule of timing looks back so far.
  localparam integer NEVER = -1000000;

@CLOCKS@  reg reset;
  reg host_write;
  reg [19:0] host_address;
  reg [63:0] host_data;
  reg host_start;
  wire host_done;

  // Pins of the channels side by side, channel 0 lowest; numbers of 32 bits.
  wire [32*CHANNELS-1:0] commands;
  wire [32*CHANNELS-1:0] banks;
  wire [32*CHANNELS-1:0] rows;
  wire [32*CHANNELS-1:0] columns;
  wire [8*LINE*CHANNELS-1:0] write_data;
  wire [LINE*CHANNELS-1:0] write_mask;
  reg [8*LINE*CHANNELS-1:0] read_data;

@CHIP@
  // Line `i` holds the bytes from address LINE * i on, the lowest address in the lowest bits.
  reg [8*LINE-1:0] memory[0:LINES-1];
  reg [8*LINE-1:0] expected[0:LINES-1];
  // What the host writes, in order: {address, data}.
  reg [83:0] load[0:LOADS-1];

  // State of every bank of every channel, and the cycles of its last commands.
  reg open[0:CHANNELS*BANKS-1];
  reg [31:0] open_row[0:CHANNELS*BANKS-1];
  integer activated[0:CHANNELS*BANKS-1];
  integer precharged[0:CHANNELS*BANKS-1];
  integer read_at[0:CHANNELS*BANKS-1];
  integer written_at[0:CHANNELS*BANKS-1];
  // Of every channel.
  integer last_activate[0:CHANNELS-1];
  integer last_activate_bank[0:CHANNELS-1];
  integer last_access[0:CHANNELS-1];
  reg last_writes[0:CHANNELS-1];
  integer bus_end[0:CHANNELS-1];
  // Bursts in flight: the one that ends in cycle t is in place t mod LATENCY of its channel.
  reg burst_reads[0:CHANNELS*LATENCY-1];
  reg burst_writes[0:CHANNELS*LATENCY-1];
  reg [31:0] burst_line[0:CHANNELS*LATENCY-1];

  // The next edge of each clock, in ticks.
  time next_core;
  time next_noc;
  time next_dram;
  time next_overlay;
  time tick;
  reg core_edge;
  reg noc_edge;
  reg dram_edge;
  reg overlay_edge;
  // Edges of each in reset.
  integer core_edges;
  integer noc_edges;
  integer dram_edges;
  integer overlay_edges;

  // DRAM cycles, and those of the cores since the start.
  integer now;
  integer cycles;
  integer i;
  integer j;
  integer wrong;
  reg [8*LINE-1:0] found_line;
  reg [8*LINE-1:0] expected_line;

  task fail_now;
    begin
      $fatal(1, "the chip on this test bench is wrong, see FAIL above");
    end
  endtask

  // A command that its bank cannot take now.
  task refuse(input integer channel, input integer bank, input [8*40-1:0] rule);
    begin
      $display("FAIL: DRAM channel %0d, cycle %0d, bank %0d: %0s", channel, now, bank, rule);
      fail_now;
    end
  endtask

  // Line of global memory: chunks of CHUNK lines go round the channels; within a channel they are counted row, bank, column.
  function [31:0] line_of(input integer channel, input [31:0] row, input [31:0] bank, input [31:0] column);
    reg [31:0] own;
    begin
      own = (row << (BANK_BITS + COLUMN_BITS)) | (bank << COLUMN_BITS) | column;
      line_of = ((own / CHUNK) * CHANNELS + channel) * CHUNK + own % CHUNK;
    end
  endfunction

  // The burst that ends now on a channel: a write takes its data, a read shows them.
  task end_burst(input integer channel);
    integer place;
    integer line;
    integer byte_of_line;
    reg [8*LINE-1:0] word;
    begin
      place = channel * LATENCY + now % LATENCY;
      line = burst_line[place];
      read_data[8*LINE*channel+:8*LINE] = {8*LINE{1'b0}};
      if (burst_reads[place] && line < LINES) read_data[8*LINE*channel+:8*LINE] = memory[line];
      if (burst_writes[place] && |write_mask[LINE*channel+:LINE] !== 1'b0) begin
        if (line >= LINES) begin
          $display("FAIL: DRAM channel %0d, cycle %0d: write to address 0x%08x, behind all buffers", channel, now, line * LINE);
          fail_now;
        end
        word = memory[line];
        for (byte_of_line = 0; byte_of_line < LINE; byte_of_line = byte_of_line + 1)
          if (write_mask[LINE*channel+byte_of_line])
            word[8*byte_of_line+:8] = write_data[8*LINE*channel+8*byte_of_line+:8];
        memory[line] = word;
      end
      burst_reads[place] = 1'b0;
      burst_writes[place] = 1'b0;
    end
  endtask

  // Reads or writes a line, T_CL + T_BURST or T_WL + T_BURST cycles from now.
  task access(input integer channel, input integer bank, input integer column, input writes);
    integer k;
    integer place;
    integer data;
    begin
      k = channel * BANKS + bank;
      data = now + (writes ? T_WL : T_CL);
      place = channel * LATENCY + (data + T_BURST) % LATENCY;
      if (!open[k]) refuse(channel, bank, "read or write, and no row is open");
      if (now - activated[k] < T_RCD) refuse(channel, bank, "tRCD");
      if (data < bus_end[channel]) refuse(channel, bank, "data bus");
      if (now - last_access[channel] < T_CCD) refuse(channel, bank, "tCCD");
      if (writes && !last_writes[channel] && now - last_access[channel] < T_RTW) refuse(channel, bank, "tRTW");
      if (T_WTR > 0 && !writes && last_writes[channel] && now - bus_end[channel] < T_WTR) refuse(channel, bank, "tWTR");
      if (writes) written_at[k] = now;
      else read_at[k] = now;
      last_access[channel] = now;
      last_writes[channel] = writes;
      bus_end[channel] = data + T_BURST;
      burst_reads[place] = !writes;
      burst_writes[place] = writes;
      burst_line[place] = line_of(channel, open_row[k], bank, column);
    end
  endtask

  // One cycle of a DRAM device. It checks every rule of timing, with the cycles of past commands.
  task device(input integer channel);
    integer bank;
    integer k;
    begin
      end_burst(channel);
      bank = banks[32*channel+:32];
      k = channel * BANKS + bank;
      case (commands[32*channel+:32])
        32'd0: ;
        32'd1: begin
          if (open[k]) refuse(channel, bank, "activate, and a row is open");
          if (now - precharged[k] < T_RP) refuse(channel, bank, "tRP");
          if (now - activated[k] < T_RC) refuse(channel, bank, "tRC");
          if (last_activate_bank[channel] != bank && now - last_activate[channel] < T_RRD) refuse(channel, bank, "tRRD");
          open[k] = 1'b1;
          open_row[k] = rows[32*channel+:32];
          activated[k] = now;
          last_activate[channel] = now;
          last_activate_bank[channel] = bank;
        end
        32'd2: begin
          if (!open[k]) refuse(channel, bank, "precharge, and no row is open");
          if (now - activated[k] < T_RAS) refuse(channel, bank, "tRAS");
          if (now - read_at[k] < T_BURST) refuse(channel, bank, "read to precharge");
          if (now - written_at[k] < T_WL + T_BURST) refuse(channel, bank, "write to precharge");
          open[k] = 1'b0;
          precharged[k] = now;
        end
        32'd3: access(channel, bank, columns[32*channel+:32], 1'b0);
        32'd4: access(channel, bank, columns[32*channel+:32], 1'b1);
        default: refuse(channel, bank, "there is no such command");
      endcase
    end
  endtask

  // Which clocks have the next edge.
  task next_instant;
    begin
      tick = next_core;
      if (next_noc < tick) tick = next_noc;
      if (next_dram < tick) tick = next_dram;
      if (next_overlay < tick) tick = next_overlay;
      core_edge = next_core == tick;
      noc_edge = next_noc == tick;
      dram_edge = next_dram == tick;
      overlay_edge = next_overlay == tick;
    end
  endtask

  task edges;
    begin
      #5;
@RISE@      #5;
@FALL@      if (core_edge) next_core = next_core + PERIOD_CORE;
      if (noc_edge) next_noc = next_noc + PERIOD_NOC;
      if (dram_edge) next_dram = next_dram + PERIOD_DRAM;
      if (overlay_edge) next_overlay = next_overlay + PERIOD_OVERLAY;
    end
  endtask

  // One cycle of the cores, with all that devices and other clocks do up to its edge.
  task cycle;
    integer channel;
    begin
      core_edge = 1'b0;
      while (!core_edge) begin
        next_instant;
        if (dram_edge) for (channel = 0; channel < CHANNELS; channel = channel + 1) device(channel);
        edges;
        if (dram_edge) now = now + 1;
      end
    end
  endtask

  // Says to which buffer an address belongs, and what is wrong there.
  task show(input [31:0] address, input [31:0] found, input [31:0] wanted);
    begin
@BUFFERS@
    end
  endtask

  // Compares all of memory, 32 bits at a time; shows the first difference.
  task compare;
    begin
      wrong = 0;
      for (i = 0; i < LINES; i = i + 1) begin
        found_line = memory[i];
        expected_line = expected[i];
        for (j = 0; j < LINE / 4; j = j + 1)
          if (found_line[32*j+:32] !== expected_line[32*j+:32]) begin
            if (wrong == 0) show(i * LINE + j * 4, found_line[32*j+:32], expected_line[32*j+:32]);
            wrong = wrong + 1;
          end
      end
    end
  endtask

  initial begin
    $readmemh("memory.hex", memory);
    $readmemh("expected.hex", expected);
    $readmemh("load.hex", load);
    for (i = 0; i < CHANNELS * BANKS; i = i + 1) begin
      open[i] = 1'b0;
      open_row[i] = 32'd0;
      activated[i] = NEVER;
      precharged[i] = NEVER;
      read_at[i] = NEVER;
      written_at[i] = NEVER;
    end
    for (i = 0; i < CHANNELS; i = i + 1) begin
      last_activate[i] = NEVER;
      last_activate_bank[i] = 0;
      last_access[i] = NEVER;
      last_writes[i] = 1'b0;
      bus_end[i] = NEVER;
    end
    for (i = 0; i < CHANNELS * LATENCY; i = i + 1) begin
      burst_reads[i] = 1'b0;
      burst_writes[i] = 1'b0;
      burst_line[i] = 32'd0;
    end
    now = 0;
    read_data = 0;
@FALL0@    next_core = 0;
    next_noc = 0;
    next_dram = 0;
    next_overlay = 0;
    core_edges = 0;
    noc_edges = 0;
    dram_edges = 0;
    overlay_edges = 0;
    reset = 1'b1;
    host_write = 1'b0;
    host_start = 1'b0;
    host_address = 20'd0;
    host_data = 64'd0;
    while (core_edges < 2 || noc_edges < 2 || dram_edges < 2 || overlay_edges < 2) begin
      next_instant;
      edges;
      if (core_edge) core_edges = core_edges + 1;
      if (noc_edge) noc_edges = noc_edges + 1;
      if (dram_edge) dram_edges = dram_edges + 1;
      if (overlay_edge) overlay_edges = overlay_edges + 1;
    end
    reset = 1'b0;
    host_write = 1'b1;
    for (i = 0; i < LOADS; i = i + 1) begin
      {host_address, host_data} = load[i];
      cycle;
    end
    host_write = 1'b0;
    // The chip still clears its caches.
    for (i = 0; i < IDLE; i = i + 1) cycle;
    host_start = 1'b1;
    cycle;
    host_start = 1'b0;
    cycles = 0;
    // The start pulse needs two cycles to clear the end of an earlier kernel.
    while ((cycles < 3 || host_done !== 1'b1) && cycles < CYCLES + 1000) begin
      cycle;
      cycles = cycles + 1;
    end
    if (host_done !== 1'b1) begin
      $display("FAIL: no end after %0d cycles, expected after %0d", cycles, CYCLES);
      fail_now;
    end
    compare;
    if (wrong != 0) begin
      $display("FAIL: %0d of %0d words are wrong", wrong, LINES * LINE / 4);
      fail_now;
    end
    if (cycles != CYCLES) begin
      $display("FAIL: %0d cycles, expected %0d", cycles, CYCLES);
      fail_now;
    end
    $display("cycles %0d", cycles);
    $display("PASS");
    $finish;
  end
endmodule
