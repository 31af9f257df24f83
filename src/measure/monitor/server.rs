//! The server of the page: who may ask, and what is answered.
//!
//! ```text
//!  GET  /TOKEN/                     the page
//!  GET  /TOKEN/state?page=P&seen=N  the state as JSON, as soon as its version is above N; P is a number that the page has chosen
//!  POST /TOKEN/interrupt            as Ctrl-C
//!  POST /TOKEN/waveform?cycles=N&paths=P,P   a waveform of the kernel that runs, from now on; without paths: of the whole chip
//! ```
//!
//! Everything else that has the token is 404 or 405; without it, 403.

use super::{OPEN, Shared, WaveformRequest};
use crate::explorer;
use rustc_hash::FxHashMap;
use std::{
    hint::black_box,
    io,
    net::TcpListener,
    sync::{Arc, Mutex, MutexGuard, PoisonError, atomic::Ordering},
    thread,
    time::{Duration, Instant},
};
use tiny_http::{Header, Method, Request, Response};

const PAGE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// Time from a change to the pages that wait for it, at most.
const LOOK: Duration = Duration::from_millis(50);
/// Pages that are remembered.
const PAGES: usize = 64;
/// Requests that wait for a change, at most: a page has one.
const WAITING: usize = 2 * PAGES;

/// The address of the page, and the pages that are open.
pub(super) struct Server {
    port: u16,
    token: String,
    /// When each page has asked last, and whether it has the last state.
    pages: Mutex<FxHashMap<u32, (Instant, bool)>>,
}

/// A request for a state after this one.
struct WaitingPage {
    request: Request,
    page: u32,
    seen: u64,
}

impl Server {
    /// With a new token.
    pub fn new(port: u16) -> Result<Self, getrandom::Error> {
        Ok(Self { port, token: random()?, pages: Mutex::default() })
    }

    /// Of the page.
    pub fn address(&self) -> String {
        format!("http://127.0.0.1:{}/{}/", self.port, self.token)
    }

    fn pages(&self) -> MutexGuard<'_, FxHashMap<u32, (Instant, bool)>> {
        self.pages.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn note(&self, page: u32, has_last: bool) {
        let mut pages = self.pages();
        pages.retain(|_, (asked, _)| asked.elapsed() < OPEN);
        if pages.len() < PAGES || pages.contains_key(&page) {
            pages.insert(page, (Instant::now(), has_last));
        }
    }

    /// Until all open pages have the last state; a page that does not ask is not open for long.
    pub fn wait_for_pages(&self) {
        let start = Instant::now();
        let waits = || self.pages().values().any(|(asked, has_last)| !has_last && asked.elapsed() < OPEN);
        while waits() && start.elapsed() < OPEN {
            thread::sleep(Duration::from_millis(5));
        }
    }

    /// What is asked for, of somebody who may; `None`: nobody else learns anything.
    fn path<'r>(&self, request: &'r Request) -> Option<&'r str> {
        let mut hosts = request.headers().iter().filter(|header| header.field.equiv("Host"));
        let host = hosts.next()?.value.as_str();
        let ours = ["127.0.0.1", "localhost"].map(|name| format!("{name}:{}", self.port));
        if hosts.next().is_some() || !ours.iter().any(|ours| ours == host) {
            return None;
        }
        let (token, path) = request.url().strip_prefix('/')?.split_once('/')?;
        is_same(token, &self.token).then_some(path)
    }
}

/// Takes the same time wherever they differ.
fn is_same(a: &str, b: &str) -> bool {
    let differences = a.bytes().zip(b.bytes()).fold(0, |found, (a, b)| black_box(found | (a ^ b)));
    a.len() == b.len() && differences == 0
}

/// 128 random bits.
fn random() -> Result<String, getrandom::Error> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Answers until the process ends, on a thread of its own.
pub(super) fn serve(listener: TcpListener, shared: Arc<Shared>) -> io::Result<()> {
    let http = tiny_http::Server::from_listener(listener, None).map_err(io::Error::other)?;
    let work = move || {
        let mut waiting: Vec<WaitingPage> = vec![];
        loop {
            match http.recv_timeout(LOOK) {
                Ok(Some(request)) => take(&shared, request, &mut waiting),
                Ok(None) => {}
                // Nobody can ask any more; the command goes on.
                Err(_) => return,
            }
            for WaitingPage { request, page, seen } in std::mem::take(&mut waiting) {
                match shared.newer(seen) {
                    Some((json, is_last)) => {
                        _ = request.respond(answer(json, "application/json", None));
                        shared.server.note(page, is_last);
                    }
                    None => {
                        // It waits with an open connection.
                        shared.server.note(page, false);
                        waiting.push(WaitingPage { request, page, seen });
                    }
                }
            }
        }
    };
    thread::Builder::new().name("monitor".into()).spawn(work).map(drop)
}

