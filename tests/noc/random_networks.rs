//! Random networks under their traffic: whatever is legal is free of deadlock and delivers. The sinks of the open loop check every flit
//! (whole packets, in order, not mixed, at the right node, each once), the blocks assert that credits neither get lost nor appear, and
//! turns that a half-router or a routing does not have are not in the matrices.

use crate::matrix::options;
use proptest::{prelude::*, sample::select};
use warpmesh::{
    blocks::ArbiterKind,
    noc::{
        AllocatorKind, AllocatorParams, FabricParams, FlitFormat, Mesh, NetworkParams, Organisation, PortChoice,
        Routing,
        fabric::RouterKinds,
        open_loop::{Bench, Pattern, Phases, Traffic, traffic::memory},
    },
    report::LoadVerdict,
};

#[derive(Clone, Debug)]
struct Network {
    params: FabricParams,
    load: f64,
    seed: u64,
}

/// Organisations with the routings and routers that they are for.
fn organisations() -> Vec<(Organisation, RouterKinds, Routing)> {
    use {Organisation::*, RouterKinds::*};
    let mut all: Vec<_> = [Single, Dedicated, Combined]
        .into_iter()
        .flat_map(|organisation| {
            Routing::ALL.map(|routing| match routing {
                Routing::Checkerboard | Routing::CheckerboardTwoPhase => (organisation, Checkerboard, routing),
                _ => (organisation, Full, routing),
            })
        })
        .collect();
    for routing in [Routing::Xy, Routing::Yx, Routing::ClassBased, Routing::O1Turn] {
        all.extend([(Dci, Checkerboard, routing), (Dcie, Checkerboard, routing)]);
    }
    all
}

fn networks() -> impl Strategy<Value = Network> {
    let shape = (2..=5_u32, 2..=4_u32, select(organisations()), proptest::collection::vec(0..1000_u32, 1..=3));
    let ports = (1..=3_u32, 1..=3_u32);
    let choice = select(vec![
        PortChoice::RoundRobin,
        PortChoice::Smart,
        PortChoice::Random,
        PortChoice::MostSpace,
        PortChoice::Opposite,
    ]);
    let router = (1..=2_u32, 1..=5_usize, 1..=4_u32, 0..=2_u32, 1..=2_u32);
    let kinds = select(vec![
        AllocatorKind::Islip,
        AllocatorKind::SeparableInputFirst,
        AllocatorKind::Pim,
        AllocatorKind::Wavefront,
    ]);
    (shape, ports, choice, router, (kinds.clone(), kinds), 0.02..0.9_f64, any::<u64>()).prop_map(
        |(shape, (injects, ejects), port_choice, router, kinds, load, seed)| {
            let (columns, rows, (organisation, routers, routing), places) = shape;
            let (group, depth, pipeline, extra_latency, input_speedup) = router;
            // Memory nodes at half-routers, each once.
            let half: Vec<_> = (0..columns * rows).filter(|n| (n % columns + n / columns) % 2 == 1).collect();
            let mut memories: Vec<_> = places.iter().map(|place| half[*place as usize % half.len()]).collect();
            memories.sort();
            memories.dedup();
            let mesh = Mesh::new(columns, rows, &memories).expect("nodes of the mesh, each once");
            let classes = organisation.messages() * routing.vc_sets();
            let allocator = |kind| AllocatorParams { kind, arbiter: ArbiterKind::RoundRobin, iterations: 1 };
            let format = FlitFormat::new(classes * group, 64, mesh.len(), 8);
            let network = NetworkParams {
                pipeline,
                extra_latency,
                // Two banks of VCs need two VCs.
                input_speedup: if classes * group % 2 == 0 { input_speedup } else { 1 },
                vc_allocator: allocator(kinds.0),
                switch_allocator: allocator(kinds.1),
                ..NetworkParams::new(format, depth, classes).with_routing(routing)
            };
            let plain = FabricParams::new(mesh, network);
            let params = FabricParams { organisation, routers, injects, ejects, port_choice, ..plain };
            Network { params, load, seed }
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, max_shrink_iters: 40, ..ProptestConfig::default() })]

    #[test]
    fn every_legal_network_delivers(network in networks()) {
        let traffic = Traffic {
            pattern: Pattern::ManyToFew,
            hot_share: 0.2,
            transactions: memory(0.7, 4),
            service: 0,
        };
        let mut bench = Bench::new(&network.params, &traffic, &options()).map_err(|e| TestCaseError::fail(e.to_string()))?;
        bench.fabric().prove().map_err(|e| TestCaseError::fail(e.to_string()))?;
        let phases = Phases { warmup: 100, measure: 700, drain: 20_000 };
        let load = network.load.min(bench.most_load());
        let point = bench.run(load, phases, network.seed, 8, |_| {}).map_err(|e| TestCaseError::fail(e.to_string()))?;
        prop_assert_ne!(point.verdict, LoadVerdict::Deadlocked);
        // A load that one VC of one flit with the longest way round for its credits can carry arrives.
        let phases = Phases { measure: 3_000, ..phases };
        let light = bench.run(0.03 / bench.senders() as f64, phases, network.seed, 8, |_| {});
        let light = light.map_err(|e| TestCaseError::fail(e.to_string()))?;
        prop_assert_eq!((light.verdict, light.missing), (LoadVerdict::Converged, 0));
    }
}
