//! The record of an open-loop measurement of networks.
//!
//! | file | what |
//! |---|---|
//! | `record.json` | a [`NetworkManifest`], and how the measurement has ended |
//! | `config-1.toml`, ... | each chip, with the keys that have an effect |
//! | `report.json` | the report of each chip whose network was measured, with the use of every link at every load |
//! | `loads.csv` | the table of `--csv`: a row for each load and class |

use super::{
    FORMAT_VERSION, Provenance,
    reading::{MANIFEST, RecordError, damaged, json},
};
use crate::report::{OpenLoopReport, csv};
use rtl::chip::{self, Chip, to_toml};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// What `kind` of `record.json` says.
pub(super) const KIND: &str = "network";

/// What `record.json` of a measurement of networks says.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct NetworkManifest {
    /// 1.
    pub format_version: u32,
    /// `network`.
    pub kind: String,
    /// What has made it, when and where.
    #[serde(flatten)]
    pub provenance: Provenance,
    /// Of each chip the name that reports have, in the order of the files of configurations.
    pub configs: Vec<String>,
    /// What was sent.
    pub traffic: String,
    /// Seed of the traffic.
    pub seed: u64,
}

/// How a measurement has ended.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct NetworkEnding {
    /// It was ended before all loads were measured.
    pub interrupted: bool,
    /// What went wrong, of the networks that have no report.
    pub errors: Vec<String>,
}

/// A record in the making.
#[derive(Clone, Debug)]
pub struct NetworkRecord {
    manifest: NetworkManifest,
    configs: Vec<String>,
}

impl NetworkRecord {
    /// Of what begins now: chips with the names that reports have.
    pub fn new(chips: &[(&Chip, String)], traffic: String, seed: u64) -> Self {
        let (configs, names) = chips.iter().map(|(chip, name)| (to_toml(chip.config()), name.clone())).unzip();
        let (provenance, kind) = (Provenance::this(), KIND.into());
        let manifest =
            NetworkManifest { format_version: FORMAT_VERSION, kind, provenance, configs: names, traffic, seed };
        Self { manifest, configs }
    }

    /// The files of its folder.
    pub fn files(&self, ending: &NetworkEnding, reports: &[OpenLoopReport]) -> Vec<(String, Vec<u8>)> {
        let mut about = json!(self.manifest);
        about["interrupted"] = ending.interrupted.into();
        about["errors"] = json!(ending.errors);
        let report = serde_json::to_string_pretty(reports).expect("numbers and strings only");
        let texts = [
            (MANIFEST.to_string(), format!("{about:#}\n")),
            (REPORT.to_string(), format!("{report}\n")),
            ("loads.csv".to_string(), format!("{}\n", csv(reports))),
        ];
        let configs = (1..).zip(&self.configs).map(|(number, config)| (config_file(number), config.clone()));
        texts.into_iter().chain(configs).map(|(name, text)| (name, text.into_bytes())).collect()
    }
}

const REPORT: &str = "report.json";

fn config_file(number: usize) -> String {
    format!("config-{number}.toml")
}

/// A record of networks that was read.
#[derive(Clone, Debug)]
pub struct StoredNetwork {
    /// Its folder.
    pub folder: PathBuf,
    /// What was measured.
    pub manifest: NetworkManifest,
    /// How that ended.
    pub ending: NetworkEnding,
    /// The networks that have a report.
    pub networks: Vec<MeasuredNetwork>,
}

/// A network and what was measured of it.
#[derive(Clone, Debug)]
pub struct MeasuredNetwork {
    /// Its chip.
    pub chip: Chip,
    /// The chip, TOML.
    pub config: String,
    /// What was measured.
    pub report: OpenLoopReport,
}

/// `record.json`.
#[derive(Deserialize)]
struct About {
    #[serde(flatten)]
    manifest: NetworkManifest,
    #[serde(flatten)]
    ending: NetworkEnding,
}

impl StoredNetwork {
    /// The record in a folder whose `record.json` says `about`.
    ///
    /// # Errors
    /// When its files are not those of a record, or do not fit together.
    pub(super) fn of(folder: &Path, about: Value) -> Result<Self, RecordError> {
        let About { manifest, ending } =
            serde_json::from_value(about).map_err(|error| damaged(folder, MANIFEST, error))?;
        let reports: Vec<OpenLoopReport> = json(folder, REPORT)?;
        if reports.is_empty() {
            return Err(damaged(folder, REPORT, "it has no network"));
        }
        let network = |report: OpenLoopReport| {
            let number = manifest.configs.iter().position(|name| *name == report.config);
            let number = number.ok_or_else(|| {
                damaged(folder, REPORT, format!("{MANIFEST} has no configuration called `{}`", report.config))
            })?;
            let file = config_file(number + 1);
            let wrong = |error: &dyn ToString| damaged(folder, &file, error.to_string());
            let config = std::fs::read_to_string(folder.join(&file)).map_err(|error| wrong(&error))?;
            let chip = chip::load(Some(&folder.join(&file)), &[]).map_err(|error| wrong(&error))?;
            if report.points.is_empty() || report.points.len() != report.power.len() {
                return Err(damaged(folder, REPORT, format!("`{}` has not a power for each load", report.config)));
            }
            Ok(MeasuredNetwork { chip, config, report })
        };
        let networks = reports.into_iter().map(network).collect::<Result<_, _>>()?;
        Ok(Self { folder: folder.into(), manifest, ending, networks })
    }
}
