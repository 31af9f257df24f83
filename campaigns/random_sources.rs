//! Any number of random CUDA programs with spilled registers, recursion, half precision, the device's heap, groups,
//! surfaces and wide atomics, against their execution on the host:
//! `cargo campaign random-sources --seeds 0..2000`. Prints the kernels that went wrong, and fails if any did.

use crate::seeds::{self, Tally};
use clap::Args;
use random_sources::{CHIP, KERNELS};
use std::{ops::Range, process::ExitCode};
use testkit::random_sources;

/// Checks random CUDA programs.
#[derive(Args)]
pub struct Arguments {
    /// From the first seed up to, not including, the second: 20 of them are a program.
    #[arg(long, default_value = "0..1000", value_parser = seeds::range)]
    seeds: Range<u64>,
    /// Of so many programs the first 4 kernels of one run on the chip, too.
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..))]
    on_chip: u64,
    /// Prints the program of these seeds.
    #[arg(long)]
    print: bool,
    /// Programs that are checked at the same time.
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u64).range(1..=64))]
    jobs: u64,
}

pub fn run(arguments: Arguments) -> ExitCode {
    let Arguments { seeds, on_chip, print, jobs } = arguments;
    if print {
        print!("{}", random_sources::program(seeds));
        return ExitCode::SUCCESS;
    }
    let programs = seeds.start / KERNELS..seeds.end.div_ceil(KERNELS);
    let Tally { wrong, counted, seconds } = seeds::run(
        &programs,
        jobs,
        10,
        || (),
        |(), program| {
            let first = seeds.start.max(program * KERNELS);
            let count = seeds.end.min((program + 1) * KERNELS) - first;
            // So few that many are in memory, or as many as there are.
            let registers = format!("core.registers={}", [128, 16, 32, 64][(program % 4) as usize]);
            let options = [&CHIP[..], &["-P", &registers]].concat();
            let failed = |error| format!("seeds from {first}, {registers}: {error}");
            random_sources::check(first, count, &[&options[..], &["--functional"]].concat()).map_err(failed)?;
            let on_chip = if program % on_chip == 0 { count.min(4) } else { 0 };
            if on_chip > 0 {
                let failed = |error| format!("on the chip, seeds from {first}, {registers}: {error}");
                random_sources::check(first, on_chip, &options).map_err(failed)?;
            }
            Ok(count + on_chip)
        },
    );
    let Range { start, end } = seeds;
    println!(
        "seeds {start}..{end}: {counted} kernels, on the chip counted again, {seconds:.0} s: {wrong} programs wrong"
    );
    if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
