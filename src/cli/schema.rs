//! `warpmesh schema`: what a configuration or a launch file may say.

use super::{Failure, print::print};
use clap::Args;
use common::parameters::{page, schema};
use program::launch_file;
use rtl::chip::ChipConfig;

/// Prints the JSON schema of a chip configuration or of a launch file, with the meaning and range of every field.
#[derive(Args, Debug)]
pub struct Schema {
    /// A page of documentation instead: `docs/configuration.md`.
    #[arg(long)]
    markdown: bool,
    /// Of a launch file (`run --launch`) instead of a chip configuration.
    #[arg(long, conflicts_with = "markdown")]
    launch: bool,
}

impl Schema {
    /// Runs the command.
    pub fn run(&self) -> Result<(), Failure> {
        if self.markdown {
            return print(page::<ChipConfig>("Parameters of a chip").trim_end());
        }
        let schema = if self.launch { launch_file::schema() } else { schema::<ChipConfig>() };
        let text = serde_json::to_string_pretty(&schema).map_err(|error| Failure::new(4, error))?;
        print(&text)
    }
}
