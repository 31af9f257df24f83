//! What an instruction sees of the thread that executes it.

use super::error::EmulationError;
use crate::isa::{Instruction, Opcode, OperandB, PT, Predicate, RZ};

/// A thread that executes an instruction.
pub trait Lane {
    /// A register other than [`RZ`].
    fn register(&self, number: u8) -> u32;
    /// Writes a register other than [`RZ`].
    fn set_register(&mut self, number: u8, value: u32);
    /// The value of a predicate.
    fn holds(&self, p: Predicate) -> bool;
    /// Writes a predicate other than [`PT`].
    fn set_predicate(&mut self, index: u8, value: bool);
    /// Index of the thread in its block.
    fn index(&self) -> [u32; 3];
    /// Number of the thread in its block.
    fn linear(&self) -> u32;
    /// Of the atomic that comes next.
    fn high_part(&mut self) -> &mut Option<HighPart>;
    /// Of the double whose high words come next.
    fn low_part(&mut self) -> &mut Option<LowPart>;
}

/// A double-precision instruction whose high words are still to come.
#[derive(Clone, Copy)]
pub struct LowPart {
    pub opcode: Opcode,
    pub dst: u8,
    pub operands: [u32; 3],
}

/// High words of an atomic of 64 bits.
#[derive(Clone, Copy)]
pub struct HighPart {
    pub dst: u8,
    pub operand: u32,
    pub compare: u32,
}

/// The second source of a thread.
pub fn operand_b(i: &Instruction, t: &impl Lane) -> u32 {
    match i.b {
        OperandB::Register(RZ) => 0,
        OperandB::Register(number) => t.register(number),
        OperandB::Immediate(value) => value,
    }
}

/// Writes a predicate, which may be [`PT`].
pub fn set_predicate(t: &mut impl Lane, dst: u8, value: bool) -> Result<(), EmulationError> {
    if dst & 7 != PT {
        t.set_predicate(dst & 7, value);
    }
    Ok(())
}
