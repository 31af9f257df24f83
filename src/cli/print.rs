//! Standard output, for every command.

use super::{Failure, call};
use std::io::{ErrorKind, Write, stdout};

/// Writes `text` and a line end. A reader that has seen enough (`warpmesh list | head -1`) is no failure: the rest is dropped
/// and the command keeps its exit code. Where a program has called the command, it gets the text.
pub fn print(text: &str) -> Result<(), Failure> {
    if call::takes(|said| said.printed += &format!("{text}\n")) {
        return Ok(());
    }
    let mut out = stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.write_all(b"\n")).and_then(|()| out.flush()) {
        Err(cause) if cause.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::input_message(format!("cannot write to standard output: {cause}"), "redirect it elsewhere"))
        }
        _ => Ok(()),
    }
}
