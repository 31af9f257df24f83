//! The record of a study.
//!
//! | file | what |
//! |---|---|
//! | `record.json` | a [`StudyManifest`], how the study has ended, and what the columns of the runs are |
//! | `study.toml` | the study file; of a sweep or a comparison, the one that it is |
//! | `config.toml` | configuration 0 of the runs, with the keys that have an effect |
//! | `configurations.json` | of each configuration, in the order of their numbers, what differs from `config.toml`; `null`: the key has no effect there |
//! | `report.json` | the outcome, as `--json` prints it: designs, claims with bounds and spread |
//! | `runs.parquet` | a row for each design and workload: parameters, configuration, all figures; what is missing is null |

use super::{
    Configurations, FORMAT_VERSION, Frame, Provenance, Values,
    configurations::Keys,
    parquet_reader::outline,
    reading::{CONFIG, MANIFEST, RecordError, bytes, damaged, json, text},
};
use crate::study::StudyOutcome;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// What `kind` of `record.json` says.
pub(super) const KIND: &str = "study";
const STUDY: &str = "study.toml";
const REPORT: &str = "report.json";
const CONFIGURATIONS: &str = "configurations.json";
const RUNS: &str = "runs.parquet";

/// What `record.json` of a study says.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct StudyManifest {
    /// 1.
    pub format_version: u32,
    /// `study`.
    pub kind: String,
    /// What has made it, when and where.
    #[serde(flatten)]
    pub provenance: Provenance,
    /// The study file; none of a sweep or a comparison.
    pub file: Option<String>,
    /// Only what it has for a quick look.
    pub quick: bool,
}

/// How a study has ended.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct StudyEnding {
    /// It was ended before all runs were done.
    pub interrupted: bool,
    /// Runs without a result.
    pub missing: usize,
    /// All runs.
    pub runs: usize,
}

/// A record in the making.
#[derive(Clone, Debug)]
pub struct StudyRecord {
    manifest: StudyManifest,
    text: String,
    configurations: Configurations,
}

impl StudyRecord {
    /// Of what begins now: a study file with its name, if it has one, and the configurations of its runs.
    pub fn new(file: Option<String>, text: String, quick: bool, configurations: Configurations) -> Self {
        let (provenance, kind) = (Provenance::this(), KIND.into());
        let manifest = StudyManifest { format_version: FORMAT_VERSION, kind, provenance, file, quick };
        Self { manifest, text, configurations }
    }

    /// The files of its folder.
    pub fn files(&self, ending: &StudyEnding, outcome: &StudyOutcome) -> Vec<(String, Vec<u8>)> {
        let runs = with_configurations(outcome, |run| self.configurations.of(run));
        let mut about = json!(self.manifest);
        for (key, value) in json!(ending).as_object().into_iter().flatten() {
            about[key] = value.clone();
        }
        let columns = runs.names().map(|name| json!({ "name": name, "unit": outcome.unit_of(name) }));
        about["columns"] = columns.collect();
        let changes: Vec<_> = self.configurations.changes.iter().map(|keys| format!("  {}", json!(keys))).collect();
        let texts = [
            (MANIFEST, format!("{about:#}\n")),
            (STUDY, self.text.clone()),
            (CONFIG, self.configurations.first.clone()),
            (CONFIGURATIONS, format!("[\n{}\n]\n", changes.join(",\n"))),
            (REPORT, format!("{}\n", outcome.json())),
        ];
        let texts = texts.into_iter().map(|(name, text)| (name.to_string(), text.into_bytes()));
        texts.chain([(RUNS.to_string(), runs.parquet())]).collect()
    }
}

/// All runs with the number of their configuration.
fn with_configurations(outcome: &StudyOutcome, of: impl Fn((usize, usize)) -> Option<usize>) -> Frame {
    let mut runs = outcome.runs();
    let all = (0..outcome.designs.len()).flat_map(|design| (0..outcome.kernels.len()).map(move |at| (design, at)));
    let numbers = all.map(|run| of(run).map(|number| number as i64)).collect();
    runs.columns.push(("configuration".into(), Values::Whole(numbers)));
    runs
}

/// The record of a study that was read.
#[derive(Clone, Debug)]
pub struct StoredStudy {
    /// Its folder.
    pub folder: PathBuf,
    /// What it is.
    pub manifest: StudyManifest,
    /// How it ended.
    pub ending: StudyEnding,
    /// The study file.
    pub text: String,
    /// Configuration 0, TOML.
    pub config: String,
    /// What differs from it in each.
    pub changes: Vec<Keys>,
    /// What came out.
    pub outcome: StudyOutcome,
}

/// `record.json`.
#[derive(Deserialize)]
struct About {
    #[serde(flatten)]
    manifest: StudyManifest,
    #[serde(flatten)]
    ending: StudyEnding,
}

impl StoredStudy {
    /// The record in a folder whose `record.json` says `about`.
    ///
    /// # Errors
    /// When its files are not those of a record, or do not fit together.
    pub(super) fn of(folder: &Path, about: Value) -> Result<Self, RecordError> {
        let About { manifest, ending } =
            serde_json::from_value(about).map_err(|error| damaged(folder, MANIFEST, error))?;
        let (text, config) = (text(folder, STUDY)?, text(folder, CONFIG)?);
        let changes: Vec<Keys> = json(folder, CONFIGURATIONS)?;
        let outcome: StudyOutcome = json(folder, REPORT)?;
        outcome.check().map_err(|problem| damaged(folder, REPORT, problem))?;
        let (rows, names) = outline(&bytes(folder, RUNS)?).map_err(|error| damaged(folder, RUNS, error))?;
        let runs = with_configurations(&outcome, |_| None);
        if rows != runs.rows() as u64 {
            let problem = format!("it has {rows} rows, and {REPORT} says {}", runs.rows());
            return Err(damaged(folder, RUNS, problem));
        }
        if !names.iter().map(String::as_str).eq(runs.names()) {
            return Err(damaged(folder, RUNS, format!("its columns are not those of {REPORT}")));
        }
        Ok(Self { folder: folder.into(), manifest, ending, text, config, changes, outcome })
    }
}
