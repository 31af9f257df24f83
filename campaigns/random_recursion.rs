//! Any number of random functions that call each other and themselves, on the emulators and on a chip, against the same
//! in Rust: `cargo campaign random-recursion --seeds 0..2000`. Prints the kernels that went wrong, and fails if
//! any did.

use crate::seeds::{self, Tally};
use clap::Args;
use std::{ops::Range, path::Path, process::ExitCode};
use testkit::random_recursion;
use warpmesh::{
    chip::load,
    host::{Host, Limits},
    report::Verdict,
    sim::Options,
};

/// Checks random recursive functions.
#[derive(Args)]
pub struct Arguments {
    /// From the first seed up to, not including, the second.
    #[arg(long, default_value = "0..1000", value_parser = seeds::range)]
    seeds: Range<u64>,
    /// Of so many kernels one runs on the chip, too.
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..))]
    on_chip: u64,
    /// Kernels that are checked at the same time.
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u64).range(1..=64))]
    jobs: u64,
}

pub fn run(arguments: Arguments) -> ExitCode {
    let Arguments { seeds, on_chip, jobs } = arguments;
    let chip = load(Some(Path::new("small.toml")), &["core.program_words=32768".into()]).expect("a legal chip");
    let worker = || Host::new(&chip, &Options::default()).expect("it is simulated");
    let Tally { wrong, counted, seconds } = seeds::run(&seeds, jobs, 500, worker, |host, seed| {
        let issued = random_recursion::check(seed)?;
        if seed % on_chip == 0 {
            run_on(host, seed)?;
        }
        Ok(issued)
    });
    let (count, Range { start, end }) = (seeds.end - seeds.start, seeds);
    println!("{count} kernels (seeds {start}..{end}), {counted} warp instructions, {seconds:.0} s: {wrong} wrong");
    if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn run_on(host: &mut Host, seed: u64) -> Result<(), String> {
    let (source, launch) = random_recursion::launch(seed)?;
    let failed = |what: String| format!("seed {seed}, on the chip: {what}\n{source}");
    host.start(&launch).map_err(|error| failed(error.to_string()))?;
    let limits = Limits { max_cycles: 100_000_000, watchdog: 300_000, ..Limits::default() };
    let (verdict, cycles) = host.run(limits, |_, _| Ok(())).map_err(|error| failed(error.to_string()))?;
    if verdict != Verdict::Completed {
        return Err(failed(format!("{verdict:?} after {cycles} cycles")));
    }
    launch.verify(|at, bytes| host.read_memory(at, bytes)).map_err(|error| failed(error.to_string()))
}
