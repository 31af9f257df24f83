//! What kernels need that not every chip has: a row for each unit or ability, with the instructions that need it.
//!
//! What a chip has of each, and the key that says so, is `Chip::amount_of` of the hardware.

use super::Kernel;
use crate::isa::{Instruction, Operands};
use std::fmt;

/// A unit or an ability of a chip.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Feature {
    /// Atomic instructions.
    Atomics,
    /// Double-precision units.
    DoublePrecision,
    /// Special function units.
    SpecialFunctions,
    /// Barriers of a thread block; every chip has one.
    Barriers,
}

impl Feature {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Atomics, Self::DoublePrecision, Self::SpecialFunctions, Self::Barriers];

    /// How much of it an instruction needs; 0: nothing.
    pub fn needed_by(self, instruction: &Instruction) -> u32 {
        let opcode = instruction.opcode;
        match self {
            Self::Atomics => u32::from(opcode.operands() == Operands::Atomic),
            Self::DoublePrecision => u32::from(opcode.is_double()),
            Self::SpecialFunctions => u32::from(opcode.is_special_function()),
            Self::Barriers => match instruction.barriers() {
                0 | 1 => 0,
                several => several.next_power_of_two(),
            },
        }
    }
}

/// What a kernel needs of a feature.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Requirement {
    /// Of what.
    pub feature: Feature,
    /// How much: barriers of a block, a power of two; 1 of the others.
    pub amount: u32,
    /// PTX line of the first instruction that needs some of it.
    pub line: u32,
}

/// `atomics`, `4 barriers a thread block`.
impl fmt::Display for Requirement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.feature {
            Feature::Atomics => f.write_str("atomics"),
            Feature::DoublePrecision => f.write_str("double-precision units"),
            Feature::SpecialFunctions => f.write_str("special function units"),
            Feature::Barriers => write!(f, "{} barriers a thread block", self.amount),
        }
    }
}

impl Kernel {
    /// All that it needs, in the order of [`Feature::ALL`].
    pub fn requirements(&self) -> impl Iterator<Item = Requirement> {
        Feature::ALL.into_iter().filter_map(|feature| self.requirement(feature))
    }

    /// What it needs of a feature, if anything.
    pub fn requirement(&self, feature: Feature) -> Option<Requirement> {
        let needed = |(&word, &line): (&u64, &u32)| {
            let amount = feature.needed_by(&Instruction::decode(word)?);
            (amount > 0).then_some((amount, line))
        };
        let mut needs = self.code.iter().zip(&self.lines).filter_map(needed);
        let (first, line) = needs.next()?;
        let amount = needs.map(|(amount, _)| amount).fold(first, u32::max);
        Some(Requirement { feature, amount, line })
    }
}
