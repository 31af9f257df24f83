//! Routings that look at more than signs: odd-even (input and columns), UGAL (loads), adaptive on a torus (three sets
//! of VCs). Route units against their relations, whole networks watched from inside and in lockstep with Verilator,
//! latency without contention.

use crate::{
    network_rig::NetworkRig,
    organisations::traffic,
    random_loads::{Drawn, zero_load},
    watch::Watched,
};
use warpmesh::{
    noc::{
        Direction, FabricParams, FlitFormat, NetworkParams, Nodes, Output, Priority, Routing, SplitQueues,
        TopologyKind, TopologyParams, VcReallocation,
        route_unit::{RouteUnitParams, route_unit},
        routing::{Hop, HopRule, View, relation::Form},
    },
    open_loop::Bench,
    verilog::lockstep::Rng,
};

/// `columns` x `rows` nodes with memory nodes at `memories`, `sets` VCs of three flits a message class.
fn network(
    (kind, concentration): (TopologyKind, u32),
    (columns, rows): (u32, u32),
    memories: &[u32],
    routing: Routing,
) -> FabricParams {
    let nodes = Nodes::new(columns, rows, memories).expect("legal");
    let topology = TopologyParams { kind, concentration };
    let routing = topology.routing(routing).expect("it works there");
    let format = FlitFormat::new(2 * routing.vc_sets(), 64, nodes.len(), 8);
    let router = NetworkParams::new(format, 3, 1).with_routing(routing);
    FabricParams { topology, ejects: 2, ..FabricParams::new(nodes, router) }
}

/// Odd-even on a mesh, UGAL on a flattened butterfly of two nodes a router, adaptive on tori of one and of two.
fn networks() -> [FabricParams; 4] {
    [
        network((TopologyKind::Mesh, 1), (4, 3), &[1, 10], Routing::OddEven),
        network((TopologyKind::FlattenedButterfly, 2), (6, 3), &[1, 10], Routing::Ugal),
        network((TopologyKind::Torus, 1), (4, 3), &[1, 10], Routing::Adaptive),
        network((TopologyKind::Torus, 2), (6, 3), &[1, 10], Routing::Adaptive),
    ]
}

/// Every head goes by a path of the relation, and every packet arrives once, whole; then all is at rest.
#[test]
fn packets_go_by_their_relation() {
    for network in networks() {
        let name = format!("{:?}", network.network.routing);
        let mut watched = Watched::new(&network, &traffic());
        watched.run(0.5, 1_500, 3);
        watched.is_at_rest().unwrap_or_else(|left| panic!("{name}: {left}"));
        assert!(watched.arrived > 500 && watched.turns > 100, "{name}: {watched}");
    }
}

/// The same where stages are merged, packets follow each other at once, replies have split queues and a priority, and
/// VCs are given to packets that fit whole: on the torus replies start in each of the three sets.
#[test]
fn packets_go_by_their_relation_in_other_routers() {
    for (pipeline, network) in (1..).zip(networks()) {
        let torus = network.topology.kind == TopologyKind::Torus;
        let vc_reallocation = VcReallocation::WithTail;
        let network = FabricParams {
            network: NetworkParams { pipeline, vc_reallocation, ..network.network },
            split: torus.then_some(SplitQueues { links: 3 }),
            priority: torus.then_some(Priority { levels: 3, starvation_cycles: 40 }),
            whole_packets: torus,
            ..network
        };
        let name = format!("{:?}", network.network.routing);
        let mut watched = Watched::new(&network, &traffic());
        watched.run(0.5, 1_000, 3);
        watched.is_at_rest().unwrap_or_else(|left| panic!("{name}: {left}"));
        assert!(watched.arrived > 300 && watched.turns > 50, "{name}: {watched}");
    }
}

