//! What is known of a kernel's code before it runs: its blocks, and which registers are still wanted behind each
//! instruction.

use super::emit::{BlockProgram, is_simple};
use crate::{
    compile::checked::{CheckedAccess, HighWord},
    emulator::lockstep::is_control,
    isa::{Instruction, NO_RECONVERGENCE, Opcode, OperandB, Operands, PT, Predicate, RZ},
};
use std::ops::Range;

/// Where predicates and registers of a warp are: 32 words each, predicates first.
pub const SLOTS: usize = PREDICATES + 256;
const PREDICATES: usize = 8;

/// The place of a predicate, which holds all ones or zero.
pub fn predicate(index: u8) -> usize {
    usize::from(index & 7)
}

/// The place of a register.
pub fn register(number: u8) -> usize {
    PREDICATES + usize::from(number)
}

/// Most instructions of a block: what has to be executed one by one close to a limit.
const LONGEST: usize = 128;

/// The blocks of a program: in each, a warp executes one instruction after the other with the same threads. Only the last one
/// says where it goes on.
pub fn blocks(code: &[Instruction]) -> Vec<Range<usize>> {
    let mut starts = vec![false; code.len() + 1];
    for (pc, i) in code.iter().enumerate().filter(|(_, i)| is_control(i)) {
        starts[pc + 1] = true;
        if let (Opcode::Bra, OperandB::Immediate(value)) = (i.opcode, i.b) {
            for place in [value as u16, (value >> 16) as u16] {
                if place != NO_RECONVERGENCE && usize::from(place) < code.len() {
                    starts[usize::from(place)] = true;
                }
            }
        }
    }
    let mut blocks: Vec<Range<usize>> = vec![];
    let mut in_double = false;
    for (pc, &starts) in starts[..code.len()].iter().enumerate() {
        match blocks.last_mut() {
            // The two instructions of a double stay together.
            Some(block) if !starts && (block.len() < LONGEST || in_double) => block.end = pc + 1,
            _ => blocks.push(pc..pc + 1),
        }
        in_double = match code[pc].opcode {
            Opcode::DHigh => false,
            opcode => in_double && !starts || opcode.is_double(),
        };
    }
    blocks
}

/// A set of slots.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Slots([u64; SLOTS.div_ceil(64)]);

impl Slots {
    /// All there are.
    const ALL: Self = Self([u64::MAX; SLOTS.div_ceil(64)]);

    /// Takes one in.
    pub fn insert(&mut self, slot: usize) {
        self.0[slot / 64] |= 1 << (slot % 64);
    }

    /// Puts one out.
    fn remove(&mut self, slot: usize) {
        self.0[slot / 64] &= !(1 << (slot % 64));
    }

    /// It is there.
    pub fn contains(&self, slot: usize) -> bool {
        self.0[slot / 64] >> (slot % 64) & 1 == 1
    }

    fn union(self, other: Self) -> Self {
        Self(std::array::from_fn(|word| self.0[word] | other.0[word]))
    }
}

/// What an instruction reads and writes.
struct InstructionEffect {
    reads: Slots,
    /// Written by all threads that execute it.
    writes: Option<usize>,
}

/// Of an instruction.
fn effect(i: &Instruction, checked: Option<&CheckedAccess>) -> InstructionEffect {
    let mut reads = Slots::default();
    let b = match i.b {
        OperandB::Register(r) => r,
        OperandB::Immediate(_) => RZ,
    };
    let (mut registers, mut predicates, mut writes) = (vec![], vec![i.guard.index], None);
    match i.opcode.operands() {
        // What it reads is not known.
        _ if !is_simple(i) => reads = Slots::ALL,
        Operands::None | Operands::Branch => {}
        Operands::Barrier => {
            predicates.push(i.p.index);
            registers.push(b);
        }
        Operands::Abp => {
            predicates.push(i.p.index);
            registers.extend([i.a, b]);
            writes = Some(register(i.dst));
        }
        Operands::B | Operands::Ab | Operands::Abc => {
            registers.extend([i.a, b, i.c]);
            writes = Some(register(i.dst));
        }
        Operands::Compare => {
            registers.extend([i.a, b]);
            writes = Some(predicate(i.dst));
        }
        Operands::Logic => {
            predicates.extend([i.p.index, b & 7]);
            writes = Some(predicate(i.dst));
        }
        Operands::Load => {
            registers.extend([i.a, b]);
            writes = Some(register(i.dst));
        }
        Operands::Store => registers.extend([i.a, b, i.dst]),
        Operands::Atomic => registers.extend([i.a, b, i.c]),
        // What is written depends on what came before.
        Operands::Double => registers.extend([i.a, b, i.c]),
    }
    registers.extend(checked.and_then(high_register));
    registers.into_iter().filter(|&r| r != RZ).for_each(|r| reads.insert(register(r)));
    predicates.into_iter().for_each(|p| reads.insert(predicate(p)));
    InstructionEffect { reads, writes: writes.filter(|_| i.guard == Predicate::TRUE) }
}

