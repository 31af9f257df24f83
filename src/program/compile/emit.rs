//! Blocks in layout order to instructions with addresses.

use super::checked_access::{CheckedAccess, HighWord};
use super::colour::Colouring;
use super::ir::*;
use super::live::RegisterKind;
use super::locks;
use super::progress::Progress;
use super::reconvergence::reconvergence_points;
use crate::isa::{Instruction, NO_RECONVERGENCE, Opcode, OperandB, Operands, PT, Predicate, RZ};

/// Instructions, and of each the PTX line and what checks on memory have to know.
pub struct Emitted {
    pub instructions: Vec<Instruction>,
    pub lines: Vec<u32>,
    pub accesses: Vec<Option<CheckedAccess>>,
}

/// Places of registers and predicates.
pub struct RegisterAllocation {
    pub registers: Colouring,
    pub predicates: Colouring,
}

impl RegisterAllocation {
    fn register(&self, value: Value) -> u8 {
        value.reg().and_then(|r| self.registers.of(r)).map_or(RZ, |place| place as u8)
    }

    fn predicate(&self, cond: Cond) -> Predicate {
        let index = cond.pred.and_then(|p| self.predicates.of(p)).map_or(PT, |place| place as u8);
        Predicate { index, negate: cond.negate }
    }

    fn instruction(&self, op: &Op) -> Instruction {
        let base = Instruction { guard: self.predicate(op.guard), ..Instruction::new(op.opcode) };
        let [a, b, c] = op.src.map(|v| self.register(v));
        let dst = op.dst.map_or(RZ, |r| self.register(Value::Reg(r)));
        let (b_operand, p) = (operand_b(op, b), self.predicate(op.p));
        match op.opcode.operands() {
            Operands::None | Operands::Branch => base,
            Operands::Barrier => Instruction { b: b_operand, p, ..base },
            Operands::B => Instruction { dst, b: b_operand, ..base },
            Operands::Ab => Instruction { dst, a, b: b_operand, negate: op.negate, ..base },
            Operands::Abp => Instruction { dst, a, b: b_operand, p, ..base },
            Operands::Abc | Operands::Double => Instruction { dst, a, b: b_operand, c, negate: op.negate, ..base },
            Operands::Compare => Instruction { dst: self.predicate_dst(op), a, b: b_operand, ..base },
            Operands::Logic => {
                let second = self.predicate(op.q);
                let b = OperandB::Register(second.index | u8::from(second.negate) << 3);
                Instruction { dst: self.predicate_dst(op), p, b, ..base }
            }
            Operands::Load => Instruction { dst, a, b: b_operand, ..base },
            Operands::Store => Instruction { dst: c, a, b: b_operand, ..base },
            Operands::Atomic => Instruction { dst, a, b: OperandB::Register(b), c, ..base },
        }
    }

    fn access(&self, op: &Op) -> Option<CheckedAccess> {
        let high = match op.access.high {
            Value::Const(constant) => HighWord::Constant(constant),
            register => HighWord::Register(self.register(register)),
        };
        (op.access.bytes > 0).then_some(CheckedAccess { high, bytes: op.access.bytes, before: op.access.before })
    }

    fn predicate_dst(&self, op: &Op) -> u8 {
        let index = op.pdst.map_or(PT, |p| self.predicate(Cond::of(p)).index);
        Instruction::predicate_dst(op.code, index)
    }
}

/// A constant `b` as immediate; zero as `RZ` when the register form is needed or does as well.
fn operand_b(op: &Op, register: u8) -> OperandB {
    let memory = matches!(op.opcode.operands(), Operands::Load | Operands::Store | Operands::B);
    match op.src[1] {
        Value::Const(constant) if constant != 0 || memory => OperandB::Immediate(constant),
        _ => OperandB::Register(register),
    }
}

/// Where the threads that each branch has parted go on together; branches of loops that wait for locks change their sides for that.
pub fn points(code: &mut KernelCode, progress: &Progress) -> Vec<Option<BlockId>> {
    let mut points = reconvergence_points(code, progress);
    locks::release_first(code, &mut points, progress);
    points
}

/// Instructions that have addresses, at most.
const LONGEST: usize = NO_RECONVERGENCE as usize - 1;

/// Instructions of a block.
fn block_length((b, block): (BlockId, &BasicBlock)) -> usize {
    let jumps = match block.end {
        End::Exit => 1,
        End::Jump(to) => usize::from(to != b + 1),
        End::Branch { next, .. } => 1 + usize::from(next != b + 1),
    };
    block.ops.len() + jumps
}

/// Instructions of the code as it is.
fn length(code: &KernelCode) -> usize {
    code.blocks.iter().enumerate().map(block_length).sum()
}

/// It has too many instructions, also when all copies disappear.
pub fn is_too_long(code: &KernelCode) -> bool {
    length(code) - code.ops().filter(|op| RegisterKind::Registers.copied(op).is_some()).count() > LONGEST
}

/// Encodes all blocks; `None` when there are more instructions than addresses.
pub fn emit(code: &KernelCode, points: &[Option<BlockId>], allocation: &RegisterAllocation) -> Option<Emitted> {
    if length(code) > LONGEST {
        return None;
    }
    let lengths = code.blocks.iter().enumerate().map(block_length);
    let starts: Vec<usize> = lengths
        .scan(0, |end, length| {
            *end += length;
            Some(*end - length)
        })
        .collect();
    let address = |b: BlockId| starts[b] as u16;
    let mut out = Emitted { instructions: Vec::new(), lines: Vec::new(), accesses: Vec::new() };
    for (b, block) in code.blocks.iter().enumerate() {
        for op in &block.ops {
            out.instructions.push(allocation.instruction(op));
            out.lines.push(op.line);
            out.accesses.push(allocation.access(op));
        }
        let jump = |to| (to != b + 1).then(|| Instruction::branch(address(to), NO_RECONVERGENCE));
        let ending = match block.end {
            End::Exit => [Some(Instruction::new(Opcode::Exit)), None],
            End::Jump(to) => [jump(to), None],
            End::Branch { cond, taken, next } => {
                let reconvergence_pc = points[b].map_or(NO_RECONVERGENCE, address);
                let branch = Instruction::branch(address(taken), reconvergence_pc);
                [Some(Instruction { guard: allocation.predicate(cond), ..branch }), jump(next)]
            }
        };
        for instruction in ending.into_iter().flatten() {
            out.instructions.push(instruction);
            out.lines.push(block.end_line);
            out.accesses.push(None);
        }
    }
    Some(out)
}
