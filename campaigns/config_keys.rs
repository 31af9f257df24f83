//! Any number of random configurations with a random key changed: `cargo campaign config-keys --seeds 0..1000`.
//! Fails if a change makes the same chip and nothing is said, or if it is said that a key has no effect and it has one.

use crate::seeds::{self, Tally};
use clap::Args;
use config_keys::{Outcome, change};
use std::{collections::BTreeMap, ops::Range, panic, process::ExitCode, sync::Mutex};
use testkit::config_keys;

/// Changes keys of random configurations.
#[derive(Args)]
pub struct Arguments {
    /// From the first seed up to, not including, the second.
    #[arg(long, default_value = "0..1000", value_parser = seeds::range)]
    seeds: Range<u64>,
    /// Configurations at the same time.
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u64).range(1..=64))]
    jobs: u64,
}

pub fn run(arguments: Arguments) -> ExitCode {
    let Arguments { seeds, jobs } = arguments;
    let outcomes = Mutex::new(BTreeMap::<&str, u64>::new());
    let Tally { wrong, counted, seconds } = seeds::run(
        &seeds,
        jobs,
        100,
        || (),
        |(), seed| {
            let found = panic::catch_unwind(|| change(seed))
                .unwrap_or_else(|_| Err(format!("seed {seed}: a panic, see above")));
            let (change, outcome) = found.map_err(|said| format!("seed {seed}: {said}"))?;
            let name = match outcome {
                Outcome::Changed => "another chip",
                Outcome::SameArea => "another chip of the same area",
                Outcome::Idle => "said to have no effect",
                Outcome::Refused => "refused for another reason",
                Outcome::Saturated => "said to be beyond what changes anything",
                Outcome::Meant => "another name of the same value",
                Outcome::Silent => "the same chip, without a word",
            };
            *outcomes.lock().expect("nothing panics here").entry(name).or_default() += 1;
            match outcome {
                Outcome::Silent => Err(format!("seed {seed}: the same chip, without a word: {change}")),
                Outcome::SameArea => Err(format!("seed {seed}: the same area: {change}")),
                _ => Ok(1),
            }
        },
    );
    let (count, Range { start, end }) = (seeds.end - seeds.start, seeds);
    println!("{count} changes (seeds {start}..{end}), {seconds:.0} s: {counted} right, {wrong} wrong");
    for (name, count) in outcomes.into_inner().expect("nothing panics there") {
        println!("  {count:>6} {name}");
    }
    if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
