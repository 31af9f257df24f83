//! What a record says in numbers and words: the rows of its reports.

use super::parts::{self, Part, ReadStages};
use crate::{
    record::{Provenance, RecordError, StoredRecord},
    report::{
        MemoryChecks, RunReport, Verdict, Waiting, counted,
        text::headline,
        words::{ReportRow, grouped},
    },
    session::{Record, Where, check_text, dims, repeat_text, totals},
};
use serde::Serialize;
use serde_json::Value;

/// Launches whose reports are on a page, and those that have a row.
const REPORTS: usize = 200;
const LAUNCHES: usize = 4000;

/// What there is to show of a report.
pub struct Found {
    /// Of the run, or of each launch on the chip.
    pub reports: Vec<Reports>,
    /// Reports of launches beyond those.
    pub reports_left_out: usize,
    /// Of a program.
    pub launches: Option<Launches>,
    /// Thread instructions that the chip could execute in a cycle.
    pub peak_ipc: Option<f64>,
    /// The chip, mm^2.
    pub chip_mm2: Option<f64>,
}

/// All that a report says.
#[derive(Serialize)]
pub struct Reports {
    /// The launch; empty of a run.
    title: String,
    /// How it ended.
    headline: String,
    /// What is to be said of that.
    remarks: Vec<String>,
    sections: Vec<Section>,
    waiting: Vec<Waiting>,
    behavioural: Vec<String>,
    /// Where reads spend their time.
    stages: Option<ReadStages>,
    /// W.
    power: Vec<Part>,
}

/// Rows below a title.
#[derive(Serialize)]
struct Section {
    title: &'static str,
    /// Name, value, note.
    rows: Vec<ReportRow>,
}

