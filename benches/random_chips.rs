//! Any number of random chips, over all keys, each with random kernels (atomics, double precision, textures, barriers by number) on its RTL,
//! against the emulator; every tenth one is exported, too, and shown to Verilator, Icarus and Yosys:
//! `cargo bench --bench random_chips -- --seeds 0..1000`. Prints what goes wrong, with the seed, the configuration and the kernel, and fails
//! if anything does.

mod campaign;
#[path = "../tests/support/random_chips/mod.rs"]
mod random_chips;

use campaign::Tally;
use clap::Parser;
use std::{
    ops::Range,
    process::ExitCode,
    sync::atomic::{AtomicU64, Ordering},
};
use warpmesh::sim::{Engine, Options};

/// Runs random kernels on random chips.
#[derive(Parser)]
#[command(name = "random_chips")]
struct Arguments {
    /// From the first seed up to, not including, the second.
    #[arg(long, default_value = "0..100", value_parser = campaign::seeds)]
    seeds: Range<u64>,
    /// Engine of the simulations.
    #[arg(long, default_value_t = Engine::Auto)]
    engine: Engine,
    /// Of so many chips one is exported; 0: none.
    #[arg(long, default_value_t = 10)]
    export_every: u64,
    /// Prints the configurations, and runs nothing.
    #[arg(long)]
    list: bool,
    /// Chips that run at the same time.
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u64).range(1..=64))]
    jobs: u64,
    /// Given by cargo.
    #[arg(long, hide = true)]
    bench: bool,
}

fn main() -> ExitCode {
    let Arguments { seeds, engine, export_every, list, jobs, .. } = Arguments::parse();
    if list {
        seeds.for_each(|seed| println!("{}\n", random_chips::chip::text(&random_chips::chip::chip(seed))));
        return ExitCode::SUCCESS;
    }
    let options = Options { engine, ..Options::default() };
    let exported = AtomicU64::new(0);
    let check = |(): &mut (), seed: u64| {
        let cycles = random_chips::check(seed, &options)?;
        if export_every > 0 && seed.is_multiple_of(export_every) {
            random_chips::export(seed)?;
            exported.fetch_add(1, Ordering::Relaxed);
        }
        Ok(cycles)
    };
    let Tally { wrong, counted: cycles, seconds } = campaign::run(&seeds, jobs, 10, || (), check);
    let (count, Range { start, end }, exported) = (seeds.end - seeds.start, seeds, exported.into_inner());
    println!(
        "{count} chips (seeds {start}..{end}), {cycles} cycles, {exported} clean exports, {seconds:.0} s: {wrong} wrong"
    );
    if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
