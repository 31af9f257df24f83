//! `warpmesh report`: a record as an HTML page.

use super::{Failure, output::NewFile, print::print};
use clap::Args;
use measure::{explorer, record::Stored};
use std::path::PathBuf;

/// Makes a page of a record (`run --record`, `exec`, `noc`, `study`, `sweep`). Of a run it has all figures of the report, and curves over
/// time with a window that also sets the sums of all statistics; of networks curves over the load, and a floor plan of each load; of a study
/// its claims, charts over its designs, and a table of all runs to sort and to choose from.
///
/// The page is a single HTML file. It loads nothing, so it can be sent, kept and opened without a network.
#[derive(Args, Debug)]
pub struct Report {
    /// Folder of the record.
    #[arg(value_name = "DIR", value_hint = clap::ValueHint::DirPath)]
    record: PathBuf,
    /// The new page.
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,
    /// Replaces an earlier page.
    #[arg(long)]
    force: bool,
}

impl Report {
    /// Runs the command.
    pub fn run(&self) -> Result<(), Failure> {
        let out = NewFile::claim(&self.out, self.force)?;
        let record = Stored::read(&self.record).map_err(Failure::input)?;
        out.write(&explorer::page(&record).map_err(Failure::input)?)?;
        print(&format!("wrote {}", out.path().display()))
    }
}
