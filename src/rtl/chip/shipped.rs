//! The configurations that the program carries, and what the name of a configuration means.
//!
//! `small` is a shipped configuration, `./small` and `x/small` are files. `small.toml` is a file where there is one,
//! and else the shipped configuration. Where both are there and differ, it is said which was taken. Shipped
//! configurations build upon shipped ones only.

use common::files::{TOML_LIMIT, read_text};
use include_dir::{Dir, File, include_dir};
use std::{
    path::{Path, PathBuf},
    sync::LazyLock,
};
use tracing::warn;

static FOLDER: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../../configs");

/// The shipped configuration for CUDA programs, which has every feature.
pub const OF_PROGRAMS: &str = "fermi";

/// The configs that the program carries, those of the folder `configs`, by name: usable on the command line and as `base`. The default
/// and the small one come first; the rest in order of the names without the ending, a design before its variants (`dci`, `dci-2p`).
pub static EMBEDDED: LazyLock<Vec<(&'static str, &'static str)>> = LazyLock::new(|| {
    let named = |file: &'static File<'_>| Some((file.path().to_str()?, file.contents_utf8()?));
    let mut all: Vec<_> = FOLDER.files().filter_map(named).filter(|(name, _)| name.ends_with(".toml")).collect();
    all.sort_by_key(|&(name, _)| (name != "default.toml", name != "small.toml", name.trim_end_matches(".toml")));
    all
});

/// What a name means.
pub(super) enum ConfigSource {
    /// One of [`EMBEDDED`]: its name there, and its text.
    Shipped(&'static str, &'static str),
    /// A file.
    File(PathBuf),
}

/// Help for a name that is none: the nearest.
pub(super) fn names_near(given: &str) -> String {
    let given = given.trim_end_matches(".toml");
    let stems = EMBEDDED.iter().map(|(name, _)| name.trim_end_matches(".toml"));
    let likeness = |stem: &&str| (strsim::jaro_winkler(given, stem) * 1000.0) as u32;
    let nearest = stems.max_by_key(likeness).filter(|stem| likeness(stem) > 750);
    let near = nearest.map_or(String::new(), |stem| format!("did you mean `{stem}`? "));
    format!("{near}`warpmesh list configs` lists the shipped ones")
}

/// The shipped configuration `name` or `name.toml`.
pub(super) fn shipped(named: &Path) -> Option<(&'static str, &'static str)> {
    let is = |name: &str| named.as_os_str() == name || named.as_os_str() == name.trim_end_matches(".toml");
    EMBEDDED.iter().copied().find(|(name, _)| is(name))
}

/// What `named` means in a file in `folder`, or on the command line.
pub(super) fn find(named: &Path, folder: Option<&Path>) -> ConfigSource {
    let here = |name: &Path| folder.map_or_else(|| name.to_path_buf(), |folder| folder.join(name));
    let beside = here(named);
    let Some((name, text)) = shipped(named) else { return ConfigSource::File(beside) };
    let stem = name.trim_end_matches(".toml");
    let differs = |path: &Path| !read_text(path, TOML_LIMIT).is_ok_and(|found| found == text);
    if named.as_os_str() == name && beside.is_file() {
        if differs(&beside) {
            let file = beside.display();
            warn!("`{name}` is taken as the file {file}; the shipped configuration is written `{stem}`");
        }
        return ConfigSource::File(beside);
    }
    let (file, dot) = (here(Path::new(name)), Path::new("."));
    let other = [beside, file].into_iter().find(|path| path.exists() && (path.is_dir() || differs(path)));
    if let Some(other) = other {
        let written = dot.join(other.strip_prefix(folder.unwrap_or(Path::new(""))).unwrap_or(&other));
        let kind = if other.is_dir() { "folder" } else { "file" };
        let [named, other, written] = [named, &other, &written].map(Path::display);
        warn!("`{named}` is taken as the shipped configuration; the {kind} {other} is written `{written}`");
    }
    ConfigSource::Shipped(name, text)
}
