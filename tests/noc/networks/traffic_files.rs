//! Traffic from files and in bursts: matrices and traces against what they say, times of births against a chain that is
//! asked in every cycle.

use crate::matrix::options;
use std::sync::Arc;
use warpmesh::{
    hdl::random::Rng,
    noc::{FabricParams, FlitFormat, NetworkParams, NodeKind, Nodes},
    open_loop::{Bench, Burst, OpenLoopError, Pattern, Phases, RateMatrix, Sizes, Trace, Traffic, births::Births},
    report::LoadVerdict,
};

/// A mesh of cores.
fn mesh(columns: u32, rows: u32) -> FabricParams {
    let nodes = Nodes::with_kinds(columns, rows, |_| NodeKind::Core).expect("legal");
    let network = NetworkParams::new(FlitFormat::new(4, 64, nodes.len(), 8), 4, 1);
    FabricParams::new(nodes, network)
}

fn by_matrix(text: &str, flits: u32) -> Traffic {
    let matrix = RateMatrix::read("rates.csv", text).unwrap_or_else(|e| panic!("{e}"));
    Traffic { matrix: Some(Arc::new(matrix)), ..Traffic::new(Pattern::Uniform, Sizes::fixed(flits).one_way()) }
}

fn traced(network: &FabricParams, text: &str) -> Bench {
    let trace = Trace::read("trace.csv", text).unwrap_or_else(|e| panic!("{e}"));
    Bench::of_trace(network, &Arc::new(trace), &options()).unwrap_or_else(|e| panic!("{e}"))
}

/// Random matrices: every node sends as much as its row says, and zero-load latency is the mean by the rates.
#[test]
fn nodes_send_what_a_matrix_says() {
    let mut random = Rng::new(4);
    for flits in [1, 3] {
        let mut rows = vec![0.0; 9];
        let (mut text, mut sum, mut latency) = ("source,dest,rate\n".to_string(), 0.0, 0.0);
        let hops = |a: u32, b: u32| (a % 3).abs_diff(b % 3) + (a / 3).abs_diff(b / 3);
        for (source, dest) in (0..9_u32).flat_map(|source| (0..9_u32).map(move |dest| (source, dest))) {
            if random.chance(0.3) && source != 4 {
                let rate = (1.0 + random.below(20) as f64) / 500.0;
                text += &format!("{source}, {dest}, {rate}\n");
                rows[source as usize] += rate;
                sum += rate;
                latency += rate * f64::from(2 + 5 * (hops(source, dest) + 1) + flits - 1);
            }
        }
        let traffic = by_matrix(&text, flits);
        let load = traffic.matrix.as_ref().expect("a matrix").mean_load();
        let senders = rows.iter().filter(|rate| **rate > 0.0).count();
        assert!((load - sum / senders as f64).abs() < 1e-12);
        let mut bench = Bench::new(&mesh(3, 3), &traffic, &options()).expect("legal");
        assert_eq!(bench.senders(), senders);
        assert!((bench.zero_load_latency() - latency / sum).abs() < 1e-9);
        let phases = Phases { warmup: 500, measure: 40_000, drain: 5_000 };
        // As it is written, and scaled to the half.
        for scale in [1.0, 0.5] {
            let point = bench.run(scale * load, phases, 3, 16, |_| {}).expect("it takes that");
            assert_eq!(point.verdict, LoadVerdict::Converged);
            for (node, (got, rate)) in point.accepted_per_node.iter().zip(&rows).enumerate() {
                // Five standard deviations of so many packets.
                let packets = scale * rate * phases.measure as f64 / f64::from(flits);
                let close = 5.0 * packets.sqrt() * f64::from(flits) / phases.measure as f64 + 1e-9;
                assert!((got - scale * rate).abs() <= close, "node {node}: {got}, {} expected", scale * rate);
            }
        }
    }
}

