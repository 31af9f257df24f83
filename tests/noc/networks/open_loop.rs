//! A network alone under load: latency without contention, contention against BookSim, conservation, verdicts, the
//! knee.

use crate::{campaign::part_or_all, matrix::options};
use warpmesh::{
    noc::{
        FabricParams, FlitFormat, NetworkParams, NodeKind, Nodes, Organisation, PortChoice, Routing,
        fabric::RouterKinds,
    },
    open_loop::{
        Bench, Knee, LoadSetting, OpenLoopError, Pattern, Phases, Sizes, Sweep, Traffic, Transaction, series, sweep,
        traffic::memory, zero_load,
    },
    report::{LoadPoint, LoadVerdict},
    sim::{Engine, Options},
};

const FLIT_BYTES: u32 = 16;

fn traffic(pattern: Pattern, transactions: Vec<Transaction>) -> Traffic {
    Traffic { pattern, hot_share: 0.2, transactions, service: 0, matrix: None, burst: None }
}

fn cores(columns: u32, rows: u32) -> Nodes {
    Nodes::with_kinds(columns, rows, |_| NodeKind::Core).expect("legal")
}

fn network(vcs: u32) -> NetworkParams {
    NetworkParams::new(FlitFormat::new(vcs, 128, 36, 8), 8, 1)
}

fn bench(mesh: &Nodes, vcs: u32, traffic: &Traffic) -> Bench {
    Bench::new(&FabricParams::new(mesh.clone(), network(vcs)), traffic, &options()).unwrap_or_else(|e| panic!("{e}"))
}

fn run(bench: &mut Bench, load: f64, measure: u64, seed: u64) -> LoadPoint {
    let phases = Phases { warmup: 1_000, measure, drain: 10_000 };
    bench.run(load, phases, seed, FLIT_BYTES, |_| {}).unwrap_or_else(|e| panic!("{e}"))
}

/// One sender at the end of a row, whose packets are so rare that they do not meet.
#[test]
fn latency_without_contention_is_exact() {
    for columns in [2, 3, 7] {
        let grid = Nodes::new(columns, 1, &[columns - 1]).expect("legal");
        let to_memory = |flits: u32| traffic(Pattern::ManyToFew, Sizes::fixed(flits).one_way());
        let far = Nodes::with_kinds(columns, 1, |n| match n {
            0 => NodeKind::Core,
            n if n == columns - 1 => NodeKind::Memory,
            _ => NodeKind::Empty,
        });
        for flits in [1, 4, 9] {
            let mut bench = bench(far.as_ref().expect("legal"), 2, &to_memory(flits));
            let point = run(&mut bench, 0.0005 * f64::from(flits), 30_000, 6);
            let latency = point.packet_latency.expect("packets");
            let expected = zero_load(columns, 5, flits);
            assert_eq!(expected, u64::from(2 + 5 * columns + flits - 1));
            assert_eq!((latency.p50, latency.p95, latency.max), (expected, expected, expected), "{columns} {flits}");
            assert_eq!(latency.mean, bench.zero_load_latency());
            // Two cycles from creation to the injection channel.
            assert_eq!(point.network_latency_mean, Some(latency.mean - 2.0));
            assert_eq!(point.routers_per_packet, Some(f64::from(columns)));
            assert_eq!((point.verdict, point.missing), (LoadVerdict::Converged, 0));
            assert!(point.packets > 5, "{}", point.packets);
        }
        assert_eq!(grid.memories(), [columns - 1]);
    }
}

/// Contention in cycles that BookSim 2 (2017-06-27) measured on a 6 x 6 mesh: XY, 8 flits a VC, one-iteration iSLIP
/// allocators.
#[test]
fn contention_is_that_of_booksim() {
    for (vcs, flits, load, booksim) in [(4, 1, 0.3, 2.082), (2, 4, 0.3, 5.390)] {
        let mut bench = bench(&cores(6, 6), vcs, &traffic(Pattern::Uniform, Sizes::fixed(flits).one_way()));
        let point = run(&mut bench, load, 5_000, 1);
        let routers = point.routers_per_packet.expect("packets");
        let free = 2.0 + 5.0 * routers + f64::from(flits) - 1.0;
        let ours = point.packet_latency.expect("packets").mean - free;
        let ratio = ours / booksim;
        assert!((0.92..1.08).contains(&ratio), "{vcs} VCs, {flits} flits, load {load}: {ours}, BookSim {booksim}");
        assert!((point.accepted - load).abs() < 0.01, "{}", point.accepted);
        assert_eq!(point.offered_bytes, 16.0 * load);
        assert!(point.oldest_waiting < 10 * free as u64, "nobody starves: {}", point.oldest_waiting);
        assert_eq!(point.verdict, LoadVerdict::Converged);
    }
}

