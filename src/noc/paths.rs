//! Paths: every way that packets of a flow may take through a mesh, found by walking the routing from each choice of the source. From
//! them follow the connections that a router needs, and the channel dependencies of [`deadlock`](super::deadlock).

use super::{
    Connectivity, Direction, Input, MessageClass, NocError, Organisation, Output, Routing,
    routing::{Hop, HopRule, Order, PathChoice, Signs},
};
use std::collections::{BTreeMap, BTreeSet};

/// Packets of one class from one node to another.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Flow {
    /// Their message class.
    pub class: MessageClass,
    /// Node that sends.
    pub source: u32,
    /// Node that receives.
    pub dest: u32,
}

/// A router's part of a path.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Passage {
    /// The router's node.
    pub node: u32,
    /// Neighbour that the packet came from; `None`: injected here.
    pub from: Option<Direction>,
    /// Phase bit with which it came.
    pub phase_in: bool,
    /// Neighbour that it goes to; `None`: ejected here.
    pub to: Option<Direction>,
    /// Phase bit with which it leaves.
    pub phase_out: bool,
}

/// A point of a router's connectivity as routing sees it: terminal ports of one kind are alike.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Relation {
    /// Neighbour that the packet came from; `None`: injected here.
    pub from: Option<Direction>,
    /// Neighbour that it goes to; `None`: ejected here.
    pub to: Option<Direction>,
}

impl Relation {
    /// The relation that the connection from `input` to `output` serves.
    pub fn of(input: Input, output: Output) -> Self {
        Self {
            from: match input {
                Input::From(direction) => Some(direction),
                Input::Inject(_) => None,
            },
            to: match output {
                Output::To(direction) => Some(direction),
                Output::Eject(_) => None,
            },
        }
    }
}

/// A mesh as routing sees it.
#[derive(Clone, Copy, Debug)]
pub struct Grid<'a> {
    /// Nodes in a row.
    pub columns: u32,
    /// Nodes in a column.
    pub rows: u32,
    /// The routers, by node.
    pub routers: &'a [Connectivity],
    /// How they route.
    pub routing: Routing,
    /// Which packets come here, where there are several subnetworks.
    pub share: Share,
}

/// The part that a subnetwork has in an organisation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Share {
    /// The organisation.
    pub organisation: Organisation,
    /// Number of the subnetwork.
    pub subnetwork: usize,
    /// The half-routers (of subnetwork 0) are at odd sums of coordinates, not at even ones.
    pub odd_is_half: bool,
}

impl Default for Share {
    /// Everything in one network.
    fn default() -> Self {
        Self { organisation: Organisation::Single, subnetwork: 0, odd_is_half: true }
    }
}

impl Grid<'_> {
    /// A node's (x, y).
    pub fn place(&self, node: u32) -> (u32, u32) {
        (node % self.columns, node / self.columns)
    }

    fn node(&self, (x, y): (u32, u32)) -> u32 {
        y * self.columns + x
    }

    /// The neighbour of `node` in `direction`.
    pub fn neighbour(&self, node: u32, direction: Direction) -> Option<u32> {
        let (x, y) = self.place(node);
        let (x, y) = match direction {
            Direction::North => (x, y.checked_sub(1)?),
            Direction::South => (x, y + 1),
            Direction::West => (x.checked_sub(1)?, y),
            Direction::East => (x + 1, y),
        };
        (x < self.columns && y < self.rows).then(|| self.node((x, y)))
    }

    /// What the source may decide for a packet of `flow` that takes this subnetwork; nothing where no such packet does.
    pub fn choices(&self, flow: Flow) -> Result<Vec<PathChoice>, NocError> {
        let is_half = |place| self.routers[self.node(place) as usize].is_half();
        let choices = self.routing.choices(flow.class, self.place(flow.source), self.place(flow.dest), is_half);
        if choices.is_empty() {
            return Err(NocError::NoPath { routing: self.routing, flow, columns: self.columns });
        }
        let comes_here = |choice: &PathChoice| {
            let Share { organisation, subnetwork, odd_is_half } = self.share;
            let order = match self.routing.rule() {
                HopRule::Fixed(order) => order,
                HopRule::ByPhase if choice.yx => Order::Yx,
                _ => Order::Xy,
            };
            let (source, dest) = (self.place(flow.source), self.place(flow.dest));
            organisation.choices(flow.class, source, dest, order, odd_is_half).contains(&subnetwork)
        };
        Ok(choices.into_iter().filter(comes_here).collect())
    }

    /// Every passage of every path that a packet of `flow` with `choice` may take, in the order of a breadth-first walk.
    pub fn walk(&self, flow: Flow, choice: PathChoice) -> Result<Vec<Passage>, NocError> {
        let rule = self.routing.rule();
        let (dest, via) = (self.place(flow.dest), choice.via);
        let mut passages = vec![];
        let mut open = vec![(flow.source, None, choice.yx)];
        let mut seen = BTreeSet::from([open[0]]);
        let mut at = 0;
        while let Some(&(node, from, phase_in)) = open.get(at) {
            at += 1;
            let here = self.place(node);
            for (hop, phase_out) in rule.steps(Signs::new(here, dest), Signs::new(here, via), phase_in) {
                let Hop::Link(direction) = hop else {
                    passages.push(Passage { node, from, phase_in, to: None, phase_out });
                    continue;
                };
                passages.push(Passage { node, from, phase_in, to: Some(direction), phase_out });
                let next = self.neighbour(node, direction);
                let next = next.ok_or(NocError::LeavesTheMesh { node, routing: self.routing, direction })?;
                let state = (next, Some(direction.opposite()), phase_out);
                if seen.insert(state) {
                    open.push(state);
                }
            }
        }
        Ok(passages)
    }
}

