//! Any number of PTX, launch and run files with random mistakes: `cargo campaign mutations --seeds 0..100000`.
//!
//! Whatever the text is, it is refused or taken, soon and without a panic. What is taken and has data, the kernels that
//! come with the project and the run file `kernels/own/bfs.toml`, is executed: both engines of the emulator have to
//! agree on memory and mistakes, and the checks on memory, which compile the text once more, find a mistake where the
//! emulator does. Prints what went wrong, and fails if anything did.

use crate::seeds::{self, Tally};
use clap::Args;
use mutants::{TOML_SCRAPS, mutate, mutate_with};
use std::{
    ops::Range,
    panic::{AssertUnwindSafe, catch_unwind},
    path::Path,
    process::ExitCode,
    sync::atomic::{AtomicU64, Ordering},
    time::{Duration, Instant},
};
use testkit::mutants;
use warpmesh::program::{
    Launch, Target, compile,
    emulator::{EmulationError, Engine, run_warps},
    kernels, launch_file,
    memcheck::{self, MemoryCheck},
    random::Random,
    run_file, survey,
};

/// Compiles and runs texts with random mistakes.
#[derive(Args)]
pub struct Arguments {
    /// From the first seed up to, not including, the second.
    #[arg(long, default_value = "0..3000", value_parser = seeds::range)]
    seeds: Range<u64>,
    /// Mutants at the same time.
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u64).range(1..=64))]
    jobs: u64,
}

/// Thread instructions of a mutant before it is left alone.
const LIMIT: u64 = 1 << 21;
/// A text takes at most so long to be read.
const PATIENCE: Duration = Duration::from_secs(30);

/// What became of mutants: refused, taken and not run, run to the end, ended by a mistake, left alone.
static COUNTS: [AtomicU64; 5] = [const { AtomicU64::new(0) }; 5];
const REFUSED: usize = 0;
const TAKEN: usize = 1;
const ENDED: usize = 2;
const MISTAKEN: usize = 3;
const LEFT: usize = 4;

pub fn run(arguments: Arguments) -> ExitCode {
    let Arguments { seeds, jobs } = arguments;
    let Tally { wrong, counted, seconds } = seeds::run(
        &seeds,
        jobs,
        10_000,
        || (),
        |(), seed| {
            let start = Instant::now();
            let outcome = catch_unwind(AssertUnwindSafe(|| mutant(seed)));
            let outcome = outcome.unwrap_or_else(|_| Err("panicked".into()));
            let slow = start.elapsed() > PATIENCE;
            match outcome {
                Ok(_) if slow => Err(format!("seed {seed}: took {:.0} s", start.elapsed().as_secs_f64())),
                Ok(became) => {
                    COUNTS[became].fetch_add(1, Ordering::Relaxed);
                    Ok(1)
                }
                Err(said) => Err(format!("seed {seed}: {said}")),
            }
        },
    );
    let [refused, taken, ended, mistaken, left] = COUNTS.each_ref().map(|count| count.load(Ordering::Relaxed));
    println!(
        "{counted} mutants (seeds {}..{}), {seconds:.0} s: {refused} refused, {taken} taken and without data, {ended} ran to their end, \
         {mistaken} were stopped by a mistake, {left} ran too long; {wrong} wrong",
        seeds.start, seeds.end
    );
    if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// What becomes of one.
fn mutant(seed: u64) -> Result<usize, String> {
    let mut random = Random::new(seed);
    match seed % 8 {
        0 => run_file_of(&mut random),
        1 => launch_file_of(&mut random),
        2 => features(&mut random),
        _ => kernel(&mut random),
    }
}

/// A kernel that comes with the project, with its data.
fn kernel(random: &mut Random) -> Result<usize, String> {
    let kernel = &kernels::ALL[random.below(kernels::ALL.len() as u64) as usize];
    let text = mutate(kernel.ptx, random);
    let target = Target {
        registers: [64, 64, 20][random.below(3) as usize],
        double: true,
        special: random.below(2) == 1,
        ..Target::default()
    };
    // The data first: whether this size fits does not depend on the text.
    let Ok(mut launch) = kernel.launch(Some(64), 1, &Target { registers: 64, ..target }) else {
        return Err(format!("kernel {} does not compile as it is", kernel.name));
    };
    let Ok(compiled) = compile(&text, "mutant.ptx", Some(kernel.name), &target) else { return Ok(REFUSED) };
    launch.kernel = compiled;
    launch.checks.clear();
    if launch.validate().is_err() {
        return Ok(REFUSED);
    }
    executed(&launch).map_err(|said| format!("{said}\n{text}"))
}

/// Both engines agree, and the checks find what is out of place.
fn executed(launch: &Launch) -> Result<usize, String> {
    let [expected, found] = [Engine::Interpreter, Engine::Compiled].map(|engine| run_warps(launch, LIMIT, engine));
    if expected != found {
        return Err("the engines of the emulator differ".into());
    }
    match (&expected, memcheck::check(launch, &AtomicU64::new(LIMIT))) {
        (Ok(_), _) => Ok(ENDED),
        (Err(EmulationError::Limit { .. }), _) => Ok(LEFT),
        (Err(error), MemoryCheck::Passed { .. }) => Err(format!("the emulator says {error}, the checks find nothing")),
        (Err(_), _) => Ok(MISTAKEN),
    }
}

/// PTX with every feature; it has no data.
fn features(random: &mut Random) -> Result<usize, String> {
    let text = mutate(include_str!("../tests/testkit/data/features.ptx"), random);
    let surveyed = survey(&text, "mutant.ptx", &Target { double: true, ..Target::default() });
    Ok(if surveyed.is_ok_and(|kernels| kernels.iter().any(|kernel| kernel.outcome.is_ok())) { TAKEN } else { REFUSED })
}

fn own() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/kernels/own"))
}

fn launch_file_of(random: &mut Random) -> Result<usize, String> {
    let text = mutate_with(include_str!("../kernels/own/polynomial.toml"), &TOML_SCRAPS, random);
    let launch = launch_file::parse(&text, "mutant.toml", own(), 1, &Target::default());
    let Ok(launch) = launch else { return Ok(REFUSED) };
    let blocks: u64 = launch.grid.iter().map(|&n| u64::from(n)).product();
    if blocks > 1 << 12 {
        return Ok(LEFT);
    }
    executed(&launch).map_err(|said| format!("{said}\n{text}"))
}

fn run_file_of(random: &mut Random) -> Result<usize, String> {
    let text = mutate_with(include_str!("../kernels/own/bfs.toml"), &TOML_SCRAPS, random);
    if !run_file::is_run_file(&text) {
        return Ok(REFUSED);
    }
    let file = run_file::parse(&text, "mutant.toml", own(), 1, &Target::default());
    Ok(if file.is_ok() { TAKEN } else { REFUSED })
}
