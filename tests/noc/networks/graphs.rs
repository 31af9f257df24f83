//! Topologies that are made from a graph: random ones against an independent model, whole networks watched from inside
//! and in lockstep with Verilog.

use crate::{
    faults::{has_circle, parts, way},
    organisations::traffic,
    random_loads::{Drawn, random_graph, zero_load},
    watch::Watched,
};
use std::collections::BTreeSet;
use warpmesh::{
    hdl::random::Rng,
    noc::{
        Direction, Fabric, FabricParams, FlitFormat, Flow, Graph, NetworkParams, NocError, Nodes, Routing,
        TopologyKind, TopologyParams, paths::Passage,
    },
    open_loop::Bench,
};

/// `columns` x `rows` nodes with memory nodes at `memories`, joined by `graph`.
fn network((columns, rows): (u32, u32), memories: &[u32], graph: Graph) -> FabricParams {
    let nodes = Nodes::new(columns, rows, memories).expect("legal");
    let format = FlitFormat::new(2, 64, nodes.len(), 8);
    let router = NetworkParams::new(format, 3, 1).with_routing(Routing::Xy);
    let topology = TopologyParams { kind: TopologyKind::Graph, concentration: 1 };
    FabricParams { topology, graph, ..FabricParams::new(nodes, router) }
}

/// Twelve nodes at seven routers, one of which has none, with long links and two between the same routers.
fn irregular() -> FabricParams {
    let graph = Graph {
        nodes: vec![0, 0, 1, 2, 2, 2, 3, 4, 4, 5, 5, 0],
        links: [[0, 1, 1], [1, 2, 3], [0, 6, 2], [6, 3, 1], [6, 4, 1], [4, 5, 2], [5, 2, 1], [3, 4, 1], [0, 1, 2]]
            .map(Vec::from)
            .to_vec(),
        one_way_links: vec![],
    };
    network((4, 3), &[1, 10], graph)
}

/// Random graphs: refused when and only when a pair that talks is cut off; else every way is one of links, the proof
/// holds, and a second search finds no circle. In a tree every way is the only one.
#[test]
fn random_graphs_join_all_that_is_joined() {
    let mut random = Rng::new(3);
    let (mut refused, mut served, mut trees) = (0, 0, 0);
    for _ in 0..150 {
        let size = (2 + random.below(3) as u32, 2 + random.below(3) as u32);
        let mut graph = random_graph(&mut random, size.0 * size.1);
        if random.chance(0.3) && !graph.links.is_empty() {
            graph.links.swap_remove(random.below(graph.links.len() as u64) as usize);
        }
        let routers = graph.routers();
        let pairs: Vec<_> = graph.links.iter().map(|link| [link[0], link[1]]).collect();
        let part = parts(&pairs, routers);
        let reach = hops(&graph);
        let params = network(size, &[1], graph.clone());
        let flows = params.nodes.flows();
        let at = |node: u32| graph.nodes[node as usize];
        let apart = flows.iter().any(|flow| part[at(flow.source) as usize] != part[at(flow.dest) as usize]);
        let fabric = match Fabric::new(params, &flows) {
            Err(NocError::Graph { .. }) => continue,
            // Two-way links leave no way, and one-way links not always.
            Err(NocError::CutOff { flow, is_joined, .. }) => {
                assert!(apart, "{graph:?}");
                assert_eq!(is_joined, reach[at(flow.source) as usize][at(flow.dest) as usize].is_some(), "{graph:?}");
                refused += 1;
                continue;
            }
            Err(error) => panic!("{graph:?}: {error}"),
            Ok(fabric) => fabric,
        };
        let is_reached = |flow: &Flow| reach[at(flow.source) as usize][at(flow.dest) as usize].is_some();
        assert!(flows.iter().all(is_reached), "{graph:?}");
        fabric.prove().unwrap_or_else(|error| panic!("{graph:?}: {error}"));
        served += 1;
        let is_tree = pairs.len() + 1 == routers as usize && graph.one_way_links.is_empty() && !apart;
        trees += u32::from(is_tree);
        let network = &fabric.subnetworks()[0];
        let mut edges = BTreeSet::new();
        for flow in flows {
            let hops: Vec<(usize, Direction)> =
                way(&fabric, network, flow).iter().filter_map(|p| Some((p.site, p.to?))).collect();
            edges.extend(hops.windows(2).map(|two| (two[0], two[1])));
            let mut here = at(flow.source);
            let mut been = BTreeSet::from([here]);
            for (site, out) in hops {
                assert_eq!(site as u32, here);
                here = network.topology.link_from(site, out).expect("a link").to as u32;
                assert!(been.insert(here) || !is_tree, "{flow:?} {graph:?}");
            }
            assert_eq!(here, at(flow.dest));
        }
        assert!(!has_circle(edges), "{graph:?}");
    }
    assert!(refused > 10 && served > 60 && trees > 5, "{refused} refused, {served} served, {trees} trees");
}

