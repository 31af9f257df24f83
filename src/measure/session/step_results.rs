//! What single steps of a run file have found.

use crate::report::counted;
use program::run_file::BufferComparison;

/// A check that was made.
#[derive(Clone, Debug)]
pub struct Checked {
    /// Line of its step.
    pub line: usize,
    /// The buffer.
    pub buffer: String,
    /// What was found.
    pub comparison: BufferComparison,
}

/// A repetition that has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Repeated {
    /// Line of its step.
    pub line: usize,
    /// Rounds.
    pub rounds: u64,
}

/// A repetition, for people.
pub(crate) fn repeat_text(line: u64, rounds: u64) -> String {
    format!("repetition of line {line}: {}", counted(rounds, "round"))
}

/// A check of so many elements, for people.
pub(crate) fn check_text(buffer: &str, line: u64, count: u64, wrong: u64) -> String {
    let found = match wrong {
        0 => format!("right, {}", counted(count, "element")),
        _ => format!("WRONG, {wrong} of {}", counted(count, "element")),
    };
    format!("check of `{buffer}`, line {line}: {found}")
}
