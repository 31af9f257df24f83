//! A run of a study, as a process of this program.

use super::{
    Failure,
    interrupt::Interrupt,
    own_command::own_command,
    study_runs::{Job, StudyRuns, is_good},
};
use common::output::{folder_of, unfinished};
use measure::{report::RunReport, study::Workload};
use serde_json::Value;
use std::{
    fmt, fs, io,
    io::{Read, Write},
    path::{Path, PathBuf, absolute},
    process::{Child, Command, Output, Stdio},
    sync::OnceLock,
    thread,
    time::Duration,
};
use tempfile::{NamedTempFile, TempDir};

/// Why a run has no report that is kept.
#[derive(Debug)]
pub enum RunFailure {
    /// It came to an end without a good result: it will do so again.
    Ended(Box<EndedRun>),
    /// It did not come to an end: something ended it.
    Killed(String),
    /// Its report cannot be written; nor can those of others.
    Unwritten(String),
}

/// A run without a good result.
#[derive(Debug)]
pub struct EndedRun {
    /// Its exit code.
    pub code: u8,
    /// How far it came.
    pub report: Option<Value>,
    /// What it said is wrong.
    pub failure: Option<Failure>,
    /// The same in a line; of a program, what that said.
    pub said: String,
}

impl fmt::Display for RunFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ended(run) => write!(f, "exit code {}: {}", run.code, run.said),
            Self::Killed(reason) | Self::Unwritten(reason) => f.write_str(reason),
        }
    }
}

impl From<String> for RunFailure {
    fn from(reason: String) -> Self {
        Self::Killed(reason)
    }
}

/// Makes the runs of a study. Each program is compiled once, when a run first needs it.
pub struct RunProcesses<'a> {
    runs: &'a StudyRuns<'a>,
    at_a_time: usize,
    interrupt: &'a Interrupt,
    programs: TempDir,
    /// By workload: what went wrong.
    made: Vec<OnceLock<Result<PathBuf, String>>>,
}

impl<'a> RunProcesses<'a> {
    /// Of so many runs at a time, which end when the command is interrupted.
    pub fn new(runs: &'a StudyRuns<'a>, at_a_time: usize, interrupt: &'a Interrupt) -> Result<Self, Failure> {
        let programs = tempfile::tempdir().map_err(|error| Failure::new(2, error))?;
        let made = runs.study.workloads().iter().map(|_| OnceLock::new()).collect();
        Ok(Self { runs, at_a_time, interrupt, programs, made })
    }

    /// The program of a workload.
    fn program(&self, workload: usize) -> Result<PathBuf, String> {
        let make = || {
            let Workload::Program(spec) = self.runs.study.workloads()[workload] else {
                return Err("no program".into());
            };
            let program = self.programs.path().join(workload.to_string());
            let mut command = own_command()?;
            let command = command.arg("cc").arg(self.runs.folder.join(spec.source.get_ref())).arg("-o").arg(&program);
            let output = command.output().map_err(|error| error.to_string())?;
            if output.status.success() { Ok(program) } else { Err(ended(&output, None).to_string()) }
        };
        self.made[workload].get_or_init(make).clone()
    }

