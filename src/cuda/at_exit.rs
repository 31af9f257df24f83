//! The end of the process: the report of its launches goes to the file that was asked for, or else to standard error.
//!
//! A report that cannot be written goes to standard error, too, and a program that would end with 0 then ends with
//! [`LOST`], as one whose waveform, record or saved state is not written; one that has not asked for the error of a launch that failed ends
//! with [`FAILED`]. The exit code changes when everything else of the program is over, its own functions for the end
//! included.

use crate::{interrupt, runtime::Runtime, settings};
use common::output::{self, NewFolder};
use libc::{c_int, c_void};
use measure::{
    record::{Ending, Workload},
    session::{ReportLines, Session, json_report, report},
};
use std::{
    panic::catch_unwind,
    path::{Path, PathBuf},
    sync::atomic::{AtomicI32, Ordering},
};

/// Exit code of a program whose report or waveform could not be written, as `warpmesh` has it for files that cannot be written.
pub const LOST: c_int = 2;

/// Exit code of a program with a launch that failed, which the program has not noticed.
const FAILED: c_int = 1;

/// The process that is watched: one that it forks has no report of its own.
static PROCESS: AtomicI32 = AtomicI32::new(0);
/// What the program has ended with.
static CODE: AtomicI32 = AtomicI32::new(0);
/// What the program ends with in the place of 0: no other code, [`LOST`] or [`FAILED`].
static INSTEAD: AtomicI32 = AtomicI32::new(0);

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
        Runtime::look_if_free(|runtime| {
            tell(runtime.report_file().cloned(), runtime);
            if let Some(folder) = runtime.record_folder() {
                record(folder, runtime.session_so_far());
            }
            if let Some(file) = runtime.samples_file() {
                samples(file, runtime.session_so_far());
            }
            if !runtime.has_no_device() {
                parts(runtime.session_so_far());
            }
            tell_failures(runtime);
            show(runtime);
        });
    });
}

/// Tells what there is to tell.
fn tell(file: Option<PathBuf>, runtime: &Runtime) {
    let session = runtime.session_so_far();
    if session.is_some_and(|session| !session.not_recorded().is_empty()) {
        INSTEAD.store(LOST, Ordering::Relaxed);
    }
    let text = |lines| session.and_then(|session| report(session, lines));
    let Some(file) = file else {
        return say(&text(ReportLines::Short).unwrap_or_default());
    };
    let nothing = session.map(|session| session.selected_nothing().into_iter().chain(session.not_recorded()));
    nothing.into_iter().flatten().for_each(|line| say(&format!("warpmesh: {line}\n")));
    let text = text(ReportLines::All).unwrap_or("warpmesh: no launches\n".into());
    let content = match (session, file.extension().is_some_and(|ending| ending == "json")) {
        // The text has all numbers that are needed, should there be no JSON.
        (Some(session), true) => json_report(session, Workload::of_environment()).unwrap_or(text),
        (None, true) => "{\n  \"format_version\": 1,\n  \"launches\": [],\n  \"failed\": []\n}".into(),
        (_, false) => text,
    };
    if let Err(error) = output::write(&file, content.as_bytes(), true) {
        INSTEAD.store(LOST, Ordering::Relaxed);
        say(&format!("{content}\nwarpmesh: the report cannot be written to {}: {error}\n", file.display()));
    }
}

/// Writes the record of what was launched.
fn record(folder: &Path, session: Option<&Session>) {
    let recorded = session.and_then(|session| Some((session, session.run_record()?)));
    let written = match recorded {
        None => Err("no launch has reached the device".into()),
        Some((session, record)) => {
            let failed = session.failed().last().map(|(number, kernel)| format!("launch {number}, {kernel}: failed"));
            let ending = Ending::of_launches(interrupt::is_asked(), None, failed);
            let report = json_report(session, Workload::of_environment());
            report.map_err(|error| error.to_string()).and_then(|report| {
                let files = record.files(&ending, Some(&report));
                let written = NewFolder::at(folder).write(&files);
                written.map_err(|(path, error)| format!("{}: {error}", path.display()))
            })
        }
    };
    if let Err(problem) = written {
        INSTEAD.store(LOST, Ordering::Relaxed);
        say(&format!("warpmesh: the record cannot be written to {}: {problem}\n", folder.display()));
    }
}

/// Writes what was sampled in the launches on the chip.
fn samples(file: &Path, session: Option<&Session>) {
    let written = match session.and_then(Session::samples).flatten() {
        None => Err("no launch was simulated on the chip".into()),
        Some(text) => output::write(file, text.as_bytes(), true).map_err(|error| error.to_string()),
    };
    if let Err(problem) = written {
        INSTEAD.store(LOST, Ordering::Relaxed);
        say(&format!("warpmesh: samples cannot be written to {}: {problem}\n", file.display()));
    }
}

/// Tells where the program was saved, and that it was to go on and has not.
fn parts(session: Option<&Session>) {
    let problem = match session.and_then(|session| Some((session, session.parts()?))) {
        None if settings::is_resumed() => Some("nothing was resumed: the program does not use the device".into()),
        None => None,
        Some((session, parts)) => {
            if let Some(Ok(place)) = parts.saved() {
                say(&format!("warpmesh: {place}\n"));
            }
            let unsaved =
                parts.saved().and_then(Result::err).map(|problem| format!("the program is not saved: {problem}"));
            unsaved.or_else(|| parts.not_reached(session.launched()))
        }
    };
    if let Some(problem) = problem {
        INSTEAD.store(LOST, Ordering::Relaxed);
        say(&format!("warpmesh: {problem}\n"));
    }
}

/// Shows the report on the page of a monitor, if there is one.
fn show(runtime: &Runtime) {
    if let Some(session) = runtime.session_so_far()
        && let Some(monitor) = session.monitor()
    {
        let code = match CODE.load(Ordering::Relaxed) {
            0 => INSTEAD.load(Ordering::Relaxed),
            code => code,
        };
        let text = report(session, ReportLines::Short).unwrap_or("no launches\n".into());
        monitor.end(format!("the program has ended with exit code {code}"), text.trim_end().into());
    }
}

/// Tells what the program may not have noticed.
fn tell_failures(runtime: &Runtime) {
    if let again @ 1.. = runtime.repeated_messages() {
        let messages = if again == 1 { "message" } else { "messages" };
        say(&format!("warpmesh: {again} more {messages} with the text of one above\n"));
    }
    let failed = runtime.unseen_failures();
    if failed == 0 {
        return;
    }
    let launches = if failed == 1 { "a launch" } else { &format!("{failed} launches") };
    let code = if CODE.load(Ordering::Relaxed) == 0 {
        // Of the two codes, the one of the report says more.
        let _ = INSTEAD.compare_exchange(0, FAILED, Ordering::Relaxed, Ordering::Relaxed);
        format!("; exit code {}", INSTEAD.load(Ordering::Relaxed))
    } else {
        String::new()
    };
    say(&format!(
        "warpmesh: {launches} failed, and the program did not ask for the error (cudaGetLastError): its results are not to be trusted{code}\n"
    ));
}

/// Called when the functions of the program and its libraries for the end have been called.
extern "C" fn end() {
    let instead = INSTEAD.load(Ordering::Relaxed);
    if instead != 0 && CODE.load(Ordering::Relaxed) == 0 {
        // SAFETY: what is left to do is to write what the C library has not yet written, and to end.
        unsafe {
            libc::fflush(std::ptr::null_mut());
            libc::_exit(instead);
        }
    }
}

#[used]
#[unsafe(link_section = ".fini_array")]
static AT_THE_END: extern "C" fn() = end;
