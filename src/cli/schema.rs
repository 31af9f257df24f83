//! `warpmesh schema`: what a configuration, a launch file or a study file may say.

use super::{Failure, print::print};
use clap::Args;
use common::parameters::{page, schema};
use measure::study;
use program::{launch_file, run_file};
use rtl::chip::ChipConfig;

/// Prints the JSON schema of a chip configuration, a launch file or a study file, with the meaning and range of every field.
#[derive(Args, Debug)]
pub struct Schema {
    /// A page of documentation instead: `docs/configuration.md`.
    #[arg(long)]
    markdown: bool,
    /// Of a launch file (`run --launch`) instead of a chip configuration.
    #[arg(long, conflicts_with = "markdown")]
    launch: bool,
    /// Of a run file (`run --launch` with steps) instead of a chip configuration.
    #[arg(long, conflicts_with_all = ["markdown", "launch"])]
    steps: bool,
    /// Of a study file (`study`) instead of a chip configuration.
    #[arg(long, conflicts_with_all = ["markdown", "launch", "steps"])]
    study: bool,
}

impl Schema {
    /// Runs the command.
    pub fn run(&self) -> Result<(), Failure> {
        if self.markdown {
            return print(page::<ChipConfig>("Parameters of a chip").trim_end());
        }
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
