//! Paths: every way that packets of a flow may take through a mesh, found by walking the routing from each choice of
//! the source. From them follow the connections that a router needs, and the channel dependencies of
//! [`deadlock`](super::deadlock).

pub use super::flow::Flow;
use super::{
    Connectivity, Direction, Input, MessageClass, NocError, Organisation, Output, Routing, Topology,
    routing::{ClassedHop, Hop, HopRule, PathChoice, Start, View},
    topology::{Addressing, Link, SiteName},
};
use std::collections::{BTreeMap, BTreeSet};

/// A router's part of a path.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Passage {
    /// The router's site.
    pub site: usize,
    /// Neighbour that the packet came from; `None`: injected here.
    pub from: Option<Direction>,
    /// Routing class with which it came.
    pub class_in: u32,
    /// Neighbour that it goes to; `None`: ejected here.
    pub to: Option<Direction>,
    /// Routing class with which it leaves.
    pub class_out: u32,
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

/// A network as routing sees it.
#[derive(Clone, Copy, Debug)]
pub struct Grid<'a> {
    /// Sites, links, and where nodes are attached.
    pub topology: &'a Topology,
    /// The routers, by site.
    pub routers: &'a [Connectivity],
    /// How they route.
    pub routing: Routing,
    /// What the routers do: as the routing says, or another relation that is to be proven.
    pub rule: HopRule,
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
    /// Replies start with either routing class: the split queue that they are put into decides.
    pub class_by_queue: bool,
}

impl Default for Share {
    /// Everything in one network.
    fn default() -> Self {
        Self { organisation: Organisation::Single, subnetwork: 0, odd_is_half: true, class_by_queue: false }
    }
}

impl<'a> Grid<'a> {
    /// Routers that do what the routing says.
    pub fn new(topology: &'a Topology, routers: &'a [Connectivity], routing: Routing, share: Share) -> Self {
        Self { topology, routers, routing, rule: routing.rule(), share }
    }
}

