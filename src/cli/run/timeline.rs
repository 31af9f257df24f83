//! `--trace`: a timeline of warps, memory accesses, packets and DRAM rows for Perfetto.

use crate::{Failure, output::NewFile};
use clap::Args;
use measure::{
    timeline::{TimelineError, TimelineSpec},
    wave::window_of,
};
use rtl::chip::Chip;
use std::path::Path;

/// Which timeline is wanted.
#[derive(Args, Debug)]
pub struct TimelineArgs {
    /// Write a timeline of warps, memory accesses, packets and DRAM rows for Perfetto (ui.perfetto.dev): the stages of each
    /// access from the coalescer to the DRAM and back, joined with its packets by flows. A cycle of the cores is 1 us there.
    #[arg(long, value_name = "FILE.pftrace", conflicts_with = "resume")]
    trace: Option<TimelineSpec>,
    /// Cycles of --trace, counted from the start of the kernel: what is on its way in any of them. Either end may be left
    /// out.
    #[arg(long, value_name = "FROM..TO", value_parser = window, requires = "trace")]
    window: Option<(u64, Option<u64>)>,
}

/// What `--window` says.
pub fn window(text: &str) -> Result<(u64, Option<u64>), String> {
    window_of(text).map_err(|error| error.replace('@', ""))
}

impl TimelineArgs {
    /// File and window.
    pub fn spec(&self) -> Result<Option<TimelineSpec>, Failure> {
        self.trace.clone().map(|trace| with_window(trace, self.window)).transpose()
    }

    /// Its file.
    pub fn file(&self) -> Option<&Path> {
        self.trace.as_ref().map(TimelineSpec::file)
    }

    /// The file, if one is wanted, and the chip has what it shows.
    pub fn claim(&self, chip: &Chip, force: bool) -> Result<Option<NewFile>, Failure> {
        let Some(spec) = self.spec()? else { return Ok(None) };
        let file = spec.file();
        if let Some([key, value, other]) = TimelineSpec::refused_by(chip) {
            return Err(no_routers(key, value, other));
        }
        NewFile::claim(file, force).map(Some)
    }
}

/// `--trace` with the window of `--window`.
pub fn with_window(trace: TimelineSpec, window: Option<(u64, Option<u64>)>) -> Result<TimelineSpec, Failure> {
    trace.with_window(window).map_err(|two| Failure::input_message(two, "give one of them"))
}

/// A chip of a key with this value has no routers; with the other one it has.
pub fn no_routers(key: &str, value: &str, other: &str) -> Failure {
    Failure::input_message(
        format!("--trace needs routers and memory controllers; this chip has {key} = {value}"),
        format!("`-P {key}={other}` has them"),
    )
}

/// Why there is no timeline.
pub fn failure(error: TimelineError) -> Failure {
    match error {
        TimelineError::NotReached { .. } => Failure::input_message(error, "choose an earlier window"),
        TimelineError::Unmatched { .. } => Failure::new(4, error),
    }
}
