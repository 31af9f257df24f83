//! The blocks of a kernel's code.

use crate::{
    emulator::warp_control::is_control,
    isa::{Instruction, NO_RECONVERGENCE, Opcode, OperandB},
};
use std::ops::Range;

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::isa::Predicate;

    #[test]
    fn blocks_begin_where_a_warp_may_come_to() {
        let add = Instruction::new(Opcode::Add);
        let guard = Predicate { index: 0, negate: false };
        let branch = Instruction { guard, ..Instruction::branch(4, 5) };
        let code = [add, branch, add, add, add, Instruction::new(Opcode::Exit)];
        assert_eq!(blocks(&code), [0..2, 2..4, 4..5, 5..6]);
        assert_eq!(blocks(&[add; 300]), [0..128, 128..256, 256..300]);
    }
}
