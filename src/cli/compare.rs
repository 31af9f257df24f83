//! `warpmesh compare`: several chips, the same kernels, side by side.
//!
//! ```text
//!  CONFIG + CONFIG, --kernel ──> text of a study file ──> study_runs ──> reports ──> ChipComparison
//! ```

use super::{
    Failure,
    area::refuse_matrix,
    chip_args::ChipArgs,
    chip_groups::ChipGroups,
    choice::choice,
    engine_args::EngineArgs,
    interrupt,
    monitor_args::{self, MonitorArgs},
    print::print,
    program_digests::ProgramDigests,
    progress::Terminal,
    record::{self, StudyRecording},
    renamed::renamed_knob,
    run::kernel_launch,
    study_process::{EndedRun, RunFailure},
    study_runs::{StudyEnd, StudyRuns},
    study_text::{kernel_table, quoted, quoted_list},
};
use clap::Args;
use common::short::shortened;
use measure::{
    area::{ChipArea, CrossbarModel, Layout, Technology, chip::beyond_matrix},
    host::residency,
    record::Origin,
    report::{ChipComparison, MemoryChecks, RunReport, UnfinishedChip, fixed_cores},
    study::Study as StudyFile,
};
use program::kernels::{self, Setting};
use rtl::chip::Chip;
use std::{
    collections::{BTreeMap, btree_map::Entry},
    path::{Path, PathBuf},
};
use tracing::warn;

/// Runs kernels on several chips and prints speedup, area, power and throughput per area relative to the first.
///
/// It is a study of which each run is a process; its reports are kept like those of `study`, in the same folder: what was stopped goes on where
/// it was.
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
    /// How crossbars are counted in mm^2; without it, `matrix` where all routers of all chips are in the range of its formula, otherwise `mux`.
    #[arg(long, value_name = "MODEL", value_parser = choice(CrossbarModel::ALL, CrossbarModel::name, |model| model.about().into()))]
    crossbar: Option<CrossbarModel>,
    /// Print one JSON object instead of a table.
    #[arg(long)]
    json: bool,
    /// Print a table with commas between instead.
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    /// Runs at a time; without it, as many as there are processors.
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,
    /// Folder in which the reports of runs are kept, as those of `study`.
    #[arg(long, value_name = "DIR", default_value = "study-results")]
    out: PathBuf,
    /// Also write a record to this new folder, as that of `study`.
    #[arg(long, value_name = "DIR", value_hint = clap::ValueHint::DirPath)]
    record: Option<PathBuf>,
    /// Replace an earlier record.
    #[arg(long, requires = "record")]
    force: bool,
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
        chips.iter().try_for_each(|(name, chip)| refuse_matrix(self.crossbar, (name, chip), Layout::Tile))?;
        let beyond = chips.iter().any(|(_, chip)| beyond_matrix(chip, Layout::Tile).is_some());
        // All by one model: areas by two cannot be compared.
        let crossbar = self.crossbar.or(beyond.then_some(CrossbarModel::Mux));
        self.check(&chips, &names)?;
        let study = StudyFile::parse(&self.text(&chosen, &names), "compare", None);
        let study = study.map_err(|mistake| Failure::input(*mistake))?;
        let monitor = self.monitor.start()?;
        let runs = StudyRuns {
            study: &study,
            folder: Path::new(""),
            out: &self.out,
            at_a_time: self.jobs,
            only_kept: false,
            engine: Some(&self.engine),
            programs: &ProgramDigests::default(),
            monitor: monitor.as_ref(),
        };
        let recording = StudyRecording::begin((self.record.as_deref(), self.force), &runs, None, false)?;
        let ran = runs.run(terminal);
        monitor_args::end(monitor.as_ref(), &ran);
        let mut end = ran?;
        let recorded = recording.map_or(Ok(()), |recording| recording.end(&end));
        let (mut columns, mut unfinished, mut failures) = (vec![], vec![], vec![]);
        for (at, (config, chip)) in chips.iter().enumerate() {
            let mut reports = vec![];
            let of_chip = names.iter().zip(at * names.len()..);
            let area = ChipArea::new(chip, Layout::Tile, &Technology::NM65.with_crossbars(crossbar));
            let stopped = of_chip.into_iter().find_map(|(kernel, run)| {
                report(&mut end, run, kernel, &chip.config().name).map_or_else(Some, |report| {
                    reports.push(report);
                    None
                })
            });
            match stopped {
                None => columns.push((config.clone(), area, reports)),
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
            let verdict = match (end.interrupted, failures.is_empty()) {
                (true, _) => "INTERRUPTED: the chips that are done",
                (_, true) => "completed",
                _ => "ended: some chips have no result",
            };
            monitor.end(verdict.into(), text);
        }
        let interrupted = if end.interrupted { Err(Failure::said(interrupt::CODE)) } else { Ok(()) };
        Failure::first_of([interrupted, printed].into_iter().chain(failures).chain([recorded]))
    }

    /// The study that this comparison is.
    fn text(&self, chips: &[ChipArgs], kernels: &[String]) -> String {
        let title = chips.iter().map(ChipArgs::describe).collect::<Vec<_>>().join(", ");
        let mut text = format!("title = {}\nmean = \"harmonic\"\nseed = {}\n", quoted(&title), self.seed);
        text += &format!("max_cycles = {}\nmemory_checks = {}\n", self.max_cycles, !self.no_memory_checks);
        for chip in chips {
            text += &format!("\n[[design]]\nname = {}\n", quoted(&chip.describe()));
            chip.config()
                .iter()
                .for_each(|file| text += &format!("config = {}\n", quoted(&file.display().to_string())));
            text += &format!("overrides = {}\n", quoted_list(chip.overrides()));
        }
        kernels.iter().for_each(|kernel| text += &(kernel_table(kernel, self.size, &self.kernel_params) + "\n"));
        text
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
}

