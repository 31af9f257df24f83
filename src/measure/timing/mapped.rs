//! The same block through a synthesis tool: Yosys maps the exported Verilog to the cells of a Liberty file, abc buffers
//! and sizes them and says how long the longest path through logic takes.
//!
//! ```text
//!   Design --export--> *.v --Yosys: synth, memories to flip-flops--> abc: &dch, &nf, buffer, upsize, stime--> ns, cells deep
//! ```
//!
//! abc sees what is between flip-flops: no clock to output, no setup, no wires. Ours is compared without them too
//! ([`DelayModel::logic_only`](super::DelayModel::logic_only)).

use crate::area::{
    SynthesisError,
    synthesis::{CellLibrary, cache, version},
};
use common::{cache::Key, trust};
use netlist::Design;
use serde::{Deserialize, Serialize};
use std::{fs, path::Path, process::Command};
use tracing::info;
use verilog::{ExportOptions, export, write_export};

/// The longest path of a block that a synthesis tool has mapped.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Mapped {
    /// What Yosys calls itself.
    pub yosys: String,
    /// Through logic alone, ns.
    pub ns: f64,
    /// Cells on it.
    pub cells_deep: u32,
}

/// For speed: structural choices, mapping by delay, buffers, larger cells where paths are long.
const ABC: &str = "&get -n; &st; &dch; &nf; &put; buffer -c; topo; upsize -c; dnsize -c; stime -p\n";

/// Maps the whole of `design`. `cached`: look for an earlier result, and keep this one.
///
/// # Errors
/// Yosys is not there, too old or fails; the file is no Liberty file of cells.
pub fn mapped(design: &Design, liberty: &Path, cached: bool) -> Result<Mapped, SynthesisError> {
    let yosys = version()?;
    let library = CellLibrary::read(liberty)?;
    let options =
        ExportOptions { command: "warpmesh timing --liberty".into(), sram_bits: None, ..ExportOptions::default() };
    let files = export(design, &options);
    let top = &design.top.name;
    let names: Vec<_> = files.iter().map(|file| format!("{}.v", file.name)).collect();
    let driver = library.buffer().map(|cell| format!("set_driving_cell {cell}\n"));
    let script = |path: &str| {
        let constraints = if driver.is_some() { " -constr constraints" } else { "" };
        format!(
            "read_verilog {}; synth -flatten -top {top} -run begin:fine; memory_map; opt -full; techmap; opt; \
             dfflibmap -liberty \"{path}\"; abc -liberty \"{path}\" -script abc.script{constraints}",
            names.join(" ")
        )
    };
    let mut key = Key::default().with(("mapped", 1, &yosys, script(""), ABC, &library.text, &driver));
    files.iter().for_each(|file| key = key.clone().with((&file.name, &file.text)));
    let cache = if cached { cache() } else { None };
    if let Some(kept) = cache.as_ref().and_then(|cache| cache.get(&key)).and_then(|b| serde_json::from_slice(&b).ok()) {
        info!("`{top}` was mapped before");
        return Ok(kept);
    }
    info!("{yosys} maps `{top}`");
    let folder = trust::private()
        .map_err(|refusal| SynthesisError::Io { path: std::env::temp_dir(), cause: refusal.to_string() })?;
    let problem = |cause: &dyn ToString| SynthesisError::Io { path: folder.path().into(), cause: cause.to_string() };
    write_export(&files, folder.path(), true).map_err(|error| problem(&error))?;
    fs::write(folder.path().join("abc.script"), ABC).map_err(|error| problem(&error))?;
    fs::write(folder.path().join("constraints"), driver.clone().unwrap_or_default())
        .map_err(|error| problem(&error))?;
    let path = fs::canonicalize(liberty).unwrap_or_else(|_| liberty.to_path_buf());
    let script = script(&path.display().to_string());
    let output = Command::new("yosys").current_dir(folder.path()).args(["-p", &script]).output();
    let output = output.map_err(SynthesisError::Missing)?;
    let said = String::from_utf8_lossy(&output.stdout);
    if !output.status.success() {
        return Err(SynthesisError::Failed(String::from_utf8_lossy(&output.stderr).trim().to_string()));
    }
    let (ns, cells_deep) = longest(&said).ok_or_else(|| {
        SynthesisError::Failed(format!("abc says nothing of the delay of `{top}`: it may have no logic"))
    })?;
    let found = Mapped { yosys, ns, cells_deep };
    if let (Some(cache), Ok(bytes)) = (cache, serde_json::to_vec(&found)) {
        cache.put(&key, &bytes);
    }
    Ok(found)
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
