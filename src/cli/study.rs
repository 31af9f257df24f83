//! `warpmesh study`: kernels and traffic on several designs from a file, each run a process, and what was run before is not run again.

use super::{
    Failure,
    interrupt::{self, Interrupt},
    output::NewFile,
    print::print,
    progress::{Progress, Terminal},
    run::kernel_launch,
};
use clap::Args;
use measure::study::{KernelSpec, Outcome, Plan, PlannedRun, Study as StudyFile, StudyError, Workload};
use program::{Target, launch_file};
use rtl::chip::{self, Chip, EMBEDDED, to_toml};
use serde_json::Value;
use std::{
    collections::{BTreeMap, btree_map::Entry},
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};
use tempfile::NamedTempFile;
use tracing::info;

/// Runs the kernels and the traffic of a study file on its designs, several at a time, and prints ratios, means and claims.
///
/// The report of each run is kept in the output folder by a digest of the program, the configuration, the kernel and its data: a study that was
/// stopped goes on where it was, and one that has changed runs only what is new.
#[derive(Args, Debug)]
pub struct Study {
    /// The study file.
    #[arg(value_name = "FILE.toml")]
    file: PathBuf,
    /// Folder of the reports of runs, and of table, chart and JSON of this study.
    #[arg(long, value_name = "DIR", default_value = "study-results")]
    out: PathBuf,
    /// Runs at a time; without it, as many as there are processors.
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,
    /// Run nothing: print what was run before, and how much is missing.
    #[arg(long)]
    no_run: bool,
    /// Print one JSON object instead of a table.
    #[arg(long)]
    json: bool,
    /// Print lines with commas between instead.
    #[arg(long, conflicts_with = "json")]
    csv: bool,
}

/// A run, where its report is kept, and how it is called in messages.
struct Job<'a> {
    run: &'a PlannedRun,
    kept: PathBuf,
    title: String,
}

impl Study {
    /// Runs the command.
    pub fn run(&self, terminal: Terminal) -> Result<(), Failure> {
        let study = StudyFile::load(&self.file).map_err(|error| match error {
            StudyError::File(mistake) => Failure::input(*mistake),
            error => Failure::input(error),
        })?;
        let folder = self.file.parent().unwrap_or(Path::new(""));
        let is_shipped = |name: &str| {
            EMBEDDED.iter().any(|(file, _)| file.trim_end_matches(".toml") == name.trim_end_matches(".toml"))
        };
        let plan = Plan::new(&study, folder, is_shipped);
        let jobs = self.jobs(&study, &plan, folder)?;
        let interrupt = Interrupt::watch();
        let failures = if self.no_run { vec![] } else { self.run_missing(&study, &jobs, &interrupt, terminal)? };
        let reports: Vec<_> = jobs.iter().map(|job| kept(&job.kept)).collect();
        let missing = reports.iter().filter(|report| report.is_none()).count();
        let outcome = Outcome::new(&study, &plan, &reports, failures);
        self.write(&outcome)?;
        let printed = print(&match (self.json, self.csv) {
            (true, _) => outcome.json(),
            (_, true) => outcome.csv().trim_end().to_string(),
            _ => outcome.to_string().trim_end().to_string(),
        });
        let stopped = if interrupt.is_asked() { Err(Failure::said(interrupt::CODE)) } else { Ok(()) };
        let complete = match missing {
            0 => Ok(()),
            _ if self.no_run || interrupt.is_asked() => {
                info!("{missing} of {} runs are missing: the same command goes on with them", jobs.len());
                Ok(())
            }
            _ => Err(Failure::new(1, format!("{missing} of {} runs have no result", jobs.len()))),
        };
        Failure::first_of([stopped, printed, complete])
    }

