//! The configurations that the program carries, and what the name of a configuration means.
//!
//! `small` is a shipped configuration, `./small` and `x/small` are files. `small.toml` is a file where there is one, and else the
//! shipped configuration. Where both are there and differ, it is said which was taken. Shipped configurations build upon shipped ones
//! only.

use crate::files::{TOML_LIMIT, read_text};
use std::path::{Path, PathBuf};
use tracing::warn;

macro_rules! embedded {
    ($($name:literal),* $(,)?) => {
        [$((concat!($name, ".toml"), include_str!(concat!("../../configs/", $name, ".toml")))),*]
    };
}

/// The configs that the program carries, by name: usable on the command line and as `base`.
pub const EMBEDDED: [(&str, &str); 40] = embedded![
    "default",
    "small",
    "baseline-tb-dor",
    "2x-bw",
    "cp-dor",
    "cp-dor-4vc",
    "cp-cr",
    "cp-cr-case3",
    "cp-cr-2i",
    "cp-cr-2e",
    "cp-cr-2p",
    "double-cp-cr",
    "double-cp-cr-dedicated",
    "double-cp-full",
    "dci",
    "dci-2vc",
    "dci-2p",
    "dci-2p-2vc",
    "dcie",
    "dcie-2p",
    "dcie-2p-row",
    "dcie-2p-column",
    "dcie-2p-scattered-1",
    "dcie-2p-tb",
    "dcie-cdr-2p-tb",
    "dcie-cdr-2p-row",
    "dcie-cdr-2p",
    "cp-cr-11x11",
    "torus",
    "torus-8",
    "ring-64",
    "butterfly",
    "crossbar",
    "crossbar-10x8",
    "crossbar-10x8-24",
    "baseline-8x8",
    "flattened-butterfly",
    "cmesh",
    "cmesh-express",
    "ideal",
];

/// What a name means.
pub(super) enum Found {
    /// One of [`EMBEDDED`]: its name there, and its text.
    Shipped(&'static str, &'static str),
    /// A file.
    File(PathBuf),
}

/// The names, for messages.
pub(super) fn names() -> String {
    EMBEDDED.map(|(name, _)| name).join(", ")
}

/// The shipped configuration `name` or `name.toml`.
pub(super) fn shipped(named: &Path) -> Option<(&'static str, &'static str)> {
    let is = |name: &str| named.as_os_str() == name || named.as_os_str() == name.trim_end_matches(".toml");
    EMBEDDED.into_iter().find(|(name, _)| is(name))
}

/// What `named` means in a file in `folder`, or on the command line.
pub(super) fn find(named: &Path, folder: Option<&Path>) -> Found {
    let here = |name: &Path| folder.map_or_else(|| name.to_path_buf(), |folder| folder.join(name));
    let beside = here(named);
    let Some((name, text)) = shipped(named) else { return Found::File(beside) };
    let stem = name.trim_end_matches(".toml");
    let differs = |path: &Path| !read_text(path, TOML_LIMIT).is_ok_and(|found| found == text);
    if named.as_os_str() == name && beside.is_file() {
        if differs(&beside) {
            let file = beside.display();
            warn!("`{name}` is taken as the file {file}; the shipped configuration is written `{stem}`");
        }
        return Found::File(beside);
    }
    let (file, dot) = (here(Path::new(name)), Path::new("."));
    let other = [beside, file].into_iter().find(|path| path.exists() && (path.is_dir() || differs(path)));
    if let Some(other) = other {
        let written = dot.join(other.strip_prefix(folder.unwrap_or(Path::new(""))).unwrap_or(&other));
        let kind = if other.is_dir() { "folder" } else { "file" };
        let [named, other, written] = [named, &other, &written].map(Path::display);
        warn!("`{named}` is taken as the shipped configuration; the {kind} {other} is written `{written}`");
    }
    Found::Shipped(name, text)
}
