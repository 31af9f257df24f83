//! `docs/synthesis.md`: area of blocks and chips, counted from the netlist and by Yosys, and by the formulas of the
//! thesis.

use super::{
    tables::{code, table, table_of},
    timing::reference_design,
};
use crate::{
    Failure,
    chip_args::{ChipArgs, design},
};
use measure::area::{
    Cells, ChipArea, Layout, Structure, Technology, TileGroup, inventory,
    leaves::LEAF_KINDS,
    structure::{Counting, total},
    synthesised::{COMMANDS, SynthesisedBlock, SynthesisedTiles, blocks, tiles},
};
use std::path::PathBuf;

/// Of the tables of chips, nm.
const NM: u32 = 65;

/// The page.
pub fn page() -> Result<String, Failure> {
    Ok([heading(), leaves(), blocks_section()?, chips_section()?].join("\n"))
}

fn heading() -> String {
    let [block, chip] = COMMANDS;
    format!(
        "# Area against synthesis\n\nArea *as built* is counted: operators, registers and memories of the netlist become leaf cells, bit by bit, with \
         constants carried\nthrough, and large memories arrays ([area-power.md](area-power.md#structure-and-synthesis)). Here is what Yosys 0.23 and its abc make \
         of the\nexported Verilog, from\n`{block}` and\n`{chip}`. Each module is \
         synthesised alone, to combinational cells of\nthe NanGate 45 nm library (X1: NAND to four inputs, AND, OR, XOR, AOI, OAI, multiplexer) and \
         flip-flops of the same, and weighed in gate\nequivalents (GE), NAND gates of two inputs. Arrays are in neither.\n"
    )
}

fn leaves() -> String {
    let rows = LEAF_KINDS.map(|(leaf, about)| [about.to_string(), format!("{:.2}", leaf.gates())]);
    format!(
        "## Leaf cells\n\nWhat a bit takes after synthesis: gates are joined with their neighbours and shared. The flip-flop and its \
         enable are\ncells of the library; the others were fitted to the blocks below and to the modules of `default`, `bakhoda-ch6` and `cmesh`, not to \
         those of the\nother chips.\n\n{}",
        table(["leaf, per bit", "GE"], rows)
    )
}

fn blocks_section() -> Result<String, Failure> {
    let (mut rows, mut off) = (vec![], vec![]);
    for block in blocks() {
        let counted = counted(&block)?.gate_equivalents();
        let ratio = counted / block.gates;
        off.push((ratio - 1.0).abs());
        let name = format!("{} {}", code(block.block), block.parameters).trim_end().to_string();
        rows.push([name, format!("{counted:.0}"), format!("{:.0}", block.gates), format!("{ratio:.2}")]);
    }
    let near = off.iter().filter(|off| **off <= 0.2).count();
    Ok(format!(
        "## Blocks\n\n{near} of {} are within 20 %; the mean difference is {:.0} %. What is off is small: logic \
         which a tool\nminimises as a whole.\n\n{}",
        off.len(),
        100.0 * off.iter().sum::<f64>() / off.len() as f64,
        table(["block", "counted, GE", "Yosys, GE", "ratio"], rows)
    ))
}

fn counted(block: &SynthesisedBlock) -> Result<Structure, Failure> {
    Ok(total(&reference_design(block.block, block.given())?, &Counting::default()))
}

/// A chip in three ways.
struct ChipRows {
    name: &'static str,
    area: ChipArea,
    /// As built, with what Yosys makes of them.
    tiles: Vec<(TileGroup, SynthesisedTiles)>,
}

impl ChipRows {
    fn new(name: &'static str) -> Result<Self, Failure> {
        let chip = ChipArgs::each(&[PathBuf::from(name)], &[]).remove(0).chip()?;
        let built = inventory(&design(&chip)?, &Counting::default());
        let synthesised = tiles().into_iter().filter(|tiles| tiles.chip == name);
        let pair = |tiles: SynthesisedTiles| {
            let same = |built: &&TileGroup| built.kind == tiles.kind && built.count == tiles.count;
            let found = built.iter().find(same).cloned();
            let found =
                found.ok_or_else(|| Failure::new(1, format!("{name} has not {} {}", tiles.count, tiles.kind)))?;
            Ok::<_, Failure>((found, tiles))
        };
        let area = ChipArea::new(&chip, Layout::Tile, &Technology::NM65);
        Ok(Self { name, area, tiles: synthesised.map(pair).collect::<Result<_, _>>()? })
    }

    /// The thesis' formulas for all tiles of a kind, if it has them, mm^2.
    fn formula(&self, kind: &str) -> Option<f64> {
        match kind {
            "router" => Some(self.area.network.routers_mm2()),
            "core" => Some(self.area.cores_mm2() + self.area.l1d_mm2() + self.area.read_only_mm2()),
            "memory_partition" => Some(self.area.controllers_mm2() + self.area.l2_mm2()),
            _ => None,
        }
    }

    fn rows(&self) -> Vec<Vec<String>> {
        let row = |(kind, count, formula, [counted, synthesised, arrays]): (&str, String, Option<f64>, [f64; 3])| {
            let cells = Cells::NANGATE45;
            let [with_counted, with_synthesised] = [counted, synthesised].map(|gates| cells.mm2(gates, NM) + arrays);
            vec![
                code(self.name),
                kind.to_string(),
                count,
                formula.map_or(String::new(), |mm2| format!("{mm2:.2}")),
                format!("{counted:.0}"),
                format!("{synthesised:.0}"),
                format!("{:.2}", counted / synthesised),
                format!("{arrays:.2}"),
                format!("{with_counted:.2}"),
                format!("{with_synthesised:.2}"),
            ]
        };
        let of = |built: &TileGroup, synthesised: &SynthesisedTiles| {
            let arrays = built.structure.mm2(&Cells::NANGATE45, NM)
                - Cells::NANGATE45.mm2(built.structure.gate_equivalents(), NM);
            [built.structure.gate_equivalents(), synthesised.gates, arrays]
        };
        let mut rows: Vec<_> = (self.tiles.iter())
            .map(|(built, synthesised)| {
                row((&built.kind, built.count.to_string(), self.formula(&built.kind), of(built, synthesised)))
            })
            .collect();
        let mut all = [0.0; 3];
        for (built, synthesised) in &self.tiles {
            all.iter_mut().zip(of(built, synthesised)).for_each(|(sum, more)| *sum += more);
        }
        let formula = self.area.total_mm2() - self.area.network.links_mm2();
        rows.push(row(("all", String::new(), Some(formula), all)));
        rows
    }
}

fn chips_section() -> Result<String, Failure> {
    let mut names: Vec<_> = tiles().iter().map(|tiles| tiles.chip).collect();
    names.dedup();
    let mut rows = vec![];
    for name in names {
        rows.extend(ChipRows::new(name)?.rows());
    }
    let columns = [
        "chip",
        "tiles",
        "count",
        "thesis' formulas, mm^2",
        "counted, GE",
        "Yosys, GE",
        "counted / Yosys",
        "arrays, mm^2",
        "counted + arrays, mm^2",
        "Yosys + arrays, mm^2",
    ];
    Ok(format!(
        "## Chips\n\nAll tiles of a kind, at {NM} nm, without wires of channels, and without what placement and routing leave empty. *Formulas* are those of \
         Bakhoda's thesis,\nwhich are of a core and a controller of a real GPU, with the model of the caches; a crossbar there is wires. Chips whose crossbars \
         have\ntwenty ports (`kim-ch5`, `fermi`) are not among them.\n\n{}",
        table_of(&columns, rows)
    ))
}
