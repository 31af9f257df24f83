//! Double-precision unit of a core: behind the operands, beside the lanes.
//!
//! ```text
//!  beats of the low words -------->+--------------+
//!  (opcode, a, b, c: lanes x 32)   | latch        |
//!                                  | (per warp)   |-->+----------+   +-------------+   +---------+
//!  beats of the high words (DHIGH) +--------------+   | places   |-->| arithmetic  |-->| results |--> write (RegisterWrite), done
//!  ---------------------------------------------------| (4 x 32) |   | (units)     |   | (4 x 32)|<-- write_granted
//!  reserve: a DHIGH issues --------------------------->+----------+   +-------------+   +---------+
//!                                                         ready: a place is free
//! ```
//!
//! Contract: an instruction in double precision comes in two, of low and of high words, each in `beats` beats. The first one waits for nobody: its words
//! stay in the latch of its warp. The second one, which is `reserve`d when it issues, takes a place; only with `ready`. From
//! the cycle after its last beat the threads of the place go through the units, as many as there are in a cycle, [`CoreParams::execute_stages`] cycles from
//! operands to result. Then the low words of the results are written, and the high words, a beat in each cycle in which `write_granted` is one; `done`
//! is shown with the last beat of each. A word whose register is `RZ` is passed over. Places are served in order, so that
//! while one is computed others are filled and written: a warp takes 32 / units cycles.
//!
//! Negations are those of the second instruction, which has the signs.
//!
//! Testbenches: `testbenches/double_unit/`, `testbenches/double_arithmetic/`; tests: `tests/core/doubles.rs`.

use super::{
    params::{CoreParams, WARP},
    ports::{Completion, DoubleBeat, RegisterWrite},
};
use crate::blocks::{
    Format, fp32_to_fp64, fp64_fma, fp64_from_integer, fp64_relation, fp64_to_fp32, fp64_to_integer, index_one_hot,
};
use hdl::{
    Builder, Bundle, MemoryHandle, Module, Signal, bundle, concat, index_width, mux, params, priority_mux, row,
    statistics,
};
use program::isa::Opcode;

statistics! {
    "double_unit" {
        /// Instructions of a warp computed.
        INSTRUCTIONS: instructions in "instructions";
        /// Cycles in which units compute.
        BUSY_CYCLES: busy_cycles in "cycles";
        /// Cycles in which a result waits for the write port of the registers.
        WAITS_FOR_REGISTERS: waits_for_registers in "cycles";
    }
}

/// Instructions of warps in the unit.
pub const PLACES: usize = 4;
/// Bits of the function code: the opcode within its unit.
pub(super) const FUNCTION_BITS: u32 = 5;

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

    let fma = m.instance("fma", &fp64_fma());
    let (add, multiply) = (is(Opcode::DAdd), is(Opcode::DMul));
    let (one, minus_zero) = (m.lit(64, format.bias() << format.fraction), m.lit(64, 1 << 63));
    fma.drive("a", a);
    fma.drive("b", mux(add, one, b));
    fma.drive("c", mux(add, b, mux(multiply, minus_zero, c)));

    let relation = m.instance("relation", &fp64_relation());
    relation.drive("a", a);
    relation.drive("b", b);
    let from_integer = m.instance("from_integer", &fp64_from_integer());
    from_integer.drive("value", b);
    from_integer.drive("signed_value", is(Opcode::I2dS));
    let to_integer = m.instance("to_integer", &fp64_to_integer());
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

bundle! {
    /// An instruction in its place: what it is, and the registers of low and high words.
    struct Placed(p: &CoreParams) {
        function: FUNCTION_BITS,
        warp: p.warp_bits(),
        low: p.register_bits(),
        writes_low: 1,
        high: p.register_bits(),
        writes_high: 1,
    }
}

/// The memories of a unit, a row for each beat.
#[derive(Clone, Copy)]
struct Rows<'m> {
    /// Of each place: operands, 192 bits a lane: a, b, c.
    operands: MemoryHandle<'m>,
    /// Lanes that count.
    masks: MemoryHandle<'m>,
    /// 64 bits a lane.
    results: MemoryHandle<'m>,
    /// [`Placed`] of each place.
    placed: MemoryHandle<'m>,
}

/// A place, and the number of places that are ready for what is done there.
struct Stage<'m> {
    place: Signal<'m>,
    count: Signal<'m>,
}

impl<'m> Stage<'m> {
    fn new(m: &'m Builder, name: &str) -> Self {
        let bits = index_width(PLACES);
        Self { place: m.register((name, "place"), bits, 0), count: m.register((name, "count"), bits + 1, 0) }
    }

    /// One more is ready where `more` is one; one is done, in order, where `done` is.
    fn step(&self, m: &'m Builder, more: Signal<'m>, done: Signal<'m>) {
        m.when(done, || m.set(self.place, self.place + 1));
        m.set(self.count, self.count + more.extend(self.count.width()) - done.extend(self.count.width()));
        m.always("there is one that is done", !done | self.count.any());
        m.always("places are enough", !more | done | self.count.lt(PLACES as u64));
    }
}

