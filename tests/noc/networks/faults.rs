//! Networks in which something does not work: random faults against an independent model, whole networks watched from
//! inside and in lockstep with Verilator.

use crate::{organisations::traffic, random_loads::Drawn, watch::Watched};
use std::collections::{BTreeMap, BTreeSet};
use warpmesh::{
    hdl::random::Rng,
    noc::{
        Direction, Fabric, FabricParams, Faults, FlitFormat, Flow, Graph, NetworkParams, NocError, Nodes, Routing,
        TopologyKind, TopologyParams, fabric::Subnetwork, paths::Passage,
    },
    open_loop::Bench,
};

/// `columns` x `rows` nodes with memory nodes at `memories`, but at what is lost, by up*/down*.
fn faulty(
    (kind, concentration): (TopologyKind, u32),
    (columns, rows): (u32, u32),
    memories: &[u32],
    faults: Faults,
) -> FabricParams {
    let topology = TopologyParams { kind, concentration };
    let lost = faults.lost(topology, &Graph::default(), (columns, rows)).expect("in range");
    let left: Vec<_> = memories.iter().copied().filter(|node| !lost.contains(node)).collect();
    let nodes = Nodes::with_empty(columns, rows, &left, &lost).expect("legal");
    let format = FlitFormat::new(2, 64, nodes.len(), 8);
    let router = NetworkParams::new(format, 3, 1).with_routing(Routing::UpDown);
    FabricParams { topology, faults, ..FabricParams::new(nodes, router) }
}

fn links(pairs: &[[u32; 2]]) -> Faults {
    Faults { links: pairs.to_vec(), ..Faults::default() }
}

/// Neighbours on the floor plan of a mesh, or all around.
fn neighbours((columns, rows): (u32, u32), around: bool) -> Vec<[u32; 2]> {
    let node = |x: u32, y: u32| y * columns + x;
    let places = (0..rows).flat_map(|y| (0..columns).map(move |x| (x, y)));
    let pairs = places.flat_map(|(x, y)| {
        let east = (x + 1 < columns || around && columns > 2).then(|| [node(x, y), node((x + 1) % columns, y)]);
        let south = (y + 1 < rows || around && rows > 2).then(|| [node(x, y), node(x, (y + 1) % rows)]);
        [east, south].into_iter().flatten()
    });
    pairs.collect()
}

/// Which nodes reach which others over the pairs that are left.
pub fn parts(pairs: &[[u32; 2]], nodes: u32) -> Vec<u32> {
    let mut part: Vec<u32> = (0..nodes).collect();
    for _ in 0..nodes {
        for &[a, b] in pairs {
            let least = part[a as usize].min(part[b as usize]);
            (part[a as usize], part[b as usize]) = (least, least);
        }
    }
    part
}

/// A circle in a graph, by taking away what nothing leads on from.
pub fn has_circle(mut edges: BTreeSet<((usize, Direction), (usize, Direction))>) -> bool {
    loop {
        let starts: BTreeSet<_> = edges.iter().map(|(from, _)| *from).collect();
        let before = edges.len();
        edges.retain(|(_, to)| starts.contains(to));
        if edges.len() == before {
            return before > 0;
        }
    }
}

/// The way of a flow, router by router.
pub fn way(fabric: &Fabric, part: &Subnetwork, flow: Flow) -> Vec<Passage> {
    let grid = fabric.grid(part);
    let choices = grid.choices(flow).expect("one way");
    assert_eq!(choices.len(), 1);
    grid.walk(flow, choices[0]).expect("it ends")
}

