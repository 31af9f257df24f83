//! `warpmesh schema`: what a configuration, a launch file or a study file may say, and what a report says.

use super::{Failure, print::print};
use clap::{Args, ValueEnum};
use common::parameters::schema;
use measure::{
    report::{ChipComparison, OpenLoopReport, RunReport},
    session::LaunchesReport,
    study,
};
use program::{launch_file, run_file};
use rtl::chip::ChipConfig;
use schemars::schema_for;

/// A report as JSON.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum ReportOf {
    /// `run --json`, of a launch
    Run,
    /// `exec --report FILE.json`
    Exec,
    /// `compare --json`
    Compare,
    /// `noc --json`, of one configuration
    Noc,
}

/// Prints the JSON schema of a chip configuration, a launch file, a study file or a report, with the meaning and range of every field.
#[derive(Args, Debug)]
pub struct Schema {
    /// Of a launch file (`run --launch`) instead of a chip configuration.
    #[arg(long)]
    launch: bool,
    /// Of a run file (`run --launch` with steps) instead of a chip configuration.
    #[arg(long, conflicts_with = "launch")]
    steps: bool,
    /// Of a study file (`study`) instead of a chip configuration.
    #[arg(long, conflicts_with_all = ["launch", "steps"])]
    study: bool,
    /// Of a report as JSON instead of a chip configuration.
    #[arg(long, value_name = "COMMAND", conflicts_with_all = ["launch", "steps", "study"])]
    report: Option<ReportOf>,
}

impl Schema {
    /// Runs the command.
    pub fn run(&self) -> Result<(), Failure> {
        let schema = match (self.report, self.launch, self.study) {
            (Some(ReportOf::Run), ..) => schema_for!(RunReport).to_value(),
            (Some(ReportOf::Exec), ..) => schema_for!(LaunchesReport).to_value(),
            (Some(ReportOf::Compare), ..) => schema_for!(ChipComparison).to_value(),
            (Some(ReportOf::Noc), ..) => schema_for!(OpenLoopReport).to_value(),
            (_, true, _) => launch_file::schema(),
            (.., true) => study::schema(),
            _ if self.steps => run_file::schema(),
            _ => schema::<ChipConfig>(),
        };
        let text = serde_json::to_string_pretty(&schema).map_err(|error| Failure::new(4, error))?;
        print(&text)
    }
}