/// The unit.
pub fn double_unit(p: &CoreParams) -> Module {
    let names = params! { w: p.warps, l: p.lanes, r: p.registers, stages: p.execute_stages.max(1) };
    let m = Builder::new("double_unit", [names, p.double_key().into_iter().collect()].concat());
    m.doc("Double-precision unit: instructions of two halves, units for a part of the lanes.");
    m.require(p.double_units() > 0, "double_unit: double = none, 1/8 or 1/2 is needed");
    let rows = PLACES * p.beats() as usize;
    let rows = Rows {
        operands: m.memory("operands", rows, p.lanes * 192),
        masks: m.memory("masks", rows, p.lanes),
        results: m.memory("results", rows, p.lanes * 64),
        placed: m.memory("placed", PLACES, Placed::width(p)),
    };
    let [used, computing, writing] = ["used", "computing", "writing"].map(|name| Stage::new(&m, name));
    let reserve = m.input("reserve", 1);
    m.output_of("ready", used.count.lt(PLACES as u64));

    let arrived = arrive(&m, p, rows);
    let (computed, left) = compute(&m, p, rows, &computing);
    let written = write(&m, p, rows, &writing);
    used.step(&m, reserve, written);
    computing.step(&m, arrived, computed);
    writing.step(&m, left, written);
    m.count(INSTRUCTIONS, written);
    m.count(BUSY_CYCLES, computing.count.any());
    m.finish()
}

/// Operands: low words into the latch of their warp, and together with the high words into a place. Whether a place is full.
fn arrive<'m>(m: &'m Builder, p: &CoreParams, rows: Rows<'m>) -> Signal<'m> {
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
    let place = m.register("arriving_place", index_width(PLACES), 0);
    let at = p.row(&[place], beat.beat);
    let whole = row(lanes.map(|l| row((0..3).map(|k| operand(l, k)))));
    let first = First::unpack(m.wire("first", firsts.read(beat.warp)), p);
    m.when(second, || {
        rows.operands.write(at, whole);
        rows.masks.write(at, beat.active);
        let placed = Placed {
            function: first.function,
            warp: beat.warp,
            low: first.destination,
            writes_low: first.writes,
            high: beat.destination,
            writes_high: beat.writes,
        };
        rows.placed.write(place, placed.pack());
    });
    let arrived = m.wire("arrived", second & beat.beat.eq(p.beats() - 1));
    m.when(arrived, || m.set(place, place + 1));
    p.one_beat(m, &[beat.beat]);
    arrived
}

/// The units, as many threads a cycle. The cycle in which the last threads of a place go in, and that in which their results are there.
fn compute<'m>(m: &'m Builder, p: &CoreParams, rows: Rows<'m>, stage: &Stage<'m>) -> (Signal<'m>, Signal<'m>) {
    m.comment("A step: some lanes of a beat go through the units.");
    let units = p.double_units().max(1);
    let groups = p.lanes / units;
    let step = m.register("step", index_width((WARP / units) as usize), 0);
    let group_bits = groups.ilog2();
    let (group, place) = (step.bits(0, group_bits), stage.place);
    let beat = if p.beats() == 1 { m.lit(1, 0) } else { step.bits(group_bits, p.beat_bits()) };
    let busy = m.wire("busy", stage.count.any());
    m.when(busy, || m.set(step, step + 1));
    let computed = m.wire("computed", busy & step.all());

    let at = p.row(&[place], beat);
    let lanes = m.wire("operands_now", rows.operands.read(at)).parts(units * 192);
    let chosen = m.wire("chosen", hdl::select(group, &lanes)).parts(64);
    let placed = Placed::unpack(m.wire("placed_now", rows.placed.read(place)), p);
    let module = double_arithmetic();
    let results = (0..units as usize).map(|u| {
        let unit = m.instance(("unit", u), &module);
        unit.drive("function", placed.function);
        for (k, name) in ["a", "b", "c"].into_iter().enumerate() {
            unit.drive(name, chosen[3 * u + k]);
        }
        unit.get("result")
    });
    let mut data = m.wire("data", row(results));
    let (mut valid, mut last) = (busy, computed);
    let mut travels = m.wire("travels", concat(&[at, group]));
    for number in 1..=p.execute_stages.max(1) {
        [valid, last] = [("valid", valid), ("last", last)].map(|(name, value)| m.delayed((name, number), value));
        [travels, data] = [("travelling", travels), ("result", data)].map(|(name, value)| {
            let register = m.register_payload((name, number), value.width());
            m.set(register, value);
            register
        });
    }
    let group = index_one_hot(travels.bits(0, group_bits), groups);
    let at = travels.bits(group_bits, travels.width() - group_bits);
    m.when(valid, || rows.results.write_masked(at, data.repeat(groups), group));
    (computed, last)
}

/// Results into the register file: low words, then high words. Whether a place is written.
fn write<'m>(m: &'m Builder, p: &CoreParams, rows: Rows<'m>, stage: &Stage<'m>) -> Signal<'m> {
    m.comment("Results, low words first.");
    let high = m.register("writing_high", 1, 0);
    let beat = if p.beats() == 1 { m.lit(1, 0) } else { m.register("writing_beat", p.beat_bits(), 0) };
    let placed = Placed::unpack(m.wire("written_now", rows.placed.read(stage.place)), p);
    let at = p.row(&[stage.place], beat);
    let words = m.wire("results_now", rows.results.read(at)).parts(64);
    let there = stage.count.any();
    let writes = m.wire("word_writes", there & mux(high, placed.writes_high, placed.writes_low));
    let granted = m.input("write_granted", 1);
    let goes = m.wire("goes", writes & granted);
    let end = m.wire("word_ends", there & !writes | goes & beat.eq(p.beats() - 1));
    if p.beats() > 1 {
        m.when(goes, || m.set(beat, beat + 1));
    }
    m.when(end, || m.set(high, !high));
    let data = row(words.iter().map(|word| mux(high, word.bits(32, 32), word.bits(0, 32))));
    let destination = mux(high, placed.high, placed.low);
    let mask = rows.masks.read(at);
    RegisterWrite { valid: writes, warp: placed.warp, destination, beat, mask, data }.outputs(m, "write", p);
    Completion { valid: goes & end, warp: placed.warp, destination }.outputs(m, "done", p);
    m.count(WAITS_FOR_REGISTERS, writes & !granted);
    m.wire("written", end & high)
}
