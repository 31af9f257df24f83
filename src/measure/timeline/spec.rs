//! Which timeline a person wants (`--trace`, `--window`), and a run with one.

use super::Timeline;
use crate::{
    host::{IssueTrace, driver::Host},
    wave::{file_end, window_of},
};
use program::Launch;
use rtl::chip::Chip;
use sim::{SimError, Simulator, free_memory};
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
    /// What is to be shown does not fit into memory.
    #[error(
        "{} is not written: {} MiB were kept of the cycles up to {cycle}, and with those behind memory would not do for all",
        file.display(),
        held >> 20
    )]
    Memory {
        /// The file.
        file: PathBuf,
        /// The last cycle that was looked at.
        cycle: u64,
        /// Bytes.
        held: u64,
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
        let slots = IssueTrace::new(chip, launch, simulator, &cores, window.clone());
        let timeline = Arc::new(Mutex::new(Some(Timeline::new(chip, simulator, window)?)));
        let looks = timeline.clone();
        host.observe(Box::new(move |simulator, _| {
            if let Some(timeline) = &mut *locked(&looks) {
                timeline.observe(simulator);
            }
        }));
        let slots = Some(slots);
        Ok(RunTimeline { spec: self.clone(), timeline, slots, fits, dropped: None })
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
    slots: Option<IssueTrace>,
    /// Whether memory does for a file of what takes so many bytes.
    fits: fn(u64) -> bool,
    /// Where it did not, and how many bytes there were: nothing is kept any more.
    dropped: Option<(u64, u64)>,
}

/// Cycles from one look at memory to the next.
const LOOK: u64 = 1024;
/// Bytes for which nobody asks.
const SMALL: u64 = 64 << 20;

/// Joining them and the file take as many again, and some are left to others.
fn fits(held: u64) -> bool {
    held < SMALL || free_memory::left().is_none_or(|left| held.saturating_mul(2) <= left)
}

impl RunTimeline {
    /// After cycle `cycle` of the kernel; 0: when it starts.
    pub fn cycle(&mut self, simulator: &mut Simulator, cycle: u64) {
        if let (Some(timeline), 0) = (&mut *locked(&self.timeline), cycle) {
            timeline.begin(simulator);
        }
        self.slots.iter_mut().for_each(|slots| slots.cycle(simulator, cycle));
        if cycle.is_multiple_of(LOOK) && self.dropped.is_none() {
            let slots = self.slots.as_ref().map_or(0, IssueTrace::held);
            let mut timeline = locked(&self.timeline);
            let held = timeline.as_ref().map_or(0, Timeline::held) + slots;
            if !(self.fits)(held) {
                self.dropped = Some((cycle, held));
                (*timeline, self.slots) = (None, None);
            }
        }
    }

    /// The content of the file, of a run of so many cycles.
    ///
    /// # Errors
    /// There is nothing to show, too much, or it would be wrong.
    pub fn finish(self, cycles: u64) -> Result<Vec<u8>, TimelineError> {
        let Self { spec: TimelineSpec { file, from, .. }, timeline, slots, dropped, .. } = self;
        if let Some((cycle, held)) = dropped {
            return Err(TimelineError::Memory { file, cycle, held });
        }
        if from >= cycles.max(1) {
            return Err(TimelineError::NotReached { file, after: cycles, from });
        }
        let timeline = locked(&timeline).take().expect("a run ends once");
        let slots = slots.map(|slots| slots.finish(cycles));
        let content = timeline.finish(slots.as_ref(), cycles);
        content.map_err(|events| TimelineError::Unmatched { file, events })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::{Limits, run_on};

    /// The run itself goes on to its report.
    #[test]
    fn what_does_not_fit_into_memory_is_given_up_and_told() {
        let chip = rtl::chip::load(Some(Path::new("small")), &[]).expect("it is shipped");
        let builtin = program::kernels::find("vector_add").expect("it is there");
        let launch = builtin.launch(Some(1200), 1, &chip.target()).expect("it can be launched");
        let spec: TimelineSpec = "x.pftrace".parse().expect("legal");
        for is_small in [false, true] {
            let mut host = Host::new(&chip, &sim::Options::default()).expect("it can be built");
            let mut timeline = spec.attach(&chip, &launch, &mut host).expect("it has all nets");
            if is_small {
                timeline.fits = |held| held == 0;
            }
            let each_cycle = |simulator: &mut Simulator, cycle: u64| {
                timeline.cycle(simulator, cycle);
                Ok(())
            };
            let report = run_on(&mut host, &launch, Limits::default(), 1, each_cycle).expect("it runs");
            assert!(report.succeeded() && report.core_cycles > LOOK, "{}", report.core_cycles);
            match timeline.finish(report.all_cycles()) {
                Ok(content) => assert!(!is_small && !content.is_empty()),
                Err(TimelineError::Memory { cycle: LOOK, held, .. }) => assert!(is_small && held > 1000),
                Err(error) => panic!("{error}"),
            }
        }
    }

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
