//! Topologies other than the plain mesh: latency without contention, traffic watched from inside, Verilog, and the
//! route units against the rules they are made from.

use crate::{campaign::part_or_all, matrix::options, organisations::traffic, watch::Watched};
use proptest::{prelude::*, sample::select};
use warpmesh::{
    netlist::elaborate,
    noc::{
        Direction, Fabric, FabricParams, FlitFormat, MessageClass, NetworkParams, NocError, NodeKind, Nodes,
        Organisation, PortChoice, Routing, TopologyKind, TopologyParams,
        fabric::RouterKinds,
        line::LineRule,
        link::link,
        route_unit::{RouteUnitParams, route_unit},
        router,
        routing::{Hop, HopRule, View},
        topology::Addressing,
    },
    open_loop::{Bench, Pattern, Phases, Sizes, Traffic},
    sim::Simulator,
    verilog::lint,
};

fn params(nodes: Nodes, kind: TopologyKind, concentration: u32) -> FabricParams {
    let network = NetworkParams::new(FlitFormat::new(4, 64, nodes.len(), 8), 4, 2);
    FabricParams { topology: TopologyParams { kind, concentration }, ..FabricParams::new(nodes, network) }
}

/// A core, a memory node, and nobody else: the latency of every packet, by hand: two cycles, the routers, one for each
/// flit but the first, and what links take beyond a cycle.
#[test]
fn latency_without_contention_counts_routers_and_the_length_of_links() {
    use TopologyKind::*;
    for (kind, concentration, (columns, rows), (core, memory), routers, links) in [
        (Mesh, 1, (6, 6), (0, 35), 11, 0),
        // Neighbours are two tiles apart: five links.
        (Mesh, 4, (8, 8), (0, 61), 6, 5),
        // The closing link is five tiles long.
        (Torus, 1, (6, 6), (0, 5), 2, 4),
        (Torus, 1, (6, 6), (0, 2), 3, 0),
        (FoldedTorus, 1, (6, 6), (0, 5), 2, 1),
        (FoldedTorus, 1, (6, 6), (0, 14), 5, 4),
        // Along the top by an express link of two routers, four tiles; then three down.
        (ExpressMesh, 4, (8, 8), (0, 52), 5, 3 + 3),
        // The first column is the way back.
        (Ring, 1, (4, 4), (0, 12), 4, 0),
        // One hop of three routers, six tiles, and one of two.
        (FlattenedButterfly, 4, (8, 8), (0, 38), 3, 5 + 3),
        (FlattenedButterfly, 1, (4, 4), (5, 6), 2, 0),
    ] {
        for flits in [1, 4] {
            let kinds = |node| match node {
                n if n == core => NodeKind::Core,
                n if n == memory => NodeKind::Memory,
                _ => NodeKind::Empty,
            };
            let nodes = Nodes::with_kinds(columns, rows, kinds).expect("legal");
            let name = format!("{kind:?}, {concentration} nodes a router, {core} to {memory}, {flits} flits");
            let network = FabricParams { messages: 1, ..params(nodes, kind, concentration) };
            let transactions = Sizes::fixed(flits).one_way();
            let traffic = Traffic { transactions, ..traffic() };
            let mut bench = Bench::new(&network, &traffic, &options()).unwrap_or_else(|e| panic!("{name}: {e}"));
            let phases = Phases { warmup: 100, measure: 4_000, drain: 10_000 };
            let point =
                bench.run(0.0025 * f64::from(flits), phases, 6, 8, |_| {}).unwrap_or_else(|e| panic!("{name}: {e}"));
            let latency = point.packet_latency.expect("packets");
            let expected = 2 + 5 * routers + links + u64::from(flits) - 1;
            assert_eq!((latency.p50, latency.max), (expected, expected), "{name}");
            assert_eq!(bench.zero_load_latency(), expected as f64, "{name}");
        }
    }
}