/// Why a kernel has no result: in the comparison, and as a failure of the command.
struct Stopped {
    reason: String,
    failure: Failure,
}

/// The verified report of a kernel on a chip, which is run number `at`.
fn report(end: &mut StudyEnd, at: usize, name: &str, config: &str) -> Result<RunReport, Stopped> {
    let stopped = |reason: &str, failure| Stopped { reason: format!("{name}: {reason}"), failure };
    if let Some(report) = end.reports[at].take() {
        let report = serde_json::from_value::<RunReport>(report).map_err(|error| {
            stopped("has a report that cannot be read", Failure::new(4, format!("{name} on {config}: {error}")))
        })?;
        if let MemoryChecks::NotCompleted { reason } = &report.memory_checks {
            warn!("{name} on {config}: checks on memory were not completed: {reason}");
        }
        return Ok(report);
    }
    let failed = end.failed.iter().position(|(run, _)| *run == at).map(|place| end.failed.swap_remove(place).1);
    let EndedRun { code, report, failure, said } = match failed {
        None => return Err(stopped("interrupted", Failure::said(interrupt::CODE))),
        Some(RunFailure::Ended(run)) => *run,
        Some(RunFailure::Killed(reason)) => {
            return Err(stopped(&reason, Failure::new(4, format!("{name} on {config}: {reason}"))));
        }
        Some(RunFailure::Unwritten(reason)) => return Err(stopped("is not kept", Failure::new(2, reason))),
    };
    let read = |report| serde_json::from_value::<RunReport>(report).ok();
    if let Some(reason) = report.and_then(read).and_then(|report| report.why_no_result()) {
        let failure = match code {
            interrupt::CODE => Failure::said(code),
            _ => Failure::new(code, format!("{name} on {config} {reason}")),
        };
        return Err(stopped(reason, failure));
    }
    let reports = failure.map(|failure| failure.reports).unwrap_or_default();
    let told = reports.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
    let told = if told.is_empty() { said } else { told };
    let message = format!("{name} on {config}: {told}");
    let help = reports.iter().find_map(|report| report.help().map(|help| help.to_string()));
    let report = match help {
        Some(help) => miette::miette!(help = help, "{message}"),
        None => miette::miette!("{message}"),
    };
    Err(stopped(told.lines().next().unwrap_or_default(), Failure { code, reports: vec![report] }))
}