/// Random faults on meshes and tori: a network is refused when and only when a pair that talks is cut off; else every
/// way ends, uses only links that work, and leaves no circle of channels; on a mesh without faults it is a shortest
/// one.
#[test]
fn every_pair_that_is_not_cut_off_has_a_way() {
    let mut random = Rng::new(8);
    let (mut refused, mut served) = (0, 0);
    for _ in 0..150 {
        let kind = if random.chance(0.5) { TopologyKind::Mesh } else { TopologyKind::Torus };
        let size = (3 + random.below(3) as u32, 3 + random.below(2) as u32);
        let nodes = size.0 * size.1;
        let mut all = neighbours(size, kind == TopologyKind::Torus);
        let mut broken = vec![];
        for _ in 0..random.below(8) {
            broken.push(all.swap_remove(random.below(all.len() as u64) as usize));
        }
        let columns: Vec<u32> = if random.chance(0.2) { vec![0] } else { vec![] };
        let routers: Vec<u32> = if random.chance(0.4) { vec![random.below(nodes.into()) as u32] } else { vec![] };
        let routers: Vec<u32> = routers.into_iter().filter(|node| !columns.contains(&(node % size.0))).collect();
        let lost = |node: u32| routers.contains(&node) || columns.contains(&(node % size.0));
        // A link of a router that is lost is no fault of its own.
        broken.retain(|[a, b]| !lost(*a) && !lost(*b));
        all.retain(|[a, b]| !lost(*a) && !lost(*b));
        let memories: Vec<u32> = [1, nodes - 2].into_iter().filter(|node| !lost(*node)).collect();
        let faults = Faults { routers: routers.clone(), columns: columns.clone(), links: broken, ..Faults::default() };
        let params = faulty((kind, 1), size, &memories, faults.clone());
        let flows = params.nodes.flows();
        let part = parts(&all, nodes);
        let apart = flows.iter().any(|flow| part[flow.source as usize] != part[flow.dest as usize]);
        let fabric = match Fabric::new(params, &flows) {
            Err(error) => {
                assert!(apart && matches!(error, NocError::CutOff { .. }), "{kind:?} {size:?} {faults:?}: {error}");
                refused += 1;
                continue;
            }
            Ok(fabric) => fabric,
        };
        assert!(!apart, "{kind:?} {size:?} {faults:?}");
        let proof = fabric.prove().unwrap_or_else(|error| panic!("{kind:?} {size:?} {faults:?}: {error}"));
        served += 1;
        let network = &fabric.subnetworks()[0];
        let (mut edges, mut channels) = (BTreeSet::new(), BTreeSet::new());
        for flow in flows {
            let passages = way(&fabric, network, flow);
            let hops: Vec<(usize, Direction)> = passages.iter().filter_map(|p| Some((p.site, p.to?))).collect();
            for (site, out) in &hops {
                let link = network.topology.link_from(*site, *out).expect("a link that works");
                let pair = [link.from as u32, link.to as u32];
                assert!(all.iter().any(|[a, b]| pair == [*a, *b] || pair == [*b, *a]), "{pair:?} {faults:?}");
                channels.insert((flow.class, *site, *out));
            }
            edges.extend(hops.windows(2).map(|two| (two[0], two[1])));
            let [(sx, sy), (dx, dy)] = [flow.source, flow.dest].map(|node| network.topology.place(node));
            let distance = (sx.abs_diff(dx) + sy.abs_diff(dy)) as usize;
            if faults.is_empty() && kind == TopologyKind::Mesh {
                assert_eq!(hops.len(), distance, "{flow:?}");
            }
        }
        assert!(!has_circle(edges), "{kind:?} {size:?} {faults:?}");
        assert!(proof.channels > channels.len(), "terminals too: {proof}");
    }
    assert!(refused > 10 && served > 60, "{refused} refused, {served} served");
}

/// The topologies whose nodes send and receive at one router, each with faults.
fn networks() -> [FabricParams; 4] {
    [
        faulty((TopologyKind::Mesh, 1), (4, 3), &[1, 10], links(&[[5, 6], [0, 4]])),
        faulty((TopologyKind::Torus, 1), (4, 3), &[1, 10], Faults { routers: vec![5], ..links(&[[3, 0]]) }),
        faulty((TopologyKind::FlattenedButterfly, 2), (6, 3), &[1, 10], links(&[[0, 4], [2, 8]])),
        faulty((TopologyKind::Ring, 1), (4, 3), &[1, 10], links(&[[1, 2]])),
    ]
}