/// Indirect topologies: what the model of the paths says is what every packet takes, the length of the nodes' own
/// channels included.
#[test]
fn latency_over_concentrators_and_stages_is_exact() {
    use TopologyKind::*;
    for (kind, concentration, tiles_per_cycle) in
        [(Butterfly, 1, 1), (Crossbar, 1, 1), (Crossbar, 3, 1), (Crossbar, 3, 2), (Ring, 4, 3)]
    {
        for (core, memory) in [(0, 35), (14, 3), (5, 30)] {
            let kinds = |node| match node {
                n if n == core => NodeKind::Core,
                n if n == memory => NodeKind::Memory,
                _ => NodeKind::Empty,
            };
            let nodes = Nodes::with_kinds(6, 6, kinds).expect("legal");
            let name = format!("{kind:?}, {concentration} nodes a router, {core} to {memory}");
            let network = FabricParams { messages: 1, tiles_per_cycle, ..params(nodes, kind, concentration) };
            let traffic = Traffic { transactions: Sizes::fixed(3).one_way(), ..traffic() };
            let mut bench = Bench::new(&network, &traffic, &options()).unwrap_or_else(|e| panic!("{name}: {e}"));
            let phases = Phases { warmup: 100, measure: 10_000, drain: 10_000 };
            let point = bench.run(0.002, phases, 6, 8, |_| {}).unwrap_or_else(|e| panic!("{name}: {e}"));
            let latency = point.packet_latency.expect("packets");
            assert_eq!(latency.p50, latency.max, "{name}");
            assert_eq!(bench.zero_load_latency(), latency.mean, "{name}");
        }
    }
}

fn shapes() -> Vec<(TopologyKind, u32, u32, u32)> {
    use TopologyKind::*;
    vec![
        (Mesh, 4, 4, 4),
        (Mesh, 2, 4, 3),
        (ExpressMesh, 1, 5, 4),
        (ExpressMesh, 2, 8, 2),
        (Torus, 1, 4, 3),
        (Torus, 1, 3, 5),
        (Torus, 4, 6, 6),
        (FoldedTorus, 1, 4, 4),
        (Ring, 1, 4, 3),
        (Ring, 1, 3, 3),
        (Ring, 2, 4, 3),
        (FlattenedButterfly, 1, 3, 3),
        (FlattenedButterfly, 4, 6, 4),
        (Butterfly, 1, 4, 3),
        (Butterfly, 1, 5, 2),
        (Crossbar, 1, 3, 3),
        (Crossbar, 2, 4, 3),
        (Crossbar, 3, 4, 3),
    ]
}

