//! Chips run a kernel to its end in step with their Verilog in Verilator: every output of every tile in every cycle.
//! `cargo campaign chips-in-lockstep` runs small relatives of the papers' chips, their cores as there, and small
//! chips with each kind of network interface and topology; words (`small-ring`) choose those whose names or keys contain
//! one. `--seeds 0..20` runs random chips of all keys with random kernels in place of these. Prints a line for each
//! and fails when one is unequal. `tests/chip/lockstep.rs` does so with smaller chips and the one of Kim's chapter 2.

use crate::seeds::{self, Tally};
use clap::Args;
use random_chips::{chip, kernel_for};
use std::{ops::Range, panic, process::ExitCode, time::Instant};
use testkit::{chip_beside_verilog, random_chips};
use warpmesh::verilog::lockstep::Agreement;

/// Configuration, overrides, kernel and its size. The network of chapter 4 is behavioural: routers stand in its place.
const CHIPS: [(&str, &[&str], &str, u32); 18] = [
    ("small-l2", &[], "transpose", 40),
    ("small-l1", &["cache.l2.bytes=4096", "core.memory_order=line"], "bfs", 60),
    ("small-ch3", &[], "reduction", 600),
    ("small-ch6", &["memory.write_reply=none"], "bfs", 60),
    ("small-stream", &[], "transpose", 40),
    ("small-kim-ch4", &["network.model=routers"], "saxpy", 600),
    ("small-kim-ch5", &["memory.partial_write=read-modify-write"], "vector_add", 600),
    ("small-kim-ch2", &["core.scheduler=laws", "core.throttle.kind=thu", "core.lanes=32"], "rowwalk", 256),
    ("small-kim-ch2", &["core.scheduler=gto", "core.throttle.kind=ccws"], "rowwalk", 256),
    ("small-da2mesh", &[], "transpose", 24),
    ("small-da2mesh", &["network.overlay.injection=split", "clocks.overlay=1505", "network.vc_depth=2"], "gather", 200),
    ("small-ring", &["network.ring.fair_wait=20", "network.ring.bytes=32"], "gather", 200),
    ("small-ring", &["network.vcs=4", "network.routing=adaptive", "cache.l2.bytes=4096"], "reduction", 300),
    (
        "small-ring",
        &[
            "network.ring.round_trip_cycles=0",
            "network.organisation=dedicated",
            "network.vcs=4",
            "network.reply_injection=split",
            "network.tx_queue_packets=4",
            "network.reply_injection_links=2",
            "network.injection_speedup=2",
            "network.priority_levels=3",
            "network.starvation_cycles=20",
        ],
        "gather",
        300,
    ),
    (
        "small-ring",
        &[
            "network.ring.round_trip_cycles=0",
            "network.reply_write=flit",
            "network.injection_ports=2",
            "network.request_vcs=2",
        ],
        "transpose",
        24,
    ),
    ("small", &[GRAPH, "network.topology=graph"], "reduction", 300),
    (
        "small",
        &[
            GRAPH,
            "network.topology=graph",
            "network.routing=adaptive-up-down",
            "network.vcs=4",
            "network.graph.one_way_links=[[2,0],[1,2,2]]",
        ],
        "gather",
        200,
    ),
    (
        "small-ring",
        &[
            "network.ring.round_trip_cycles=0",
            "network.routing=adaptive-up-down",
            "network.vcs=4",
            "network.faulty_links=[[1,2],[4,5]]",
            "network.faulty_routers=[3]",
        ],
        "gather",
        200,
    ),
];

/// Three routers for four nodes.
const GRAPH: &str = "network.graph={nodes=[0,1,1,2],links=[[0,1],[1,2,3]]}";

/// Runs chips beside their Verilog.
#[derive(Args)]
pub struct Arguments {
    /// Chips whose names or keys contain one of these; without any: all.
    words: Vec<String>,
    /// Random chips, from the first seed up to, not including, the second, in place of those by name.
    #[arg(long, value_parser = seeds::range)]
    seeds: Option<Range<u64>>,
    /// Random chips that run at the same time.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=64))]
    jobs: u64,
}

pub fn run(arguments: Arguments) -> ExitCode {
    let Arguments { words, seeds, jobs } = arguments;
    println!("{:<16} {:<16} {:>8} {:>10} {:>7}", "", "kernel", "cycles", "bits each", "time");
    let wrong = match seeds {
        Some(seeds) => {
            let Tally { wrong, counted, seconds } = seeds::run(&seeds, jobs, u64::MAX, || (), |(), seed| random(seed));
            println!("{} chips, {counted} cycles, {seconds:.0} s: {wrong} wrong", seeds.end - seeds.start);
            wrong
        }
        None => by_name(&words),
    };
    if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// How many of the chips by name are unequal, or one, if none is chosen.
fn by_name(words: &[String]) -> u64 {
    let (mut wrong, mut chosen) = (0, 0);
    for (name, overrides, kernel, size) in CHIPS {
        let keys = overrides.join(" ");
        if !words.is_empty() && !words.iter().any(|word| name.contains(word.as_str()) || keys.contains(word.as_str())) {
            continue;
        }
        chosen += 1;
        let agree = || chip_beside_verilog::agree(&format!("{name}.toml"), overrides, kernel, size);
        wrong += u64::from(in_step(name, kernel, &keys, agree).is_none());
    }
    if chosen == 0 {
        eprintln!("no chip has one of these in its name or its keys: {}", words.join(" "));
        wrong = 1;
    }
    wrong
}

/// The random chip of a seed with a random kernel; its cycles, none where it has parts that are not exported.
fn random(seed: u64) -> Result<u64, String> {
    let chip = chip::chip(seed);
    if chip.behavioural().is_some() {
        return Ok(0);
    }
    let said = |error: String| format!("seed {seed}: {error}\n{}", chip::text(&chip));
    let (_, launch) = kernel_for(&chip, seed).map_err(said)?;
    let agree = || chip_beside_verilog::agree_on(&chip, &launch);
    let agreement = in_step(&format!("random {seed}"), "random", "", agree);
    agreement.map(|agreement| agreement.cycles).ok_or_else(|| said("not in step, see above".into()))
}

/// Runs one and prints its line; none where it is unequal, of which a panic tells the first difference.
fn in_step(name: &str, kernel: &str, keys: &str, agree: impl Fn() -> Agreement) -> Option<Agreement> {
    let start = Instant::now();
    let agreement = panic::catch_unwind(panic::AssertUnwindSafe(agree)).ok();
    let seconds = start.elapsed().as_secs_f64();
    match &agreement {
        Some(Agreement { cycles, output_bits, .. }) => {
            println!("{name:<16} {kernel:<16} {cycles:>8} {output_bits:>10} {seconds:>5.0} s  equal  {keys}");
        }
        None => println!("{name:<16} {kernel:<16} {:>8} {:>10} {seconds:>5.0} s  UNEQUAL  {keys}", "", ""),
    }
    agreement
}
