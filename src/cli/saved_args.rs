//! `--save` and `--resume`: a run in several parts, each of them a process of its own.

use super::{Failure, output::NewFile};
use clap::Args;
use common::{files, output, program_file};
use measure::{
    host::run::RunState,
    saved_run::{RunIdentity, SavedRun, SavedSeries, is_saved_run},
};
use std::{
    fs::{self, File},
    io::Read,
    path::{Path, PathBuf},
};
use tracing::{info, warn};

/// Bytes that are read of a saved run.
const LARGEST: u64 = 64 << 30;

/// Bytes that tell whether a file is one.
const MOST_OF_MAGIC: u64 = 8;

/// Saving and resuming.
#[derive(Args, Debug)]
pub struct SavedArgs {
    /// Save the run when --max-cycles, --max-seconds or Ctrl-C ends it: chip, DRAM, host, statistics, samples. --resume goes on from there.
    #[arg(long, value_name = "FILE")]
    pub save: Option<PathBuf>,
    /// Also save it every N cycles. The file is replaced as a whole: what interrupts the writing leaves the one before.
    #[arg(long, value_name = "N", requires = "save", value_parser = clap::value_parser!(u64).range(1..))]
    pub every: Option<u64>,
    /// Go on from a saved run of the same chip, kernel, size, parameters and seed, of this version. Cycles count from the start of the
    /// kernel, and the report is that of a run in a piece, but for the speed. Engine, threads and passes are free, --no-intrinsics is not;
    /// --samples, --record and --snapshots have to be those of the saved run, or left out; a waveform has the cycles from there on.
    #[arg(long, value_name = "FILE", conflicts_with = "trace")]
    pub resume: Option<PathBuf>,
}

/// Where a run goes on, and where it is saved.
pub struct Saved<'a> {
    args: &'a SavedArgs,
    /// What runs, where that matters.
    run: Option<RunIdentity>,
    force: bool,
    /// From which it goes on.
    pub from: Option<SavedRun>,
    /// The last cycle that was saved, or why it could not be written.
    last: Option<Result<u64, Failure>>,
}

impl SavedArgs {
    /// Reads the saved run, which has to be of `run` and to have these `series`, and looks whether the file can be written, before anything
    /// is computed.
    pub fn claim(&self, run: impl Fn() -> RunIdentity, series: &[String], force: bool) -> Result<Saved<'_>, Failure> {
        let run = (self.save.is_some() || self.resume.is_some()).then(run);
        let from = self.resume.as_deref().zip(run.as_ref()).map(|(file, run)| read(file, run, series)).transpose()?;
        if run.is_some() {
            // Now: a program that is built again while it runs cannot be read any more.
            let unreadable = |error| Failure::new(2, format!("cannot read the program itself: {error}"));
            program_file::digest().map_err(unreadable)?;
        }
        let saved = Saved { args: self, run, force, from, last: None };
        if let Some(file) = &self.save {
            saved.allow(file)?;
            NewFile::claim(file, true)?;
        }
        Ok(saved)
    }
}

impl Saved<'_> {
    /// The cycle that it goes on from; 0: from the start.
    pub fn cycle(&self) -> u64 {
        self.from.as_ref().map_or(0, |saved| saved.state.cycle)
    }

    /// Cycles from one saved state to the next; 0: only the last one.
    pub fn every(&self) -> u64 {
        self.args.every.unwrap_or(0)
    }

    /// States are to be saved.
    pub fn is_wanted(&self) -> bool {
        self.args.save.is_some()
    }

    /// Saves a state. A run does not end because its state cannot be written; see [`end`](Self::end).
    pub fn keep(&mut self, state: RunState, series: Vec<SavedSeries>) {
        let (Some(file), Some(run)) = (&self.args.save, self.run.clone()) else { return };
        let cycle = state.cycle;
        let content = SavedRun { run, state, series }.to_bytes();
        let unwritable = |cause| Failure::new(2, format!("cannot write {}: {cause}", file.display()));
        let written = allow_any(file).and_then(|()| output::write(file, &content, true).map_err(unwritable));
        match &written {
            Ok(()) => info!("saved cycle {cycle} to {}: {} bytes", file.display(), content.len()),
            Err(failure) => failure.reports.iter().for_each(|report| warn!("cycle {cycle} is not saved: {report}")),
        }
        self.last = Some(written.map(|()| cycle));
    }

    /// Whether the last state is in the file; says which it is.
    pub fn end(self) -> Result<(), Failure> {
        if let (Some(cycle), Some(file)) = (self.last.transpose()?, &self.args.save) {
            let file = file.display();
            eprintln!("saved at cycle {cycle}; to go on from there: --resume {file}");
        }
        Ok(())
    }

    /// Replaces earlier states of this run; other runs if that was asked for; nothing else.
    fn allow(&self, file: &Path) -> Result<(), Failure> {
        allow_any(file)?;
        if self.force || fs::symlink_metadata(file).is_err() {
            return Ok(());
        }
        let there = files::read(file, LARGEST).ok().and_then(|bytes| SavedRun::from_bytes(&bytes).ok());
        if there.is_some_and(|saved| Some(saved.run) == self.run) {
            return Ok(());
        }
        let message = format!("{} exists and is not a saved state of this run", file.display());
        Err(Failure::input_message(message, "choose another file, or --force to replace it"))
    }
}

/// Refuses to replace what is no saved run.
fn allow_any(file: &Path) -> Result<(), Failure> {
    // What is no regular file, or cannot be read, is nothing that we have written.
    let ours = || {
        let mut first = vec![];
        let is_file = fs::metadata(file).is_ok_and(|about| about.is_file());
        let read = is_file.then(|| File::open(file)?.take(MOST_OF_MAGIC).read_to_end(&mut first));
        read.is_some_and(|read| read.is_ok()) && is_saved_run(&first)
    };
    if fs::symlink_metadata(file).is_err() || ours() {
        return Ok(());
    }
    let message = format!("{} exists and is not a saved run", file.display());
    Err(Failure::input_message(message, "choose another file"))
}

fn read(file: &Path, run: &RunIdentity, series: &[String]) -> Result<SavedRun, Failure> {
    let refused = |why: &dyn std::fmt::Display, help: &str| {
        Failure::input_message(format!("cannot resume {}: {why}", file.display()), help)
    };
    let bytes = files::read(file, LARGEST).map_err(|cause| refused(&cause, "name a file that --save has written"))?;
    let saved = SavedRun::from_bytes(&bytes).and_then(|saved| run.allow(&saved.run).map(|()| saved));
    let saved = saved.map_err(|error| refused(&error, error.help()))?;
    if let Some(why) = SavedSeries::missing(&saved.series, series) {
        return Err(refused(&why, "sample the same as there, or leave it out"));
    }
    info!("going on from cycle {} of {}", saved.state.cycle, file.display());
    Ok(saved)
}
