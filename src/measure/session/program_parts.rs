//! A program in several parts, each of them a process that runs it from its beginning: the launches of an earlier part
//! are answered from its file, the one that was at work goes on, and states are saved on the way.

use super::{
    Record,
    launch_digest::LaunchDigest,
    pages::put_changes,
    saved_program::{EndedLaunch, LaunchAtWork, LaunchResult, ProgramIdentity, SavedProgram},
};
use crate::{
    host::{HostError, run::RunState},
    saved_run::{SavedRunError, SavedSeries, is_saved_program},
};
use common::{files, output};
use program::Launch;
use std::{
    fs::{self, File},
    io::Read,
    path::{Path, PathBuf},
};
use tracing::{info, warn};

/// Bytes that are read of a saved program.
const LARGEST: u64 = 64 << 30;
/// Bytes that tell whether a file is one.
const MOST_OF_MAGIC: u64 = 8;

/// Where a program goes on, and where it is saved.
#[derive(Clone, Debug)]
pub struct ProgramParts {
    /// What writes and reads the files.
    build: String,
    file: Option<PathBuf>,
    every: u64,
    /// What has been done so far in this part; of an earlier part, all that was done there.
    state: SavedProgram,
    /// Launches of the earlier part that this one has had.
    had: usize,
    /// Launches that were there when this part began.
    of_earlier: usize,
    /// The launch that has begun and is none of those.
    begun: Option<(usize, LaunchDigest)>,
    /// Cycles of launches on the chip that have ended.
    cycles: u64,
    /// A limit or somebody has ended a launch: what comes then is no part of the program.
    over: bool,
    /// The program is another one.
    differs: bool,
    last: Option<Result<String, String>>,
}

/// What is to be done for a launch.
pub(super) enum LaunchPart {
    /// Nothing: this is its result.
    Answer(LaunchResult),
    /// It goes on from here, with these series.
    Resume(RunState, Vec<SavedSeries>),
    /// It is executed from its start; these series go on before, and this is the chip after the launch before, if that is kept.
    Start(Vec<SavedSeries>, Option<Vec<u8>>),
}

impl ProgramParts {
    /// Of a program that begins, saved by a build of warpmesh.
    pub fn new(build: String, program: ProgramIdentity) -> Self {
        let state = SavedProgram { program, ended: vec![], at_work: None, series: vec![], after_launch: None };
        let (had, of_earlier, cycles) = (0, 0, 0);
        let (file, every, begun, last) = (None, 0, None, None);
        Self { build, file, every, state, had, of_earlier, begun, cycles, over: false, differs: false, last }
    }

    /// Saves to a file, also every so many cycles on the chip, if not 0.
    ///
    /// # Errors
    /// When there is something else, or it cannot be written.
    pub fn save_to(&mut self, file: PathBuf, every: u64) -> Result<(), String> {
        allow(&file)?;
        output::check(&file).map_err(|error| format!("cannot write {}: {error}", file.display()))?;
        (self.file, self.every) = (Some(file), every);
        Ok(())
    }

    /// Goes on from a file of the same program, with these series.
    ///
    /// # Errors
    /// Why not, and what can be done.
    pub fn resume(&mut self, file: &Path, series: &[String]) -> Result<(), String> {
        let refused =
            |why: &dyn std::fmt::Display, help: &str| format!("cannot resume {}: {why}; {help}", file.display());
        let bytes =
            files::read(file, LARGEST).map_err(|cause| refused(&cause, "name a file that --save has written"))?;
        let saved = SavedProgram::from_bytes(&bytes, &self.build);
        let saved = saved.and_then(|saved| self.state.program.allow(&saved.program).map(|()| saved));
        let saved = saved.map_err(|error: SavedRunError| refused(&error, error.help()))?;
        if let Some(why) = SavedSeries::missing(&saved.series, series) {
            return Err(refused(&why, "sample the same as there, or leave it out"));
        }
        self.of_earlier = saved.ended.len();
        self.state = saved;
        Ok(())
    }

    /// The launch that goes on and its cycle; 0: it starts.
    pub fn place(&self) -> (usize, u64) {
        (self.state.goes_on_with(), self.state.at_work.as_ref().map_or(0, |at_work| at_work.state.cycle))
    }

    /// What is to be done for launch number `number`, which is about to begin.
    pub(super) fn next(&mut self, number: usize, launch: &Launch) -> Result<LaunchPart, HostError> {
        self.begun = None;
        if self.over {
            return Ok(LaunchPart::Start(vec![], None));
        }
        let digest = LaunchDigest::new(launch);
        if let Some(ended) = self.state.ended[..self.of_earlier].get(self.had) {
            if let Some(why) = difference((number, &digest), (ended.number, &ended.digest)) {
                return self.refuse(why);
            }
            self.had += 1;
            return Ok(match &ended.result {
                Some(result) => {
                    self.cycles += result.record.cycles.unwrap_or(0);
                    LaunchPart::Answer(result.clone())
                }
                None => LaunchPart::Start(vec![], None),
            });
        }
        let series = std::mem::take(&mut self.state.series);
        let after_launch = self.state.after_launch.take();
        if let Some(at_work) = &self.state.at_work
            && let Some(why) = difference((number, &digest), (at_work.number, &at_work.digest))
        {
            return self.refuse(why);
        }
        self.begun = Some((number, digest));
        Ok(match self.state.at_work.take() {
            Some(at_work) => LaunchPart::Resume(at_work.state, series),
            None => LaunchPart::Start(series, after_launch),
        })
    }

