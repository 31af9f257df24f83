//! A mistake that the reader finds.

use std::fmt;

/// A mistake in printed Verilog: one of ours.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// File that it is in.
    pub file: String,
    /// Line, from 1.
    pub line: usize,
    /// What is wrong.
    pub message: String,
}

impl Fault {
    /// In a file that is not known here.
    pub(super) fn at(line: usize, message: impl Into<String>) -> Self {
        Self { file: String::new(), line, message: message.into() }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.file, self.line, self.message)
    }
}
