//! A unit beside the lanes: for instructions that only some lanes can compute at a time. Those of [`super`] are made
//! from it.
//!
//! ```text
//!                +----------+   +-------------+   +---------+
//!  operands ---->| places   |-->| arithmetic  |-->| results |--> write (RegisterWrite), done
//!                | (4 x 32) |   | (units)     |   | (4 x 32)|<-- write_granted
//!  reserve ----->+----------+   +-------------+   +---------+
//!                     ready: a place is free
//! ```
//!
//! Contract: an instruction takes a place when it is `reserve`d, only with `ready`, and fills it beat by beat. From the
//! cycle after its last beat the threads of the place go through the units, as many as there are in a cycle,
//! [`CoreParams::execute_stages`] cycles from operands to result, with all registers but the last within the arithmetic
//! as far as it has places. Then the words of the results are written, the low
//! ones first where there are two, a beat in each cycle in which `write_granted` is one; `done` is shown with the last
//! beat of each. A word whose register is `RZ` is passed over. Places are served in order, so that while one is
//! computed others are filled and written: a warp takes 32 / units cycles.

use super::execution_unit::{ExecutionUnitPorts, FUNCTION_BITS, UnitBeat, UnitMemory};
use crate::{
    config::CoreParams,
    params::WARP,
    results::{Completion, RegisterWrite},
};
use blocks::index_one_hot;
use hdl::{Builder, Bundle, MemoryHandle, Module, PortName, Signal, bundle, concat, index_width, mux, ports, row};

/// Instructions of warps in a unit.
pub const PLACES: usize = 4;

/// An operand of the arithmetic.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnitOperand {
    /// As it is called there.
    pub name: &'static str,
    /// Which operand of the instruction it is.
    pub of: Source,
}

impl UnitOperand {
    /// Operands that are called there as in the instruction.
    pub const ABC: [Self; 3] =
        [Self { name: "a", of: Source::A }, Self { name: "b", of: Source::B }, Self { name: "c", of: Source::C }];
}

impl PortName for UnitOperand {
    fn append_to(&self, out: &mut String) {
        self.name.append_to(out);
    }
}

/// An operand of an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    /// The first one.
    A,
    /// The second one: a register, an immediate, a special register.
    B,
    /// The third one.
    C,
}

impl Source {
    /// Its words, of each lane.
    pub(super) fn words<'m>(self, beat: &UnitBeat<'m>) -> Signal<'m> {
        match self {
            Self::A => beat.a,
            Self::B => beat.b,
            Self::C => beat.c,
        }
    }

    /// It is negated.
    pub(super) fn negate<'m>(self, beat: &UnitBeat<'m>) -> Signal<'m> {
        beat.negate.bit(self as u32)
    }
}

/// What the arithmetic of one thread takes and gives.
#[derive(Clone, Copy, Debug)]
pub struct ArithmeticShape {
    /// Its operands.
    pub operands: &'static [UnitOperand],
    /// Words of 32 bits of an operand and of the result: 1 or 2.
    pub words: u32,
    /// Registers within it: of `execute_stages`, with one behind it at least.
    pub registers: u32,
}

impl ArithmeticShape {
    /// Bits of an operand, and of the result.
    fn bits(&self) -> u32 {
        32 * self.words
    }

    /// Bits of the operands of a thread.
    fn operand_bits(&self) -> u32 {
        self.operands.len() as u32 * self.bits()
    }

    fn has_high(&self) -> bool {
        self.words == 2
    }
}

ports! {
    /// Ports of the arithmetic of one thread.
    pub struct ArithmeticPorts(p: &ArithmeticShape) of Arithmetic {
        /// The opcode within its unit.
        in function: FUNCTION_BITS,
        /// An operand.
        in operand[name: UnitOperand in p.operands.iter().copied()] as name: p.bits(),
        /// Its registers take what is in front of them, a bit each.
        maybe (p.registers > 0) in enable: p.registers,
        /// What it gives.
        out result: p.bits(),
    }
}

/// What a unit computes with.
pub(super) struct SharedUnit {
    /// Parameters of the core.
    pub core: CoreParams,
    /// Threads that it computes in a cycle.
    pub units: u32,
    /// Arithmetic of one thread.
    pub shape: ArithmeticShape,
    /// The block with [these ports](ArithmeticPorts).
    pub arithmetic: Module,
}

