//! Synthesis: the exported Verilog of a design through Yosys, its cells counted module by module.
//!
//! ```text
//!   Design --export--> module.v, children as black boxes --Yosys: synth, memories to flip-flops, abc--> cells by kind
//!                                                                                                         |
//!                      children added up by hierarchy <-- gate equivalents, um^2 <--Cells | CellLibrary---+
//! ```
//!
//! Without a Liberty file the gates are those of [`Cells::genlib`] and flip-flops Yosys' own, weighed by [`Cells`]; with
//! one all are the library's, with its areas. Each distinct module is synthesised once and alone, as many at a time as there are processors; its result
//! is kept in the folder of caches under a hash of its Verilog, script, library and version of Yosys, so that the same
//! module in another chip is answered at once.
//!
//! Memories that are [arrays](Counting::is_array) are black boxes too, and no cells. Their output registers are part of
//! the boxes in Verilog and counted by [`super::structure`]: here, a flip-flop with an enable is added for each bit.

use super::{
    Cells,
    liberty::CellLibrary,
    structure::{Counting, with_children},
    yosys::{SynthesisError, absolute, kept_or, private_folder, run_in, unwritten, version},
};
use common::cache::Key;
use netlist::Design;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::{collections::BTreeMap, fs, ops::AddAssign, path::Path};
use tracing::info;
use verilog::{ExportOptions, Macro, VerilogFile, export_all};

/// Cells of a module, or of a module with all below it.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct CellCount {
    /// How many there are of each kind.
    pub cells: BTreeMap<String, u64>,
    /// With a Liberty file: the sum of their areas, um^2 in the usual libraries. Output registers of memories are not in it.
    pub area_um2: Option<f64>,
    /// Without one: gate equivalents. With one: areas over that of its smallest NAND of two inputs, if it has one.
    pub gate_equivalents: Option<f64>,
}

impl AddAssign<&Self> for CellCount {
    fn add_assign(&mut self, other: &Self) {
        other.cells.iter().for_each(|(kind, count)| *self.cells.entry(kind.clone()).or_default() += count);
        // All counts of a design are of one library.
        let sum = |a: Option<f64>, b: Option<f64>| a.zip(b).map(|(a, b)| a + b);
        self.area_um2 = sum(self.area_um2, other.area_um2);
        self.gate_equivalents = sum(self.gate_equivalents, other.gate_equivalents);
    }
}

/// A synthesised design.
#[derive(Clone, PartialEq, Debug)]
pub struct Synthesis {
    /// What Yosys calls itself.
    pub yosys: String,
    /// Of each distinct module, in the order of the design, with everything below it.
    pub modules: Vec<CellCount>,
}

impl Synthesis {
    /// Of the whole design.
    pub fn total(&self) -> CellCount {
        self.modules.last().cloned().unwrap_or_default()
    }
}

/// Synthesises every module of `design`; memories that are arrays are left out. `cached`: look for earlier results, and keep these.
///
/// # Errors
/// Yosys is not there, too old or fails; the file is no Liberty file of cells.
pub fn synthesise(
    design: &Design,
    liberty: Option<&Path>,
    counting: &Counting,
    cached: bool,
) -> Result<Synthesis, SynthesisError> {
    let library = liberty.map(|path| Ok((CellLibrary::read(path)?, absolute(path)))).transpose()?;
    let tool = Tool { yosys: version()?, library, cached };
    let command = "warpmesh area --synth".into();
    let options = ExportOptions { command, sram_bits: counting.array_bits, ..ExportOptions::default() };
    let exported = export_all(design, &options);
    let files: BTreeMap<&str, &VerilogFile> = exported.files.iter().map(|file| (file.name.as_str(), file)).collect();
    let own = design.modules.par_iter().map(|elaborated| {
        let (module, file) = (&elaborated.module, files[elaborated.module.name.as_str()]);
        let children = module.instances.iter().map(|child| child.module.name.as_str());
        let memories = exported.macros.iter().map(|memory| memory.module.as_str());
        let mut boxes: Vec<_> =
            children.chain(memories.filter(|name| file.text.contains(&format!("{name} ")))).collect();
        boxes.sort_unstable();
        boxes.dedup();
        let boxes: Vec<_> = boxes.into_iter().map(|name| black_box(files[name])).collect();
        tool.module(file, &boxes, &exported.macros)
    });
    let own = own.collect::<Result<Vec<_>, _>>()?;
    Ok(Synthesis { yosys: tool.yosys, modules: with_children(design, |at| own[at].clone()) })
}

/// What all modules of a design are synthesised with.
struct Tool {
    yosys: String,
    /// Its cells, and where it is.
    library: Option<(CellLibrary, String)>,
    cached: bool,
}

