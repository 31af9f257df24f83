//! Deadlock proof: the channel dependency graph of a network, and the proof that it has no cycle, or the shortest
//! cycle.
//!
//! ```text
//!   inject (1,0), requests ---> (1,0) -> east, requests ---> (2,0) -> south, requests ---> eject (2,1), requests
//!                                                                                               : protocol
//!   eject (1,0), replies <- ... <- (2,1) -> west, replies <----------------------- inject (2,1), replies
//! ```
//!
//! A vertex is a set of VCs of one channel: a link, an injection or an ejection port of one subnetwork, with the
//! message class if the classes have VCs of their own, and with the phase if the phases have. An edge says that a
//! packet may hold the one while it waits for the other: it leads from each channel on a path to the next one, for
//! every flow and every choice of its source ([`Grid::walk`]); and at a node that answers requests, from the ejection
//! of requests to the injection of replies in every subnetwork, as the node takes the next request only when there is
//! room for the reply. Replies are always taken, so nothing leads on from their ejection. No cycle: no deadlock (W. J.
//! Dally and C. L. Seitz, *Deadlock-free message routing in multiprocessor interconnection networks*, 1987).
//!
//! Adaptive routing has cycles among its channels of the last routing class and is free of deadlock all the same when
//! every packet there may also ask for an escape channel, one of another class (J. Duato, 1993). So these links are one
//! vertex, without the edge to itself, and it is checked that each hop of that class has an escape beside it. That
//! holds for routers in which a VC of it is given to a packet only when nothing of another packet can stay before its
//! head: when it is empty, or when the whole packet fits behind what is in it. The output units do so
//! ([`OutputUnitParams::whole`](super::output_unit::OutputUnitParams::whole)).
//!
//! A [ring](super::ring) between memory nodes has a vertex for each of its channels, by home and class. From the
//! ejection of requests at a host edges lead to the channels into which it passes them on, from these to the replies of
//! their home, by ring or by mesh, and from the channels of replies to the injection at the home. A packet enters a
//! channel only when it has a place at the end, so no channel waits for another one otherwise.
//!
//! [Overlays](super::overlay) have a vertex for each link and each ejection port. Edges lead along each tree, from the
//! ejection of requests at its root to its first links, and nowhere from the ejection of replies. That each is a tree
//! is checked where it is grown.
//!
//! VCs of one set, and ports of one kind of a router, are taken as one: what is proven holds for any number of them.
//! Switch inputs and links of a port hold no packets: how many there are changes nothing.

mod graph;

use super::{
    Direction, Endpoints, Flow, MessageClass, NocError, endpoints::PlainInterfaces, paths::Grid, topology::SiteName,
};
pub use graph::ChannelDependencies;
use std::fmt;

/// One of the networks between the same nodes.
#[derive(Clone, Debug)]
pub struct Subnetwork<'a> {
    /// Its routers and routing.
    pub grid: Grid<'a>,
    /// Who sends packets to whom in it.
    pub flows: Vec<Flow>,
    /// Requests and replies have VCs of their own.
    pub separate: bool,
    /// Sets of VCs that each message class (all packets, if not `separate`) has: 1, or as many as there are routing classes. What is needed says
    /// [`Routing::vc_sets`](super::Routing::vc_sets).
    pub vc_sets: u32,
}

impl<'a> Subnetwork<'a> {
    /// With the sets of VCs that its routing needs.
    pub fn new(grid: Grid<'a>, flows: Vec<Flow>, separate: bool) -> Self {
        Self { grid, flows, separate, vc_sets: grid.routing.vc_sets() }
    }

    /// The phases have VCs of their own.
    fn splits_routing_classes(&self) -> bool {
        self.vc_sets.min(self.grid.routing.vc_sets()) > 1
    }

    /// The path of `flow`, as a cause.
    fn cause(&self, flow: Flow) -> Cause {
        let [source, dest] = [flow.source, flow.dest].map(|node| self.grid.place(node));
        Cause::Packet { class: flow.class, source, dest }
    }

