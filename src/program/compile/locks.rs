//! Loops that wait for a lock: threads that have got it run on until they have let it go, before the others of their warp ask again.
//!
//! ```text
//!        .--------------.
//!        v              |                  The branch of `ask` jumps out of the loop, so that who leaves it runs first, and the
//!   ask: r = exchange(lock, taken)         threads meet at `then`: at the point behind the loop, its usual place, who has the
//!        r is taken? ---'                  lock would wait for ever for those who want it.
//!        | no
//!        v
//!   critical section, release -> then
//! ```
//!
//! The shape: a way from a branch back to itself that writes nothing but an atomic exchange or compare-and-swap, with the same values in each round (a sum by
//! compare-and-swap has others). The threads meet where everything that leaves the loop has gone past an atomic, or past a store behind a fence. If there is none, nothing
//! is changed. Legal, because any reconvergence point is right and the sides of a branch may be exchanged.
//!
//! Source: ElTantawy and Aamodt, "MIMD synchronization on SIMT architectures", MICRO 2016: the loops, and that reconvergence has to be delayed.

use super::{
    ir::*,
    reconvergence::{Graph, graph, post_dominators},
};
use crate::isa::{AtomicOp, Opcode, Operands};
use std::collections::BTreeSet;

type Blocks = BTreeSet<BlockId>;

/// Makes branches of such loops jump out of them, and gives them their points, where `points` has the usual ones.
pub fn release_first(code: &mut Code, points: &mut [Option<BlockId>]) {
    if !code.ops().any(asks) {
        return;
    }
    let graph = graph(code);
    let ends: Vec<_> = (0..code.blocks.len()).filter(|&b| code.blocks[b].end == End::Exit).collect();
    let dominators = post_dominators(&graph, &ends);
    for (b, usual) in points.iter_mut().enumerate() {
        let End::Branch { cond, taken, next } = code.blocks[b].end else { continue };
        let sides = [(taken, next), (next, taken)];
        let found = sides.into_iter().find_map(|(out, back)| Some((out, waiting(code, &graph, b, back)?)));
        let Some((out, waiting)) = found.filter(|(out, waiting)| !waiting.contains(out)) else { continue };
        let Some(point) = behind_release(code, &graph, &dominators, (b, out), &waiting) else { continue };
        *usual = point;
        if out != taken {
            code.blocks[b].end = End::Branch { cond: cond.invert_if(true), taken: next, next: taken };
        }
    }
}

/// An operation that may ask for a lock.
fn asks(op: &Op) -> bool {
    op.dst.is_some() && matches!(op.opcode.atomic(), Some(AtomicOp::Exch | AtomicOp::Cas))
}

/// Nothing that others can see happens in a block, but for atomics that ask.
fn is_quiet(block: &Block) -> bool {
    let quiet = |op: &Op| match op.opcode.operands() {
        Operands::Store | Operands::Barrier => false,
        Operands::Atomic => asks(op),
        _ => op.opcode != Opcode::Exit,
    };
    block.ops.iter().all(quiet)
}

/// The blocks of the loop that waits, from a branch by its side `back` to itself.
fn waiting(code: &Code, graph: &Graph, branch: BlockId, back: BlockId) -> Option<Blocks> {
    let quiet = |b: &BlockId| is_quiet(&code.blocks[*b]);
    if !quiet(&branch) {
        return None;
    }
    if back != branch && !quiet(&back) {
        return None;
    }
    let ahead = reached(back, |b| successors(graph, b).filter(|b| quiet(b) && *b != branch).collect());
    let before = |b: BlockId| (0..code.blocks.len()).filter(move |&from| successors(graph, from).any(|to| to == b));
    let behind = reached(branch, |b| before(b).filter(|from| *from != branch && ahead.contains(from)).collect());
    if back != branch && !behind.contains(&back) {
        return None;
    }
    let found = {
        let same = unchanged(code, &behind);
        let operands = |op: &Op| op.src[1..].iter().all(|value| value.reg().is_none_or(&same));
        behind.iter().flat_map(|b| &code.blocks[*b].ops).any(|op| asks(op) && operands(op))
    };
    found.then_some(behind)
}

/// Whether a register holds the same in each round of a loop: nothing there writes it, or only what is computed of such registers.
fn unchanged(code: &Code, blocks: &Blocks) -> impl Fn(Reg) -> bool {
    let ops = || blocks.iter().flat_map(|b| &code.blocks[*b].ops);
    let written: BTreeSet<Reg> = ops().filter_map(|op| op.dst).collect();
    let mut changes = written.clone();
    loop {
        let computed = |op: &Op| {
            let of_memory =
                matches!(op.opcode.operands(), Operands::Load | Operands::Atomic) || op.opcode == Opcode::S2r;
            !of_memory
                && !op.is_partial()
                && op.reads_predicates().next().is_none()
                && op.reads().all(|reg| !changes.contains(&reg))
        };
        let settled: Vec<Reg> =
            changes.iter().copied().filter(|reg| ops().filter(|op| op.dst == Some(*reg)).all(computed)).collect();
        if settled.is_empty() {
            return move |reg| !changes.contains(&reg);
        }
        settled.iter().for_each(|reg| _ = changes.remove(reg));
    }
}

/// The first block on all ways from `out` on behind the place where the lock is let go; `Some(None)` if that is the end of the thread.
fn behind_release(
    code: &Code,
    graph: &Graph,
    dominators: &[Option<usize>],
    (branch, out): (BlockId, BlockId),
    waiting: &Blocks,
) -> Option<Option<BlockId>> {
    let atomic = |b: BlockId| code.blocks[b].ops.iter().any(|op| op.opcode.operands() == Operands::Atomic);
    let fence = |b: BlockId| code.blocks[b].ops.iter().any(|op| op.opcode == Opcode::Membar);
    let releases: [&dyn Fn(BlockId) -> bool; 2] = [&atomic, &fence];
    for release in releases {
        let mut point = Some(dominators[branch].unwrap_or(out));
        while let Some(at) = point {
            let within = reached(out, |b| successors(graph, b).filter(|b| *b != at && !waiting.contains(b)).collect());
            if out != at && within.iter().any(|b| release(*b)) {
                return Some(point);
            }
            point = dominators[at];
        }
        let rest = reached(out, |b| successors(graph, b).filter(|b| !waiting.contains(b)).collect());
        if rest.iter().any(|b| release(*b)) {
            return Some(None);
        }
    }
    None
}

fn successors(graph: &Graph, b: BlockId) -> impl Iterator<Item = BlockId> {
    graph.neighbors(petgraph::graph::NodeIndex::new(b)).map(|node| node.index())
}

/// Blocks from `start` on.
fn reached(start: BlockId, next: impl Fn(BlockId) -> Vec<BlockId>) -> Blocks {
    let (mut seen, mut todo) = (Blocks::from([start]), vec![start]);
    while let Some(b) = todo.pop() {
        todo.extend(next(b).into_iter().filter(|b| seen.insert(*b)));
    }
    seen
}
