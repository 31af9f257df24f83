//! Which registers are still wanted behind each instruction of a kernel's code.

use super::{
    code_kind::is_simple,
    program::BlockProgram,
    slots::{SLOTS, Slots, predicate, register},
};
use crate::{
    compile::checked_access::{CheckedAccess, HighWord},
    isa::{Instruction, Opcode, OperandB, Operands, Predicate, RZ},
};

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

#[cfg(test)]
mod tests {
    use super::*;

    fn add(dst: u8, a: u8, b: u8) -> Instruction {
        Instruction { dst, a, b: OperandB::Register(b), ..Instruction::new(Opcode::Add) }
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
