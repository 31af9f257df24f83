//! Waveforms and traces of launches of a session.

use crate::{
    host::{HostError, IssueTrace, driver::Host},
    issue_spec::IssueSpec,
    timeline::{RunTimeline, TimelineSpec},
    wave::WaveSpec,
};
use common::output;
use program::Launch;
use rtl::chip::Chip;
use sim::{Moment, SimError, Simulator};
use std::{
    fmt, fs,
    path::{Path, PathBuf},
};

/// What is to be recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TraceSpec {
    /// A waveform.
    Wave(WaveSpec),
    /// What issue slots are used for.
    Issue(IssueSpec),
    /// A timeline.
    Timeline(TimelineSpec),
}

impl TraceSpec {
    /// Its file.
    pub fn file(&self) -> &Path {
        match self {
            Self::Wave(spec) => spec.file(),
            Self::Issue(spec) => spec.file(),
            Self::Timeline(spec) => spec.file(),
        }
    }

    /// The same in another file.
    #[must_use]
    pub fn at(self, file: PathBuf) -> Self {
        match self {
            Self::Wave(spec) => Self::Wave(spec.at(file)),
            Self::Issue(spec) => Self::Issue(spec.at(file)),
            Self::Timeline(spec) => Self::Timeline(spec.at(file)),
        }
    }

    fn name(&self) -> &'static str {
        match self {
            Self::Wave(_) => "waveform",
            Self::Issue(_) => "issue slots",
            Self::Timeline(_) => "timeline",
        }
    }
}

impl fmt::Display for TraceSpec {
    /// As it is read.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Wave(spec) => spec.fmt(f),
            Self::Issue(spec) => spec.fmt(f),
            Self::Timeline(spec) => spec.fmt(f),
        }
    }
}

/// What is to be recorded of which launch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LaunchTrace {
    /// File, selection, window.
    pub spec: TraceSpec,
    /// The launch, from 1; without it, the first one on the chip.
    pub launch: Option<usize>,
}

/// What has become of it.
#[derive(Clone, Debug, PartialEq, Eq)]
enum RecordingState {
    /// The launch has not come yet.
    Wanted,
    /// The launch with this number has begun, and nothing is recorded so far.
    Begun(usize),
    /// It is in the file.
    Recorded(usize),
    /// It is not, or not all of it, and why.
    Failed(String),
}

/// What looks at a launch.
enum Looking {
    /// The simulation itself; until then, when the launch was started, if it goes on.
    Wave(Option<Option<Moment>>),
    Issue(IssueTrace),
    Timeline(RunTimeline),
}

/// Something that is recorded when its launch comes.
pub(super) struct Recording {
    wanted: LaunchTrace,
    state: RecordingState,
    looking: Option<Looking>,
}

impl Recording {
    pub fn new(wanted: LaunchTrace) -> Self {
        Self { wanted, state: RecordingState::Wanted, looking: None }
    }

    /// The launch with this number begins on the chip, on a host that has not started it, or goes on, when it has been started at
    /// `start`. Returns whether it is the one.
    pub fn begins(
        &mut self,
        number: usize,
        (chip, launch): (&Chip, &Launch),
        host: &mut Host,
        start: Option<Moment>,
    ) -> Result<bool, HostError> {
        let is_it = self.state == RecordingState::Wanted && self.wanted.launch.is_none_or(|launch| launch == number);
        if !is_it {
            return Ok(false);
        }
        self.state = RecordingState::Begun(number);
        let looking = match &self.wanted.spec {
            TraceSpec::Wave(_) => Ok(Looking::Wave(Some(start))),
            TraceSpec::Issue(spec) => match spec.cores(chip) {
                Ok(cores) => Ok(Looking::Issue(spec.attach(chip, launch, host.simulator(), &cores))),
                Err(error) => {
                    self.state = RecordingState::Failed(error.to_string());
                    return Ok(true);
                }
            },
            TraceSpec::Timeline(spec) => spec.attach(chip, launch, host).map(Looking::Timeline),
        };
        self.looking = Some(looking?);
        Ok(true)
    }