/// The memories of a unit, for the energy of their accesses: of `what`, with so many operands of so many words.
pub(super) fn memories(p: &CoreParams, what: &str, operands: u32, words: u32) -> Vec<UnitMemory> {
    let rows = PLACES as u32 * p.beats();
    let memory = |holds: &str, width, reads| UnitMemory { holds: format!("{holds} of {what}"), rows, width, reads };
    // All operands of a beat are read at once, its results word by word.
    let results = memory("results", p.lanes * 32 * words, words.into());
    vec![memory("operands", p.lanes * 32 * words * operands, 1), results]
}

bundle! {
    /// An instruction in its place: what it is, and the registers of its result, of low and high words where there are two.
    pub(super) struct Placed(s: &SharedUnit) {
        function: FUNCTION_BITS,
        warp: s.core.warp_bits(),
        low: s.core.register_bits(),
        writes_low: 1,
        maybe high: if s.shape.has_high() { s.core.register_bits() } else { 0 },
        maybe writes_high: u32::from(s.shape.has_high()),
    }
}

/// The memories of a unit, a row for each beat.
#[derive(Clone, Copy)]
struct Rows<'m> {
    /// Of each place: the operands of each lane, the first one low.
    operands: MemoryHandle<'m>,
    /// Lanes that count.
    masks: MemoryHandle<'m>,
    /// A result for each lane.
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

/// A beat of an instruction that goes to its place.
pub(super) struct Arriving<'m> {
    pub valid: Signal<'m>,
    pub beat: Signal<'m>,
    /// Lanes that count.
    pub active: Signal<'m>,
    /// The operands of each lane, the first one low.
    pub operands: Signal<'m>,
    pub placed: Placed<'m>,
}

/// What happens in a unit in a cycle.
pub(super) struct Events<'m> {
    /// The last word of an instruction is written.
    pub written: Signal<'m>,
    /// Units compute.
    pub busy: Signal<'m>,
    /// A result waits for the registers.
    pub waits: Signal<'m>,
}

/// The unit behind the beats that `arriving` shows.
pub(super) fn shared_unit<'m>(m: &'m Builder, side: &SharedUnit, arriving: Arriving<'m>) -> Events<'m> {
    let p = &side.core;
    let depth = PLACES * p.beats() as usize;
    let rows = Rows {
        operands: m.memory("operands", depth, p.lanes * side.shape.operand_bits()),
        masks: m.memory("masks", depth, p.lanes),
        results: m.memory("results", depth, p.lanes * side.shape.bits()),
        placed: m.memory("placed", PLACES, Placed::width(side)),
    };
    let [used, computing, writing] = ["used", "computing", "writing"].map(|name| Stage::new(m, name));
    let io = ExecutionUnitPorts::new(m, p);
    let reserve = io.reserve();
    io.ready(used.count.lt(PLACES as u64));

    let arrived = fill(m, p, rows, arriving);
    let (computed, left) = compute(m, side, rows, &computing);
    let (written, waits) = write(m, side, io, rows, &writing);
    used.step(m, reserve, written);
    computing.step(m, arrived, computed);
    writing.step(m, left, written);
    Events { written, busy: computing.count.any(), waits }
}

/// Operands into their place. Whether a place is full.
fn fill<'m>(m: &'m Builder, p: &CoreParams, rows: Rows<'m>, arriving: Arriving<'m>) -> Signal<'m> {
    m.comment("Operands into a place.");
    let Arriving { valid, beat, active, operands, placed } = arriving;
    let place = m.register("arriving_place", index_width(PLACES), 0);
    let at = p.row(&[place], beat);
    m.when(valid, || {
        rows.operands.write(at, operands);
        rows.masks.write(at, active);
        rows.placed.write(place, placed.pack());
    });
    let arrived = m.wire("arrived", valid & beat.eq(p.beats() - 1));
    m.when(arrived, || m.set(place, place + 1));
    p.one_beat(m, valid, beat);
    arrived
}

