//! Reads the folder of a record back.

use super::{
    Ending, FORMAT_VERSION, Manifest, SampleTable, StatisticTotal, StoredNetwork, StoredStudy, StoredTable,
    UnreadableTable, network, study,
};
use miette::Diagnostic;
use rtl::chip::{self, Chip};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::Value;
use std::{
    fs, io,
    path::{Path, PathBuf},
};
use thiserror::Error;

/// A record that was read.
#[derive(Clone, Debug)]
pub enum Stored {
    /// Of a run.
    Run(Box<StoredRecord>),
    /// Of networks that were measured.
    Network(Box<StoredNetwork>),
    /// Of a study.
    Study(Box<StoredStudy>),
}

/// The record of a run that was read.
#[derive(Clone, Debug)]
pub struct StoredRecord {
    /// Its folder.
    pub folder: PathBuf,
    /// What ran.
    pub manifest: Manifest,
    /// How it ended.
    pub ending: Ending,
    /// The configuration, TOML.
    pub config: String,
    /// The report of a run, or that of launches; null when an error has ended the run.
    pub report: Value,
    /// What was counted in all.
    pub statistics: Vec<StatisticTotal>,
    samples: StoredTable,
}

/// Why a folder is not read as a record.
#[derive(Debug, Error, Diagnostic)]
pub enum RecordError {
    /// There is no such folder.
    #[error("{}: there is no such folder", folder.display())]
    #[diagnostic(help("name the folder that `run`, `exec`, `noc`, `study` or `sweep` has written with --record"))]
    Missing {
        /// Which.
        folder: PathBuf,
    },
    /// A file is not there.
    #[error("{} is no record, or not a whole one: it has no file {file}", folder.display())]
    #[diagnostic(help("`run`, `exec`, `noc`, `study` and `sweep` write one with --record"))]
    NoRecord {
        /// The folder.
        folder: PathBuf,
        /// The file.
        file: &'static str,
    },
    /// A file cannot be read.
    #[error("{}: cannot be read: {cause}", file.display())]
    #[diagnostic(help("see whether you may do that there"))]
    Unreadable {
        /// The file.
        file: PathBuf,
        /// What the operating system says.
        cause: io::Error,
    },
    /// Another format.
    #[error("{}: a record of format {found}; this program reads format {FORMAT_VERSION}", file.display())]
    #[diagnostic(help("read it with the version of warpmesh that has written it, or record the run again"))]
    Version {
        /// The file.
        file: PathBuf,
        /// What it says.
        found: String,
    },
    /// A file is not what a record has there.
    #[error("{}: {problem}", file.display())]
    #[diagnostic(help("the record is damaged, or something has changed the file: record the run again"))]
    Damaged {
        /// The file.
        file: PathBuf,
        /// What is wrong.
        problem: String,
    },
}

/// `record.json`, after its version.
#[derive(Deserialize)]
struct About {
    #[serde(flatten)]
    manifest: Manifest,
    #[serde(flatten)]
    ending: Ending,
    samples: u64,
}

impl Stored {
    /// The record in a folder; its files fit together.
    ///
    /// # Errors
    /// When it is not one.
    pub fn read(folder: &Path) -> Result<Self, RecordError> {
        if !folder.is_dir() {
            return Err(RecordError::Missing { folder: folder.into() });
        }
        let about: Value = json(folder, MANIFEST)?;
        if !about.is_object() || about["format_version"] != FORMAT_VERSION {
            let found = about.get("format_version").map_or("unknown".into(), Value::to_string);
            return Err(RecordError::Version { file: folder.join(MANIFEST), found });
        }
        match about["kind"].as_str() {
            Some(network::KIND) => StoredNetwork::of(folder, about).map(|record| Self::Network(Box::new(record))),
            Some(study::KIND) => StoredStudy::of(folder, about).map(|record| Self::Study(Box::new(record))),
            _ => StoredRecord::of(folder, about).map(|record| Self::Run(Box::new(record))),
        }
    }
}

impl Stored {
    /// What it is of.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Run(_) => "a run",
            Self::Network(_) => "networks",
            Self::Study(_) => "a study",
        }
    }
}

