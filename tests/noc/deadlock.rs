//! Deadlock: the proof and the simulation agree on a broken routing and on the one that mends it.

use crate::support::*;
use noc::{
    Connectivity, DeadlockError, FlitFormat, Flow, Grid, MessageClass, NetworkParams, NodeKind, Nodes, Routing,
    Subnetwork, Topology,
    deadlock::prove,
    mesh::full_router,
    paths::{Share, all_pairs},
};
use std::collections::HashMap;
use verilog::lockstep::Rng;

const NODES: u32 = 16;
/// Cycles without a flit that enters or leaves: more than 16 packets need to leave a network of 4 x 4 nodes one after
/// the other.
const STILL: u64 = 1_000;

/// A 4 x 4 mesh in which packets go by XY (`route_class` = 0) or YX, as many of each.
struct DeadlockNetwork {
    routing: Routing,
    vcs: u32,
    classes: u32,
    depth: usize,
    flits: u64,
}

impl DeadlockNetwork {
    fn mesh() -> Nodes {
        Nodes::with_kinds(4, 4, |_| NodeKind::Core).expect("legal size")
    }

    /// Packets of both orders between all nodes.
    fn flows() -> Vec<Flow> {
        all_pairs(NODES).flat_map(|flow| [flow, Flow { class: MessageClass::Reply, ..flow }]).collect()
    }

    /// Packets that are left when nothing moves any more, of 40 from each node, all waiting from the start.
    fn stuck(&self, seed: u64) -> usize {
        let mesh = Self::mesh();
        let format = FlitFormat::new(self.vcs, 24, NODES, 16);
        let params = NetworkParams::new(format, self.depth, self.classes).with_routing(self.routing);
        let top = shaped_mesh(&mesh, &params, |node| full_router(&mesh, node), Self::flows());
        let names = node_names(NODES);
        let mut h = Harness::new(&top, format, params.depth, &names, &names, false);
        h.random = Rng::new(seed);
        let group = format.vcs / self.classes;
        let mut open = HashMap::new();
        for number in 0..u64::from(NODES) * 40 {
            let (dest, route_class) = (h.random.below(NODES.into()), u64::from(h.random.chance(0.5)));
            let set = if self.classes == 2 { route_class as u32 } else { 0 };
            let flits = (0..self.flits).map(|_| h.random.bits(24)).collect();
            let vcs = set * group..(set + 1) * group;
            h.send(
                (number % u64::from(NODES)) as usize,
                Packet { dest, route_class, waypoint: 0, info: number, vcs, flits },
            );
            open.insert(number, dest);
        }
        while !open.is_empty() && h.still < STILL {
            for got in h.step() {
                assert_eq!(open.remove(&got.info), Some(got.sink as u64), "arrived once, there");
            }
        }
        open.len()
    }

    fn proof(&self, separate: bool) -> Result<(), DeadlockError> {
        let mesh = Self::mesh();
        let routers: Vec<Connectivity> = mesh.iter().map(|node| full_router(&mesh, node)).collect();
        let topology = Topology::mesh(&mesh);
        let grid = Grid::new(&topology, &routers, self.routing, Share::default());
        prove(&[Subnetwork::new(grid, Self::flows(), separate)]).map(|_| ())
    }
}

/// XY and YX packets on the same VC: class-based routing, whose classes would keep them apart, without separate
/// classes.
#[test]
fn both_orders_on_the_same_vcs_deadlock_as_the_proof_says() {
    let broken = DeadlockNetwork { routing: Routing::ClassBased, vcs: 1, classes: 1, depth: 2, flits: 8 };
    let error = broken.proof(false).expect_err("a cycle");
    assert!(matches!(error, DeadlockError::Cycle(_)), "{error}");
    let stuck = broken.stuck(1);
    assert!(stuck >= 4, "a circle has four packets at least: {stuck}");
}

/// The same packets, all by XY in a network no larger, or those of each order on VCs of their own.
#[test]
fn one_order_or_vcs_for_each_are_proven_and_drain() {
    let one_order = DeadlockNetwork { routing: Routing::Xy, vcs: 1, classes: 1, depth: 2, flits: 8 };
    let separate = DeadlockNetwork { routing: Routing::O1Turn, vcs: 2, classes: 2, depth: 2, flits: 8 };
    for network in [one_order, separate] {
        network.proof(true).expect("no cycle");
        assert_eq!(network.stuck(1), 0);
    }
}