/// Hops from each router to each other one.
fn hops(graph: &Graph) -> Vec<Vec<Option<u32>>> {
    let routers = graph.routers() as usize;
    let mut hops: Vec<Vec<Option<u32>>> =
        (0..routers).map(|a| (0..routers).map(|b| (a == b).then_some(0)).collect()).collect();
    let back = graph.links.iter().map(|link| [link[1], link[0]]);
    let ahead = graph.links.iter().chain(&graph.one_way_links).map(|link| [link[0], link[1]]);
    ahead.chain(back).filter(|[a, b]| a != b).for_each(|[a, b]| hops[a as usize][b as usize] = Some(1));
    for waypoint in 0..routers {
        for (a, b) in (0..routers).flat_map(|a| (0..routers).map(move |b| (a, b))) {
            if let (Some(there), Some(on)) = (hops[a][waypoint], hops[waypoint][b]) {
                hops[a][b] = Some(hops[a][b].map_or(there + on, |known| known.min(there + on)));
            }
        }
    }
    hops
}

/// Adaptive hops on random graphs, some links of which lead in one direction only: all that lead nearer and no other;
/// every packet has an escape, which stays one, and the escapes have no circle.
#[test]
fn adaptive_packets_come_nearer_and_have_escapes() {
    let mut random = Rng::new(5);
    let (mut served, mut adaptive, mut back) = (0, 0, 0);
    for _ in 0..60 {
        let size = (2 + random.below(3) as u32, 2 + random.below(3) as u32);
        let graph = random_graph(&mut random, size.0 * size.1);
        let hops = hops(&graph);
        let mut params = network(size, &[1], graph.clone());
        params.network = params.network.with_routing(Routing::Adaptive);
        params.network.format.vcs = 4;
        let flows = params.nodes.flows();
        let fabric = match Fabric::new(params, &flows) {
            Err(NocError::Graph { .. }) => continue,
            other => other.unwrap_or_else(|error| panic!("{graph:?}: {error}")),
        };
        assert_eq!(fabric.network().routing, Routing::AdaptiveUpDown);
        fabric.prove().unwrap_or_else(|error| panic!("{graph:?}: {error}"));
        served += 1;
        let part = &fabric.subnetworks()[0];
        let grid = fabric.grid(part);
        let end = |site: usize, out| part.topology.link_from(site, out).expect("a link").to;
        let mut escapes = BTreeSet::new();
        for flow in flows {
            let choices = grid.choices(flow).expect("a way");
            assert!(choices.len() == 1 && choices[0].routing_class == 1);
            let passages = grid.walk(flow, choices[0]).expect("it ends");
            let dest = graph.nodes[flow.dest as usize] as usize;
            let away = |site: usize| hops[site][dest].expect("the router is reached");
            for passage in &passages {
                let &Passage { site, from, class_in, to, class_out } = passage;
                let beside: Vec<_> =
                    passages.iter().filter(|p| (p.site, p.from, p.class_in) == (site, from, class_in)).collect();
                assert_eq!(beside.iter().filter(|p| p.class_out == 0).count(), 1, "{graph:?}: one escape");
                back += u32::from(from.is_some() && from == to);
                let Some(out) = to else { continue };
                match (class_in, class_out) {
                    (1, 1) => {
                        assert_eq!(away(site), away(end(site, out)) + 1, "{graph:?}");
                        let nearer =
                            part.topology.links().iter().filter(|l| l.from == site && away(l.to) + 1 == away(site));
                        let taken = beside.iter().filter(|p| p.class_out == 1).count();
                        assert_eq!(nearer.count(), taken, "{graph:?}: every link that leads nearer");
                        adaptive += 1;
                    }
                    (0, 0) => {
                        let link = part.topology.link_to(site, from.expect("it came by the escape")).expect("a link");
                        escapes.insert(((link.from, link.out), (site, out)));
                    }
                    (1, 0) => {}
                    other => panic!("{other:?}"),
                }
            }
        }
        assert!(!has_circle(escapes), "{graph:?}");
    }
    assert!(served > 40 && adaptive > 1_000 && back > 0, "{served} served, {adaptive} hops, {back} go back");
}

