//! Topologies that are made from a graph: random ones against an independent model, whole networks watched from inside and in lockstep with
//! Verilog.

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
        Direction, Fabric, FabricParams, FlitFormat, Graph, NetworkParams, NocError, Nodes, Routing, TopologyKind,
        TopologyParams,
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
    };
    network((4, 3), &[1, 10], graph)
}

/// Random graphs: refused when and only when a pair that talks is cut off; else every way is one of links, the proof holds, and a second
/// search finds no circle. In a tree every way is the only one.
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
        let params = network(size, &[1], graph.clone());
        let flows = params.nodes.flows();
        let at = |node: u32| graph.nodes[node as usize];
        let apart = flows.iter().any(|flow| part[at(flow.source) as usize] != part[at(flow.dest) as usize]);
        let fabric = match Fabric::new(params, &flows) {
            Err(NocError::Graph { .. }) => continue,
            Err(error) => {
                assert!(apart && matches!(error, NocError::CutOff { .. }), "{graph:?}: {error}");
                refused += 1;
                continue;
            }
            Ok(fabric) => fabric,
        };
        assert!(!apart, "{graph:?}");
        fabric.prove().unwrap_or_else(|error| panic!("{graph:?}: {error}"));
        served += 1;
        let is_tree = pairs.len() + 1 == routers as usize;
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
    };
    let mut watched = Watched::in_lockstep(&network((3, 2), &[1], graph), &traffic()).unwrap_or_else(|e| panic!("{e}"));
    watched.run(0.4, 1_000, 1);
    watched.is_at_rest().unwrap_or_else(|left| panic!("{left}"));
    assert!(watched.arrived > 200, "{watched}");
    let agreement = watched.agreement().unwrap_or_else(|e| panic!("{e}"));
    assert!(agreement.cycles > 1_000 && agreement.moved.len() > agreement.still.len(), "{agreement:?}");
}

#[test]
fn wrong_graphs_are_errors() {
    let error = |nodes: &[u32], links: &[&[u32]]| {
        let graph = Graph { nodes: nodes.to_vec(), links: links.iter().map(|link| link.to_vec()).collect() };
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
    assert!(error(&[0, 1, 2, 2], &[&[0, 1]]).contains("there is no way for a re"));
    let many: Vec<&[u32]> = vec![&[0, 1]; 70];
    assert!(error(&[0, 1, 1, 1], &many).contains("64 ports"));
}
