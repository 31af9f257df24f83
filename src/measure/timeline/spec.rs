//! Which timeline a person wants (`--trace`, `--window`), and a run with one.

use super::Timeline;
use crate::{
    host::{IssueTrace, driver::Host},
    wave::{file_end, window_of},
};
use program::Launch;
use rtl::chip::Chip;
use sim::{SimError, Simulator};
use std::{
    fmt,
    path::{Path, PathBuf},
    str::FromStr,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};
use thiserror::Error;

/// `FILE.pftrace[@FROM..TO]`: cycles of the cores from the start of the kernel; either end may be left out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TimelineSpec {
    file: PathBuf,
    from: u64,
    until: Option<u64>,
}

/// Why there is no timeline.
#[derive(Debug, Error)]
pub enum TimelineError {
    /// The run was over before.
    #[error("{} is not written: the run ended after {after} cycles, its window begins at cycle {from}", file.display())]
    NotReached {
        /// The file.
        file: PathBuf,
        /// Cycles of the run.
        after: u64,
        /// Start of the window.
        from: u64,
    },
    /// It would be wrong.
    #[error(
        "{} is not written: {events} replies, flits or DRAM commands match no request, which is an error of this program",
        file.display()
    )]
    Unmatched {
        /// The file.
        file: PathBuf,
        /// How many.
        events: u64,
    },
}

impl FromStr for TimelineSpec {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let Some((end, ())) = file_end(text, &[(".pftrace", ())]).filter(|(end, ())| *end > ".pftrace".len()) else {
            return Err(format!("`{text}`: the file has to end in .pftrace"));
        };
        let (file, rest) = text.split_at(end);
        let (from, until) = match rest.strip_prefix('@') {
            Some(window) => window_of(window)?,
            None if rest.is_empty() => (0, None),
            None => return Err(format!("`{rest}`: a window follows the file: {file}@FROM..TO")),
        };
        Ok(Self { file: file.into(), from, until })
    }
}

impl fmt::Display for TimelineSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, from, until } = self;
        write!(f, "{}@{from}..", file.display())?;
        until.map_or(Ok(()), |until| write!(f, "{until}"))
    }
}

impl TimelineSpec {
    /// With the window of another option, if it has none of its own.
    ///
    /// # Errors
    /// It has two, in words.
    pub fn with_window(self, window: Option<(u64, Option<u64>)>) -> Result<Self, String> {
        match window {
            None => Ok(self),
            Some((from, until)) if (self.from, self.until) == (0, None) => Ok(Self { from, until, ..self }),
            Some(_) => Err(format!("--trace {self} has a window, and --window is another one")),
        }
    }

    /// In another file.
    pub fn at(self, file: PathBuf) -> Self {
        Self { file, ..self }
    }

    /// Its file.
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// Starts to look, on a host that has not started its kernel.
    pub fn attach(&self, chip: &Chip, launch: &Launch, host: &mut Host) -> Result<RunTimeline, SimError> {
        let window = self.from..self.until.unwrap_or(u64::MAX);
        let simulator = host.simulator();
        let cores: Vec<_> = (0..chip.core_nodes().len()).collect();
        let slots = IssueTrace::new(chip, launch, simulator, &cores, window.clone())?;
        let timeline = Arc::new(Mutex::new(Some(Timeline::new(chip, simulator, window)?)));
        let looks = timeline.clone();
        host.observe(Box::new(move |simulator, _| {
            if let Some(timeline) = &mut *locked(&looks) {
                timeline.observe(simulator);
            }
        }));
        Ok(RunTimeline { spec: self.clone(), timeline, slots })
    }
}

/// The host's part looks at every instant, the run's at every cycle; never at the same time.
type Shared = Arc<Mutex<Option<Timeline>>>;

fn locked(timeline: &Shared) -> MutexGuard<'_, Option<Timeline>> {
    timeline.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A timeline of a run in the making.
pub struct RunTimeline {
    spec: TimelineSpec,
    timeline: Shared,
    slots: IssueTrace,
}

impl RunTimeline {
    /// After cycle `cycle` of the kernel; 0: when it starts.
    pub fn cycle(&mut self, simulator: &mut Simulator, cycle: u64) {
        if let (Some(timeline), 0) = (&mut *locked(&self.timeline), cycle) {
            timeline.begin(simulator);
        }
        self.slots.cycle(simulator, cycle);
    }

    /// The content of the file, of a run of so many cycles.
    ///
    /// # Errors
    /// There is nothing to show, or it would be wrong.
    pub fn finish(self, cycles: u64) -> Result<Vec<u8>, TimelineError> {
        let Self { spec: TimelineSpec { file, from, .. }, timeline, slots } = self;
        if from >= cycles.max(1) {
            return Err(TimelineError::NotReached { file, after: cycles, from });
        }
        let timeline = locked(&timeline).take().expect("a run ends once");
        let content = timeline.finish(Some(&slots.finish(cycles)), cycles);
        content.map_err(|events| TimelineError::Unmatched { file, events })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_and_windows_are_read() {
        for (text, file, from, until) in [
            ("a/b.pftrace", "a/b.pftrace", 0, None),
            ("a@b/c.pftrace@5..9", "a@b/c.pftrace", 5, Some(9)),
            ("c.pftrace@5..", "c.pftrace", 5, None),
        ] {
            let spec: TimelineSpec = text.parse().expect("legal");
            assert_eq!(spec, TimelineSpec { file: file.into(), from, until });
            assert_eq!(spec.to_string().parse::<TimelineSpec>().as_ref(), Ok(&spec));
        }
        for (text, why) in [
            (".pftrace", "`.pftrace`: the file has to end in .pftrace"),
            ("x.json", "`x.json`: the file has to end in .pftrace"),
            ("x.pftrace:core0", "`:core0`: a window follows the file: x.pftrace@FROM..TO"),
            ("x.pftrace@7..7", "`@7..7`: the window ends before it starts"),
        ] {
            assert_eq!(text.parse::<TimelineSpec>().expect_err("wrong on purpose"), why);
        }
    }
}
