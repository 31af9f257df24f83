//! The files of a folder of pages.

use crate::Failure;
use std::{
    fs,
    path::{Path, PathBuf},
};

/// The Markdown files of a folder and those below it, in order of their names.
pub fn markdown(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let unreadable = |cause| failed(folder, "read", &cause);
    let mut found = vec![];
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?;
        let (path, kind) = (entry.path(), entry.file_type().map_err(unreadable)?);
        match kind.is_dir() {
            true => found.extend(markdown(&path)?),
            false if path.extension().is_some_and(|ending| ending == "md") => found.push(path),
            false => {}
        }
    }
    found.sort();
    Ok(found)
}

/// Its text.
pub fn read(path: &Path) -> Result<String, Failure> {
    fs::read_to_string(path).map_err(|cause| failed(path, "read", &cause))
}

/// It cannot be read or written.
pub fn failed(path: &Path, what: &str, cause: &std::io::Error) -> Failure {
    Failure::input_message(format!("{}: cannot {what}: {cause}", path.display()), "see whether you may do that there")
}
