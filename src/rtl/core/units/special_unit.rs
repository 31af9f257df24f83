//! Special function unit of a core: behind the operands, beside the lanes.
//!
//! ```text
//!  beats (function, x: lanes x 32) -->+-----------+--> write (RegisterWrite), done
//!  reserve: an instruction issues --->| side unit |<-- write_granted
//!                                     +-----------+--> ready
//! ```
//!
//! Contract: that of [`mod@super::shared_unit`]; each unit is a [`fp32_special`]. The operand is `b` of the
//! instruction, with its sign.
//!
//! Source: four special function units of a Fermi core, each a thread a cycle, beside its lanes (NVIDIA, "Fermi Compute
//! Architecture Whitepaper", 2009).
//!
//! Testbenches: `testbenches/special_unit/`, `testbenches/special_arithmetic/`; tests: `tests/core/special.rs`.

use super::{
    execution_unit::{ExecutionUnit, FUNCTION_BITS, UnitBeat, UnitBits, UnitMemory},
    shared_unit::{ArithmeticPorts, ArithmeticShape, Arriving, Placed, SharedUnit, UnitOperand, memories, shared_unit},
};
use crate::config::CoreParams;
use blocks::{
    Fp32Special, SPECIAL_CUTS, SPECIAL_FUNCTIONS,
    cuts::{Registers, registers_within},
    fp32_special,
};
use hdl::{Builder, Child, Module, Statistic, bundle, ports, row, statistics};
use program::Feature;

statistics! {
    "special_unit" {
        /// Instructions of a warp computed.
        INSTRUCTIONS: instructions in "instructions";
        /// Cycles in which units compute.
        BUSY_CYCLES: busy_cycles in "cycles";
        /// Cycles in which a result waits for the write port of the registers.
        WRITE_PORT_WAIT_CYCLES: write_port_wait_cycles in "cycles";
    }
}

bundle! {
    /// A beat of a special function.
    pub struct SpecialBeat(p: &CoreParams) {
        valid: 1,
        /// The opcode within its unit.
        function: FUNCTION_BITS,
        warp: p.warp_bits(),
        destination: p.register_bits(),
        /// The destination is not `RZ`.
        writes: 1,
        /// Negate the operand.
        negate: 1,
        beat: p.beat_bits(),
        active: p.lanes,
        x: p.lanes * 32,
    }
}

ports! {
    /// Ports of a [`special_unit`], beside those of all [units](super::ExecutionUnitPorts).
    pub struct SpecialUnitPorts(p: &CoreParams) of SpecialUnit {
        /// A beat at the lanes.
        in beat as "": bundle SpecialBeat(p),
    }
}

/// Its row.
pub struct SpecialFunctions;

impl ExecutionUnit for SpecialFunctions {
    fn name(&self) -> &'static str {
        "special"
    }

    fn about(&self) -> &'static str {
        "Special functions."
    }

    fn bits(&self) -> UnitBits {
        UnitBits { issues: "special_function", writes: "special_writes", reserves: None }
    }

    fn count(&self, p: &CoreParams) -> u32 {
        p.special_units
    }

    fn requirement(&self) -> Option<(Feature, &'static str)> {
        Some((Feature::SpecialFunctions, "core.special_units"))
    }

    fn module(&self, p: &CoreParams) -> Module {
        special_unit(p)
    }

    fn connect<'m>(&self, beat: &UnitBeat<'m>, unit: Child<'m>) {
        let (function, negate) = (beat.function(), beat.negate.bit(1));
        let UnitBeat { valid, writes, warp, destination, beat, active, b, .. } = *beat;
        SpecialUnit(unit).beat(SpecialBeat { valid, function, warp, destination, writes, negate, beat, active, x: b });
    }

    fn statistics(&self) -> &'static [Statistic] {
        STATISTICS
    }

    fn instructions(&self) -> Statistic {
        INSTRUCTIONS
    }

    fn memories(&self, p: &CoreParams) -> Vec<UnitMemory> {
        memories(p, "special functions", 1, 1)
    }

    /// A table and two products with a sum.
    fn energy(&self, product: f64, sum: f64) -> f64 {
        2.0 * (product + sum)
    }
}

/// The operand.
const X: UnitOperand = UnitOperand("x");

fn shape(registers: u32) -> ArithmeticShape {
    ArithmeticShape { operands: &[X], words: 1, registers }
}

/// Arithmetic of one thread: the special function that the opcode names; with registers for its input `enable` (a bit each) within.
pub fn special_arithmetic(registers: u32) -> Module {
    let m = Builder::new("special_arithmetic", registers_within(registers));
    m.doc("A special function, by the opcode within its unit.");
    let io = ArithmeticPorts::new(&m, &shape(registers));
    let function = io.function();
    let unit = Fp32Special(m.instance("special", &fp32_special(registers)));
    unit.enable(io.enable());
    unit.function(row(SPECIAL_FUNCTIONS.iter().map(|&of| function.eq(of as u64 & 31))));
    unit.x(io.operand(X));
    io.result(unit.y());
    m.finish()
}

/// The unit.
pub fn special_unit(p: &CoreParams) -> Module {
    with_registers(p, Registers::Within)
}

fn with_registers(p: &CoreParams, registers: Registers) -> Module {
    let names = p.sizes().with("registers_behind", &registers.are_behind());
    let m = Builder::new("special_unit", p.parameters(names));
    m.doc("Special function unit: units for a part of the lanes.");
    m.require(p.special_units > 0, "special_unit: special_units is at least 1");
    let units = p.special_units.clamp(1, p.lanes);
    let within = registers.within(p.execute_stages.max(1) - 1, SPECIAL_CUTS);
    let arithmetic = special_arithmetic(within);
    let side = SharedUnit { core: p.clone(), units, shape: shape(within), arithmetic };
    let beat = SpecialUnitPorts::new(&m, p).beat();
    let placed = Placed {
        function: beat.function,
        warp: beat.warp,
        low: beat.destination,
        writes_low: beat.writes,
        high: None,
        writes_high: None,
    };
    let operands = row(beat.x.parts(32).into_iter().map(|x| (x.sign() ^ beat.negate).join(x.bits(0, 31))));
    let arriving = Arriving { valid: beat.valid, beat: beat.beat, active: beat.active, operands, placed };
    let events = shared_unit(&m, &side, arriving);
    m.count(INSTRUCTIONS, events.written);
    m.count(BUSY_CYCLES, events.busy);
    m.count(WRITE_PORT_WAIT_CYCLES, events.waits);
    if within > 0 {
        m.equal(with_registers(p, Registers::Behind));
    }
    m.finish()
}
