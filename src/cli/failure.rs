//! How a command fails: what the person reads, and the exit code.

use miette::Diagnostic;
use std::io::Write;

/// A failed command. The exit codes are those of the [module documentation](super).
#[derive(Debug)]
pub struct Failure {
    /// Exit code.
    pub code: u8,
    /// What is printed to standard error; empty when the command has said everything already.
    pub reports: Vec<miette::Report>,
}

impl Failure {
    /// The output of the command says what is wrong.
    pub fn said(code: u8) -> Self {
        Self { code, reports: vec![] }
    }

    /// Bad input.
    pub fn input(error: impl Diagnostic + Send + Sync + 'static) -> Self {
        Self { code: 2, reports: vec![error.into()] }
    }

    /// Bad input, described by `message` and what to do about it.
    pub fn input_message(message: impl std::fmt::Display, help: impl std::fmt::Display) -> Self {
        Self { code: 2, reports: vec![miette::miette!(help = help.to_string(), "{message}")] }
    }

    /// Any other failure, with its code.
    pub fn new(code: u8, message: impl std::fmt::Display) -> Self {
        Self { code, reports: vec![miette::miette!("{message}")] }
    }

    /// What has become of several steps, none of which waits for the others: the code of the first that failed, and the reports of all.
    pub fn first_of(results: impl IntoIterator<Item = Result<(), Self>>) -> Result<(), Self> {
        let failures = results.into_iter().filter_map(Result::err);
        let all = failures.reduce(|mut first, other| {
            first.reports.extend(other.reports);
            first
        });
        all.map_or(Ok(()), Err)
    }

    /// What a person reads; empty when the command has said everything already.
    pub fn text(&self) -> String {
        self.reports.iter().map(|report| format!("{report:?}\n")).collect()
    }

    /// Prints the reports, if any, and gives the exit code.
    pub fn finish(self) -> u8 {
        // Nobody is left to tell when standard error is closed; the exit code still says it.
        _ = std::io::stderr().write_all(self.text().as_bytes());
        self.code
    }
}