impl Tool {
    /// Cells of a module of its own; `boxes`: its children and memories.
    fn module(&self, file: &VerilogFile, boxes: &[VerilogFile], macros: &[Macro]) -> Result<CellCount, SynthesisError> {
        let path = self.library.as_ref().map(|(_, path)| path.as_str());
        let mut key =
            Key::default().with(("module", 3, &self.yosys, Cells::genlib(), script(file, boxes, path.map(|_| ""))));
        key = key.with((&file.text, self.library.as_ref().map(|(library, _)| &library.text)));
        boxes.iter().for_each(|child| key = key.clone().with(&child.text));
        let mut cells = kept_or(self.cached, &key, || {
            info!("{} synthesises `{}`", self.yosys, file.name);
            let files: Vec<_> = boxes.iter().chain([file]).cloned().collect();
            cells(&files, &script(file, boxes, path))
        })?;
        cells.retain(|kind, _| {
            boxes.iter().all(|child| child.name != *kind) || macros.iter().any(|m| m.module == *kind)
        });
        self.weigh(cells, macros)
    }

    /// What cells come to; memories are left out, but for their output registers.
    fn weigh(&self, mut cells: BTreeMap<String, u64>, macros: &[Macro]) -> Result<CellCount, SynthesisError> {
        let mut register_bits = 0;
        for memory in macros {
            let count = cells.remove(&memory.module).unwrap_or_default();
            register_bits += if memory.registered { count * u64::from(memory.bits) } else { 0 };
        }
        let own = Cells::NANGATE45;
        let registers = register_bits as f64 * (own.flip_flop + own.mux);
        let (area_um2, gates) = match &self.library {
            None => (None, Some(gates(&cells)?)),
            Some((library, _)) => {
                let area = library.area(&cells)?;
                (Some(area), library.nand().map(|nand| area / nand))
            }
        };
        Ok(CellCount { cells, area_um2, gate_equivalents: gates.map(|gates| gates + registers) })
    }
}

/// A module's ports without what is inside.
fn black_box(VerilogFile { name, text }: &VerilogFile) -> VerilogFile {
    let ports = text.find("\n);").map_or(text.as_str(), |end| &text[..end]);
    VerilogFile { name: name.clone(), text: format!("{ports}\n);\nendmodule\n") }
}

/// Of a module alone: small memories become flip-flops and multiplexers; with a library its cells take the place of gates.
fn script(file: &VerilogFile, boxes: &[VerilogFile], liberty: Option<&str>) -> String {
    let boxes: String = boxes.iter().map(|module| format!("read_verilog -lib {}.v; ", module.name)).collect();
    let top = &file.name;
    let map = match liberty {
        None => format!("abc -genlib {GENLIB} -script {ABC}"),
        Some(path) => format!("dfflibmap -liberty \"{path}\"; abc -liberty \"{path}\" -script {ABC}"),
    };
    format!(
        "{boxes}read_verilog {top}.v; synth -top {top} -run begin:fine; memory_map; opt -full; techmap; opt; {map}; opt_clean; \
         tee -q -o {STATISTICS} stat -json -top {top}"
    )
}

/// The gates where no library is given.
const GENLIB: &str = "gates.genlib";

/// As Yosys' own, without `&fraig -x`, which does not end with words of more than a thousand bits, and without retiming.
const ABC: &str = "+strash;ifraig;scorr;dc2;strash;&get,-n;&dch,-f;&nf;&put";

const STATISTICS: &str = "statistics.json";

/// Runs Yosys in a folder of its own.
fn cells(files: &[VerilogFile], script: &str) -> Result<BTreeMap<String, u64>, SynthesisError> {
    let folder = private_folder()?;
    for VerilogFile { name, text } in files {
        let file = folder.path().join(format!("{name}.v"));
        fs::write(&file, text).map_err(|cause| unwritten(&file, &cause))?;
    }
    let library = folder.path().join(GENLIB);
    fs::write(&library, Cells::genlib()).map_err(|cause| unwritten(&library, &cause))?;
    run_in(folder.path(), &["-q", "-p", script])?;
    let file = folder.path().join(STATISTICS);
    let text = fs::read_to_string(&file).map_err(|cause| unwritten(&file, &cause))?;
    let statistics: Statistics = serde_json::from_str(&text).map_err(|cause| unwritten(&file, &cause))?;
    Ok(statistics.design.num_cells_by_type)
}

/// What we read of `stat -json`.
#[derive(Deserialize)]
struct Statistics {
    design: OfDesign,
}

#[derive(Deserialize)]
struct OfDesign {
    num_cells_by_type: BTreeMap<String, u64>,
}

/// Gate equivalents of all.
fn gates(cells: &BTreeMap<String, u64>) -> Result<f64, SynthesisError> {
    let each = |(kind, count): (&String, &u64)| {
        let gates = Cells::NANGATE45.of_yosys(kind).ok_or_else(|| SynthesisError::Cell(kind.clone()))?;
        Ok(gates * *count as f64)
    };
    cells.iter().map(each).sum()
}
