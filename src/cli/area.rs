//! `warpmesh area`: what a chip costs.

use super::{Failure, chip_args::ChipArgs, print::print};
use crate::{
    area::{ChipArea, Layout, Node, Technology},
    report::AreaReport,
};
use clap::Args;

/// Says how much area the network of a chip and the whole chip take.
///
/// By formulas from connectivity and parameters, calibrated at 65 nm; nothing is simulated and no other program is needed.
/// docs/area-power.md has the formulas, constants and sources.
#[derive(Args, Debug)]
pub struct Area {
    #[command(flatten)]
    chip: ChipArgs,
    /// Technology node, nm. Transistors shrink with the name of the node, wires with the pitch of Intel's process of that name.
    #[arg(long, value_name = "NM", default_value = "65")]
    technology: Node,
    /// Which ports of routers at the border of a mesh count: all four links, as tiles are copies of one, or only those with a neighbour.
    #[arg(long, value_name = "LAYOUT", default_value = "tile")]
    layout: Layout,
    /// Print one JSON object instead of a table.
    #[arg(long)]
    json: bool,
    /// Print a table with commas between instead.
    #[arg(long, conflicts_with = "json")]
    csv: bool,
}

impl Area {
    /// Runs the command.
    pub fn run(&self) -> Result<(), Failure> {
        let chip = self.chip.chip()?;
        let area = ChipArea::new(&chip, self.layout, &Technology::at(self.technology));
        let report = AreaReport::new(self.chip.describe(), &area);
        print(&match (self.json, self.csv) {
            (true, _) => report.json(),
            (_, true) => report.csv(),
            _ => report.to_string().trim_end().to_string(),
        })
    }
}
