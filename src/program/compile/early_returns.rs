//! Reconvergence of branches whose threads may return early: the first block on every way of the threads that go on.
//!
//! ```text
//!        branch           Two fronts advance, one from each side of the branch, over control flow without the ways to blocks that only
//!        /    \           return. A way that only one side has and that ends is left out. When all that remains is one block that both
//!      side  side         sides come to, the threads reconverge there.
//!      | \    |
//!      | ret  |           Loops count as one node, so that the graph has no cycles. The blocks that a node dominates are of its side; a
//!       \    /            block that it does not dominate waits until no block before it is left. A branch whose own point is known is
//!        point            skipped to that point, so that nested branches are not looked at again for each one around them.
//! ```

use super::{
    ir::BlockId,
    reconvergence::{FlowGraph, post_dominators},
};
use petgraph::{Direction::Incoming, algo::kosaraju_scc, graph::NodeIndex, visit::EdgeRef};
use std::{cmp::Reverse, collections::BinaryHeap};

/// Nodes that are looked at for one branch. Structured code needs few; where jumps go anywhere, the threads meet at the end instead.
const PATIENCE: u64 = 4096;

/// Sides that come to a node.
const BOTH: u8 = 3;
/// The node has been passed.
const PASSED: u8 = 4;
/// A loop that is entered at several blocks.
const SEVERAL: BlockId = usize::MAX;

/// Control flow without ways to blocks that only return; a node is a block, or all blocks of a loop, in topological order.
pub(super) struct Onward {
    /// Of each block.
    node: Vec<usize>,
    /// Nodes that follow, each with the block at which it is entered.
    successors: Vec<Vec<(usize, BlockId)>>,
    /// Ways that lead to each node, and whether it is a single block.
    ways: Vec<usize>,
    single: Vec<bool>,
    dominators: Dominators,
    /// Immediate post-dominators of blocks, where a loop that nothing leaves ends with each of its rounds.
    meets: Vec<Option<BlockId>>,
    /// Of each node that is a branch, once it is known: the point, and whether all ways go there, also of threads that return.
    known: Vec<Option<(BlockId, bool)>>,
    fronts: Fronts,
}

/// Of one branch: how far its sides have come.
#[derive(Default)]
struct Fronts {
    /// Of each node: sides that come to it, and whether it is passed; and the block at which it is entered.
    marks: Vec<u8>,
    entries: Vec<BlockId>,
    /// Nodes with marks.
    touched: Vec<usize>,
    /// Nodes to be passed: those that only one side can come to, by side, and the others.
    sure: [Vec<usize>; 2],
    waiting: BinaryHeap<Reverse<usize>>,
    /// How many of them there are that the first side, the second side and both come to.
    pending: [usize; 3],
    /// The node that all ways go through of which it is known that both sides have them; whether some of these ways have ended.
    meet: Option<usize>,
    ended: bool,
}

impl Onward {
    /// `returns`: the blocks that only end the thread.
    pub fn new(graph: &FlowGraph, returns: &[bool]) -> Self {
        let mut graph = graph.clone();
        graph.retain_edges(|graph, edge| graph.edge_endpoints(edge).is_some_and(|(_, to)| !returns[to.index()]));
        let mut loops = kosaraju_scc(&graph);
        loops.reverse();
        let mut node = vec![0; graph.node_count()];
        loops.iter().enumerate().for_each(|(n, blocks)| blocks.iter().for_each(|block| node[block.index()] = n));
        let follow = |(n, blocks): (usize, &Vec<NodeIndex>)| {
            let to = blocks.iter().flat_map(|&block| graph.neighbors(block)).map(|to| (node[to.index()], to.index()));
            let mut to: Vec<_> = to.filter(|&(to, _)| to != n).collect();
            to.sort_unstable();
            to.dedup();
            to
        };
        let successors: Vec<_> = loops.iter().enumerate().map(follow).collect();
        let count = successors.len();
        let mut ways = vec![0; count];
        successors.iter().flatten().for_each(|&(to, _)| ways[to] += 1);
        Self {
            ways,
            single: loops.iter().map(|blocks| blocks.len() == 1).collect(),
            dominators: Dominators::new(&successors),
            meets: meets_of_rounds(graph, &loops),
            known: vec![None; count],
            fronts: Fronts { marks: vec![0; count], entries: vec![SEVERAL; count], ..Fronts::default() },
            node,
            successors,
        }
    }

    /// The place of a block in an order in which what follows is looked at first.
    pub fn order(&self, block: BlockId) -> Reverse<usize> {
        Reverse(self.node[block])
    }

    /// All ways from `block`, which ends with a branch, go to `point`.
    pub fn all_ways(&mut self, block: BlockId, point: BlockId) {
        self.know(self.node[block], point, true);
    }

    fn know(&mut self, node: usize, point: BlockId, all: bool) {
        self.known[node] = self.single[node].then_some((point, all));
    }