/// The connections that each node needs for `flows`, each with the first of them that needs it.
pub fn used_connections(
    grid: &Grid<'_>,
    flows: impl IntoIterator<Item = Flow>,
) -> Result<BTreeMap<u32, BTreeMap<Relation, Flow>>, NocError> {
    let mut used: BTreeMap<u32, BTreeMap<Relation, Flow>> = BTreeMap::new();
    for flow in flows {
        for choice in grid.choices(flow)? {
            for Passage { node, from, to, .. } in grid.walk(flow, choice)? {
                used.entry(node).or_default().entry(Relation { from, to }).or_insert(flow);
            }
        }
    }
    Ok(used)
}

/// Checks the routers of a mesh against a routing and its flows: a connection that is needed and missing is an error. The result lists
/// connections that no path uses, as (node, input, output).
pub fn check_network(
    grid: &Grid<'_>,
    flows: impl IntoIterator<Item = Flow>,
) -> Result<Vec<(u32, Input, Output)>, NocError> {
    let Grid { columns, routing, .. } = *grid;
    let used = used_connections(grid, flows)?;
    let mut unused = vec![];
    for (at, connectivity) in (0..).zip(grid.routers) {
        connectivity.check()?;
        for (input, output, allowed) in connectivity.points() {
            match used.get(&at).and_then(|here| here.get(&Relation::of(input, output))) {
                Some(&flow) if !allowed => {
                    let (input, output) = (input.to_string(), output.to_string());
                    return Err(NocError::MissingConnection { at, columns, routing, flow, input, output });
                }
                None if allowed => unused.push((at, input, output)),
                _ => {}
            }
        }
    }
    Ok(unused)
}

/// A flow of requests between every two nodes of `nodes`, each with itself too.
pub fn all_pairs(nodes: u32) -> impl Iterator<Item = Flow> {
    let class = MessageClass::Request;
    (0..nodes).flat_map(move |source| (0..nodes).map(move |dest| Flow { class, source, dest }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::noc::{Ports, mesh::full_router, topology::Mesh, topology::NodeKind};

    fn full(columns: u32, rows: u32) -> Vec<Connectivity> {
        let mesh = Mesh::with_kinds(columns, rows, |_| NodeKind::Core).expect("legal");
        mesh.nodes().map(|node| full_router(&mesh, node)).collect()
    }

    #[test]
    fn xy_never_turns_from_y_to_x() {
        let routers = full(4, 4);
        let grid = Grid { columns: 4, rows: 4, routers: &routers, routing: Routing::Xy, share: Share::default() };
        let used = used_connections(&grid, all_pairs(16)).expect("stays inside");
        for relation in used.values().flat_map(BTreeMap::keys) {
            let vertical = |d: Option<Direction>| matches!(d, Some(Direction::North | Direction::South));
            let horizontal = |d: Option<Direction>| matches!(d, Some(Direction::East | Direction::West));
            assert!(!(vertical(relation.from) && horizontal(relation.to)), "{relation:?}");
        }
    }

    #[test]
    fn a_half_router_in_the_way_of_a_turn_is_an_error() {
        let mut routers = full(3, 3);
        let check = |routers: &[Connectivity], flows: Vec<Flow>| {
            check_network(&Grid { columns: 3, rows: 3, routers, routing: Routing::Xy, share: Share::default() }, flows)
        };
        let unused = check(&routers, all_pairs(9).collect()).expect("full routers turn everywhere");
        assert!(unused.contains(&(4, Input::From(Direction::North), Output::To(Direction::East))));
        routers[4] = Connectivity::half(&Ports::interior());
        let error = check(&routers, all_pairs(9).collect()).expect_err("node 4 cannot turn");
        assert_eq!(
            error.to_string(),
            "Xy routing takes a request from node 5 at (2,1) to node 1 at (1,0) over the router of node 4 at (1,1), which has no connection from east to north"
        );
        // Without flows that turn there, the half-router will do.
        let straight = all_pairs(9).filter(|f| f.source % 3 == f.dest % 3 || f.source / 3 == f.dest / 3);
        check(&routers, straight.collect()).expect("nobody turns");
    }

    /// Every routing is minimal: with a choice, the number of passages on each path is the distance and one.
    #[test]
    fn every_path_is_minimal_and_ends_at_the_destination() {
        let routers = full(4, 3);
        for routing in Routing::ALL {
            let grid = Grid { columns: 4, rows: 3, routers: &routers, routing, share: Share::default() };
            for flow in all_pairs(12) {
                let ((sx, sy), (dx, dy)) = (grid.place(flow.source), grid.place(flow.dest));
                let distance = sx.abs_diff(dx) + sy.abs_diff(dy);
                for choice in grid.choices(flow).expect("all full") {
                    let passages = grid.walk(flow, choice).expect("inside");
                    let to_go = |node: u32| {
                        let (x, y) = grid.place(node);
                        x.abs_diff(dx) + y.abs_diff(dy)
                    };
                    assert!(passages.iter().all(|p| to_go(p.node) <= distance));
                    assert!(passages.iter().any(|p| p.to.is_none()));
                    assert!(passages.iter().all(|p| p.to.is_some() || p.node == flow.dest));
                    if !routing.rule().chooses() {
                        assert_eq!(passages.len() as u32, distance + 1, "{routing:?} {flow:?} {choice:?}");
                    }
                }
            }
        }
    }
}
