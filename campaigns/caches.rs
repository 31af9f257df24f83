//! Any number of random caches under random accesses, against a byte-accurate memory that answers in any order:
//! `cargo campaign caches --seeds 0..300`. Prints the parameters of those that went wrong, and fails if any
//! did.

use crate::seeds::{self, Tally};
use clap::Args;
use std::{ops::Range, panic, process::ExitCode};
use testkit::cache_rig::{CacheRig, Traffic, draw};
use warpmesh::verilog::lockstep::Rng;

/// Checks random caches.
#[derive(Args)]
pub struct Arguments {
    /// From the first seed up to, not including, the second.
    #[arg(long, default_value = "0..300", value_parser = seeds::range)]
    seeds: Range<u64>,
    /// Cycles of each cache, beside those that it takes to be flushed.
    #[arg(long, default_value_t = 20_000)]
    cycles: u64,
    /// Caches at the same time.
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u64).range(1..=64))]
    jobs: u64,
}

pub fn run(arguments: Arguments) -> ExitCode {
    let Arguments { seeds, cycles, jobs } = arguments;
    let Tally { wrong, counted: accesses, seconds } =
        seeds::run(&seeds, jobs, 50, || (), |(), seed| check(seed, cycles));
    let (count, Range { start, end }) = (seeds.end - seeds.start, seeds);
    println!("{count} caches (seeds {start}..{end}), {accesses} accesses, {seconds:.0} s: {wrong} wrong");
    if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Accesses of a cache in ten kinds of traffic, flushed twice.
fn check(seed: u64, cycles: u64) -> Result<u64, String> {
    let mut random = Rng::new(seed);
    let p = draw(&mut random);
    let run = || {
        let mut rig = CacheRig::new(&p, seed);
        rig.records = false;
        for part in 0..10 {
            let mut of = |values: &[f64]| values[random.below(values.len() as u64) as usize];
            let (requests, writes, replies) = (of(&[0.2, 0.9, 1.0]), of(&[0.0, 0.2, 0.5]), of(&[0.2, 0.9, 1.0]));
            let (memory, lines) = (of(&[0.1, 0.5, 1.0]), of(&[3.0, 16.0, 200.0]) as u64);
            let traffic = Traffic { requests, writes, replies, memory, lines };
            (0..cycles / 10).for_each(|_| rig.cycle(&traffic));
            if part % 5 == 4 {
                rig.flush(&traffic);
            }
        }
        rig.done
    };
    panic::catch_unwind(panic::AssertUnwindSafe(run)).map_err(|_| format!("seed {seed}, see above: {p:?}"))
}