/// A busy source bounds the load of all.
#[test]
fn the_busiest_source_of_a_matrix_bounds_the_load() {
    let traffic = by_matrix("source,dest,rate\n0,1,0.3\n1,0,0.1\n", 2);
    let mut bench = Bench::new(&mesh(2, 1), &traffic, &options()).expect("legal");
    assert!((bench.most_load() - 2.0 / 1.5).abs() < 1e-12);
    let error = bench.run(1.4, Phases::default(), 1, 16, |_| {}).expect_err("too much").to_string();
    assert!(error.contains("rate = 1.4: allowed: above 0, up to 1.333333"), "{error}");
}

#[test]
fn wrong_matrices_say_where() {
    let error = |text: &str| RateMatrix::read("r.csv", text).expect_err("wrong").to_string();
    assert_eq!(
        error("source,dest\n0,1\n"),
        "r.csv:1: no column `rate`: allowed: a first line with the columns source, dest, rate"
    );
    assert_eq!(
        error("source,dest,rate,colour\n"),
        "r.csv:1: column `colour`: allowed: a first line with the columns source, dest, rate"
    );
    assert_eq!(error("source,dest,rate\n"), "r.csv:1: nothing in the table: allowed: a line at the least");
    assert_eq!(error("# mine\nsource,dest,rate\n0,1,much\n"), "r.csv:3: rate = much: allowed: 0 to 64");
    assert_eq!(error("source,dest,rate\n0,1,-1\n"), "r.csv:2: rate = -1: allowed: 0 to 64");
    assert_eq!(error("source,dest,rate\n0,1\n"), "r.csv:2: 2 values: allowed: 3, with commas between");
    assert!(error("").starts_with("r.csv:1: no column `source`"));
    assert_eq!(error("source,dest,rate\n0,1,0\n"), "r.csv:1: every rate is 0: allowed: a rate above 0 at the least");
    assert_eq!(
        error("source,dest,rate\n0,1,0.1\n1,0,0.1\n0,1,0.2\n"),
        "r.csv:4: source = 0, dest = 1, as in line 2: allowed: each pair of nodes once"
    );
    let nodes = Nodes::with_kinds(2, 2, |n| if n == 3 { NodeKind::Empty } else { NodeKind::Core }).expect("legal");
    let of =
        |text: &str| RateMatrix::read("r.csv", text).expect("a table").targets(&nodes).expect_err("wrong").to_string();
    assert_eq!(of("source,dest,rate\n0,9,0.1\n"), "r.csv:2: dest = 9: allowed: nodes 0 to 3");
    assert_eq!(of("source,dest,rate\n3,0,0.1\n"), "r.csv:2: source = 3: allowed: a node with something attached");
}

/// Packets that wait for each other, each alone in the network: the makespan is known to the cycle.
#[test]
fn a_chain_of_packets_takes_the_sum_of_its_latencies() {
    let mut random = Rng::new(6);
    for count in [1, 5, 20] {
        let mut text = "cycle,source,dest,flits,class,after\n".to_string();
        let mut packets = vec![];
        for number in 0..count {
            let [source, dest] = [random.below(12), random.below(12)];
            let (cycle, flits) = (random.below(300), 1 + random.below(4));
            let class = if random.chance(0.5) { "reply" } else { "request" };
            let after = if number == 0 { String::new() } else { number.to_string() };
            text += &format!("{cycle},{source},{dest},{flits},{class},{after}\n");
            packets.push((cycle, source as u32, dest as u32, flits as u32));
        }
        let mut bench = traced(&mesh(4, 3), &text);
        let (mut now, mut sum) = (0, 0);
        for (cycle, source, dest, flits) in packets {
            let latency = bench.zero_load_of(source, dest, flits);
            now = now.max(cycle) + latency + 1;
            sum += latency;
        }
        let point = bench.follow(1_000, 16, |_| {}).expect("it ends");
        assert_eq!((point.verdict, point.packets, point.missing), (LoadVerdict::Completed, count, 0));
        assert_eq!(bench.simulated().0, now, "{count} packets");
        let mean = point.packet_latency.expect("packets").mean;
        assert!((mean - sum as f64 / count as f64).abs() < 1e-9 && (mean - bench.zero_load_latency()).abs() < 1e-9);
    }
}

