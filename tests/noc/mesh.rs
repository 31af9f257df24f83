//! Meshes of routers under flit-level traffic: zero-load latency, delivery, saturation.

use crate::support::*;
use noc::{
    FlitFormat, Grid, NetworkParams, NodeKind, Nodes, Routing, Topology,
    mesh::full_router,
    paths::{Share, all_pairs},
};
use std::collections::HashMap;
use verilog::lockstep::Rng;

pub fn cores(columns: u32, rows: u32) -> Nodes {
    Nodes::with_kinds(columns, rows, |_| NodeKind::Core).expect("legal size")
}

pub fn harness(nodes: &Nodes, params: &NetworkParams) -> Harness {
    let names = node_names(nodes.len());
    Harness::new(&bare_mesh(nodes, params), params.format, params.depth, &names, &names, false)
}

/// Zero-load latency of every pair is 2 + `hop` x routers + flits - 1.
pub fn zero_load(columns: u32, rows: u32, flits: usize, hop: u64, params: NetworkParams) {
    let plan = cores(columns, rows);
    let mut h = harness(&plan, &params);
    let nodes = plan.len();
    for (source, dest) in (0..nodes).flat_map(|s| (0..nodes).map(move |d| (s, d))) {
        let payload: Vec<_> = (0..flits).map(|_| h.random.bits(32)).collect();
        let created = h.cycle;
        let packet = Packet {
            dest: dest.into(),
            route_class: 0,
            waypoint: 0,
            info: u64::from(source),
            vcs: 0..4,
            flits: payload.clone(),
        };
        h.send(source as usize, packet);
        let distance = (source % columns).abs_diff(dest % columns) + (source / columns).abs_diff(dest / columns);
        let expected = 2 + hop * (u64::from(distance) + 1) + flits as u64 - 1;
        let got = loop {
            let deliveries = h.step();
            if let Some(first) = deliveries.into_iter().next() {
                break first;
            }
            assert!(h.cycle - created <= expected, "{source} -> {dest}: nothing after {expected} cycles");
        };
        assert_eq!(got.tail - created, expected, "{source} -> {dest}");
        assert_eq!((got.sink as u32, got.info, &got.flits), (dest, u64::from(source), &payload));
    }
}

#[test]
fn zero_load_latency_of_every_pair_of_a_4x4_mesh() {
    zero_load(4, 4, 1, 5, NetworkParams::new(FlitFormat::new(4, 32, 16, 8), 8, 1));
}

#[test]
fn zero_load_latency_with_five_flits() {
    let params = NetworkParams::new(FlitFormat::new(4, 32, 6, 8), 8, 1);
    zero_load(3, 2, 5, 5, NetworkParams { routing: Routing::Yx, ..params });
}

/// Random traffic until `packets` are sent; every packet arrives once, whole, at its destination.
pub fn random_traffic(nodes: &Nodes, params: &NetworkParams, load: f64, packets: usize, hold: f64, seed: u64) {
    let mut h = harness(nodes, params);
    let nodes = u64::from(nodes.len());
    (h.hold, h.random) = (hold, Rng::new(seed));
    let group = params.format.vcs / params.classes;
    let mut open: HashMap<u64, (u64, Vec<_>)> = HashMap::new();
    let (mut sent, mut quiet) = (0, 0);
    while sent < packets || !open.is_empty() {
        for source in 0..nodes {
            if sent < packets && h.random.chance(load) && h.queued() < 20 * nodes as usize {
                let dest = h.random.below(nodes);
                let class = h.random.below(params.classes.into()) as u32;
                let count = [1, 1, 4, 5][h.random.below(4) as usize];
                let flits: Vec<_> = (0..count).map(|_| h.random.bits(params.format.width)).collect();
                let info = sent as u64;
                open.insert(info, (dest, flits.clone()));
                let (route_class, vcs) = (u64::from(class) % 2, class * group..(class + 1) * group);
                h.send(source as usize, Packet { dest, route_class, waypoint: 0, info, vcs, flits });
                sent += 1;
            }
        }
        let deliveries = h.step();
        quiet = if deliveries.is_empty() { quiet + 1 } else { 0 };
        assert!(quiet < 2_000, "deadlock: {} packets stuck in cycle {}", open.len(), h.cycle);
        for got in deliveries {
            let (dest, flits) = open.remove(&got.info).expect("delivered once, and sent");
            assert_eq!((got.sink as u64, got.dest, got.flits), (dest, dest, flits));
        }
    }
    for _ in 0..20 {
        assert!(h.step().is_empty(), "nothing is left in the network");
    }
}

