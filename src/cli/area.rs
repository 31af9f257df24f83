//! `warpmesh area`: what a chip costs.

use super::{
    Failure, block, call,
    chip_args::{ChipArgs, design},
    choice::choice,
    docs, instance,
    part::AreaStyle,
    print::print,
};
use clap::Args;
use measure::{
    area::{
        ChipArea, CrossbarModel, Layout, RouterArea, Synthesis, Technology, TechnologyNode,
        chip::beyond_matrix,
        crossbar::{MATRIX_BITS, MATRIX_CROSSPOINTS},
        inventory,
        shape::{NetworkShape, RouterShape, largest_routers},
        structure::{self, Counting},
        synthesise,
    },
    report::{AreaReport, BlockRow, SynthesisRow},
};
use netlist::{Design, elaborate};
use rtl::{
    chip::Chip,
    noc::{RouterParams, router},
};
use std::path::PathBuf;

/// Says how much area the network of a chip and the whole chip take.
///
/// By formulas from connectivity and parameters, calibrated at 65 nm, and as built: cells and arrays of the netlist. Nothing is simulated; without
/// --synth no other program is needed.
/// docs/area-power.md has the formulas, constants and sources.
#[derive(Args, Debug)]
pub struct Area {
    #[command(flatten)]
    chip: ChipArgs,
    /// What a single block consists of instead (see `warpmesh list blocks`), with `-P NAME=VALUE` for its parameters.
    #[arg(long, value_name = "NAME", group = "counted", conflicts_with_all = ["config", "layout", "crossbar"])]
    block: Option<String>,
    /// What a block consists of as it is in the chip instead, by the path that waveforms have: `core0.front_end`.
    #[arg(long, value_name = "PATH", group = "counted", conflicts_with_all = ["block", "layout", "crossbar"])]
    instance: Option<String>,
    /// What miss handling costs instead: the tables of Kim's thesis (power, area, access time of MSHRs) against the model, and each kind of
    /// `cache.l1d.mshr.kind` by formula and as built.
    #[arg(long, conflicts_with_all = ["config", "counted", "layout", "crossbar", "synth", "technology", "csv", "overrides"])]
    mshr: bool,
    /// Technology node, nm. Transistors shrink with the name of the node, wires with the pitch of Intel's process of that name.
    #[arg(long, value_name = "NM", default_value = "65", value_parser = choice(TechnologyNode::ALL, TechnologyNode::name, |node| node.about().into()))]
    technology: TechnologyNode,
    /// Which ports of routers at the border of a mesh count: all four links, as tiles are copies of one, or only those with a neighbour.
    #[arg(long, value_name = "LAYOUT", default_value = "tile", value_parser = choice(Layout::ALL, Layout::name, |layout| layout.about().into()))]
    layout: Layout,
    /// How crossbars are counted; without it, `matrix` where all routers of the chip are in the range of its formula, otherwise `mux`.
    #[arg(long, value_name = "MODEL", value_parser = choice(CrossbarModel::ALL, CrossbarModel::name, |model| model.about().into()))]
    crossbar: Option<CrossbarModel>,
    /// Also count what the chip consists of, by block.
    #[arg(long, group = "counted")]
    by_block: bool,
    /// Levels of blocks.
    #[arg(long, value_name = "N", default_value_t = 2, requires = "counted", value_parser = clap::value_parser!(u8).range(1..=16))]
    depth: u8,
    /// Also synthesise with Yosys. With --by-block, --block or --instance: every module once, some minutes for a whole chip, more where crossbars
    /// have twenty ports. Otherwise one router of each kind, its memories as flip-flops, 10 to 60 s each. A result is kept for later.
    #[arg(long)]
    synth: bool,
    /// Library of cells to synthesise with, in the Liberty format; without it, gates with areas of the NanGate 45 nm library.
    #[arg(long, value_name = "FILE", requires = "synth")]
    liberty: Option<PathBuf>,
    /// Synthesise anew, and keep nothing.
    #[arg(long, requires = "synth")]
    no_cache: bool,
    /// Print one JSON object instead of a table.
    #[arg(long)]
    json: bool,
    /// Print a table with commas between instead.
    #[arg(long, conflicts_with = "json")]
    csv: bool,
}

