//! `warpmesh study FILE --slurm`: the runs of a study as job arrays of Slurm.
//!
//! ```text
//!  runs without a result --> parts --> sbatch --array=1-4,7 --> task K: study FILE --worker --part K/N
//!           ^                               |
//!           '-- again, what was killed  <-- squeue until no task is left --> table
//! ```
//!
//! Nothing is sent to a task or back: a task finds its part by the study file, and leaves results as any worker does.

use super::{
    Failure,
    interrupt::{self, Interrupt},
    progress::{Progress, Terminal},
    study_claims::{forget_failure, noted_failure},
    study_runs::{Job, StudyEnd, StudyRuns, plan_of},
    study_worker::Part,
};
use clap::Args;
use common::{output::unfinished, program_file};
use std::{
    collections::{BTreeMap, HashSet},
    fs,
    io::{ErrorKind, Write},
    path::{Path, PathBuf, absolute},
    process::{Command, Output, Stdio},
    thread,
    time::{Duration, Instant},
};
use tracing::{info, warn};

/// How the jobs are submitted and followed.
#[derive(Args, Debug)]
pub struct SlurmArgs {
    /// Run on a cluster: submit the runs that are missing as a job array of Slurm, follow it, and print the table. All nodes have to have this
    /// program and the folder of `--out` at the same place.
    #[arg(long, conflicts_with_all = ["no_run", "worker"])]
    pub slurm: bool,
    /// The partition of the jobs.
    #[arg(long, value_name = "PARTITION", requires = "slurm")]
    partition: Option<String>,
    /// A further option of sbatch, as in `--sbatch=--time=2:00:00`. May be given several times.
    #[arg(long, value_name = "OPTION", requires = "slurm", allow_hyphen_values = true)]
    sbatch: Vec<String>,
    /// The most tasks of the job array. Each does an equal part of the runs, `--jobs` (without it, 1) at a time on as many processors.
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=4_000_000), requires = "slurm")]
    tasks: u32,
    /// How often runs are submitted again whose task was killed, or whose node died. A run that itself came to a bad end is not.
    #[arg(long, value_name = "N", default_value_t = 2, requires = "slurm")]
    resubmit: u32,
    /// Ctrl-C also cancels the jobs. Without this they go on, and the same command follows them again.
    #[arg(long, requires = "slurm")]
    cancel: bool,
}

/// A study on a cluster.
pub struct Slurm<'a> {
    /// What is run.
    pub runs: StudyRuns<'a>,
    /// How.
    pub args: &'a SlurmArgs,
    /// The study file.
    pub file: &'a Path,
    /// Only what is for a quick look.
    pub quick: bool,
    /// Of claims, in seconds.
    pub stale_after: u32,
}

/// What a round of submitting and following came to.
enum Round {
    /// No task is left.
    Ended(u64),
    /// Somebody has pressed Ctrl-C.
    Interrupted(u64),
}

