//! `warpmesh study`: kernels, programs and traffic on several designs from a file.

use super::{
    Failure, call,
    interrupt::{self, Interrupt},
    monitor_args::{self, MonitorArgs},
    output::NewFile,
    print::print,
    program_digests::ProgramDigests,
    progress::Terminal,
    record::StudyRecording,
    study_runs::StudyRuns,
    study_slurm::{Slurm, SlurmArgs},
    study_worker::{Part, Worker},
};
use clap::Args;
use common::program_file;
use measure::{
    monitor::Monitor,
    study::{KeptClaims, MANY_RUNS, Study as StudyFile, StudyError, StudyOutcome, tally},
};
use std::{
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

/// Runs the kernels, the CUDA programs and the traffic of a study file on its designs, several at a time, and prints ratios, means and claims.
///
/// The report of each run is kept in the output folder by a digest of the program, the configuration, the kernel and its data: a study that was
/// stopped goes on where it was, and one that has changed runs only what is new.
#[derive(Args, Debug)]
pub struct Study {
    /// The study file; or a folder: all studies in it, one after the other, and how many of their claims hold.
    #[arg(value_name = "FILE.toml")]
    file: PathBuf,
    /// Folder of the reports of runs, and of table, chart and JSON of this study.
    #[arg(long, value_name = "DIR", default_value = "study-results")]
    out: PathBuf,
    /// Runs at a time; without it, as many as there are processors.
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,
    /// Only what the study has for a quick look: without designs and workloads of `quick = false`, and the claims about them. Its results are
    /// written to files of their own, `NAME-quick.txt` and so on.
    #[arg(long)]
    quick: bool,
    /// Also run a study whose axes make more than 1000 runs.
    #[arg(long)]
    yes: bool,
    /// Run nothing: print what was run before, and how much is missing. Files are written when nothing is.
    #[arg(long)]
    no_run: bool,
    /// Print one JSON object instead of a table.
    #[arg(long)]
    json: bool,
    /// Print lines with commas between instead.
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    /// Also write a record to this new folder: the study file, configurations, claims with their spread, and all runs as Parquet with every
    /// parameter and figure. `warpmesh report` makes a page of it.
    #[arg(long, value_name = "DIR", value_hint = clap::ValueHint::DirPath)]
    record: Option<PathBuf>,
    /// Replace an earlier record.
    #[arg(long, requires = "record")]
    force: bool,
    /// Share the runs with other workers, on this machine and on all that have the folder of `--out`: each run is done by one of them. A
    /// worker ends when no run is left that it could do, and prints no table: `study FILE.toml` does.
    #[arg(long, conflicts_with_all = ["no_run", "json", "csv", "record"])]
    worker: bool,
    /// Do only the runs of part K of N equal parts, as a task of a job array does.
    #[arg(long, value_name = "K/N", requires = "worker")]
    part: Option<Part>,
    /// Seconds after which a worker that gives no sign is taken for dead, and others do its runs. It gives ten signs in this time, at least one
    /// in 30 seconds.
    #[arg(long, value_name = "S", default_value_t = 300, value_parser = clap::value_parser!(u32).range(1..=86_400))]
    stale_after: u32,
    /// Also try runs again that failed on a worker before.
    #[arg(long, requires = "worker")]
    retry: bool,
    /// Digest of the program that has submitted this worker: another build would do runs that nobody looks for.
    #[arg(long, value_name = "DIGEST", hide = true, requires = "worker")]
    program: Option<String>,
    /// Folder that the files of the study are named from, where it is another one than its own.
    #[arg(long, value_name = "DIR", hide = true, conflicts_with = "slurm")]
    folder: Option<PathBuf>,
    #[command(flatten)]
    slurm: SlurmArgs,
    #[command(flatten)]
    monitor: MonitorArgs,
}

impl Study {
    /// Runs the command.
    pub fn run(&self, terminal: Terminal) -> Result<(), Failure> {
        if let Some(wanted) = &self.program {
            let own = program_file::digest().map_err(|error| Failure::new(2, error))?;
            if *wanted != format!("{own:032x}") {
                return Err(Failure::input_message(
                    "this machine has another build of warpmesh than the one that submitted the job",
                    "install the same program on all machines, or submit again with the new one",
                ));
            }
        }
        if self.file.is_dir() {
            return self.run_folder(terminal);
        }
        let study = self.load(&self.file)?;
        let monitor = self.monitor.start()?;
        let ended = self.measured((&self.file, &study, &ProgramDigests::default()), terminal, monitor.as_ref(), |_| ());
        monitor_args::end(monitor.as_ref(), &ended);
        ended
    }

    /// All studies of the folder: each is read before one runs, and those behind one that fails run, too.
    fn run_folder(&self, terminal: Terminal) -> Result<(), Failure> {
        let folder = self.file.display();
        let of_one = [
            ("--json", self.json),
            ("--csv", self.csv),
            ("--record", self.record.is_some()),
            ("--worker", self.worker),
            ("--slurm", self.slurm.slurm),
            ("--monitor", self.monitor.port().is_some()),
        ];
        if let Some((option, _)) = of_one.into_iter().find(|(_, given)| *given) {
            let message = format!("{option} is for one study, and {folder} is a folder");
            return Err(Failure::input_message(message, "a study file instead"));
        }
        let unread = |error| Failure::new(2, format!("cannot read {folder}: {error}"));
        let entries = fs::read_dir(&self.file).map_err(unread)?.collect::<Result<Vec<_>, _>>().map_err(unread)?;
        let mut files: Vec<PathBuf> = entries.into_iter().map(|entry| entry.path()).collect();
        files.retain(|file| file.extension().is_some_and(|ending| ending == "toml"));
        files.sort();
        if files.is_empty() {
            return Err(Failure::input_message(format!("there is no study in {folder}"), "files called NAME.toml"));
        }
        let studies = files.iter().map(|file| Ok((&**file, self.load(file)?))).collect::<Result<Vec<_>, Failure>>()?;
        let (mut claims, mut ended, interrupted) = (vec![], vec![], Interrupt::watch());
        let of_all = ProgramDigests::default();
        for (file, study) in &studies {
            // A study may run for hours: a source that was edited meanwhile is another program for the next one.
            let (mut measured, own) = (None, ProgramDigests::default());
            let programs = if self.no_run { &of_all } else { &own };
            let keep = |outcome: &StudyOutcome| measured = Some(outcome.kept_claims(""));
            ended.push(self.measured((file, study, programs), terminal, None, keep));
            // One that could not begin has claims that are not measured.
            claims.push(measured.unwrap_or_else(|| StudyOutcome::without_runs(study).kept_claims("")));
            if interrupted.is_asked() {
                ended.insert(0, Err(Failure::said(interrupt::CODE)));
                break;
            }
            ended.push(print(""));
        }
        ended.push(print(&table_of_claims(&claims)));
        Failure::first_of(ended)
    }

    fn load(&self, file: &Path) -> Result<StudyFile, Failure> {
        let most = (!self.yes && !self.no_run).then_some(MANY_RUNS);
        let mut study = StudyFile::load(file, most).map_err(|error| match error {
            StudyError::File(mistake) => Failure::input(*mistake),
            error => Failure::input(error),
        })?;
        if self.quick {
            study.make_quick().map_err(|mistake| Failure::input(*mistake))?;
        }
        Ok(study)
    }

    /// Runs what is missing of this study, and says what came out, also to `look`.
    fn measured(
        &self,
        (file, study, programs): (&Path, &StudyFile, &ProgramDigests),
        terminal: Terminal,
        monitor: Option<&Monitor>,
        look: impl FnOnce(&StudyOutcome),
    ) -> Result<(), Failure> {
        let runs = StudyRuns {
            study,
            folder: self.folder.as_deref().or(file.parent()).unwrap_or(Path::new("")),
            out: &self.out,
            at_a_time: self.jobs,
            only_kept: self.no_run,
            engine: None,
            programs,
            monitor,
        };
        if self.worker {
            let dead_after = Duration::from_secs(self.stale_after.into());
            Worker { runs, part: self.part, dead_after, retry: self.retry }.run(terminal)?;
            let said = "this worker has no more to do; the plain `study` prints the table";
            monitor.iter().for_each(|monitor| monitor.end("completed".into(), said.into()));
            return Ok(());
        }
        let quick = self.quick;
        let record = StudyRecording::begin((self.record.as_deref(), self.force), &runs, Some(file), quick)?;
        let (end, left) = if self.slurm.slurm {
            let args = &self.slurm;
            Slurm { runs, args, file, quick, stale_after: self.stale_after }.run(terminal)?
        } else {
            (runs.run(terminal)?, Ok(()))
        };
        // What was whole before stays where runs of this call's program or configuration are not there.
        if !self.no_run || end.missing == 0 {
            self.write(file, &end.outcome)?;
        }
        look(&end.outcome);
        call::report(|| end.outcome.to_string().trim_end().to_string(), || end.outcome.json());
        let recorded = record.map_or(Ok(()), |record| record.end(&end));
        let text = match (self.json, self.csv) {
            (true, _) => end.outcome.json(),
            (_, true) => end.outcome.csv().trim_end().to_string(),
            _ => end.outcome.to_string().trim_end().to_string(),
        };
        let printed = print(&text);
        end.show(monitor, &text);
        end.finish([printed, recorded, left])
    }

    /// Table, page with the claims, the same as JSON, lines, all of the outcome as JSON, and chart, called as the study file.
    fn write(&self, file: &Path, outcome: &StudyOutcome) -> Result<(), Failure> {
        let stem = file.file_stem().unwrap_or_default().to_string_lossy();
        let stem = format!("{stem}{}", if self.quick { "-quick" } else { "" });
        let svg = outcome.svg().map_err(|error| Failure::new(4, error))?;
        let quick = if self.quick { " --quick" } else { "" };
        let command = format!("warpmesh study {}{quick}", file.display());
        let files = [
            ("txt", outcome.to_string()),
            ("md", outcome.markdown(&command)),
            ("claims.json", outcome.kept_claims(&command).json()),
            ("csv", outcome.csv()),
            ("json", outcome.json()),
            ("svg", svg),
        ];
        fs::create_dir_all(&self.out)
            .map_err(|error| Failure::new(2, format!("cannot make {}: {error}", self.out.display())))?;
        for (ending, text) in files {
            // It is this study's own from an earlier call; what it was made from is kept.
            NewFile::claim(&self.out.join(format!("{stem}.{ending}")), true)?.write(&text)?;
        }
        Ok(())
    }
}

/// How many claims hold, of each study and of all.
fn table_of_claims(studies: &[KeptClaims]) -> String {
    let rows = tally(studies).into_iter().map(|(study, counts)| (study.map_or("all", |study| &study.title), counts));
    let rows: Vec<(&str, [usize; 4])> = rows.collect();
    let wide = rows.iter().map(|(title, _)| title.chars().count()).max().unwrap_or(0).max(6);
    let head = format!("{:wide$}  {:>5}  {:>4}  {:>3}  {:>12}", "claims", "holds", "part", "not", "not measured");
    let row = |(title, [holds, part, not, missing]): &(&str, [usize; 4])| {
        format!("\n{title:wide$}  {holds:>5}  {part:>4}  {not:>3}  {missing:>12}")
    };
    head + &rows.iter().map(row).collect::<String>()
}
