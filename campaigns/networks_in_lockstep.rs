//! Whole networks in step with their Verilog in Verilator: `cargo campaign networks-in-lockstep` builds a 6 x 6 network of
//! each organisation and one of each topology, loads it with reads and writes through its injectors, and compares every
//! output of every router and injector in every cycle. It prints a line for each and fails when one is unequal. Words
//! choose those whose names contain one, `--cycles` sets how long it is loaded.
//! `tests/noc/networks/organisations_in_lockstep.rs` does so with smaller networks.

use clap::Args;
use organisations::{six_by_six, topologies, traffic};
use std::{process::ExitCode, time::Instant};
use testkit::{organisations, watch};
use watch::Watched;

/// Runs networks beside their Verilog.
#[derive(Args)]
pub struct Arguments {
    /// Networks whose names contain one of these; without any: all.
    names: Vec<String>,
    /// Cycles of load; the network runs empty after them.
    #[arg(long, default_value_t = 3000)]
    cycles: u64,
}

/// Prints a line for each.
pub fn run(arguments: Arguments) -> ExitCode {
    let Arguments { names, cycles } = arguments;
    let chosen = |name: &str| names.is_empty() || names.iter().any(|chosen| name.contains(chosen.as_str()));
    println!(
        "{:<44} {:>6} {:>9} {:>8} {:>8} {:>7} {:>7}",
        "", "cycles", "bits each", "moved", "packets", "model", "run"
    );
    let (mut unequal, mut networks) = (0, 0);
    for (name, network, load) in six_by_six().into_iter().chain(topologies()).filter(|(name, ..)| chosen(name)) {
        networks += 1;
        let start = Instant::now();
        let mut watched = match Watched::in_lockstep(&network, &traffic()) {
            Ok(watched) => watched,
            Err(error) => {
                unequal += 1;
                let said = error.to_string();
                println!("{name:<44} no model: {}", said.lines().next().unwrap_or_default());
                eprintln!("{name}: {said}");
                continue;
            }
        };
        let built = start.elapsed().as_secs_f64();
        watched.run(load, cycles, 1);
        let (packets, rest) = (watched.arrived, watched.is_at_rest());
        let verdict = match (watched.agreement(), rest) {
            (Err(error), _) => Err(error.to_string()),
            (_, Err(left)) => Err(left),
            (Ok(agreement), Ok(_)) => Ok(agreement),
        };
        match verdict {
            Ok(agreement) => {
                let moved = agreement.moved.len() as f64 / (agreement.moved.len() + agreement.still.len()) as f64;
                let (built, run) = (format!("{built:.0} s"), start.elapsed().as_secs_f64() - built);
                println!(
                    "{name:<44} {:>6} {:>9} {:>6.1} % {packets:>8} {built:>7} {run:>5.0} s  equal",
                    agreement.cycles,
                    agreement.output_bits,
                    100.0 * moved
                );
            }
            Err(error) => {
                unequal += 1;
                println!("{name:<44} {error}");
            }
        }
    }
    if networks == 0 {
        eprintln!("no network has one of these in its name: {}", names.join(" "));
    }
    if unequal > 0 || networks == 0 { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}
