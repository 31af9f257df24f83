//! Random traffic for a network, and what is to hold of it; shared by random networks ([`random_loads`](super)) and
//! random chips.
//!
//! What is drawn: patterns with packets of 1 to 64 flits, on-off sources, matrices of rates and traces of packets that
//! wait for each other, the latter two as the text of a file.

use std::{fmt::Write, sync::Arc};
use warpmesh::{
    hdl::random::Rng,
    noc::{FabricParams, Flow, MessageClass, NodeKind, Nodes},
    open_loop::{
        Bench, Burst, Delivery, Destination, OpenLoopParams, Pattern, Phases, RateMatrix, Sizes, Trace, Traffic,
        traffic::memory,
    },
    report::LoadVerdict,
    sim::Options,
};

fn one_of<T: Copy>(random: &mut Rng, all: &[T]) -> T {
    all[random.below(all.len() as u64) as usize]
}

fn between(random: &mut Rng, least: u32, most: u32) -> u32 {
    least + random.below(u64::from(most - least + 1)) as u32
}

/// 1 to 64 flits, the short ones as often as the long ones.
fn length(random: &mut Rng) -> u32 {
    let most = 1 << between(random, 0, 6);
    between(random, 1, most)
}

/// A pattern with fixed or mixed sizes, one-way or answered.
pub fn traffic(random: &mut Rng) -> Traffic {
    let (first, second) = (length(random), length(random));
    let sizes = |text: String| text.parse::<Sizes>().expect("legal sizes");
    let fixed = sizes(first.to_string());
    let mixed = sizes(format!("{first}:0.75,{second}:0.25"));
    let transactions = match random.below(5) {
        0 => fixed.one_way(),
        1 => fixed.echoed(),
        2 => mixed.one_way(),
        3 => mixed.echoed(),
        _ => memory(0.7, first),
    };
    let service = if transactions[0].reply.is_some() { random.below(20) } else { 0 };
    Traffic {
        pattern: one_of(random, &Pattern::ALL),
        hot_share: 0.1 + 0.4 * random.unit(),
        transactions,
        service,
        matrix: None,
        burst: None,
    }
}

/// The same from on-off sources.
pub fn in_bursts(random: &mut Rng, traffic: &Traffic) -> Traffic {
    let length = one_of(random, &[2.0, 5.0, 20.0, 100.0]);
    let duty = 0.1 + 0.55 * random.unit();
    Traffic { burst: Some(Burst { length, duty }), ..traffic.clone() }
}

/// The same by a matrix of rates: of any nodes, or of the pairs that talk already.
pub fn by_matrix(random: &mut Rng, traffic: &Traffic, nodes: &Nodes) -> Traffic {
    let used: Vec<_> = nodes.iter().filter(|node| node.kind != NodeKind::Empty).map(|node| node.number).collect();
    let any = || used.iter().flat_map(|source| used.iter().map(|dest| (*source, *dest))).collect();
    let targets = traffic.targets(nodes).unwrap_or_default();
    let of_source =
        |(source, target): (u32, &Destination)| target.shares().into_iter().map(move |(dest, _)| (source, dest));
    let of_pattern: Vec<(u32, u32)> = (0..).zip(&targets).flat_map(of_source).collect();
    // Where nobody sends by the pattern there are none of these.
    let is_any = random.chance(0.3) || of_pattern.is_empty();
    let pairs: Vec<(u32, u32)> = if is_any { any() } else { of_pattern };
    let part = 0.1 + 0.9 * random.unit();
    let mut text = String::from("source,dest,rate\n");
    let last = pairs.len().saturating_sub(1);
    for (number, (source, dest)) in pairs.into_iter().enumerate() {
        // One of them at the least.
        if number == last || random.chance(part) {
            let rate = f64::from(between(random, 1, 100)) / 1000.0;
            writeln!(text, "{source},{dest},{rate}").expect("a string");
        }
    }
    let matrix = RateMatrix::read("random.csv", &text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    Traffic { matrix: Some(Arc::new(matrix)), ..traffic.clone() }
}

/// A packet of a trace.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Traced {
    pub cycle: u64,
    pub flow: Flow,
    pub flits: u32,
    /// Number of the packet before it, from 0 on.
    pub after: Option<usize>,
}

/// Packets of these flows: some start alone, some come after any earlier one, some after the last one.
pub fn trace(random: &mut Rng, flows: &[Flow]) -> Vec<Traced> {
    let count = between(random, 20, 200) as usize;
    let horizon = one_of(random, &[1, 200, 2_000]);
    let (chained, waiting) = (random.unit(), 0.2 + 0.6 * random.unit());
    // A few flits all the same, or any.
    let most = one_of(random, &[1, 6, 64]);
    let packet = |number: usize| {
        let after = (number > 0 && random.chance(waiting)).then(|| match random.chance(chained) {
            true => number - 1,
            false => random.below(number as u64) as usize,
        });
        Traced { cycle: random.below(horizon), flow: one_of(random, flows), flits: length(random).min(most), after }
    };
    (0..count).map(packet).collect()
}

/// As a file.
pub fn text(trace: &[Traced]) -> String {
    let mut text = String::from("cycle,source,dest,flits,class,after\n");
    for Traced { cycle, flow: Flow { class, source, dest }, flits, after } in trace {
        let class = if *class == MessageClass::Reply { "reply" } else { "request" };
        let after = after.map_or(String::new(), |after| (after + 1).to_string());
        writeln!(text, "{cycle},{source},{dest},{flits},{class},{after}").expect("a string");
    }
    text
}

