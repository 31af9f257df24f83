//! How a command fails: what the person reads, and the exit code.

use miette::Diagnostic;
use serde_json::{Value, json};
use std::io::Write;

/// Key of a failure as a line of JSON.
const KEY: &str = "warpmesh_failure";

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

    /// As a line, for the process that has started this one.
    fn line(&self) -> String {
        let report = |report: &miette::Report| {
            let help = report.help().map(|help| help.to_string());
            json!({ "message": report.to_string(), "help": help })
        };
        let reports: Vec<_> = self.reports.iter().map(report).collect();
        format!("{}\n", json!({ KEY: { "code": self.code, "reports": reports } }))
    }

    /// The failure whose line is among what a process has said; without the place in a file, which only a text shows.
    pub fn read(said: &str) -> Option<Self> {
        let line = said.lines().rev().find_map(|line| serde_json::from_str::<Value>(line).ok()?.get(KEY).cloned())?;
        let report = |report: &Value| {
            let message = report["message"].as_str()?;
            Some(match report["help"].as_str() {
                Some(help) => miette::miette!(help = help, "{message}"),
                None => miette::miette!("{message}"),
            })
        };
        let code = u8::try_from(line["code"].as_u64()?).ok()?;
        Some(Self { code, reports: line["reports"].as_array()?.iter().filter_map(report).collect() })
    }

    /// Prints the reports, if any, or a line of JSON, and gives the exit code.
    pub fn finish(self, as_json: bool) -> u8 {
        let text = if as_json { self.line() } else { self.text() };
        // Nobody is left to tell when standard error is closed; the exit code still says it.
        _ = std::io::stderr().write_all(text.as_bytes());
        self.code
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_process_reads_what_has_failed() {
        let failure = Failure::first_of([
            Err(Failure::input_message("no `x`\nin \"y\"", "write {z}")),
            Err(Failure::new(4, "and more")),
        ]);
        let failure = failure.expect_err("two of them");
        let said = format!("warning: {{}}\n{}", failure.line());
        let read = Failure::read(&said).expect("a failure");
        assert_eq!((read.code, read.text()), (2, failure.text()));
        assert!(Failure::read("  × no `x`\n").is_none());
    }
}