/// The launches of a program.
#[derive(Serialize)]
pub struct Launches {
    titles: [&'static str; 7],
    rows: Vec<[String; 7]>,
    left_out: usize,
    /// What they come to.
    remarks: Vec<String>,
}

/// What a record has to show.
pub fn of(record: &StoredRecord) -> Result<Found, RecordError> {
    let report = &record.report;
    match report.get("launches") {
        _ if report.is_null() => {
            Ok(Found { reports: vec![], reports_left_out: 0, launches: None, peak_ipc: None, chip_mm2: None })
        }
        None => {
            let report: RunReport =
                serde_json::from_value(report.clone()).map_err(|error| record.damaged_report(error))?;
            let (peak_ipc, chip_mm2) = (Some(report.peak_ipc), Some(report.cost.chip_mm2));
            let reports = vec![of_run(String::new(), &report)];
            Ok(Found { reports, reports_left_out: 0, launches: None, peak_ipc, chip_mm2 })
        }
        Some(launches) => {
            let records: Vec<Record> =
                serde_json::from_value(launches.clone()).map_err(|error| record.damaged_report(error))?;
            let reports = || records.iter().filter_map(|launch| Some((launch, launch.report.as_ref()?)));
            let title = |launch: &Record| format!("launch {}, {}", launch.number, launch.kernel);
            let shown = reports().take(REPORTS).map(|(launch, report)| of_run(title(launch), report));
            Ok(Found {
                reports: shown.collect(),
                reports_left_out: reports().count().saturating_sub(REPORTS),
                peak_ipc: reports().next().map(|(_, report)| report.peak_ipc),
                chip_mm2: reports().next().map(|(_, report)| report.cost.chip_mm2),
                launches: Some(of_launches(&records, report)),
            })
        }
    }
}

fn of_run(title: String, report: &RunReport) -> Reports {
    let checks = match &report.memory_checks {
        MemoryChecks::NotCompleted { reason } => Some(format!("checks on memory were not completed: {reason}")),
        _ => None,
    };
    let sections = report.sections().into_iter().map(|(title, rows)| Section { title, rows });
    let statistics = report.statistics.iter().map(|row| (row.name.clone(), row.to_string(), row.about.clone()));
    let statistics = Section { title: "Statistics", rows: statistics.collect() };
    Reports {
        title,
        headline: headline(report.verdict, report.verified).into(),
        remarks: report.mismatch.iter().cloned().chain(checks).collect(),
        sections: sections.chain([statistics]).filter(|section| !section.rows.is_empty()).collect(),
        waiting: report.waiting.clone(),
        behavioural: report.behavioural.clone(),
        stages: parts::stages(report),
        power: parts::power(&report.cost),
    }
}

fn of_launches(records: &[Record], report: &Value) -> Launches {
    let row = |launch: &Record| {
        let without = if launch.executed == Where::Checkpoint { "checkpoint" } else { "emulated" };
        [
            launch.number.to_string(),
            launch.kernel.clone(),
            dims(launch.grid),
            dims(launch.block),
            launch.cycles.map_or(without.into(), grouped),
            grouped(launch.thread_instructions),
            launch.ipc().map_or("-".into(), |ipc| format!("{ipc:.2}")),
        ]
    };
    let frequency = records.iter().find_map(|launch| Some(launch.report.as_ref()?.clocks.core));
    let totals = totals(records, frequency.unwrap_or(1));
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let text = |value: &Value| value.as_str().map(String::from);
    let failed = list(&report["failed"]).into_iter().map(|launch| {
        format!("launch {}, {}: failed", launch["number"], launch["kernel"].as_str().unwrap_or_default())
    });
    let said = ["not_recorded", "selected_nothing"].into_iter().filter_map(|key| text(&report[key]));
    let steps = &report["steps"];
    let number = |value: &Value| value.as_u64().unwrap_or(0);
    let repeats = list(&steps["repeats"])
        .into_iter()
        .map(|repeat| repeat_text(number(&repeat["line"]), number(&repeat["rounds"])));
    let checks = list(&steps["checks"]).into_iter().map(|check| {
        let [line, count, wrong] = ["line", "count", "wrong"].map(|key| number(&check[key]));
        let text = check_text(check["buffer"].as_str().unwrap_or_default(), line, count, wrong);
        if wrong == 0 { text } else { format!("{text}: {}", check["first"]) }
    });
    let dumps = list(&steps["dumps"]).into_iter().filter_map(|dump| Some(format!("wrote {}", dump.as_str()?)));
    let remarks = totals.lines().map(String::from).chain(said).chain(failed).chain(repeats).chain(checks).chain(dumps);
    Launches {
        titles: ["launch", "kernel", "grid", "block", "cycles", "instructions", "IPC"],
        rows: records.iter().take(LAUNCHES).map(row).collect(),
        left_out: records.len().saturating_sub(LAUNCHES),
        remarks: remarks.collect(),
    }
}

/// What ran, in a few words.
pub fn title(record: &StoredRecord) -> String {
    let (workload, manifest) = (&record.manifest.workload, &record.manifest);
    let what = match (&workload.kernel, &workload.launch) {
        (Some(kernel), _) => kernel.clone(),
        (_, Some(file)) => file.clone(),
        // A program.
        _ => manifest.provenance.command.join(" "),
    };
    format!("{what} on {}", manifest.config)
}

/// What ran, how it ended, and where.
pub fn overview(record: &StoredRecord) -> Vec<(&'static str, String)> {
    let (manifest, ending) = (&record.manifest, &record.ending);
    let workload = &manifest.workload;
    let params = workload.kernel_params.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>();
    let environment = workload.environment.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>();
    let verified = match ending.verified {
        Some(true) => "yes",
        Some(false) => "no: the result is WRONG",
        None => "nothing to compare with",
    };
    // The verdict of a run as its report has it.
    let verdict = serde_json::from_value::<Verdict>(ending.verdict.clone().into());
    let verdict = verdict.map_or(ending.verdict.clone(), |verdict| headline(verdict, ending.verified).into());
    let rows = [
        ("kernel", workload.kernel.clone()),
        ("size", workload.size.map(|size| size.to_string())),
        ("parameters", (!params.is_empty()).then(|| params.join(", "))),
        ("launch file", workload.launch.clone()),
        ("seed", workload.seed.map(|seed| seed.to_string())),
        ("chip", Some(manifest.config.clone())),
        ("verdict", Some(verdict)),
        ("verified", Some(verified.into())),
        ("error", ending.error.clone()),
        ("environment", (!environment.is_empty()).then(|| environment.join(", "))),
    ];
    rows.into_iter().filter_map(|(name, value)| Some((name, value?))).chain(made_by(&manifest.provenance)).collect()
}

/// What has made a record, when and where.
pub fn made_by(provenance: &Provenance) -> [(&'static str, String); 4] {
    let Provenance { version, command, date, host } = provenance;
    let threads = host.threads.map_or(String::new(), |threads| format!(", {}", counted(threads as u64, "thread")));
    [
        ("command", command.join(" ")),
        ("version", format!("warpmesh {version}")),
        ("date", date.clone()),
        ("host", format!("{}, {}, {}{threads}", host.name, host.system, host.processor)),
    ]
}