    /// The VCs of a packet of `class` and `routing_class`.
    fn vcs(&self, class: MessageClass, routing_class: u32) -> VcSet {
        let name = || self.grid.rule.class_name(routing_class);
        VcSet { class: self.separate.then_some(class), routing_class: self.splits_routing_classes().then(name) }
    }

    /// The routing class whose packets have an escape to another one everywhere.
    fn with_escape(&self) -> Option<u32> {
        let escapes = self.grid.rule.has_escapes() && self.splits_routing_classes();
        escapes.then(|| self.grid.routing.vc_sets() - 1)
    }
}

/// VCs of a channel that the proof takes as one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct VcSet {
    /// Message class; `None`: all packets.
    pub class: Option<MessageClass>,
    /// Name of the routing class; `None`: every one.
    pub routing_class: Option<&'static str>,
}

/// Where a channel is, with nodes as (x, y).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ChannelLocation {
    /// From a node to its router.
    Inject((u32, u32)),
    /// From a router to its neighbour in this direction.
    Link(SiteName, Direction),
    /// From a router to its node.
    Eject((u32, u32)),
    /// All links of the routing class that has an escape.
    Adaptive,
    /// The channel of the ring into a memory node.
    Ring((u32, u32)),
    /// Of the overlay of a memory node: the link from this node in this direction.
    Overlay((u32, u32), (u32, u32), Direction),
    /// Of the overlay of a memory node: from this node's router to its core.
    OverlayEject((u32, u32), (u32, u32)),
}

/// A vertex of the channel dependency graph.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ChannelVertex {
    /// Number of the subnetwork.
    pub subnetwork: usize,
    /// Where.
    pub place: ChannelLocation,
    /// Which of its VCs.
    pub vcs: VcSet,
}

impl fmt::Display for ChannelVertex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !matches!(
            self.place,
            ChannelLocation::Ring(_) | ChannelLocation::Overlay(..) | ChannelLocation::OverlayEject(..)
        ) {
            write!(f, "subnetwork {}: ", self.subnetwork)?;
        }
        match self.place {
            ChannelLocation::Inject((x, y)) => write!(f, "inject ({x},{y})"),
            ChannelLocation::Link(router, direction) => write!(f, "{router} -> {direction}"),
            ChannelLocation::Eject((x, y)) => write!(f, "eject ({x},{y})"),
            ChannelLocation::Adaptive => write!(f, "all links"),
            ChannelLocation::Ring((x, y)) => write!(f, "ring channel into ({x},{y})"),
            ChannelLocation::Overlay(root, (x, y), direction) => {
                write!(f, "overlay of ({},{}): ({x},{y}) -> {direction}", root.0, root.1)
            }
            ChannelLocation::OverlayEject(root, (x, y)) => {
                write!(f, "overlay of ({},{}): eject ({x},{y})", root.0, root.1)
            }
        }?;
        f.write_str(match self.vcs.class {
            Some(MessageClass::Request) => ", requests",
            Some(MessageClass::Reply) => ", replies",
            None => ", all packets",
        })?;
        self.vcs.routing_class.map_or(Ok(()), |routing_class| write!(f, ", {routing_class}"))
    }
}

/// Why a packet may hold one channel and wait for another.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Cause {
    /// The path of a packet.
    Packet {
        /// Its class.
        class: MessageClass,
        /// Where it comes from, (x, y).
        source: (u32, u32),
        /// Where it goes to, (x, y).
        dest: (u32, u32),
    },
    /// A request is taken when there is room for its reply.
    Protocol,
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Cause::Packet { class, source, dest } => {
                let name = match class {
                    MessageClass::Request => "a request",
                    MessageClass::Reply => "a reply",
                };
                write!(f, "{name} from ({},{}) to ({},{})", source.0, source.1, dest.0, dest.1)
            }
            Cause::Protocol => f.write_str("a request that the node takes only when it can send the reply"),
        }
    }
}

/// A channel of a cycle, and why the next one is waited for by those who hold it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wait {
    /// Held.
    pub channel: ChannelVertex,
    /// By what.
    pub cause: Cause,
}