/// The same routers with two links that lead in one direction only, by adaptive routing.
fn irregular_one_way() -> FabricParams {
    let plain = irregular();
    let one_way_links = vec![vec![2, 0], vec![3, 5, 2], vec![1, 6]];
    let mut network = plain.network.with_routing(Routing::AdaptiveUpDown);
    network.format.vcs = 4;
    FabricParams { graph: Graph { one_way_links, ..plain.graph }, network, ..plain }
}

#[test]
fn packets_arrive_by_one_way_links_and_escapes() {
    for (network, load) in [(irregular_one_way(), 0.1), (irregular_one_way(), 0.9)] {
        let mut watched = Watched::new(&network, &traffic());
        watched.run(load, 1_500, 3);
        watched.is_at_rest().unwrap_or_else(|left| panic!("{left}"));
        assert!(watched.arrived > 100 && watched.turns > 50, "{watched}");
        let mut bench = Bench::new(&network, &traffic(), &crate::matrix::options()).expect("legal");
        let drawn = Drawn { seed: 0, network, traffic: traffic() };
        zero_load(&drawn, &mut bench).unwrap_or_else(|said| panic!("{drawn}: {said}"));
    }
}

#[test]
fn packets_arrive_on_an_irregular_network() {
    let network = irregular();
    let mut watched = Watched::new(&network, &traffic());
    watched.run(0.4, 1_500, 3);
    watched.is_at_rest().unwrap_or_else(|left| panic!("{left}"));
    assert!(watched.arrived > 300 && watched.turns > 50, "{watched}");
    let mut bench = Bench::new(&network, &traffic(), &crate::matrix::options()).expect("legal");
    let drawn = Drawn { seed: 0, network, traffic: traffic() };
    zero_load(&drawn, &mut bench).unwrap_or_else(|said| panic!("{drawn}: {said}"));
}

#[test]
fn lockstep_irregular_network() {
    let graph = Graph {
        nodes: vec![0, 0, 1, 2, 2, 3],
        links: vec![vec![0, 1], vec![1, 2, 2], vec![0, 4], vec![4, 3], vec![4, 2], vec![1, 3]],
        one_way_links: vec![],
    };
    let mut watched = Watched::in_lockstep(&network((3, 2), &[1], graph), &traffic()).unwrap_or_else(|e| panic!("{e}"));
    watched.run(0.4, 1_000, 1);
    watched.is_at_rest().unwrap_or_else(|left| panic!("{left}"));
    assert!(watched.arrived > 200, "{watched}");
    let agreement = watched.agreement().unwrap_or_else(|e| panic!("{e}"));
    assert!(agreement.cycles > 1_000 && agreement.moved.len() > agreement.still.len(), "{agreement:?}");
}

#[test]
fn lockstep_one_way_links_and_escapes() {
    let graph = Graph {
        nodes: vec![0, 0, 1, 2, 2, 3],
        links: vec![vec![0, 1], vec![1, 2, 2], vec![1, 3]],
        one_way_links: vec![vec![2, 0], vec![0, 3], vec![3, 2]],
    };
    let mut params = network((3, 2), &[1], graph);
    params.network = params.network.with_routing(Routing::AdaptiveUpDown);
    params.network.format.vcs = 4;
    let mut watched = Watched::in_lockstep(&params, &traffic()).unwrap_or_else(|e| panic!("{e}"));
    watched.run(0.6, 1_000, 1);
    watched.is_at_rest().unwrap_or_else(|left| panic!("{left}"));
    assert!(watched.arrived > 200, "{watched}");
    let agreement = watched.agreement().unwrap_or_else(|e| panic!("{e}"));
    assert!(agreement.cycles > 1_000 && agreement.moved.len() > agreement.still.len(), "{agreement:?}");
}

