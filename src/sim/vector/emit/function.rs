//! The frame of a function of vectors in machine code: it saves registers, makes room on the stack, and puts the pieces
//! of its body in a row.

use crate::vector::program::Base;
use iced_x86::{Code, Encoder, IcedError, Instruction, MemoryOperand, Register};

/// The registers of the C calling convention of Unix that hold the addresses when a function is called, in the order of
/// its parameters.
pub(super) const PARAMETERS: [(Base, Register); 5] = [
    (Base::Registers, Register::RDI),
    (Base::Next, Register::RSI),
    (Base::Storage, Register::RDX),
    (Base::Memory, Register::RCX),
    (Base::Frame, Register::R8),
];

/// Those that hold them in a function that calls others.
pub(super) const KEPT: [Register; 5] = [Register::RBX, Register::R12, Register::R13, Register::R14, Register::R15];

/// In a loop over the halves of vectors: bytes to the half, and its number.
pub(super) const HALF_BYTES: Register = Register::R9;
pub(super) const HALF: Register = Register::R10;

/// Bytes of a half.
const HALF_SIZE: i32 = 32;

/// An instruction, or several.
pub(super) enum Item {
    Instruction(Instruction),
    /// They are left out when the last comparison found equality.
    Unless(Vec<Instruction>),
    /// They are carried out for the lower halves of vectors, then for the upper ones.
    Halves(Vec<Instruction>),
}

/// The function with this body, vectors on the stack, and calls or none.
pub(super) fn function(body: Vec<Item>, slots: usize, calls: bool) -> Result<Vec<u8>, IcedError> {
    let mut out = Out { encoder: Encoder::try_new(64)?, at: 0 };
    let stack = slots as i32 * 64;
    let own = calls || stack > 0;
    if own {
        out.add(Instruction::with1(Code::Push_r64, Register::RBP)?)?;
        out.add(Instruction::with2(Code::Mov_r64_rm64, Register::RBP, Register::RSP)?)?;
    }
    if calls {
        for register in KEPT {
            out.add(Instruction::with1(Code::Push_r64, register)?)?;
        }
    }
    if own {
        out.add(Instruction::with2(Code::Sub_rm64_imm32, Register::RSP, stack)?)?;
        out.add(Instruction::with2(Code::And_rm64_imm8, Register::RSP, -64)?)?;
    }
    if calls {
        for ((_, from), to) in PARAMETERS.into_iter().zip(KEPT) {
            out.add(Instruction::with2(Code::Mov_r64_rm64, to, from)?)?;
        }
    }
    for item in body {
        match item {
            Item::Instruction(instruction) => out.add(instruction)?,
            Item::Unless(inside) => {
                // The length of what is skipped does not depend on where it is.
                let mut length = 0;
                let mut measure = Encoder::try_new(64)?;
                for instruction in &inside {
                    length += measure.encode(instruction, 0)? as u64;
                }
                let jump = 6; // two bytes of the operation, four of the distance
                out.add(Instruction::with_branch(Code::Je_rel32_64, out.at + jump + length)?)?;
                inside.into_iter().try_for_each(|instruction| out.add(instruction))?;
            }
            Item::Halves(inside) => {
                let (bytes, number) = (Register::R9D, Register::R10D); // the lower halves of the registers
                out.add(Instruction::with2(Code::Xor_rm32_r32, bytes, bytes)?)?;
                out.add(Instruction::with2(Code::Xor_rm32_r32, number, number)?)?;
                let start = out.at;
                inside.into_iter().try_for_each(|instruction| out.add(instruction))?;
                out.add(Instruction::with2(Code::Add_rm64_imm8, HALF_BYTES, HALF_SIZE)?)?;
                out.add(Instruction::with2(Code::Add_rm32_imm8, number, 1)?)?;
                out.add(Instruction::with2(Code::Cmp_rm32_imm8, number, 2)?)?;
                out.add(Instruction::with_branch(Code::Jb_rel32_64, start)?)?;
            }
        }
    }
    if calls {
        let saved = MemoryOperand::with_base_displ(Register::RBP, -8 * KEPT.len() as i64);
        out.add(Instruction::with2(Code::Lea_r64_m, Register::RSP, saved)?)?;
        for register in KEPT.into_iter().rev() {
            out.add(Instruction::with1(Code::Pop_r64, register)?)?;
        }
    } else if own {
        out.add(Instruction::with2(Code::Mov_r64_rm64, Register::RSP, Register::RBP)?)?;
    }
    if own {
        out.add(Instruction::with1(Code::Pop_r64, Register::RBP)?)?;
    }
    // Compiled Rust uses the older encoding of vector instructions, which would wait for the upper halves.
    out.add(Instruction::with(Code::VEX_Vzeroupper))?;
    out.add(Instruction::with(Code::Retnq))?;
    Ok(out.encoder.take_buffer())
}

struct Out {
    encoder: Encoder,
    at: u64,
}

impl Out {
    fn add(&mut self, instruction: Instruction) -> Result<(), IcedError> {
        self.at += self.encoder.encode(&instruction, self.at)? as u64;
        Ok(())
    }
}
