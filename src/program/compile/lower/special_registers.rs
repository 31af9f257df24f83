//! Names of special registers.

use crate::isa::{BARRIER_SUM, SPECIAL_REGISTERS};

/// Those of PTX: the outcome of a barrier has no name there.
pub const PTX_REGISTERS: &[&str] = SPECIAL_REGISTERS.split_at(BARRIER_SUM as usize).0;

/// The number of a special register, if the name is one's.
pub fn special_register(name: &str) -> Option<u32> {
    PTX_REGISTERS.iter().position(|s| name.strip_prefix('%') == Some(s)).map(|i| i as u32)
}

/// Those that are made from others, and their bits.
const DERIVED: [(&str, u32); 8] = [
    ("lanemask_eq", 32),
    ("lanemask_lt", 32),
    ("lanemask_le", 32),
    ("lanemask_gt", 32),
    ("lanemask_ge", 32),
    ("clock64", 64),
    ("clock_hi", 32),
    ("gridid", 64),
];

/// Bits of a special register, if the name is one's.
pub fn special_bits(name: &str) -> Option<u32> {
    let derived = || DERIVED.iter().find(|(own, _)| name.strip_prefix('%') == Some(own)).map(|(_, bits)| *bits);
    special_register(name).map(|_| 32).or_else(derived)
}
