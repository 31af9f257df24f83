//! Loops that wait for a lock: threads that have got it run on until they have let it go, before the others of their
//! warp ask again.
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
//! The shape: a way from a branch back to itself that writes nothing but an atomic exchange or compare-and-swap, with
//! the same values in each round (a sum by compare-and-swap has others). The threads meet where everything that leaves
//! the loop has gone past an atomic, or past a store behind a fence. If there is none, nothing is changed. Legal,
//! because any reconvergence point is right and the sides of a branch may be exchanged.
//!
//! Source: ElTantawy and Aamodt, "MIMD synchronization on SIMT architectures", MICRO 2016: the loops, and that
//! reconvergence has to be delayed.

use super::{
    ir::*,
    progress::Progress,
    reconvergence::{FlowGraph, graph, post_dominators, reached},
};
use crate::isa::{AtomicOp, Opcode, Operands};
use petgraph::{
    Direction::{self, Incoming, Outgoing},
    algo::kosaraju_scc,
    graph::NodeIndex,
};
use std::collections::{BTreeMap, BTreeSet, HashMap};

type Blocks = BTreeSet<BlockId>;

/// Blocks of a loop that waits, at most: a larger one works.
const MOST_BLOCKS: usize = 256;

/// Makes branches of such loops jump out of them, and gives them their points, where `points` has the usual ones.
pub fn release_first(code: &mut KernelCode, points: &mut [Option<BlockId>], progress: &Progress) {
    if !code.ops().any(asks) {
        return;
    }
    let flow = LockFlow::of(code);
    for (b, usual) in points.iter_mut().enumerate() {
        let End::Branch { cond, taken, next } = code.blocks[b].end else { continue };
        let sides = [(taken, next), (next, taken)];
        let found = sides.into_iter().find_map(|(out, back)| Some((out, flow.waiting(code, b, back, progress)?)));
        let Some((out, waiting)) = found.filter(|(out, waiting)| !waiting.contains(out)) else { continue };
        let Some(point) = flow.behind_release((b, out), &waiting, progress) else { continue };
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
fn is_quiet(block: &BasicBlock) -> bool {
    let quiet = |op: &Op| match op.opcode.operands() {
        Operands::Store | Operands::Barrier => false,
        Operands::Atomic => asks(op),
        _ => op.opcode != Opcode::Exit,
    };
    block.ops.iter().all(quiet)
}

/// What is found once for all branches.
struct LockFlow {
    graph: FlowGraph,
    post_dominators: Vec<Option<BlockId>>,
    /// The loop of quiet blocks that a block belongs to, if something there asks: strongly connected blocks.
    quiet_loop: Vec<Option<usize>>,
    /// Each kind of release: the blocks that have it, and those from which one is reached.
    releases: [[Vec<bool>; 2]; 2],
}

impl LockFlow {
    fn of(code: &KernelCode) -> Self {
        let graph = graph(code);
        let ends: Vec<_> = (0..code.blocks.len()).filter(|&b| code.blocks[b].end == End::Exit).collect();
        let quiet: Vec<_> = code.blocks.iter().map(is_quiet).collect();
        let mut quiet_graph = graph.clone();
        quiet_graph.retain_edges(|graph, edge| {
            graph.edge_endpoints(edge).is_some_and(|(from, to)| quiet[from.index()] && quiet[to.index()])
        });
        let mut quiet_loop = vec![None; quiet.len()];
        for (number, blocks) in kosaraju_scc(&quiet_graph).into_iter().enumerate() {
            if blocks.iter().any(|b| quiet[b.index()] && code.blocks[b.index()].ops.iter().any(asks)) {
                blocks.iter().for_each(|b| quiet_loop[b.index()] = Some(number));
            }
        }
        let atomic = |op: &Op| op.opcode.operands() == Operands::Atomic;
        let fence = |op: &Op| op.opcode == Opcode::Membar;
        let having = |is: &dyn Fn(&Op) -> bool| {
            let has: Vec<_> = code.blocks.iter().map(|block| block.ops.iter().any(is)).collect();
            let ahead = reached(&graph, (0..has.len()).filter(|&b| has[b]), Incoming);
            [has, ahead]
        };
        let releases = [having(&atomic), having(&fence)];
        Self { post_dominators: post_dominators(&graph, &ends), graph, quiet_loop, releases }
    }

    fn neighbours(&self, b: BlockId, direction: Direction) -> impl Iterator<Item = BlockId> {
        self.graph.neighbors_directed(NodeIndex::new(b), direction).map(|node| node.index())
    }

    /// The blocks of the loop that waits, from a branch by its side `back` to itself.
    fn waiting(&self, code: &KernelCode, branch: BlockId, back: BlockId, progress: &Progress) -> Option<Blocks> {
        let own = self.quiet_loop[branch].filter(|_| self.quiet_loop[back] == self.quiet_loop[branch]);
        own?;
        let waiting = if back == branch {
            Blocks::from([branch])
        } else {
            let inside = |b: &BlockId| *b != branch && self.quiet_loop[*b] == own;
            let ahead = self.blocks_from(back, Outgoing, inside)?;
            self.blocks_from(branch, Incoming, |from| ahead.contains(from))?
        };
        let ops: Vec<&Op> = waiting.iter().flat_map(|&b| &code.blocks[b].ops).collect();
        progress.visited((waiting.len() + ops.len()) as u64);
        if back != branch && !waiting.contains(&back) || !ops.iter().any(|op| asks(op)) {
            return None;
        }
        let changes = changing(&ops);
        let same = |op: &Op| op.src[1..].iter().all(|value| value.reg().is_none_or(|reg| !changes.contains(&reg)));
        ops.iter().any(|op| asks(op) && same(op)).then_some(waiting)
    }

    /// Blocks from `start` on, by neighbours that are `allowed`; `None` if there are too many.
    fn blocks_from(&self, start: BlockId, direction: Direction, allowed: impl Fn(&BlockId) -> bool) -> Option<Blocks> {
        let (mut seen, mut todo) = (Blocks::from([start]), vec![start]);
        while let Some(b) = todo.pop() {
            todo.extend(self.neighbours(b, direction).filter(&allowed).filter(|b| seen.insert(*b)));
            if seen.len() > MOST_BLOCKS {
                return None;
            }
        }
        Some(seen)
    }

    /// The first block on all ways from `out` on behind the place where the lock is let go; `Some(None)` if that is the end of the thread.
    fn behind_release(
        &self,
        (branch, out): (BlockId, BlockId),
        waiting: &Blocks,
        progress: &Progress,
    ) -> Option<Option<BlockId>> {
        for [release, _] in self.releases.iter().filter(|[_, ahead]| ahead[out]) {
            // What is reached from `out` without the point, which moves on.
            let (mut seen, mut todo) = (Blocks::from([out]), vec![out]);
            let mut released = release[out];
            let mut reach = |point: Option<BlockId>| {
                let mut at_point = None;
                while let Some(b) = todo.pop() {
                    progress.visited(1);
                    for to in self.neighbours(b, Outgoing).filter(|to| !waiting.contains(to)) {
                        if Some(to) == point {
                            at_point = point;
                        } else if seen.insert(to) {
                            released |= release[to];
                            todo.push(to);
                        }
                    }
                }
                let found = released;
                if let Some(point) = at_point.filter(|&point| seen.insert(point)) {
                    released |= release[point];
                    todo.push(point);
                }
                found
            };
            let mut point = Some(self.post_dominators[branch].unwrap_or(out));
            while let Some(at) = point {
                if out != at && reach(point) {
                    return Some(point);
                }
                point = self.post_dominators[at];
            }
            if reach(None) {
                return Some(None);
            }
        }
        None
    }
}

/// The registers that may differ from round to round of a loop of these operations: not those that nothing there writes, or that are only
/// computed of such registers.
fn changing(ops: &[&Op]) -> BTreeSet<Reg> {
    let mut written: BTreeMap<Reg, usize> = BTreeMap::new();
    ops.iter().filter_map(|op| op.dst).for_each(|reg| *written.entry(reg).or_default() += 1);
    // Of each operation: registers that it reads and that may change; of each register: operations that read it.
    let mut missing = vec![0; ops.len()];
    let mut readers: HashMap<Reg, Vec<usize>> = HashMap::new();
    for (at, op) in ops.iter().enumerate() {
        let reads: BTreeSet<Reg> = op.reads().filter(|reg| written.contains_key(reg)).collect();
        missing[at] = reads.len();
        reads.into_iter().for_each(|reg| readers.entry(reg).or_default().push(at));
    }
    let computes = |op: &Op| {
        let of_memory = matches!(op.opcode.operands(), Operands::Load | Operands::Atomic) || op.opcode == Opcode::S2r;
        !of_memory && !op.is_partial() && op.reads_predicates().next().is_none()
    };
    let mut todo: Vec<usize> = (0..ops.len()).filter(|&at| missing[at] == 0).collect();
    while let Some(at) = todo.pop() {
        let Some(reg) = ops[at].dst.filter(|_| computes(ops[at])) else { continue };
        let Some(others) = written.get_mut(&reg) else { continue };
        *others -= 1;
        if *others == 0 {
            written.remove(&reg);
            for &reader in readers.get(&reg).into_iter().flatten() {
                missing[reader] -= 1;
                if missing[reader] == 0 {
                    todo.push(reader);
                }
            }
        }
    }
    written.into_keys().collect()
}
