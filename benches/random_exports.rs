//! Any number of random chips and blocks as Verilog, shown to Verilator, Icarus and Yosys:
//! `cargo bench --bench random_exports -- --seeds 0..500`. Prints what any of them says, with the seed and the configuration, and fails if one
//! has said anything.

#[path = "../tests/support/exports/mod.rs"]
mod exports;

use clap::Parser;
use exports::Drawn;
use std::{
    ops::Range,
    panic,
    process::ExitCode,
    sync::atomic::{AtomicU64, Ordering},
    thread,
    time::Instant,
};

/// Checks random exports: a chip and a block a seed.
#[derive(Parser)]
#[command(name = "random_exports")]
struct Arguments {
    /// From the first seed up to, not including, the second.
    #[arg(long, default_value = "0..200", value_parser = range)]
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
    /// Given by cargo.
    #[arg(long, hide = true)]
    bench: bool,
}

fn range(text: &str) -> Result<Range<u64>, String> {
    let bounds = text.split_once("..").and_then(|(from, to)| Some(from.parse().ok()?..to.parse().ok()?));
    bounds.filter(|range| !range.is_empty()).ok_or("two numbers: 0..200".into())
}

fn main() -> ExitCode {
    let Arguments { seeds, list, no_tools, jobs, .. } = Arguments::parse();
    if list {
        seeds.for_each(|seed| println!("{}\n{}\n", exports::chip(seed), exports::block(seed)));
        return ExitCode::SUCCESS;
    }
    let (next, wrong, lines) = (AtomicU64::new(seeds.start), AtomicU64::new(0), AtomicU64::new(0));
    let start = Instant::now();
    thread::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= seeds.end {
                        break;
                    }
                    for draw in [exports::chip, exports::block] {
                        match look(draw, seed, !no_tools) {
                            Ok(of_this) => drop(lines.fetch_add(of_this, Ordering::Relaxed)),
                            Err(said) => {
                                println!("{said}\n");
                                wrong.fetch_add(1, Ordering::Relaxed);
                            }
                        }
                    }
                    if seed % 50 == 49 {
                        eprintln!("seed {seed}, {:.0} s", start.elapsed().as_secs_f64());
                    }
                }
            });
        }
    });
    let (wrong, lines) = (wrong.into_inner(), lines.into_inner());
    let Range { start: from, end: to } = seeds;
    let (count, time) = (to - from, start.elapsed().as_secs_f64());
    println!("{count} chips and {count} blocks (seeds {from}..{to}), {lines} clean lines, {time:.0} s: {wrong} wrong");
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
