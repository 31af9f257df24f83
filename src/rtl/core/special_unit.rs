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
    params::CoreParams,
    ports::{FUNCTION_BITS, SpecialBeat},
    shared_unit::{Arriving, Placed, SharedUnit, shared_unit},
};
use crate::blocks::{
    SPECIAL_CUTS, SPECIAL_FUNCTIONS,
    cuts::{Registers, registers_within},
    fp32_special,
};
use hdl::{Builder, Bundle, Module, row, statistics};

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

/// Arithmetic of one thread: the special function that the opcode names; with registers for its input `enable` (a bit each) within.
pub fn special_arithmetic(registers: u32) -> Module {
    let m = Builder::new("special_arithmetic", registers_within(registers));
    m.doc("A special function, by the opcode within its unit.");
    let function = m.input("function", FUNCTION_BITS);
    let unit = m.instance("special", &fp32_special(registers));
    if registers > 0 {
        unit.drive("enable", m.input("enable", registers));
    }
    unit.drive("function", row(SPECIAL_FUNCTIONS.iter().map(|&of| function.eq(of as u64 & 31))));
    unit.drive("x", m.input("x", 32));
    m.output_of("result", unit.get("y"));
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
    let side = SharedUnit { core: p.clone(), units, operands: &["x"], words: 1, arithmetic, within };
    let beat = SpecialBeat::inputs(&m, "", p);
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
