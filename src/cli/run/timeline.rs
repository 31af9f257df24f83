//! `--trace`: a timeline of warps, memory accesses, packets and DRAM rows for Perfetto.

use crate::{Failure, output::NewFile};
use clap::Args;
use measure::{timeline::TimelineSpec, wave::window_of};
use rtl::chip::Chip;
use std::path::Path;

/// Which timeline is wanted.
#[derive(Args, Debug)]
pub struct TimelineArgs {
    /// Write a timeline of warps, memory accesses, packets and DRAM rows for Perfetto (ui.perfetto.dev): the stages of each
    /// access from the coalescer to the DRAM and back, joined with its packets by flows. A cycle of the cores is 1 us there.
    #[arg(long, value_name = "FILE.pftrace")]
    trace: Option<TimelineSpec>,
    /// Cycles of --trace, counted from the start of the kernel: what is on its way in any of them. Either end may be left
    /// out.
    #[arg(long, value_name = "FROM..TO", value_parser = window, requires = "trace")]
    window: Option<(u64, Option<u64>)>,
}

fn window(text: &str) -> Result<(u64, Option<u64>), String> {
    window_of(text).map_err(|error| error.replace('@', ""))
}

impl TimelineArgs {
    /// File and window.
    pub fn spec(&self) -> Result<Option<TimelineSpec>, Failure> {
        let spec = self.trace.clone().map(|trace| trace.with_window(self.window)).transpose();
        spec.map_err(|two| Failure::input_message(two, "give one of them"))
    }

    /// Its file.
    pub fn file(&self) -> Option<&Path> {
        self.trace.as_ref().map(TimelineSpec::file)
    }

    /// Whether the chip has what it shows.
    pub fn check(&self, chip: &Chip) -> Result<(), Failure> {
        match chip.behavioural().filter(|_| self.trace.is_some()) {
            None => Ok(()),
            Some([key, value, other]) => Err(Failure::input_message(
                format!("--trace needs routers and memory controllers; this chip has {key} = {value}"),
                format!("`-P {key}={other}` has them"),
            )),
        }
    }

    /// The file, if one is wanted, for a chip that has what it shows.
    pub fn claim(&self, chip: &Chip, force: bool) -> Result<Option<NewFile>, Failure> {
        let Some(spec) = self.spec()? else { return Ok(None) };
        self.check(chip)?;
        NewFile::claim(spec.file(), force).map(Some)
    }
}
