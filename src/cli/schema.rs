//! `warpmesh schema`: what a configuration file may say.

use super::{Failure, print::print};
use crate::chip::ChipConfig;
use clap::Args;

/// Prints the JSON schema of a chip configuration, with the meaning, unit and range of every field.
#[derive(Args, Debug)]
pub struct Schema {}

impl Schema {
    /// Runs the command.
    pub fn run(&self) -> Result<(), Failure> {
        let schema = schemars::schema_for!(ChipConfig);
        let text = serde_json::to_string_pretty(&schema).map_err(|error| Failure::new(4, error))?;
        print(&text)
    }
}
