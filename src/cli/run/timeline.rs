//! `--trace`: a timeline of warps, memory accesses, packets and DRAM rows for Perfetto.

use crate::{Failure, output::NewFile};
use clap::Args;
use measure::{
    host::{HostError, IssueTrace, driver::Host},
    timeline::Timeline,
    wave::window_of,
};
use program::Launch;
use rtl::chip::Chip;
use sim::Simulator;
use std::{
    cell::RefCell,
    ops::Range,
    path::{Path, PathBuf},
    rc::Rc,
};
use tracing::info;

/// Which timeline is wanted.
#[derive(Args, Debug)]
pub struct TimelineArgs {
    /// Write a timeline of warps, memory accesses, packets and DRAM rows for Perfetto (ui.perfetto.dev): the stages of each
    /// access from the coalescer to the DRAM and back, joined with its packets by flows. A cycle of the cores is 1 us there.
    #[arg(long, value_name = "FILE.pftrace", value_parser = pftrace, conflicts_with = "resume")]
    trace: Option<PathBuf>,
    /// Cycles of --trace, counted from the start of the kernel: what is on its way in any of them. Either end may be left
    /// out.
    #[arg(long, value_name = "FROM..TO", value_parser = window, requires = "trace")]
    window: Option<(u64, Option<u64>)>,
}

fn pftrace(text: &str) -> Result<PathBuf, String> {
    match text.strip_suffix(".pftrace") {
        Some(name) if !name.is_empty() => Ok(text.into()),
        _ => Err(format!("`{text}`: the file has to end in .pftrace")),
    }
}

fn window(text: &str) -> Result<(u64, Option<u64>), String> {
    window_of(text).map_err(|error| error.replace('@', ""))
}

impl TimelineArgs {
    /// Its file.
    pub fn file(&self) -> Option<&Path> {
        self.trace.as_deref()
    }

    /// The file, if one is wanted, and the chip has what it shows.
    pub fn claim(&self, chip: &Chip, force: bool) -> Result<Option<NewFile>, Failure> {
        let Some(file) = &self.trace else { return Ok(None) };
        if let Some([key, value, other]) = chip.behavioural() {
            return Err(Failure::input_message(
                format!("--trace has no effect: {key} = {value}, there are no routers"),
                format!("`-P {key}={other}` has them"),
            ));
        }
        NewFile::claim(file, force).map(Some)
    }

    /// Starts to look.
    pub fn attach(&self, chip: &Chip, launch: &Launch, host: &mut Host) -> Result<Option<RunTimeline>, Failure> {
        let Some(file) = &self.trace else { return Ok(None) };
        let (from, until) = self.window.unwrap_or((0, None));
        let window = from..until.unwrap_or(u64::MAX);
        let internal = |error| super::failure(HostError::Simulation(error));
        let simulator = host.simulator();
        let cores: Vec<_> = (0..chip.core_nodes().len()).collect();
        let slots = IssueTrace::new(chip, launch, simulator, &cores, window.clone()).map_err(internal)?;
        let timeline = Timeline::new(chip, simulator, window.clone()).map_err(internal)?;
        let timeline = Rc::new(RefCell::new(Some(timeline)));
        let looks = timeline.clone();
        host.observe(Box::new(move |simulator, _| {
            if let Some(timeline) = &mut *looks.borrow_mut() {
                timeline.observe(simulator);
            }
        }));
        Ok(Some(RunTimeline { file: file.clone(), window, timeline, slots }))
    }
}

/// A timeline of a run.
pub struct RunTimeline {
    file: PathBuf,
    window: Range<u64>,
    timeline: Rc<RefCell<Option<Timeline>>>,
    slots: IssueTrace,
}

impl RunTimeline {
    /// After cycle `cycle` of the kernel; 0: when it starts.
    pub fn cycle(&mut self, simulator: &mut Simulator, cycle: u64) {
        if let (Some(timeline), 0) = (&mut *self.timeline.borrow_mut(), cycle) {
            timeline.begin(simulator);
        }
        self.slots.cycle(simulator, cycle);
    }

    /// The content of the file, of a run of so many cycles.
    pub fn finish(self, cycles: u64) -> Result<Vec<u8>, Failure> {
        let Self { file, window, timeline, slots } = self;
        if window.start >= cycles.max(1) {
            return Err(Failure::input_message(
                format!(
                    "{} is not written: the run ended after {cycles} cycles, its window begins at cycle {}",
                    file.display(),
                    window.start
                ),
                "choose an earlier window",
            ));
        }
        let timeline = timeline.borrow_mut().take().expect("it is taken once");
        info!("joining accesses, packets and DRAM accesses");
        timeline.finish(Some(&slots.finish(cycles)), cycles).map_err(|events| {
            let message = format!("{events} events of the timeline belong to nothing that was seen before");
            Failure::new(4, format!("{} is not written: {message}", file.display()))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_and_windows_are_read() {
        assert_eq!(pftrace("a/b.pftrace"), Ok("a/b.pftrace".into()));
        assert_eq!(pftrace(".pftrace").expect_err("no name"), "`.pftrace`: the file has to end in .pftrace");
        assert_eq!(pftrace("x.json").expect_err("wrong"), "`x.json`: the file has to end in .pftrace");
        assert_eq!(window("5..9"), Ok((5, Some(9))));
        assert_eq!(window("5.."), Ok((5, None)));
        let wrong = "`7`: the window is written FROM..TO, in cycles, either may be left out";
        assert_eq!(window("7").expect_err("wrong"), wrong);
        assert_eq!(window("7..7").expect_err("wrong"), "`7..7`: the window ends before it starts");
    }
}
