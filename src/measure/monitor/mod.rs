//! A page on which a command can be watched while it runs (`--monitor`).
//!
//! ```text
//!  simulation: LaunchWatch, Monitor::running ──> State (a mutex) <── server: GET state, as soon as it is newer than the page's
//!              interrupt flag <───────────────────────────────────── server: POST interrupt
//!              waveform that is asked for <───────────────────────── server: POST waveform
//! ```
//!
//! The server listens on 127.0.0.1 alone. Every address begins with a random token, which is compared in constant time;
//! a request with another one, or with the name of another host (DNS rebinding), gets 403 and nothing else. The page is
//! one file that may ask nobody but this server. Without a monitor there is no server, no thread and no sample.
//!
//! What a page is given at the end is the text that the terminal gets: [`Monitor::end`] waits for pages that are open.
//!
//! Tests: `tests/cli/monitor.rs`, with Chromium.

mod launch;
mod server;

use launch::WaveformRequest;
pub use launch::{LaunchState, LaunchWatch};

use crate::report::{RunReport, text::headline};
use serde::Serialize;
use server::Server;
use std::{
    env, fmt,
    net::{Ipv4Addr, TcpListener},
    process,
    sync::{Arc, Mutex, MutexGuard, PoisonError, atomic::AtomicBool},
    time::{Duration, Instant},
};

/// A page is open when it has asked within this time.
const OPEN: Duration = Duration::from_secs(3);

/// A page cannot be served.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
pub enum MonitorError {
    /// The port is not free.
    #[error("the monitor cannot listen on port {port} of 127.0.0.1: {cause}")]
    #[diagnostic(help("another port, or --monitor without one: then a free port is taken"))]
    Port {
        /// As asked for.
        port: u16,
        /// Of the system.
        cause: std::io::Error,
    },
    /// The system has no random numbers.
    #[error("the monitor needs a random token, and the system gives none: {0}")]
    Random(getrandom::Error),
}

/// How far a command is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
enum Phase {
    /// Nothing is simulated yet.
    Preparing,
    /// It simulates.
    Running,
    /// It has ended, and the page has its report.
    Ended,
}

/// All that a page shows.
#[derive(Serialize)]
struct State {
    /// Counts changes.
    version: u64,
    command: String,
    process: u32,
    phase: Phase,
    /// Somebody has pressed the button of the page.
    interrupt_asked: bool,
    /// Since the start of the monitor.
    seconds: f64,
    /// What is done, as the terminal has it.
    line: String,
    /// Of all that there is to do, 0 to 1.
    share: Option<f64>,
    /// A kernel on a chip.
    launch: Option<LaunchState>,
    /// How it has ended.
    verdict: Option<String>,
    /// As on the terminal.
    report: Option<String>,
}

/// What the simulation writes and the server reads.
struct Shared {
    state: Mutex<State>,
    begun: Instant,
    interrupt: Arc<AtomicBool>,
    /// What somebody wants of the kernel that runs.
    waveform: Mutex<Option<WaveformRequest>>,
    server: Server,
}

/// A page that shows what a command does, for all that have its address.
#[derive(Clone)]
pub struct Monitor(Arc<Shared>);

impl fmt::Debug for Monitor {
    /// Without the token.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Monitor")
    }
}

impl Monitor {
    /// Serves a page on this port of 127.0.0.1; 0: on a free one. Its button sets `interrupt`.
    ///
    /// # Errors
    /// The port is in use.
    pub fn start(port: u16, interrupt: Arc<AtomicBool>) -> Result<Self, MonitorError> {
        let unusable = |cause| MonitorError::Port { port, cause };
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(unusable)?;
        let server = Server::new(listener.local_addr().map_err(unusable)?.port()).map_err(MonitorError::Random)?;
        let shared = Arc::new(Shared {
            state: Mutex::new(State {
                version: 1,
                command: env::args_os().map(|part| part.to_string_lossy().into_owned()).collect::<Vec<_>>().join(" "),
                process: process::id(),
                phase: Phase::Preparing,
                interrupt_asked: false,
                seconds: 0.0,
                line: String::new(),
                share: None,
                launch: None,
                verdict: None,
                report: None,
            }),
            begun: Instant::now(),
            interrupt,
            waveform: Mutex::default(),
            server,
        });
        server::serve(listener, shared.clone()).map_err(unusable)?;
        Ok(Self(shared))
    }

    /// The address of the page, which is a secret.
    pub fn address(&self) -> String {
        self.0.server.address()
    }

    /// What is prepared now, and how much of all of it is.
    pub fn preparing(&self, line: String, share: f64) {
        self.0.change(|state| (state.line, state.share) = (line, Some(share)));
    }

    /// What is done now, and how much of all of it is, if that is known; a kernel tells more.
    pub fn running(&self, line: String, share: Option<f64>) {
        let is_kernel = self.0.state().launch.is_some();
        if !is_kernel {
            self.0.change(|state| (state.phase, state.line, state.share) = (Phase::Running, line, share));
        }
    }

    /// A kernel runs.
    fn launch(&self, launch: LaunchState) {
        self.0.change(|state| {
            (state.phase, state.line, state.share) = (Phase::Running, String::new(), None);
            state.launch = Some(launch);
        });
    }

    /// The waveform that is asked for, once.
    fn waveform(&self) -> Option<WaveformRequest> {
        self.0.waveform.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Waveforms that the page has asked for could not be written.
    pub(crate) fn waveform_failed(&self, why: &str) {
        self.0.change(|state| state.launch.iter_mut().for_each(|launch| launch.waveform_failed(why)));
    }

    /// The command has ended so, and has printed this; returns when all pages that are open know, but soon.
    pub fn end(&self, verdict: String, report: String) {
        self.0.change(|state| {
            (state.phase, state.seconds) = (Phase::Ended, self.0.begun.elapsed().as_secs_f64());
            (state.verdict, state.report) = (Some(verdict), Some(report));
        });
        self.0.server.wait_for_pages();
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A kernel runs on a chip.
    fn runs_kernel(&self) -> bool {
        let state = self.state();
        state.phase == Phase::Running && state.launch.is_some()
    }

    fn change(&self, change: impl FnOnce(&mut State)) {
        let mut state = self.state();
        // Nothing comes after the end.
        if state.phase != Phase::Ended {
            change(&mut state);
            state.version += 1;
        }
    }

    /// The state as JSON, if it is newer, and whether it is the last one.
    fn newer(&self, than: u64) -> Option<(String, bool)> {
        let mut state = self.state();
        if state.phase != Phase::Ended {
            state.seconds = self.begun.elapsed().as_secs_f64();
        }
        let json = || serde_json::to_string(&*state).expect("texts and numbers are JSON");
        (state.version > than).then(|| (json(), state.phase == Phase::Ended))
    }
}

/// How a run has ended, in the words of its report.
pub fn verdict(report: &RunReport) -> String {
    headline(report.verdict, report.verified).into()
}
