//! Operand stage: guard, register read, special registers, kernel parameters, immediate.
//!
//! ```text
//!  issued instruction (all beats), beat -->+-------------------------------------------+--> taken (32): guarded threads, now
//!  block table row, launch dimensions ---->| predicate file   register file            |--> x_valid, x_warp, x_beat, x_active,
//!  param_write, _address, _data ---------->| parameter memory thread index table       |    x_control, x_slot_shared
//!  result, write-back -------------------->+-------------------------------------------+--> a, b, c (lanes x 32), p, q (lanes)
//! ```
//!
//! Contract: in each beat of an issued instruction the rows of that beat are read; the operands show one cycle later,
//! together with the `x_` signals, and stand still until the next instruction. An operand that is RZ or not used reads
//! zero. Operand b is the immediate in immediate form, the parameter word for parameter loads, and the special register
//! for `S2R`.
//!
//! Testbench: `testbenches/operands/`; tests: `tests/core/control.rs`, `tests/core/random.rs`.

use super::{
    config::CoreParams,
    decode::Controls,
    params::WARP,
    ports::{BlockDim, Executing, GridIndex, Issue, Operands, ParameterWrite, PredicateWrite, RegisterWrite},
    register_file::{PredicateFile, RegisterFile, predicate_file, register_file},
    thread_index::{INDEX_BITS, ThreadIndex, thread_index},
};
use blocks::popcount;
use hdl::{Builder, Bundle, Module, Signal, mux, ports, row, select, statistics};

statistics! {
    "operands" {
        /// Rows read from the register file: one for each operand of each beat.
        REGISTER_READS: register_reads in "rows";
    }
}

/// Kernel parameter memory, in 32-bit words.
pub const PARAMETER_WORDS: usize = 1024;

ports! {
    /// Ports of an [`operands`] stage.
    pub struct OperandStagePorts(p: &CoreParams) of OperandStage {
        /// The issued instruction, for all its beats.
        in issue: bundle Issue(p),
        /// The beat that is read.
        in beat: p.beat_bits(),
        /// Predicates that are written.
        in predicate_write: bundle PredicateWrite(p),
        /// Threads that execute and whose guard holds, now.
        out taken: WARP,
        /// Registers that are written.
        in register_write: bundle RegisterWrite(p),
        /// Words for the kernel parameter memory.
        in param: bundle ParameterWrite(&()),
        /// Threads of a block.
        in block_dim: bundle BlockDim(&()),
        /// The table of thread indices is that of these dimensions.
        out table_ready: 1,
        /// Index of the instruction's block.
        in block: bundle GridIndex(&()),
        /// Blocks of the grid.
        in grid_dim: bundle GridIndex(&()),
        /// What a barrier has told its warp, where there are several.
        maybe (p.has_named_barriers()) in issue_barrier_sum: p.thread_count_bits(),
        /// Number of its warp within the block.
        in issue_within: p.core_warp_bits(),
        /// Where the shared memory of its block begins.
        in issue_shared_base: 16,
        /// A cycle later: the beat at the lanes.
        out executing as "x": bundle Executing(p),
        /// Where the shared memory of its block begins.
        out x_shared_base: 16,
        /// Its operands.
        out operands as "": bundle Operands(p),
    }
}