fn networks() -> impl Strategy<Value = (FabricParams, f64, u64)> {
    let organisation = select(vec![Organisation::Single, Organisation::Dedicated, Organisation::Combined]);
    let memories = proptest::collection::vec(0..1000_u32, 1..=3);
    let router = (1..=2_u32, 1..=5_usize, 1..=4_u32, 0..=1_u32, 1..=2_u32);
    let ports = (1..=2_u32, 1..=2_u32, 1..=3_u32);
    (select(shapes()), organisation, memories, router, ports, 0.02..0.5_f64, any::<u64>()).prop_map(
        |((kind, concentration, columns, rows), organisation, memories, router, ports, load, seed)| {
            let (group, depth, pipeline, extra_latency, input_speedup) = router;
            let mut memories: Vec<_> = memories.into_iter().map(|place| place % (columns * rows)).collect();
            memories.sort();
            memories.dedup();
            let nodes = Nodes::new(columns, rows, &memories).expect("each once");
            let topology = TopologyParams { kind, concentration };
            let routing = topology.routing(Routing::Xy).expect("everywhere");
            let classes = organisation.messages() * routing.vc_sets();
            let format = FlitFormat::new(classes * group, 64, nodes.len(), 8);
            let input_speedup = if (classes * group).is_multiple_of(2) { input_speedup } else { 1 };
            let network =
                NetworkParams { pipeline, extra_latency, input_speedup, ..NetworkParams::new(format, depth, classes) };
            let (injects, ejects, tiles_per_cycle) = ports;
            let plain = FabricParams::new(nodes, network);
            let port_choice = PortChoice::Random;
            let params =
                FabricParams { topology, tiles_per_cycle, organisation, injects, ejects, port_choice, ..plain };
            (params, load, seed)
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 10, max_shrink_iters: 40, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_topology_delivers_by_its_paths_and_comes_to_rest((network, load, seed) in networks()) {
        let traffic = traffic();
        let mut watched = Watched::new(&network, &traffic);
        let before = watched.is_at_rest().map_err(TestCaseError::fail)?;
        watched.run(load.min(traffic.mean_request()), 700, seed);
        prop_assert_eq!(watched.is_at_rest().map_err(TestCaseError::fail)?, before);
        prop_assert!(watched.arrived >= 8, "{} packets in 700 cycles", watched.arrived);
    }
}

/// Every node to every other, hard: tori and rings use their closing links, and nothing gets stuck.
#[test]
fn full_load_does_not_stop_a_ring() {
    use TopologyKind::*;
    for (kind, columns, rows) in [(Ring, 4, 3), (Torus, 4, 4), (Torus, 5, 3), (FoldedTorus, 3, 3)] {
        let nodes = Nodes::with_kinds(columns, rows, |_| NodeKind::Core).expect("legal");
        let network = NetworkParams::new(FlitFormat::new(2, 64, nodes.len(), 8), 2, 2);
        let topology = TopologyParams { kind, concentration: 1 };
        let params = FabricParams { messages: 1, topology, ..FabricParams::new(nodes, network) };
        let traffic = Traffic { pattern: Pattern::Uniform, transactions: Sizes::fixed(4).one_way(), ..traffic() };
        let mut watched = Watched::new(&params, &traffic);
        watched.run(3.0, 1_500, 1);
        assert!(watched.arrived > 400, "{kind:?}: {watched}");
        watched.is_at_rest().unwrap_or_else(|left| panic!("{kind:?}: {left}"));
    }
}

/// The nets of route units against the functions, for every pair of places and both phases.
#[test]
fn route_units_of_lines_are_their_rules() {
    use Direction::*;
    let compass = [North, East, South, West];
    let express = [compass, [ExpressNorth, ExpressEast, ExpressSouth, ExpressWest]].concat();
    for (rule, columns, rows, links) in [
        (LineRule::Shortest, 4, 5, compass.to_vec()),
        (LineRule::Shortest, 3, 6, compass.to_vec()),
        (LineRule::Shortest, 7, 1, vec![East, West]),
        (LineRule::Express, 4, 5, express.clone()),
        (LineRule::Express, 6, 3, express),
        (LineRule::Flattened, 4, 3, vec![Column(1), Column(2), Column(3), Row(1), Row(2)]),
    ] {
        let rule = HopRule::Lines(rule);
        let outputs: Vec<_> = links.iter().map(|d| warpmesh::noc::Output::To(*d)).collect();
        let outputs = [outputs, vec![warpmesh::noc::Output::Eject(0)]].concat();
        let unit = route_unit(&RouteUnitParams::plain(columns, rows, rule, outputs));
        let mut sim = Simulator::new(&elaborate(&unit).expect("legal"), &options()).expect("simulates");
        let places: Vec<_> = (0..columns * rows).map(|n| (n % columns, n / columns)).collect();
        for (&here, (dest, &there), phase) in places
            .iter()
            .flat_map(|here| (0..).zip(&places).flat_map(move |dest| [0, 1].map(|phase| (here, dest, phase))))
        {
            sim.poke("here_x", u64::from(here.0));
            sim.poke("here_y", u64::from(here.1));
            sim.poke("dest", dest);
            if rule.reads_routing_class() {
                sim.poke("route_class", phase);
            }
            sim.settle();
            let size = (columns, rows);
            let view = View {
                from: None,
                here,
                dest: there,
                waypoint: there,
                size,
                routing_class: phase as u32,
                routes: None,
            };
            let [(hop, after)] = rule.steps(view)[..] else { panic!("one hop") };
            let at = match hop {
                Hop::Link(direction) => links.iter().position(|d| *d == direction).expect("a link that is there"),
                Hop::Arrived => links.len(),
            };
            let (stays, crosses) = if u64::from(after) == phase { (1 << at, 0) } else { (0, 1 << at) };
            let name = format!("{rule:?} {columns} x {rows}: {here:?} to {there:?}, phase {phase}: {hop:?}, {after}");
            assert_eq!(sim.peek("route"), stays, "{name}");
            if rule.reads_routing_class() {
                assert_eq!(sim.peek("cross"), crosses, "{name}");
            }
        }
    }
}

/// Each distinct router of each topology, and a link, in all tools.
#[test]
fn routers_of_all_topologies_and_links_are_clean() {
    use TopologyKind::*;
    for (kind, concentration, organisation) in [
        (Torus, 1, Organisation::Single),
        (Ring, 2, Organisation::Single),
        (Crossbar, 3, Organisation::Dedicated),
        (FlattenedButterfly, 1, Organisation::Single),
        (ExpressMesh, 1, Organisation::Single),
        (Butterfly, 1, Organisation::Single),
    ]
    .into_iter()
    .step_by(part_or_all(2, 1))
    {
        let nodes = Nodes::new(4, 4, &[3, 12]).expect("legal");
        let flows = nodes.flows();
        let params = FabricParams { organisation, ejects: 2, ..params(nodes, kind, concentration) };
        let fabric = Fabric::new(params, &flows).unwrap_or_else(|e| panic!("{kind:?}: {e}"));
        let mut seen = std::collections::BTreeSet::new();
        for part in fabric.subnetworks() {
            for site in 0..part.routers.len() {
                let module = router(&fabric.router_params(part, site)).unwrap_or_else(|e| panic!("{kind:?}: {e}"));
                // The first of each kind of port: others differ in their number only.
                if seen.len() < 2 && seen.insert(module.name.clone()) {
                    clean(&module);
                }
            }
        }
    }
    clean(&link(&FlitFormat::new(4, 64, 36, 8), 3));
}

fn clean(top: &warpmesh::hdl::Module) {
    let diagnostics = lint(&elaborate(top).unwrap_or_else(|e| panic!("{e}"))).unwrap_or_else(|e| panic!("{e}"));
    let all: Vec<_> = diagnostics.iter().map(ToString::to_string).collect();
    assert!(all.is_empty(), "{}", all.join("\n"));
}

/// With a network for each class, the crossbar of the thesis' section 6.10.1: 10 x 8 for requests, 8 x 10 for replies.
#[test]
fn a_crossbar_for_each_class_is_asymmetric() {
    let memories = warpmesh::noc::PlacementKind::TopBottom.nodes(6, 6, 8).expect("fits");
    let nodes = Nodes::new(6, 6, &memories).expect("legal");
    let flows = nodes.flows();
    let dedicated = FabricParams { organisation: Organisation::Dedicated, ..params(nodes, TopologyKind::Crossbar, 3) };
    let fabric = Fabric::new(dedicated, &flows).expect("legal");
    let sizes: Vec<_> = fabric.subnetworks().iter().map(|part| &part.routers[0]).collect();
    let sizes: Vec<_> = sizes.iter().map(|router| (router.inputs().len(), router.outputs().len())).collect();
    assert_eq!(sizes, [(10, 8), (8, 10)]);
    let concentrators = |part: usize| fabric.subnetworks()[part].routers[1].clone();
    assert_eq!((concentrators(0).inputs().len(), concentrators(0).outputs().len()), (3, 1));
    assert_eq!((concentrators(1).inputs().len(), concentrators(1).outputs().len()), (1, 3));
    let lengths = fabric.subnetworks()[0].topology.links().iter().map(|link| link.tiles);
    assert!(lengths.clone().max() > Some(2), "the far ones are far: {:?}", lengths.collect::<Vec<_>>());
    assert!(fabric.prove().is_ok());
    assert!(flows.iter().any(|flow| flow.class == MessageClass::Reply));
}

#[test]
fn what_a_topology_cannot_do_is_an_error() {
    use TopologyKind::*;
    let error = |change: &dyn Fn(&mut FabricParams), kind, concentration| {
        let nodes = Nodes::new(6, 6, &[1, 14]).expect("legal");
        let flows = nodes.flows();
        let mut params = params(nodes, kind, concentration);
        change(&mut params);
        Fabric::new(params, &flows).expect_err("impossible")
    };
    let same = |_: &mut FabricParams| {};
    assert!(matches!(error(&same, Mesh, 3), NocError::Concentration { concentration: 3, .. }));
    assert!(matches!(error(&same, Mesh, 16), NocError::Concentration { .. }), "4 x 4 does not divide 6 x 6");
    assert!(matches!(error(&same, Butterfly, 2), NocError::Concentration { .. }));
    assert!(matches!(error(&same, Crossbar, 17), NocError::Concentration { .. }));
    let routed = |routing| move |p: &mut FabricParams| p.network = p.network.with_routing(routing);
    let wrong = error(&routed(Routing::OddEven), Torus, 1).to_string();
    assert_eq!(
        wrong,
        "OddEven routing on this topology: allowed: Xy, Adaptive, UpDown, AdaptiveUpDown; it works on mesh"
    );
    assert!(matches!(error(&routed(Routing::Romm), Mesh, 4), NocError::RoutingOnTopology { .. }));
    let halves = |p: &mut FabricParams| p.routers = RouterKinds::Checkerboard;
    assert!(matches!(error(&halves, Torus, 1), NocError::MeshOnly { .. }));
    let smart = |p: &mut FabricParams| (p.injects, p.port_choice) = (2, PortChoice::Smart);
    assert!(matches!(error(&smart, Crossbar, 3), NocError::MeshOnly { .. }));
    assert!(matches!(error(&|p| p.tiles_per_cycle = 0, Torus, 1), NocError::Places { name: "tiles_per_cycle", .. }));
    let nodes = Nodes::new(2, 6, &[1]).expect("legal");
    let flows = nodes.flows();
    assert!(matches!(Fabric::new(params(nodes, Torus, 1), &flows), Err(NocError::Torus { columns: 2, .. })));
    assert_eq!(Addressing::plain(4, 2).nodes(), 8);
}
