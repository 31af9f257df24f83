//! `warpmesh run --launch` with a run file: several launches on memory that stays.

use super::{
    Failure, call, interrupt,
    output::{NewFile, OutputFolder},
    print::print,
    record,
    run::failure,
};
use measure::{
    record::{Ending, Workload},
    session::{ReportLines, Session, SessionError, Settings, StepsError, StepsOutcome, report, run_steps},
};
use program::{
    launch_file::npy,
    run_file::{Action, Element, RunFile},
};
use rtl::chip::{Chip, to_toml};
use std::{path::Path, time::Instant};
use tracing::info;

/// What the command line says of a run.
pub struct RunArgs<'r> {
    /// How launches are executed.
    pub settings: Settings,
    /// The run file, named in reports.
    pub workload: Workload,
    /// When to stop.
    pub deadline: Option<Instant>,
    /// The folder for reports and dumps.
    pub out: Option<&'r Path>,
    /// The folder for a record.
    pub record: Option<&'r Path>,
    /// Replace files.
    pub force: bool,
    /// One JSON object instead of the report.
    pub json: bool,
}

/// Does the steps of a run file, and reports.
pub fn run(chip: Chip, file: &RunFile, wanted: RunArgs) -> Result<(), Failure> {
    let RunArgs { settings, workload, deadline, out, record, force, json } = wanted;
    let record = record.map(|folder| OutputFolder::claim(folder, force)).transpose()?;
    let folder = out.map(|folder| OutputFolder::claim(folder, force)).transpose()?;
    if out.is_none() {
        // What cannot be written is told before anything runs, where the name is known.
        let names = file.steps.iter().filter_map(|step| match &step.action {
            Action::Dump { file, .. } => Some(file),
            _ => None,
        });
        names.map(|name| NewFile::claim(Path::new(name), force)).collect::<Result<Vec<_>, _>>()?;
    }
    let config = to_toml(chip.config());
    let monitor = settings.monitor.clone();
    let mut session = Session::new(chip, settings);
    // With a folder for everything they come to stand there in the end, with the reports.
    let mut kept = Vec::new();
    let dump = |name: &str, data: &[u8], ty: Element| {
        let content = if name.ends_with(".npy") { npy::file(data, ty) } else { data.to_vec() };
        match out {
            Some(_) => kept.push((name.to_string(), content)),
            None => NewFile::claim(Path::new(name), force)?.write_bytes(&content)?,
        }
        Ok(name.to_string())
    };
    info!("{} kernels, {} buffers", file.kernels.len(), file.buffers.len());
    let outcome = run_steps(&mut session, file, deadline, dump);
    let (text, object) = (text(&session, &outcome), object(&session, &outcome, workload)?);
    call::report(|| text.trim_end().into(), || object.clone());
    let shown = if json { &object } else { text.trim_end() };
    let printed = print(shown);
    let shown = monitor.map(|monitor| (monitor, shown.to_string()));
    let (verified, verdict) = (outcome.verified(), verdict(&outcome));
    let error = outcome.ended.as_ref().err().map(ToString::to_string);
    let ended = match outcome.ended {
        Ok(()) if verified == Some(false) => Err(Failure::said(1)),
        Ok(()) => Ok(()),
        Err(error) => Err(refused(error)),
    };
    let recorded = record.zip(session.run_record()).map_or(Ok(()), |(folder, record)| {
        let interrupted = ended.as_ref().is_err_and(|failure| failure.code == interrupt::CODE);
        record::write(&folder, record, &Ending::of_launches(interrupted, verified, error), Some(&object))
    });
    let written = folder.map_or(Ok(()), |folder| {
        let reports = [("report.json", object + "\n"), ("report.txt", text), ("config.toml", config)];
        let reports = reports.map(|(name, text)| (name.to_string(), text.into_bytes()));
        folder.write_bytes(&reports.into_iter().chain(kept).collect::<Vec<_>>())
    });
    if let Some((monitor, shown)) = shown {
        monitor.end(verdict.into(), shown);
    }
    Failure::first_of([ended, printed, recorded, written])
}

/// For a person.
fn text(session: &Session, outcome: &StepsOutcome<Failure>) -> String {
    let report = report(session, ReportLines::Short).unwrap_or_default();
    format!("{report}{}{}\n", outcome.text(), verdict(outcome))
}

/// How the run has ended.
fn verdict(outcome: &StepsOutcome<Failure>) -> &'static str {
    match (&outcome.ended, outcome.verified()) {
        (Err(_), _) => "not completed",
        (Ok(()), Some(true)) => "completed, all checks are right",
        (Ok(()), Some(false)) => "completed, WRONG RESULT",
        (Ok(()), None) => "completed (nothing to compare with)",
    }
}

/// For a program: what a session tells, and what the steps have found.
fn object(session: &Session, outcome: &StepsOutcome<Failure>, workload: Workload) -> Result<String, Failure> {
    let internal = |error: serde_json::Error| Failure::new(4, error);
    let session = measure::session::json_report(session, workload).map_err(internal)?;
    let mut object: serde_json::Value = serde_json::from_str(&session).map_err(internal)?;
    object["verified"] = outcome.verified().into();
    object["completed"] = outcome.ended.is_ok().into();
    object["steps"] = outcome.json();
    serde_json::to_string_pretty(&object).map_err(internal)
}

/// Which exit code the end of a run has.
fn refused(error: StepsError<Failure>) -> Failure {
    let place = |file: &str, line: usize| miette::miette!("{file}:{line}: this step has failed");
    match error {
        StepsError::Dump(failure) => failure,
        StepsError::Session { file, line, cause } => match *cause {
            SessionError::Host(cause) => {
                let mut failure = failure(cause);
                failure.reports.push(place(&file, line));
                failure
            }
            cause => Failure::new(2, format!("{file}:{line}: {cause}")),
        },
        StepsError::Endless { .. } | StepsError::Late { .. } => Failure::new(3, error),
    }
}