impl StoredRecord {
    /// The record in a folder whose `record.json` says `about`.
    fn of(folder: &Path, about: Value) -> Result<Self, RecordError> {
        let About { manifest, ending, samples: rows } =
            serde_json::from_value(about).map_err(|error| damaged(folder, MANIFEST, error))?;
        let (config, report) = (text(folder, CONFIG)?, json(folder, "report.json")?);
        let statistics = json::<Vec<StatisticTotal>>(folder, "statistics.json")?;
        let samples = StoredTable::new(bytes(folder, SAMPLES)?).map_err(|error| damaged(folder, SAMPLES, error))?;
        if samples.rows() != rows {
            let problem = format!("it has {} rows, and {MANIFEST} says {rows}", samples.rows());
            return Err(damaged(folder, SAMPLES, problem));
        }
        if !samples.names().eq(SampleTable::columns_of(&statistics)) {
            return Err(damaged(folder, SAMPLES, "its columns are not the statistics of statistics.json"));
        }
        Ok(Self { folder: folder.into(), manifest, ending, config, report, statistics, samples })
    }

    /// The launch and the last cycle of each interval.
    ///
    /// # Errors
    /// When the samples are damaged.
    pub fn intervals(&self) -> Result<Vec<(u64, u64)>, RecordError> {
        let [launches, cycles] = [self.column(0)?, self.column(1)?];
        let intervals: Vec<_> = launches.into_iter().zip(cycles).collect();
        if intervals.windows(2).any(|pair| pair[0] > pair[1]) {
            return Err(self.damaged_samples("its rows are not in the order of launches and cycles"));
        }
        Ok(intervals)
    }

    /// Hands each statistic over, in order, with what each interval has added: its value and, of a sum or a histogram, how many
    /// values that is of.
    ///
    /// # Errors
    /// When the samples are damaged, or do not add up to the totals.
    pub fn each_statistic(
        &self,
        mut see: impl FnMut(&StatisticTotal, Vec<u64>, Option<Vec<u64>>),
    ) -> Result<(), RecordError> {
        let mut at = 2;
        let mut next = |total: u64, name: &str| {
            let column = self.column(at)?;
            at += 1;
            let sum = column.iter().fold(0u64, |sum, &more| sum.wrapping_add(more));
            if sum != total {
                let problem = format!("column `{name}` adds up to {sum}, and statistics.json says {total}");
                return Err(self.damaged_samples(problem));
            }
            Ok(column)
        };
        for statistic in &self.statistics {
            let value = next(statistic.value, &statistic.name)?;
            let values =
                statistic.values.map(|total| next(total, &format!("{}.values", statistic.name))).transpose()?;
            see(statistic, value, values);
        }
        Ok(())
    }

    /// The configuration.
    ///
    /// # Errors
    /// When `config.toml` is no TOML.
    pub fn config_table(&self) -> Result<toml::Table, RecordError> {
        self.config.parse().map_err(|error: toml::de::Error| damaged(&self.folder, CONFIG, error.message()))
    }

    /// The chip of `config.toml`.
    ///
    /// # Errors
    /// When this program has no such chip.
    pub fn chip(&self) -> Result<Chip, RecordError> {
        chip::load(Some(&self.folder.join(CONFIG)), &[]).map_err(|error| damaged(&self.folder, CONFIG, error))
    }

    /// Of `config.toml`.
    pub fn damaged_config(&self, problem: impl ToString) -> RecordError {
        damaged(&self.folder, CONFIG, problem)
    }

    /// Of `report.json`.
    pub fn damaged_report(&self, problem: impl ToString) -> RecordError {
        damaged(&self.folder, "report.json", problem)
    }

    fn column(&self, number: usize) -> Result<Vec<u64>, RecordError> {
        self.samples.column(number).map_err(|error: UnreadableTable| self.damaged_samples(error))
    }

    fn damaged_samples(&self, problem: impl ToString) -> RecordError {
        damaged(&self.folder, SAMPLES, problem)
    }
}

pub(super) const MANIFEST: &str = "record.json";
pub(super) const CONFIG: &str = "config.toml";
const SAMPLES: &str = "samples.parquet";

pub(super) fn damaged(folder: &Path, file: &str, problem: impl ToString) -> RecordError {
    RecordError::Damaged { file: folder.join(file), problem: problem.to_string() }
}

pub(super) fn bytes(folder: &Path, file: &'static str) -> Result<Vec<u8>, RecordError> {
    let path = folder.join(file);
    fs::read(&path).map_err(|cause| match cause.kind() {
        io::ErrorKind::NotFound => RecordError::NoRecord { folder: folder.into(), file },
        _ => RecordError::Unreadable { file: path, cause },
    })
}

pub(super) fn text(folder: &Path, file: &'static str) -> Result<String, RecordError> {
    String::from_utf8(bytes(folder, file)?).map_err(|_| damaged(folder, file, "it is not UTF-8"))
}

pub(super) fn json<T: DeserializeOwned>(folder: &Path, file: &'static str) -> Result<T, RecordError> {
    serde_json::from_str(&text(folder, file)?).map_err(|error| damaged(folder, file, error))
}
