//! A unit beside the lanes whose arithmetic takes words of the registers and gives a word: what differs between two of
//! them is a value of [`WordUnit`], and the arithmetic of a thread.
//!
//! ```text
//!  beats (function, an operand or more: lanes x 32) -->+-------------+--> write (RegisterWrite), done
//!  reserve: an instruction issues -------------------->| shared_unit |<-- write_granted
//!                                                      +-------------+--> ready
//! ```
//!
//! Contract: that of [`mod@super::shared_unit`].

use super::{
    execution_unit::{ExecutionUnit, FUNCTION_BITS, UnitBeat, UnitBits, UnitMemory},
    shared_unit::{ArithmeticShape, Arriving, Placed, SharedUnit, UnitOperand, memories, shared_unit},
};
use crate::config::CoreParams;
use blocks::cuts::Registers;
use hdl::{Builder, Child, Module, Statistic, bundle, ports, row};
use program::{Feature, isa::Opcode};

/// Such a unit.
pub struct WordUnit {
    /// See [`ExecutionUnit::name`].
    pub name: &'static str,
    /// See [`ExecutionUnit::about`].
    pub about: &'static str,
    /// What its block is, in a sentence.
    pub doc: &'static str,
    /// See [`ExecutionUnit::bits`].
    pub bits: UnitBits,
    /// See [`ExecutionUnit::computes`].
    pub computes: fn(Opcode) -> bool,
    /// Of a unit of the project; a unit of another crate has the key that it gets by its [name](ExecutionUnit::count).
    pub built_in: Option<BuiltIn>,
    /// Operands of the arithmetic.
    pub operands: &'static [UnitOperand],
    /// Operands are floats, whose signs the instruction may negate.
    pub negates: bool,
    /// Arithmetic of a thread: [`ArithmeticPorts`](super::shared_unit::ArithmeticPorts) of [`shape`](Self::shape), with so
    /// many registers within.
    pub arithmetic: fn(u32) -> Module,
    /// Places for registers within it.
    pub cuts: u32,
    /// [`word_statistics`] of its block, `<name>_unit`.
    pub statistics: [Statistic; 3],
    /// See [`ExecutionUnit::energy`].
    pub energy: fn(f64, f64) -> f64,
}

/// What a unit of the project has beside a [`WordUnit`].
pub struct BuiltIn {
    /// What kernels need it for.
    pub feature: Feature,
    /// The key of a configuration that says how many there are.
    pub key: &'static str,
    /// How many there are.
    pub count: fn(&CoreParams) -> u32,
}

/// What such a unit counts: instructions, cycles of work, cycles of waiting.
pub const fn word_statistics(block: &'static str) -> [Statistic; 3] {
    const fn of(block: &'static str, name: &'static str, unit: &'static str, about: &'static str) -> Statistic {
        Statistic { block, name, index: None, unit, about }
    }
    let waits = "Cycles in which a result waits for the write port of the registers.";
    [
        of(block, "instructions", "instructions", "Instructions of a warp computed."),
        of(block, "busy_cycles", "cycles", "Cycles in which units compute."),
        of(block, "write_port_wait_cycles", "cycles", waits),
    ]
}

/// What the widths of a unit depend on.
pub struct WordUnitShape {
    /// Of the core.
    pub core: CoreParams,
    /// Operands, by name.
    pub operands: &'static [UnitOperand],
    /// They may be negated.
    pub negates: bool,
}

bundle! {
    /// A beat of an instruction, without its operands.
    pub struct WordBeat(s: &WordUnitShape) {
        valid: 1,
        /// The opcode within its unit.
        function: FUNCTION_BITS,
        warp: s.core.warp_bits(),
        destination: s.core.register_bits(),
        /// The destination is not `RZ`.
        writes: 1,
        /// Negate the operands, a bit each.
        maybe negate: if s.negates { s.operands.len() as u32 } else { 0 },
        beat: s.core.beat_bits(),
        active: s.core.lanes,
    }
}

ports! {
    /// Ports of the block of a [`WordUnit`], beside those of all [units](super::ExecutionUnitPorts).
    pub struct WordUnitPorts(s: &WordUnitShape) of PlacedWordUnit {
        /// A beat at the lanes.
        in beat as "": bundle WordBeat(s),
        /// An operand of each lane.
        in operand[name: UnitOperand in s.operands.iter().copied()] as name: s.core.lanes * 32,
    }
}

