//! Instructions by hand, in few letters.

use crate::program::isa::{Instruction, Opcode, OperandB, Predicate};

pub fn op(opcode: Opcode, dst: u8, a: u8, b: u8) -> Instruction {
    Instruction { dst, a, b: OperandB::Register(b), ..Instruction::new(opcode) }
}

pub fn opi(opcode: Opcode, dst: u8, a: u8, immediate: u32) -> Instruction {
    Instruction { dst, a, b: OperandB::Immediate(immediate), ..Instruction::new(opcode) }
}

pub fn special(dst: u8, number: u32) -> Instruction {
    opi(Opcode::S2r, dst, 255, number)
}

pub fn exit() -> Instruction {
    Instruction::new(Opcode::Exit)
}

pub fn on(predicate: u8, instruction: Instruction) -> Instruction {
    Instruction { guard: Predicate { index: predicate, negate: false }, ..instruction }
}

pub fn unless(predicate: u8, instruction: Instruction) -> Instruction {
    Instruction { guard: Predicate { index: predicate, negate: true }, ..instruction }
}