/// Every pattern, one-way and answered: all that was measured arrives. The sinks check every flit.
#[test]
fn every_pattern_arrives() {
    let grid = Nodes::new(4, 4, &[1, 2, 13, 14]).expect("legal");
    let mixed: Sizes = "1:0.5,5:0.5".parse().expect("legal");
    let kinds = [mixed.one_way(), mixed.echoed(), memory(0.9, 4)];
    for (pattern, transactions) in Pattern::ALL.into_iter().zip(kinds.into_iter().cycle()).step_by(part_or_all(2, 1)) {
        let asked = traffic(pattern, transactions);
        let mut bench = bench(&grid, 4, &asked);
        let point = run(&mut bench, 0.04, 2_000, 3);
        assert_eq!((point.verdict, point.missing), (LoadVerdict::Converged, 0), "{pattern:?}");
        let names: Vec<_> = point.classes.keys().map(String::as_str).collect();
        let mut expected = asked.class_names().to_vec();
        expected.sort_unstable();
        assert_eq!(names, expected);
        assert!(point.classes.values().all(|class| class.packets > 100), "{pattern:?}: {:?}", point.classes);
        let mean = point.packet_latency.expect("packets").mean;
        assert!(mean > 0.9 * bench.zero_load_latency(), "{pattern:?}: {mean}");
    }
}

/// Every organisation of the thesis, with two ports at the memory nodes, under its traffic: paths, subnetworks and
/// ports are chosen by the injectors as by network interfaces.
#[test]
fn every_organisation_carries_its_traffic() {
    use {Organisation::*, RouterKinds::*};
    for (organisation, routers, routing, port_choice) in [
        (Single, Checkerboard, Routing::CheckerboardTwoPhase, PortChoice::RoundRobin),
        (Dedicated, Checkerboard, Routing::Checkerboard, PortChoice::Random),
        (Combined, Full, Routing::Romm, PortChoice::Smart),
        (Dcie, Checkerboard, Routing::ClassBased, PortChoice::Smart),
        (Single, Full, Routing::Adaptive, PortChoice::MostSpace),
    ]
    .into_iter()
    .step_by(part_or_all(2, 1))
    {
        let mesh = Nodes::new(4, 4, &[1, 6, 11, 12]).expect("legal");
        let plain = FabricParams::new(mesh, network(4).with_routing(routing));
        let params = FabricParams { organisation, routers, injects: 2, ejects: 2, port_choice, ..plain };
        let asked = traffic(Pattern::ManyToFew, memory(0.9, 4));
        let mut bench = Bench::new(&params, &asked, &options()).unwrap_or_else(|e| panic!("{organisation:?}: {e}"));
        let point = run(&mut bench, 0.05, 1_500, 1);
        assert_eq!((point.verdict, point.missing), (LoadVerdict::Converged, 0), "{organisation:?}");
        let (mean, free) = (point.packet_latency.expect("packets").mean, bench.zero_load_latency());
        assert!(mean > 0.95 * free && mean < 1.5 * free, "{organisation:?} {routing:?}: {mean}, {free} without others");
        // 48 links, 12 ejection ports at cores and 8 at memory nodes, in each subnetwork.
        assert_eq!(point.links.len(), organisation.subnetworks() * 68, "{organisation:?}");
        let used = |subnetwork| point.links.iter().any(|l| l.subnetwork == subnetwork && l.utilisation > 0.0);
        assert!((0..organisation.subnetworks()).all(used), "{organisation:?}");
    }
}

