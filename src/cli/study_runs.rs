//! The runs of a study: each a process, several at a time, and what was run before is not run again.

use super::{
    Failure,
    engine_args::EngineArgs,
    interrupt::{self, Interrupt},
    program_digests::{Digest, ProgramDigests},
    progress::{Progress, Terminal},
    run::kernel_launch,
    study_claims::is_claimed,
    study_process::{RunFailure, RunProcesses},
};
use common::program_file;
use measure::{
    monitor::Monitor,
    record::Configurations,
    study::{DesignSpec, KernelSpec, Plan, PlannedRun, Study as StudyFile, StudyOutcome, Workload, digest},
};
use program::{Target, launch_file};
use rtl::chip::{self, Chip, EMBEDDED, to_toml};
use serde_json::Value;
use std::{
    collections::{BTreeMap, btree_map::Entry},
    fs,
    path::{Path, PathBuf},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};
use tracing::{info, warn};

/// A study, and where and how it is run.
pub struct StudyRuns<'a> {
    /// Designs and workloads.
    pub study: &'a StudyFile,
    /// That its files are named from.
    pub folder: &'a Path,
    /// Of the reports, in `runs`.
    pub out: &'a Path,
    /// Runs at a time; none: as many as there are processors.
    pub at_a_time: Option<u16>,
    /// Nothing is run.
    pub only_kept: bool,
    /// What computes kernels; none: anything, on one thread.
    pub engine: Option<&'a EngineArgs>,
    /// Digests of its CUDA programs.
    pub programs: &'a ProgramDigests,
    /// Shows how far it is.
    pub monitor: Option<&'a Monitor>,
}

/// What has become of the runs.
pub struct StudyEnd {
    /// The numbers.
    pub outcome: StudyOutcome,
    /// The reports of all runs, in the order of their plan.
    pub reports: Vec<Option<Value>>,
    /// Runs that have failed here, by their place in it; not those that were interrupted.
    pub failed: Vec<(usize, RunFailure)>,
    /// Runs without a result.
    pub missing: usize,
    /// All runs.
    pub of: usize,
    /// It was ended before all runs were done.
    pub interrupted: bool,
    only_kept: bool,
}

impl StudyEnd {
    /// Pages of a monitor show how it ended, and this.
    pub fn show(&self, monitor: Option<&Monitor>, text: &str) {
        let verdict = match (self.interrupted, self.missing) {
            (true, _) => "INTERRUPTED: the same command goes on with what is missing",
            (_, 0) => "completed",
            _ => "ended: some runs have no result",
        };
        monitor.iter().for_each(|monitor| monitor.end(verdict.into(), text.into()));
    }

    /// Writes and prints what came out, and says how the runs ended.
    pub fn finish(&self, done: impl IntoIterator<Item = Result<(), Failure>>) -> Result<(), Failure> {
        let stopped = if self.interrupted { Err(Failure::said(interrupt::CODE)) } else { Ok(()) };
        let complete = match self.missing {
            0 => Ok(()),
            missing if self.only_kept || self.interrupted => {
                info!("{missing} of {} runs are missing: the same command goes on with them", self.of);
                Ok(())
            }
            missing => Err(Failure::new(1, format!("{missing} of {} runs have no result", self.of))),
        };
        Failure::first_of([stopped].into_iter().chain(done).chain([complete]))
    }
}

/// A run, where its report is kept, and how it is called in messages.
pub struct Job<'a> {
    /// What is run.
    pub run: &'a PlannedRun,
    /// File of its report.
    pub kept: PathBuf,
    /// Workload and design.
    pub title: String,
}

impl Job<'_> {
    /// Its report is there.
    pub fn is_done(&self) -> bool {
        kept(&self.kept).is_some()
    }

    /// Its digest, as a file name.
    pub fn name(&self) -> String {
        self.kept.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }
}

/// The plan of a study in a folder.
pub fn plan_of(study: &StudyFile, folder: &Path) -> Plan {
    let is_shipped =
        |name: &str| EMBEDDED.iter().any(|(file, _)| file.trim_end_matches(".toml") == name.trim_end_matches(".toml"));
    Plan::new(study, folder, is_shipped)
}

