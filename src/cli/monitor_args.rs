//! `--monitor`: a page on which a command can be watched while it runs.

use super::{Failure, interrupt::Interrupt};
use clap::Args;
use measure::monitor::Monitor;
use std::io::Write;

/// Whether there is to be such a page.
#[derive(Args, Debug)]
pub struct MonitorArgs {
    /// Serve a page that shows how far it is, while it runs, with a button that ends it as Ctrl-C does: on 127.0.0.1 alone, at a secret address,
    /// which standard error says. Without PORT, on a free one.
    #[arg(long, value_name = "PORT", num_args = 0..=1, require_equals = true, default_missing_value = "0")]
    monitor: Option<u16>,
}

impl MonitorArgs {
    /// The port that was asked for, if there is to be a page.
    pub fn port(&self) -> Option<u16> {
        self.monitor
    }

    /// Serves the page, and says where.
    pub fn start(&self) -> Result<Option<Monitor>, Failure> {
        let Some(port) = self.monitor else { return Ok(None) };
        let monitor = Monitor::start(port, Interrupt::watch().flag()).map_err(Failure::input)?;
        // Nobody can be told elsewhere.
        _ = writeln!(std::io::stderr(), "monitor: {}", monitor.address());
        Ok(Some(monitor))
    }
}

/// The command has ended, and if with an error, then before its report: pages show it.
pub fn end<T>(monitor: Option<&Monitor>, ended: &Result<T, Failure>) {
    if let (Some(monitor), Err(failure)) = (monitor, ended) {
        let said = failure.reports.iter().map(|report| {
            let help = report.help().map(|help| format!("\n  help: {help}"));
            format!("{report}{}", help.unwrap_or_default())
        });
        monitor.end("ended with an error".into(), said.collect::<Vec<_>>().join("\n"));
    }
}
