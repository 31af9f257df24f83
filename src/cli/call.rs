//! Commands that a program calls, such as the Python package: what they say goes to it, not to the streams of the
//! process.
//!
//! A command works on the thread that calls it, so the caller is kept per thread.

use super::{Failure, logs};
use std::{
    cell::RefCell,
    sync::{Arc, atomic::AtomicBool},
};

/// Hears how far a command is: a line for a person and, where that is known, which part of all is done (0 to 1). Seldom more than ten times a
/// second.
pub type Listener = Arc<dyn Fn(&str, Option<f64>) + Send + Sync>;

/// A report in both forms.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SaidReport {
    /// For a person.
    pub text: String,
    /// One JSON object.
    pub json: String,
}

/// What a command has said.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Said {
    /// What it would have printed.
    pub printed: String,
    /// Its reports; several where it is about several chips.
    pub reports: Vec<SaidReport>,
    /// Warnings, a line each.
    pub warnings: Vec<String>,
}

/// How a command has failed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CallFailure {
    /// Exit code, as in the documentation of this package.
    pub code: u8,
    /// What the command line writes to standard error; empty where the reports say all.
    pub message: String,
}

impl From<Failure> for CallFailure {
    fn from(failure: Failure) -> Self {
        Self { code: failure.code, message: failure.text() }
    }
}

struct Call {
    said: Said,
    interrupt: Arc<AtomicBool>,
    listener: Listener,
}

thread_local! {
    static CALL: RefCell<Option<Call>> = const { RefCell::new(None) };
}

/// Does `work` for a program that has called, and gives what it says meanwhile. `interrupt`: once it is true, the command ends as it does after
/// Ctrl-C.
pub(super) fn collect<R>(interrupt: Arc<AtomicBool>, listener: Listener, work: impl FnOnce() -> R) -> (Said, R) {
    let before = CALL.replace(Some(Call { said: Said::default(), interrupt, listener }));
    let _restored = Restored(before);
    let (result, warnings) = logs::collect(work);
    let said = CALL.take().map(|call| call.said).unwrap_or_default();
    (Said { warnings, ..said }, result)
}

/// Restores the caller before, also when the command panics.
struct Restored(Option<Call>);

impl Drop for Restored {
    fn drop(&mut self) {
        CALL.set(self.0.take());
    }
}

/// Adds to what the program gets that has called; none has: false.
pub(super) fn takes(say: impl FnOnce(&mut Said)) -> bool {
    CALL.with_borrow_mut(|call| call.as_mut().map(|call| say(&mut call.said)).is_some())
}

/// A report, for a program that has called.
pub(super) fn report(text: impl FnOnce() -> String, json: impl FnOnce() -> String) {
    takes(|said| said.reports.push(SaidReport { text: text(), json: json() }));
}

/// What ends the command, where a program has called it.
pub(super) fn interrupt() -> Option<Arc<AtomicBool>> {
    CALL.with_borrow(|call| call.as_ref().map(|call| call.interrupt.clone()))
}

/// Who hears how far the command is, where a program has called it.
pub(super) fn listener() -> Option<Listener> {
    CALL.with_borrow(|call| call.as_ref().map(|call| call.listener.clone()))
}
