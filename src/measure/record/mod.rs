//! Records: folders that say what ran and how. That of a run also says how all statistics went over time; that of an
//! open-loop measurement is a [`NetworkRecord`] (`network.rs`), that of a study a [`StudyRecord`] (`study.rs`).
//!
//! | file of a run | what |
//! |---|---|
//! | `record.json` | a [`Manifest`]: what ran, of which version, when and where, how it ended |
//! | `config.toml` | the chip, with the keys that have an effect |
//! | `report.json` | the report: of a run the one of `--json`, of a program that of its launches; `null` when an error has ended the run |
//! | `samples.parquet` | a [`SampleTable`]: a row for each interval, a column for each statistic |
//! | `statistics.json` | the statistics by name with block, unit and what was counted in all |
//!
//! Whatever ends a run, the files have what was found up to there. They are read by pandas, polars, DuckDB and whoever
//! else reads Parquet; [`Stored`] reads any of these folders back.

mod configurations;
mod frame;
mod network;
mod origin;
mod parquet;
mod parquet_reader;
mod provenance;
mod reading;
mod samples;
mod study;

pub use configurations::{Configurations, Keys, differences, keys_of, shown};
pub use frame::{Frame, Values};
pub use network::{MeasuredNetwork, NetworkEnding, NetworkManifest, NetworkRecord, StoredNetwork};
pub use origin::Origin;
pub use parquet::Table;
pub use parquet_reader::{StoredTable, UnreadableTable};
pub use provenance::{HostComputer, Provenance};
pub use reading::{RecordError, Stored, StoredRecord};
pub use samples::{SampleTable, StatisticTotal};
pub use study::{StoredStudy, StudyEnding, StudyManifest, StudyRecord};

use rtl::chip::{Chip, to_toml};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Of the folder: its files and what is in them.
const FORMAT_VERSION: u32 = 1;

/// What is at work on the chip; what does not apply is not there.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Workload {
    /// A kernel that comes with the program.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kernel: Option<String>,
    /// Its size.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<u32>,
    /// All its parameters.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub kernel_params: BTreeMap<String, u32>,
    /// A launch file or run file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub launch: Option<String>,
    /// Seed of random data.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// What the environment says to a program that runs on the chip.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub environment: BTreeMap<String, String>,
}

impl Workload {
    /// Of a CUDA program: the variables `WARPMESH_*` of its environment, by which it gets its settings.
    pub fn of_environment() -> Self {
        let said = std::env::vars_os().map(|pair| [pair.0, pair.1].map(|text| text.to_string_lossy().into_owned()));
        let said = said.filter(|[name, _]| name.starts_with("WARPMESH_")).map(|[name, value]| (name, value)).collect();
        Self { environment: said, ..Self::default() }
    }
}

/// How a recorded run has ended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Ending {
    /// The verdict of a run; of a program `completed`, `interrupted` or `failed`. `failed`: in an error.
    pub verdict: String,
    /// Whether the results are those that are expected; `None`: nothing to compare.
    pub verified: Option<bool>,
    /// The error.
    pub error: Option<String>,
}

impl Ending {
    /// Of several launches.
    pub fn of_launches(interrupted: bool, verified: Option<bool>, error: Option<String>) -> Self {
        let verdict = match error {
            _ if interrupted => "interrupted",
            Some(_) => "failed",
            None => "completed",
        };
        Self { verdict: verdict.into(), verified, error }
    }
}

/// What `record.json` of a run says.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Manifest {
    /// 1.
    pub format_version: u32,
    /// What has made it, when and where.
    #[serde(flatten)]
    pub provenance: Provenance,
    /// Name of the chip.
    pub config: String,
    /// What ran.
    #[serde(flatten)]
    pub workload: Workload,
    /// Cycles of an interval of the samples.
    pub interval: u64,
}

/// What is asked of a session: a record of its launches on the chip.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecordSettings {
    /// Cycles of an interval.
    pub interval: u64,
    /// What is at work.
    pub workload: Workload,
}

/// A record in the making.
#[derive(Clone, Debug)]
pub struct RunRecord {
    manifest: Manifest,
    config: String,
    /// The statistics over time.
    pub samples: SampleTable,
}

impl RunRecord {
    /// Of what begins now on `chip`.
    pub fn new(chip: &Chip, settings: RecordSettings) -> Self {
        let RecordSettings { interval, workload } = settings;
        let manifest = Manifest {
            format_version: FORMAT_VERSION,
            provenance: Provenance::this(),
            config: chip.config().name.clone(),
            workload,
            interval,
        };
        Self { manifest, config: to_toml(chip.config()), samples: SampleTable::new(interval) }
    }

    /// The files of its folder, when the run has ended so with this report as JSON.
    pub fn files(&self, ending: &Ending, report: Option<&str>) -> Vec<(String, Vec<u8>)> {
        let samples = &self.samples;
        let mut manifest = object(&self.manifest);
        manifest["verdict"] = object(&ending.verdict);
        manifest["verified"] = ending.verified.into();
        manifest["error"] = object(&ending.error);
        manifest["samples"] = samples.rows().into();
        // A statistic a line.
        let lines: Vec<_> = samples.totals().iter().map(|total| format!("  {}", object(total))).collect();
        let statistics = if lines.is_empty() { "[]".into() } else { format!("[\n{}\n]", lines.join(",\n")) };
        let texts = [
            ("record.json", format!("{manifest:#}\n")),
            ("config.toml", self.config.clone()),
            ("report.json", format!("{}\n", report.unwrap_or("null"))),
            ("statistics.json", format!("{statistics}\n")),
        ];
        let texts = texts.into_iter().map(|(name, text)| (name.to_string(), text.into_bytes()));
        texts.chain([("samples.parquet".to_string(), samples.parquet())]).collect()
    }
}

fn object(what: impl Serialize) -> serde_json::Value {
    serde_json::to_value(what).expect("texts and numbers are JSON")
}