impl Slurm<'_> {
    /// Runs what is missing; also says what is left behind after Ctrl-C.
    pub fn run(&self, terminal: Terminal) -> Result<(StudyEnd, Result<(), Failure>), Failure> {
        let plan = plan_of(self.runs.study, self.runs.folder);
        let jobs = self.runs.jobs(&plan.runs)?;
        self.runs.make_folder()?;
        let logs = self.logs()?;
        let interrupt = Interrupt::watch();
        let mut progress = Progress::new(terminal).on_page(self.runs.monitor);
        let mut ended = None;
        let mut left = Ok(());
        for round in 0..=u64::from(self.args.resubmit) {
            let missing: Vec<_> = (0..jobs.len()).filter(|&at| !jobs[at].is_done()).collect();
            let earlier = if round == 0 { self.earlier(&logs)? } else { None };
            if round == 0 && earlier.is_none() {
                // The person asks for them again.
                for &at in &missing {
                    forget_failure(self.runs.out, &jobs[at].name()).map_err(|error| Failure::new(2, error))?;
                }
            }
            let open: Vec<_> =
                missing.into_iter().filter(|&at| noted_failure(self.runs.out, &jobs[at].name()).is_none()).collect();
            if open.is_empty() && earlier.is_none() {
                break;
            }
            let id = match earlier {
                Some(id) => {
                    info!("follows job {id}, which was submitted before");
                    id
                }
                None => self.submit(&logs, jobs.len(), &open)?,
            };
            match self.follow(id, &jobs, &interrupt, &mut progress)? {
                Round::Ended(id) => {
                    _ = fs::remove_file(self.job_file(&logs));
                    ended = Some(id);
                }
                Round::Interrupted(id) => {
                    left = self.leave(id, &logs);
                    break;
                }
            }
        }
        progress.finish();
        let failures = self.failures(&jobs, ended, &logs);
        Ok((self.runs.end(&plan, &jobs, failures, &interrupt), left))
    }

    /// Folder of what tasks print, and of the number of the job.
    fn logs(&self) -> Result<PathBuf, Failure> {
        let logs = absolute(self.runs.out.join("slurm")).map_err(|error| Failure::new(2, error))?;
        fs::create_dir_all(&logs)
            .map_err(|error| Failure::new(2, format!("cannot make {}: {error}", logs.display())))?;
        Ok(logs)
    }

    fn job_name(&self) -> String {
        let stem = self.file.file_stem().unwrap_or_default().to_string_lossy();
        let plain: String = stem.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
        format!("warpmesh-{plain}{}", if self.quick { "-quick" } else { "" })
    }

    fn job_file(&self, logs: &Path) -> PathBuf {
        logs.join(format!("{}.job", self.job_name()))
    }

    /// A job of an earlier call that is not at its end.
    fn earlier(&self, logs: &Path) -> Result<Option<u64>, Failure> {
        let id = fs::read_to_string(self.job_file(logs)).ok().and_then(|text| text.trim().parse().ok());
        match id {
            Some(id) => match self.states(id)? {
                Some(states) => Ok((!states.is_empty()).then_some(id)),
                None => {
                    Err(Failure::new(2, format!("squeue does not say whether job {id} of an earlier call has ended")))
                }
            },
            None => Ok(None),
        }
    }

    /// Submits a task for each part of the `of` runs in which one is missing; returns the number of the job.
    fn submit(&self, logs: &Path, of: usize, missing: &[usize]) -> Result<u64, Failure> {
        let parts = of.min(self.args.tasks as usize);
        let mut missing = missing.iter().copied().peekable();
        let mut tasks = vec![];
        for (number, range) in (1..).zip(Part::ranges(parts, of)) {
            let mut any = false;
            while missing.next_if(|at| range.contains(at)).is_some() {
                any = true;
            }
            tasks.extend(any.then_some(number));
        }
        let script = self.script(parts)?;
        let here = std::env::current_dir().map_err(|error| Failure::new(2, error))?;
        let mut command = Command::new("sbatch");
        command.arg("--parsable").arg(format!("--array={}", ranges(&tasks)));
        command.arg(format!("--job-name={}", self.job_name()));
        command.arg(format!("--cpus-per-task={}", self.runs.at_a_time.unwrap_or(1)));
        command.arg(format!("--chdir={}", here.display()));
        command.arg(format!("--output={}", logs.join("%A_%a.log").display()));
        self.args.partition.iter().for_each(|name| _ = command.arg(format!("--partition={name}")));
        command.args(&self.args.sbatch);
        let output = call(command, Some(&script)).map_err(|error| self.no_slurm("sbatch", &error))?;
        let printed = String::from_utf8_lossy(&output.stdout).into_owned();
        // With clusters of several names theirs stands behind the number.
        let id = printed.trim().split(';').next().and_then(|id| id.parse().ok());
        let id = id.filter(|_| output.status.success()).ok_or_else(|| {
            let said = String::from_utf8_lossy(&output.stderr);
            Failure::new(2, format!("sbatch did not take the job: {}", [said.trim(), printed.trim()].join(" ").trim()))
        })?;
        info!("job {id}: {} tasks of {parts}", tasks.len());
        let file = self.job_file(logs);
        let written = unfinished(0o666).tempfile_in(logs).and_then(|mut new| {
            writeln!(new, "{id}")?;
            new.persist(&file).map_err(|error| error.error)
        });
        if let Err(error) = written {
            warn!("cannot write {}: {error}; another call will not find job {id}", file.display());
        }
        Ok(id)
    }

    /// What a task runs.
    fn script(&self, parts: usize) -> Result<String, Failure> {
        let path = |path: &Path| -> Result<String, Failure> {
            let path = absolute(path).map_err(|error| Failure::new(2, error))?;
            let text = path.to_str().ok_or_else(|| Failure::new(2, format!("{} is no text", path.display())))?;
            Ok(quoted(text))
        };
        let program = std::env::current_exe().map_err(|error| Failure::new(2, error))?;
        let digest = program_file::digest().map_err(|error| Failure::new(2, error))?;
        Ok(format!(
            "#!/bin/sh\nexec {} --verbose study {} --out {} --worker --part \"$SLURM_ARRAY_TASK_ID/{parts}\" --jobs {} \
             --stale-after {} --program {digest:032x} --yes{}\n",
            path(&program)?,
            path(self.file)?,
            path(self.runs.out)?,
            self.runs.at_a_time.unwrap_or(1),
            self.stale_after,
            if self.quick { " --quick" } else { "" },
        ))
    }

    /// Waits until no task is left.
    fn follow(
        &self,
        id: u64,
        jobs: &[Job<'_>],
        interrupt: &Interrupt,
        progress: &mut Progress,
    ) -> Result<Round, Failure> {
        let (begun, mut silent) = (Instant::now(), false);
        let wanted: HashSet<_> = jobs.iter().map(Job::name).collect();
        loop {
            if interrupt.is_asked() {
                return Ok(Round::Interrupted(id));
            }
            match self.states(id)? {
                Some(states) if states.is_empty() => return Ok(Round::Ended(id)),
                Some(states) => {
                    silent = false;
                    let there = fs::read_dir(self.runs.out.join("runs")).into_iter().flatten().filter_map(Result::ok);
                    let there = there.filter(|entry| wanted.contains(&*entry.file_name().to_string_lossy())).count();
                    let states: Vec<_> =
                        states.iter().map(|(state, tasks)| format!("{tasks} {}", state.to_lowercase())).collect();
                    progress.say(format!("job {id}: {there} of {} runs, tasks: {}", jobs.len(), states.join(", ")));
                }
                None if !silent => {
                    warn!("squeue does not say what has become of job {id}; asked again until it does");
                    silent = true;
                }
                None => {}
            }
            // Many who ask often are a load for the controller.
            let pause = if begun.elapsed() < Duration::from_secs(60) { 1 } else { 10 };
            let asked = Instant::now();
            while asked.elapsed() < Duration::from_secs(pause) && !interrupt.is_asked() {
                thread::sleep(Duration::from_millis(50));
            }
        }
    }

    /// How many tasks are in which state, of those that have not ended; none: that cannot be said now.
    fn states(&self, id: u64) -> Result<Option<BTreeMap<String, usize>>, Failure> {
        let mut command = Command::new("squeue");
        command.args(["--noheader", "--array", "--format=%T"]).arg(format!("--jobs={id}"));
        let output = call(command, None).map_err(|error| self.no_slurm("squeue", &error))?;
        let said = String::from_utf8_lossy(&output.stderr);
        // It forgets jobs some minutes after their end.
        if !output.status.success() && !said.contains("Invalid job id") {
            info!("squeue: {}", said.trim());
            return Ok(None);
        }
        let mut states = BTreeMap::new();
        for state in String::from_utf8_lossy(&output.stdout).lines().map(str::trim).filter(|state| !state.is_empty()) {
            *states.entry(state.to_string()).or_default() += 1;
        }
        Ok(Some(states))
    }

    /// After Ctrl-C.
    fn leave(&self, id: u64, logs: &Path) -> Result<(), Failure> {
        if !self.args.cancel {
            let text = format!("job {id} goes on: the same command follows it again, `scancel {id}` ends it");
            return Err(Failure::new(interrupt::CODE, text));
        }
        let mut command = Command::new("scancel");
        command.arg(id.to_string());
        let output = call(command, None).map_err(|error| self.no_slurm("scancel", &error))?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr).trim().to_string();
            return Err(Failure::new(2, format!("job {id} is not cancelled: {said}")));
        }
        _ = fs::remove_file(self.job_file(logs));
        Err(Failure::new(
            interrupt::CODE,
            format!("job {id} is cancelled; the same command goes on with what is missing"),
        ))
    }

    /// Why runs have no result: what their worker noted, or how their task ended.
    fn failures(&self, jobs: &[Job<'_>], job: Option<u64>, logs: &Path) -> Vec<String> {
        let parts = jobs.len().min(self.args.tasks as usize);
        let tasks = job.map(task_ends).unwrap_or_default();
        let mut failures = vec![];
        for (task, range) in (1..).zip(Part::ranges(parts, jobs.len())) {
            for job_of in jobs[range].iter().filter(|job| !job.is_done()) {
                let name = job_of.name();
                let reason = noted_failure(self.runs.out, &name).or_else(|| {
                    let id = job?;
                    let state = tasks.get(&task).map_or("ended", String::as_str);
                    let log = logs.join(format!("{id}_{task}.log"));
                    let text = fs::read(&log).unwrap_or_default();
                    let text = String::from_utf8_lossy(&text);
                    let last = text.lines().rfind(|line| !line.trim().is_empty()).unwrap_or("it printed nothing");
                    Some(format!("task {id}_{task} {state}: {} ({})", last.trim(), log.display()))
                });
                failures.extend(reason.map(|reason| format!("{}: {reason}", job_of.title)));
            }
        }
        failures
    }

    /// A program of Slurm that does not start.
    fn no_slurm(&self, program: &str, error: &std::io::Error) -> Failure {
        let text = match error.kind() {
            ErrorKind::NotFound => format!("{program} of Slurm is not installed here"),
            _ => format!("cannot start {program} of Slurm: {error}"),
        };
        let file = self.file.display();
        Failure::input_message(
            text,
            format!(
                "start `warpmesh study {file} --out {} --worker` on each machine instead, by any scheduler or by hand",
                self.runs.out.display()
            ),
        )
    }
}

