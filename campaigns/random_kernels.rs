//! Any number of random CUDA kernels on the emulators and on a chip, against their execution on the host:
//! `cargo campaign random-kernels --seeds 0..20000`. Prints the kernels that went wrong, and fails if any did.

use crate::seeds::{self, Tally};
use clap::Args;
use cuda::{check::Checker, generate};
use std::{ops::Range, path::PathBuf, process::ExitCode};
use testkit::cuda;
use warpmesh::{
    chip::load,
    sim::{Engine, Options},
};

/// Checks random CUDA kernels.
#[derive(Args)]
pub struct Arguments {
    /// From the first seed up to, not including, the second.
    #[arg(long, default_value = "0..1000", value_parser = seeds::range)]
    seeds: Range<u64>,
    /// Chip that runs them.
    #[arg(long, default_value = "small.toml")]
    config: PathBuf,
    /// Engine of its simulation.
    #[arg(long, default_value_t = Engine::Auto)]
    engine: Engine,
    /// Chips that run at the same time.
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u64).range(1..=64))]
    jobs: u64,
}

pub fn run(arguments: Arguments) -> ExitCode {
    let chip = match load(Some(&arguments.config), &["core.atomics=true".into()]) {
        Ok(chip) => chip,
        Err(error) => {
            eprintln!("{:?}", miette::Report::new(error));
            return ExitCode::from(2);
        }
    };
    let options = Options { engine: arguments.engine, ..Options::default() };
    let Arguments { seeds, jobs, .. } = arguments;
    let worker = || Checker::new(&chip, &options);
    let Tally { wrong, counted: cycles, seconds } = seeds::run(&seeds, jobs, 1000, worker, |checker, seed| {
        let taken = checker.check(&generate::kernel(seed));
        if taken.is_err() {
            // What a kernel that went wrong leaves behind is not the next one's.
            *checker = worker();
        }
        taken
    });
    let (name, count, Range { start, end }) = (&chip.config().name, seeds.end - seeds.start, seeds);
    println!("{count} kernels (seeds {start}..{end}) on {name}, {cycles} cycles, {seconds:.0} s: {wrong} wrong");
    if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
