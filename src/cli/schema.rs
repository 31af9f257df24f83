//! `warpmesh schema`: what a configuration file may say.

use super::{Failure, print::print};
use clap::Args;
use common::parameters::{page, schema};
use rtl::chip::ChipConfig;

/// Prints the JSON schema of a chip configuration, with the meaning, unit and range of every field.
#[derive(Args, Debug)]
pub struct Schema {
    /// A page of documentation instead: `docs/configuration.md`.
    #[arg(long)]
    markdown: bool,
}

impl Schema {
    /// Runs the command.
    pub fn run(&self) -> Result<(), Failure> {
        if self.markdown {
            return print(page::<ChipConfig>("Parameters of a chip").trim_end());
        }
        let schema = schema::<ChipConfig>();
        let text = serde_json::to_string_pretty(&schema).map_err(|error| Failure::new(4, error))?;
        print(&text)
    }
}
