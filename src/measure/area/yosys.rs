//! Yosys as a program: its version, a folder to work in, its mistakes, and what earlier calls have answered.

use common::{
    cache::{self, Cache, Key},
    trust,
};
use serde::{Serialize, de::DeserializeOwned};
use std::{
    fs, io,
    path::{Path, PathBuf},
    process::Command,
};
use tempfile::TempDir;
use tracing::debug;
use verilog::{VerilogFile, write_export};

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

/// What was kept under a key; else what `make` finds, which is kept then. `cached`: look for it, and keep it.
pub(crate) fn kept_or<T: Serialize + DeserializeOwned>(
    cached: bool,
    key: &Key,
    make: impl FnOnce() -> Result<T, SynthesisError>,
) -> Result<T, SynthesisError> {
    let cache = cache::folder().filter(|_| cached).and_then(|folder| Cache::at(folder.join("synthesis"), LIMIT));
    if let Some(kept) = cache.as_ref().and_then(|cache| cache.get(key)).and_then(|b| serde_json::from_slice(&b).ok()) {
        debug!("kept from an earlier call");
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
    run_in(folder, arguments)
}

/// Yosys in a folder; what it prints.
pub(super) fn run_in(folder: &Path, arguments: &[&str]) -> Result<String, SynthesisError> {
    let output = Command::new("yosys").current_dir(folder).args(arguments).output();
    let output = output.map_err(SynthesisError::Missing)?;
    let [printed, error] = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    let said = if error.trim().is_empty() { &printed } else { &error };
    if output.status.success() { Ok(printed) } else { Err(SynthesisError::Failed(said.trim().to_string())) }
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
}
