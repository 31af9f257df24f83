//! Synthesis: the exported Verilog of a block through Yosys, its cells counted.
//!
//! ```text
//!   Design --export--> *.v --Yosys: synth, memories to flip-flops, abc--> cells by kind --Cells | Liberty--> gate equivalents, um^2
//! ```
//!
//! Without a Liberty file the cells are Yosys' own gates, weighed by [`Cells`]; with one they are the library's, with
//! its areas. The hierarchy stays: each distinct module is synthesised once. A result is kept under a hash of Verilog,
//! script, library and version of Yosys, in the folder of caches, so that the same question is answered at once.

use super::Cells;
use common::{
    cache::{self, Cache, Key},
    files::{LIBERTY_LIMIT, read_text},
    trust,
};
use netlist::Design;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
    process::Command,
};
use tempfile::TempDir;
use tracing::info;
use verilog::{ExportOptions, VerilogFile, export, write_export};

/// The oldest Yosys whose `stat -json` we read.
pub const OLDEST: (u32, u32) = (0, 23);

/// Bytes that kept results may have together.
const LIMIT: u64 = 16 << 20;

/// Why there is no result.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
pub enum SynthesisError {
    /// Yosys is not installed (or not in the path).
    #[error("`yosys` cannot be started: {0}")]
    #[diagnostic(help(
        "this needs Yosys 0.23 or later (Debian package `yosys`); `area` without --synth and `timing` without --liberty need no other program"
    ))]
    Missing(io::Error),
    /// Yosys is too old, or says something else than its version.
    #[error("this is not a Yosys that can be used: {0}")]
    #[diagnostic(help("it needs Yosys 0.23 or later"))]
    Version(String),
    /// Yosys ended with an error.
    #[error("yosys failed:\n{0}")]
    Failed(String),
    /// OpenSTA is not installed (or not in the path).
    #[error("`sta` cannot be started: {0}")]
    #[diagnostic(help("this needs OpenSTA 2 or later (Debian package `opensta`); `timing` without --sta does not"))]
    NoSta(io::Error),
    /// Another program has its name.
    #[error("this `sta` is not an OpenSTA that can be used: {0}")]
    #[diagnostic(help("it needs OpenSTA 2 or later"))]
    StaVersion(String),
    /// OpenSTA met an error.
    #[error("sta failed:\n{0}")]
    StaFailed(String),
    /// There is no path from clock edge to clock edge.
    #[error("OpenSTA has found no path")]
    #[diagnostic(help("a block with registers needs a library with flip-flops, and a block logic between its ports"))]
    StaNoPath,
    /// The Liberty file cannot be read.
    #[error("cannot read the Liberty file {path}: {cause}")]
    #[diagnostic(help("give --liberty a text file in the Liberty format; decompress it if it is compressed"))]
    Liberty {
        /// The file.
        path: PathBuf,
        /// What the system said.
        cause: io::Error,
    },
    /// The Liberty file has no cells with areas.
    #[error("{0} has no cell with an area: it is no Liberty file of cells")]
    NoCells(PathBuf),
    /// A cell whose size is not known.
    #[error("the result has cells of kind `{0}`, whose area is not known")]
    Cell(String),
    /// A working file could not be read or written.
    #[error("cannot work in {path}: {cause}")]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        cause: String,
    },
}

/// The cells of a synthesised block.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Synthesis {
    /// What Yosys calls itself.
    pub yosys: String,
    /// How many there are of each kind.
    pub cells: BTreeMap<String, u64>,
    /// With a Liberty file: the sum of their areas, um^2 in the usual libraries.
    pub area_um2: Option<f64>,
    /// Without one: gate equivalents. With one: areas over that of its smallest NAND of two inputs, if it has one.
    pub gate_equivalents: Option<f64>,
}

/// Synthesises the whole of `design`. `cached`: look for an earlier result, and keep this one.
pub fn synthesise(design: &Design, liberty: Option<&Path>, cached: bool) -> Result<Synthesis, SynthesisError> {
    let yosys = version()?;
    let library = liberty.map(CellLibrary::read).transpose()?;
    let options =
        ExportOptions { command: "warpmesh area --synth".into(), sram_bits: None, ..ExportOptions::default() };
    let files = export(design, &options);
    let top = &design.top.name;
    let script = |path: &str| script(&files, top, path);
    let mut key = Key::default().with((1, &yosys, script("")));
    files.iter().for_each(|file| key = key.clone().with((&file.name, &file.text)));
    if let Some(library) = &library {
        key = key.with(&library.text);
    }
    kept_or(cached, &key, || {
        info!("{yosys} synthesises `{top}`");
        let cells = cells(&files, &script(&liberty.map_or(String::new(), absolute)))?;
        match &library {
            None => Ok(Synthesis { gate_equivalents: Some(weigh(&cells)?), area_um2: None, yosys, cells }),
            Some(library) => {
                let area = library.area(&cells)?;
                let gate_equivalents = library.nand().map(|nand| area / nand);
                Ok(Synthesis { gate_equivalents, area_um2: Some(area), yosys, cells })
            }
        }
    })
}