/// The register with the high word of the address, if one has it.
pub fn high_register(access: &CheckedAccess) -> Option<u8> {
    match access.high {
        HighWord::Register(r) if r != RZ => Some(r),
        _ => None,
    }
}

/// The slots whose values are still read behind each instruction.
pub fn wanted(program: &BlockProgram) -> Vec<Slots> {
    let code = program.code;
    let effects: Vec<InstructionEffect> =
        code.iter().enumerate().map(|(pc, i)| effect(i, program.checked(pc))).collect();
    let mut before = vec![Slots::default(); code.len() + 1];
    let mut behind = vec![Slots::default(); code.len()];
    let mut changed = true;
    while changed {
        changed = false;
        for (pc, (i, effect)) in code.iter().zip(&effects).enumerate().rev() {
            let mut wanted = before[pc + 1];
            if let (Opcode::Bra, OperandB::Immediate(value)) = (i.opcode, i.b) {
                let target = usize::from(value as u16);
                wanted = wanted.union(before.get(target).copied().unwrap_or_default());
            }
            behind[pc] = wanted;
            if let Some(slot) = effect.writes {
                wanted.remove(slot);
            }
            wanted = wanted.union(effect.reads);
            changed |= wanted != before[pc];
            before[pc] = wanted;
        }
    }
    behind
}

/// How many slots a program uses; all, when that is not known.
pub fn used(program: &BlockProgram) -> usize {
    if !program.code.iter().all(is_simple) {
        return SLOTS;
    }
    let registers = program.code.iter().enumerate().flat_map(|(pc, i)| {
        let b = match i.b {
            OperandB::Register(r) => r,
            OperandB::Immediate(_) => RZ,
        };
        [i.dst, i.a, b, i.c, program.checked(pc).and_then(high_register).unwrap_or(RZ)]
    });
    let highest = registers.filter(|&r| r != RZ).max();
    register(highest.unwrap_or(0)) + 1
}

const _: () = assert!(PT as usize == PREDICATES - 1);

#[cfg(test)]
mod tests {
    use super::*;

    fn add(dst: u8, a: u8, b: u8) -> Instruction {
        Instruction { dst, a, b: OperandB::Register(b), ..Instruction::new(Opcode::Add) }
    }

    #[test]
    fn blocks_begin_where_a_warp_may_come_to() {
        let guard = Predicate { index: 0, negate: false };
        let branch = Instruction { guard, ..Instruction::branch(4, 5) };
        let code = [add(1, 1, 1), branch, add(2, 1, 1), add(3, 1, 1), add(4, 1, 1), Instruction::new(Opcode::Exit)];
        assert_eq!(blocks(&code), [0..2, 2..4, 4..5, 5..6]);
        assert_eq!(blocks(&[add(1, 1, 1); 300]), [0..128, 128..256, 256..300]);
    }

    #[test]
    fn a_register_is_wanted_until_it_is_written() {
        let guard = Predicate { index: 0, negate: false };
        let code = [
            add(1, 2, 2),
            Instruction { guard, ..add(3, 1, 1) },
            add(1, 3, 3),
            Instruction { guard, ..Instruction::branch(0, 4) },
        ];
        let wanted = wanted(&BlockProgram::new(&code, None, 0));
        assert!(wanted[0].contains(register(1)) && !wanted[1].contains(register(1)));
        assert!(wanted[0].contains(register(3)), "where the guard fails, it is read later");
        assert!(wanted[3].contains(register(2)) && wanted[3].contains(predicate(0)));
        assert!(!wanted[3].contains(register(1)));
    }
}
