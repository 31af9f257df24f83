//! Units of different length in one pipeline: each leaves its result in the one word that travels beside the longer ones.
//!
//! ```text
//!  short results --.-- register --.-- register --.--> result
//!                  |              |              |
//!  operands -------|-- unit ------'  (registers) |
//!                  '-- longer unit --------------'
//! ```
//!
//! A pipeline with `n` registers has `n + 1` pieces. Of each the user says whether something is there, and which unit it
//! needs.

use hdl::{Builder, Child, Module, Signal, priority_mux, row};

/// A unit that takes several cycles where there are registers.
pub(super) struct LongUnit<'m> {
    /// Registers within it.
    pub registers: usize,
    pub result: Signal<'m>,
    /// Of each piece, whether what is there needs this unit.
    pub needed: Vec<Signal<'m>>,
}

/// What stands in such a pipeline, as it is called there.
pub(super) struct LongBlock<'m, U> {
    pub name: &'static str,
    /// With so many registers.
    pub module: fn(u32) -> Module,
    /// Places for registers.
    pub cuts: u32,
    /// In its place.
    pub place: fn(Child<'m>) -> U,
    /// Drives its port for the enables of the registers.
    pub enable: fn(U, Signal<'m>),
}

/// A unit with a register for each of `valid` (whether something is in front of it), as far as it has places; and how many.
pub(super) fn long_unit<'m, U: Copy>(
    m: &'m Builder,
    block: LongBlock<'m, U>,
    valid: &[Signal<'m>],
    needed: &[Signal<'m>],
) -> (U, usize) {
    let registers = valid.len().min(block.cuts as usize);
    let unit = (block.place)(m.instance(block.name, &(block.module)(registers as u32)));
    if registers > 0 {
        let enables = valid[..registers].iter().zip(needed).map(|(&valid, &needed)| valid & needed);
        (block.enable)(unit, row(enables));
    }
    (unit, registers)
}

/// The result behind all registers: that of the unit that is needed, else `short`, a result of the first piece.
/// `travels`: of each register, its enable.
pub(super) fn joined<'m>(
    m: &'m Builder,
    short: Signal<'m>,
    units: &[LongUnit<'m>],
    travels: &[Signal<'m>],
) -> Signal<'m> {
    let mut result = short;
    for piece in 0..=travels.len() {
        let ready = units.iter().filter(|unit| unit.registers == piece);
        let ready: Vec<_> = ready.map(|unit| (unit.needed[piece], unit.result)).collect();
        result = priority_mux(&ready, result);
        if let Some(&enable) = travels.get(piece) {
            result = m.captured(("travelling", piece + 1), enable, result);
        }
    }
    result
}