    /// Every run, with its chip and kernel checked before anything runs.
    fn jobs<'a>(&self, study: &StudyFile, plan: &'a Plan, folder: &Path) -> Result<Vec<Job<'a>>, Failure> {
        let program = fs::read(std::env::current_exe().map_err(|error| Failure::new(2, error))?);
        let program = program.map_err(|error| Failure::new(2, format!("cannot read the program itself: {error}")))?;
        let mut launches = BTreeMap::new();
        let mut jobs = vec![];
        for run in &plan.runs {
            let (design, workload) = (&study.design[run.design], study.workloads()[run.workload]);
            let chip = chip::load(run.config.as_deref(), &run.overrides);
            let chip = chip.map_err(|error| Failure::input(*study.mistake(design, workload, &error.to_string())))?;
            let work = match workload {
                Workload::Kernel(kernel) => {
                    let key = (run.workload, chip.target().registers);
                    if let Entry::Vacant(missing) = launches.entry(key) {
                        missing.insert(launch_data(study, kernel, folder, &chip)?);
                    }
                    let numbers = format!("{:?} {:?} {}", kernel.size, kernel.settings(), study.max_cycles);
                    [&launches[&key][..], numbers.as_bytes()].concat()
                }
                Workload::Traffic(traffic) => traffic.arguments(study.seed).join(" ").into_bytes(),
            };
            let (config, seed) = (to_toml(chip.config()), study.seed.to_string());
            let parts = [&program, config.as_bytes(), &work, seed.as_bytes()];
            jobs.push(Job {
                run,
                kept: self.out.join("runs").join(run.file_name(&parts)),
                title: format!("{} on {}", workload.shown(), design.name.get_ref()),
            });
        }
        Ok(jobs)
    }

    /// Runs what has no report yet; returns what has none afterwards, and why.
    fn run_missing(
        &self,
        study: &StudyFile,
        jobs: &[Job<'_>],
        interrupt: &Interrupt,
        terminal: Terminal,
    ) -> Result<Vec<String>, Failure> {
        let runs = self.out.join("runs");
        fs::create_dir_all(&runs)
            .map_err(|error| Failure::new(2, format!("cannot make {}: {error}", runs.display())))?;
        let missing: Vec<_> = jobs.iter().filter(|job| kept(&job.kept).is_none()).collect();
        let (before, at_a_time) = (jobs.len() - missing.len(), self.jobs.map_or_else(processors, usize::from));
        let next = AtomicUsize::new(0);
        let progress = Mutex::new((Progress::new(terminal), 0, vec![]));
        let folder = self.file.parent().unwrap_or(Path::new(""));
        thread::scope(|scope| {
            for _ in 0..at_a_time.min(missing.len()) {
                scope.spawn(|| {
                    while let Some(job) =
                        missing.get(next.fetch_add(1, Ordering::Relaxed)).filter(|_| !interrupt.is_asked())
                    {
                        let result = run_one(study, job, folder);
                        let mut progress = progress.lock().unwrap_or_else(PoisonError::into_inner);
                        progress.1 += 1;
                        match result {
                            Ok(()) => {}
                            Err(_) if interrupt.is_asked() => {}
                            Err(reason) => progress.2.push(format!("{}: {reason}", job.title)),
                        }
                        let done = progress.1;
                        progress.0.runs((done, missing.len(), before), &job.title);
                    }
                });
            }
        });
        let (progress, _, mut failures) = progress.into_inner().unwrap_or_else(PoisonError::into_inner);
        progress.finish();
        failures.sort();
        Ok(failures)
    }

    /// Table, lines, JSON and chart, called as the study file.
    fn write(&self, outcome: &Outcome) -> Result<(), Failure> {
        let stem = self.file.file_stem().unwrap_or_default().to_string_lossy();
        let svg = outcome.svg().map_err(|error| Failure::new(4, error))?;
        let files = [("txt", outcome.to_string()), ("csv", outcome.csv()), ("json", outcome.json()), ("svg", svg)];
        fs::create_dir_all(&self.out)
            .map_err(|error| Failure::new(2, format!("cannot make {}: {error}", self.out.display())))?;
        for (ending, text) in files {
            // It is this study's own from an earlier call; what it was made from is kept.
            NewFile::claim(&self.out.join(format!("{stem}.{ending}")), true)?.write(&text)?;
        }
        Ok(())
    }
}

/// What a kernel works on, as bytes for a digest.
fn launch_data(study: &StudyFile, kernel: &KernelSpec, folder: &Path, chip: &Chip) -> Result<Vec<u8>, Failure> {
    let target: Target = chip.target();
    let launch = match &kernel.launch {
        Some(file) => launch_file::load(&folder.join(file.get_ref()), study.seed, &target).map_err(Failure::input)?,
        None => kernel_launch(kernel.name.get_ref(), (kernel.size, &kernel.settings()), study.seed, &target)?,
    };
    Ok(format!("{launch:?}").into_bytes())
}

/// The report of a run that came to its verified end.
fn kept(path: &Path) -> Option<Value> {
    let report: Value = serde_json::from_slice(&fs::read(path).ok()?).ok()?;
    is_good(&report).then_some(report)
}

/// The kernel completed, and its result is not wrong; or a load was measured.
fn is_good(report: &Value) -> bool {
    let measured = report.pointer("/points/0/accepted").is_some_and(Value::is_number);
    measured || report["verdict"] == "completed" && report["verified"] != false
}

fn processors() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// A process for one run; its report is kept when it is good.
fn run_one(study: &StudyFile, job: &Job<'_>, folder: &Path) -> Result<(), String> {
    let workload = study.workloads()[job.run.workload];
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let mut command = Command::new(program);
    command.arg(if workload.is_kernel() { "run" } else { "noc" });
    command.args(["--json", "--quiet", "--threads", "1"]).args(&job.run.config);
    job.run.overrides.iter().for_each(|text| _ = command.args(["-P", text]));
    match workload {
        Workload::Kernel(kernel) => {
            match &kernel.launch {
                Some(file) => command.arg("--launch").arg(folder.join(file.get_ref())),
                None => command.args(["--kernel", kernel.name.get_ref()]),
            };
            kernel.size.iter().for_each(|size| _ = command.args(["--size", &size.to_string()]));
            kernel.settings().iter().for_each(|knob| _ = command.args(["--knob", &knob.to_string()]));
            job.run.patterns.iter().for_each(|pattern| _ = command.args(["--stats", pattern]));
            command.args(["--seed", &study.seed.to_string(), "--max-cycles", &study.max_cycles.to_string()]);
        }
        Workload::Traffic(traffic) => _ = command.args(traffic.arguments(study.seed)),
    }
    let output = command.stdin(Stdio::null()).output().map_err(|error| error.to_string())?;
    let report: Option<Value> = serde_json::from_slice(&output.stdout).ok();
    if let Some(report) = report.filter(|report| output.status.success() && is_good(report)) {
        return keep(&job.kept, &report).map_err(|error| format!("cannot write {}: {error}", job.kept.display()));
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let said = said.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or("no message").to_string();
    Err(match output.status.code() {
        Some(code) => format!("exit code {code}: {said}"),
        None => format!("ended by a signal: {said}"),
    })
}

/// Whole or not at all: another study may read it.
fn keep(path: &Path, report: &Value) -> std::io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new(""));
    let mut file = NamedTempFile::with_prefix_in(".unfinished", folder)?;
    file.write_all(report.to_string().as_bytes())?;
    file.persist(path)?;
    Ok(())
}
