//! How a command fails: what the person reads, and the exit code.

use miette::Diagnostic;
use std::{io::Write, process::ExitCode};

/// A failed command. The exit codes are those of the [module documentation](super).
#[derive(Debug)]
pub struct Failure {
    /// Exit code.
    pub code: u8,
    /// What is printed to standard error; `None` when the command has said everything already.
    pub report: Option<miette::Report>,
}

impl Failure {
    /// The result is wrong, and the report of the command says so.
    pub fn wrong_result() -> Self {
        Self { code: 1, report: None }
    }

    /// Bad input.
    pub fn input(error: impl Diagnostic + Send + Sync + 'static) -> Self {
        Self { code: 2, report: Some(error.into()) }
    }

    /// Bad input, described by `message` and what to do about it.
    pub fn input_message(message: impl std::fmt::Display, help: impl std::fmt::Display) -> Self {
        Self { code: 2, report: Some(miette::miette!(help = help.to_string(), "{message}")) }
    }

    /// Any other failure, with its code.
    pub fn new(code: u8, message: impl std::fmt::Display) -> Self {
        Self { code, report: Some(miette::miette!("{message}")) }
    }

    /// Prints the report, if any, and gives the exit code.
    pub fn finish(self) -> ExitCode {
        if let Some(report) = self.report {
            // Nobody is left to tell when standard error is closed; the exit code still says it.
            let _ = writeln!(std::io::stderr(), "{report:?}");
        }
        ExitCode::from(self.code)
    }
}