impl StudyRuns<'_> {
    /// Runs what is missing.
    pub fn run(&self, terminal: Terminal) -> Result<StudyEnd, Failure> {
        let plan = plan_of(self.study, self.folder);
        let jobs = self.jobs(&plan.runs)?;
        let interrupt = Interrupt::watch();
        let failed = if self.only_kept { vec![] } else { self.run_missing(&jobs, &interrupt, terminal)? };
        let mut failures: Vec<_> = failed.iter().map(|(at, reason)| format!("{}: {reason}", jobs[*at].title)).collect();
        failures.sort();
        Ok(StudyEnd { failed, ..self.end(&plan, &jobs, failures, &interrupt) })
    }

    /// The configurations of all runs, for a record.
    pub fn configurations(&self) -> Result<Configurations, Failure> {
        let (mut all, mut last): (_, Option<&PlannedRun>) = (Configurations::default(), None);
        let plan = plan_of(self.study, self.folder);
        for run in &plan.runs {
            // Those of further seeds have the same.
            if run.seed != self.study.seed {
                continue;
            }
            let key = (run.design, run.workload);
            match last.filter(|other| (&other.config, &other.overrides) == (&run.config, &run.overrides)) {
                Some(other) => all.repeat(key, (other.design, other.workload)),
                None => all.add(key, to_toml(self.chip(run)?.config())),
            }
            last = Some(run);
        }
        Ok(all)
    }

    fn chip(&self, run: &PlannedRun) -> Result<Chip, Failure> {
        let (design, workload) = (&self.study.design[run.design], self.study.workloads()[run.workload]);
        chip::load(run.config.as_deref(), &run.overrides)
            .map_err(|error| Failure::input(*self.study.mistake(design, workload, &error.to_string())))
    }

    /// What has become of all runs.
    pub fn end(&self, plan: &Plan, jobs: &[Job<'_>], failures: Vec<String>, interrupt: &Interrupt) -> StudyEnd {
        let reports: Vec<_> = jobs.iter().map(|job| kept(&job.kept)).collect();
        StudyEnd {
            missing: reports.iter().filter(|report| report.is_none()).count(),
            of: jobs.len(),
            outcome: StudyOutcome::new(self.study, plan, &reports, failures),
            reports,
            failed: vec![],
            interrupted: interrupt.is_asked(),
            only_kept: self.only_kept,
        }
    }

    /// These runs, with their chips and kernels checked before anything runs.
    pub fn jobs<'p>(&self, runs: &'p [PlannedRun]) -> Result<Vec<Job<'p>>, Failure> {
        let (study, folder) = (self.study, self.folder);
        let program = program_file::digest();
        let program = program.map_err(|error| Failure::new(2, format!("cannot read the program itself: {error}")))?;
        let program = program.to_le_bytes();
        let mut launches = BTreeMap::new();
        let (mut jobs, mut last): (_, Option<(&PlannedRun, Chip)>) = (vec![], None);
        let limits = format!("{} {}", study.max_cycles, study.memory_checks);
        // Results do not depend on the engine; a user who names one wants it to run.
        let engine = self.engine.and_then(EngineArgs::asked).unwrap_or_default();
        for run in runs {
            let (design, workload) = (&study.design[run.design], study.workloads()[run.workload]);
            // The workloads of a design follow each other, mostly on the same chip.
            let same =
                |(other, _): &(&PlannedRun, Chip)| (&other.config, &other.overrides) == (&run.config, &run.overrides);
            let chip = match last.take().filter(same) {
                Some((_, chip)) => chip,
                None => self.chip(run)?,
            };
            let work = match workload {
                Workload::Kernel(kernel) => {
                    let key = (run.workload, run.seed, chip.target().registers);
                    if let Entry::Vacant(missing) = launches.entry(key) {
                        missing.insert(launch_digest(run.seed, kernel, folder, &chip)?);
                    }
                    let numbers = format!("{:?} {:?} {limits}", kernel.size, kernel.settings());
                    [&launches[&key][..], numbers.as_bytes()].concat()
                }
                Workload::Program(program) => {
                    let numbers = format!("{:?} {limits}", program.arguments);
                    [&self.programs.of(program, folder)?[..], numbers.as_bytes()].concat()
                }
                Workload::Traffic(traffic) => traffic.arguments(run.seed).join(" ").into_bytes(),
            };
            let (config, seed) = (to_toml(chip.config()), run.seed.to_string());
            let parts = [&program[..], config.as_bytes(), &work, seed.as_bytes(), engine.as_bytes()];
            jobs.push(Job {
                run,
                kept: self.out.join("runs").join(run.file_name(&parts)),
                title: title(study, run, workload, design),
            });
            last = Some((run, chip));
        }
        Ok(jobs)
    }

    /// That of the reports.
    pub fn make_folder(&self) -> Result<(), Failure> {
        let runs = self.out.join("runs");
        fs::create_dir_all(&runs).map_err(|error| Failure::new(2, format!("cannot make {}: {error}", runs.display())))
    }

    /// Runs at a time.
    pub fn at_a_time(&self) -> usize {
        self.at_a_time.map_or_else(|| thread::available_parallelism().map_or(1, usize::from), usize::from)
    }

    /// Runs what has no report yet; returns what has none afterwards, by number, and why.
    fn run_missing(
        &self,
        jobs: &[Job<'_>],
        interrupt: &Interrupt,
        terminal: Terminal,
    ) -> Result<Vec<(usize, RunFailure)>, Failure> {
        self.make_folder()?;
        let missing: Vec<_> = jobs.iter().enumerate().filter(|(_, job)| !job.is_done()).collect();
        match missing.iter().filter(|(_, job)| is_claimed(self.out, &job.name())).count() {
            0 => {}
            claimed => warn!(
                "workers have claimed {claimed} of the runs: if they are still at work, these are done twice \
                 (--no-run prints what is there)"
            ),
        }
        let (before, at_a_time) = (jobs.len() - missing.len(), self.at_a_time().min(missing.len()));
        let next = AtomicUsize::new(0);
        let progress = Mutex::new((Progress::new(terminal).on_page(self.monitor), 0, vec![]));
        let processes = RunProcesses::new(self, at_a_time, interrupt)?;
        thread::scope(|scope| {
            for _ in 0..at_a_time {
                scope.spawn(|| {
                    while let Some((at, job)) =
                        missing.get(next.fetch_add(1, Ordering::Relaxed)).filter(|_| !interrupt.is_asked())
                    {
                        info!("run: {}", job.title);
                        let result = processes.run(job);
                        let mut progress = progress.lock().unwrap_or_else(PoisonError::into_inner);
                        progress.1 += 1;
                        match result {
                            Ok(()) => {}
                            Err(_) if interrupt.is_asked() => {}
                            Err(reason) => progress.2.push((*at, reason)),
                        }
                        let done = progress.1;
                        progress.0.runs(done, missing.len(), before, &job.title);
                    }
                });
            }
        });
        let (progress, _, failed) = progress.into_inner().unwrap_or_else(PoisonError::into_inner);
        progress.finish();
        Ok(failed)
    }
}

