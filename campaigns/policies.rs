//! All combinations of warp scheduler, throttle and prefetcher run kernels in a small chip:
//! `cargo campaign policies`. Each verifies the memory that it leaves, and reports are equal on two engines. The
//! first difference ends it. `tests/chip/drawn_policies.rs` runs each policy once.
//!
//! `cargo campaign policies --speed`: what each unit costs in simulation speed, on the four cores of
//! `small-kim-ch2`.

use clap::Args;
use policies::{KERNELS, Policies, verify};
use std::{path::Path, process::ExitCode, time::Instant};
use testkit::{clock, policies};
use warpmesh::{
    chip::{Chip, load},
    core::{Prefetcher, Throttle, WarpScheduler},
    host::{self, Limits},
    program::{kernels, launch::Launch},
    report::Verdict,
    sim::{Engine, Options},
};

/// Runs kernels on chips with all combinations of policies.
#[derive(Args)]
pub struct Arguments {
    /// Warp schedulers; all without any.
    #[arg(value_parser = scheduler)]
    schedulers: Vec<WarpScheduler>,
    /// Measures what each unit costs in simulation speed instead.
    #[arg(long, conflicts_with = "schedulers")]
    speed: bool,
}

/// By its name.
fn scheduler(name: &str) -> Result<WarpScheduler, String> {
    let named = WarpScheduler::ALL.into_iter().find(|scheduler| scheduler.name() == name);
    named.ok_or_else(|| format!("one of {}", WarpScheduler::ALL.map(|scheduler| scheduler.name()).join(", ")))
}

/// Panics at the first wrong result.
pub fn run(arguments: Arguments) -> ExitCode {
    let Arguments { schedulers, speed: measures } = arguments;
    if measures {
        speed();
        return ExitCode::SUCCESS;
    }
    let chosen = |scheduler: &WarpScheduler| schedulers.is_empty() || schedulers.contains(scheduler);
    let mut at = 0;
    for scheduler in WarpScheduler::ALL.into_iter().filter(chosen) {
        let start = Instant::now();
        let before = at;
        for throttle in Throttle::ALL {
            for prefetcher in Prefetcher::ALL {
                let other = [Engine::Sliced, Engine::Vector][at % 2];
                let kernels = [KERNELS[at % KERNELS.len()], KERNELS[(at + 3) % KERNELS.len()]];
                for kernel in kernels {
                    verify(Policies { scheduler, throttle, prefetcher }, kernel, &[Engine::Word, other]);
                }
                at += 1;
            }
        }
        println!(
            "{:<14} {} chips, 2 kernels each, equal, {:.0} s",
            scheduler.name(),
            at - before,
            start.elapsed().as_secs_f64()
        );
    }
    ExitCode::SUCCESS
}

/// Turns of each chip, after one that compiles its code.
const TURNS: usize = 5;

/// Core cycles a second of processor time with each unit, over those of greedy-then-oldest alone: medians of alternated
/// turns.
fn speed() {
    let alone = |key: &str, names: Vec<&'static str>| {
        names.into_iter().map(|name| (name, vec![format!("{key}={name}")])).collect::<Vec<_>>()
    };
    let chips: Vec<_> = [
        vec![("gto", vec![])],
        alone("core.scheduler", vec!["laws", "2lev-gtlr-g"]),
        alone(
            "core.throttle.kind",
            Throttle::ALL.iter().map(|kind| kind.name()).filter(|name| *name != "none").collect(),
        ),
        alone(
            "core.prefetch.kind",
            Prefetcher::ALL.iter().map(|kind| kind.name()).filter(|name| *name != "none").collect(),
        ),
    ]
    .concat();
    for (kernel, size) in [("matmul", 64), ("gather", 3000)] {
        let builtin = kernels::find(kernel).expect("a kernel of the project");
        let prepared: Vec<_> = (chips.iter())
            .map(|(name, overrides)| {
                let chip =
                    load(Some(Path::new("small-kim-ch2.toml")), overrides).unwrap_or_else(|e| panic!("{name}: {e}"));
                let launch = builtin.launch(Some(size), 1, &chip.target()).unwrap_or_else(|e| panic!("{kernel}: {e}"));
                turn(&chip, &launch);
                (*name, chip, launch, vec![])
            })
            .collect();
        let mut chips = prepared;
        for round in 0..TURNS {
            let places = chips.len();
            for at in 0..places {
                let (_, chip, launch, turns) = &mut chips[(at + round) % places];
                turns.push(turn(chip, launch));
            }
        }
        let medians: Vec<_> = (chips.iter_mut())
            .map(|(name, _, _, turns)| {
                turns.sort_by(f64::total_cmp);
                (*name, turns[TURNS / 2])
            })
            .collect();
        for (name, median) in &medians {
            println!("{kernel:<8} {name:<14} {:>6.0} cycles a second, {:.2}", median, median / medians[0].1);
        }
    }
}

/// Core cycles a second of processor time; preparation, which the code cache makes short, is in it.
fn turn(chip: &Chip, launch: &Launch) -> f64 {
    let options = Options { engine: Engine::Word, threads: 1, ..Options::default() };
    let limits = Limits { max_cycles: 10_000_000, watchdog: 10_000, ..Limits::default() };
    let start = clock::process_time();
    let report = host::run(chip, launch, &options, limits, 1, |_, _| Ok(())).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!((report.verdict, report.verified), (Verdict::Completed, Some(true)));
    report.core_cycles as f64 / (clock::process_time() - start).as_secs_f64()
}