    /// The first block on all ways from the two `sides` of the branch that come to code which both can come to, if there is one; and how
    /// many nodes were looked at.
    pub fn point(&mut self, branch: BlockId, sides: [BlockId; 2]) -> (Option<BlockId>, u64) {
        let own = self.node[branch];
        let [first, second] = sides.map(|side| self.node[side]);
        match [first == own, second == own] {
            [true, true] => return (self.meets[branch], 1),
            // The loop comes to this side, too.
            [true, false] if self.successors[second].is_empty() => return (Some(sides[1]), 1),
            [false, true] if self.successors[first].is_empty() => return (Some(sides[0]), 1),
            _ => {}
        }
        for (side, block) in sides.into_iter().enumerate() {
            if self.node[block] == own {
                for to in 0..self.successors[own].len() {
                    let (to, entry) = self.successors[own][to];
                    self.fronts.come(to, entry, 1 << side, false);
                }
            } else {
                let to = self.node[block];
                let sure = self.ways[to] == 1 && first != own && second != own;
                self.fronts.come(to, block, 1 << side, sure);
            }
        }
        let (mut looked, mut closed) = (0, true);
        while !self.fronts.have_met() && looked < PATIENCE {
            looked += 1;
            let at = self.fronts.next(looked);
            if self.fronts.meet.is_none() || self.fronts.marks[at] & BOTH != BOTH {
                let above = self.dominators.immediate(at);
                closed &= above.is_some_and(|above| above == own || self.fronts.is_passed(above));
            }
            closed &= self.pass(at);
        }
        let point = self.fronts.point();
        closed &= self.fronts.pending[..2] == [0, 0];
        self.fronts.clear();
        if let Some(point) = point.filter(|_| closed) {
            // Nothing leads into what is between, and nothing out of it but returns.
            self.know(own, point, false);
        }
        (point, looked)
    }

    /// Passes a node; tells whether the sides still meet where they did.
    fn pass(&mut self, at: usize) -> bool {
        let (sides, before) = (self.fronts.marks[at] & BOTH, self.fronts.meet);
        match self.known[at] {
            Some((point, all)) => {
                self.fronts.ended |= sides == BOTH && !all;
                self.come(self.node[point], point, sides);
            }
            None => {
                for to in 0..self.successors[at].len() {
                    let (to, entry) = self.successors[at][to];
                    self.come(to, entry, sides);
                }
                self.fronts.ended |= sides == BOTH && self.successors[at].is_empty();
            }
        }
        before.is_none() || self.fronts.meet == before
    }

    /// These sides come to a node.
    fn come(&mut self, to: usize, entry: BlockId, sides: u8) {
        let sure = sides != BOTH && self.dominators.immediate(to).is_some_and(|above| self.fronts.is_passed(above));
        self.fronts.come(to, entry, sides, sure);
    }
}

impl Fronts {
    fn come(&mut self, to: usize, entry: BlockId, sides: u8, sure: bool) {
        let before = self.marks[to] & BOTH;
        if before == 0 {
            self.touched.push(to);
            self.entries[to] = entry;
            match sure {
                true => self.sure[usize::from(sides) - 1].push(to),
                false => self.waiting.push(Reverse(to)),
            }
        } else if self.entries[to] != entry {
            self.entries[to] = SEVERAL;
        }
        if before | sides == BOTH && (before, sides) != (BOTH, BOTH) && !(before == 0 && sides == BOTH) {
            // Another way into what both sides have.
            self.meet = None;
        }
        if !self.is_passed(to) {
            self.count(before, -1);
            self.marks[to] |= sides;
            self.count(before | sides, 1);
        }
    }

    fn is_passed(&self, node: usize) -> bool {
        self.marks[node] & PASSED != 0
    }

    fn count(&mut self, sides: u8, by: isize) {
        if let Some(kind) = usize::from(sides).checked_sub(1) {
            self.pending[kind] = self.pending[kind].checked_add_signed(by).expect("each is counted once");
        }
    }

    /// Nothing that is pending can change the point any more.
    fn have_met(&self) -> bool {
        let [first, second, both] = self.pending;
        let astray = self.ended && self.meet.is_none();
        let one_sided = first + second > 0;
        astray || both == 0 && (first == 0 || second == 0) || !one_sided && (self.meet.is_some() || both == 1)
    }

    /// The block where the sides meet, once they have.
    fn point(&self) -> Option<BlockId> {
        if !self.have_met() || self.ended && self.meet.is_none() {
            return None;
        }
        let last = || self.waiting.peek().map(|&Reverse(last)| last).filter(|_| self.pending == [0, 0, 1]);
        self.meet.or_else(last).map(|node| self.entries[node]).filter(|&entry| entry != SEVERAL)
    }

