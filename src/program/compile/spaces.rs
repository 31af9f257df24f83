//! Generic addresses whose space can be told: the tests of such an address become constants, and folding drops the
//! access that is never done.
//!
//! Forward over the whole code, per register: a number, or an address made from one of shared memory, or one that may
//! be of any space, as those that come from memory. What comes from parameters, constants and special registers counts
//! as a number, also where it is an address: of global memory, since the host knows no shared memory. A register that
//! gets numbers in one place and addresses of shared memory in another may be of any space, and so may what is made
//! from two addresses.

use super::{ir::*, progress::Progress};
use crate::isa::{Opcode, Operands};
use std::collections::VecDeque;

/// What a value may be, if anything is known.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PointerSpace {
    /// A number, or an address of global memory.
    Number,
    Shared,
    Any,
}

/// Replaces the tests of addresses whose space is known; `address_bits` of the file.
pub fn resolve(code: &mut KernelCode, address_bits: u32, progress: &Progress) {
    if !code.ops().any(|op| op.mark == Mark::Test) {
        return;
    }
    let pointer_bytes = if address_bits == 32 { 4 } else { 8 };
    let mut known: Vec<Option<PointerSpace>> = vec![None; code.next_reg as usize];
    let writes: Vec<&Op> = code.ops().filter(|op| op.dst.is_some()).collect();
    let mut readers: Vec<(Reg, usize)> =
        writes.iter().enumerate().flat_map(|(i, op)| op.src.iter().filter_map(move |v| Some((v.reg()?, i)))).collect();
    readers.sort_unstable();
    // In the order of the code, then those that read what has changed.
    let mut todo: VecDeque<usize> = (0..writes.len()).collect();
    while let Some(i) = todo.pop_front() {
        progress.visited(1);
        let op = writes[i];
        let Some((dst, new)) = op.dst.zip(result(op, &known, pointer_bytes)) else { continue };
        let place = &mut known[dst as usize];
        let joined = place.map_or(new, |old| if old == new { old } else { PointerSpace::Any });
        if place.replace(joined) != Some(joined) {
            let first = readers.partition_point(|(reg, _)| *reg < dst);
            todo.extend(readers[first..].iter().take_while(|(reg, _)| *reg == dst).map(|(_, reader)| reader));
        }
    }
    for op in code.blocks.iter_mut().flat_map(|block| &mut block.ops).filter(|op| op.mark == Mark::Test) {
        let Some(address) = op.src[0].reg() else { continue };
        // A comparison of constants, for the folding.
        op.src = match known[address as usize].unwrap_or(PointerSpace::Number) {
            PointerSpace::Any => continue,
            PointerSpace::Shared => [Value::Const(u32::MAX), Value::ZERO, Value::ZERO],
            PointerSpace::Number => [Value::ZERO; 3],
        };
    }
}

/// Nothing, while nothing is known of an operand.
fn result(op: &Op, known: &[Option<PointerSpace>], pointer_bytes: u32) -> Option<PointerSpace> {
    match op.mark {
        Mark::ToShared => return Some(PointerSpace::Shared),
        Mark::FromShared => return Some(PointerSpace::Number),
        Mark::Frame => return Some(PointerSpace::Any),
        _ => {}
    }
    match op.opcode.operands() {
        Operands::Load if op.opcode.memory_space() == Some(2) => return Some(PointerSpace::Number),
        Operands::Load if op.access.bytes < pointer_bytes => return Some(PointerSpace::Number),
        Operands::Load | Operands::Atomic => return Some(PointerSpace::Any),
        _ => {}
    }
    let mut shared = [false; 3];
    for (source, shared) in op.src.iter().zip(&mut shared) {
        match source.reg().map(|r| known[r as usize]) {
            None | Some(Some(PointerSpace::Number)) => {}
            Some(Some(PointerSpace::Shared)) => *shared = true,
            Some(Some(PointerSpace::Any)) => return Some(PointerSpace::Any),
            Some(None) => return None,
        }
    }
    Some(match (op.opcode, shared) {
        (_, [false, false, false]) => PointerSpace::Number,
        (Opcode::Mov, _) | (Opcode::Sel, [true, true, _]) => PointerSpace::Shared,
        (Opcode::Add | Opcode::Addc | Opcode::And, [a, b, _]) if a != b => PointerSpace::Shared,
        (Opcode::Sub | Opcode::Subc, [true, false, _]) | (Opcode::Mad, [false, false, true]) => PointerSpace::Shared,
        _ => PointerSpace::Any,
    })
}
