//! Sources and sinks as hardware around a mesh: everything arrives, at the offered rate, alike in both engines and in
//! Verilog.

use crate::{matrix::options, support::NetworkRig};
use netlist::elaborate;
use noc::{
    FlitFormat, NetworkParams, NocError, TrafficParams,
    traffic::{SourceParams, sink, source, traffic_mesh},
};
use sim::{Engine, Options, Simulator};
use verilog::{lint, lockstep::Rng};

/// A small one: other VCs, depth, width and packet lengths than the benchmark's.
fn small(columns: u32, rows: u32, vcs: u32, flits: u32) -> TrafficParams {
    let format = FlitFormat::new(vcs, 40, columns * rows, 8);
    TrafficParams { columns, rows, network: NetworkParams::new(format, 4, 1), flits, queue: 15 }
}

fn simulator(p: &TrafficParams, options: &Options) -> Simulator {
    let module = traffic_mesh(p).unwrap_or_else(|e| panic!("{e}"));
    let mut simulator = Simulator::new(&elaborate(&module).unwrap_or_else(|e| panic!("{e}")), options).expect("runs");
    simulator.reset(2);
    simulator
}

fn run(simulator: &mut Simulator, cycles: u64) {
    for _ in 0..cycles {
        simulator.step().unwrap_or_else(|e| panic!("{e}"));
    }
}

/// Sum of a probe over all sources and sinks.
fn count(simulator: &mut Simulator, probe: &str) -> u64 {
    simulator.probes().iter().filter(|p| p.name == probe).map(|p| p.count).sum()
}

/// Loads the network with `load` for `cycles` cycles, then lets it drain. Returns packets born and lost.
fn deliver(p: &TrafficParams, load: f64, cycles: u64) -> (u64, u64) {
    let mut simulator = simulator(p, &options());
    simulator.poke("threshold", p.threshold(load));
    run(&mut simulator, cycles);
    let queued = count(&mut simulator, "packets_born") * u64::from(p.flits) - count(&mut simulator, "flits_received");
    simulator.poke("threshold", 0);
    // What waits leaves through the sources one by one; then the totals run through all sinks.
    run(&mut simulator, 4 * queued + 200 + u64::from(p.columns * p.rows));
    let (born, sent) = (count(&mut simulator, "packets_born"), count(&mut simulator, "flits_sent"));
    assert_eq!(sent, born * u64::from(p.flits), "everything born is sent");
    assert_eq!(count(&mut simulator, "flits_received"), sent, "everything sent is received");
    assert_eq!(simulator.peek("flits"), sent, "the total counts it");
    (born, count(&mut simulator, "packets_lost"))
}

#[test]
fn everything_is_delivered() {
    for (p, load) in [
        (small(3, 2, 2, 3), 0.3),
        (small(4, 4, 4, 1), 0.4),
        (small(1, 3, 1, 5), 0.2),
        (small(1, 1, 2, 2), 0.5),
        (small(3, 3, 4, 4), 1.0),
        (TrafficParams::benchmark(4), 0.3),
    ] {
        let (born, _) = deliver(&p, load, 1500);
        assert!(born > 100, "{p:?}: {born} packets");
    }
}

#[test]
fn the_offered_load_is_what_the_threshold_says() {
    let p = small(4, 4, 4, 4);
    for load in [0.1, 0.3] {
        let cycles = 4000;
        let (born, lost) = deliver(&p, load, cycles);
        let expected = load / 4.0 * 16.0 * cycles as f64;
        // Four standard deviations of a binomial distribution.
        assert!((born as f64 - expected).abs() < 4.0 * expected.sqrt(), "{born} packets born, {expected} expected");
        assert_eq!(lost, 0);
    }
}

#[test]
fn a_full_source_loses_packets_and_says_so() {
    let (born, lost) = deliver(&small(3, 3, 2, 4), 4.0, 500);
    assert!(lost > born, "{born} born, {lost} lost");
}

#[test]
fn thresholds_are_rounded_and_limited() {
    let p = small(2, 2, 1, 4);
    assert_eq!([0.0, 0.1, 0.3, 4.0, 9.0].map(|load| p.threshold(load)), [0, 1638, 4915, 65_535, 65_535]);
}

