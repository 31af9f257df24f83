//! Where the threads that a branch has parted go on together: its reconvergence point.
//!
//! Any choice is right: the hardware runs both sides to the point, and what never comes there to its end; a barrier
//! waits for all live threads of the warp. The choice decides how much is executed twice. It is the immediate
//! post-dominator of the branch, the first block on every way from it to the end of the thread. But threads that return
//! early should not keep those apart that go on: where the ways only meet at the end, the point is the first block on
//! every way of the others. A loop that only returns leave has no end for these; a round of it has: the start of the
//! next one. Threads that trap count for nothing: the launch ends with them.

use super::{early_returns::Onward, ir::*, lower::TRAP_ADDRESSES, progress::Progress};
use crate::isa::Opcode;
use petgraph::{
    Direction::{self, Incoming},
    algo::dominators::simple_fast,
    graph::{DiGraph, NodeIndex},
};

/// Control flow: a node is a block.
pub(super) type FlowGraph = DiGraph<(), ()>;

/// The reconvergence point of each block that ends with a branch; `None` for the other blocks, and where the threads only meet at
/// their end.
pub fn reconvergence_points(code: &KernelCode, progress: &Progress) -> Vec<Option<BlockId>> {
    let graph = graph(code);
    let (ends, only_traps) = ends(code);
    let mut returns: Vec<_> = code.blocks.iter().map(|block| block.ops.is_empty() && block.end == End::Exit).collect();
    if only_traps {
        // Nobody waits before a trap: the others may never come.
        ends.iter().for_each(|&end| returns[end] = true);
    }
    let strict = post_dominators(&graph, &ends);
    let beyond_the_end = |b: &BlockId| strict[*b].is_none_or(|point| returns[point]);
    let sides = |b: BlockId| match code.blocks[b].end {
        End::Branch { taken, next, .. } => Some([taken, next]),
        End::Exit | End::Jump(_) => None,
    };
    let branches: Vec<_> = (0..code.blocks.len()).filter_map(|b| Some((b, sides(b)?))).collect();
    let early = early_points(&graph, &returns, &strict, &branches, progress);
    // Of two sides that never meet, one may come to a point at which other threads wait: it must not wait for the other
    // at the end.
    let awaited = reached(&graph, early.iter().flatten().copied(), Incoming);
    let mut points = vec![None; code.blocks.len()];
    for (b, sides) in branches {
        let goes_on = || sides.into_iter().find(|&side| beyond_the_end(&b) && awaited[side]);
        let before_the_end = || match strict[b] {
            Some(point) if only_traps && returns[point] => sides.into_iter().find(|&side| !returns[side]),
            point => point,
        };
        points[b] = early[b].or_else(goes_on).or_else(before_the_end);
    }
    points
}

/// Blocks in which threads end, if there are others only those in which they do not trap; and whether they trap in all.
fn ends(code: &KernelCode) -> (Vec<BlockId>, bool) {
    let is_trap = |op: &Op| {
        let to = TRAP_ADDRESSES.map(Value::Const);
        op.opcode == Opcode::StG32 && op.src[0] == Value::ZERO && to.contains(&op.src[1])
    };
    let returns = |block: &BasicBlock| {
        let behind = |at: usize| at.checked_sub(1).map(|before| &block.ops[before]);
        let exits = |at: usize| {
            block.ops[at].opcode == Opcode::Exit
                && behind(at).is_none_or(|op| !(is_trap(op) && op.guard == block.ops[at].guard))
        };
        block.end == End::Exit && block.ops.last().is_none_or(|op| !is_trap(op)) || (0..block.ops.len()).any(exits)
    };
    let ends = |block: &BasicBlock| block.end == End::Exit || block.ops.iter().any(|op| op.opcode == Opcode::Exit);
    let of =
        |is: &dyn Fn(&BasicBlock) -> bool| (0..code.blocks.len()).filter(|&b| is(&code.blocks[b])).collect::<Vec<_>>();
    let returning = of(&returns);
    if returning.is_empty() { (of(&ends), true) } else { (returning, false) }
}

