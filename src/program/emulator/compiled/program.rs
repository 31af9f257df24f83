//! The code of a kernel, with what is known of it, that blocks are made from.

use super::{
    code_kind::{CodeKind, kind},
    double,
};
use crate::{
    compile::checked_access::{CheckedAccess, HighWord},
    isa::{Instruction, Operands},
};

/// What blocks are made from.
#[derive(Clone, Copy)]
pub struct BlockProgram<'a> {
    pub code: &'a [Instruction],
    /// What is known of each load and store, in code for checks.
    pub accesses: Option<&'a [Option<CheckedAccess>]>,
    /// The two instructions of each double are together.
    doubles: bool,
    /// What does not count in high words of addresses.
    pub window: u32,
}

impl<'a> BlockProgram<'a> {
    /// Of code, and what is known of its loads and stores if it is for checks.
    pub fn new(code: &'a [Instruction], accesses: Option<&'a [Option<CheckedAccess>]>, window: u32) -> Self {
        Self { code, accesses, window, doubles: double::are_together(code) }
    }

    /// What is known of a load or store, in code for checks.
    pub fn checked(&self, pc: usize) -> Option<&'a CheckedAccess> {
        self.accesses?.get(pc)?.as_ref()
    }

    /// What the instruction at `pc` is done by.
    pub fn kind(&self, pc: usize) -> CodeKind {
        match kind(&self.code[pc]) {
            CodeKind::Step if self.doubles && self.code[pc].opcode.operands() == Operands::Double => CodeKind::Compute,
            // An address that cannot be right.
            CodeKind::Access if self.checked(pc).is_some_and(|a| matches!(a.high, HighWord::Constant(1..))) => {
                CodeKind::Step
            }
            kind => kind,
        }
    }
}
