//! Control flow: dominators, tidying of jumps.

use super::{ir::*, reconvergence::graph};
use crate::isa::Opcode;
use petgraph::algo::dominators::simple_fast;
use petgraph::graph::NodeIndex;
use std::ops::Range;

/// Which place is passed on every way to another.
pub struct Dominance {
    /// Of each block, the numbers that its subtree of the dominator tree has in preorder; none, where no way leads.
    subtrees: Vec<Range<u32>>,
}

impl Dominance {
    pub fn of(code: &KernelCode) -> Self {
        let dominators = simple_fast(&graph(code), NodeIndex::new(0));
        let mut children = vec![vec![]; code.blocks.len()];
        for b in 1..code.blocks.len() {
            if let Some(parent) = dominators.immediate_dominator(NodeIndex::new(b)) {
                children[parent.index()].push(b);
            }
        }
        let mut subtrees = vec![0..0; code.blocks.len()];
        let (mut number, mut todo) = (0, vec![(0, false)]);
        while let Some((b, left)) = todo.pop() {
            if left {
                subtrees[b].end = number;
                continue;
            }
            subtrees[b].start = number;
            number += 1;
            todo.push((b, true));
            todo.extend(children[b].iter().map(|&child| (child, false)));
        }
        Self { subtrees }
    }

    /// Whether the operation at `first` has been executed whenever the one at `second` is.
    pub fn before(&self, first: (BlockId, usize), second: (BlockId, usize)) -> bool {
        if first.0 == second.0 {
            return first.1 < second.1;
        }
        let (own, other) = (&self.subtrees[first.0], &self.subtrees[second.0]);
        !other.is_empty() && own.contains(&other.start)
    }
}

/// Blocks that can be reached from the entry.
pub fn reachable(code: &KernelCode) -> Vec<bool> {
    let mut seen = vec![false; code.blocks.len()];
    let mut todo = vec![0];
    while let Some(b) = todo.pop() {
        if !std::mem::replace(&mut seen[b], true) {
            todo.extend(code.blocks[b].end.successors());
        }
    }
    seen
}

/// Where each block leads to, if it is empty. A circle of empty blocks is an endless loop and stays.
fn ends_of_jumps(code: &KernelCode) -> Vec<BlockId> {
    let next = |b: BlockId| match code.blocks[b].end {
        End::Jump(to) if code.blocks[b].ops.is_empty() && to != b => Some(to),
        _ => None,
    };
    let mut ends: Vec<Option<BlockId>> = vec![None; code.blocks.len()];
    let mut is_circle = vec![false; code.blocks.len()];
    for start in 0..code.blocks.len() {
        let (mut way, mut at) = (vec![], start);
        let end = loop {
            if let Some(end) = ends[at] {
                break if is_circle[at] { None } else { Some(end) };
            }
            // For now; who comes here again goes in a circle.
            (ends[at], is_circle[at]) = (Some(at), true);
            way.push(at);
            match next(at) {
                Some(to) => at = to,
                None => break Some(at),
            }
        };
        for b in way {
            (ends[b], is_circle[b]) = (Some(end.unwrap_or(b)), end.is_none());
        }
    }
    ends.into_iter().enumerate().map(|(b, end)| end.unwrap_or(b)).collect()
}

/// Removes unreachable blocks and blocks that only jump on; a branch around a jump becomes one branch.
pub fn tidy(code: &mut KernelCode) {
    let through = ends_of_jumps(code);
    for block in &mut code.blocks {
        block.end = match block.end {
            End::Exit => End::Exit,
            End::Jump(to) => End::Jump(through[to]),
            End::Branch { cond, taken, next } => {
                let (taken, next) = (through[taken], through[next]);
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
pub fn end_early(code: &mut KernelCode) {
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
