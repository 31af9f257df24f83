//! Networks of every organisation, and the traffic that loads them; shared by `tests/noc` and `campaigns/networks_in_lockstep.rs`.

use warpmesh::{
    noc::{
        AllocatorKind, AllocatorParams, FabricParams, FlitFormat, NetworkParams, Nodes, Organisation, PlacementKind,
        PortChoice, Routing, TopologyKind, TopologyParams, fabric::RouterKinds,
    },
    open_loop::{Pattern, Traffic, traffic::memory},
};

/// Reads and writes of a line of four flits, to all controllers.
pub fn traffic() -> Traffic {
    Traffic {
        pattern: Pattern::ManyToFew,
        hot_share: 0.2,
        transactions: memory(0.7, 4),
        service: 0,
        matrix: None,
        burst: None,
    }
}

/// `organisation` with `routing` on a checkerboard of `columns` x `rows` nodes with memory nodes at `memories`, which
/// have `ports` injection and ejection ports; `vcs` of three flits a subnetwork.
pub fn network(mesh: Nodes, organisation: Organisation, routing: Routing, vcs: u32, ports: u32) -> FabricParams {
    let routers = match organisation {
        Organisation::Dci | Organisation::Dcie => RouterKinds::Checkerboard,
        _ if matches!(routing, Routing::Checkerboard | Routing::CheckerboardTwoPhase) => RouterKinds::Checkerboard,
        _ => RouterKinds::Full,
    };
    let format = FlitFormat::new(vcs, 64, mesh.len(), 8);
    let network = NetworkParams::new(format, 3, 1).with_routing(routing);
    let plain = FabricParams::new(mesh, network);
    FabricParams { organisation, routers, injects: ports, ejects: ports, port_choice: PortChoice::Smart, ..plain }
}

/// `concentration` nodes a router (or port) on `columns` x `rows` nodes, XY, with memory nodes at `memories`, which
/// have 2 ejection ports; `vcs` of three flits a subnetwork.
pub fn joined(
    (kind, concentration): (TopologyKind, u32),
    (columns, rows): (u32, u32),
    memories: &[u32],
    organisation: Organisation,
    vcs: u32,
) -> FabricParams {
    let nodes = Nodes::new(columns, rows, memories).expect("legal");
    let plain = network(nodes, organisation, Routing::Xy, vcs, 1);
    FabricParams { topology: TopologyParams { kind, concentration }, ejects: 2, ..plain }
}

/// A network of each topology.
pub fn topologies() -> Vec<(&'static str, FabricParams, f64)> {
    use {Organisation::*, TopologyKind::*};
    let eight = [1, 6, 19, 28, 35, 44, 49, 62];
    let eight = |join, organisation, vcs| joined(join, (8, 8), &eight, organisation, vcs);
    let four = |join, organisation, vcs| joined(join, (6, 6), &[4, 13, 22, 31], organisation, vcs);
    let routed = |plain: FabricParams, routing| FabricParams {
        network: plain.network.with_routing(routing),
        port_choice: PortChoice::RoundRobin,
        ..plain
    };
    vec![
        ("cmesh of 64 nodes", eight((Mesh, 4), Single, 2), 0.05),
        ("cmesh with express links, 64 nodes", eight((ExpressMesh, 4), Single, 2), 0.05),
        ("flattened butterfly, 64 nodes", eight((FlattenedButterfly, 4), Single, 2), 0.05),
        ("ugal, 64 nodes", routed(eight((FlattenedButterfly, 4), Single, 4), Routing::Ugal), 0.05),
        ("adaptive torus, 6 x 6", routed(four((Torus, 1), Single, 6), Routing::Adaptive), 0.1),
        ("torus, 6 x 6", four((Torus, 1), Single, 4), 0.1),
        ("folded torus, dedicated, 6 x 6", four((FoldedTorus, 1), Dedicated, 2), 0.1),
        ("ring of 18 routers", four((Ring, 2), Combined, 4), 0.05),
        ("butterfly of 36 nodes", four((Butterfly, 1), Single, 2), 0.1),
        ("crossbars of 11 x 4 and 4 x 11", four((Crossbar, 3), Dedicated, 2), 0.1),
    ]
}

/// A 6 x 6 network of each organisation with eight controllers, with its name and a load (flits of requests per core
/// and cycle) near its knee: every routing, pipeline, allocator, speedup and extra latency is in one.
pub fn six_by_six() -> Vec<(&'static str, FabricParams, f64)> {
    use {Organisation::*, Routing::*};
    let of = |organisation, routing, vcs, ports, change: &dyn Fn(NetworkParams) -> NetworkParams| {
        let nodes = PlacementKind::Scattered2.nodes(6, 6, 8).expect("eight controllers fit");
        let plain = network(Nodes::new(6, 6, &nodes).expect("legal"), organisation, routing, vcs, ports);
        FabricParams { network: change(plain.network), ..plain }
    };
    let kind = |kind| AllocatorParams { kind, ..AllocatorParams::default() };
    vec![
        ("single, xy", of(Single, Xy, 2, 1, &|n| n), 0.1),
        (
            "single, checkerboard, 2 ports, speedup 2",
            of(Single, Checkerboard, 4, 2, &|n| NetworkParams { input_speedup: 2, ..n }),
            0.1,
        ),
        (
            "single, adaptive, extra latency 2",
            of(Single, Adaptive, 4, 1, &|n| NetworkParams { extra_latency: 2, ..n }),
            0.1,
        ),
        (
            "dedicated, two-phase checkerboard, pim",
            of(Dedicated, CheckerboardTwoPhase, 4, 1, &|n| NetworkParams {
                switch_allocator: kind(AllocatorKind::Pim),
                ..n
            }),
            0.1,
        ),
        (
            "combined, o1-turn, speedup 2, extra latency 1",
            of(Combined, O1Turn, 4, 1, &|n| NetworkParams { input_speedup: 2, extra_latency: 1, ..n }),
            0.15,
        ),
        (
            "combined, romm, wavefront",
            of(Combined, Romm, 4, 2, &|n| NetworkParams { vc_allocator: kind(AllocatorKind::Wavefront), ..n }),
            0.15,
        ),
        ("single, odd-even, two stages", of(Single, OddEven, 2, 2, &|n| NetworkParams { pipeline: 2, ..n }), 0.1),
        ("dci, xy, two stages", of(Dci, Xy, 2, 2, &|n| NetworkParams { pipeline: 2, ..n }), 0.15),
        ("dcie, xy, extra latency 3", of(Dcie, Xy, 4, 2, &|n| NetworkParams { extra_latency: 3, ..n }), 0.15),
        (
            "dcie, class-based, speedup 2, three stages",
            of(Dcie, ClassBased, 4, 2, &|n| NetworkParams { input_speedup: 2, pipeline: 3, ..n }),
            0.15,
        ),
    ]
}
