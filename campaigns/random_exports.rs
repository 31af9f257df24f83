//! Any number of random chips and blocks as Verilog, shown to Verilator, Icarus and Yosys:
//! `cargo campaign random-exports --seeds 0..500`. Prints what any of them says, with the seed and the
//! configuration, and fails if one has said anything.

use crate::seeds::{self, Tally};
use clap::Args;
use exports::Drawn;
use std::{ops::Range, panic, process::ExitCode};
use testkit::exports;

/// Checks random exports: a chip and a block a seed.
#[derive(Args)]
pub struct Arguments {
    /// From the first seed up to, not including, the second.
    #[arg(long, default_value = "0..200", value_parser = seeds::range)]
    seeds: Range<u64>,
    /// Prints what the seeds are, and exports nothing.
    #[arg(long)]
    list: bool,
    /// Exports and checks as the command does before it writes, without the three tools: hundreds a minute.
    #[arg(long)]
    no_tools: bool,
    /// Exports that are looked at at the same time.
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u64).range(1..=64))]
    jobs: u64,
}

pub fn run(arguments: Arguments) -> ExitCode {
    let Arguments { seeds, list, no_tools, jobs } = arguments;
    if list {
        seeds.for_each(|seed| println!("{}\n{}\n", exports::chip(seed), exports::block(seed)));
        return ExitCode::SUCCESS;
    }
    let Tally { wrong, counted: lines, seconds } = seeds::run(
        &seeds,
        jobs,
        50,
        || (),
        |(), seed| {
            let both = [exports::chip, exports::block].map(|draw| look(draw, seed, !no_tools));
            let said: Vec<_> = both.iter().filter_map(|looked| looked.as_ref().err().cloned()).collect();
            if said.is_empty() { Ok(both.into_iter().flatten().sum()) } else { Err(said.join("\n\n")) }
        },
    );
    let (count, Range { start, end }) = (seeds.end - seeds.start, seeds);
    println!(
        "{count} chips and {count} blocks (seeds {start}..{end}), {lines} clean lines, {seconds:.0} s: {wrong} wrong"
    );
    if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Lines of a clean export.
fn look(draw: fn(u64) -> Drawn, seed: u64, tools: bool) -> Result<u64, String> {
    let looked = panic::catch_unwind(|| {
        let drawn = draw(seed);
        let files = drawn.files();
        let looked = if tools { drawn.lint(&files) } else { drawn.check(&files) };
        looked.map(|()| files.iter().map(|file| file.text.lines().count() as u64).sum())
    });
    // What does not come as far has told of itself on the standard error.
    looked.unwrap_or_else(|_| Err(format!("seed {seed}: no export, see above")))
}
