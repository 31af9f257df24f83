//! `warpmesh compare`: several chips, the same kernels, side by side.

use super::{
    Failure,
    chip_args::ChipArgs,
    chip_groups::ChipGroups,
    engine_args::EngineArgs,
    interrupt::{self, Interrupt},
    monitor_args::MonitorArgs,
    print::print,
    progress::{Progress, Terminal},
    record,
    renamed::renamed_knob,
    run::{failure, kernel_launch},
};
use clap::Args;
use common::short::shortened;
use measure::{
    host::{Limits, residency, run_with},
    monitor::Monitor,
    record::Origin,
    report::{ChipComparison, MemoryChecks, RunReport, UnfinishedChip, Verdict, fixed_cores},
};
use program::kernels::{self, Setting};
use rtl::chip::Chip;
use sim::SimError;
use std::collections::{BTreeMap, btree_map::Entry};
use tracing::{info, warn};

/// Runs kernels on several chips and prints speedup, area, power and throughput per area relative to the first.
#[derive(Args, Debug)]
pub struct Compare {
    #[command(flatten)]
    chips: ChipGroups,
    /// Kernels to run, with commas between; without it, all that come with the program.
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    kernel: Vec<String>,
    /// Elements, matrix rows or graph nodes of every kernel; without it, each kernel's own.
    #[arg(long, value_name = "N")]
    size: Option<u32>,
    /// Sets a parameter that the kernels have (see `warpmesh list kernel-params`). May be given several times.
    #[arg(long = "kernel-param", value_name = "PARAM=N")]
    kernel_params: Vec<Setting>,
    #[arg(long = "knob", hide = true, value_parser = renamed_knob)]
    _knob: Option<Setting>,
    /// Seed of random input data.
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    engine: EngineArgs,
    /// Stop a kernel after this many cycles.
    #[arg(long, value_name = "N", default_value_t = 10_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    max_cycles: u64,
    /// Run kernels also when they leave their buffers, are misaligned or use another block's shared memory.
    #[arg(long)]
    no_memory_checks: bool,
    /// Print one JSON object instead of a table.
    #[arg(long)]
    json: bool,
    /// Print a table with commas between instead.
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    #[command(flatten)]
    monitor: MonitorArgs,
}

impl Compare {
    /// Runs the command.
    pub fn run(&self, terminal: Terminal) -> Result<(), Failure> {
        if self.chips.is_empty() {
            return Err(Failure::input_message(
                "there is nothing to compare",
                "name configurations; the first is what the others are compared with",
            ));
        }
        let chosen: Vec<_> = self.chips.chips()?.into_iter().map(|(chip, _)| chip).collect();
        let chips = chosen.iter().map(ChipArgs::chip).collect::<Result<Vec<_>, _>>()?;
        let all = kernels::ALL.iter().map(|kernel| kernel.name.to_string()).collect();
        let names: Vec<String> = if self.kernel.is_empty() { all } else { self.kernel.clone() };
        if let Some((_, twice)) = names.iter().enumerate().find(|(i, name)| names[..*i].contains(*name)) {
            let message = format!("kernel `{}` is listed twice", shortened(twice));
            return Err(Failure::input_message(message, "name each kernel once after --kernel"));
        }
        let chips: Vec<(String, Chip)> = chosen.iter().map(ChipArgs::describe).zip(chips).collect();
        self.check(&chips, &names)?;
        let monitor = self.monitor.start()?;
        let watchers = (terminal, monitor.as_ref());
        let interrupt = Interrupt::watch();
        let (mut columns, mut unfinished, mut failures) = (vec![], vec![], vec![]);
        for (config, chip) in &chips {
            let mut reports = vec![];
            let stopped = names.iter().find_map(|name| match self.report(chip, name, &interrupt, watchers) {
                Ok(report) => {
                    reports.push(report);
                    None
                }
                Err(problem) => Some(problem),
            });
            match stopped {
                None => columns.push((config.clone(), reports)),
                Some(Stopped { reason, failure }) => {
                    unfinished.push(UnfinishedChip::new(config.clone(), &reports, reason));
                    failures.push(Err(failure));
                }
            }
        }
        let mut comparison = ChipComparison::new(&columns, unfinished);
        let cores_differ = chips.windows(2).any(|pair| pair[0].1.config().core != pair[1].1.config().core);
        comparison.area_note = cores_differ.then(fixed_cores);
        let workload = |name: &String| record::of_kernel(name, self.size, &self.kernel_params, self.seed);
        let named = chips.iter().map(|(name, chip)| (name.clone(), chip));
        comparison.origin = Some(Origin::new(named, names.iter().map(workload).collect()));
        let text = match (self.json, self.csv) {
            (true, _) => comparison.json(),
            (_, true) => comparison.csv(),
            _ => comparison.to_string().trim().to_string(),
        };
        let printed = print(&text);
        if let Some(monitor) = monitor {
            let verdict = match (interrupt.is_asked(), failures.is_empty()) {
                (true, _) => "INTERRUPTED: the chips that are done",
                (_, true) => "completed",
                _ => "ended: some chips have no result",
            };
            monitor.end(verdict.into(), text);
        }
        let interrupted = if interrupt.is_asked() { Err(Failure::said(interrupt::CODE)) } else { Ok(()) };
        Failure::first_of([interrupted, printed].into_iter().chain(failures))
    }

