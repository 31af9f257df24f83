//! The designs of the thesis by their kernels: `cargo campaign designs` runs every kernel on every config that is
//! a network of the thesis, verifies each, and prints cycles against the baseline: figures 6.1 to 6.10 with this
//! project's kernels. Before that, the routers of all of them are shown to Verilator.

use clap::Args;
use std::{path::Path, process::ExitCode, time::Instant};
use testkit::design_routers;
use warpmesh::{
    chip::{self, Chip, EMBEDDED},
    host::{self, Limits},
    program::kernels,
    report::Verdict,
    sim::Options,
};

const BASELINE: &str = "baseline-tb-dor";

/// Runs every kernel on every design.
#[derive(Args)]
pub struct Arguments {
    /// Configurations; all networks of the thesis without any. The baseline always runs.
    names: Vec<String>,
    /// The kernels' default sizes times this.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    scale: u32,
}

/// Verifies and measures; panics at the first wrong result.
pub fn run(arguments: Arguments) -> ExitCode {
    let Arguments { names, scale } = arguments;
    let all = EMBEDDED.iter().map(|(file, _)| file.trim_end_matches(".toml"));
    let chosen = |name: &&str| names.is_empty() || names.iter().any(|chosen| chosen == name);
    let designs = all.filter(|name| ![BASELINE, "default", "small"].contains(name)).filter(chosen);

    let chips = designs.clone().map(|name| (name, load(name))).filter(|(_, chip)| !chip.is_ideal());
    println!(
        "{} different routers and interfaces are clean in Verilator",
        design_routers::lint_routers(chips, usize::MAX)
    );
    println!("speedup over {BASELINE} in cycles, sizes x {scale}");
    let head: String = kernels::ALL.iter().map(|kernel| format!(" {:>10}", kernel.name)).collect();
    println!("{:<22}{head} {:>10}", "", "harm. mean");
    let start = Instant::now();
    let baseline = cycles(BASELINE, scale);
    let text: String = baseline.iter().map(|cycles| format!(" {cycles:>10}")).collect();
    println!("{:<22}{text}", format!("{BASELINE}, cycles"));
    for name in designs {
        let speedups: Vec<_> = baseline.iter().zip(cycles(name, scale)).map(|(b, c)| *b as f64 / c as f64).collect();
        let text: String = speedups.iter().map(|speedup| format!(" {speedup:>10.3}")).collect();
        let mean = speedups.len() as f64 / speedups.iter().map(|speedup| 1.0 / speedup).sum::<f64>();
        println!("{name:<22}{text} {mean:>10.3}");
    }
    println!("{:.0} s", start.elapsed().as_secs_f64());
    ExitCode::SUCCESS
}

fn load(name: &str) -> Chip {
    chip::load(Some(Path::new(&format!("{name}.toml"))), &[]).unwrap_or_else(|e| panic!("{name}: {e}"))
}

/// Core cycles of every kernel.
fn cycles(name: &str, scale: u32) -> Vec<u64> {
    let chip = load(name);
    kernels::ALL.iter().map(|kernel| cycles_of(name, &chip, kernel, scale)).collect()
}

fn cycles_of(name: &str, chip: &Chip, kernel: &'static kernels::Builtin, scale: u32) -> u64 {
    let size = (kernel.default_size * scale).min(kernel.max_size);
    let launch = kernel.launch(Some(size), 1, &chip.target()).unwrap_or_else(|e| panic!("{}: {e}", kernel.name));
    let limits = Limits { max_cycles: 10_000_000, watchdog: 10_000, ..Limits::default() };
    let report = host::run(chip, &launch, &Options::default(), limits, 1, |_, _| Ok(()));
    let report = report.unwrap_or_else(|e| panic!("{name}, {}: {e}", kernel.name));
    assert_eq!((report.verdict, report.verified), (Verdict::Completed, Some(true)), "{name}, {}", kernel.name);
    report.core_cycles
}