/// What was kept under a key; else what `make` finds, which is kept then. `cached`: look for it, and keep it.
pub(crate) fn kept_or<T: Serialize + DeserializeOwned>(
    cached: bool,
    key: &Key,
    make: impl FnOnce() -> Result<T, SynthesisError>,
) -> Result<T, SynthesisError> {
    let cache = cache::folder().filter(|_| cached).and_then(|folder| Cache::at(folder.join("synthesis"), LIMIT));
    if let Some(kept) = cache.as_ref().and_then(|cache| cache.get(key)).and_then(|b| serde_json::from_slice(&b).ok()) {
        info!("kept from an earlier call");
        return Ok(kept);
    }
    let found = make()?;
    if let (Some(cache), Ok(bytes)) = (cache, serde_json::to_vec(&found)) {
        cache.put(key, &bytes);
    }
    Ok(found)
}

/// The path of a file, as another program finds it from another folder.
pub(crate) fn absolute(file: &Path) -> String {
    fs::canonicalize(file).unwrap_or_else(|_| file.to_path_buf()).display().to_string()
}

/// What `yosys -V` says, if it is one that we can use.
pub(crate) fn version() -> Result<String, SynthesisError> {
    let output = Command::new("yosys").arg("-V").output().map_err(SynthesisError::Missing)?;
    let text = String::from_utf8_lossy(&output.stdout).trim().to_string();
    match parse_version(&text) {
        Some(version) if version >= OLDEST => Ok(text),
        _ => Err(SynthesisError::Version(if text.is_empty() { "it says nothing of its version".into() } else { text })),
    }
}

/// `Yosys 0.23 (git sha1 ...)`, `Yosys 0.38+92 (...)`.
fn parse_version(text: &str) -> Option<(u32, u32)> {
    let number = text.strip_prefix("Yosys ")?.split([' ', '+']).next()?;
    let (major, minor) = number.split_once('.')?;
    let digits = minor.split(|c: char| !c.is_ascii_digit()).next()?;
    Some((major.parse().ok()?, digits.parse().ok()?))
}

/// Memories become flip-flops and multiplexers; with a library its cells take the place of gates. The hierarchy is dissolved when all is
/// mapped, for the statistics: `stat -json` of Yosys 0.23 prints one of more than two levels as broken JSON.
fn script(files: &[VerilogFile], top: &str, liberty: &str) -> String {
    let names: Vec<_> = files.iter().map(|file| format!("{}.v", file.name)).collect();
    let map = match liberty {
        "" => "abc -g gates".to_string(),
        path => format!("dfflibmap -liberty \"{path}\"; abc -liberty \"{path}\""),
    };
    format!(
        "read_verilog {}; synth -top {top} -run begin:fine; memory_map; opt -full; techmap; opt; {map}; opt_clean; flatten; \
         tee -q -o {STATISTICS} stat -json -top {top}",
        names.join(" ")
    )
}

const STATISTICS: &str = "statistics.json";

/// Runs Yosys in a folder of its own.
fn cells(files: &[VerilogFile], script: &str) -> Result<BTreeMap<String, u64>, SynthesisError> {
    cells_in(private_folder()?.path(), files, script)
}

/// A folder that nobody else reads.
pub(crate) fn private_folder() -> Result<TempDir, SynthesisError> {
    trust::private().map_err(|refusal| unwritten(&std::env::temp_dir(), &refusal))
}

/// A file that cannot be written or read.
pub(crate) fn unwritten(path: &Path, cause: &dyn ToString) -> SynthesisError {
    SynthesisError::Io { path: path.into(), cause: cause.to_string() }
}

/// Yosys in a folder with these files; what it prints.
pub fn yosys_in(folder: &Path, files: &[VerilogFile], arguments: &[&str]) -> Result<String, SynthesisError> {
    write_export(files, folder, true).map_err(|error| unwritten(folder, &error))?;
    let output = Command::new("yosys").current_dir(folder).args(arguments).output();
    let output = output.map_err(SynthesisError::Missing)?;
    let [printed, error] = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    let said = if error.trim().is_empty() { &printed } else { &error };
    if output.status.success() { Ok(printed) } else { Err(SynthesisError::Failed(said.trim().to_string())) }
}