/// Where the threads that go on meet, of each of the `branches` whose ways only meet at the end.
fn early_points(
    graph: &FlowGraph,
    returns: &[bool],
    strict: &[Option<BlockId>],
    branches: &[(BlockId, [BlockId; 2])],
    progress: &Progress,
) -> Vec<Option<BlockId>> {
    let mut onward = Onward::new(graph, returns);
    let mut points = vec![None; returns.len()];
    let mut early = vec![];
    for &(b, sides) in branches {
        match strict[b].filter(|&point| !returns[point]) {
            Some(point) => onward.all_ways(b, point),
            // Who returns on one side meets nobody.
            None if sides.iter().any(|&side| returns[side]) => {}
            None => early.push((b, sides)),
        }
    }
    early.sort_by_key(|&(b, _)| onward.order(b));
    for (b, sides) in early {
        let (point, looked) = onward.point(b, sides);
        progress.visited(looked);
        points[b] = point;
    }
    points
}

/// Blocks, each with an edge to every block that may follow it.
pub(super) fn graph(code: &KernelCode) -> FlowGraph {
    let mut graph = FlowGraph::new();
    for _ in &code.blocks {
        graph.add_node(());
    }
    for (from, block) in code.blocks.iter().enumerate() {
        for to in block.end.successors() {
            graph.add_edge(NodeIndex::new(from), NodeIndex::new(to), ());
        }
    }
    graph
}

/// The immediate post-dominator of each node when ways end at `ends`: the immediate dominator in the reversed graph, which has one
/// more node that leads to all of `ends`. `None` where that node is it, or no way ends.
pub(super) fn post_dominators(graph: &FlowGraph, ends: &[usize]) -> Vec<Option<usize>> {
    let mut reversed = graph.clone();
    reversed.reverse();
    let end = reversed.add_node(());
    for &from in ends {
        reversed.add_edge(end, NodeIndex::new(from), ());
    }
    let dominators = simple_fast(&reversed, end);
    let immediate = |b| dominators.immediate_dominator(NodeIndex::new(b)).filter(|d| *d != end).map(|d| d.index());
    (0..graph.node_count()).map(immediate).collect()
}