/// Answers a request, or lets it wait.
fn take(shared: &Shared, request: Request, waiting: &mut Vec<WaitingPage>) {
    let Some(path) = shared.server.path(&request) else { return refuse(request, 403, "the address is not complete") };
    let (path, query) = path.split_once('?').unwrap_or((path, ""));
    match (request.method(), path) {
        (Method::Get, "") => show(request),
        (Method::Get, "state") => {
            let number = |name: &str| parameter(query, name).and_then(|text| text.parse::<u64>().ok());
            match (number("page").and_then(|page| u32::try_from(page).ok()), number("seen")) {
                (Some(page), Some(seen)) if waiting.len() < WAITING => {
                    waiting.push(WaitingPage { request, page, seen });
                }
                (Some(_), Some(_)) => refuse(request, 503, "too many pages are open"),
                _ => refuse(request, 400, "state?page=NUMBER&seen=VERSION"),
            }
        }
        (Method::Post, "interrupt") => {
            shared.interrupt.store(true, Ordering::Relaxed);
            shared.change(|state| state.interrupt_asked = true);
            _ = request.respond(answer(String::new(), "text/plain", None));
        }
        (Method::Post, "waveform") => match WaveformRequest::read(query) {
            Some(_) if !shared.runs_kernel() => refuse(request, 409, "no kernel runs on a chip"),
            Some(wanted) => {
                *shared.waveform.lock().unwrap_or_else(PoisonError::into_inner) = Some(wanted);
                _ = request.respond(answer(String::new(), "text/plain", None));
            }
            None => refuse(request, 400, WaveformRequest::ALLOWED),
        },
        (_, "" | "state" | "interrupt" | "waveform") => {
            refuse(request, 405, "GET for what is shown, POST for what is done")
        }
        _ => refuse(request, 404, "there is no such page"),
    }
}

/// What a query says of a name.
fn parameter<'q>(query: &'q str, name: &str) -> Option<&'q str> {
    query.split('&').find_map(|part| part.strip_prefix(name)?.strip_prefix('='))
}

impl WaveformRequest {
    const ALLOWED: &str =
        "waveform?cycles=N&paths=P,P: 1 to 1000000 cycles; paths have letters, digits, `_`, `.` and `*`";

    /// What a query asks for.
    fn read(query: &str) -> Option<Self> {
        let cycles = parameter(query, "cycles")?.parse().ok().filter(|cycles| (1..=1_000_000).contains(cycles))?;
        let paths = parameter(query, "paths").unwrap_or_default().replace("%2C", ",").replace("%2A", "*");
        let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "_.*,".contains(letter);
        paths.chars().all(is_plain).then_some(Self { cycles, paths })
    }
}

/// Answers on a thread of its own: a body that does not come must not keep others waiting.
fn refuse(request: Request, code: u16, why: &str) {
    let response = answer(format!("{why}\n"), "text/plain", None).with_status_code(code);
    _ = thread::Builder::new().name("monitor refusal".into()).spawn(move || request.respond(response));
}

/// The page, whose scripts are those with a number that nobody can guess.
fn show(request: Request) {
    let Ok(nonce) = random() else { return refuse(request, 500, "the system has no random numbers") };
    let page = explorer::filled(PAGE, |name| match name {
        "style" => format!("{}{STYLE}", explorer::STYLE),
        "charts" => explorer::CHARTS.into(),
        "shared" => explorer::SHARED.into(),
        "nonce" => nonce.clone(),
        _ => SCRIPT.into(),
    });
    _ = request.respond(answer(page, "text/html; charset=utf-8", Some(&nonce)));
}

fn answer(text: String, kind: &str, nonce: Option<&str>) -> Response<io::Cursor<Vec<u8>>> {
    let scripts = nonce.map_or("'none'".into(), |nonce| format!("'nonce-{nonce}'"));
    // Charts place their parts by style attributes.
    let policy = format!(
        "default-src 'none'; script-src {scripts}; style-src 'unsafe-inline'; img-src data: blob:; connect-src 'self'; \
         base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    );
    let headers = [
        ("Content-Type", kind),
        ("Content-Security-Policy", &policy),
        ("Cache-Control", "no-store"),
        ("Referrer-Policy", "no-referrer"),
        ("X-Content-Type-Options", "nosniff"),
        ("Cross-Origin-Resource-Policy", "same-origin"),
    ];
    let header = |(name, value): (&str, &str)| Header::from_bytes(name, value).expect("names and values are ASCII");
    headers.into_iter().map(header).fold(Response::from_string(text), Response::with_header)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waveforms_are_asked_for() {
        let asked = |cycles, paths: &str| Some(WaveformRequest { cycles, paths: paths.into() });
        assert_eq!(WaveformRequest::read("cycles=1000"), asked(1000, ""));
        assert_eq!(WaveformRequest::read("cycles=5&paths=core0%2Crouter*.x_1"), asked(5, "core0,router*.x_1"));
        for wrong in ["", "cycles=0", "cycles=1000001", "cycles=5&paths=a@b", "cycles=5&paths=%2F", "paths=core0"] {
            assert_eq!(WaveformRequest::read(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn tokens_are_the_same_as_a_whole() {
        let token = random().expect("random");
        assert_eq!(token.len(), 32);
        assert_ne!(random().expect("random"), token);
        assert!(is_same(&token, &token.clone()));
        for wrong in ["", &token[1..], &format!("{token}0"), &token.replace(&token[31..], "x")] {
            assert!(!is_same(wrong, &token), "{wrong}");
        }
    }
}
