//! `--snapshots`: what routers hold over time, of `run` and `noc`.

use super::{Failure, output::NewFile};
use clap::{Args, value_parser};
use measure::report::BufferSnapshots;
use std::path::PathBuf;

/// Snapshots of the buffers of routers.
#[derive(Args, Debug)]
pub struct FilmArgs {
    /// Write how many flits each router holds over time: FILE.jsonl, a line for each snapshot, or FILE.svg, a film strip. May be given
    /// several times.
    #[arg(long, value_name = "FILE", value_parser = film)]
    pub snapshots: Vec<PathBuf>,
    /// Cycles from snapshot to snapshot.
    #[arg(long, value_name = "N", default_value_t = 500, requires = "snapshots", value_parser = value_parser!(u64).range(1..))]
    pub snapshot_interval: u64,
}

fn film(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    match path.extension().and_then(|ending| ending.to_str()) {
        Some("svg" | "jsonl") => Ok(path),
        _ => Err("the file has to end in .jsonl or .svg".into()),
    }
}

impl FilmArgs {
    /// The files, before anything is computed.
    pub fn claim(&self, force: bool) -> Result<Vec<NewFile>, Failure> {
        self.snapshots.iter().map(|file| NewFile::claim(file, force)).collect()
    }

    /// For messages about files that are the same.
    pub fn outputs(&self) -> impl Iterator<Item = (&'static str, Option<&std::path::Path>)> {
        self.snapshots.iter().map(|file| ("--snapshots", Some(file.as_path())))
    }

    /// Somebody wants them.
    pub fn is_wanted(&self) -> bool {
        !self.snapshots.is_empty()
    }
}

/// Writes what was taken.
pub fn write(files: &[NewFile], snapshots: &BufferSnapshots) -> Result<(), Failure> {
    files.iter().try_for_each(|file| match file.path().extension().is_some_and(|ending| ending == "svg") {
        true => file.write(&snapshots.film_strip()),
        false => file.write(&snapshots.json_lines()),
    })
}
