//! Any number of random chips, over all keys, each with random kernels (atomics, double precision, textures, barriers
//! by number) on its RTL, against the emulator; every tenth one is exported, too, and shown to Verilator, Icarus and
//! Yosys: `cargo campaign random-chips --seeds 0..1000`. Prints what goes wrong, with the seed, the
//! configuration and the kernel, and fails if anything does.

use crate::seeds::{self, Tally};
use clap::Args;
use exports::Drawn;
use random_chips::chip;
use std::{
    ops::Range,
    panic,
    process::ExitCode,
    sync::atomic::{AtomicU64, Ordering},
};
use testkit::{exports, random_chips};
use warpmesh::{
    chip::build,
    sim::{Engine, Options},
};

/// Cycles of a run in parts: each is run some ten times.
const MOST_IN_PARTS: u64 = 3000;

/// Runs random kernels on random chips.
#[derive(Args)]
pub struct Arguments {
    /// From the first seed up to, not including, the second.
    #[arg(long, default_value = "0..100", value_parser = seeds::range)]
    seeds: Range<u64>,
    /// Engine of the simulations.
    #[arg(long, default_value_t = Engine::Auto)]
    engine: Engine,
    /// Of so many chips one is exported; 0: none.
    #[arg(long, default_value_t = 10)]
    export_every: u64,
    /// Saves a kernel of each chip at three points and resumes it from each, on engines by the seed, instead.
    #[arg(long)]
    in_parts: bool,
    /// Prints the configurations, and runs nothing.
    #[arg(long)]
    list: bool,
    /// Chips that run at the same time.
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u64).range(1..=64))]
    jobs: u64,
}

pub fn run(arguments: Arguments) -> ExitCode {
    let Arguments { seeds, engine, export_every, in_parts, list, jobs } = arguments;
    if list {
        seeds.for_each(|seed| println!("{}\n", chip::text(&chip::chip(seed))));
        return ExitCode::SUCCESS;
    }
    let options = Options { engine, ..Options::default() };
    let exported = AtomicU64::new(0);
    let check = |(): &mut (), seed: u64| {
        if in_parts {
            return random_chips::check_in_parts(seed, MOST_IN_PARTS);
        }
        let cycles = random_chips::check(seed, &options)?;
        if export_every > 0 && seed.is_multiple_of(export_every) {
            export(seed)?;
            exported.fetch_add(1, Ordering::Relaxed);
        }
        Ok(cycles)
    };
    let Tally { wrong, counted: cycles, seconds } = seeds::run(&seeds, jobs, 10, || (), check);
    let (count, Range { start, end }, exported) = (seeds.end - seeds.start, seeds, exported.into_inner());
    println!(
        "{count} chips (seeds {start}..{end}), {cycles} cycles, {exported} clean exports, {seconds:.0} s: {wrong} wrong"
    );
    if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Shows the Verilog of the chip of `seed` to the three tools; of a chip with behavioural parts, that of the export of
/// this seed. Its lines, or what they say.
fn export(seed: u64) -> Result<u64, String> {
    let looked = panic::catch_unwind(|| {
        let chip = chip::chip(seed);
        let drawn = match chip.behavioural() {
            Some(_) => exports::chip(seed),
            None => Drawn {
                seed,
                text: chip::text(&chip),
                sram_bits: 16 * 1024,
                top: build(&chip).map_err(|error| error.to_string())?,
            },
        };
        let files = drawn.files();
        drawn.lint(&files)?;
        Ok(files.iter().map(|file| file.text.lines().count() as u64).sum())
    });
    looked.unwrap_or_else(|_| Err(format!("seed {seed}: no export, see above")))
}