/// The units, as many threads a cycle. The cycle in which the last threads of a place go in, and that in which their results are there.
fn compute<'m>(m: &'m Builder, side: &SharedUnit, rows: Rows<'m>, stage: &Stage<'m>) -> (Signal<'m>, Signal<'m>) {
    m.comment("A step: some lanes of a beat go through the units.");
    let SharedUnit { core: p, units, shape, arithmetic } = side;
    let (units, within) = (*units, shape.registers);
    let groups = p.lanes / units;
    let step = m.register("step", index_width((WARP / units) as usize), 0);
    let group_bits = groups.ilog2();
    let (group, place) = (step.bits(0, group_bits), stage.place);
    let beat = if p.beats() == 1 { m.lit(1, 0) } else { step.bits(group_bits, p.beat_bits()) };
    let busy = m.wire("busy", stage.count.any());
    m.when(busy, || m.set(step, step + 1));
    let computed = m.wire("computed", busy & step.all());

    let at = p.row(&[place], beat);
    let lanes = m.wire("operands_now", rows.operands.read(at)).parts(units * shape.operand_bits());
    let chosen = m.wire("chosen", hdl::select(group, &lanes)).parts(shape.bits());
    let placed = Placed::unpack(m.wire("placed_now", rows.placed.read(place)), side);
    let stages = p.execute_stages.max(1);
    let mut valid = vec![(busy, computed)];
    for number in 1..=stages {
        let (valid_before, last_before) = valid[number as usize - 1];
        valid.push((m.delayed(("valid", number), valid_before), m.delayed(("last", number), last_before)));
    }
    let results = (0..units as usize).map(|u| {
        let unit = Arithmetic(m.instance(("unit", u), arithmetic));
        unit.function(placed.function);
        for (k, name) in shape.operands.iter().enumerate() {
            unit.operand(*name, chosen[shape.operands.len() * u + k]);
        }
        if within > 0 {
            unit.enable(row(valid[..within as usize].iter().map(|(valid, _)| *valid)));
        }
        unit.result()
    });
    let mut data = m.wire("data", row(results));
    let mut travels = m.wire("travels", concat(&[at, group]));
    for number in 1..=stages {
        let (valid, _) = valid[number as usize - 1];
        travels = m.captured(("travelling", number), valid, travels);
        if number > within {
            data = m.captured(("result", number), valid, data);
        }
    }
    let (valid, last) = valid[stages as usize];
    let group = index_one_hot(travels.bits(0, group_bits), groups);
    let at = travels.bits(group_bits, travels.width() - group_bits);
    m.when(valid, || rows.results.write_masked(at, data.repeat(groups), group));
    (computed, last)
}

/// Results into the register file: low words, then high words. Whether a place is written, and whether a word waits.
fn write<'m>(
    m: &'m Builder,
    side: &SharedUnit,
    io: ExecutionUnitPorts<'m>,
    rows: Rows<'m>,
    stage: &Stage<'m>,
) -> (Signal<'m>, Signal<'m>) {
    let p = &side.core;
    m.comment("Results, low words first.");
    let high = side.shape.has_high().then(|| m.register("writing_high", 1, 0));
    let beat = if p.beats() == 1 { m.lit(1, 0) } else { m.register("writing_beat", p.beat_bits(), 0) };
    let placed = Placed::unpack(m.wire("written_now", rows.placed.read(stage.place)), side);
    let at = p.row(&[stage.place], beat);
    let words = m.wire("results_now", rows.results.read(at)).parts(side.shape.bits());
    let there = stage.count.any();
    let of_word = |low: Signal<'m>, of_high: Option<Signal<'m>>| {
        high.zip(of_high).map_or(low, |(high, of_high)| mux(high, of_high, low))
    };
    let writes = m.wire("word_writes", there & of_word(placed.writes_low, placed.writes_high));
    let granted = io.write().answer();
    let goes = m.wire("goes", writes & granted);
    let end = m.wire("word_ends", there & !writes | goes & beat.eq(p.beats() - 1));
    if p.beats() > 1 {
        m.when(goes, || m.set(beat, beat + 1));
    }
    if let Some(high) = high {
        m.when(end, || m.set(high, !high));
    }
    let halves = |word: &Signal<'m>| of_word(word.bits(0, 32), high.map(|_| word.bits(32, 32)));
    let data = row(words.iter().map(halves));
    let destination = of_word(placed.low, placed.high);
    let mask = rows.masks.read(at);
    io.write().shows(RegisterWrite { valid: writes, warp: placed.warp, destination, beat, mask, data });
    io.done(Completion { valid: goes & end, warp: placed.warp, destination });
    (m.wire("written", high.map_or(end, |high| end & high)), writes & !granted)
}
