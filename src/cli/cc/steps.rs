//! The commands that compiling consists of: run, and printed as nvcc prints them for `--dryrun` and `--verbose`.

use super::libraries;
use crate::Failure;
use std::{
    io::{BufRead, BufReader, IsTerminal, Write, stderr},
    path::Path,
    process::{Command, ExitStatus, Stdio},
};
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
    /// Runs clang or the linker, which report their own errors; of libraries that they do not find it is said what they are.
    pub fn build(self, command: &mut Command) -> Result<(), Failure> {
        if stderr().is_terminal() {
            // It does not see that the reader is one.
            command.arg("-fcolor-diagnostics");
        }
        let mut said = String::new();
        let result = self.call_by(command, |command| passing_on(command, &mut said));
        libraries::explain(&said).iter().for_each(|text| eprintln!("warpmesh cc: {text}"));
        result
    }

    /// The same; but where it fails and `other_way` finds another way by what it has said, says nothing and tells so.
    pub fn build_unless(self, command: &mut Command, other_way: impl FnOnce(&str) -> bool) -> Result<bool, Failure> {
        if stderr().is_terminal() {
            command.arg("-fcolor-diagnostics");
        }
        let mut said = vec![];
        let result = self.call_by(command, |command| {
            let output = command.stdout(Stdio::inherit()).output()?;
            said = output.stderr;
            Ok(output.status)
        });
        let text = String::from_utf8_lossy(&said);
        if result.is_err() && other_way(&text) {
            info!("refused: {text}");
            return Ok(false);
        }
        // Who does not read it any more does not miss it.
        _ = stderr().write_all(&said);
        libraries::explain(&text).iter().for_each(|text| eprintln!("warpmesh cc: {text}"));
        result.map(|()| true)
    }

    /// Runs a command, which reports its own errors.
    pub fn call(self, command: &mut Command) -> Result<(), Failure> {
        self.call_by(command, Command::status)
    }

    fn call_by(
        self,
        command: &mut Command,
        run: impl FnOnce(&mut Command) -> std::io::Result<ExitStatus>,
    ) -> Result<(), Failure> {
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
        let status = run(command).map_err(|error| Failure::new(2, format!("{name} cannot be run: {error}")))?;
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

/// Runs a command whose standard error goes to ours as it comes, and to `said`.
fn passing_on(command: &mut Command, said: &mut String) -> std::io::Result<ExitStatus> {
    let mut child = command.stderr(Stdio::piped()).spawn()?;
    if let Some(pipe) = child.stderr.take() {
        let (mut lines, mut line) = (BufReader::new(pipe), vec![]);
        while lines.read_until(b'\n', &mut line)? > 0 {
            // Who does not read it any more does not miss it.
            _ = stderr().write_all(&line);
            said.push_str(&String::from_utf8_lossy(&line));
            line.clear();
        }
    }
    child.wait()
}

/// As a shell takes it.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./=+,:@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) { word.into() } else { format!("\"{}\"", word.replace('"', "\\\"")) }
}
