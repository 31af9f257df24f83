//! The same block through a synthesis tool: Yosys maps the exported Verilog to the cells of a Liberty file, abc buffers
//! and sizes them and says how long the longest path through logic takes.
//!
//! ```text
//!   Design --export--> *.v --Yosys: synth, memories to flip-flops--> abc: &dch, &nf, buffer, upsize, stime--> ns, cells deep
//!                                                                    mapped.v --OpenSTA, if asked for--> ns, cells deep
//! ```
//!
//! abc sees what is between flip-flops: no clock to output, no setup, no wires. Ours is compared without them too
//! ([`DelayModel::logic_only`](super::DelayModel::logic_only)). [OpenSTA](super::sta) sees whole paths.

use super::sta::{self, StaticTiming};
use crate::area::{
    liberty::CellLibrary,
    yosys::{SynthesisError, absolute, kept_or, private_folder, unwritten, version, yosys_in},
};
use common::cache::Key;
use netlist::Design;
use serde::{Deserialize, Serialize};
use std::{fs, path::Path};
use tracing::info;
use verilog::{ExportOptions, export_all};

/// The longest path of a block that a synthesis tool has mapped.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Mapped {
    /// What Yosys calls itself.
    pub yosys: String,
    /// Through logic alone, ns.
    pub ns: f64,
    /// Cells on it.
    pub cells_deep: u32,
    /// The longest path from clock edge to clock edge, by OpenSTA.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sta: Option<StaticTiming>,
}

/// The mapped netlist: flat, cells alone, nets of one bit.
pub(super) const NETLIST: &str = "mapped.v";

/// For speed: structural choices, mapping by delay, buffers, larger cells where paths are long.
const ABC: &str = "&get -n; &st; &dch; &nf; &put; buffer -c; topo; upsize -c; dnsize -c; stime -p\n";

/// Maps the whole of `design`. `with_sta`: and times it with OpenSTA. `cached`: look for an earlier result, and keep this one.
///
/// # Errors
/// Yosys or OpenSTA is not there, too old or fails; the file is no Liberty file of cells.
pub fn mapped(design: &Design, liberty: &Path, with_sta: bool, cached: bool) -> Result<Mapped, SynthesisError> {
    let yosys = version()?;
    let opensta = with_sta.then(sta::version).transpose()?;
    let library = CellLibrary::read(liberty)?;
    let options =
        ExportOptions { command: "warpmesh timing --liberty".into(), sram_bits: None, ..ExportOptions::default() };
    let exported = export_all(design, &options);
    let files = &exported.files;
    let top = &design.top.name;
    let names: Vec<_> = files.iter().map(|file| format!("{}.v", file.name)).collect();
    let driver = library.buffer().map(|cell| format!("set_driving_cell {cell}\n"));
    let script = |path: &str| {
        let constraints = if driver.is_some() { " -constr constraints" } else { "" };
        format!(
            "read_verilog {}; synth -flatten -top {top} -run begin:fine; memory_map; opt -full; techmap; opt; \
             dfflibmap -liberty \"{path}\"; abc -liberty \"{path}\" -script abc.script{constraints}; \
             opt_clean -purge; setundef -zero; splitnets -ports; write_verilog -noattr -noexpr {NETLIST}",
            names.join(" ")
        )
    };
    let constraints =
        sta::Constraints { liberty: &library.text, top, clocks: &exported.clocks, driver: library.buffer() };
    let with_sta = opensta.as_ref().map(|version| (version, sta::script(&constraints)));
    let mut key = Key::default().with(("mapped", 3, (&yosys, with_sta), script(""), ABC, &library.text, &driver));
    files.iter().for_each(|file| key = key.clone().with((&file.name, &file.text)));
    kept_or(cached, &key, || {
        info!("{yosys} maps `{top}`");
        let folder = private_folder()?;
        let write = |name: &str, text: &str| {
            let file = folder.path().join(name);
            fs::write(&file, text).map_err(|error| unwritten(&file, &error))
        };
        write("abc.script", ABC)?;
        write("constraints", driver.as_deref().unwrap_or_default())?;
        let said = yosys_in(folder.path(), files, &["-p", &script(&absolute(liberty))])?;
        let (ns, cells_deep) = longest(&said).ok_or_else(|| {
            SynthesisError::Failed(format!("abc says nothing of the delay of `{top}`: it may have no logic"))
        })?;
        let sta = opensta.map(|version| {
            let constraints =
                sta::Constraints { liberty: &library.text, top, clocks: &exported.clocks, driver: library.buffer() };
            sta::timed_in(folder.path(), &constraints, version)
        });
        Ok(Mapped { yosys, ns, cells_deep, sta: sta.transpose()? })
    })
}

/// `ABC: ... Delay =   905.07 ps ...`, then a line for each cell: `ABC: Path  1 -- ...`; the first one is the input.
fn longest(said: &str) -> Option<(f64, u32)> {
    let lines: Vec<_> = said.lines().collect();
    let at = lines.iter().rposition(|line| line.starts_with("ABC:") && line.contains("Delay ="))?;
    let ps: f64 = lines[at].split_once("Delay =")?.1.split_whitespace().next()?.parse().ok()?;
    let cells = lines[at..].iter().filter(|line| line.starts_with("ABC: Path")).count().saturating_sub(1);
    Some((ps / 1000.0, cells as u32))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_abc_says() {
        let said = "ABC: + stime -p \nABC: WireLoad = \"none\"  Gates =    114 ( 11.4 %)   Delay =   905.07 ps  ( 17.5 %)\n\
                    ABC: Path  0 --       5 : 0    3 pi             A =   0.00\nABC: Path  1 --      75 : 4   10 nor4_2\n\
                    ABC: Path  2 --     118 : 4    5 nand4_1\nABC: Start-point = pi4.\n";
        assert_eq!(longest(said), Some((0.90507, 2)));
        assert_eq!(longest("nothing"), None);
    }
}