/// How each task of a job ended, as far as Slurm knows it: by its accounting, or by what the controller has not forgotten.
fn task_ends(id: u64) -> BTreeMap<usize, String> {
    let printed = |program: &str, args: &[&str]| {
        let mut command = Command::new(program);
        command.args(args);
        let output = call(command, None).ok().filter(|output| output.status.success());
        output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default()
    };
    let number = id.to_string();
    let jobs = format!("--jobs={id}");
    let accounted = printed("sacct", &["--noheader", "--parsable2", "--allocations", "--format=JobID,State", &jobs]);
    let accounted = accounted.lines().filter_map(|line| {
        let (task, state) = line.split_once('|')?;
        Some((task.split_once('_')?.1.parse().ok()?, state.to_string()))
    });
    let known: BTreeMap<_, _> = accounted.collect();
    if !known.is_empty() {
        return known;
    }
    let shown = printed("scontrol", &["--oneliner", "show", "job", &number]);
    let field = |line: &str, name: &str| {
        line.split_whitespace().find_map(|word| word.strip_prefix(name)?.strip_prefix('=')).map(str::to_string)
    };
    let controlled =
        shown.lines().filter_map(|line| Some((field(line, "ArrayTaskId")?.parse().ok()?, field(line, "JobState")?)));
    controlled.collect()
}

/// Runs a program to its end, with this input.
fn call(mut command: Command, input: Option<&str>) -> std::io::Result<Output> {
    command.stdin(if input.is_some() { Stdio::piped() } else { Stdio::null() });
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    if let (Some(mut stdin), Some(input)) = (child.stdin.take(), input) {
        // One that does not read its input says why.
        _ = stdin.write_all(input.as_bytes());
    }
    child.wait_with_output()
}

/// Rising numbers as Slurm writes them: `1-4,7`.
fn ranges(numbers: &[usize]) -> String {
    let parts = numbers.chunk_by(|a, b| a + 1 == *b).map(|run| match run {
        [one] => one.to_string(),
        [first, .., last] => format!("{first}-{last}"),
        [] => String::new(),
    });
    parts.collect::<Vec<_>>().join(",")
}

/// A word of a shell.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_words_are_as_slurm_and_the_shell_read_them() {
        assert_eq!(ranges(&[1, 2, 3, 4, 7, 9, 10]), "1-4,7,9-10");
        assert_eq!(ranges(&[5]), "5");
        assert_eq!(quoted("it's $HOME"), r"'it'\''s $HOME'");
    }
}
