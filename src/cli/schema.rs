//! `warpmesh schema`: what a configuration, a launch file or a study file may say.

use super::{Failure, print::print};
use clap::Args;
use common::parameters::schema;
use measure::study;
use program::{launch_file, run_file};
use rtl::chip::ChipConfig;

/// Prints the JSON schema of a chip configuration, a launch file or a study file, with the meaning and range of every field.
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
}

impl Schema {
    /// Runs the command.
    pub fn run(&self) -> Result<(), Failure> {
        let schema = match (self.launch, self.study) {
            (true, _) => launch_file::schema(),
            (_, true) => study::schema(),
            _ if self.steps => run_file::schema(),
            _ => schema::<ChipConfig>(),
        };
        let text = serde_json::to_string_pretty(&schema).map_err(|error| Failure::new(4, error))?;
        print(&text)
    }
}
