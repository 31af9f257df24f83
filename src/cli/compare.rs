//! `warpmesh compare`: several chips, the same kernels, side by side.

use super::{
    Failure,
    chip_args::ChipArgs,
    engine_args::EngineArgs,
    print::print,
    progress::Progress,
    run::{failure, kernel_launch},
};
use crate::{
    chip::{Chip, Limits, run},
    program::kernels,
    report::{Comparison, RunReport, Verdict},
};
use clap::Args;
use std::path::PathBuf;

/// Runs kernels on several chips and prints speedup, area, power and throughput per area against the first.
#[derive(Args, Debug)]
pub struct Compare {
    /// Configuration files, or names of shipped ones (see `warpmesh list`); the first is what the others are compared with.
    #[arg(value_name = "CONFIG", required = true)]
    configs: Vec<PathBuf>,
    /// Overrides one value of every configuration, e.g. `-P network.vcs=8`. Repeatable; the last one wins.
    #[arg(short = 'P', long = "param", value_name = "PATH=VALUE")]
    overrides: Vec<String>,
    /// Kernels to run, with commas between; without it, all that come with the program.
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    kernel: Vec<String>,
    /// Elements, matrix rows or graph nodes of every kernel; without it, each kernel's own.
    #[arg(long, value_name = "N")]
    size: Option<u32>,
    /// Seed of random input data.
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    engine: EngineArgs,
    /// Stop a kernel after this many cycles.
    #[arg(long, value_name = "N", default_value_t = 10_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    max_cycles: u64,
    /// Print one JSON object instead of a table.
    #[arg(long)]
    json: bool,
    /// Print a table with commas between instead.
    #[arg(long, conflicts_with = "json")]
    csv: bool,
}

impl Compare {
    /// Runs the command.
    pub fn run(&self) -> Result<(), Failure> {
        let chosen = ChipArgs::each(&self.configs, &self.overrides);
        let chips = chosen.iter().map(ChipArgs::chip).collect::<Result<Vec<_>, _>>()?;
        let all = kernels::ALL.iter().map(|kernel| kernel.name.to_string()).collect();
        let names: Vec<String> = if self.kernel.is_empty() { all } else { self.kernel.clone() };
        let mut columns = vec![];
        for (args, chip) in chosen.iter().zip(&chips) {
            let reports = names.iter().map(|name| self.report(chip, name)).collect::<Result<Vec<_>, _>>()?;
            columns.push((args.describe(), reports));
        }
        let comparison = Comparison::new(&columns);
        print(&match (self.json, self.csv) {
            (true, _) => comparison.json(),
            (_, true) => comparison.csv(),
            _ => comparison.to_string().trim_end().to_string(),
        })
    }

    /// One kernel on one chip, verified.
    fn report(&self, chip: &Chip, name: &str) -> Result<RunReport, Failure> {
        let launch = kernel_launch(name, self.size, self.seed, &chip.target())?;
        let options = self.engine.options();
        let limits = Limits { max_cycles: self.max_cycles, ..Limits::default() };
        let config = &chip.config().name;
        let mut progress = Progress::new();
        let report = progress.preparing(|progress| {
            run(chip, &launch, &options, limits, self.seed, |_, cycle| {
                progress.cycle(cycle, || format!("{name} on {config}: "));
                Ok(())
            })
        });
        progress.finish();
        let report = report.map_err(failure)?;
        match report.verdict {
            Verdict::Completed if report.succeeded() => Ok(report),
            Verdict::Completed => Err(Failure::new(1, format!("{name} on {config} gives a wrong result"))),
            _ => Err(Failure::new(3, format!("{name} on {config} did not end"))),
        }
    }
}
