//! Standard output, for every command.

use super::Failure;
use std::io::{ErrorKind, Write, stdout};

/// Writes `text` and a line end. A reader that has seen enough (`warpmesh list | head -1`) is no failure: the rest is dropped
/// and the command keeps its exit code.
pub fn print(text: &str) -> Result<(), Failure> {
    let mut out = stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.write_all(b"\n")).and_then(|()| out.flush()) {
        Err(cause) if cause.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::input_message(format!("cannot write to standard output: {cause}"), "redirect it elsewhere"))
        }
        _ => Ok(()),
    }
}
