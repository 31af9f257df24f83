//! The commands that compiling consists of: run, and printed as nvcc prints them for `--dryrun` and `--verbose`.

use crate::Failure;
use std::{path::Path, process::Command};
use tracing::info;

/// How commands are run.
#[derive(Clone, Copy, Debug)]
pub struct Steps {
    /// They are not.
    pub dry: bool,
    /// They are printed, to standard error.
    pub shown: bool,
}

impl Steps {
    /// Runs a command, which reports its own errors.
    pub fn call(self, command: &mut Command) -> Result<(), Failure> {
        info!("{command:?}");
        if self.shown {
            let words = std::iter::once(command.get_program()).chain(command.get_args());
            let words: Vec<String> = words.map(|word| quoted(&word.to_string_lossy())).collect();
            eprintln!("#$ {}", words.join(" "));
        }
        if self.dry {
            return Ok(());
        }
        let name = command.get_program().to_string_lossy().into_owned();
        let status = command.status().map_err(|error| Failure::new(2, format!("{name} cannot be run: {error}")))?;
        if status.success() { Ok(()) } else { Err(Failure::said(2)) }
    }

    /// The folders of the toolkit, by which scripts find headers and libraries.
    pub fn show_folders(self, headers: &Path, library: Option<&Path>) {
        if self.shown {
            eprintln!("#$ INCLUDES=\"-I{}\"", headers.display());
            if let Some(library) = library {
                eprintln!("#$ LIBRARIES=\"-L{}\"", library.display());
            }
        }
    }
}

/// As a shell takes it.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./=+,:@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) { word.into() } else { format!("\"{}\"", word.replace('"', "\\\"")) }
}
