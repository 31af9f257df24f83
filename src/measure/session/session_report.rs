//! What the launches of a session come to: lines for people, and JSON.

use super::{
    FailedLaunch, LaunchesReport, Session,
    record::{launches, table_of_kernels, table_of_launches, totals},
};
use crate::{
    record::{Origin, Workload},
    report::statistics_table,
};
use std::{collections::BTreeSet, fmt::Write};

/// All launches of a session with all that is known of each, as JSON; `workload` has launched them.
///
/// # Errors
/// Those of the library that writes JSON.
pub fn json_report(session: &Session, workload: Workload) -> Result<String, serde_json::Error> {
    let config = &session.chip().config().name;
    let failed =
        session.failed().iter().map(|(number, kernel)| FailedLaunch { number: *number, kernel: kernel.clone() });
    serde_json::to_string_pretty(&LaunchesReport {
        format_version: 1,
        config: Some(config.clone()),
        launches: session.records().to_vec(),
        failed: failed.collect(),
        selected_nothing: session.selected_nothing(),
        not_recorded: Some(session.not_recorded().join("; ")).filter(|why| !why.is_empty()),
        origin: Some(Origin::new([(config.clone(), session.chip())], vec![workload])),
    })
}

/// Launches that have a line each in a short report; of more, kernels have.
const LINES: usize = 40;

/// The lines of a report.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReportLines {
    /// One for each launch.
    All,
    /// One for each kernel where there are more than 40 launches.
    Short,
}

/// A table of the launches of a session, with totals; nothing, if there were none.
pub fn report(session: &Session, lines: ReportLines) -> Option<String> {
    let (records, failed) = (session.records(), session.failed());
    let (config, frequency) = (&session.chip().config().name, session.chip().config().clocks.core);
    if records.is_empty() && failed.is_empty() {
        let said: Vec<_> = session.selected_nothing().into_iter().chain(session.not_recorded()).collect();
        return (!said.is_empty()).then(|| said.iter().map(|line| format!("warpmesh: {line}\n")).collect());
    }
    let mut text = format!("warpmesh: {} on chip `{config}`\n", launches(records.len() + failed.len()));
    text += &match lines == ReportLines::Short && records.len() > LINES {
        true => table_of_kernels(records),
        false => table_of_launches(records),
    };
    text += &totals(records, frequency);
    for line in session.recorded().into_iter().chain(session.not_recorded()).chain(session.selected_nothing()) {
        let _ = writeln!(text, "{line}");
    }
    if lines == ReportLines::All || failed.len() <= LINES {
        for (number, kernel) in failed {
            let _ = writeln!(text, "launch {number}, {kernel}: failed");
        }
    } else {
        let kernels: BTreeSet<_> = failed.iter().map(|(_, kernel)| kernel).collect();
        for kernel in kernels {
            let mut numbers = failed.iter().filter(|(_, of)| of == kernel).map(|(number, _)| number);
            let (first, others) = (numbers.next().unwrap_or(&0), numbers.count());
            let _ = writeln!(text, "launch {first}, {kernel}, and {others} more of it: failed");
        }
    }
    for record in records {
        if let Some(report) = record.report.as_ref().filter(|report| !report.statistics.is_empty()) {
            let _ = writeln!(
                text,
                "\nlaunch {}, {}: {}",
                record.number,
                record.kernel,
                statistics_table(&report.statistics)
            );
        }
    }
    Some(text)
}