/// Nodes on ways from (or to) `starts`, these among them.
pub(super) fn reached(graph: &FlowGraph, starts: impl IntoIterator<Item = usize>, direction: Direction) -> Vec<bool> {
    let mut seen = vec![false; graph.node_count()];
    let mut todo: Vec<_> = starts.into_iter().collect();
    while let Some(node) = todo.pop() {
        if !std::mem::replace(&mut seen[node], true) {
            todo.extend(graph.neighbors_directed(NodeIndex::new(node), direction).map(|n| n.index()));
        }
    }
    seen
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use petgraph::{Direction::Outgoing, algo::kosaraju_scc, visit::EdgeRef};

    /// Blocks by their ends: `""` ends the thread, `"3"` jumps, `"3 4"` branches; with `!`, threads may end in the block, too. A block
    /// with `.` does nothing else.
    fn code(blocks: &[impl AsRef<str>]) -> KernelCode {
        let block = |text: &str| {
            let to: Vec<usize> = text.split_whitespace().filter_map(|word| word.parse().ok()).collect();
            let end = match to[..] {
                [] => End::Exit,
                [to] => End::Jump(to),
                [taken, next, ..] => End::Branch { cond: Cond::of(0), taken, next },
            };
            let mut ops = if text.contains('.') { vec![] } else { vec![Op::new(Opcode::Mov, 1)] };
            if text.contains('!') {
                ops.push(Op { guard: Cond::of(1), ..Op::new(Opcode::Exit, 1) });
            }
            BasicBlock { ops, end, end_line: 1 }
        };
        let blocks = blocks.iter().map(|text| block(text.as_ref())).collect();
        KernelCode { blocks, next_reg: 0, next_pred: 2 }
    }

    fn points(blocks: &[&str]) -> Vec<Option<BlockId>> {
        reconvergence_points(&code(blocks), &Progress::default())
    }

    #[test]
    fn both_sides_of_an_if_meet_behind_it() {
        assert_eq!(points(&["2 1", "3", "3", ""]), [Some(3), None, None, None]);
        // At the common end when there is nothing else.
        assert_eq!(points(&["2 1", "2", "."]), [Some(2), None, None]);
        assert_eq!(points(&["2 1", "", ""]), [None, None, None]);
    }

    #[test]
    fn threads_that_return_do_not_keep_the_others_apart() {
        // if (a) { if (b) return; x } y;
        assert_eq!(points(&["3 1", "4 2", "3", "", "."]), [Some(3), Some(2), None, None, None]);
        // With nothing in between, and as an end under a guard.
        assert_eq!(points(&["3 1", "4 3", "3", "", "."])[..2], [Some(3), Some(3)]);
        assert_eq!(points(&["2 1", "2 !", ""]), [Some(2), None, None]);
        // The same with something to do before the return.
        assert_eq!(points(&["3 1", "4 2", "3", "", ""])[..2], [Some(3), Some(2)]);
        // if (a) return; x;
        assert_eq!(points(&["2 1", "2", "."])[0], Some(2));
    }

    /// A stack that overflows between two calls: those whose calls are nested less deep meet again.
    #[test]
    fn threads_that_trap_do_not_keep_the_others_apart() {
        let mut code = code(&["2 1", "4 3", "5", "5", "", ""]);
        code.blocks[4].ops = vec![Op {
            src: [Value::ZERO, Value::Const(TRAP_ADDRESSES[0]), Value::Const(7)],
            ..Op::new(Opcode::StG32, 1)
        }];
        let points = |code: &KernelCode| reconvergence_points(code, &Progress::default());
        assert_eq!(points(&code)[..2], [Some(5), Some(3)]);
        // A loop that only traps leave.
        code.blocks[5].end = End::Jump(0);
        assert_eq!(points(&code)[1], Some(3));
    }

    #[test]
    fn a_loop_that_only_returns_leave() {
        // for (;;) { if (a) x; y; if (b) return; }
        assert_eq!(points(&["2 1", "2", "0 !"])[0], Some(2));
        assert_eq!(points(&["2 1", "2", "3 0", "."]), [Some(2), None, Some(3), None]);
        // for (;;) { if (a) { if (b) return; x } y; if (c) return; }
        assert_eq!(points(&["3 1", "4 2", "3", "4 0", "."])[..3], [Some(3), Some(2), None]);
    }

    #[test]
    fn a_loop_with_a_break_meets_behind_itself() {
        assert_eq!(points(&["3 1", "3 2", "0", ""]), [Some(3), Some(3), None, None]);
    }

    #[test]
    fn a_loop_that_nothing_leaves_is_no_obstacle() {
        assert_eq!(points(&["2 1", "1", ""])[0], Some(2));
        assert_eq!(points(&["1 2", "0", "0"]), [Some(0), None, None]);
    }

    // -- by definition: the whole graph is looked at for each branch --------------------------------------------------

    /// The first block on all ways from the two `sides` of the branch that come to code which both can come to; `returns` are the blocks
    /// that only end the thread.
    fn of_those_that_go_on(
        graph: &FlowGraph,
        returns: &[bool],
        branch: BlockId,
        sides: [BlockId; 2],
    ) -> Option<BlockId> {
        let mut graph = graph.clone();
        graph.retain_edges(|graph, edge| graph.edge_endpoints(edge).is_some_and(|(_, to)| !returns[to.index()]));
        let [first, second] = sides.map(|side| reached(&graph, (!returns[side]).then_some(side), Outgoing));
        let common = (0..returns.len()).filter(|&b| first[b] && second[b]);
        let mut kept = reached(&graph, common, Incoming);
        (0..returns.len()).for_each(|b| kept[b] &= first[b] || second[b] || b == branch);
        graph.retain_edges(|graph, edge| {
            graph.edge_endpoints(edge).is_some_and(|(from, to)| kept[from.index()] && kept[to.index()])
        });
        let rounds = end_rounds(&mut graph);
        let last =
            |b: &usize| kept.get(*b).is_none_or(|kept| *kept) && graph.neighbors(NodeIndex::new(*b)).next().is_none();
        let ends: Vec<_> = (0..graph.node_count()).filter(last).collect();
        let point = post_dominators(&graph, &ends)[branch]?;
        Some(if point < returns.len() { point } else { rounds[point - returns.len()] })
    }

    /// Gives loops that no way leaves an end: what leads back to the first block of such a loop leads to a new node instead. Returns the
    /// block that each new node stands for.
    fn end_rounds(graph: &mut FlowGraph) -> Vec<BlockId> {
        let mut rounds = vec![];
        for component in kosaraju_scc(&*graph) {
            let leaves = |&from: &NodeIndex| graph.neighbors(from).any(|to| !component.contains(&to));
            let start = component.iter().copied().min().expect("a component has a node");
            let back: Vec<_> =
                graph.edges_directed(start, Incoming).filter(|e| component.contains(&e.source())).collect();
            if component.iter().any(leaves) || back.is_empty() {
                continue;
            }
            let back: Vec<_> = back.iter().map(|edge| (edge.id(), edge.source())).collect();
            let round = graph.add_node(());
            for &(_, from) in &back {
                graph.add_edge(from, round, ());
            }
            graph.retain_edges(|_, edge| back.iter().all(|&(id, _)| id != edge));
            rounds.push(start.index());
        }
        rounds
    }

    /// Random structured code with early returns: ifs, loops, and jumps to a common place for errors.
    struct Structured {
        random: Random,
        blocks: Vec<String>,
        /// Blocks that jump to the place for errors, which is not there yet.
        errors: Vec<(usize, String)>,
    }

    impl Structured {
        fn block(&mut self) -> usize {
            self.blocks.push(String::new());
            self.blocks.len() - 1
        }

        /// Statements from a new block on; the blocks at which it begins and ends. The last one has no end yet.
        fn statements(&mut self, depth: u32) -> (usize, usize) {
            let first = self.block();
            let mut last = first;
            for _ in 0..1 + self.random.below(3) {
                last = self.statement(last, depth);
            }
            (first, last)
        }

        fn statement(&mut self, at: usize, depth: u32) -> usize {
            match self.random.below(if depth == 0 { 3 } else { 7 }) {
                0 => at,
                1 => {
                    // if (a) { x; return; }
                    let [gone, on] = [self.block(), self.block()];
                    self.blocks[at] = format!("{gone} {on}");
                    on
                }
                2 => {
                    let on = self.block();
                    self.errors.push((at, format!("{on}")));
                    on
                }
                3 => {
                    let (first, last) = self.statements(depth - 1);
                    let on = self.block();
                    (self.blocks[at], self.blocks[last]) = (format!("{first} {on}"), format!("{on}"));
                    on
                }
                4 | 5 => {
                    let [(a, a_last), (b, b_last)] = [self.statements(depth - 1), self.statements(depth - 1)];
                    let on = self.block();
                    self.blocks[at] = format!("{a} {b}");
                    (self.blocks[a_last], self.blocks[b_last]) = (format!("{on}"), format!("{on}"));
                    on
                }
                _ => {
                    let (first, last) = self.statements(depth - 1);
                    let on = self.block();
                    (self.blocks[at], self.blocks[last]) = (format!("{first}"), format!("{first} {on}"));
                    on
                }
            }
        }

        fn code(seed: u64) -> KernelCode {
            let mut made = Self { random: Random::new(seed), blocks: vec![], errors: vec![] };
            let (_, last) = made.statements(4);
            let place = made.block();
            if made.random.below(2) == 0 {
                made.blocks[place] = ".".into();
            }
            if made.random.below(2) == 0 {
                made.blocks[last] = format!("{place}");
            }
            for (at, on) in std::mem::take(&mut made.errors) {
                made.blocks[at] = format!("{place} {on}");
            }
            let mut code = code(&made.blocks);
            super::super::flow::tidy(&mut code);
            code
        }
    }

    #[test]
    fn early_points_are_those_of_the_definition() {
        let (mut found, mut none) = (0, 0);
        for seed in 0..500 {
            let code = Structured::code(seed);
            let (graph, count) = (graph(&code), code.blocks.len());
            let returns: Vec<_> = code.blocks.iter().map(|b| b.ops.is_empty() && b.end == End::Exit).collect();
            let branch = |b: BlockId| match code.blocks[b].end {
                End::Branch { taken, next, .. } => Some((b, [taken, next])),
                _ => None,
            };
            let branches: Vec<_> = (0..count).filter_map(branch).collect();
            let ends: Vec<_> = (0..count).filter(|&b| code.blocks[b].end == End::Exit).collect();
            let strict = post_dominators(&graph, &ends);
            let early = early_points(&graph, &returns, &strict, &branches, &Progress::default());
            for (b, sides) in branches {
                if strict[b].is_some_and(|point| !returns[point]) {
                    continue;
                }
                let expected = of_those_that_go_on(&graph, &returns, b, sides);
                let text: Vec<_> = code.blocks.iter().map(|block| block.end).enumerate().collect();
                assert_eq!(early[b], expected, "seed {seed}, block {b}: {text:?}");
                *(if expected.is_some() { &mut found } else { &mut none }) += 1;
            }
        }
        assert!(found > 500 && none > 500, "{found}, {none}");
    }
}