    fn refuse(&mut self, why: String) -> Result<LaunchPart, HostError> {
        (self.differs, self.over) = (true, true);
        Err(HostError::OtherProgram(why))
    }

    /// States of launches are wanted.
    pub(super) fn is_saved(&self) -> bool {
        self.file.is_some() && !self.over && self.begun.is_some()
    }

    /// Cycles from one state to the next, and those before this launch.
    pub(super) fn intervals(&self) -> [u64; 2] {
        [self.every, self.cycles]
    }

    /// Saves the launch that has begun.
    pub(super) fn keep(&mut self, state: RunState, series: Vec<SavedSeries>) {
        let Some((number, digest)) = self.begun.clone() else { return };
        self.state.at_work = Some(LaunchAtWork { number, digest, state });
        self.state.series = series;
        self.write();
        // They are not needed again.
        (self.state.at_work, self.state.series) = (None, vec![]);
    }

    /// A limit or somebody ends the program before a launch, or in an emulated one.
    pub(super) fn keep_before_launch(&mut self, state: impl FnOnce() -> (Vec<SavedSeries>, Option<Vec<u8>>)) {
        if self.over {
            return;
        }
        self.over = true;
        // Those of an earlier part hold still until its launches have all come and the next one has begun.
        let waits = !self.state.series.is_empty() || self.state.after_launch.is_some();
        if self.had == self.of_earlier && self.state.at_work.is_none() && !waits {
            (self.state.series, self.state.after_launch) = state();
        }
        self.write();
    }

    fn write(&mut self) {
        let Some(file) = &self.file else { return };
        let (number, cycle) = self.place();
        let content = self.state.to_bytes(&self.build);
        let unwritable = |cause| format!("cannot write {}: {cause}", file.display());
        let written = allow(file).and_then(|()| output::write(file, &content, true).map_err(unwritable));
        let place = match cycle {
            0 => format!("before launch {number}"),
            cycle => format!("in launch {number}, at cycle {cycle}"),
        };
        match &written {
            Ok(()) => info!("saved {place} to {}: {} bytes", file.display(), content.len()),
            Err(problem) => warn!("what is {place} is not saved: {problem}"),
        }
        self.last = Some(written.map(|()| format!("saved {place}; to go on from there: --resume {}", file.display())));
    }

    /// The launch has ended on the chip: its memory before and `after`.
    pub(super) fn ended_on_chip<'d>(
        &mut self,
        record: &Record,
        buffers: impl IntoIterator<Item = (&'d [u8], &'d [u8])>,
    ) {
        let Some((number, digest)) = self.begun.take() else { return };
        self.cycles += record.cycles.unwrap_or(0);
        let result = self.file.is_some().then(|| {
            let mut changes = vec![];
            put_changes(&mut changes, buffers);
            LaunchResult { record: record.clone(), changes }
        });
        self.state.ended.push(EndedLaunch { number, digest, result });
    }

    /// The launch has ended on the emulator, or in an error: it is executed again in the next part.
    pub(super) fn ended_otherwise(&mut self) {
        if let Some((number, digest)) = self.begun.take().filter(|_| !self.over) {
            self.state.ended.push(EndedLaunch { number, digest, result: None });
        }
    }

    /// The launch has been ended by a limit or by somebody; what comes then is not saved.
    pub(super) fn is_over(&mut self) {
        self.over = true;
    }

    /// A launch was not that of the saved program.
    pub fn differs(&self) -> bool {
        self.differs
    }

    /// Where the last state is, or why it is not; nothing: there is none.
    pub fn saved(&self) -> Option<Result<&str, &str>> {
        self.last.as_ref().map(|last| last.as_deref().map_err(String::as_str))
    }

    /// Why a program that has ended after so many launches is not the one that was saved.
    pub fn not_reached(&self, launched: usize) -> Option<String> {
        let there = self.state.ended[..self.of_earlier].get(self.had).map(|ended| ended.number);
        let there = there.or(self.state.at_work.as_ref().map(|at_work| at_work.number)).filter(|_| !self.over)?;
        Some(format!(
            "this is not the program that was saved: it has ended after {launched} launches, and launch {there} was to come"
        ))
    }
}

/// Why a launch is not the one that it was.
fn difference((number, here): (usize, &LaunchDigest), (of, there): (usize, &LaunchDigest)) -> Option<String> {
    let why = match number == of {
        true => here.difference(there)?,
        false => format!("launch {of} was the next one that reached the device"),
    };
    Some(format!("launch {number}, {}, is not that of the program that was saved: {why}", here.kernel))
}

/// Refuses to replace what is no saved program.
fn allow(file: &Path) -> Result<(), String> {
    match fs::symlink_metadata(file).is_err() || is_one(file) {
        true => Ok(()),
        false => Err(format!("{} exists and is not a saved program", file.display())),
    }
}

/// The file is a saved program, of whatever version and whether complete or not.
pub fn is_one(file: &Path) -> bool {
    // What is no regular file, or cannot be read, is nothing that we have written.
    let mut first = vec![];
    let is_file = fs::metadata(file).is_ok_and(|about| about.is_file());
    let read = is_file.then(|| File::open(file)?.take(MOST_OF_MAGIC).read_to_end(&mut first));
    read.is_some_and(|read| read.is_ok()) && is_saved_program(&first)
}
