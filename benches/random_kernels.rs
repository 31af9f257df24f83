//! Any number of random CUDA kernels on the emulators and on a chip, against their execution on the host:
//! `cargo bench --bench random_kernels -- --seeds 0..20000`. Prints the kernels that went wrong, and fails if any did.

#[path = "../tests/support/cuda/mod.rs"]
mod cuda;

use clap::Parser;
use cuda::{check::Checker, generate};
use std::{
    ops::Range,
    path::PathBuf,
    process::ExitCode,
    sync::atomic::{AtomicU64, Ordering},
    thread,
    time::Instant,
};
use warpmesh::{
    chip::load,
    sim::{Engine, Options},
};

/// Checks random CUDA kernels.
#[derive(Parser)]
#[command(name = "random_kernels")]
struct Arguments {
    /// From the first seed up to, not including, the second.
    #[arg(long, default_value = "0..1000", value_parser = range)]
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
    /// Given by cargo.
    #[arg(long, hide = true)]
    bench: bool,
}

fn range(text: &str) -> Result<Range<u64>, String> {
    let bounds = text.split_once("..").and_then(|(from, to)| Some(from.parse().ok()?..to.parse().ok()?));
    bounds.filter(|range| !range.is_empty()).ok_or("two numbers: 0..1000".into())
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let chip = match load(Some(&arguments.config), &[]) {
        Ok(chip) => chip,
        Err(error) => {
            eprintln!("{:?}", miette::Report::new(error));
            return ExitCode::from(2);
        }
    };
    let options = Options { engine: arguments.engine, ..Options::default() };
    let (next, wrong, cycles) = (AtomicU64::new(arguments.seeds.start), AtomicU64::new(0), AtomicU64::new(0));
    let start = Instant::now();
    thread::scope(|scope| {
        for _ in 0..arguments.jobs {
            scope.spawn(|| {
                let mut checker = Checker::new(&chip, &options);
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= arguments.seeds.end {
                        break;
                    }
                    match checker.check(&generate::kernel(seed)) {
                        Ok(taken) => {
                            cycles.fetch_add(taken, Ordering::Relaxed);
                        }
                        Err(error) => {
                            println!("{error}\n");
                            wrong.fetch_add(1, Ordering::Relaxed);
                            // What a kernel that went wrong leaves behind is not the next one's.
                            checker = Checker::new(&chip, &options);
                        }
                    }
                    if seed % 1000 == 999 {
                        eprintln!("seed {seed}, {:.0} s", start.elapsed().as_secs_f64());
                    }
                }
            });
        }
    });
    let (wrong, cycles) = (wrong.into_inner(), cycles.into_inner());
    let Range { start: from, end: to } = arguments.seeds;
    println!(
        "{} kernels (seeds {from}..{to}) on {}, {cycles} cycles, {:.0} s: {wrong} wrong",
        to - from,
        chip.config().name,
        start.elapsed().as_secs_f64()
    );
    if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