/// The operand stage.
pub fn operands(p: &CoreParams) -> Module {
    let m = Builder::new("operands", p.parameters(p.sizes()));
    m.doc(
        "Reads guard, registers, special registers, parameters and immediates of the issued instruction, beat by beat.",
    );
    let io = OperandStagePorts::new(&m, p);
    let issue = io.issue();
    let control = Controls::unpack(issue.control, p);
    let beat = io.beat();

    let predicates = PredicateFile(m.instance("predicate_file", &predicate_file(p)));
    predicates.read_warp(issue.warp);
    predicates.read_guard(control.guard);
    predicates.read_p(control.p);
    predicates.read_q(control.q);
    predicates.write(io.predicate_write());
    let source = |predicate, negate| predicate ^ Signal::repeat(negate, WARP);
    let taken = m.wire("guarded", issue.mask & source(predicates.guard(), control.guard_negate));
    io.taken(taken);
    let part = |word| select(beat, &Signal::parts(word, p.lanes));

    let registers = RegisterFile(m.instance("register_file", &register_file(p)));
    let used = [control.a_used, control.b_used, control.c_used];
    registers.read_warp(issue.warp);
    registers.read_beat(beat);
    registers.read_a(control.a);
    registers.read_b(control.b);
    registers.read_c(control.c);
    registers.read_enable_a(issue.valid & control.a_used);
    registers.read_enable_b(issue.valid & control.b_used);
    registers.read_enable_c(issue.valid & control.c_used);
    registers.write(io.register_write());

    let parameters = m.memory("parameters", PARAMETER_WORDS, 32);
    let load = io.param();
    m.when(load.write, || parameters.write(load.address, load.data));
    let immediate = control.immediate;
    let parameter = parameters.read_sync("parameter", immediate.bits(2, 10), issue.valid & control.parameter);

    let table = ThreadIndex(m.instance("thread_index", &thread_index(p)));
    let within = io.issue_within();
    table.warp(within);
    table.beat(beat);
    table.read_enable(issue.valid & control.special);
    let block_dim = io.block_dim();
    table.block_dim(block_dim);
    io.table_ready(table.filled());

    m.comment("Special registers that are the same in all threads of a warp.");
    let clock = m.register("clock_now", 32, 0);
    m.set(clock, clock + 1);
    let word = |value| Signal::extend(value, 32);
    let zero = m.lit(32, 0);
    let mut specials = vec![zero; 3];
    specials.extend([block_dim.x, block_dim.y, block_dim.z].map(word));
    for GridIndex { x, y, z } in [io.block(), io.grid_dim()] {
        specials.extend([x, y, z].map(word));
    }
    specials.extend([zero, word(within), clock]);
    specials.extend(io.issue_barrier_sum().map(word));
    let number = immediate.bits(0, 4);
    let uniform = mux(control.special, select(number, &specials), immediate);
    m.comment("Operand isolation: registers hold their value while nothing issues.");
    let issued = [
        ("uniform", uniform),
        ("control_now", issue.control),
        ("warp_now", issue.warp),
        ("beat_now", beat),
        ("active_now", part(taken)),
        ("shared_base_now", io.issue_shared_base()),
        ("p_now", part(source(predicates.p(), control.p_negate))),
        ("q_now", part(source(predicates.q(), control.q_negate))),
    ];
    let [uniform_now, x_control, warp, beat, active, shared_base, p_now, q_now] =
        m.captured_together(issue.valid, issued);
    let executing = Executing { valid: m.delayed("valid_now", issue.valid), warp, beat, active, control: x_control };
    io.executing(executing);
    io.x_shared_base(shared_base);

    m.comment("Operand b: immediate or uniform, index of the thread, register.");
    let x = Controls::unpack(x_control, p);
    let number = x.immediate.bits(0, 4);
    let per_lane = m.wire("per_lane", x.special & (number.lt(3) | number.eq(12)));
    let word = m.wire("word", mux(x.parameter, parameter, uniform_now));
    let lane_number = |l: u32| executing.beat.extend(INDEX_BITS) * u64::from(p.lanes) + u64::from(l);
    let [a, b, c] = [registers.a(), registers.b(), registers.c()].map(|words| words.parts(32));
    let kept = |used, value| mux(used, value, m.lit(32, 0));
    let lanes = 0..p.lanes as usize;
    let b = lanes.clone().map(|l| {
        let axes = [table.x(), table.y(), table.z()].map(|axis| axis.parts(INDEX_BITS)[l]);
        let index = select(number.bits(0, 2), &axes);
        let index = mux(number.bit(3), lane_number(l as u32), index);
        mux(per_lane, index.extend(32), mux(x.immediate_form, word, kept(x.b_used, b[l])))
    });
    let operands = Operands {
        a: row(lanes.clone().map(|l| kept(x.a_used, a[l]))),
        b: row(b),
        c: row(lanes.map(|l| kept(x.c_used, c[l]))),
        p: p_now,
        q: q_now,
    };
    io.operands(operands);
    m.sum(REGISTER_READS, issue.valid, popcount(row(used)));
    m.finish()
}
