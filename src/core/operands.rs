//! Operand stage: guard, register read, special registers, kernel parameters, immediate.
//!
//! ```text
//!  issued instruction (all beats), beat -->+-------------------------------------------+--> taken (32): guarded threads, now
//!  block table row, launch dimensions ---->| predicate file   register file            |--> x_valid, x_warp, x_beat, x_active,
//!  param_write, _address, _data ---------->| parameter memory thread index table       |    x_control, x_slot_shared
//!  result, write-back -------------------->+-------------------------------------------+--> a, b, c (lanes x 32), p, q (lanes)
//! ```
//!
//! Contract: in each beat of an issued instruction the rows of that beat are read; the operands show one cycle later, together with
//! the `x_` signals. An operand that is RZ or not used reads zero. Operand b is the immediate in immediate form, the parameter word
//! for parameter loads, and the special register for `S2R`.
//!
//! Tests: `tests/core/control.rs`, `tests/core/random.rs`.

use super::{
    bundle::row,
    decode::controls,
    params::{CoreParams, WARP},
    register_file::{predicate_file, register_file},
    thread_index::{INDEX_BITS, thread_index},
};
use crate::{
    blocks::popcount,
    hdl::{Builder, Module, Signal, mux, select},
    params,
};

/// Kernel parameter memory, in 32-bit words.
pub const PARAMETER_WORDS: usize = 1024;

/// The operand stage.
pub fn operands(p: &CoreParams) -> Module {
    let m = Builder::new("operands", params! { w: p.warps, l: p.lanes, r: p.registers });
    m.doc(
        "Reads guard, registers, special registers, parameters and immediates of the issued instruction, beat by beat.",
    );
    let control = m.input("issue_control", controls(p).width());
    let get = |name| controls(p).get(control, name);
    let (valid, beat) = (m.input("issue_valid", 1), m.input("beat", p.beat_bits()));
    let (warp, within) = (m.input("issue_warp", p.warp_bits()), m.input("issue_within", p.warp_bits()));

    let predicates = m.instance("predicate_file", &predicate_file(p));
    predicates.drive("read_warp", warp);
    for source in ["guard", "p", "q"] {
        predicates.drive(&format!("read_{source}"), get(source));
    }
    forward(&m, predicates, &[("write", 1), ("write_number", 3), ("write_bits", p.lanes)], "predicate_");
    let (result_warp, result_beat) = (m.input("result_warp", p.warp_bits()), m.input("result_beat", p.beat_bits()));
    predicates.drive("write_warp", result_warp);
    predicates.drive("write_beat", result_beat);
    predicates.drive("write_mask", m.input("result_mask", p.lanes));
    let source = |name: &str, negate: &'static str| predicates.get(name) ^ get(negate).repeat(WARP);
    let taken = m.wire("guarded", m.input("issue_mask", WARP) & source("guard", "guard_negate"));
    m.output_of("taken", taken);
    let part = |word| select(beat, &Signal::parts(word, p.lanes));

    let registers = m.instance("register_file", &register_file(p));
    registers.drive("read_warp", warp);
    registers.drive("read_beat", beat);
    for operand in ["a", "b", "c"] {
        registers.drive(&format!("read_{operand}"), get(operand));
    }
    let ports = [
        ("write", 1),
        ("write_warp", p.warp_bits()),
        ("write_register", p.register_bits()),
        ("write_beat", p.beat_bits()),
        ("write_mask", p.lanes),
        ("write_data", p.lanes * 32),
    ];
    forward(&m, registers, &ports, "register_");

    let parameters = m.memory("parameters", PARAMETER_WORDS, 32);
    let address = m.input("param_address", 10);
    m.when(m.input("param_write", 1), || parameters.write(address, m.input("param_data", 32)));
    let immediate = get("immediate");
    let parameter = parameters.read_sync("parameter", immediate.bits(2, 10), m.lit(1, 1));

    let table = m.instance("thread_index", &thread_index(p));
    table.drive("warp", within);
    table.drive("beat", beat);
    let dims = [("block_dim_x", 11), ("block_dim_y", 11), ("block_dim_z", 7)].map(|(port, width)| {
        let value = m.input(port, width);
        table.drive(port, value);
        value
    });
    m.output_of("table_ready", table.get("filled"));

    m.comment("Special registers that are the same in all threads of a warp.");
    let clock = m.register("clock_now", 32, 0);
    m.set(clock, clock + 1);
    let word = |value| Signal::extend(value, 32);
    let zero = m.lit(32, 0);
    let mut specials = vec![zero; 3];
    specials.extend(dims.iter().map(|d| word(*d)));
    for prefix in ["block_", "grid_dim_"] {
        for (axis, width) in [("x", 32), ("y", 16), ("z", 16)] {
            specials.push(word(m.input(&format!("{prefix}{axis}"), width)));
        }
    }
    specials.extend([zero, word(within), clock]);
    let number = immediate.bits(0, 4);
    let uniform = mux(get("special"), select(number, &specials), immediate);
    let uniform_now = m.register_payload("uniform", 32);
    m.set(uniform_now, uniform);

    let x_control = m.register_payload("control_now", controls(p).width());
    m.set(x_control, control);
    let x = |name| controls(p).get(x_control, name);
    let x_beat = m.delayed("beat_now", beat);
    let shown = [
        ("valid", m.delayed("valid_now", valid)),
        ("warp", m.delayed("warp_now", warp)),
        ("beat", x_beat),
        ("active", m.delayed("active_now", part(taken))),
        ("shared_base", m.delayed("shared_base_now", m.input("issue_shared_base", 16))),
    ];
    shown.iter().for_each(|(name, value)| m.output_of(&format!("x_{name}"), *value));
    m.output_of("x_control", x_control);
    m.output_of("p", m.delayed("p_now", part(source("p", "p_negate"))));
    m.output_of("q", m.delayed("q_now", part(source("q", "q_negate"))));

    m.comment("Operand b: immediate or uniform, index of the thread, register.");
    let number = x("immediate").bits(0, 4);
    let per_lane = m.wire("per_lane", x("special") & (number.lt(3) | number.eq(12)));
    let word = m.wire("word", mux(x("parameter"), parameter, uniform_now));
    let lane_number = |l: u32| x_beat.extend(INDEX_BITS) * u64::from(p.lanes) + u64::from(l);
    let [a, b, c] = ["a", "b", "c"].map(|name| registers.get(name).parts(32));
    let kept = |used, value| mux(x(used), value, m.lit(32, 0));
    let lanes = 0..p.lanes as usize;
    let b = lanes.clone().map(|l| {
        let axis = |name: &str| table.get(name).parts(INDEX_BITS)[l];
        let index = select(number.bits(0, 2), &[axis("x"), axis("y"), axis("z")]);
        let index = mux(number.bit(3), lane_number(l as u32), index);
        mux(per_lane, index.extend(32), mux(x("immediate_form"), word, kept("b_used", b[l])))
    });
    m.output_of("a", row(lanes.clone().map(|l| kept("a_used", a[l]))));
    m.output_of("b", row(b));
    m.output_of("c", row(lanes.map(|l| kept("c_used", c[l]))));
    m.sum("register_reads", valid, popcount(row(["a_used", "b_used", "c_used"].map(get))));
    m.finish()
}

/// Connects `ports` of `child` with inputs of the same names after `prefix`.
fn forward(m: &Builder, child: crate::hdl::Child<'_>, ports: &[(&str, u32)], prefix: &str) {
    for (port, width) in ports {
        let own = m.input(&format!("{prefix}{port}"), *width);
        child.drive(port, own);
    }
}