/// All destinations get their share from one source.
#[test]
fn destinations_are_uniform() {
    for nodes in [5, 16, 121] {
        let format = FlitFormat::new(2, 64, nodes, 8);
        let module = source(&SourceParams { format, depth: 4, nodes, flits: 1, queue: 7 });
        let mut simulator = Simulator::new(&elaborate(&module).expect("correct"), &options()).expect("runs");
        simulator.poke("here", 3);
        simulator.poke("threshold", 0xffff);
        simulator.reset(2);
        let mut seen = vec![0_u32; nodes as usize];
        let packets = 200 * nodes;
        let mut total = 0;
        while total < packets {
            let sent = simulator.peek("out_inject0_valid") == 1;
            let vc = simulator.peek("out_inject0_vc");
            simulator.poke("out_inject0_credit", u64::from(sent) << vc);
            if sent {
                seen[simulator.peek("out_inject0_dest") as usize] += 1;
                total += 1;
            }
            simulator.step().unwrap_or_else(|e| panic!("{e}"));
        }
        // Chi-squared with nodes - 1 degrees of freedom: mean nodes - 1, variance twice that; five deviations.
        let chi: f64 = seen.iter().map(|&n| (f64::from(n) - 200.0).powi(2) / 200.0).sum();
        let freedom = f64::from(nodes - 1);
        assert!((chi - freedom).abs() < 5.0 * (2.0 * freedom).sqrt(), "{nodes} nodes: {chi}: {seen:?}");
    }
}

#[test]
fn the_latency_is_that_of_the_network() {
    // One node and one packet at a time: from the source's channel through the router to the sink's channel in five
    // cycles.
    let p = small(1, 1, 1, 1);
    let mut simulator = simulator(&p, &options());
    run(&mut simulator, 1);
    for _ in 0..50 {
        simulator.poke("threshold", p.threshold(1.0));
        run(&mut simulator, 1);
        simulator.poke("threshold", 0);
        run(&mut simulator, 20);
    }
    assert_eq!((simulator.peek("flits"), simulator.peek("latency")), (50, 5 * 50));
}

#[test]
fn both_engines_compute_the_same() {
    let p = small(3, 3, 4, 4);
    let [mut native, mut reference] =
        [Options::default(), Options { engine: Engine::Interpreter, ..Options::default() }]
            .map(|options| simulator(&p, &options));
    for load in [0.3, 0.0, 0.9] {
        for simulator in [&mut native, &mut reference] {
            simulator.poke("threshold", p.threshold(load));
            run(simulator, 250);
        }
        for total in ["flits", "latency", "checksum"] {
            assert_eq!(native.peek(total), reference.peek(total), "{total} at {load}");
        }
    }
    assert!(native.peek("flits") > 500);
}

#[test]
fn the_mesh_agrees_with_its_verilog() {
    for p in [small(2, 3, 2, 3), TrafficParams::benchmark(2)] {
        let mut rig = NetworkRig::new(&traffic_mesh(&p).expect("legal").observed(), true);
        let mut random = Rng::new(1);
        for _ in 0..20 {
            rig.sim.poke("threshold", p.threshold(random.below(10) as f64 / 10.0));
            (0..100).for_each(|_| rig.step());
        }
        let agreement = rig.agreement();
        assert!(agreement.cycles >= 2000, "{agreement:?}");
        for total in ["flits", "latency", "checksum"] {
            assert!(agreement.moved.iter().any(|port| port == total), "{total} stands still");
        }
    }
}

#[test]
fn sources_and_sinks_are_clean_verilog() {
    let format = FlitFormat::new(4, 128, 121, 8);
    let source = source(&SourceParams { format, depth: 8, nodes: 121, flits: 4, queue: 255 });
    let one = FlitFormat::new(1, 40, 2, 1);
    let tiny = noc::traffic::source(&SourceParams { format: one, depth: 1, nodes: 2, flits: 1, queue: 1 });
    for module in [source, tiny, sink(&format), sink(&one)] {
        let diagnostics = lint(&elaborate(&module).unwrap_or_else(|e| panic!("{e}"))).unwrap_or_else(|e| panic!("{e}"));
        let all: Vec<_> = diagnostics.iter().map(ToString::to_string).collect();
        assert!(all.is_empty(), "{}", all.join("\n"));
    }
}

#[test]
fn illegal_parameters_are_errors() {
    let legal = small(2, 2, 2, 1);
    for (p, message) in [
        (TrafficParams { flits: 0, ..legal }, "flits = 0: allowed: 1 to 64"),
        (TrafficParams { queue: 2000, ..legal }, "queue = 2000: allowed: 1 to 1024"),
        (
            TrafficParams { network: NetworkParams { classes: 2, ..legal.network }, ..legal },
            "traffic in a network of 2 classes: allowed: 1, as its sources use every virtual channel for every packet",
        ),
        (TrafficParams { columns: 40, ..legal }, "a mesh of 40 x 2 nodes: allowed: 1 x 1 to 32 x 32"),
    ] {
        let error: NocError = traffic_mesh(&p).expect_err("illegal");
        assert_eq!(error.to_string(), message);
    }
}
