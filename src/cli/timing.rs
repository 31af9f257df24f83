//! `warpmesh timing`: how long the logic between two clock edges takes, against the clocks of a configuration.

use super::{
    Failure, block, call,
    chip_args::{ChipArgs, design},
    choice::choice,
    instance,
    part::Part,
    print::print,
};
use clap::Args;
use measure::{
    area::{TechnologyNode, structure::Counting},
    report::{MappedRow, TimingReport},
    timing::{DelayModel, mapped, timing},
};
use netlist::Design;
use rtl::chip::Chip;
use std::path::PathBuf;

/// Says how long the longest paths between registers take, by clock domain, against `clocks.*`.
///
/// By a delay model of the netlist, bit by bit, calibrated with synthesised blocks; wires have no length. Nothing is simulated and no other
/// program is needed. docs/timing.md has the model, its constants, and how far it is off.
#[derive(Args, Debug)]
pub struct Timing {
    #[command(flatten)]
    chip: ChipArgs,
    /// A single block instead (see `warpmesh list blocks`), with `-P NAME=VALUE` for its parameters.
    #[arg(long, value_name = "NAME", conflicts_with = "config")]
    block: Option<String>,
    /// A block as it is in the chip instead, by the path that waveforms have: `core0.front_end`.
    #[arg(long, value_name = "PATH", conflicts_with = "block")]
    instance: Option<String>,
    /// Technology node, nm. Gates are as fast as the node's name is small.
    #[arg(long, value_name = "NM", default_value = "65", value_parser = choice(TechnologyNode::ALL, TechnologyNode::name, |node| node.about().into()))]
    technology: TechnologyNode,
    /// Paths of each domain that are shown, one for each register, memory and output of a kind of block.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1000))]
    paths: u16,
    /// Also map the block with Yosys and abc to the cells of this library (Liberty format), and show both results side by side. A few seconds to a
    /// minute; a result is kept for later.
    #[arg(long, value_name = "FILE")]
    liberty: Option<PathBuf>,
    /// Also time the mapped block with OpenSTA, from clock edge to clock edge: with clock to output, setup and the loads of the library's cells.
    #[arg(long, requires = "liberty")]
    sta: bool,
    /// Map anew, and keep nothing.
    #[arg(long, requires = "liberty")]
    no_cache: bool,
    /// Print one JSON object instead of tables.
    #[arg(long)]
    json: bool,
}

impl Timing {
    /// Runs the command.
    pub fn run(&self) -> Result<(), Failure> {
        let report = match (&self.block, &self.instance, &self.liberty) {
            (Some(name), ..) => self.part(block::Chosen::new(name, &self.chip)?.elaborated()?, |_| None)?,
            (None, Some(path), _) => {
                let instance = instance::Chosen::new(path, &self.chip)?;
                let clocks = instance.clocks;
                self.part(instance.part, |domain| instance::megahertz(&clocks, domain))?
            }
            (None, None, Some(liberty)) => {
                return Err(Failure::input_message(
                    format!("--liberty {}: only blocks are mapped", liberty.display()),
                    "name one with --block (`warpmesh list blocks` has all) or --instance",
                ));
            }
            (None, None, None) => {
                let chip = self.chip.chip()?;
                chip_timing(&chip, &design(&chip)?, self.chip.describe(), self.technology, self.paths.into())
            }
        };
        let text = || report.to_string().trim_end().to_string();
        call::report(text, || report.json());
        print(&if self.json { report.json() } else { text() })
    }

    /// `clock`: frequency of a domain, MHz.
    fn part(&self, part: Part, clock: impl Fn(&str) -> Option<f64>) -> Result<TimingReport, Failure> {
        let Part { name, design, .. } = part;
        let (node, counting) = (self.technology, Counting::default());
        let found = timing(&design, &DelayModel::FITTED, &counting, self.paths.into());
        let mut report = TimingReport::new(name, &found, node, clock);
        if let Some(liberty) = &self.liberty {
            report.mapped = Some(side_by_side(&design, liberty, self.sta, !self.no_cache, node)?);
        }
        Ok(report)
    }
}

/// Memories are flip-flops in both.
fn side_by_side(
    design: &Design,
    liberty: &std::path::Path,
    sta: bool,
    cached: bool,
    node: TechnologyNode,
) -> Result<MappedRow, Failure> {
    let mapped = mapped(design, liberty, sta, cached).map_err(Failure::input)?;
    let counting = Counting { array_bits: None };
    let time = |model: &DelayModel| timing(design, model, &counting, 1);
    Ok(MappedRow::new(&time(&DelayModel::FITTED.logic_only()), &time(&DelayModel::FITTED), mapped, node))
}

/// A chip against its clocks.
pub fn chip_timing(chip: &Chip, design: &Design, name: String, node: TechnologyNode, paths: usize) -> TimingReport {
    let found = timing(design, &DelayModel::FITTED, &Counting::default(), paths);
    let clocks = &chip.config().clocks;
    let named: Vec<_> = clocks.domains().into_iter().zip(clocks.megahertz()).collect();
    let clock = |domain: &str| named.iter().find(|(name, _)| *name == domain).map(|(_, mhz)| f64::from(*mhz));
    TimingReport::new(name, &found, node, clock)
}
