//! Double-precision unit of a core: behind the operands, beside the lanes.
//!
//! ```text
//!  beats of the low words -------->+--------------+
//!  (opcode, a, b, c: lanes x 32)   | latch        |   +-----------+
//!                                  | (per warp)   |-->| side unit |--> write (RegisterWrite), done
//!  beats of the high words (DHIGH) +--------------+   |           |<-- write_granted
//!  -------------------------------------------------->|           |
//!  reserve: a DHIGH issues -------------------------->+-----------+--> ready
//! ```
//!
//! Contract: an instruction in double precision comes in two, of low and of high words, each in `beats` beats. The
//! first one waits for nobody: its words stay in the latch of its warp. The second one, which is `reserve`d when it
//! issues, goes into a place of the unit ([`mod@super::shared_unit`]).
//!
//! Negations are those of the second instruction, which has the signs.
//!
//! Testbenches: `testbenches/double_unit/`, `testbenches/double_arithmetic/`; tests: `tests/core/doubles.rs`.

use super::{
    params::CoreParams,
    ports::DoubleBeat,
    shared_unit::{Arriving, FUNCTION_BITS, Placed, SharedUnit, shared_unit},
};
use crate::blocks::{Format, fp32_to_fp64, fp64_fma, fp64_from_integer, fp64_relation, fp64_to_fp32, fp64_to_integer};
use hdl::{Builder, Bundle, Module, bundle, concat, mux, params, priority_mux, row, statistics};
use program::isa::Opcode;

statistics! {
    "double_unit" {
        /// Instructions of a warp computed.
        INSTRUCTIONS: instructions in "instructions";
        /// Cycles in which units compute.
        BUSY_CYCLES: busy_cycles in "cycles";
        /// Cycles in which a result waits for the write port of the registers.
        WRITE_PORT_WAIT_CYCLES: write_port_wait_cycles in "cycles";
    }
}

fn function(opcode: Opcode) -> u64 {
    opcode as u64 & 31
}

/// Arithmetic of one thread: what the instruction `function` computes from whole words.
pub fn double_arithmetic() -> Module {
    let m = Builder::new("double_arithmetic", params! {});
    m.doc("Double-precision arithmetic, comparison and conversions.");
    let code = m.input("function", FUNCTION_BITS);
    let [a, b, c] = ["a", "b", "c"].map(|name| m.input(name, 64));
    let is = |opcode| code.eq(function(opcode));
    let format = Format::DOUBLE;

    let fma = m.instance("fma", &fp64_fma(0));
    let (add, multiply) = (is(Opcode::DAdd), is(Opcode::DMul));
    let (one, minus_zero) = (m.lit(64, format.bias() << format.fraction), m.lit(64, 1 << 63));
    fma.drive("a", a);
    fma.drive("b", mux(add, one, b));
    fma.drive("c", mux(add, b, mux(multiply, minus_zero, c)));

    let relation = m.instance("relation", &fp64_relation());
    relation.drive("a", a);
    relation.drive("b", b);
    let from_integer = m.instance("from_integer", &fp64_from_integer(0));
    from_integer.drive("value", b);
    from_integer.drive("signed_value", is(Opcode::I2dS));
    let to_integer = m.instance("to_integer", &fp64_to_integer(0));
    to_integer.drive("a", b);
    to_integer.drive("signed_value", is(Opcode::D2iS));
    let narrow = m.instance("narrow", &fp64_to_fp32());
    narrow.drive("a", b);
    let widen = m.instance("widen", &fp32_to_fp64());
    widen.drive("a", b.bits(0, 32));
    let results = [
        (is(Opcode::DCmp), relation.get("relation").extend(64)),
        (is(Opcode::I2dS) | is(Opcode::I2dU), from_integer.get("y")),
        (is(Opcode::D2iS) | is(Opcode::D2iU), to_integer.get("y")),
        (is(Opcode::D2f), narrow.get("y").extend(64)),
        (is(Opcode::F2d), widen.get("y")),
    ];
    m.output_of("result", priority_mux(&results, fma.get("y")));
    m.finish()
}

bundle! {
    /// What of the first instruction waits for the second.
    struct First(p: &CoreParams) {
        function: FUNCTION_BITS,
        destination: p.register_bits(),
        writes: 1,
    }
}

/// The unit.
pub fn double_unit(p: &CoreParams) -> Module {
    let names = params! { w: p.warps, l: p.lanes, r: p.registers, stages: p.execute_stages.max(1) };
    let m = Builder::new("double_unit", [names, p.double_key().into_iter().collect()].concat());
    m.doc("Double-precision unit: instructions of two halves, units for a part of the lanes.");
    m.require(p.double_units() > 0, "double_unit: double = none, 1/8 or 1/2 is needed");
    let units = p.double_units().max(1);
    let side = SharedUnit {
        core: p.clone(),
        units,
        operands: &["a", "b", "c"],
        words: 2,
        arithmetic: double_arithmetic(),
        within: 0,
    };
    let events = shared_unit(&m, &side, arriving(&m, p));
    m.count(INSTRUCTIONS, events.written);
    m.count(BUSY_CYCLES, events.busy);
    m.count(WRITE_PORT_WAIT_CYCLES, events.waits);
    m.finish()
}

/// Operands: low words into the latch of their warp, and together with the high words to a place.
fn arriving<'m>(m: &'m Builder, p: &CoreParams) -> Arriving<'m> {
    m.comment("Low words stay in the latch of their warp until the high words come.");
    let beat = DoubleBeat::inputs(m, "", p);
    let latch = m.memory("latch", (p.warps * p.beats()) as usize, p.lanes * 96);
    let firsts = m.memory("firsts", p.warps as usize, First::width(p));
    let words = [beat.a, beat.b, beat.c].map(|words| words.parts(32));
    let lanes = 0..p.lanes as usize;
    let latched = p.row(&[beat.warp], beat.beat);
    m.when(beat.valid & !beat.high, || {
        latch.write(latched, row(lanes.clone().map(|l| row(words.iter().map(|operand| operand[l])))));
        let first = First { function: beat.function, destination: beat.destination, writes: beat.writes };
        firsts.write(beat.warp, first.pack());
    });

    let second = m.wire("second", beat.valid & beat.high);
    let low: Vec<_> = m.wire("low_words", latch.read(latched)).parts(32);
    let operand = |l: usize, k: usize| {
        let high = words[k][l];
        let sign = high.sign() ^ beat.negate.bit(k as u32);
        concat(&[sign, high.bits(0, 31), low[3 * l + k]])
    };
    let operands = row(lanes.map(|l| row((0..3).map(|k| operand(l, k)))));
    let first = First::unpack(m.wire("first", firsts.read(beat.warp)), p);
    let placed = Placed {
        function: first.function,
        warp: beat.warp,
        low: first.destination,
        writes_low: first.writes,
        high: Some(beat.destination),
        writes_high: Some(beat.writes),
    };
    Arriving { valid: second, beat: beat.beat, active: beat.active, operands, placed }
}