fn cells_in(folder: &Path, files: &[VerilogFile], script: &str) -> Result<BTreeMap<String, u64>, SynthesisError> {
    yosys_in(folder, files, &["-q", "-p", script])?;
    let file = folder.join(STATISTICS);
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

/// Gate equivalents of Yosys' own cells.
fn weigh(cells: &BTreeMap<String, u64>) -> Result<f64, SynthesisError> {
    let each = |(kind, count): (&String, &u64)| {
        let gates = Cells::NANGATE45.of_yosys(kind).ok_or_else(|| SynthesisError::Cell(kind.clone()))?;
        Ok(gates * *count as f64)
    };
    cells.iter().map(each).sum()
}

/// A Liberty file: the areas of its cells.
pub(crate) struct CellLibrary {
    pub(crate) text: String,
    areas: BTreeMap<String, f64>,
}

impl CellLibrary {
    pub(crate) fn read(path: &Path) -> Result<Self, SynthesisError> {
        let text =
            read_text(path, LIBERTY_LIMIT).map_err(|cause| SynthesisError::Liberty { path: path.into(), cause })?;
        let areas = areas(&text);
        if areas.is_empty() {
            return Err(SynthesisError::NoCells(path.into()));
        }
        Ok(Self { text, areas })
    }

    fn area(&self, cells: &BTreeMap<String, u64>) -> Result<f64, SynthesisError> {
        let each = |(kind, count): (&String, &u64)| {
            let area = self.areas.get(kind).ok_or_else(|| SynthesisError::Cell(kind.clone()))?;
            Ok(area * *count as f64)
        };
        cells.iter().map(each).sum()
    }

    /// A buffer that drives its inputs and flip-flops' outputs stand for: one of four times the smallest's strength, if names tell.
    pub(crate) fn buffer(&self) -> Option<&str> {
        // Its name becomes part of commands.
        let plain = |name: &&String| name.chars().all(|c| c.is_ascii_alphanumeric() || "_.".contains(c));
        let buffers = || self.areas.keys().filter(plain).filter(|name| name.to_lowercase().contains("buf"));
        let of_four = buffers().find(|name| name.ends_with("_4") || name.to_lowercase().ends_with("x4"));
        of_four.or_else(|| buffers().next()).map(String::as_str)
    }

    /// Area of the smallest cell that is called a NAND of two inputs.
    fn nand(&self) -> Option<f64> {
        let nands = self.areas.iter().filter(|(name, _)| name.to_lowercase().contains("nand2"));
        nands.map(|(_, area)| *area).filter(|area| *area > 0.0).min_by(f64::total_cmp)
    }
}

/// Name and area of every cell: `cell (NAME) { area : 7.2576; ...`.
fn areas(text: &str) -> BTreeMap<String, f64> {
    let mut areas = BTreeMap::new();
    let mut cell: Option<String> = None;
    for line in text.lines().map(str::trim) {
        if let Some(rest) = line.strip_prefix("cell").map(str::trim_start).and_then(|rest| rest.strip_prefix('(')) {
            cell = rest.split(')').next().map(|name| name.trim().trim_matches('"').to_string());
        }
        let value = line.strip_prefix("area").map(str::trim_start).and_then(|rest| rest.strip_prefix(':'));
        if let (Some(name), Some(value)) = (&cell, value)
            && let Ok(area) = value.trim().trim_end_matches(';').trim().trim_matches('"').parse()
        {
            areas.insert(name.clone(), area);
            cell = None;
        }
    }
    areas
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions() {
        assert_eq!(parse_version("Yosys 0.23 (git sha1 7ce5011c24b)"), Some((0, 23)));
        assert_eq!(parse_version("Yosys 0.38+92 (git sha1 84116c9a3)"), Some((0, 38)));
        assert_eq!(parse_version("Yosys 0.9"), Some((0, 9)));
        assert!(parse_version("Yosys 0.9").expect("a version") < OLDEST);
        assert_eq!(parse_version("yosys?"), None);
    }

    #[test]
    fn areas_of_cells_and_of_nothing_else() {
        let text = "library (x) {\n  operating_conditions (a) { }\n  cell (\"nand2_1\") {\n    area : 7.2576;\n    pin (A) { area : 3; }\n  }\n  cell(inv_1) {\n    cell_footprint : \"IN\";\n    area : 5.4432;\n  }\n}\n";
        let found = areas(text);
        assert_eq!(
            found.into_iter().collect::<Vec<_>>(),
            [("inv_1".to_string(), 5.4432), ("nand2_1".to_string(), 7.2576)]
        );
        assert!(areas("no library").is_empty());
    }
}