/// Of a run, for messages.
fn title(study: &StudyFile, run: &PlannedRun, workload: Workload<'_>, design: &DesignSpec) -> String {
    let is_one_of_several = *study.seeds.get_ref() > 1 && workload.has_seed();
    let seed = if is_one_of_several { format!(", seed {}", run.seed) } else { String::new() };
    format!("{} on {}{seed}", workload.shown(), design.name.get_ref())
}

/// A digest of what a kernel works on.
fn launch_digest(seed: u64, kernel: &KernelSpec, folder: &Path, chip: &Chip) -> Result<Digest, Failure> {
    let target: Target = chip.target();
    let launch = match &kernel.launch {
        Some(file) => launch_file::load(&folder.join(file.get_ref()), seed, &target).map_err(Failure::input)?,
        None => kernel_launch(kernel.name.get_ref(), (kernel.size, &kernel.settings()), seed, &target)?,
    };
    Ok(digest([format!("{launch:?}").as_bytes()]).to_le_bytes())
}

/// The report of a run that came to its verified end.
fn kept(path: &Path) -> Option<Value> {
    let report: Value = serde_json::from_slice(&fs::read(path).ok()?).ok()?;
    is_good(&report).then_some(report)
}

/// The kernel completed, and its result is not wrong; all launches of a program did; or a load was measured.
pub fn is_good(report: &Value) -> bool {
    let measured = report.pointer("/points/0/accepted").is_some_and(Value::is_number);
    let completed = |launch: &Value| launch["verdict"] == "completed" && launch["verified"] != false;
    let launches = report["launches"]
        .as_array()
        .is_some_and(|launches| !launches.is_empty() && launches.iter().all(|launch| completed(&launch["report"])));
    measured || launches || completed(report)
}
