//! What an instruction is to machine code.

use super::alu;
use crate::{
    emulator::warp_control::is_control,
    isa::{Instruction, Opcode, OperandB, Operands, PT, Predicate},
};

/// What an instruction is to code.
pub fn is_simple(i: &Instruction) -> bool {
    let is_alu = alu::is_known(i.opcode);
    match i.opcode.operands() {
        Operands::None | Operands::Branch | Operands::Barrier => true,
        Operands::Load | Operands::Store | Operands::Atomic | Operands::Double => true,
        Operands::Logic => matches!(i.b, OperandB::Register(_)),
        Operands::B => is_alu || i.opcode == Opcode::S2r && matches!(i.b, OperandB::Immediate(_)),
        Operands::Ab | Operands::Abp | Operands::Abc | Operands::Compare => is_alu,
    }
}

/// What a stretch of code is done by.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum CodeKind {
    Nothing,
    Compute,
    Access,
    Step,
    Control,
}

/// Of an instruction by itself.
pub fn kind(i: &Instruction) -> CodeKind {
    match i.opcode.operands() {
        _ if is_control(i) => CodeKind::Control,
        _ if i.guard == (Predicate { index: PT, negate: true }) => CodeKind::Nothing,
        _ if !is_simple(i) => CodeKind::Step,
        Operands::None | Operands::Branch => CodeKind::Nothing,
        Operands::Load | Operands::Store => CodeKind::Access,
        Operands::Atomic | Operands::Double => CodeKind::Step,
        _ => CodeKind::Compute,
    }
}
