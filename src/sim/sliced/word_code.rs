//! Machine code for single words of planes: lanes that change places, and conditions of transfers. Places, turns and lanes are part of
//! the instructions.

use super::{Kernel, links::Bus, transfers::Selection};
use crate::sim::code::{Coder, Executable};
use cranelift_codegen::ir::{AbiParam, types};
use cranelift_module::Module as _;
use iced_x86::{Code as Op, Encoder, IcedError, Instruction, MemoryOperand, Register};

/// This processor runs such code.
pub(super) fn available() -> bool {
    is_x86_feature_detected!("bmi1") && is_x86_feature_detected!("bmi2")
}

/// Makes functions of these codes.
pub(super) fn compile(codes: Vec<WordCode>) -> Result<(Executable, Vec<Kernel>), String> {
    let mut coder = Coder::new(&[])?;
    let mut ids = vec![];
    for (number, code) in codes.into_iter().enumerate() {
        let mut signature = coder.jit.make_signature();
        signature.params = vec![AbiParam::new(types::I64); 3];
        let bytes = code.bytes().map_err(|e| e.to_string())?;
        ids.push(coder.define_bytes(&format!("words.{number}"), signature, 64, bytes)?);
    }
    let executable = coder.finish()?;
    let kernel = |id| {
        // SAFETY: every function has the signature of `Kernel`.
        unsafe { std::mem::transmute::<*const u8, Kernel>(executable.address(id)) }
    };
    let kernels = ids.into_iter().map(kernel).collect();
    Ok((executable, kernels))
}

// Parameters in the C calling convention of Unix.
const PRESENT: Register = Register::RDI;
const WIRES: Register = Register::RDX;
/// What is put together; what is added to it.
const ALL: Register = Register::RAX;
const ONE: Register = Register::RCX;
/// Holds a mask for one instruction.
const BRIEF: Register = Register::RSI;
/// Hold masks of a bus.
const MASKS: [Register; 4] = [Register::R8, Register::R9, Register::R10, Register::R11];

/// Straight-line code.
#[derive(Default)]
pub(super) struct WordCode(Vec<Instruction>);

impl WordCode {
    fn bytes(self) -> Result<Vec<u8>, IcedError> {
        let mut out = Encoder::try_new(64)?;
        let mut at = 0;
        for instruction in self.0.into_iter().chain([Instruction::with(Op::Retnq)]) {
            at += out.encode(&instruction, at)? as u64;
        }
        Ok(out.take_buffer())
    }

    /// Planes that get their bits by equal ways, without imports.
    pub fn bus(&mut self, bus: &Bus) -> Result<(), IcedError> {
        let mut masks = Masks::default();
        for way in &bus.ways {
            let mut keep = |mask: u64| self.keep(&mut masks, mask);
            if way.turned.is_none() {
                keep(way.there)?;
                keep(way.here)?;
            } else if u32::try_from(way.here).is_err() && way.here != !0 {
                keep(way.here)?;
            }
        }
        for (row, &to) in bus.to.iter().enumerate() {
            let mut empty = bus.constant == 0;
            if !empty {
                self.0.push(Instruction::with2(Op::Mov_r64_imm64, ALL, bus.constant)?);
            }
            for way in &bus.ways {
                let from = place(PRESENT, way.from[row] as usize);
                let target = if empty { ALL } else { ONE };
                match way.turned {
                    Some(by) => {
                        self.0.push(match by {
                            0 => Instruction::with2(Op::Mov_r64_rm64, target, from)?,
                            _ => Instruction::with3(Op::VEX_Rorx_r64_rm64_imm8, target, from, 64 - by)?,
                        });
                        self.only(target, way.here, &masks)?;
                    }
                    None => {
                        self.0.push(Instruction::with2(Op::Mov_r64_rm64, target, from)?);
                        for (op, mask) in
                            [(Op::VEX_Pext_r64_r64_rm64, way.there), (Op::VEX_Pdep_r64_r64_rm64, way.here)]
                        {
                            let mask = self.mask(&masks, mask)?;
                            self.0.push(Instruction::with3(op, target, target, mask)?);
                        }
                    }
                }
                if !empty {
                    self.0.push(Instruction::with2(Op::Or_r64_rm64, ALL, ONE)?);
                }
                empty = false;
            }
            self.0.push(Instruction::with2(Op::Mov_rm64_r64, place(WIRES, to as usize), ALL)?);
        }
        Ok(())
    }

    /// A plane of lanes in which all conditions hold.
    pub fn selection(&mut self, selection: &Selection) -> Result<(), IcedError> {
        self.0.push(Instruction::with2(Op::Mov_r64_imm64, ALL, selection.lanes)?);
        for condition in &selection.conditions {
            let wire = place(WIRES, condition.wire);
            if condition.inverted == 0 {
                self.0.push(Instruction::with2(Op::And_r64_rm64, ALL, wire)?);
            } else {
                self.0.push(Instruction::with2(Op::Mov_r64_rm64, ONE, wire)?);
                self.0.push(Instruction::with3(Op::VEX_Andn_r64_r64_rm64, ALL, ONE, ALL)?);
            }
        }
        self.0.push(Instruction::with2(Op::Mov_rm64_r64, place(WIRES, selection.to), ALL)?);
        Ok(())
    }

    /// Leaves only these lanes.
    fn only(&mut self, register: Register, lanes: u64, masks: &Masks) -> Result<(), IcedError> {
        if lanes == !0 {
            return Ok(());
        }
        // With 32 bits, the upper half becomes zero.
        if let Ok(low) = u32::try_from(lanes) {
            let half = if register == ALL { Register::EAX } else { Register::ECX };
            self.0.push(Instruction::with2(Op::And_rm32_imm32, half, low)?);
            return Ok(());
        }
        let mask = self.mask(masks, lanes)?;
        self.0.push(Instruction::with2(Op::And_r64_rm64, register, mask)?);
        Ok(())
    }

    /// Puts a mask into a register for the whole bus, if there is one left.
    fn keep(&mut self, masks: &mut Masks, mask: u64) -> Result<(), IcedError> {
        if masks.register(mask).is_none() && masks.0.len() < MASKS.len() {
            self.0.push(Instruction::with2(Op::Mov_r64_imm64, MASKS[masks.0.len()], mask)?);
            masks.0.push(mask);
        }
        Ok(())
    }

    /// A register that holds a mask.
    fn mask(&mut self, masks: &Masks, mask: u64) -> Result<Register, IcedError> {
        if let Some(register) = masks.register(mask) {
            return Ok(register);
        }
        self.0.push(Instruction::with2(Op::Mov_r64_imm64, BRIEF, mask)?);
        Ok(BRIEF)
    }
}

/// Masks in registers.
#[derive(Default)]
struct Masks(Vec<u64>);

impl Masks {
    fn register(&self, mask: u64) -> Option<Register> {
        self.0.iter().position(|&kept| kept == mask).map(|i| MASKS[i])
    }
}

fn place(base: Register, word: usize) -> MemoryOperand {
    MemoryOperand::with_base_displ(base, word as i64 * 8)
}
