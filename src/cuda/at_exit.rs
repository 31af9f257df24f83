//! The end of the process: the report of its launches goes to the file that was asked for, or else to standard error.
//!
//! A report that cannot be written goes to standard error, too, and a program that would end with 0 then ends with [`LOST`]; so does one whose
//! waveform is not recorded. The exit code
//! changes when everything else of the program is over, its own functions for the end included.

use crate::runtime::Runtime;
use common::output;
use libc::{c_int, c_void};
use measure::session::{json_report, report};
use std::{
    panic::catch_unwind,
    path::PathBuf,
    sync::atomic::{AtomicBool, AtomicI32, Ordering},
};

/// Exit code of a program whose report or waveform could not be written, as `warpmesh` has it for files that cannot be written.
const LOST: c_int = 2;

/// The process that is watched: one that it forks has no report of its own.
static PROCESS: AtomicI32 = AtomicI32::new(0);
/// What the program has ended with.
static CODE: AtomicI32 = AtomicI32::new(0);
/// The report could not be written, or there is no waveform.
static IS_LOST: AtomicBool = AtomicBool::new(false);

unsafe extern "C" {
    fn on_exit(function: extern "C" fn(c_int, *mut c_void), argument: *mut c_void) -> c_int;
}

/// Reports at the end of the process.
pub fn watch() {
    // SAFETY: functions that may be called at any time. Without room for it there is no report.
    unsafe {
        PROCESS.store(libc::getpid(), Ordering::Relaxed);
        on_exit(at_exit, std::ptr::null_mut());
    }
}

/// Writes to standard error, which may be closed.
fn say(text: &str) {
    use std::io::Write;
    let _ = std::io::stderr().write_all(text.as_bytes());
}

extern "C" fn at_exit(code: c_int, _: *mut c_void) {
    CODE.store(code, Ordering::Relaxed);
    // SAFETY: always possible.
    if unsafe { libc::getpid() } != PROCESS.load(Ordering::Relaxed) {
        return;
    }
    // Nothing can be done about a panic.
    let _ = catch_unwind(|| {
        // Who ends the process in the middle of a launch gets no report.
        Runtime::look_if_free(|runtime| tell(runtime.report_file().cloned(), runtime));
    });
}

/// Tells what there is to tell.
fn tell(file: Option<PathBuf>, runtime: &Runtime) {
    let session = runtime.session_so_far();
    let text = session.and_then(report);
    if session.is_some_and(|session| session.not_recorded().is_some()) {
        IS_LOST.store(true, Ordering::Relaxed);
    }
    let Some(file) = file else {
        return say(&text.unwrap_or_default());
    };
    let nothing = session.map(|session| [session.selected_nothing(), session.not_recorded()]);
    nothing.into_iter().flatten().flatten().for_each(|line| say(&format!("warpmesh: {line}\n")));
    let text = text.unwrap_or("warpmesh: no launches\n".into());
    let content = match (session, file.extension().is_some_and(|ending| ending == "json")) {
        // The text has all numbers that are needed, should there be no JSON.
        (Some(session), true) => json_report(session).unwrap_or(text),
        (None, true) => "{\n  \"format_version\": 1,\n  \"launches\": [],\n  \"failed\": []\n}".into(),
        (_, false) => text,
    };
    if let Err(error) = output::write(&file, content.as_bytes(), true) {
        IS_LOST.store(true, Ordering::Relaxed);
        say(&format!("{content}\nwarpmesh: the report cannot be written to {}: {error}\n", file.display()));
    }
}

/// Called when the functions of the program and its libraries for the end have been called.
extern "C" fn end() {
    if IS_LOST.load(Ordering::Relaxed) && CODE.load(Ordering::Relaxed) == 0 {
        // SAFETY: what is left to do is to write what the C library has not yet written, and to end.
        unsafe {
            libc::fflush(std::ptr::null_mut());
            libc::_exit(LOST);
        }
    }
}

#[used]
#[unsafe(link_section = ".fini_array")]
static AT_THE_END: extern "C" fn() = end;