/// Random traces arrive whole; none is faster than its longest chain of packets without contention, and the same trace
/// takes the same cycles again.
#[test]
fn random_traces_arrive_and_keep_their_order() {
    let mut random = Rng::new(9);
    for _ in 0..4 {
        let mut text = "cycle,source,dest,flits,after\n".to_string();
        let mut packets: Vec<(u64, u32, u32, u32, Option<usize>)> = vec![];
        for number in 0..200 {
            let after = (number > 0 && random.chance(0.5)).then(|| random.below(number) as usize);
            let [source, dest] = [random.below(9), random.below(9)];
            let (cycle, flits) = (random.below(400), 1 + random.below(6));
            text +=
                &format!("{cycle},{source},{dest},{flits},{}\n", after.map_or(String::new(), |n| (n + 1).to_string()));
            packets.push((cycle, source as u32, dest as u32, flits as u32, after));
        }
        let mut bench = traced(&mesh(3, 3), &text);
        let mut arrivals: Vec<u64> = vec![];
        for (cycle, source, dest, flits, after) in &packets {
            let created = after.map_or(*cycle, |before| (arrivals[before] + 1).max(*cycle));
            // Never faster than the formula, which leaves out waiting for credits.
            arrivals.push(created + bench.zero_load_of(*source, *dest, *flits));
        }
        let first = bench.follow(1_000, 16, |_| {}).expect("it ends");
        let makespan = bench.simulated().0;
        assert_eq!((first.verdict, first.packets), (LoadVerdict::Completed, 200));
        assert!(makespan > *arrivals.iter().max().expect("packets"), "{makespan}");
        let flits: u32 = packets.iter().map(|packet| packet.3).sum();
        let accepted: f64 = first.accepted_per_node.iter().sum::<f64>() * makespan as f64;
        assert!((accepted - f64::from(flits)).abs() < 1e-6, "every flit came out once");
        // The same again.
        let again = bench.follow(1_000, 16, |_| {}).expect("it ends");
        assert_eq!((&again, bench.simulated().0), (&first, 2 * makespan));
    }
}

#[test]
fn wrong_traces_say_where() {
    let error = |text: &str| Trace::read("t.csv", text).expect_err("wrong").to_string();
    let head = "cycle,source,dest,flits,class,after\n";
    let of = |rows: &str| error(&format!("{head}{rows}"));
    assert_eq!(of("0,0,1,0,,\n"), "t.csv:2: flits = 0: allowed: 1 to 64");
    assert_eq!(of("0,0,1,1,answer,\n"), "t.csv:2: class = answer: allowed: request, reply");
    assert_eq!(of("0,0,1,1,,1\n"), "t.csv:2: after = 1: allowed: nothing, as there is no earlier packet");
    assert_eq!(of("0,0,1,1,,\n0,0,1,1,,2\n"), "t.csv:3: after = 2: allowed: 1 to 1");
    assert_eq!(of("soon,0,1,1,,\n"), "t.csv:2: cycle = soon: allowed: 0 to 1000000000");
    assert_eq!(of(",0,1,1,,\n"), "t.csv:2: no cycle: allowed: 0 to 1000000000");
    let trace = Trace::read("t.csv", &format!("{head}0,0,7,1,,\n")).expect("a table");
    let far = Bench::of_trace(&mesh(2, 2), &Arc::new(trace), &options());
    assert!(
        matches!(far, Err(OpenLoopError::Traffic(ref e)) if e.to_string() == "t.csv:2: dest = 7: allowed: nodes 0 to 3")
    );
}