#[test]
fn a_pattern_that_a_routing_cannot_serve_is_an_error() {
    let mesh = Nodes::new(4, 4, &[1, 6, 11, 12]).expect("legal");
    let plain = FabricParams::new(mesh, network(4).with_routing(Routing::Checkerboard));
    let params = FabricParams { routers: RouterKinds::Checkerboard, ..plain };
    let uniform = traffic(Pattern::Uniform, Sizes::fixed(1).one_way());
    match Bench::new(&params, &uniform, &options()).err() {
        Some(OpenLoopError::Network(error)) => assert!(error.to_string().contains("node"), "{error}"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_reply_comes_after_its_service_time() {
    // One core, one controller; the core's first request is answered, and nothing else happens meanwhile.
    let grid = Nodes::new(2, 1, &[1]).expect("legal");
    let mut means = vec![];
    for service in [0, 25] {
        let asked = Traffic { service, ..traffic(Pattern::ManyToFew, memory(1.0, 4)) };
        let point = run(&mut bench(&grid, 2, &asked), 0.002, 20_000, 1);
        let reply = point.classes["reply"].packet_latency.expect("replies");
        assert_eq!((reply.p50, point.classes["reply"].packets), (zero_load(2, 5, 4), point.classes["request"].packets));
        means.push(reply.mean);
    }
    assert_eq!(means[0], means[1], "latency counts from the creation of the reply");
}

#[test]
fn too_much_is_saturated_and_the_network_empties_again() {
    let mut bench = bench(&cores(4, 4), 2, &traffic(Pattern::Uniform, Sizes::fixed(4).one_way()));
    let point = run(&mut bench, 1.0, 2_000, 1);
    assert_eq!(point.verdict, LoadVerdict::Saturated);
    assert!(point.accepted < 0.8 && point.missing > 0 && point.stuck.is_empty(), "{point:?}");
    // The next load starts from an empty network.
    let point = run(&mut bench, 0.1, 2_000, 1);
    assert_eq!((point.verdict, point.missing), (LoadVerdict::Converged, 0));
}

#[test]
fn the_seed_and_nothing_else_decides() {
    let asked = traffic(Pattern::Uniform, "1:0.7,4:0.3".parse::<Sizes>().expect("legal").one_way());
    let mut first = bench(&cores(3, 3), 2, &asked);
    let point = run(&mut first, 0.3, 500, 7);
    assert_eq!(run(&mut first, 0.3, 500, 7), point, "again on the same bench");
    assert_ne!(run(&mut first, 0.3, 500, 8), point, "another seed");
    let interpreter = Options { engine: Engine::Interpreter, ..Options::default() };
    let mut slow = Bench::new(&FabricParams::new(cores(3, 3), network(2)), &asked, &interpreter).expect("legal");
    assert_eq!(run(&mut slow, 0.3, 500, 7), point, "on another engine");
}

#[test]
fn use_of_links_and_nodes_adds_up() {
    let mut bench = bench(&cores(3, 3), 2, &traffic(Pattern::Neighbour, Sizes::fixed(2).one_way()));
    let point = run(&mut bench, 0.2, 4_000, 1);
    let of_port = |port: &str| point.links.iter().filter(|link| link.port == port).map(|l| l.utilisation).sum::<f64>();
    // Two of three steps go one to the east and south, the third two back.
    let [east, west, eject] = ["east", "west", "eject0"].map(of_port);
    assert!((east - west).abs() < 0.1 && (eject - 9.0 * 0.2).abs() < 0.1, "{east} {west} {eject}");
    for link in &point.links {
        assert!((link.vcs.iter().sum::<f64>() - link.utilisation).abs() < 1e-9);
        assert_eq!(link.vcs.len(), 2);
    }
    assert_eq!(point.links.len(), 24 + 9);
    assert_eq!(point.accepted_per_node.len(), 9);
    let accepted: f64 = point.accepted_per_node.iter().sum();
    assert!((accepted - 9.0 * point.accepted).abs() < 1e-9);
}

#[test]
fn a_sweep_finds_the_knee() {
    let mut bench = bench(&cores(3, 3), 2, &traffic(Pattern::Uniform, Sizes::fixed(1).one_way()));
    let mut steps = vec![];
    let setting =
        LoadSetting { phases: Phases { warmup: 500, measure: 2_000, drain: 3_000 }, seed: 1, flit_bytes: FLIT_BYTES };
    let found = sweep(&mut bench, setting, |step| steps.push(step)).unwrap_or_else(|e| panic!("{e}"));
    let Some(Knee::At(knee)) = found.knee else { panic!("it saturates: {:?}", found.knee) };
    // Progress counts the cycles of all loads, and never more than there will be.
    assert!(steps.is_sorted_by(|a, b| a.cycles < b.cycles && a.number <= b.number));
    assert!(steps.iter().all(|step| step.cycles <= step.of && step.number <= step.loads));
    let (first, last) = (steps[0], steps[steps.len() - 1]);
    assert_eq!((last.number, last.loads, last.cycles), (found.points.len(), found.points.len(), last.of));
    assert!(first.of >= 10 * 2_500 && first.of < 2 * last.of, "{first:?} {last:?}");
    assert!((0.4..0.8).contains(&knee), "{knee}");
    assert!(found.points.is_sorted_by(|a, b| a.offered < b.offered));
    let limit = 3.0 * bench.zero_load_latency();
    for point in &found.points {
        let mean = point.packet_latency.expect("packets").mean;
        let early = point.verdict != LoadVerdict::Saturated && mean < limit;
        assert_eq!(early, point.offered < knee, "{point:?}");
    }
    assert!(found.points.iter().filter(|point| point.offered < knee).count() >= 10);
}

/// Nothing is in the way of anybody who sends to himself: no knee.
#[test]
fn a_network_without_a_knee() {
    let mut bench = bench(&cores(1, 1), 2, &traffic(Pattern::Uniform, Sizes::fixed(4).one_way()));
    let found = short_sweep(&mut bench, 500);
    // A packet whenever the last has left: the queue of such a source is long, but only at the end.
    assert!(matches!(found.knee, Some(Knee::None(_))) || matches!(found.knee, Some(Knee::At(knee)) if knee > 0.8));
}

fn short_sweep(bench: &mut Bench, measure: u64) -> Sweep {
    let setting =
        LoadSetting { phases: Phases { warmup: 100, measure, drain: 3_000 }, seed: 1, flit_bytes: FLIT_BYTES };
    sweep(bench, setting, |_| {}).unwrap_or_else(|e| panic!("{e}"))
}

/// Packets that are longer than a shallow VC, and few: the search for the knee once went on to a load of nothing, for
/// ever.
#[test]
fn every_sweep_ends() {
    let shallow = NetworkParams { depth: 1, ..network(2) };
    let asked = traffic(Pattern::Uniform, Sizes::fixed(32).one_way());
    for measure in [40, 600] {
        let params = FabricParams::new(cores(3, 3), shallow);
        let mut bench = Bench::new(&params, &asked, &options()).unwrap_or_else(|e| panic!("{e}"));
        let found = short_sweep(&mut bench, measure);
        assert!((1..=30).contains(&found.points.len()), "{} loads", found.points.len());
        assert!(found.knee.is_some());
    }
}

/// Nothing was measured: that is no steady state.
#[test]
fn no_packets_are_a_verdict_of_their_own() {
    let mut bench = bench(&cores(2, 2), 2, &traffic(Pattern::Uniform, Sizes::fixed(4).one_way()));
    let point = run(&mut bench, 1e-9, 1_000, 1);
    assert_eq!((point.verdict, point.packets, point.packet_latency), (LoadVerdict::NoPackets, 0, None));
}

/// Load that a short measurement called converged, though latency only ever rises: 64 flits on shallow VCs.
#[test]
fn what_ten_times_as_long_would_contradict_is_not_said() {
    let shallow = NetworkParams { depth: 1, ..network(2) };
    let asked = traffic(Pattern::Uniform, Sizes::fixed(64).one_way());
    let params = FabricParams::new(cores(4, 4), shallow);
    let mut bench = Bench::new(&params, &asked, &options()).unwrap_or_else(|e| panic!("{e}"));
    let mut verdict = |load, measure| {
        let phases = Phases { warmup: 2_000, measure, drain: 20_000 };
        bench.run(load, phases, 1, FLIT_BYTES, |_| {}).unwrap_or_else(|e| panic!("{e}")).verdict
    };
    assert_ne!(verdict(0.2, 10_000), LoadVerdict::Converged);
    assert_eq!(verdict(0.2, 60_000), LoadVerdict::Saturated);
    assert_eq!(verdict(0.05, 10_000), LoadVerdict::Converged);
}

/// Loads in a list are measured rising, each once.
#[test]
fn a_series_is_what_was_asked_for() {
    let mut bench = bench(&cores(2, 2), 2, &traffic(Pattern::Uniform, Sizes::fixed(1).one_way()));
    let setting =
        LoadSetting { phases: Phases { warmup: 100, measure: 400, drain: 1_000 }, seed: 1, flit_bytes: FLIT_BYTES };
    let found = series(&mut bench, &[0.2, 0.1, 0.2], setting, |_| {}).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(found.points.iter().map(|point| point.offered).collect::<Vec<_>>(), [0.1, 0.2]);
    assert_eq!((found.knee, found.interrupted), (None, false));
}

#[test]
fn impossible_loads_are_errors() {
    let mut bench = bench(&cores(2, 2), 2, &traffic(Pattern::Uniform, Sizes::fixed(4).one_way()));
    let mut error = |load, phases| match bench.run(load, phases, 1, FLIT_BYTES, |_| {}) {
        Err(OpenLoopError::Traffic(error)) => error.to_string(),
        other => panic!("{other:?}"),
    };
    for load in [0.0, -0.5, 4.5, f64::NAN] {
        assert!(error(load, Phases::default()).ends_with(": allowed: above 0, up to 4: a packet in every cycle"));
    }
    let nothing = Phases { measure: 0, ..Phases::default() };
    assert_eq!(error(0.5, nothing), "measure = 0: allowed: 1 cycle and more");
}

/// Adaptive VCs are for packets that fit whole: the longest packet is that of the traffic, not of the chip.
#[test]
fn adaptive_networks_know_the_longest_packet_of_their_traffic() {
    let adaptive = NetworkParams { longest: 1, ..network(2) }.with_routing(Routing::Adaptive);
    let asked = traffic(Pattern::Uniform, Sizes::fixed(6).one_way());
    let mut bench =
        Bench::new(&FabricParams::new(cores(3, 3), adaptive), &asked, &options()).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(bench.fabric().network().longest, 6);
    let point = run(&mut bench, 0.2, 2_000, 2);
    assert_eq!((point.verdict, point.missing), (LoadVerdict::Converged, 0));
}