/// Refuses `--crossbar matrix` for a chip with a router beyond the range of its formula.
pub(super) fn refuse_matrix(
    model: Option<CrossbarModel>,
    (name, chip): (&str, &Chip),
    layout: Layout,
) -> Result<(), Failure> {
    match (model, beyond_matrix(chip, layout)) {
        (Some(CrossbarModel::Matrix), Some(beyond)) => {
            let message = format!("--crossbar matrix does not go with {name}: {beyond}");
            let allowed = format!(
                "allowed: crosspoints x bits^2 up to {MATRIX_CROSSPOINTS} x {MATRIX_BITS}^2; `--crossbar mux` takes multiplexers"
            );
            Err(Failure::input_message(message, allowed))
        }
        _ => Ok(()),
    }
}

impl Area {
    /// Runs the command.
    pub fn run(&self) -> Result<(), Failure> {
        if self.mshr {
            return print(&if self.json {
                format!("{:#}", docs::mshr::json())
            } else {
                docs::mshr::text().trim_end().into()
            });
        }
        let style = AreaStyle { depth: self.depth.into(), nm: self.technology.nm(), json: self.json, csv: self.csv };
        let synthesise = |design: &Design| self.synthesise(design, &Counting::default());
        if let Some(name) = &self.block {
            let (part, about) = block::Chosen::new(name, &self.chip)?.described()?;
            return part.print_area(style, synthesise(&part.design)?.as_ref(), about);
        }
        if let Some(path) = &self.instance {
            let about = serde_json::json!({ "config": self.chip.describe(), "instance": path });
            let part = instance::Chosen::new(path, &self.chip)?.part;
            return part.print_area(style, synthesise(&part.design)?.as_ref(), about);
        }
        let chip = self.chip.chip()?;
        refuse_matrix(self.crossbar, (&self.chip.describe(), &chip), self.layout)?;
        let technology = Technology::at(self.technology).with_crossbars(self.crossbar);
        let area = ChipArea::new(&chip, self.layout, &technology);
        let design = design(&chip)?;
        let tiles = inventory(&design, &Counting::default());
        let mut report = AreaReport::new(self.chip.describe(), &area, &tiles);
        if self.by_block {
            let synthesis = synthesise(&design)?;
            let blocks = structure::by_block(&design, &Counting::default(), self.depth.into());
            let row = |block| BlockRow::new(block, synthesis.as_ref(), report.technology_nm);
            report.blocks = blocks.iter().map(row).collect();
        } else if self.synth {
            report.synthesis = self.synthesis(&chip, &area.technology)?;
        }
        let text = || report.to_string().trim_end().to_string();
        call::report(text, || report.json());
        print(&match (self.json, self.csv) {
            (true, _) => report.json(),
            (_, true) => report.csv(),
            _ => text(),
        })
    }

    /// What Yosys makes of a design, if that was asked for.
    fn synthesise(&self, design: &Design, counting: &Counting) -> Result<Option<Synthesis>, Failure> {
        if !self.synth {
            return Ok(None);
        }
        let found = synthesise(design, self.liberty.as_deref(), counting, !self.no_cache).map_err(Failure::input)?;
        if let (None, Some(library)) = (found.total().gate_equivalents, &self.liberty) {
            return Err(Failure::input_message(
                format!("{}: no cell is called a NAND of two inputs (`nand2`, `ND2`)", library.display()),
                "gate equivalents are areas over that of such a cell; without --by-block, --block and --instance, areas are printed",
            ));
        }
        Ok(Some(found))
    }

    /// The largest router of each kind by all three models.
    fn synthesis(&self, chip: &Chip, technology: &Technology) -> Result<Vec<SynthesisRow>, Failure> {
        if let Some([key, value, other]) = chip.behavioural() {
            return Err(Failure::input_message(
                format!("{key} = {value} has no routers to synthesise"),
                format!("`-P {key}={other}` takes the routers of this configuration"),
            ));
        }
        let counting = Counting { array_bits: None };
        let row = |(shape, params): (RouterShape, RouterParams)| {
            let module = router(&params).map_err(|error| Failure::new(2, error))?;
            let design = elaborate(&module).map_err(|mistakes| Failure::new(1, mistakes))?;
            let found =
                synthesise(&design, self.liberty.as_deref(), &counting, !self.no_cache).map_err(Failure::input)?;
            Ok(SynthesisRow {
                kind: shape.kind(),
                module: design.top.name.clone(),
                analytic_mm2: RouterArea::new(shape, &NetworkShape::channels(&params.network), technology).total_mm2(),
                structural_gate_equivalents: structure::total(&design, &counting).gate_equivalents(),
                synthesis: found.total(),
                yosys: found.yosys,
            })
        };
        largest_routers(chip.fabric()).into_iter().map(row).collect()
    }
}
