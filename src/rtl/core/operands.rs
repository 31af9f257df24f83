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
    decode::Controls,
    params::{CoreParams, WARP},
    ports::{BlockDim, Executing, GridIndex, Issue, Operands, ParameterWrite, PredicateWrite, RegisterWrite},
    register_file::{predicate_file, register_file},
    thread_index::{INDEX_BITS, thread_index},
};
use crate::blocks::popcount;
use hdl::{Builder, Bundle, Module, Signal, mux, row, select, statistics};

statistics! {
    "operands" {
        /// Rows read from the register file: one for each operand of each beat.
        REGISTER_READS: register_reads in "rows";
    }
}

/// Kernel parameter memory, in 32-bit words.
pub const PARAMETER_WORDS: usize = 1024;

/// The operand stage.
pub fn operands(p: &CoreParams) -> Module {
    let m = Builder::new("operands", p.parameters(p.sizes()));
    m.doc(
        "Reads guard, registers, special registers, parameters and immediates of the issued instruction, beat by beat.",
    );
    let issue = Issue::inputs(&m, "issue", p);
    let control = Controls::unpack(issue.control, p);
    let beat = m.input("beat", p.beat_bits());

    let predicates = m.instance("predicate_file", &predicate_file(p));
    predicates.drive("read_warp", issue.warp);
    for (source, number) in [("guard", control.guard), ("p", control.p), ("q", control.q)] {
        predicates.drive(("read", source), number);
    }
    PredicateWrite::inputs(&m, "predicate_write", p).drive(predicates, "write", p);
    let source = |name: &str, negate| predicates.get(name) ^ Signal::repeat(negate, WARP);
    let taken = m.wire("guarded", issue.mask & source("guard", control.guard_negate));
    m.output_of("taken", taken);
    let part = |word| select(beat, &Signal::parts(word, p.lanes));

    let registers = m.instance("register_file", &register_file(p));
    registers.drive("read_warp", issue.warp);
    registers.drive("read_beat", beat);
    let used = [control.a_used, control.b_used, control.c_used];
    for ((operand, number), used) in [("a", control.a), ("b", control.b), ("c", control.c)].into_iter().zip(used) {
        registers.drive(("read", operand), number);
        registers.drive(("read_enable", operand), issue.valid & used);
    }
    RegisterWrite::inputs(&m, "register_write", p).drive(registers, "write", p);

    let parameters = m.memory("parameters", PARAMETER_WORDS, 32);
    let load = ParameterWrite::inputs(&m, "param", &());
    m.when(load.write, || parameters.write(load.address, load.data));
    let immediate = control.immediate;
    let parameter = parameters.read_sync("parameter", immediate.bits(2, 10), issue.valid & control.parameter);

    let table = m.instance("thread_index", &thread_index(p));
    table.drive("warp", issue.within);
    table.drive("beat", beat);
    table.drive("read_enable", issue.valid & control.special);
    let block_dim = BlockDim::inputs(&m, "block_dim", &());
    block_dim.drive(table, "block_dim", &());
    m.output_of("table_ready", table.get("filled"));

    m.comment("Special registers that are the same in all threads of a warp.");
    let clock = m.register("clock_now", 32, 0);
    m.set(clock, clock + 1);
    let word = |value| Signal::extend(value, 32);
    let zero = m.lit(32, 0);
    let mut specials = vec![zero; 3];
    specials.extend([block_dim.x, block_dim.y, block_dim.z].map(word));
    for name in ["block", "grid_dim"] {
        let GridIndex { x, y, z } = GridIndex::inputs(&m, name, &());
        specials.extend([x, y, z].map(word));
    }
    specials.extend([zero, word(issue.within), clock]);
    if p.has_named_barriers() {
        specials.push(word(m.input("issue_barrier_sum", p.thread_count_bits())));
    }
    let number = immediate.bits(0, 4);
    let uniform = mux(control.special, select(number, &specials), immediate);
    m.comment("Operand isolation: registers hold their value while nothing issues.");
    let issued = [
        ("uniform", uniform),
        ("control_now", issue.control),
        ("warp_now", issue.warp),
        ("beat_now", beat),
        ("active_now", part(taken)),
        ("shared_base_now", m.input("issue_shared_base", 16)),
        ("p_now", part(source("p", control.p_negate))),
        ("q_now", part(source("q", control.q_negate))),
    ];
    let [uniform_now, x_control, warp, beat, active, shared_base, p_now, q_now] =
        m.captured_together(issue.valid, issued);
    let executing = Executing { valid: m.delayed("valid_now", issue.valid), warp, beat, active, control: x_control };
    executing.outputs(&m, "x", p);
    m.output_of("x_shared_base", shared_base);

    m.comment("Operand b: immediate or uniform, index of the thread, register.");
    let x = Controls::unpack(x_control, p);
    let number = x.immediate.bits(0, 4);
    let per_lane = m.wire("per_lane", x.special & (number.lt(3) | number.eq(12)));
    let word = m.wire("word", mux(x.parameter, parameter, uniform_now));
    let lane_number = |l: u32| executing.beat.extend(INDEX_BITS) * u64::from(p.lanes) + u64::from(l);
    let [a, b, c] = ["a", "b", "c"].map(|name| registers.get(name).parts(32));
    let kept = |used, value| mux(used, value, m.lit(32, 0));
    let lanes = 0..p.lanes as usize;
    let b = lanes.clone().map(|l| {
        let axis = |name: &str| table.get(name).parts(INDEX_BITS)[l];
        let index = select(number.bits(0, 2), &[axis("x"), axis("y"), axis("z")]);
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
    operands.outputs(&m, "", p);
    m.sum(REGISTER_READS, issue.valid, popcount(row(used)));
    m.finish()
}
