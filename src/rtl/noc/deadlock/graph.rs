//! The channel dependency graph: its making from every path, and the search for a shortest cycle.

use super::{Cause, ChannelLocation, ChannelVertex, DeadlockError, Proof, Subnetwork, Wait};
use crate::{Flow, MessageClass, paths::Passage};
use petgraph::{algo::tarjan_scc, graphmap::DiGraphMap};
use std::collections::{BTreeMap, BTreeSet, btree_map::Entry};

/// The graph in the making; each edge has the first cause that was found.
#[derive(Default)]
pub struct ChannelDependencies {
    pub(super) graph: DiGraphMap<ChannelVertex, Cause>,
    /// Channels by which each node receives requests.
    pub(crate) asked: BTreeMap<(u32, u32), BTreeSet<ChannelVertex>>,
    /// Channels by which each node sends replies.
    pub(crate) answers: BTreeMap<(u32, u32), BTreeSet<ChannelVertex>>,
}

impl ChannelDependencies {
    /// A packet may hold `from` while it waits for `to`.
    pub(crate) fn add(&mut self, from: ChannelVertex, to: ChannelVertex, cause: Cause) {
        if !self.graph.contains_edge(from, to) {
            self.graph.add_edge(from, to, cause);
        }
    }

    /// Adds every path of every flow.
    pub(super) fn walk(&mut self, number: usize, subnetwork: &Subnetwork<'_>) -> Result<(), DeadlockError> {
        let grid = &subnetwork.grid;
        for &flow in &subnetwork.flows {
            let cause = subnetwork.cause(flow);
            for choice in grid.choices(flow)? {
                let passages = grid.walk(flow, choice)?;
                if let Some(class) = subnetwork.with_escape()
                    && let Some(site) = without_escape(&passages, class)
                {
                    return Err(DeadlockError::NoEscape { subnetwork: number, router: grid.name(site), cause });
                }
                for passage in passages {
                    self.pass(number, subnetwork, flow, passage);
                }
            }
        }
        Ok(())
    }

    /// Adds one router's part of a path.
    fn pass(&mut self, number: usize, net: &Subnetwork<'_>, flow: Flow, passage: Passage) {
        let Passage { site, from, class_in, to, class_out } = passage;
        let [source, dest] = [flow.source, flow.dest].map(|node| net.grid.place(node));
        let channel =
            |place, routing_class| ChannelVertex { subnetwork: number, place, vcs: net.vcs(flow.class, routing_class) };
        let link = |site, direction, routing_class| match net.with_escape() == Some(routing_class) {
            true => channel(ChannelLocation::Adaptive, routing_class),
            false => channel(ChannelLocation::Link(net.grid.name(site), direction), routing_class),
        };
        let upstream = from.and_then(|from| net.grid.topology.link_to(site, from));
        let held = match upstream {
            Some(up) => link(up.from, up.out, class_in),
            None => channel(ChannelLocation::Inject(source), class_in),
        };
        let wanted = match to {
            Some(direction) => link(site, direction, class_out),
            None => channel(ChannelLocation::Eject(dest), class_out),
        };
        if (held.place, wanted.place) != (ChannelLocation::Adaptive, ChannelLocation::Adaptive) {
            self.add(held, wanted, net.cause(flow));
        }
        if from.is_none() && flow.class == MessageClass::Reply {
            self.answers.entry(source).or_default().insert(held);
        }
        if to.is_none() && flow.class == MessageClass::Request {
            self.asked.entry(dest).or_default().insert(wanted);
        }
    }

    /// Adds the protocol, and looks for a cycle.
    pub(super) fn proof(mut self) -> Result<Proof, DeadlockError> {
        self.answer();
        match shortest_cycle(&self.graph) {
            Some(cycle) => Err(DeadlockError::Cycle(cycle)),
            None => Ok(Proof { channels: self.graph.node_count(), dependencies: self.graph.edge_count() }),
        }
    }

    /// Adds the protocol.
    fn answer(&mut self) {
        for (node, asked) in std::mem::take(&mut self.asked) {
            let answers = self.answers.get(&node).cloned().unwrap_or_default();
            for request in asked {
                answers.iter().for_each(|&reply| self.add(request, reply, Cause::Protocol));
            }
        }
    }
}

/// The first node where a packet can only stay in a class, or go into it.
pub(super) fn without_escape(passages: &[Passage], class: u32) -> Option<usize> {
    let others = passages.iter().filter(|p| p.class_out != class);
    let escapes: BTreeSet<_> = others.map(|p| (p.site, p.from, p.class_in)).collect();
    passages.iter().find(|p| !escapes.contains(&(p.site, p.from, p.class_in))).map(|p| p.site)
}

/// Of the shortest cycles, the one through the first channel in order.
fn shortest_cycle(graph: &DiGraphMap<ChannelVertex, Cause>) -> Option<Vec<Wait>> {
    let knots = tarjan_scc(graph).into_iter();
    let mut knotted: Vec<ChannelVertex> =
        knots.filter(|k| k.len() > 1 || graph.contains_edge(k[0], k[0])).flatten().collect();
    knotted.sort();
    let mut best: Option<Vec<ChannelVertex>> = None;
    for &start in &knotted {
        let below = best.as_ref().map_or(usize::MAX, Vec::len);
        best = cycle_through(graph, start, below).or(best);
    }
    let best = best?;
    let next = best.iter().cycle().skip(1);
    let wait = |(&channel, &next): (&ChannelVertex, &ChannelVertex)| Wait {
        channel,
        cause: *graph.edge_weight(channel, next).expect("a cycle follows edges"),
    };
    Some(best.iter().zip(next).map(wait).collect())
}

/// A shortest cycle through `start` of fewer than `below` channels, breadth first.
fn cycle_through(
    graph: &DiGraphMap<ChannelVertex, Cause>,
    start: ChannelVertex,
    below: usize,
) -> Option<Vec<ChannelVertex>> {
    let mut before: BTreeMap<ChannelVertex, ChannelVertex> = BTreeMap::new();
    let mut front = vec![start];
    let mut length = 1;
    while !front.is_empty() && length < below {
        let mut next = vec![];
        for &channel in &front {
            for follower in graph.neighbors(channel) {
                if follower == start {
                    let mut cycle = vec![channel];
                    while let Some(&channel) = cycle.last().filter(|c| **c != start).and_then(|c| before.get(c)) {
                        cycle.push(channel);
                    }
                    cycle.reverse();
                    return Some(cycle);
                }
                if let Entry::Vacant(entry) = before.entry(follower) {
                    entry.insert(channel);
                    next.push(follower);
                }
            }
        }
        front = next;
        length += 1;
    }
    None
}
