//! Allocation of predicates and registers: colours where they suffice; where they do not, some names are kept elsewhere
//! until they do.

use super::{
    colour::{Colouring, Interference},
    ir::*,
    live::RegisterKind,
    pressure::{self, Costs, group_start},
    progress::Progress,
    spill_predicates,
    spill_registers::{SpillMemory, made_again},
};
use std::collections::HashMap;

/// Predicates of the hardware.
pub const PREDICATES: usize = 7;

/// Allocates the predicates, moving some into registers until the rest fits.
pub fn predicates(code: &mut KernelCode, progress: &Progress) -> Option<Colouring> {
    let mut fixed = vec![];
    let limits = RegisterLimits { kind: RegisterKind::Predicates, limit: PREDICATES };
    limits.allocate(code, progress, |code, names| {
        spill_predicates::spill(code, names, &mut fixed);
        fixed.clone()
    })
}

/// Allocates at most `limit` registers, moving some to memory until the rest fits.
pub fn registers(
    code: &mut KernelCode,
    limit: usize,
    memory: &mut SpillMemory,
    progress: &Progress,
) -> Option<Colouring> {
    let mut fixed = between_parts(code);
    let limits = RegisterLimits { kind: RegisterKind::Registers, limit };
    limits.allocate(code, progress, |code, names| {
        if !names.is_empty() {
            memory.spill(code, names, &mut fixed, progress);
        }
        fixed.clone()
    })
}

/// What is written between the two parts of an atomic, where no access must be.
fn between_parts(code: &KernelCode) -> Vec<bool> {
    let mut fixed = vec![false; code.next_reg as usize];
    for block in &code.blocks {
        let mut last = block.ops.len();
        while last > 0 {
            let first = group_start(&block.ops, last - 1);
            if !block.ops[first].opcode.is_double() && last - first > 2 {
                block.ops[first + 1..last - 1]
                    .iter()
                    .filter_map(|op| op.dst)
                    .for_each(|dst| fixed[dst as usize] = true);
            }
            last = first;
        }
    }
    fixed
}

struct RegisterLimits {
    kind: RegisterKind,
    limit: usize,
}

impl RegisterLimits {
    /// `keep` moves names elsewhere and tells which are not worth moving; with no names it only tells.
    fn allocate(
        &self,
        code: &mut KernelCode,
        progress: &Progress,
        mut keep: impl FnMut(&mut KernelCode, &[u32]) -> Vec<bool>,
    ) -> Option<Colouring> {
        let &Self { kind, limit } = self;
        loop {
            // Where as many more are live, colours will not do, and the graph would be large.
            let peak = pressure::peak(code, kind, progress);
            let mut tried = None;
            if peak <= 2 * limit {
                let graph = Interference::of(code, kind, progress);
                let mut colouring = graph.colour(code, kind, true, progress);
                if colouring.used > limit {
                    colouring = graph.colour(code, kind, false, progress);
                }
                if colouring.used <= limit {
                    return Some(colouring);
                }
                tried = Some((graph, colouring));
            }
            let mut fixed = keep(code, &[]);
            fixed.resize(kind.names(code), false);
            let again = if kind == RegisterKind::Registers { made_again(code) } else { HashMap::new() };
            let costs = Costs::of(code, kind, |name| again.contains_key(&name), progress);
            let mut names = pressure::above(code, kind, limit, &fixed, &costs, progress);
            if let (true, Some((graph, colouring))) = (names.is_empty(), &tried) {
                names = pressure::without_place(colouring, graph, (limit, &fixed, &costs));
            }
            if names.is_empty() {
                return None;
            }
            names.sort_unstable();
            keep(code, &names);
        }
    }
}