/// Why a network is not proven free of deadlock.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum DeadlockError {
    /// Not all flows have paths.
    #[error(transparent)]
    Path(#[from] NocError),
    /// A packet may be where it has no escape.
    #[error("subnetwork {subnetwork}: at {router}, {cause} has no escape channel to ask for")]
    NoEscape {
        /// Number of the subnetwork.
        subnetwork: usize,
        /// Where.
        router: SiteName,
        /// The packet.
        cause: Cause,
    },
    /// A shortest cycle: each is held by packets that wait for the next, the last by some that wait for the first.
    #[error("{}", describe(.0))]
    Cycle(Vec<Wait>),
}

fn describe(cycle: &[Wait]) -> String {
    let steps: String =
        cycle.iter().map(|w| format!("  {}\n    held by {}, which waits for\n", w.channel, w.cause)).collect();
    let first = cycle.first().map_or(String::new(), |wait| format!("  {}", wait.channel));
    format!("the network can deadlock: {} channels wait for each other in a circle\n{steps}{first}", cycle.len())
}

/// What was proven: there is no cycle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Proof {
    /// Vertices: sets of VCs of channels that packets use.
    pub channels: usize,
    /// Edges.
    pub dependencies: usize,
}

impl fmt::Display for Proof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "free of deadlock: {} dependencies of {} channels, no cycle", self.dependencies, self.channels)
    }
}

