//! What goes to standard error beside failures: warnings, and with `-v` the steps of the work.

use std::{
    fmt,
    io::{self, Write},
    sync::{Arc, Mutex, PoisonError},
    time::Instant,
};
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::{
    filter::Targets,
    fmt::{FmtContext, FormatEvent, FormatFields, format::Writer},
    layer::SubscriberExt,
    registry::LookupSpan,
    util::SubscriberInitExt,
};

/// Sets it up, once for the process. Only what our own packages say, `warpmesh_*`: libraries tell their every step.
pub fn start(verbose: bool) {
    let most = if verbose { Level::INFO } else { Level::WARN };
    let wanted = Targets::new().with_target("warpmesh", most);
    let lines = tracing_subscriber::fmt::layer()
        .event_format(LogLayer { start: Instant::now() })
        .with_writer(io::stderr)
        // Nobody is left to tell when standard error is closed.
        .log_internal_errors(false);
    tracing_subscriber::registry().with(lines).with(wanted).init();
}

/// Does `work`, and gives the warnings in it, on this thread, a line each.
pub fn collect<R>(work: impl FnOnce() -> R) -> (R, Vec<String>) {
    let collected = Collected::default();
    let writer = collected.clone();
    let lines = tracing_subscriber::fmt::layer()
        .event_format(LogLayer { start: Instant::now() })
        .with_writer(move || writer.clone())
        .with_ansi(false);
    let subscriber =
        tracing_subscriber::registry().with(lines).with(Targets::new().with_target("warpmesh", Level::WARN));
    let result = tracing::subscriber::with_default(subscriber, work);
    let text = std::mem::take(&mut *collected.0.lock().unwrap_or_else(PoisonError::into_inner));
    (result, String::from_utf8_lossy(&text).lines().map(String::from).collect())
}

/// Lines in memory.
#[derive(Clone, Default)]
struct Collected(Arc<Mutex<Vec<u8>>>);

impl Write for Collected {
    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).write(text)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// `warning: ...`, and steps with the seconds since the start; without colours.
struct LogLayer {
    start: Instant,
}

impl<S, N> FormatEvent<S, N> for LogLayer
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
{
    fn format_event(&self, context: &FmtContext<'_, S, N>, mut writer: Writer<'_>, event: &Event<'_>) -> fmt::Result {
        match *event.metadata().level() {
            Level::ERROR => write!(writer, "error: ")?,
            Level::WARN => write!(writer, "warning: ")?,
            _ => write!(writer, "{:>8.2} s  ", self.start.elapsed().as_secs_f64())?,
        }
        context.format_fields(writer.by_ref(), event)?;
        writeln!(writer)
    }
}
