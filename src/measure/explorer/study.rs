//! What a page shows of a study: claims, charts over its designs, and a table of all runs.

use super::{chip_numbers::ROOM, figures::made_by};
use crate::{
    record::{StoredStudy, shown},
    study::{AxisResult, ClaimResult, DesignResult, Mean, StudyOutcome, all_figures, short_keys},
};
use serde::Serialize;
use serde_json::{Value, json};

/// Configurations in a table.
const CONFIGURATIONS: usize = 2000;

/// All that the page shows.
#[derive(Serialize)]
pub struct StudyPage {
    overview: Vec<(&'static str, String)>,
    /// The text that is printed.
    text: String,
    /// The study file.
    study: String,
    /// Configuration 0.
    config: String,
    /// What differs from it, of each.
    changes: Vec<String>,
    changes_left_out: usize,
    claims: Vec<ClaimData>,
    metric: String,
    baseline: String,
    mean: &'static str,
    groups: Vec<String>,
    axes: Vec<AxisData>,
    designs: Vec<DesignData>,
    workloads: Vec<WorkloadData>,
    figures: Vec<FigureData>,
    /// Design, workload, value, ratio, verdict, then all figures.
    runs: Vec<Value>,
    /// Runs that are not among them.
    runs_left_out: usize,
}

#[derive(Serialize)]
struct ClaimData {
    #[serde(flatten)]
    claim: ClaimResult,
    /// What it is to be.
    bound: String,
    shown: String,
}

#[derive(Serialize)]
struct AxisData {
    #[serde(flatten)]
    axis: AxisResult,
    /// Short names of its keys.
    short: Vec<String>,
}

#[derive(Serialize)]
struct DesignData {
    name: String,
    of: Option<String>,
    at: Option<Vec<usize>>,
    means: Vec<Option<f64>>,
}

#[derive(Serialize)]
struct WorkloadData {
    name: String,
    group: String,
    series: String,
    /// Traffic through the network alone.
    network: bool,
}

#[derive(Serialize)]
struct FigureData {
    name: &'static str,
    title: &'static str,
    unit: &'static str,
    decimals: usize,
}

impl StudyPage {
    /// Of a record.
    pub fn of(record: &StoredStudy) -> Self {
        let outcome = &record.outcome;
        let (runs, runs_left_out) = runs(outcome);
        let keys: Vec<&str> = outcome.axes.iter().flat_map(|axis| &axis.keys).map(String::as_str).collect();
        let short = short_keys(&keys);
        let axis = |axis: &AxisResult| AxisData {
            axis: axis.clone(),
            short: axis.keys.iter().map(|key| short[key.as_str()].to_string()).collect(),
        };
        let workload = |k: usize| WorkloadData {
            name: outcome.kernels[k].clone(),
            group: outcome.groups_of[k].clone(),
            series: outcome.series[k].clone(),
            network: outcome.is_network(k),
        };
        let figure = |figure: &'static crate::study::Figure| FigureData {
            name: figure.name,
            title: figure.title,
            unit: figure.unit,
            decimals: figure.decimals,
        };
        Self {
            overview: overview(record),
            text: outcome.to_string().trim_end().to_string(),
            study: record.text.clone(),
            config: record.config.clone(),
            changes: record.changes.iter().take(CONFIGURATIONS).map(shown).collect(),
            changes_left_out: record.changes.len().saturating_sub(CONFIGURATIONS),
            claims: outcome.claims.iter().map(claim).collect(),
            metric: outcome.metric.clone(),
            baseline: outcome.baseline.clone(),
            mean: mean_name(outcome.mean),
            groups: outcome.groups.clone(),
            axes: outcome.axes.iter().map(axis).collect(),
            designs: outcome.designs.iter().map(design).collect(),
            workloads: (0..outcome.kernels.len()).map(workload).collect(),
            figures: all_figures().map(figure).collect(),
            runs,
            runs_left_out,
        }
    }
}

/// What it is about.
pub fn title(record: &StoredStudy) -> String {
    record.outcome.title.clone()
}

fn mean_name(mean: Mean) -> &'static str {
    match mean {
        Mean::Geometric => "geometric",
        Mean::Harmonic => "harmonic",
        Mean::Arithmetic => "arithmetic",
    }
}

fn design(design: &DesignResult) -> DesignData {
    let point = design.point.as_ref();
    DesignData {
        name: design.name.clone(),
        of: point.and_then(|point| point.of.clone()),
        at: point.map(|point| point.at.clone()),
        means: design.means.clone(),
    }
}

fn claim(claim: &ClaimResult) -> ClaimData {
    let (bound, paper) = (claim.bounds().to_string(), claim.said());
    ClaimData { claim: ClaimResult { paper, ..claim.clone() }, bound, shown: claim.verdict.to_string() }
}

fn overview(record: &StoredStudy) -> Vec<(&'static str, String)> {
    let (manifest, ending, outcome) = (&record.manifest, &record.ending, &record.outcome);
    let ended = match (ending.interrupted, ending.missing) {
        (true, missing) => format!("INTERRUPTED: {missing} of {} runs are missing", ending.runs),
        (_, 0) => format!("completed: {} runs", ending.runs),
        (_, missing) => format!("{missing} of {} runs have no result", ending.runs),
    };
    let file = manifest.file.as_ref().map(|file| format!("{file}{}", if manifest.quick { ", quick look" } else { "" }));
    let rows = [
        ("about", (!outcome.about.is_empty()).then(|| outcome.about.clone())),
        ("study file", file),
        ("compared", Some(format!("{}, relative to {}", outcome.metric, outcome.baseline))),
        ("seed", Some(outcome.seed.to_string())),
        ("runs", Some(ended)),
    ];
    let rows = rows.into_iter().filter_map(|(name, value)| Some((name, value?)));
    let notes = outcome.notes.iter().map(|note| ("area", note.clone()));
    let failures = outcome.failures.iter().map(|failure| ("error", failure.clone()));
    rows.chain(notes).chain(failures).chain(made_by(&manifest.provenance)).collect()
}

/// As many runs as there is room for.
fn runs(outcome: &StudyOutcome) -> (Vec<Value>, usize) {
    let all = outcome
        .designs
        .iter()
        .enumerate()
        .flat_map(|(d, design)| (0..outcome.kernels.len()).map(move |k| (d, design, k)));
    let (mut room, mut runs) = (ROOM, vec![]);
    for (d, design, k) in all {
        let figures = design.figures[k].as_ref();
        let numbers = all_figures().map(|figure| json!(figures.and_then(|figures| figures.get(figure.name))));
        let verdict = figures.and_then(|figures| figures.verdict.clone());
        let first = [json!(d), json!(k), json!(design.values[k]), json!(design.ratios[k]), json!(verdict)];
        let run = Value::Array(first.into_iter().chain(numbers).collect());
        room = match room.checked_sub(run.to_string().len() + 1) {
            Some(room) => room,
            None => break,
        };
        runs.push(run);
    }
    let left_out = outcome.designs.len() * outcome.kernels.len() - runs.len();
    (runs, left_out)
}