/// Proves that `subnetworks`, which join the same nodes, are free of deadlock.
pub fn prove(subnetworks: &[Subnetwork<'_>]) -> Result<Proof, DeadlockError> {
    prove_with(subnetworks, &PlainInterfaces, &[])
}

/// The same with what endpoints have beside the routers for these flows; those of `subnetworks` are the parts of them that routers carry.
pub fn prove_with(
    subnetworks: &[Subnetwork<'_>],
    endpoints: &dyn Endpoints,
    flows: &[Flow],
) -> Result<Proof, DeadlockError> {
    let mut found = ChannelDependencies::default();
    for (number, subnetwork) in subnetworks.iter().enumerate() {
        found.walk(number, subnetwork)?;
    }
    endpoints.depend(&mut found, flows);
    found.proof()
}

#[cfg(test)]
mod tests {
    use super::{graph::without_escape, *};
    use crate::{
        Connectivity, NodeKind, Nodes, PlacementKind, Ports, Routing, Topology, TopologyKind, TopologyParams,
        paths::{Passage, Share, all_pairs},
        routing::{Hop, HopRule, Relation},
        topology::Roles,
    };

    /// A mesh and its routers.
    struct NetworkInGraph {
        topology: Topology,
        routers: Vec<Connectivity>,
    }

    /// The routings that a plain mesh has.
    fn of_mesh() -> impl Iterator<Item = Routing> {
        Routing::ALL.into_iter().filter(|routing| TopologyParams::default().routing(*routing).is_some())
    }

    fn net(columns: u32, rows: u32, half: impl Fn(u32, u32) -> bool) -> NetworkInGraph {
        let nodes = Nodes::with_kinds(columns, rows, |_| NodeKind::Core).expect("legal");
        let topology = Topology::mesh(&nodes);
        let router = |node: crate::Node| {
            let ports = Ports { links: topology.directions(node.number as usize).0, ..Ports::interior() };
            if half(node.x, node.y) { Connectivity::half(&ports) } else { Connectivity::full(&ports) }
        };
        let routers = nodes.iter().map(router).collect();
        NetworkInGraph { topology, routers }
    }

    fn full(columns: u32, rows: u32) -> NetworkInGraph {
        net(columns, rows, |_, _| false)
    }

    fn checkerboard(columns: u32, rows: u32) -> NetworkInGraph {
        net(columns, rows, |x, y| (x + y) % 2 == 1)
    }

    /// Requests and replies between all nodes that can talk.
    fn everybody(grid: Grid<'_>) -> Vec<Flow> {
        let nodes = grid.routers.len() as u32;
        let both = all_pairs(nodes).flat_map(|flow| [flow, Flow { class: MessageClass::Reply, ..flow }]);
        both.filter(|flow| grid.choices(*flow).is_ok()).collect()
    }

    fn grid(net: &NetworkInGraph, routing: Routing) -> Grid<'_> {
        Grid::new(&net.topology, &net.routers, routing, Share::default())
    }

    fn refused(subnetworks: &[Subnetwork<'_>]) -> (Vec<Wait>, String) {
        match prove(subnetworks) {
            Err(DeadlockError::Cycle(cycle)) => (cycle.clone(), DeadlockError::Cycle(cycle).to_string()),
            other => panic!("expected a cycle: {other:?}"),
        }
    }

    #[test]
    fn every_routing_is_proven_on_full_routers_and_checkerboard_on_half_routers() {
        for (columns, rows) in [(4, 4), (5, 3), (2, 6), (1, 4), (1, 1)] {
            let (full, checkerboard) = (full(columns, rows), checkerboard(columns, rows));
            for routing in of_mesh() {
                let on_halves = matches!(routing, Routing::Checkerboard | Routing::CheckerboardTwoPhase);
                for routers in [Some(&full), on_halves.then_some(&checkerboard)].into_iter().flatten() {
                    let grid = grid(routers, routing);
                    let proof = prove(&[Subnetwork::new(grid, everybody(grid), true)])
                        .unwrap_or_else(|e| panic!("{routing:?} on {columns} x {rows}: {e}"));
                    let nodes = (columns * rows) as usize;
                    assert!(proof.channels >= 4 * nodes, "{routing:?}: both ports of both classes at least: {proof}");
                    assert!(proof.dependencies >= proof.channels / 2, "{routing:?}: {proof}");
                }
            }
        }
    }

    /// Counted by hand: in a row of two nodes, each class has two injections, two ejections and two links; each injection leads to a
    /// link and to the own ejection, each link to an ejection; each node answers.
    #[test]
    fn the_graph_of_two_nodes() {
        let routers = full(2, 1);
        let grid = grid(&routers, Routing::Xy);
        let proof = prove(&[Subnetwork::new(grid, everybody(grid), true)]).expect("a row");
        assert_eq!(proof, Proof { channels: 12, dependencies: 2 * (4 + 2) + 2 });
        assert_eq!(proof.to_string(), "free of deadlock: 14 dependencies of 12 channels, no cycle");
    }

    #[test]
    fn both_orders_on_the_same_vcs_are_refused() {
        let routers = full(3, 3);
        let grid = grid(&routers, Routing::O1Turn);
        let broken = Subnetwork { vc_sets: 1, ..Subnetwork::new(grid, everybody(grid), true) };
        let (cycle, text) = refused(&[broken]);
        assert_eq!(cycle.len(), 4, "once around a square");
        insta::assert_snapshot!(text);
    }

    #[test]
    fn every_routing_of_two_sets_is_refused_with_one() {
        for routing in of_mesh().filter(|r| r.vc_sets() > 1) {
            let on_halves = matches!(routing, Routing::Checkerboard | Routing::CheckerboardTwoPhase);
            let routers = if on_halves { checkerboard(5, 5) } else { full(5, 5) };
            let grid = grid(&routers, routing);
            let (cycle, text) = refused(&[Subnetwork { vc_sets: 1, ..Subnetwork::new(grid, everybody(grid), true) }]);
            assert!(cycle.iter().all(|w| matches!(w.channel.place, ChannelLocation::Link(..))), "{routing:?}: {text}");
        }
    }

    /// A full router turns a packet between two half-routers, which cannot: the smallest circle goes around four full routers.
    #[test]
    fn checkerboard_routing_with_one_set_is_refused() {
        let routers = checkerboard(4, 4);
        let grid = grid(&routers, Routing::Checkerboard);
        let (_, text) = refused(&[Subnetwork { vc_sets: 1, ..Subnetwork::new(grid, everybody(grid), true) }]);
        insta::assert_snapshot!(text);
    }

    /// The chip's flows with XY routing: no circle among links, but one through the memory nodes when replies wait behind requests.
    #[test]
    fn requests_and_replies_on_the_same_vcs_are_refused() {
        let mesh = Nodes::new(3, 3, &PlacementKind::TopBottom.nodes(3, 3, 2).expect("fits")).expect("legal");
        let routers = full(3, 3);
        let grid = grid(&routers, Routing::Xy);
        prove(&[Subnetwork::new(grid, mesh.flows(), true)]).expect("separate classes");
        let (cycle, text) = refused(&[Subnetwork::new(grid, mesh.flows(), false)]);
        assert!(cycle.iter().any(|w| w.cause == Cause::Protocol), "{text}");
        insta::assert_snapshot!(text);
        // Class-based routing has its two orders apart only where the classes are.
        let class_based = self::grid(&routers, Routing::ClassBased);
        prove(&[Subnetwork::new(class_based, mesh.flows(), true)]).expect("separate classes");
        refused(&[Subnetwork::new(class_based, mesh.flows(), false)]);
    }

    /// Links of adaptive routing count for the protocol although they have an escape.
    #[test]
    fn adaptive_routing_with_classes_on_the_same_vcs_is_refused() {
        let mesh = Nodes::new(3, 3, &[1, 7]).expect("legal");
        let routers = full(3, 3);
        let grid = grid(&routers, Routing::Adaptive);
        let (cycle, text) = refused(&[Subnetwork::new(grid, mesh.flows(), false)]);
        assert!(cycle.iter().any(|w| w.cause == Cause::Protocol), "{text}");
    }

    #[test]
    fn dedicated_subnetworks_need_no_separate_classes_but_combined_ones_do() {
        let mesh = Nodes::new(3, 3, &[1, 7]).expect("legal");
        let routers = full(3, 3);
        let grid = grid(&routers, Routing::Xy);
        let only = |class| mesh.flows().into_iter().filter(|f| f.class == class).collect::<Vec<_>>();
        let dedicated = [MessageClass::Request, MessageClass::Reply].map(|c| Subnetwork::new(grid, only(c), false));
        prove(&dedicated).expect("replies have a network of their own");
        let combined = |separate| [(); 2].map(|()| Subnetwork::new(grid, mesh.flows(), separate));
        prove(&combined(true)).expect("replies have VCs of their own");
        refused(&combined(false));
        // The protocol joins subnetworks: requests of each are answered in the other as well.
        let (first, second) = (mesh.flows(), mesh.flows());
        let only_half =
            |flows: Vec<Flow>, memory| flows.into_iter().filter(|f| f.source == memory || f.dest == memory).collect();
        let halves =
            [Subnetwork::new(grid, only_half(first, 1), false), Subnetwork::new(grid, only_half(second, 7), false)];
        prove(&halves)
            .expect("a network for each memory node: requests only come nearer to it, replies only go away from it");
    }

    /// Any minimal direction on one set of VCs, and the odd-even turn model with a turn too many: each has a circle, the model itself has none.
    #[test]
    fn odd_even_needs_each_of_its_turns_to_be_left_out() {
        static MINIMAL: Relation = Relation::new("Minimal", &["minimal"], |view| {
            let hops: Vec<_> = view.dest_signs().productive().into_iter().flatten().map(Hop::Link).collect();
            let hops = if hops.is_empty() { vec![Hop::Arrived] } else { hops };
            hops.into_iter().map(|hop| (hop, 0)).collect()
        });
        // As the model, but packets that go west also leave the columns of odd numbers.
        static WEST_ANYWHERE: Relation = Relation::new("WestAnywhere", &["odd-even"], |view| {
            let dest = view.dest_signs();
            let HopRule::Relation(model) = Routing::OddEven.rule() else { panic!("it is a relation") };
            let rule = if dest.x == std::cmp::Ordering::Less { &MINIMAL } else { model };
            (rule.steps)(view)
        });
        // As the model, but packets that go east turn in every column.
        static EAST_ANYWHERE: Relation = Relation::new("EastAnywhere", &["odd-even"], |view| {
            let dest = view.dest_signs();
            let HopRule::Relation(model) = Routing::OddEven.rule() else { panic!("it is a relation") };
            let rule = if dest.x == std::cmp::Ordering::Greater { &MINIMAL } else { model };
            (rule.steps)(view)
        });
        let routers = full(5, 4);
        let model = grid(&routers, Routing::OddEven);
        prove(&[Subnetwork::new(model, everybody(model), true)]).expect("the model has no circle");
        for wrong in [&MINIMAL, &WEST_ANYWHERE, &EAST_ANYWHERE] {
            let grid = Grid { rule: HopRule::Relation(wrong), ..model };
            let (cycle, text) = refused(&[Subnetwork::new(grid, everybody(grid), true)]);
            assert!(cycle.iter().all(|wait| matches!(wait.channel.place, ChannelLocation::Link(..))), "{text}");
            insta::assert_snapshot!(format!("odd_even_{}", wrong.key), text);
        }
    }

    /// Routers of another topology, one node each.
    fn joined(kind: TopologyKind, columns: u32, rows: u32) -> NetworkInGraph {
        let nodes = Nodes::with_kinds(columns, rows, |_| NodeKind::Core).expect("legal");
        let params = TopologyParams { kind, concentration: 1 };
        let topology = Topology::new(params, &nodes, |_| Roles { injects: true, ejects: true }).expect("legal");
        let routers = (0..topology.sites().len()).map(|site| topology.full(site, |_| [1, 1])).collect();
        NetworkInGraph { topology, routers }
    }

    /// Straight and over an intermediate router on the same VCs: a link of the first phase and one of the second wait for each other.
    #[test]
    fn ugal_needs_its_two_sets() {
        let routers = joined(TopologyKind::FlattenedButterfly, 3, 3);
        let grid = grid(&routers, Routing::Ugal);
        let proven = prove(&[Subnetwork::new(grid, everybody(grid), true)]).expect("two sets");
        assert!(proven.channels > 9 * 4 * 2 * 2, "{proven}");
        let (_, text) = refused(&[Subnetwork { vc_sets: 1, ..Subnetwork::new(grid, everybody(grid), true) }]);
        insta::assert_snapshot!(text);
    }

    /// Adaptive on a torus: the escape needs both of its classes.
    #[test]
    fn adaptive_on_a_torus_needs_three_sets() {
        static ONE_ESCAPE: Relation = Relation::new("OneEscape", &["escape", "unused", "adaptive"], |view| {
            let HopRule::Relation(right) = Routing::TorusAdaptive.rule() else { panic!("it is a relation") };
            (right.steps)(view).into_iter().map(|(hop, class)| (hop, if class == 1 { 0 } else { class })).collect()
        })
        .with_escapes();
        for (columns, rows) in [(4, 4), (5, 3), (3, 6)] {
            let routers = joined(TopologyKind::Torus, columns, rows);
            let right = grid(&routers, Routing::TorusAdaptive);
            prove(&[Subnetwork::new(right, everybody(right), true)]).expect("three sets");
            let wrong = Grid { rule: HopRule::Relation(&ONE_ESCAPE), ..right };
            let (cycle, text) = refused(&[Subnetwork::new(wrong, everybody(wrong), true)]);
            assert!(cycle.iter().all(|wait| matches!(wait.channel.place, ChannelLocation::Link(..))), "{text}");
            assert!(text.contains("replies, escape") || text.contains("requests, escape"), "{text}");
        }
    }

    #[test]
    fn a_packet_without_escape_is_found() {
        let passage = |site, from, class_out, to| Passage { site, from, class_in: 1, to, class_out };
        let east = Some(Direction::East);
        let escape = passage(0, None, 0, east);
        let walk = [passage(0, None, 1, east), escape, passage(1, Some(Direction::West), 1, None)];
        assert_eq!(without_escape(&walk, 1), Some(1));
        let escape = passage(1, Some(Direction::West), 0, None);
        assert_eq!(without_escape(&[walk.as_slice(), &[escape]].concat(), 1), None);
    }

    #[test]
    fn a_flow_without_a_path_is_an_error() {
        let routers = checkerboard(4, 4);
        let grid = grid(&routers, Routing::Checkerboard);
        let apart = all_pairs(16).filter(|f| (f.source, f.dest) == (0, 7)).collect();
        let error = prove(&[Subnetwork::new(grid, apart, true)]).expect_err("odd and odd");
        assert!(
            matches!(error, DeadlockError::Path(NocError::NoPath { flow: Flow { source: 0, dest: 7, .. }, .. })),
            "{error}"
        );
    }
}
