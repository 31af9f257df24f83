//! Control flow: dominators, tidying of jumps.

use super::{ir::*, reconvergence::graph};
use crate::isa::Opcode;
use petgraph::algo::dominators::{Dominators, simple_fast};
use petgraph::graph::NodeIndex;

/// Which place is passed on every way to another.
pub struct Dominance {
    dominators: Dominators<NodeIndex>,
}

impl Dominance {
    pub fn of(code: &Code) -> Self {
        Self { dominators: simple_fast(&graph(code), NodeIndex::new(0)) }
    }

    /// Whether the operation at `first` has been executed whenever the one at `second` is.
    pub fn before(&self, first: (BlockId, usize), second: (BlockId, usize)) -> bool {
        if first.0 == second.0 {
            return first.1 < second.1;
        }
        let mut dominators = self.dominators.dominators(NodeIndex::new(second.0)).into_iter().flatten();
        dominators.any(|d| d.index() == first.0)
    }
}

/// Blocks that can be reached from the entry.
pub fn reachable(code: &Code) -> Vec<bool> {
    let mut seen = vec![false; code.blocks.len()];
    let mut todo = vec![0];
    while let Some(b) = todo.pop() {
        if !std::mem::replace(&mut seen[b], true) {
            todo.extend(code.blocks[b].end.successors());
        }
    }
    seen
}

/// Removes unreachable blocks and blocks that only jump on; a branch around a jump becomes one branch.
pub fn tidy(code: &mut Code) {
    // Where an empty block leads to. A circle of empty blocks is an endless loop and stays.
    let through = |code: &Code, start: BlockId| {
        let mut b = start;
        for _ in 0..code.blocks.len() {
            match code.blocks[b].end {
                End::Jump(to) if code.blocks[b].ops.is_empty() && to != b => b = to,
                _ => return b,
            }
        }
        start
    };
    for b in 0..code.blocks.len() {
        code.blocks[b].end = match code.blocks[b].end {
            End::Exit => End::Exit,
            End::Jump(to) => End::Jump(through(code, to)),
            End::Branch { cond, taken, next } => {
                let (taken, next) = (through(code, taken), through(code, next));
                if taken == next { End::Jump(taken) } else { End::Branch { cond, taken, next } }
            }
        };
    }
    let seen = reachable(code);
    let mut new_index = vec![0; seen.len()];
    let mut count = 0;
    for (b, &seen) in seen.iter().enumerate() {
        new_index[b] = count;
        count += usize::from(seen);
    }
    let mut b = 0;
    code.blocks.retain(|_| {
        b += 1;
        seen[b - 1]
    });
    for (b, block) in code.blocks.iter_mut().enumerate() {
        block.end = match block.end {
            End::Exit => End::Exit,
            End::Jump(to) => End::Jump(new_index[to]),
            End::Branch { cond, taken, next } => {
                let (taken, next) = (new_index[taken], new_index[next]);
                // The side that follows in the layout needs no jump.
                if taken == b + 1 {
                    End::Branch { cond: cond.invert_if(true), taken: next, next: taken }
                } else {
                    End::Branch { cond, taken, next }
                }
            }
        };
    }
}

/// A branch to the end of the thread becomes an end under a guard, where that needs no further jump.
///
/// For kernels with barriers: threads that return early are then gone at once. As a branch they would wait for the others where
/// both meet, at the end, while the others wait for them at the barrier, until the stack has brought the first to their end.
pub fn end_early(code: &mut Code) {
    let mere_end = |b: BlockId| code.blocks[b].ops.is_empty() && code.blocks[b].end == End::Exit;
    let ends: Vec<bool> = (0..code.blocks.len()).map(mere_end).collect();
    for (b, block) in code.blocks.iter_mut().enumerate() {
        if let End::Branch { cond, taken, next } = block.end
            && ends[taken]
            && next == b + 1
        {
            block.ops.push(Op { guard: cond, ..Op::new(Opcode::Exit, block.end_line) });
            block.end = End::Jump(next);
        }
    }
}