fn agrees_with_verilog(network: &FabricParams) {
    let mut watched = Watched::in_lockstep(network, &traffic()).unwrap_or_else(|e| panic!("{e}"));
    watched.run(0.4, 1_200, 1);
    watched.is_at_rest().unwrap_or_else(|left| panic!("{left}"));
    assert!(watched.arrived > 300 && watched.turns > 50, "{watched}");
    let agreement = watched.agreement().unwrap_or_else(|e| panic!("{e}"));
    assert!(agreement.cycles > 1_200 && agreement.moved.len() > agreement.still.len(), "{agreement:?}");
}

#[test]
fn lockstep_ugal_on_a_flattened_butterfly() {
    agrees_with_verilog(&network((TopologyKind::FlattenedButterfly, 2), (6, 2), &[1], Routing::Ugal));
}

#[test]
fn lockstep_adaptive_torus() {
    agrees_with_verilog(&network((TopologyKind::Torus, 1), (3, 3), &[1], Routing::Adaptive));
}

/// Zero-load latency is that of every packet alone, by the shortest way: UGAL goes straight where nothing is loaded.
#[test]
fn zero_load_latency_is_that_of_the_shortest_way() {
    for network in networks() {
        let mut bench = Bench::new(&network, &traffic(), &crate::matrix::options()).expect("legal");
        let drawn = Drawn { seed: 0, network, traffic: traffic() };
        zero_load(&drawn, &mut bench).unwrap_or_else(|said| panic!("{drawn}: {said}"));
    }
}

/// The compact forms are recognised, and what has none is looked up.
#[test]
fn forms_are_recognised() {
    let form = |routing: Routing| match routing.rule() {
        HopRule::Relation(relation) => Some(relation.form()),
        _ => None,
    };
    use Routing::*;
    for routing in [Xy, Yx, ClassBased, O1Turn, Romm, Checkerboard, CheckerboardTwoPhase, Adaptive] {
        assert_eq!(form(routing), Some(Form::Signs), "{routing:?}");
    }
    assert_eq!(form(OddEven), Some(Form::Columns));
    assert_eq!(form(TorusAdaptive), Some(Form::Table));
    assert_eq!((form(Ugal), form(ShortestXy)), (None, None));
}

fn serves(output: Output, hop: Hop) -> bool {
    match (output, hop) {
        (Output::To(direction), Hop::Link(to)) => direction == to,
        (Output::Eject(_), Hop::Arrived) => true,
        _ => false,
    }
}

/// A bit for each output that serves one of `hops`.
fn word(outputs: &[Output], hops: &[Hop]) -> u64 {
    let is = |output: &Output| hops.iter().any(|hop| serves(*output, *hop));
    (0..).zip(outputs).filter(|(_, output)| is(output)).map(|(i, _)| 1 << i).sum()
}

/// Tables say what the relation does, for every place, destination and routing class, with ties in one line.
#[test]
fn tables_are_their_relation() {
    let (rule, size) = (Routing::TorusAdaptive.rule(), (4, 3));
    let outputs = [&Direction::ALL.map(Output::To)[..], &[Output::Eject(0)]].concat();
    let params = RouteUnitParams::plain(size.0, size.1, rule, outputs.clone());
    let mut rig = NetworkRig::new(&route_unit(&params), false);
    let place = |node: u32| (node % size.0, node / size.0);
    for here in 0..12 {
        for (port, table) in params.tables(place(here)) {
            rig.sim.poke(&port, table.to_u64());
        }
        for (dest, routing_class) in (0..12).flat_map(|dest| (0..3).map(move |class| (dest, class))) {
            let at = place(dest);
            let view =
                View { from: None, here: place(here), dest: at, waypoint: at, size, routing_class, routes: None };
            rig.sim.poke("dest", dest.into());
            rig.sim.poke("route_class", routing_class.into());
            let steps = rule.steps(view);
            for (up, port) in ["route", "cross", "cross2"].into_iter().enumerate() {
                let leads = |next: u32| next == (routing_class + up as u32) % 3;
                let hops: Vec<_> = steps.iter().filter(|(_, next)| leads(*next)).map(|(hop, _)| *hop).collect();
                assert_eq!(rig.sim.peek(port), word(&outputs, &hops), "{port} {view:?}: {steps:?}");
            }
        }
    }
}

