//! Random networks under their traffic: whatever is legal is free of deadlock and delivers every packet once, whole,
//! its flits in order, at its destination, by a path of its routing, without a turn at a half-router; then it is empty
//! and has all its credits back.

use crate::campaign::part_or_all;
use crate::{network_rig::of_mesh, organisations::traffic, watch::Watched};
use proptest::{prelude::*, sample::select};
use warpmesh::{
    blocks::ArbiterKind,
    noc::{
        AllocatorKind, AllocatorParams, FabricParams, FlitFormat, NetworkParams, Nodes, Organisation, PortChoice,
        Priority, Routing, SplitQueues, VcReallocation,
        fabric::{ReplyChannel, RouterKinds},
    },
};

#[derive(Clone, Debug)]
struct RandomNetwork {
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
            of_mesh().map(move |routing| match routing {
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

fn networks() -> impl Strategy<Value = RandomNetwork> {
    let shape = (2..=5_u32, 2..=4_u32, select(organisations()), proptest::collection::vec(0..1000_u32, 1..=3));
    let ports = (1..=3_u32, 1..=3_u32, select(vec![1, 2, 4]), [1..=2_u32, 1..=2_u32]);
    // Links of split queues; 0: there are none.
    let split = select(vec![0, 0, 1, 2, 3, 4, 6]);
    // VCs of each set and depth of replies, where they are not those of requests.
    let apart = proptest::option::of((1..=3_u32, 1..=5_usize));
    let choice = select(vec![
        PortChoice::RoundRobin,
        PortChoice::Smart,
        PortChoice::Random,
        PortChoice::MostSpace,
        PortChoice::Opposite,
    ]);
    let router = (1..=2_u32, 1..=5_usize, 1..=4_u32, 0..=2_u32, 1..=2_u32, 0..=2_u32);
    let kinds = select(vec![
        AllocatorKind::Islip,
        AllocatorKind::SeparableInputFirst,
        AllocatorKind::Pim,
        AllocatorKind::Wavefront,
    ]);
    let priority = (select(vec![1, 1, 2, 3]), select(vec![3, 40, 1000]), any::<bool>());
    let more = (router, apart, (split, any::<bool>()), priority);
    (shape, ports, choice, more, (kinds.clone(), kinds), 0.02..0.9_f64, any::<u64>()).prop_map(
        |(shape, (injects, ejects, injection_speedup, core_ports), port_choice, more, kinds, load, seed)| {
            let (router, apart, (links, flit_writes), (levels, starvation_cycles, whole_packets)) = more;
            let (columns, rows, (organisation, routers, routing), places) = shape;
            let (group, depth, pipeline, extra_latency, input_speedup, vc_reuse) = router;
            // Memory nodes at half-routers, each once.
            let half: Vec<_> = (0..columns * rows).filter(|n| (n % columns + n / columns) % 2 == 1).collect();
            let mut memories: Vec<_> = places.iter().map(|place| half[*place as usize % half.len()]).collect();
            memories.sort();
            memories.dedup();
            let mesh = Nodes::new(columns, rows, &memories).expect("nodes of the mesh, each once");
            let classes = organisation.messages() * routing.vc_sets();
            let allocator = |kind| AllocatorParams { kind, arbiter: ArbiterKind::RoundRobin, iterations: 1 };
            let sets = routing.vc_sets();
            let replies = apart.map(|(group, depth)| ReplyChannel { vcs: sets * group, depth, width: 64 });
            let requests = if replies.is_some() { sets * group } else { classes * group };
            let format = FlitFormat::new(requests, 64, mesh.len(), 8);
            let ports = match (replies, organisation.messages()) {
                (None, _) => vec![requests],
                (Some(replies), 1) => vec![requests, replies.vcs],
                (Some(replies), _) => vec![requests + replies.vcs],
            };
            let divides = |by: u32| ports.iter().all(|vcs| vcs.is_multiple_of(by));
            let network = NetworkParams {
                pipeline,
                extra_latency,
                // Shorter pipelines have none to save.
                vc_reuse_delay: if pipeline >= 3 { vc_reuse.min(1) } else { 1 },
                vc_reallocation: if vc_reuse == 2 { VcReallocation::WithTail } else { VcReallocation::BehindTail },
                // Two banks of VCs need two VCs.
                input_speedup: if divides(2) { input_speedup } else { 1 },
                vc_allocator: allocator(kinds.0),
                switch_allocator: allocator(kinds.1),
                ..NetworkParams::new(format, depth, classes).with_routing(routing)
            };
            let injection_speedup = if divides(injection_speedup) { injection_speedup } else { 1 };
            let plain = FabricParams::new(mesh, network);
            let reply_vcs = replies.map_or(requests / organisation.messages(), |replies| replies.vcs);
            let of_port = *ports.last().expect("there is a network");
            let splits = links > 0 && reply_vcs > 1 && reply_vcs.is_multiple_of(links) && of_port.is_multiple_of(links);
            let split = splits.then_some(SplitQueues { links });
            // An interface cannot tell the direction of a packet from tables of routers.
            let by_direction = matches!(port_choice, PortChoice::Smart | PortChoice::Opposite);
            let looked_up = routing.rule().table().is_some();
            let port_choice = if looked_up && by_direction { PortChoice::RoundRobin } else { port_choice };
            let params = FabricParams {
                organisation,
                routers,
                split,
                flit_writes: flit_writes && split.is_none(),
                priority: (levels > 1).then_some(Priority { levels, starvation_cycles }),
                whole_packets,
                injects: if splits { 1 } else { injects },
                ejects,
                injection_speedup,
                port_choice,
                replies,
                core_ports,
                ..plain
            };
            RandomNetwork { params, load, seed }
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: part_or_all(3, 10), max_shrink_iters: 40, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_legal_network_delivers_by_its_paths_and_comes_to_rest(network in networks()) {
        let traffic = traffic();
        let mut watched = Watched::new(&network.params, &traffic);
        let before = watched.is_at_rest().map_err(TestCaseError::fail)?;
        watched.run(network.load.min(traffic.mean_request()), 900, network.seed);
        prop_assert_eq!(watched.is_at_rest().map_err(TestCaseError::fail)?, before);
        // As much as one VC of one flit with the longest way round for its credits carries at the least.
        prop_assert!(watched.arrived >= 8, "{} packets in 900 cycles", watched.arrived);
    }
}

/// What the watch has to see is there to be seen: turns, the second phase, and registers that are not at rest
/// meanwhile.
#[test]
fn the_watch_sees_turns_and_what_is_not_at_rest() {
    let mesh = Nodes::new(4, 4, &[1, 6, 11, 12]).expect("nodes of the mesh");
    let network = NetworkParams::new(FlitFormat::new(4, 64, 16, 8), 2, 4).with_routing(Routing::Checkerboard);
    let params = FabricParams { routers: RouterKinds::Checkerboard, ..FabricParams::new(mesh, network) };
    let mut watched = Watched::new(&params, &traffic());
    watched.run(0.2, 900, 1);
    assert!(watched.arrived > 500 && watched.passages > 1_500 && watched.turns > 100, "{watched}");
    watched.is_at_rest().unwrap_or_else(|left| panic!("{left}"));
    let left = watched.interrupted(0.2, 100, 1).expect_err("packets are on their way");
    for what in [".owned = ", ".occupied_vcs = ", ".active_vcs = ", ".free = "] {
        assert!(left.contains(what), "{what}: {left}");
    }
}