impl Grid<'_> {
    /// A node's (x, y) on the floor plan.
    pub fn place(&self, node: u32) -> (u32, u32) {
        self.topology.place(node)
    }

    /// Coordinates of the router at which a node receives.
    fn coordinates(&self, node: u32) -> (u32, u32) {
        let address = self.topology.addressing().of(node);
        (address.x, address.y)
    }

    /// What a router is called.
    pub fn name(&self, site: usize) -> SiteName {
        self.topology.sites()[site].name
    }

    /// What the source may decide for a packet of `flow` that takes this subnetwork; nothing where no such packet does.
    pub fn choices(&self, flow: Flow) -> Result<Vec<PathChoice>, NocError> {
        let is_half = |place| self.routers[self.topology.site_at(place)].is_half();
        let (source, dest) = (self.coordinates(flow.source), self.coordinates(flow.dest));
        let Addressing { columns, rows, .. } = *self.topology.addressing();
        let mut choices = self.routing.choices(flow.class, (columns, rows), source, dest, is_half);
        if self.share.class_by_queue && flow.class == MessageClass::Reply {
            let classes = 0..self.routing.vc_sets() - 1;
            choices.extend(classes.map(|routing_class| PathChoice { routing_class, waypoint: dest }));
        }
        if choices.is_empty() {
            return Err(NocError::NoPath { routing: self.routing, flow, columns: self.topology.columns() });
        }
        let comes_here = |choice: &PathChoice| {
            let Share { organisation, subnetwork, odd_is_half, .. } = self.share;
            let order = self.routing.policy().order(choice.routing_class);
            organisation.choices(flow.class, source, dest, order, odd_is_half).contains(&subnetwork)
        };
        Ok(choices.into_iter().filter(comes_here).collect())
    }

    /// The hops that the router at `site` may make with a packet that came in by `from`.
    fn steps(
        &self,
        site: usize,
        from: Option<Direction>,
        flow: Flow,
        waypoint: (u32, u32),
        routing_class: u32,
    ) -> Vec<ClassedHop> {
        let rule = self.rule;
        let Addressing { columns, rows, .. } = *self.topology.addressing();
        let address = self.topology.addressing().of(flow.dest);
        if rule != HopRule::Tag {
            let here = self.topology.sites()[site].place;
            let (dest, size) = ((address.x, address.y), (columns, rows));
            let routes = rule.looks_up_routes().then(|| &**self.topology.routes());
            return rule.steps(View { from, here, dest, waypoint, size, routing_class, routes });
        }
        let router = &self.routers[site];
        let is_from = |input: &Input| Relation::of(*input, Output::Eject(0)).from == from;
        let input = router.inputs().iter().position(is_from);
        let reach: Vec<_> = input.map_or(vec![], |input| router.outputs_of(input));
        let hops: BTreeSet<Hop> = match reach.as_slice() {
            [only] => [Hop::to(router.outputs()[*only])].into(),
            _ => reach.iter().map(|&output| Hop::to(router.outputs()[output])).collect(),
        };
        let takes = |hop: &Hop| match hop {
            Hop::Link(Direction::Port(port)) => hops.len() == 1 || u32::from(*port) == address.x,
            Hop::Link(_) => false,
            Hop::Arrived => self.topology.receives_at(flow.dest) == Some(site),
        };
        hops.iter().filter(|hop| takes(hop)).map(|&hop| (hop, routing_class)).collect()
    }

    /// Every passage of every path that a packet of `flow` with `choice` may take, in the order of a breadth-first walk.
    pub fn walk(&self, flow: Flow, choice: PathChoice) -> Result<Vec<Passage>, NocError> {
        let columns = self.topology.columns();
        let source = self.topology.sends_at(flow.source);
        let source = source.ok_or(NocError::NotAttached { at: flow.source, flow, columns })?;
        let mut passages = vec![];
        let mut open = vec![(source, None, choice.routing_class)];
        let mut seen = BTreeSet::from([open[0]]);
        let mut at = 0;
        while let Some(&(site, from, class_in)) = open.get(at) {
            at += 1;
            let steps = self.steps(site, from, flow, choice.waypoint, class_in);
            if steps.is_empty() && self.rule.looks_up_routes() {
                let reaches = |last| self.topology.reaches(source, last);
                let is_joined = self.topology.receives_at(flow.dest).is_some_and(reaches);
                return Err(NocError::CutOff { flow, columns, is_joined });
            }
            for (hop, class_out) in steps {
                let Hop::Link(direction) = hop else {
                    if self.topology.receives_at(flow.dest) != Some(site) {
                        return Err(NocError::NotAttached { at: flow.dest, flow, columns });
                    }
                    passages.push(Passage { site, from, class_in, to: None, class_out });
                    continue;
                };
                passages.push(Passage { site, from, class_in, to: Some(direction), class_out });
                let link = self.topology.link_from(site, direction);
                let no_link =
                    || NocError::NoLink { at: self.name(site), routing: self.routing, direction, flow, columns };
                let link = link.ok_or_else(no_link)?;
                let state = (link.to, Some(link.into), class_out);
                if seen.insert(state) {
                    open.push(state);
                }
            }
        }
        if !passages.iter().any(|passage| passage.to.is_none()) {
            return Err(NocError::NotAttached { at: flow.dest, flow, columns });
        }
        Ok(passages)
    }

    /// The shortest way of a flow to its last router; where nothing is in the way of a packet, every routing here takes a shortest way.
    /// `injection` and `channel`: times of the channel from the source, and of a link.
    pub fn shortest(
        &self,
        flow: Flow,
        injection: ChannelTiming,
        channel: impl Fn(&Link) -> ChannelTiming,
    ) -> Result<PathLength, NocError> {
        // The proof of no deadlock covers more than the interfaces use.
        let starts = |choice: &PathChoice| match self.routing.policy().start() {
            Start::RoutingClass(class) => choice.routing_class == class,
            Start::ByClass | Start::Chosen(_) => true,
        };
        let mut best: Option<PathLength> = None;
        for choice in self.choices(flow)?.into_iter().filter(starts) {
            let passages = self.walk(flow, choice)?;
            let start = passages[0].site;
            let mut ways: BTreeMap<(usize, Option<Direction>, u32), PathLength> = BTreeMap::new();
            ways.insert((start, None, choice.routing_class), PathLength::default().over(injection));
            for Passage { site, from, class_in, to, class_out } in passages {
                let Some(way) = ways.get(&(site, from, class_in)).copied() else { continue };
                match to.and_then(|to| self.topology.link_from(site, to)) {
                    Some(link) => {
                        let next = way.over(channel(&link));
                        ways.entry((link.to, Some(link.into), class_out)).or_insert(next);
                    }
                    None => best = Some(best.map_or(way, |best| best.min(way))),
                }
            }
        }
        best.ok_or(NocError::NotAttached { at: flow.dest, flow, columns: self.topology.columns() })
    }
}