    /// Whether there are these kernels, of this size, and whether they fit each chip: before anything runs.
    fn check(&self, chips: &[(String, Chip)], names: &[String]) -> Result<(), Failure> {
        let mut problems = vec![];
        for name in names {
            // The code of a kernel depends on the registers that there are.
            let mut launches = BTreeMap::new();
            for (config, chip) in chips {
                let target = chip.target();
                if let Entry::Vacant(missing) = launches.entry(target.registers) {
                    missing.insert(kernel_launch(name, (self.size, &self.kernel_params), self.seed, &target)?);
                }
                let fits = residency(chip, &launches[&target.registers]);
                problems.extend(fits.err().map(|error| Err(Failure::new(2, format!("{config}: {error}")))));
            }
        }
        Failure::first_of(problems)
    }

    /// One kernel on one chip, verified.
    fn report(
        &self,
        chip: &Chip,
        name: &str,
        interrupt: &Interrupt,
        (terminal, monitor): (Terminal, Option<&Monitor>),
    ) -> Result<RunReport, Stopped> {
        let config = &chip.config().name;
        let stopped = |reason: &str, failure| Stopped { reason: format!("{name}: {reason}"), failure };
        if interrupt.is_asked() {
            return Err(stopped("interrupted", Failure::said(interrupt::CODE)));
        }
        info!("`{name}` on `{config}`");
        let launch = kernel_launch(name, (self.size, &self.kernel_params), self.seed, &chip.target());
        let launch = launch.map_err(|failure| stopped("is not there", failure))?;
        let options = self.engine.options();
        let limits = Limits { max_cycles: self.max_cycles, ..Limits::default() };
        let mut progress = Progress::new(terminal).on_page(monitor);
        let checks = !self.no_memory_checks;
        let report = progress.preparing(|progress| {
            run_with(chip, &launch, &options, limits, self.seed, checks, |_, cycle| {
                progress.cycle(cycle, None, || format!("{name} on {config}"));
                if interrupt.is_asked() { Err(SimError::Interrupted) } else { Ok(()) }
            })
        });
        progress.finish();
        let report = report.map_err(|error| {
            let Failure { code, reports } = failure(error);
            let told: Vec<_> = reports.iter().map(ToString::to_string).collect();
            let told = told.join("\n");
            let message = format!("{name} on {config}: {told}");
            let help = reports.iter().find_map(|report| report.help().map(|help| help.to_string()));
            let report = match help {
                Some(help) => miette::miette!(help = help, "{message}"),
                None => miette::miette!("{message}"),
            };
            stopped(told.lines().next().unwrap_or_default(), Failure { code, reports: vec![report] })
        })?;
        if let MemoryChecks::NotCompleted { reason } = &report.memory_checks {
            warn!("{name} on {config}: checks on memory were not completed: {reason}");
        }
        let (reason, code) = match report.verdict {
            Verdict::Completed if report.succeeded() => return Ok(report),
            Verdict::Completed => ("gives a wrong result", 1),
            Verdict::CycleLimit => ("did not end: stopped at the cycle limit", 3),
            Verdict::TimeLimit => ("did not end: stopped at the time limit", 3),
            Verdict::Deadlocked => ("did not end: deadlocked", 3),
            Verdict::Interrupted => return Err(stopped("interrupted", Failure::said(interrupt::CODE))),
        };
        Err(stopped(reason, Failure::new(code, format!("{name} on {config} {reason}"))))
    }
}

/// Why a kernel has no result: in the comparison, and as a failure of the command.
struct Stopped {
    reason: String,
    failure: Failure,
}