/// Births of on-off sources beside a chain of two states that is asked in every cycle: as many, and as uneven.
#[test]
fn bursts_are_those_of_a_markov_chain() {
    const WINDOW: u64 = 50;
    const WINDOWS: usize = 20_000;
    for (length, duty, mean) in [(20.0, 0.25, 0.1), (3.0, 0.5, 0.3), (100.0, 0.1, 0.05), (8.0, 0.5, 0.5)] {
        let burst = Burst { length, duty };
        let moments = |counts: &[u64]| {
            let mean = counts.iter().sum::<u64>() as f64 / counts.len() as f64;
            let squares: f64 = counts.iter().map(|count| (*count as f64 - mean).powi(2)).sum();
            (mean, squares / counts.len() as f64)
        };
        let mut births = Births::new(Rng::new(5), mean, Some(burst));
        let mut drawn = vec![0; WINDOWS];
        let mut now = births.gap();
        while now < WINDOW * WINDOWS as u64 {
            drawn[(now / WINDOW) as usize] += 1;
            now += 1 + births.gap();
        }
        let ([to_on, to_off], mut random) = (burst.chain(), Rng::new(6));
        let mut on = random.chance(duty);
        let mut asked = vec![0; WINDOWS];
        for cycle in 0..WINDOW * WINDOWS as u64 {
            asked[(cycle / WINDOW) as usize] += u64::from(on && random.chance(mean / duty));
            on = if on { !random.chance(to_off) } else { random.chance(to_on) };
        }
        let ((drawn_mean, drawn_variance), (asked_mean, asked_variance)) = (moments(&drawn), moments(&asked));
        let name = format!("{burst:?}: {drawn_mean} {drawn_variance}, {asked_mean} {asked_variance} asked");
        assert!((drawn_mean / (mean * WINDOW as f64) - 1.0).abs() < 0.05, "{name}");
        assert!((drawn_mean / asked_mean - 1.0).abs() < 0.07, "{name}");
        assert!((drawn_variance / asked_variance - 1.0).abs() < 0.1, "{name}");
        // Independent births in each cycle have the variance of a binomial distribution.
        let bernoulli = WINDOW as f64 * mean * (1.0 - mean);
        assert!(drawn_variance > 1.3 * bernoulli, "{name}");
    }
}

/// At the same load bursts wait longer, and the load that can be offered is that of the time that sources are on.
#[test]
fn bursts_load_a_network_unevenly() {
    let plain = Traffic::new(Pattern::Uniform, Sizes::fixed(2).one_way());
    let bursty = Traffic { burst: Some("30:0.25".parse().expect("legal")), ..plain.clone() };
    let phases = Phases { warmup: 1_000, measure: 30_000, drain: 20_000 };
    let [even, uneven] = [&plain, &bursty].map(|traffic| {
        let mut bench = Bench::new(&mesh(3, 3), traffic, &options()).expect("legal");
        (bench.run(0.4, phases, 1, 16, |_| {}).expect("it takes that"), bench.most_load())
    });
    assert_eq!((even.1, uneven.1), (2.0, 0.5));
    for (point, _) in [&even, &uneven] {
        assert!((point.accepted - 0.4).abs() < 0.03, "{}", point.accepted);
    }
    let mean = |point: &warpmesh::report::LoadPoint| point.packet_latency.expect("packets").mean;
    assert!(mean(&uneven.0) > 1.3 * mean(&even.0), "{} {}", mean(&uneven.0), mean(&even.0));
    for wrong in ["20", "0:0.5", "20:0", "20:1", "x:0.5", "2000000:0.5"] {
        let error = wrong.parse::<Burst>().expect_err(wrong);
        assert!(error.contains(wrong) && error.contains("20:0.25"), "{error}");
    }
    let error = "2:0.9".parse::<Burst>().expect_err("off periods of less than a cycle");
    assert!(error.ends_with("with 2 cycles a duty of at most 0.6666"), "{error}");
}