    /// A process for one run; its report is kept when it is good.
    pub fn run(&self, job: &Job<'_>) -> Result<(), RunFailure> {
        let StudyRuns { study, folder, engine, .. } = *self.runs;
        let workload = study.workloads()[job.run.workload];
        let mut command = own_command()?;
        let of_chip = |command: &mut Command| {
            job.run.overrides.iter().for_each(|text| _ = command.args(["-P", text]));
            job.run.patterns.iter().for_each(|pattern| _ = command.args(["--stats", pattern]));
        };
        let json = ["--json", "--quiet", "--failure-as-json"];
        let one = || vec!["--threads".to_string(), "1".into()];
        let unchecked = (!study.memory_checks).then_some("--no-memory-checks");
        let mut in_file = None;
        match workload {
            Workload::Kernel(kernel) => {
                command.arg("run").args(json).args(&job.run.config);
                command.args(engine.map_or_else(one, |engine| engine.arguments(self.at_a_time)));
                of_chip(&mut command);
                match &kernel.launch {
                    Some(file) => command.arg("--launch").arg(folder.join(file.get_ref())),
                    None => command.args(["--kernel", kernel.name.get_ref()]),
                };
                kernel.size.iter().for_each(|size| _ = command.args(["--size", &size.to_string()]));
                kernel.settings().iter().for_each(|param| _ = command.args(["--kernel-param", &param.to_string()]));
                command.args(["--seed", &job.run.seed.to_string(), "--max-cycles", &study.max_cycles.to_string()]);
                command.args(unchecked);
            }
            Workload::Program(program) => {
                let made = self.program(job.run.workload)?;
                let report = NamedTempFile::with_suffix_in(".json", self.programs.path());
                let report = report.map_err(|error| error.to_string())?.into_temp_path();
                // The default of `exec` is another one than that of a study.
                let config = job.run.config.clone().unwrap_or("default".into());
                let config =
                    if config.is_file() { absolute(&config).map_err(|error| error.to_string())? } else { config };
                command.args(["exec", "--force", "--kernels", "all"]).args(one()).arg("--config").arg(config);
                of_chip(&mut command);
                command.args(["--max-cycles", &study.max_cycles.to_string()]).args(unchecked);
                command.arg("--report").arg(&report).arg("--").arg(made).args(&program.arguments);
                // Files that it is called with are where its source is.
                command.current_dir(if folder.as_os_str().is_empty() { Path::new(".") } else { folder });
                in_file = Some(report);
            }
            Workload::Traffic(traffic) => {
                command.arg("noc").args(json).args(one()).args(&job.run.config);
                of_chip(&mut command);
                command.args(traffic.arguments(job.run.seed));
            }
        }
        let output = output(&mut command, self.interrupt).map_err(|error| error.to_string())?;
        let report = match &in_file {
            Some(path) => fs::read(path).map_err(|error| error.to_string())?,
            None => output.stdout.clone(),
        };
        let report: Option<Value> = serde_json::from_slice(&report).ok();
        match report {
            Some(report) if output.status.success() && is_good(&report) => {
                let unwritten = |error| RunFailure::Unwritten(format!("cannot write {}: {error}", job.kept.display()));
                keep(&job.kept, &report).map_err(unwritten)
            }
            report => Err(ended(&output, report)),
        }
    }
}

/// Runs to its end; an interrupted command interrupts it.
fn output(command: &mut Command, interrupt: &Interrupt) -> io::Result<Output> {
    /// Between two looks.
    const STEP: Duration = Duration::from_millis(5);
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
    thread::scope(|scope| {
        let (stdout, stderr) = (scope.spawn(|| all_of(stdout)), scope.spawn(|| all_of(stderr)));
        let mut is_told = false;
        let status = loop {
            match child.try_wait()? {
                Some(status) => break status,
                None if interrupt.is_asked() && !is_told => {
                    ask_to_end(&mut child);
                    is_told = true;
                }
                None => thread::sleep(STEP),
            }
        };
        let bytes = |reader: thread::ScopedJoinHandle<'_, io::Result<Vec<u8>>>| {
            reader.join().unwrap_or_else(|_| Err(io::Error::other("a reader has ended")))
        };
        Ok(Output { status, stdout: bytes(stdout)?, stderr: bytes(stderr)? })
    })
}

fn all_of(pipe: Option<impl Read>) -> io::Result<Vec<u8>> {
    let mut bytes = vec![];
    pipe.map_or(Ok(0), |mut pipe| pipe.read_to_end(&mut bytes))?;
    Ok(bytes)
}

/// As Ctrl-C does. A process that is not waited for keeps its number.
fn ask_to_end(child: &mut Child) {
    #[cfg(unix)]
    {
        use rustix::process::{Pid, Signal, kill_process};
        // One that has ended meanwhile needs no signal.
        _ = kill_process(Pid::from_child(child), Signal::INT);
    }
    #[cfg(not(unix))]
    {
        _ = child.kill();
    }
}

/// Why a process failed: its exit code, and its first message, how its kernel ended, or the last line that it printed.
fn ended(output: &Output, report: Option<Value>) -> RunFailure {
    let [printed, stderr] = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes));
    let failure = Failure::read(&stderr);
    let is_text = |line: &&str| !line.trim().is_empty();
    let first = failure.as_ref().and_then(|failure| Some(failure.reports.first()?.to_string()));
    let verdict = || serde_json::from_value::<RunReport>(report.clone()?).ok()?.why_no_result().map(String::from);
    let text = || stderr.lines().find(is_text).or_else(|| printed.lines().rfind(is_text)).map(String::from);
    let said = first.or_else(verdict).or_else(text).unwrap_or("no message".into());
    let said = said.lines().find(is_text).unwrap_or_default().trim().to_string();
    match output.status.code() {
        Some(code) => {
            RunFailure::Ended(Box::new(EndedRun { code: u8::try_from(code).unwrap_or(4), report, failure, said }))
        }
        None => RunFailure::Killed(format!("ended by a signal: {said}")),
    }
}

/// Whole or not at all: another study may read it, and on another machine. What does not fit on the disk is found before it has its name.
fn keep(path: &Path, report: &Value) -> io::Result<()> {
    let mut file = unfinished(0o666).tempfile_in(folder_of(path))?;
    file.write_all(report.to_string().as_bytes())?;
    file.as_file().sync_all()?;
    file.persist(path)?;
    Ok(())
}
