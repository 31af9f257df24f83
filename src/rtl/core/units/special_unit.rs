//! Special function unit of a core: behind the operands, beside the lanes.
//!
//! ```text
//!  beats (function, x: lanes x 32) -->+-----------+--> write (RegisterWrite), done
//!  reserve: an instruction issues --->| side unit |<-- write_granted
//!                                     +-----------+--> ready
//! ```
//!
//! Contract: that of [`mod@super::word_unit`]; each unit is a [`fp32_special`]. The operand is `b` of the
//! instruction, with its sign.
//!
//! Source: four special function units of a Fermi core, each a thread a cycle, beside its lanes (NVIDIA, "Fermi Compute
//! Architecture Whitepaper", 2009).
//!
//! Testbenches: `testbenches/special_unit/`, `testbenches/special_arithmetic/`; tests: `tests/core/special.rs`.

use super::{
    execution_unit::{ExecutionUnit, UnitBits},
    shared_unit::{ArithmeticPorts, Source, UnitOperand},
    word_unit::{BuiltIn, WordUnit, word_statistics},
};
use crate::config::CoreParams;
use blocks::{Fp32Special, SPECIAL_CUTS, SPECIAL_FUNCTIONS, cuts::registers_within, fp32_special};
use hdl::{Builder, Module, row};
use program::{Feature, isa::Opcode};

/// The operand.
const X: UnitOperand = UnitOperand { name: "x", of: Source::B };

/// Its row.
pub static SPECIAL: WordUnit = WordUnit {
    name: "special",
    about: "Special functions.",
    doc: "Special function unit: units for a part of the lanes.",
    bits: UnitBits { issues: "special_function", writes: "special_writes", reserves: None },
    computes: Opcode::is_special_function,
    built_in: Some(BuiltIn {
        feature: Feature::SpecialFunctions,
        key: "core.special_units",
        count: |p| p.special_units,
    }),
    operands: &[X],
    negates: true,
    arithmetic: special_arithmetic,
    cuts: SPECIAL_CUTS,
    statistics: word_statistics("special_unit"),
    // A table and two products with a sum.
    energy: |product, sum| 2.0 * (product + sum),
};

/// Arithmetic of one thread: the special function that the opcode names; with registers for its input `enable` (a bit each) within.
pub fn special_arithmetic(registers: u32) -> Module {
    let m = Builder::new("special_arithmetic", registers_within(registers));
    m.doc("A special function, by the opcode within its unit.");
    let io = ArithmeticPorts::new(&m, &SPECIAL.shape(registers));
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
    SPECIAL.module(p)
}