impl WordUnit {
    /// What its arithmetic takes and gives, with so many registers within.
    pub const fn shape(&self, registers: u32) -> ArithmeticShape {
        ArithmeticShape { operands: self.operands, words: 1, registers }
    }

    fn with_registers(&self, p: &CoreParams, registers: Registers) -> Module {
        let (name, names) = (self.name, p.sizes().with("registers_behind", &registers.are_behind()));
        let m = Builder::new(&format!("{name}_unit"), p.parameters(names));
        m.doc(self.doc);
        let key = self.built_in.as_ref().map_or(format!("own_units.{name}"), |of| of.key.replace("core.", ""));
        m.require(self.count(p) > 0, &format!("{name}_unit: {key} is at least 1"));
        let units = self.count(p).clamp(1, p.lanes);
        let within = registers.within(p.execute_stages.max(1) - 1, self.cuts);
        let arithmetic = (self.arithmetic)(within);
        let side = SharedUnit { core: p.clone(), units, shape: self.shape(within), arithmetic };
        let shape = WordUnitShape { core: p.clone(), operands: self.operands, negates: self.negates };
        let io = WordUnitPorts::new(&m, &shape);
        let beat = io.beat();
        let placed = Placed {
            function: beat.function,
            warp: beat.warp,
            low: beat.destination,
            writes_low: beat.writes,
            high: None,
            writes_high: None,
        };
        let words: Vec<_> = self.operands.iter().map(|operand| io.operand(*operand).parts(32)).collect();
        let of_lane = |lane: usize| {
            words.iter().enumerate().map(move |(k, words)| match beat.negate {
                Some(negate) => (words[lane].sign() ^ negate.bit(k as u32)).join(words[lane].bits(0, 31)),
                None => words[lane],
            })
        };
        let operands = row((0..p.lanes as usize).flat_map(of_lane));
        let arriving = Arriving { valid: beat.valid, beat: beat.beat, active: beat.active, operands, placed };
        let events = shared_unit(&m, &side, arriving);
        let [instructions, busy_cycles, write_port_wait_cycles] = self.statistics;
        m.count(instructions, events.written);
        m.count(busy_cycles, events.busy);
        m.count(write_port_wait_cycles, events.waits);
        if within > 0 {
            m.equal(self.with_registers(p, Registers::Behind));
        }
        m.finish()
    }
}

impl ExecutionUnit for WordUnit {
    fn name(&self) -> &'static str {
        self.name
    }

    fn about(&self) -> &'static str {
        self.about
    }

    fn bits(&self) -> UnitBits {
        self.bits
    }

    fn count(&self, p: &CoreParams) -> u32 {
        self.built_in.as_ref().map_or_else(|| p.own_units.of(self.name), |of| (of.count)(p))
    }

    fn requirement(&self) -> Option<(Feature, &'static str)> {
        self.built_in.as_ref().map(|of| (of.feature, of.key))
    }

    fn computes(&self, opcode: Opcode) -> bool {
        (self.computes)(opcode)
    }

    fn module(&self, p: &CoreParams) -> Module {
        self.with_registers(p, Registers::Within)
    }

    fn connect<'m>(&self, of_lanes: &UnitBeat<'m>, unit: Child<'m>) {
        let (unit, function) = (PlacedWordUnit(unit), of_lanes.function());
        let negates = row(self.operands.iter().map(|operand| operand.of.negate(of_lanes)));
        let UnitBeat { valid, writes, warp, destination, beat, active, .. } = *of_lanes;
        let negate = self.negates.then_some(negates);
        unit.beat(WordBeat { valid, function, warp, destination, writes, negate, beat, active });
        self.operands.iter().for_each(|operand| unit.operand(*operand, operand.of.words(of_lanes)));
    }

    fn statistics(&self) -> &[Statistic] {
        &self.statistics
    }

    fn instructions(&self) -> Statistic {
        self.statistics[0]
    }

    fn memories(&self, p: &CoreParams) -> Vec<UnitMemory> {
        memories(p, &self.about.trim_end_matches('.').to_lowercase(), self.operands.len() as u32, 1)
    }

    fn energy(&self, product: f64, sum: f64) -> f64 {
        (self.energy)(product, sum)
    }
}
