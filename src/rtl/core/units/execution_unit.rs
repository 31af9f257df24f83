//! What a unit beside the lanes says of itself, and what it sees of the core.

use crate::{
    config::CoreParams,
    results::{Completion, RegisterWrite},
};
use hdl::{Builder, Child, Module, Signal, Statistic, ports};
use program::{
    Feature,
    isa::{Instruction, Opcode},
};

/// Bits of the function code of a unit beside the lanes: the opcode within its unit.
pub(crate) const FUNCTION_BITS: u32 = 5;

ports! {
    /// Ports of a unit beside the lanes: those that all of them have.
    pub struct ExecutionUnitPorts(p: &CoreParams) of PlacedUnit {
        /// An instruction issues that takes a place.
        in reserve: 1,
        /// There is a place for one.
        out ready: 1,
        /// Words for the registers.
        out write: bundle RegisterWrite(p) with granted: 1,
        /// A register has its result.
        out done: bundle Completion(p),
    }
}

/// A unit beside the lanes.
pub trait ExecutionUnit: Sync {
    /// What its ports are called after, and its block: `<name>_unit`.
    fn name(&self) -> &'static str;

    /// What it computes, in a few words.
    fn about(&self) -> &'static str;

    /// What the decoder tells of its instructions; the names are those of no other unit.
    fn bits(&self) -> UnitBits;

    /// Threads that it computes in a cycle, its lanes; 0: the core has none. By default what the configuration says of a
    /// unit of another crate, `core.own_units.<name>`.
    fn count(&self, p: &CoreParams) -> u32 {
        p.own_units.of(self.name())
    }

    /// What a kernel with such an instruction needs, and the configuration key that says how much there is; none: in a
    /// core without the unit the lanes compute them.
    fn requirement(&self) -> Option<(Feature, &'static str)> {
        None
    }

    /// The instruction is one of its own: by default, it needs what the unit is.
    fn computes(&self, opcode: Opcode) -> bool {
        self.requirement().is_some_and(|(feature, _)| feature.needed_by(&Instruction::new(opcode)) > 0)
    }

    /// The block: [`ExecutionUnitPorts`], and those of [`connect`](Self::connect).
    fn module(&self, p: &CoreParams) -> Module;

    /// A beat of an instruction, to the unit.
    fn connect<'m>(&self, beat: &UnitBeat<'m>, unit: Child<'m>);

    /// With barrel issue, whether the next instruction `waits` for the last one; `bits` are those of [`UnitHazards`](super::UnitHazards).
    fn waits_in_turn<'m>(
        &self,
        _m: &'m Builder,
        _bits: [Option<Signal<'m>>; 2],
        _issue: Signal<'m>,
        waits: Signal<'m>,
    ) -> Signal<'m> {
        waits
    }

    /// What it counts.
    fn statistics(&self) -> &[Statistic];

    /// Of that, the instructions of a warp that it has computed.
    fn instructions(&self) -> Statistic;

    /// Instructions that are issued for each of these.
    fn issues(&self) -> u32 {
        if self.bits().reserves.is_some() { 2 } else { 1 }
    }

    /// Its memories, for the energy of their accesses.
    fn memories(&self, p: &CoreParams) -> Vec<UnitMemory>;

    /// Energy of an operation of a thread, from that of a product and of a sum in single precision: an estimate.
    fn energy(&self, product: f64, sum: f64) -> f64;
}

/// Names of what the decoder tells of the instructions of a unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnitBits {
    /// The instruction is one of the unit's.
    pub issues: &'static str,
    /// And it writes a register that is not `RZ`.
    pub writes: &'static str,
    /// Of instructions of two parts: the name of the bit of the part that takes a place in the unit, and its opcode. None: every
    /// instruction takes one.
    pub reserves: Option<(&'static str, Opcode)>,
}

/// A memory of a unit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnitMemory {
    /// What it holds.
    pub holds: String,
    /// Words.
    pub rows: u32,
    /// Bits of a word.
    pub width: u32,
    /// Reads for a beat of an instruction; it is written once.
    pub reads: u64,
}

/// A beat of an instruction at the lanes, as a unit beside them sees it.
#[derive(Clone, Copy)]
pub struct UnitBeat<'m> {
    /// It is one of the unit's.
    pub valid: Signal<'m>,
    /// And its register is not `RZ`.
    pub writes: Signal<'m>,
    /// Which.
    pub opcode: Signal<'m>,
    /// Whose.
    pub warp: Signal<'m>,
    /// The register.
    pub destination: Signal<'m>,
    /// Negate operands a, b, c: bits 0, 1, 2.
    pub negate: Signal<'m>,
    /// Which beat.
    pub beat: Signal<'m>,
    /// Lanes whose thread executes and whose guard holds.
    pub active: Signal<'m>,
    /// Operand of each lane.
    pub a: Signal<'m>,
    /// See `a`.
    pub b: Signal<'m>,
    /// See `a`.
    pub c: Signal<'m>,
}

impl<'m> UnitBeat<'m> {
    /// The opcode within its unit.
    pub fn function(&self) -> Signal<'m> {
        self.opcode.bits(0, FUNCTION_BITS)
    }
}
