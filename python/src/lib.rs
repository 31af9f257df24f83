//! Commands for Python. What a user sees stands in `python/warpmesh`; this hands arguments in and reports out.
//!
//! ```text
//!  thread of Python: call ──> cli::call on a thread of its own, without the interpreter ──> reports: text and JSON
//!                     └─ twenty times a second: signals (Ctrl-C), progress ──> interrupt
//! ```

use cli::{CallFailure, Failure, Listener, Said};
use common::program_file::{HostedProgram, set_hosted};
use measure::record::{RecordError, SampleTable, Stored, StoredNetwork, StoredRecord, StoredStudy};
use pyo3::{exceptions::PyRuntimeError, prelude::*, types::PyBytes};
use serde_json::json;
use std::{
    ffi::OsString,
    path::PathBuf,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
        mpsc::{self, RecvTimeoutError},
    },
    thread,
    time::Duration,
};

/// From one look at signals and progress to the next.
const PAUSE: Duration = Duration::from_millis(50);

/// Bytes, as much as the main thread of a program has.
const STACK: usize = 8 << 20;

/// A line, and which part of all is done.
type Step = (String, Option<f64>);

/// Exit code, what the command line writes to standard error, reports (text and JSON), and warnings.
type Called = (u8, String, Vec<(String, String)>, Vec<String>);

/// Runs a command. `progress` is called with a line and the part that is done, or None.
#[pyfunction]
fn call(py: Python<'_>, arguments: Vec<OsString>, progress: Option<Bound<'_, PyAny>>) -> PyResult<Called> {
    let interrupt = Arc::new(AtomicBool::new(false));
    let latest: Arc<Mutex<Option<Step>>> = Arc::default();
    let (end, ended) = mpsc::channel::<()>();
    let (asked, heard) = (interrupt.clone(), latest.clone());
    let work = move || {
        // Dropped in the end, also when the command panics.
        let _end = end;
        let listener: Listener = Arc::new(move |line: &str, done| {
            *heard.lock().unwrap_or_else(PoisonError::into_inner) = Some((line.to_string(), done));
        });
        cli::call(arguments, asked, listener)
    };
    let worker = thread::Builder::new().name("warpmesh".into()).stack_size(STACK).spawn(work)?;
    let ended = Mutex::new(ended);
    let mut raised = None;
    let wait = || ended.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(PAUSE);
    while py.detach(wait) == Err(RecvTimeoutError::Timeout) {
        let step = latest.lock().unwrap_or_else(PoisonError::into_inner).take();
        let told = match (&progress, step) {
            (Some(progress), Some(step)) if raised.is_none() => progress.call1(step).map(|_| ()),
            _ => Ok(()),
        };
        if let Err(error) = py.check_signals().and(told) {
            interrupt.store(true, Ordering::Relaxed);
            if raised.replace(error).is_some() {
                // Who asks twice does not want to wait; the command ends by itself.
                break;
            }
        }
    }
    if let Some(error) = raised {
        return Err(error);
    }
    let (Said { reports, warnings, .. }, result) = py
        .detach(|| worker.join())
        .map_err(|_| PyRuntimeError::new_err("warpmesh has panicked: this is a mistake in it"))?;
    let CallFailure { code, message } = result.err().unwrap_or(CallFailure { code: 0, message: String::new() });
    Ok((code, message, reports.into_iter().map(|report| (report.text, report.json)).collect(), warnings))
}

/// The command line, with its name as the first argument; gives its exit code.
#[pyfunction]
fn main(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| cli::run_command_line(arguments))
}

/// This library, and what runs its command line: runs of studies are processes of their own.
#[pyfunction]
fn set_program(file: PathBuf, command: Vec<OsString>) {
    set_hosted(HostedProgram { file, command });
}

/// A record: what it is as JSON, configurations as TOML, and of a run the columns of its samples, each with its numbers of 64 bits in the
/// order of this machine.
type Recorded = (String, Vec<String>, Vec<(String, Py<PyBytes>)>);

/// Exit code and message of an error, or what is in the folder of a record.
#[pyfunction]
fn record(py: Python<'_>, folder: PathBuf) -> (u8, String, Option<Recorded>) {
    let found = py.detach(|| Stored::read(&folder)).and_then(|record| match record {
        Stored::Run(record) => of_run(py, &record),
        Stored::Network(record) => Ok(of_networks(*record)),
        Stored::Study(record) => Ok(of_study(*record)),
    });
    match found {
        Ok(found) => (0, String::new(), Some(found)),
        Err(error) => {
            let CallFailure { code, message } = Failure::input(error).into();
            (code, message, None)
        }
    }
}

fn of_run(py: Python<'_>, record: &StoredRecord) -> Result<Recorded, RecordError> {
    let bytes = |numbers: &[u64]| {
        let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_ne_bytes()).collect();
        PyBytes::new(py, &bytes).unbind()
    };
    let (launches, cycles): (Vec<u64>, Vec<u64>) = record.intervals()?.into_iter().unzip();
    let mut names = SampleTable::columns_of(&record.statistics);
    let mut columns = vec![];
    let mut add = |numbers: &[u64]| columns.extend(names.next().map(|name| (name, bytes(numbers))));
    add(&launches);
    add(&cycles);
    record.each_statistic(|_, value, values| {
        add(&value);
        values.iter().for_each(|values| add(values));
    })?;
    let StoredRecord { manifest, ending, statistics, .. } = record;
    let about = json!({ "manifest": manifest, "ending": ending, "statistics": statistics });
    Ok((about.to_string(), vec![record.config.clone()], columns))
}

fn of_networks(record: StoredNetwork) -> Recorded {
    let about = json!({ "manifest": record.manifest, "ending": record.ending });
    (about.to_string(), record.networks.into_iter().map(|network| network.config).collect(), vec![])
}

fn of_study(record: StoredStudy) -> Recorded {
    let text = record.outcome.to_string();
    let about = json!({
        "manifest": record.manifest,
        "ending": record.ending,
        "study": record.text,
        "changes": record.changes,
        "text": text.trim_end(),
    });
    (about.to_string(), vec![record.config], vec![])
}

#[pymodule]
mod _warpmesh {
    #[pymodule_export]
    use super::{call, main, record, set_program};

    #[pymodule_export]
    #[expect(non_upper_case_globals, reason = "the name that Python gives it")]
    const __version__: &str = env!("CARGO_PKG_VERSION");
}
