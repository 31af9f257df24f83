//! Any number of random networks under random traffic: `cargo campaign random-networks --seeds 0..500`. Packets
//! arrive whole, once, and in order where the network promises it; zero-load latency is that of every packet alone,
//! within one percent; no verdict is contradicted by a measurement that is ten times as long; packets of a trace start
//! when those before them have arrived. Prints what is wrong, with the seed and the network, and fails if anything is.

use crate::seeds::{self, Tally};
use clap::Args;
use std::{ops::Range, process::ExitCode};
use testkit::random_loads;
use warpmesh::sim::Options;

/// Checks random measurements: two loads a seed, each measured twice.
#[derive(Args)]
pub struct Arguments {
    /// From the first seed up to, not including, the second.
    #[arg(long, default_value = "0..500", value_parser = seeds::range)]
    seeds: Range<u64>,
    /// Cycles of the shorter measurement.
    #[arg(long, default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(20..=1_000_000))]
    measure: u64,
    /// Networks that are measured at the same time.
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u64).range(1..=64))]
    jobs: u64,
    /// The small networks that the test has.
    #[arg(long)]
    small: bool,
}

pub fn run(arguments: Arguments) -> ExitCode {
    let Arguments { seeds, measure, jobs, small } = arguments;
    let draw = if small { random_loads::draw_small } else { random_loads::draw };
    let check = |(): &mut (), seed| random_loads::check(&draw(seed), measure, &Options::default());
    let Tally { wrong, counted: loads, seconds } = seeds::run(&seeds, jobs, 50, || (), check);
    let (count, Range { start, end }) = (seeds.end - seeds.start, seeds);
    println!("{count} networks (seeds {start}..{end}), {loads} loads, {seconds:.0} s: {wrong} wrong");
    if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