/// Every packet goes by its way and arrives once, whole; then all is at rest. Latency without traffic is that of the
/// way.
#[test]
fn packets_go_round_faults() {
    for network in networks() {
        let name = format!("{:?} {:?}", network.topology.kind, network.faults);
        let mut watched = Watched::new(&network, &traffic());
        watched.run(0.3, 1_200, 3);
        watched.is_at_rest().unwrap_or_else(|left| panic!("{name}: {left}"));
        assert!(watched.arrived > 200, "{name}: {watched}");
        let mut bench = Bench::new(&network, &traffic(), &crate::matrix::options()).expect("legal");
        let drawn = Drawn { seed: 0, network, traffic: traffic() };
        crate::random_loads::zero_load(&drawn, &mut bench).unwrap_or_else(|said| panic!("{drawn}: {said}"));
    }
}

#[test]
fn lockstep_faulty_mesh() {
    let faults = Faults { routers: vec![0], ..links(&[[4, 5]]) };
    let network = faulty((TopologyKind::Mesh, 1), (3, 2), &[1], faults);
    let mut watched = Watched::in_lockstep(&network, &traffic()).unwrap_or_else(|e| panic!("{e}"));
    watched.run(0.4, 1_000, 1);
    watched.is_at_rest().unwrap_or_else(|left| panic!("{left}"));
    assert!(watched.arrived > 200, "{watched}");
    let agreement = watched.agreement().unwrap_or_else(|e| panic!("{e}"));
    assert!(agreement.cycles > 1_000 && agreement.moved.len() > agreement.still.len(), "{agreement:?}");
}

/// What is not there cannot be faulty; a routing that needs what does not work is refused, and so is a pair that is cut
/// off.
#[test]
fn wrong_faults_are_errors() {
    let lost = |kind, faults: Faults| {
        let topology = TopologyParams { kind, concentration: 1 };
        faults.lost(topology, &Graph::default(), (4, 3)).expect_err("wrong").to_string()
    };
    let rows = Faults { rows: vec![3], ..Faults::default() };
    assert!(lost(TopologyKind::Mesh, rows).contains("disabled_rows: row 3 is not there; allowed: numbers from 0 to 2"));
    let twice = Faults { routers: vec![3, 3], ..Faults::default() };
    assert!(lost(TopologyKind::Mesh, twice.clone()).contains("faulty_routers: node 3 is listed twice"));
    let crossbar = Faults { routers: vec![3], ..Faults::default() };
    assert!(lost(TopologyKind::Crossbar, crossbar).contains("not on crossbar and butterfly"));
    let error = |params: FabricParams| {
        let flows = params.nodes.flows();
        Fabric::new(params, &flows).expect_err("impossible").to_string()
    };
    let mesh = |faults| faulty((TopologyKind::Mesh, 1), (4, 3), &[1, 10], faults);
    let far = error(mesh(links(&[[0, 5]])));
    assert!(far.contains("node 0 has no link to node 5; it has links to those of nodes 1, 4"), "{far}");
    let cut = error(mesh(links(&[[0, 1], [0, 4]])));
    assert!(cut.contains("there is no route for a request from node 0 at (0,0) to node 1 at (1,0)"), "{cut}");
    let params = mesh(links(&[[5, 6]]));
    let network = params.network.with_routing(Routing::Xy);
    let xy = error(FabricParams { network, ..params });
    assert!(xy.contains("over the link east of router (1,1), which is not there"), "{xy}");
    let by_name: BTreeMap<_, _> = Routing::ALL.into_iter().map(|routing| (routing.name(), routing)).collect();
    assert_eq!(by_name["up-down"], Routing::UpDown);
}