/// The route unit of an injection port takes the way that is loaded less, hops counted; the others do what the relation
/// says.
#[test]
fn ugal_takes_the_way_that_is_loaded_less() {
    const BITS: u32 = 5;
    let (rule, size) = (Routing::Ugal.rule(), (4, 3));
    use Direction::{Column, Row};
    let links = [Column(1), Column(2), Column(3), Row(1), Row(2)];
    let outputs: Vec<_> = links.into_iter().map(Output::To).chain([Output::Eject(0)]).collect();
    let plain = RouteUnitParams::plain(size.0, size.1, rule, outputs.clone());
    let mut random = Rng::new(2);
    let mut taken = [0, 0];
    for from in [None, Some(Column(1))] {
        let params = RouteUnitParams { from, load_bits: from.is_none().then_some(BITS), ..plain.clone() };
        let mut rig = NetworkRig::new(&route_unit(&params), false);
        for _ in 0..6_000 {
            let [here, dest, waypoint] = [(); 3].map(|()| random.below(12) as u32);
            let [at, to, over] = [here, dest, waypoint].map(|node| (node % size.0, node / size.0));
            let routing_class = if from.is_none() { 1 } else { random.below(2) as u32 };
            let loads: Vec<u64> = outputs.iter().map(|_| random.below(1 << BITS)).collect();
            let sim = &mut rig.sim;
            let pins = [
                ("here_x", at.0),
                ("here_y", at.1),
                ("dest", dest),
                ("waypoint", waypoint),
                ("route_class", routing_class),
            ];
            pins.into_iter().for_each(|(pin, value)| sim.poke(pin, value.into()));
            if from.is_none() {
                sim.poke("loads", (0..).zip(&loads).map(|(i, load)| load << (i * BITS)).sum());
            }
            let steps =
                rule.steps(View { from, here: at, dest: to, waypoint: over, size, routing_class, routes: None });
            let hops = |a: (u32, u32), b: (u32, u32)| u64::from(a.0 != b.0) + u64::from(a.1 != b.1);
            let load = |hop: Hop| {
                let link = outputs.iter().position(|output| serves(*output, hop) && hop != Hop::Arrived);
                link.map_or(0, |at| loads[at])
            };
            let expected = match steps[..] {
                [one] => one,
                [straight, first] => {
                    let over_waypoint = load(first.0) * (hops(at, over) + hops(over, to));
                    let chosen = load(straight.0) * hops(at, to) > over_waypoint;
                    taken[usize::from(chosen)] += 1;
                    if chosen { first } else { straight }
                }
                _ => panic!("{steps:?}"),
            };
            let only = |holds: bool| if holds { word(&outputs, &[expected.0]) } else { 0 };
            let stays = expected.1 == routing_class;
            let name = format!("{from:?} {at:?} to {to:?} over {over:?}, class {routing_class}, loads {loads:?}");
            assert_eq!((rig.sim.peek("route"), rig.sim.peek("cross")), (only(stays), only(!stays)), "{name}");
        }
    }
    assert!(taken.iter().all(|n| *n > 500), "both ways are taken: {taken:?}");
}

/// A routing has its topologies; an interface cannot tell the direction of a packet from the tables of a router.
#[test]
fn routings_are_refused_where_they_do_not_work() {
    use warpmesh::noc::{Fabric, PortChoice};
    let error = |params: FabricParams| {
        let flows = params.nodes.flows();
        Fabric::new(params, &flows).expect_err("impossible").to_string()
    };
    let ugal = network((TopologyKind::FlattenedButterfly, 1), (4, 4), &[1], Routing::Ugal);
    let on_mesh = FabricParams { topology: TopologyParams::default(), ..ugal };
    assert!(error(on_mesh).ends_with("it works on flattened-butterfly"));
    let torus = network((TopologyKind::Torus, 1), (4, 4), &[1], Routing::Adaptive);
    let smart = FabricParams { injects: 2, port_choice: PortChoice::Smart, ..torus };
    assert!(error(smart).contains("TorusAdaptive routing, which looks it up in tables"));
}