/// A shorter way by one-way links that leaves the up*/down* tree is not taken, as there would be no escape from it.
#[test]
fn a_way_without_an_escape_is_not_taken() {
    for [middle, last] in [[3, 4], [4, 3]] {
        let graph = Graph {
            nodes: vec![0, 1, 2, 5],
            links: vec![vec![0, 1], vec![1, 5], vec![5, 2]],
            one_way_links: vec![vec![0, middle], vec![middle, last], vec![last, 2]],
        };
        let mut params = network((2, 2), &[2], graph);
        params.network = params.network.with_routing(Routing::AdaptiveUpDown);
        params.network.format.vcs = 4;
        let flows = params.nodes.flows();
        let fabric = Fabric::new(params, &flows).unwrap_or_else(|e| panic!("{e}"));
        fabric.prove().unwrap_or_else(|e| panic!("{e}"));
    }
}

/// Links of one direction lead there, or not; up*/down* needs both directions.
#[test]
fn what_one_way_links_do_not_join_is_named() {
    let error = |one_way_links: &[[u32; 2]]| {
        let graph = Graph {
            nodes: vec![0, 1, 2, 3],
            links: vec![vec![0, 1], vec![2, 3]],
            one_way_links: one_way_links.iter().map(|link| link.to_vec()).collect(),
        };
        let params = network((2, 2), &[1], graph);
        let flows = params.nodes.flows();
        Fabric::new(params, &flows).expect_err("impossible").to_string()
    };
    let cut = error(&[[1, 2]]);
    assert!(cut.contains("from node 2 at (0,1) to node 1 at (1,0)") && !cut.contains("one-way"), "{cut}");
    let ring = error(&[[1, 2], [3, 0]]);
    assert!(
        ring.contains("only one-way links lead there, and the up*/down* tree is of links in both directions"),
        "{ring}"
    );
    let wrong = error(&[[1, 2], [3, 3]]);
    assert!(wrong.contains("graph.one_way_links: [3, 3]: allowed: two different routers"), "{wrong}");
    let far = error(&[[1, 2], [3, 300]]);
    assert!(far.contains("graph.one_way_links: 300: allowed: routers 0 to 255"), "{far}");
}

#[test]
fn wrong_graphs_are_errors() {
    let error = |nodes: &[u32], links: &[&[u32]]| {
        let graph = Graph {
            nodes: nodes.to_vec(),
            links: links.iter().map(|link| link.to_vec()).collect(),
            one_way_links: vec![],
        };
        let params = network((2, 2), &[1], graph);
        let flows = params.nodes.flows();
        Fabric::new(params, &flows).expect_err("impossible").to_string()
    };
    assert!(error(&[0, 1, 2], &[]).contains("graph.nodes: [0, 1, 2]: allowed: a router for each of the 2 x 2 nodes"));
    assert!(error(&[0, 1, 2, 2], &[&[0, 1], &[1, 1]]).contains("graph.links: [1, 1]: allowed: two different routers"));
    assert!(error(&[0, 1, 2, 2], &[&[0, 1], &[1, 2, 0]]).contains("length of 1 to 64 tiles"));
    assert!(error(&[0, 1, 2, 2], &[&[0]]).contains("graph.links: [0]: allowed"));
    assert!(error(&[0, 1, 1, 4], &[&[0, 1], &[1, 4]]).contains("router 2 has neither a node nor a link"));
    assert!(error(&[0, 1, 300, 1], &[&[0, 1]]).contains("graph.nodes: 300: allowed: routers 0 to 255"));
    assert!(error(&[0, 1, 2, 2], &[&[0, 1]]).contains("there is no route for a re"));
    let many: Vec<&[u32]> = vec![&[0, 1]; 70];
    assert!(error(&[0, 1, 1, 1], &many).contains("allowed: up to 64"));
}