#[test]
fn every_packet_is_delivered_once_on_a_3x3_mesh() {
    let nodes = cores(3, 3);
    for (vcs, depth, classes, routing) in [
        (2, 1, 1, Routing::Xy),
        (4, 8, 2, Routing::Xy),
        (4, 3, 2, Routing::O1Turn),
        (6, 5, 2, Routing::Yx),
        (1, 2, 1, Routing::Yx),
    ] {
        let params =
            NetworkParams { routing, ..NetworkParams::new(FlitFormat::new(vcs, 40, nodes.len(), 16), depth, classes) };
        random_traffic(&nodes, &params, 0.15, 500, 0.25, u64::from(vcs) + depth as u64);
    }
}

#[test]
fn saturation_does_not_deadlock() {
    let nodes = cores(4, 4);
    let params = NetworkParams::new(FlitFormat::new(4, 32, nodes.len(), 16), 4, 2);
    random_traffic(&nodes, &params, 1.0, 3_000, 0.5, 7);
}

#[test]
fn meshes_of_one_row_one_column_and_one_node() {
    for (columns, rows) in [(1, 4), (5, 1), (6, 2), (1, 1), (3, 5)] {
        let nodes = cores(columns, rows);
        let params = NetworkParams::new(FlitFormat::new(2, 24, nodes.len(), 16), 2, 2);
        random_traffic(&nodes, &params, 0.2, 200, 0.1, 11);
    }
}

#[test]
fn every_routing_delivers() {
    of_mesh().for_each(|routing| every_path(routing, |params| params));
}

/// A routing of two phases or with a choice, on full routers, and checkerboard routing on half-routers: each flow's
/// packets, with every choice that its source has, arrive.
pub fn every_path(routing: Routing, change: impl Fn(NetworkParams) -> NetworkParams) {
    let nodes = cores(4, 4);
    let format = FlitFormat::new(4, 24, nodes.len(), 16);
    let params = change(NetworkParams::new(format, 3, routing.vc_sets()).with_routing(routing));
    let checkerboard = matches!(routing, Routing::Checkerboard | Routing::CheckerboardTwoPhase);
    let shape = |node| match checkerboard {
        true => checkerboard_router(&nodes, node),
        false => full_router(&nodes, node),
    };
    let routers: Vec<_> = nodes.iter().map(shape).collect();
    let joined = Topology::mesh(&nodes);
    let grid = Grid::new(&joined, &routers, routing, Share::default());
    let flows: Vec<_> = all_pairs(16).filter(|flow| grid.choices(*flow).is_ok()).collect();
    assert!(flows.len() > 200, "{routing:?}: all but some pairs of full routers");
    let names = node_names(16);
    let top = shaped_mesh(&nodes, &params, shape, flows.clone());
    let mut h = Harness::new(&top, format, params.depth, &names, &names, false);
    (h.hold, h.random) = (0.2, Rng::new(5));
    let mut choices: Vec<_> = (flows.iter())
        .flat_map(|&flow| grid.choices(flow).expect("filtered").into_iter().map(move |choice| (flow, choice)))
        .collect();
    let group = format.vcs / params.classes;
    let mut open: HashMap<u64, u64> = HashMap::new();
    let (mut sent, mut quiet) = (0, 0);
    while !choices.is_empty() || !open.is_empty() {
        while h.queued() < 32 && !choices.is_empty() {
            let (flow, choice) = choices.swap_remove(h.random.below(choices.len() as u64) as usize);
            let set = if params.classes > 1 { choice.routing_class } else { 0 };
            let flits = (0..[1, 4][sent as usize % 2]).map(|_| h.random.bits(24)).collect();
            let waypoint = u64::from(choice.waypoint.1 * 4 + choice.waypoint.0);
            let (dest, vcs) = (flow.dest.into(), set * group..(set + 1) * group);
            h.send(
                flow.source as usize,
                Packet { dest, route_class: choice.routing_class.into(), waypoint, info: sent, vcs, flits },
            );
            open.insert(sent, dest);
            sent += 1;
        }
        let deliveries = h.step();
        quiet = if deliveries.is_empty() { quiet + 1 } else { 0 };
        assert!(quiet < 2_000, "{routing:?}: {} packets stuck in cycle {}", open.len(), h.cycle);
        for got in deliveries {
            assert_eq!(open.remove(&got.info), Some(got.sink as u64), "{routing:?}: arrived once, there");
        }
    }
}
