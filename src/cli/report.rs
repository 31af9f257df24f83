//! `warpmesh report`: a record as an HTML page.

use super::{Failure, output::NewFile, print::print};
use clap::Args;
use measure::{explorer, record::Stored};
use std::path::PathBuf;

/// Makes a page of a record that `run`, `exec`, `noc`, `study` or `sweep` has written with --record, or of two side by side.
///
/// Of a run it has all figures of the report, curves over time with a window that also sets the sums of all statistics, and what is a sum of
/// parts: latency of reads, area, power. Of networks it has curves over the load, and a floor plan of each load; of a study its claims, charts
/// over its designs, and a table of all runs to sort and to choose from. Of two runs: what differs in their configurations, then in their
/// figures, and the curves of both. Two records of networks are drawn as one of all their networks.
///
/// The page is a single HTML file. It loads nothing, so it can be sent, kept and opened without a network.
#[derive(Args, Debug)]
pub struct Report {
    /// Folder of the record, or two folders.
    #[arg(value_name = "DIR", value_hint = clap::ValueHint::DirPath, required = true, num_args = 1..=2)]
    records: Vec<PathBuf>,
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
        let records = self.records.iter().map(|folder| Stored::read(folder).map_err(Failure::input));
        let page = match &records.collect::<Result<Vec<_>, _>>()?[..] {
            [Stored::Run(first), Stored::Run(second)] => explorer::pair([first, second]),
            [Stored::Network(first), Stored::Network(second)] => Ok(explorer::networks(&[first, second])),
            [first, second, ..] => {
                let [one, other] = [first, second].map(Stored::kind);
                return Err(Failure::input_message(
                    format!(
                        "one record is of {one}, the other of {other}: two runs, or two of networks, are shown side by side"
                    ),
                    "name one record, or two of `run` or `exec`, or two of `noc`",
                ));
            }
            [] => return Ok(()),
            [record] => explorer::page(record),
        };
        out.write(&page.map_err(Failure::input)?)?;
        print(&format!("wrote {}", out.path().display()))
    }
}