    /// The next node, which is passed now: of those of one side in turn, as one of them may soon have come to its end.
    fn next(&mut self, turn: u64) -> usize {
        let [first, second] = if turn.is_multiple_of(2) { [0, 1] } else { [1, 0] };
        let sure = self.sure[first].pop().or_else(|| self.sure[second].pop());
        let at = sure.or_else(|| self.waiting.pop().map(|Reverse(at)| at)).expect("something is pending");
        self.count(self.marks[at], -1);
        if self.marks[at] == BOTH && self.meet.is_none() && self.pending[2] == 0 {
            self.meet = Some(at);
        }
        self.marks[at] |= PASSED;
        at
    }

    fn clear(&mut self) {
        self.touched.drain(..).for_each(|node| self.marks[node] = 0);
        self.sure.iter_mut().for_each(Vec::clear);
        self.waiting.clear();
        (self.pending, self.meet, self.ended) = ([0; 3], None, false);
    }
}

/// Dominators of a graph without cycles whose nodes are in topological order.
struct Dominators {
    /// The immediate dominator, and one farther up, so that the common dominator of two nodes is found in few steps (Myers' jump pointers).
    up: Vec<Option<[usize; 2]>>,
    depth: Vec<usize>,
}

impl Dominators {
    fn new(successors: &[Vec<(usize, BlockId)>]) -> Self {
        let mut dominators = Self { up: vec![None; successors.len()], depth: vec![0; successors.len()] };
        let mut immediate: Vec<Option<usize>> = vec![None; successors.len()];
        for (from, to) in successors.iter().enumerate() {
            // Everything before it is known.
            if let Some(parent) = immediate[from] {
                let jump = match dominators.up[parent] {
                    Some([_, far]) => match dominators.up[far] {
                        Some([_, farther])
                            if dominators.depth[parent] - dominators.depth[far]
                                == dominators.depth[far] - dominators.depth[farther] =>
                        {
                            farther
                        }
                        _ => parent,
                    },
                    None => parent,
                };
                dominators.up[from] = Some([parent, jump]);
                dominators.depth[from] = dominators.depth[parent] + 1;
            }
            for &(to, _) in to {
                immediate[to] = Some(immediate[to].map_or(from, |other| dominators.common(from, other)));
            }
        }
        dominators
    }

    fn immediate(&self, node: usize) -> Option<usize> {
        self.up[node].map(|[parent, _]| parent)
    }

    /// The nearest node that dominates both; all nodes hang on the first one.
    fn common(&self, mut a: usize, mut b: usize) -> usize {
        while a != b {
            if self.depth[a] < self.depth[b] {
                (a, b) = (b, a);
            }
            let Some([parent, jump]) = self.up[a] else { return b };
            if self.depth[a] > self.depth[b] {
                a = if self.depth[jump] >= self.depth[b] { jump } else { parent };
            } else {
                let Some([other, far]) = self.up[b] else { return b };
                (a, b) = if jump == far { (parent, other) } else { (jump, far) };
            }
        }
        a
    }
}

/// Immediate post-dominators in a graph with these `loops`, of which those that nothing leaves have an end: what leads back to the first
/// block of such a loop leads to a new node instead, which stands for it.
fn meets_of_rounds(mut graph: FlowGraph, loops: &[Vec<NodeIndex>]) -> Vec<Option<BlockId>> {
    let count = graph.node_count();
    let mut within = vec![0; count];
    loops.iter().enumerate().for_each(|(n, blocks)| blocks.iter().for_each(|block| within[block.index()] = n));
    let (mut rounds, mut back) = (vec![], vec![]);
    for (n, blocks) in loops.iter().enumerate() {
        let inside = |block: NodeIndex| within[block.index()] == n;
        let start = blocks.iter().copied().min().expect("a component has a node");
        let of_start: Vec<_> = graph.edges_directed(start, Incoming).filter(|edge| inside(edge.source())).collect();
        if of_start.is_empty() || blocks.iter().any(|&from| graph.neighbors(from).any(|to| !inside(to))) {
            continue;
        }
        rounds.push(start.index());
        back.extend(of_start.iter().map(|edge| (edge.id(), edge.source(), count + rounds.len() - 1)));
    }
    rounds.iter().for_each(|_| _ = graph.add_node(()));
    for &(_, from, round) in &back {
        graph.add_edge(from, NodeIndex::new(round), ());
    }
    let removed: std::collections::HashSet<_> = back.iter().map(|&(edge, ..)| edge).collect();
    graph.retain_edges(|_, edge| !removed.contains(&edge));
    let last = |&block: &usize| graph.neighbors(NodeIndex::new(block)).next().is_none();
    let ends: Vec<_> = (0..graph.node_count()).filter(last).collect();
    let stands_for = |point: usize| if point < count { point } else { rounds[point - count] };
    post_dominators(&graph, &ends).into_iter().take(count).map(|point| point.map(stands_for)).collect()
}
