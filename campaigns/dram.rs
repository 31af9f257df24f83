//! Any number of random requests to a DRAM channel of each preset: every command against the executable model, every
//! time against the device. `cargo campaign dram` takes a million of each preset with FR-FCFS and a tenth as many
//! with the others; then reads of interleaved streams, each of which is one core's way through rows of its own, by the
//! schedulers of chapter 3 of Bakhoda's thesis. `--preset gddr3` takes one.

use clap::Args;
use dram::{Sent, params, presets};
use std::{process::ExitCode, time::Instant};
use testkit::dram;
use warpmesh::{hdl::random::Rng, memory::*, sim::Options};

/// Checks random requests, and measures streams.
#[derive(Args)]
pub struct Arguments {
    /// Requests of each preset.
    #[arg(long, default_value_t = 1_000_000)]
    requests: usize,
    /// One of them alone.
    #[arg(long, value_parser = ["default", "gddr3", "gddr5"])]
    preset: Option<String>,
}

/// Requests of a run: its rows, its share of writes and its pace are its own.
const RUN: usize = 20_000;

fn by(scheduler: DramScheduler) -> ServiceParams {
    ServiceParams { scheduler, ..ServiceParams::default() }
}

fn random_requests(p: &ControllerParams, random: &mut Rng) -> Vec<Sent> {
    let rows = 1 + random.below(6);
    let writes = [0.0, 0.1, 0.3, 0.5, 1.0][random.below(5) as usize];
    let near = [0.5, 0.9, 1.0][random.below(3) as usize];
    let request = |_| Sent {
        write: random.chance(writes),
        bank: random.below(p.map.banks() as u64) as u32,
        row: if random.chance(near) { random.below(rows) as u32 } else { random.below(4000) as u32 },
        column: random.below(1 << p.map.column_bits()) as u32,
    };
    (0..RUN).map(request).collect()
}

fn campaign(name: &str, (banks, timing): (usize, DramTiming), scheduler: DramScheduler, requests: usize) {
    let (start, mut cycles, mut hits, runs) = (Instant::now(), 0, 0, requests.div_ceil(RUN));
    let (mut waits, mut overtaken) = (0, 0);
    for seed in 0..runs as u64 {
        let mut random = Rng::new(seed);
        let p = params(banks, timing, by(scheduler));
        let all = random_requests(&p, &mut random);
        let pace = [(1.0, 1.0), (0.3, 1.0), (1.0, 0.3), (0.8, 0.8)][random.below(4) as usize];
        let outcome = dram::run(&p, timing, &all, pace, seed, &Options::default());
        let mut outcome = outcome.unwrap_or_else(|error| panic!("{name}, {}, seed {seed}: {error}", scheduler.name()));
        cycles += outcome.cycles;
        hits += outcome.count("row_hits");
        waits += outcome.times.iter().map(|(shown, taken)| shown - taken).sum::<u64>();
        overtaken += outcome.order.windows(2).filter(|pair| pair[1] < pair[0]).count();
    }
    let (count, seconds) = (runs * RUN, start.elapsed().as_secs_f64());
    let share = 100.0 * hits as f64 / count as f64;
    let latency = waits as f64 / count as f64;
    println!(
        "{name:<8} {:<15} {count:>9} requests, {overtaken} after a younger one, {cycles:>10} cycles, latency {latency:.0}, {share:>5.1} % row hits: no violation ({seconds:.0} s)",
        scheduler.name()
    );
}

/// As many streams as cores, in step or not: core `c` reads rows of its own from begin to end; a cycle has the request
/// of a random core.
fn streams(cores: u32, p: &ControllerParams, random: &mut Rng) -> Vec<Sent> {
    let (columns, rows) = (1 << p.map.column_bits(), 512u32.div_ceil(cores));
    let mut at = vec![0u32; cores as usize];
    let mut all = vec![];
    while all.len() < (columns * rows * cores / 8) as usize {
        let core = random.below(cores.into()) as u32;
        let step = &mut at[core as usize];
        let bank = core % p.map.banks() as u32;
        all.push(Sent { write: false, bank, row: *step / columns * cores + core, column: *step % columns });
        *step += 1;
    }
    all
}

/// Checks and measures; panics at the first wrong command.
pub fn run(arguments: Arguments) -> ExitCode {
    let Arguments { requests, preset } = arguments;
    let chosen = presets().into_iter().filter(|(name, ..)| preset.as_ref().is_none_or(|preset| preset == name));
    let chosen: Vec<_> = chosen.collect();
    for &(name, banks, timing) in &chosen {
        for scheduler in DramScheduler::ALL {
            let part = if scheduler == DramScheduler::FrFcfs { 1 } else { 10 };
            campaign(name, (banks, timing), scheduler, requests / part);
        }
    }
    println!("\ninterleaved streams, DRAM cycles a request, row hits");
    for (name, banks, timing) in chosen {
        for cores in [1, 2, 4, 8, 16, 28] {
            let row = DramScheduler::ALL.map(|scheduler| {
                let p = params(banks, timing, by(scheduler));
                let all = streams(cores, &p, &mut Rng::new(7));
                let outcome = dram::run(&p, timing, &all, (1.0, 1.0), 1, &Options::default());
                let mut outcome = outcome.unwrap_or_else(|error| panic!("{name}: {error}"));
                let share = |part: u64| 100.0 * part as f64 / all.len() as f64;
                format!("{:.2}, {:.0} %", outcome.cycles as f64 / all.len() as f64, share(outcome.count("row_hits")))
            });
            println!("| {name} | {cores} | {} |", row.join(" | "));
        }
    }
    ExitCode::SUCCESS
}