/// The length of a path.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct PathLength {
    /// Routers, both ends included.
    pub routers: u32,
    /// Cycles on links, beyond the one that every link takes.
    pub more: u32,
    /// Cycles that routers of fewer stages save.
    pub less: u32,
    /// The longest credit round trip of a channel on it, cycles.
    pub round_trip: u32,
    /// Routers behind the last channel with that round trip.
    pub behind: u32,
    /// A hash of the times of its channels, in their order.
    pub channels: u64,
}

/// Times of a flit channel.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ChannelTiming {
    /// Cycles beyond the one that every channel takes.
    pub more: u32,
    /// Cycles from the one in which a head takes a credit of a virtual channel to the first one in which another flit can take it again,
    /// when nothing is in the way of the head.
    pub round_trip: u32,
}

impl PathLength {
    /// The way continued over a channel, and through the router that it leads to.
    pub fn over(self, ChannelTiming { more, round_trip }: ChannelTiming) -> Self {
        let longest = round_trip >= self.round_trip;
        Self {
            routers: self.routers + 1,
            more: self.more + more,
            round_trip: self.round_trip.max(round_trip),
            behind: if longest { 1 } else { self.behind + 1 },
            // FNV, with a channel in the place of a byte.
            channels: (self.channels ^ u64::from(more) << 32 ^ u64::from(round_trip)).wrapping_mul(0x100_0000_01b3),
            ..self
        }
    }
}

/// The connections that each router needs for `flows`, each with the first of them that needs it.
pub fn used_connections(
    grid: &Grid<'_>,
    flows: impl IntoIterator<Item = Flow>,
) -> Result<BTreeMap<usize, BTreeMap<Relation, Flow>>, NocError> {
    let mut used: BTreeMap<usize, BTreeMap<Relation, Flow>> = BTreeMap::new();
    for flow in flows {
        for choice in grid.choices(flow)? {
            for Passage { site, from, to, .. } in grid.walk(flow, choice)? {
                used.entry(site).or_default().entry(Relation { from, to }).or_insert(flow);
            }
        }
    }
    Ok(used)
}

