//! `--record`: a folder that says what ran; of a run with all statistics over time, of a study with all runs.

use super::{
    Failure,
    output::{OutputFolder, refuse_shared},
    study_runs::{StudyEnd, StudyRuns},
};
use measure::{
    record::{Ending, RunRecord, StudyEnding, StudyRecord, Workload},
    report::RunReport,
};
use program::kernels::{self, Setting};
use serde_json::json;
use std::path::Path;

/// What a run of a kernel that comes with the program is; the kernel is one, and its parameters are legal.
pub fn of_kernel(name: &str, size: Option<u32>, set: &[Setting], seed: u64) -> Workload {
    let kernel = kernels::find(name);
    let default = |kernel: &kernels::Builtin| {
        let params = kernel.params().into_iter();
        params.filter_map(|param| Some((param.path, param.default.parse().ok()?))).collect::<Vec<_>>()
    };
    let set = set.iter().map(|setting| (setting.name.clone(), setting.value));
    Workload {
        kernel: Some(name.into()),
        size: size.or(kernel.map(|kernel| kernel.default_size)),
        kernel_params: kernel.map(default).unwrap_or_default().into_iter().chain(set).collect(),
        seed: Some(seed),
        ..Workload::default()
    }
}

/// What a run of a launch file or run file is.
pub fn of_file(file: &Path, seed: u64) -> Workload {
    Workload { launch: Some(file.display().to_string()), seed: Some(seed), ..Workload::default() }
}

/// A run that an error has ended.
pub fn failed(failure: &Failure) -> Ending {
    let errors: Vec<_> = failure.reports.iter().map(ToString::to_string).collect();
    Ending { verdict: "failed".into(), verified: None, error: Some(errors.join("; ")) }
}

/// A run with this report.
pub fn ended(report: &RunReport) -> Ending {
    let verdict = json!(report.verdict).as_str().unwrap_or_default().into();
    Ending { verdict, verified: report.verified, error: None }
}

/// Fills the folder.
pub fn write(folder: &OutputFolder, record: &RunRecord, ending: &Ending, report: Option<&str>) -> Result<(), Failure> {
    folder.write_bytes(&record.files(ending, report))
}

/// The record of a study in the making.
pub struct StudyRecording {
    folder: OutputFolder,
    record: StudyRecord,
}

impl StudyRecording {
    /// In the folder that `--record` names, if there is one; of a study with its file, if it has one.
    pub fn begin(
        (folder, force): (Option<&Path>, bool),
        runs: &StudyRuns<'_>,
        file: Option<&Path>,
        quick: bool,
    ) -> Result<Option<Self>, Failure> {
        let Some(folder) = folder else { return Ok(None) };
        // Reports of runs, which stay, and the record, which is replaced as a whole, do not go together.
        refuse_shared(&[("--out", Some(runs.out)), ("--record", Some(folder))])?;
        let folder = OutputFolder::claim(folder, force)?;
        let file = file.map(|file| file.display().to_string());
        let record = StudyRecord::new(file, runs.study.text().into(), quick, runs.configurations()?);
        Ok(Some(Self { folder, record }))
    }

    /// Fills the folder.
    pub fn end(&self, end: &StudyEnd) -> Result<(), Failure> {
        let ending = StudyEnding { interrupted: end.interrupted, missing: end.missing, runs: end.of };
        self.folder.write_bytes(&self.record.files(&ending, &end.outcome))
    }
}