/// A trace of the flows that `traffic` has on a network; nothing where this has no path for them or is not proven.
pub fn trace_for(random: &mut Rng, network: &FabricParams, traffic: &Traffic) -> Option<Vec<Traced>> {
    let params = OpenLoopParams::new(network, traffic).ok().filter(|params| params.fabric.prove().is_ok())?;
    let trace = trace(random, params.fabric.flows());
    let read = Trace::read("random.csv", &text(&trace)).unwrap_or_else(|error| panic!("{error}"));
    // Its flows are among those of the traffic, whose network is proven.
    let of_trace = OpenLoopParams::of_trace(network, &read).unwrap_or_else(|error| panic!("{error}"));
    of_trace.fabric.prove().unwrap_or_else(|error| panic!("{error}"));
    Some(trace)
}

/// Sends a trace. What is wrong, if anything: it does not end, a packet arrives twice or not at all, or one is created
/// or injected in another cycle than what it comes after allows.
pub fn check_trace(network: &FabricParams, trace: &[Traced], options: &Options) -> Result<u64, String> {
    let text = text(trace);
    let read = Trace::read("random.csv", &text).map_err(|error| error.to_string())?;
    let mut bench = Bench::of_trace(network, &Arc::new(read), options).map_err(|error| error.to_string())?;
    let point = bench.follow(50_000, 16, |_| {}).map_err(|error| error.to_string())?;
    if point.verdict != LoadVerdict::Completed {
        return Err(format!("a trace ends as {:?} ({}): {:?}\n{text}", point.verdict, point.reason, point.stuck));
    }
    // An overlay with a faster clock sends several flits in a cycle of the network.
    let per_cycle = network.overlay.and_then(|overlay| overlay.clock).map_or(1, |[own, noc]| own.div_ceil(noc));
    deliveries_hold(trace, per_cycle, bench.deliveries()).map_err(|problem| format!("{problem}\n{text}"))?;
    let flits: f64 = point.accepted_per_node.iter().sum::<f64>() * bench.simulated().0 as f64;
    let sent: u32 = trace.iter().map(|packet| packet.flits).sum();
    match (flits - f64::from(sent)).abs() < 1e-6 {
        true => Ok(bench.simulated().0),
        false => Err(format!("{sent} flits in a trace, {flits} came out\n{text}")),
    }
}

/// Every packet arrives once, is created in its cycle or behind the arrival of the one before it, and is injected after
/// that; at most `per_cycle` of its flits arrive in a cycle.
pub fn deliveries_hold(trace: &[Traced], per_cycle: u32, deliveries: &[Delivery]) -> Result<(), String> {
    let mut arrived = vec![None; trace.len()];
    // In the order of their arrival: the one before has always arrived.
    for delivery in deliveries {
        let &Delivery { packet, created, injected, arrived: at } = delivery;
        let wrong = |what: &str| Err(format!("packet {}: {what}: {delivery:?}", packet + 1));
        let Some(Traced { cycle, flits, after, .. }) = trace.get(packet) else {
            return wrong("it is not in the trace");
        };
        if arrived[packet].replace(at).is_some() {
            return wrong("it arrives twice");
        }
        let may_start = match after.map(|after| arrived[after]) {
            None => *cycle,
            Some(Some(before)) => (before + 1).max(*cycle),
            Some(None) => return wrong("it arrives before the one that it comes after"),
        };
        if created != may_start {
            return wrong(&format!("it is to be created in cycle {may_start}"));
        }
        let Some(injected) = injected else { return wrong("it was never injected") };
        if injected < created || at + 1 < injected + u64::from(*flits / per_cycle) {
            return wrong("it is injected before it is created, or arrives too fast");
        }
    }
    match arrived.iter().position(Option::is_none) {
        Some(lost) => Err(format!("packet {} never arrives", lost + 1)),
        None => Ok(()),
    }
}

/// What is offered to the network of a chip: a load from on-off sources, one by a matrix, or a trace. What is wrong, if
/// anything; cycles otherwise.
pub fn check_offered(network: &FabricParams, seed: u64, options: &Options) -> Result<u64, String> {
    let mut random = Rng::new(seed ^ 0x7472_6166);
    let pattern = one_of(&mut random, &[Pattern::ManyToFew, Pattern::Hotspot, Pattern::CoresAndMemories]);
    let line = between(&mut random, 1, 9);
    let plain = Traffic::new(pattern, memory(0.7, line));
    match random.below(3) {
        0 => load(network, &in_bursts(&mut random, &plain), &mut random, options),
        1 => load(network, &by_matrix(&mut random, &plain, &network.nodes), &mut random, options),
        _ => match trace_for(&mut random, network, &plain) {
            Some(trace) => check_trace(network, &trace, options),
            None => Ok(0),
        },
    }
}

/// A short load; an error where packets get lost, mixed or stuck. Cycles; none where the network cannot carry it.
fn load(network: &FabricParams, traffic: &Traffic, random: &mut Rng, options: &Options) -> Result<u64, String> {
    let proven = OpenLoopParams::new(network, traffic).is_ok_and(|params| params.fabric.prove().is_ok());
    if !proven {
        return Ok(0);
    }
    let named = |problem: String| format!("{} {}: {problem}", traffic.pattern.name(), traffic.describe());
    let mut bench = Bench::new(network, traffic, options).map_err(|error| named(error.to_string()))?;
    let load = bench.most_load().min(1.0) * 10_f64.powf(-1.5 * random.unit());
    let phases = Phases { warmup: 100, measure: 600, drain: 5_000 };
    let point = bench.run(load, phases, random.next_u64(), 16, |_| {}).map_err(|error| named(error.to_string()))?;
    match point.verdict {
        LoadVerdict::Deadlocked => Err(named(format!("load {load}: a deadlock: {:?}", point.stuck))),
        _ => Ok(bench.simulated().0),
    }
}