/// Checks the routers of a mesh against a routing and its flows: a connection that is needed and missing is an error. The result lists
/// connections that no path uses, as (site, input, output).
pub fn check_network(
    grid: &Grid<'_>,
    flows: impl IntoIterator<Item = Flow>,
) -> Result<Vec<(usize, Input, Output)>, NocError> {
    let (columns, routing) = (grid.topology.columns(), grid.routing);
    let used = used_connections(grid, flows)?;
    let mut unused = vec![];
    for (at, connectivity) in (0..).zip(grid.routers) {
        connectivity.check().map_err(|error| match error {
            NocError::Unconnected { port, .. } => NocError::Unconnected { at: Some(grid.name(at)), port },
            other => other,
        })?;
        for (input, output, allowed) in connectivity.points() {
            match used.get(&at).and_then(|here| here.get(&Relation::of(input, output))) {
                Some(&flow) if !allowed => {
                    let (input, output) = (input.to_string(), output.to_string());
                    let at = grid.name(at);
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
    use crate::{NodeKind, Nodes, Ports, TopologyKind, TopologyParams, topology::Roles};
    use petgraph::{algo::dijkstra, graphmap::DiGraphMap};

    fn cores(columns: u32, rows: u32) -> Nodes {
        Nodes::with_kinds(columns, rows, |_| NodeKind::Core).expect("legal")
    }

    fn full(topology: &Topology) -> Vec<Connectivity> {
        (0..topology.sites().len()).map(|site| topology.full(site, |_| [1, 1])).collect()
    }

    fn grid<'a>(topology: &'a Topology, routers: &'a [Connectivity], routing: Routing) -> Grid<'a> {
        Grid::new(topology, routers, routing, Share::default())
    }

    #[test]
    fn xy_never_turns_from_y_to_x() {
        let topology = Topology::mesh(&cores(4, 4));
        let routers = full(&topology);
        let grid = grid(&topology, &routers, Routing::Xy);
        let used = used_connections(&grid, all_pairs(16)).expect("stays inside");
        for relation in used.values().flat_map(BTreeMap::keys) {
            let vertical = |d: Option<Direction>| matches!(d, Some(Direction::North | Direction::South));
            let horizontal = |d: Option<Direction>| matches!(d, Some(Direction::East | Direction::West));
            assert!(!(vertical(relation.from) && horizontal(relation.to)), "{relation:?}");
        }
    }

    #[test]
    fn a_half_router_in_the_way_of_a_turn_is_an_error() {
        let topology = Topology::mesh(&cores(3, 3));
        let mut routers = full(&topology);
        let check =
            |routers: &[Connectivity], flows: Vec<Flow>| check_network(&grid(&topology, routers, Routing::Xy), flows);
        let unused = check(&routers, all_pairs(9).collect()).expect("full routers turn everywhere");
        assert!(unused.contains(&(4, Input::From(Direction::North), Output::To(Direction::East))));
        routers[4] = Connectivity::half(&Ports::interior());
        let error = check(&routers, all_pairs(9).collect()).expect_err("node 4 cannot turn");
        assert_eq!(
            error.to_string(),
            "Xy routing takes a request from node 5 at (2,1) to node 1 at (1,0) over router (1,1), which has no connection from east to north"
        );
        // Without flows that turn there, the half-router will do.
        let straight = all_pairs(9).filter(|f| f.source % 3 == f.dest % 3 || f.source / 3 == f.dest / 3);
        check(&routers, straight.collect()).expect("nobody turns");
    }

    /// Every routing is minimal: with a choice, the number of passages on each path is the distance and one.
    #[test]
    fn every_path_is_minimal_and_ends_at_the_destination() {
        let topology = Topology::mesh(&cores(4, 3));
        let routers = full(&topology);
        for routing in Routing::ALL.into_iter().filter(|r| TopologyParams::default().routing(*r).is_some()) {
            let grid = grid(&topology, &routers, routing);
            for flow in all_pairs(12) {
                let ((sx, sy), (dx, dy)) = (grid.place(flow.source), grid.place(flow.dest));
                let distance = sx.abs_diff(dx) + sy.abs_diff(dy);
                for choice in grid.choices(flow).expect("all full") {
                    let passages = grid.walk(flow, choice).expect("inside");
                    let to_go = |site: usize| {
                        let (x, y) = grid.place(site as u32);
                        x.abs_diff(dx) + y.abs_diff(dy)
                    };
                    assert!(!routing.rule().is_minimal() || passages.iter().all(|p| to_go(p.site) <= distance));
                    assert!(passages.iter().any(|p| p.to.is_none()));
                    assert!(passages.iter().all(|p| p.to.is_some() || p.site == flow.dest as usize));
                    if !routing.rule().chooses() && routing.rule().is_minimal() {
                        assert_eq!(passages.len() as u32, distance + 1, "{routing:?} {flow:?} {choice:?}");
                    }
                }
            }
        }
    }

    /// Every topology, with one node a router and with several: all pairs have a path, none has a shorter one, and the proof of no deadlock
    /// holds.
    #[test]
    fn every_topology_joins_all_nodes_by_shortest_paths_without_deadlock() {
        use TopologyKind::*;
        let all = |_| Roles { injects: true, ejects: true };
        for (kind, concentration, columns, rows) in [
            (Mesh, 4, 6, 4),
            (ExpressMesh, 1, 6, 5),
            (ExpressMesh, 4, 8, 8),
            (Torus, 1, 4, 3),
            (Torus, 1, 5, 6),
            (FoldedTorus, 2, 8, 4),
            (Ring, 1, 4, 3),
            (Ring, 1, 5, 1),
            (Ring, 4, 6, 6),
            (FlattenedButterfly, 4, 8, 8),
            (FlattenedButterfly, 1, 3, 4),
            (Butterfly, 1, 4, 3),
            (Butterfly, 1, 6, 6),
            (Crossbar, 1, 4, 3),
            (Crossbar, 3, 4, 3),
        ] {
            let params = TopologyParams { kind, concentration };
            let name = format!("{kind:?}, {concentration} nodes a router, {columns} x {rows}");
            let nodes = cores(columns, rows);
            let topology = Topology::new(params, &nodes, all).unwrap_or_else(|e| panic!("{name}: {e}"));
            let routers = full(&topology);
            let routing = params.routing(Routing::Xy).expect("dimension order works everywhere");
            let grid = grid(&topology, &routers, routing);
            check_network(&grid, all_pairs(nodes.len())).unwrap_or_else(|e| panic!("{name}: {e}"));
            let graph: DiGraphMap<usize, ()> =
                DiGraphMap::from_edges(topology.links().iter().map(|link| (link.from, link.to)));
            for flow in all_pairs(nodes.len()) {
                let way = grid.shortest(flow, ChannelTiming::default(), |_| ChannelTiming::default()).expect("a path");
                let [from, to] = [topology.sends_at(flow.source), topology.receives_at(flow.dest)].map(Option::unwrap);
                let hops = if from == to { 0 } else { dijkstra(&graph, from, Some(to), |_| 1)[&to] };
                // Packets between nodes of one concentrator go over the crossbar all the same.
                let detour = kind == Crossbar && concentration > 1 && from == to;
                let expected = if detour { 3 } else { hops + 1 };
                // An express link may make a way over the border shorter than the one in dimension order.
                assert!(
                    way.routers == expected || kind == ExpressMesh && way.routers > expected,
                    "{name}: {flow:?} {way:?}"
                );
            }
            let flows: Vec<_> = all_pairs(nodes.len()).collect();
            let proven = crate::deadlock::prove(&[crate::Subnetwork::new(grid, flows, true)]);
            proven.unwrap_or_else(|e| panic!("{name}: {e}"));
        }
    }

    /// A torus with one set of VCs is a ring of channels that wait for each other.
    #[test]
    fn a_torus_with_one_set_of_vcs_is_refused() {
        let params = TopologyParams { kind: TopologyKind::Torus, concentration: 1 };
        let nodes = cores(4, 4);
        let topology = Topology::new(params, &nodes, |_| Roles { injects: true, ejects: true }).expect("legal");
        let routers = full(&topology);
        let grid = grid(&topology, &routers, Routing::ShortestXy);
        let one = crate::Subnetwork { vc_sets: 1, ..crate::Subnetwork::new(grid, all_pairs(16).collect(), true) };
        let error = crate::deadlock::prove(&[one]).expect_err("a ring").to_string();
        assert!(error.contains("4 channels wait for each other in a circle"), "{error}");
    }
}