    /// After cycle `cycle` of the kernel; 0: before its first one.
    pub fn cycle(&mut self, simulator: &mut Simulator, cycle: u64) -> Result<(), SimError> {
        match (&mut self.looking, &self.wanted.spec) {
            (Some(Looking::Wave(wanted)), TraceSpec::Wave(spec)) => {
                let Some(start) = wanted.take() else { return Ok(()) };
                let attached = spec.attach(simulator, start.unwrap_or(simulator.moment()));
                if let Err(error) = &attached {
                    self.state = RecordingState::Failed(format!("{} is not written: {error}", spec.file().display()));
                }
                attached
            }
            (Some(Looking::Issue(trace)), _) => {
                trace.cycle(simulator, cycle);
                Ok(())
            }
            (Some(Looking::Timeline(timeline)), _) => {
                timeline.cycle(simulator, cycle);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Its launch has ended after so many cycles, or in an error.
    pub fn finish(&mut self, simulator: &mut Simulator, cycles: Option<u64>) {
        let (RecordingState::Begun(number), Some(looking)) = (&self.state, self.looking.take()) else { return };
        let number = *number;
        let file = self.wanted.spec.file();
        let content = match looking {
            Looking::Wave(_) => {
                self.state = finish_wave(simulator, file, number, cycles);
                return;
            }
            _ if cycles.is_none() => {
                Err(format!("{} is not written: launch {number} ended in an error", file.display()))
            }
            Looking::Issue(trace) => {
                let slots = trace.finish(cycles.unwrap_or(0));
                match &self.wanted.spec {
                    TraceSpec::Issue(spec) => spec.content(&slots).map_err(|error| error.to_string()),
                    _ => return,
                }
            }
            Looking::Timeline(timeline) => timeline.finish(cycles.unwrap_or(0)).map_err(|error| error.to_string()),
        };
        let written = content.and_then(|content| {
            let written = output::write(file, &content, true);
            written.map_err(|error| format!("{} cannot be written: {error}", file.display()))
        });
        self.state = match written {
            Ok(()) => RecordingState::Recorded(number),
            Err(why) => RecordingState::Failed(why),
        };
    }

    /// Where what of which launch is.
    pub fn recorded(&self) -> Option<String> {
        match self.state {
            RecordingState::Recorded(number) => {
                let LaunchTrace { spec, .. } = &self.wanted;
                Some(format!("launch {number}: {} in {}", spec.name(), spec.file().display()))
            }
            _ => None,
        }
    }

    /// Why there is none, after so many launches.
    pub fn problem(&self, launched: usize) -> Option<String> {
        let file = self.wanted.spec.file().display();
        match (&self.state, self.wanted.launch) {
            (RecordingState::Recorded(_), _) => None,
            (RecordingState::Failed(why), _) => Some(why.clone()),
            (RecordingState::Begun(number), _) => {
                Some(format!("{file} is not complete: launch {number} has not ended"))
            }
            (RecordingState::Wanted, None) => {
                Some(format!("{file} is not written: no launch was simulated on the chip"))
            }
            (RecordingState::Wanted, Some(launch)) if launch > launched => {
                let found = super::launches_found(launched);
                Some(format!("{file} is not written: launch {launch} was to be recorded, and {found}"))
            }
            (RecordingState::Wanted, Some(launch)) => {
                Some(format!("{file} is not written: launch {launch} was not simulated on the chip"))
            }
        }
    }
}

/// A waveform of a launch with this number has ended, after so many cycles or in an error.
fn finish_wave(simulator: &mut Simulator, file: &Path, number: usize, cycles: Option<u64>) -> RecordingState {
    let mut unreached = simulator.unreached_waves();
    unreached.retain(|(path, _)| path == file);
    match (simulator.finish_waves(), unreached.first(), cycles) {
        (Err(error), ..) => RecordingState::Failed(error.to_string()),
        (Ok(()), Some((path, from)), cycles) => {
            // There is no cycle in it.
            _ = fs::remove_file(path);
            let after = cycles.map_or("in an error".into(), |cycles| format!("after {cycles} cycles"));
            let file = file.display();
            RecordingState::Failed(format!("{file} is not written: launch {number} ended {after}, before cycle {from}"))
        }
        (Ok(()), None, _) => RecordingState::Recorded(number),
    }
}
