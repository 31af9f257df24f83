//! Which chip a command works on.

use super::Failure;
use clap::Args;
use netlist::{Design, elaborate};
use rtl::chip::{self, Chip};
use std::path::{Path, PathBuf};
use tracing::info;

/// Chip selection, shared by the commands.
#[derive(Args, Debug, Clone, PartialEq, Eq, Default)]
pub struct ChipArgs {
    /// A configuration file, or the name of a shipped one (see `warpmesh list`); without it, the default chip.
    #[arg(value_name = "CONFIG")]
    config: Option<PathBuf>,
    /// Overrides one value of the configuration, e.g. `-P network.vcs=8`. Repeatable; the last one wins.
    #[arg(short = 'P', long = "param", value_name = "PATH=VALUE")]
    overrides: Vec<String>,
}

impl ChipArgs {
    /// Several chips, one for each of `configs` (the default chip when there is none), all with the same overrides.
    pub fn each(configs: &[PathBuf], overrides: &[String]) -> Vec<Self> {
        let of = |config: Option<&PathBuf>| Self { config: config.cloned(), overrides: overrides.to_vec() };
        match configs {
            [] => vec![of(None)],
            _ => configs.iter().map(|config| of(Some(config))).collect(),
        }
    }

    /// The configuration that was named.
    pub fn config(&self) -> Option<&Path> {
        self.config.as_deref()
    }

    /// What was given with `-P`.
    pub fn overrides(&self) -> &[String] {
        &self.overrides
    }

    /// Reads and validates the configuration.
    pub fn chip(&self) -> Result<Chip, Failure> {
        let chip = chip::load(self.config.as_deref(), &self.overrides).map_err(Failure::input)?;
        info!(
            "chip `{}`: {} cores, {} memory controllers",
            self.describe(),
            chip.core_nodes().len(),
            chip.memory_nodes().len()
        );
        Ok(chip)
    }

    /// How the configuration was given, for headers: `default`, or the file and overrides.
    pub fn describe(&self) -> String {
        let file = self.config.as_ref().map_or("default".to_string(), |path| path.display().to_string());
        self.overrides.iter().fold(file, |text, value| format!("{text} -P {value}"))
    }
}

/// Elaborates the chip. The chip is our own description, so a mistake in it is a failed check.
pub fn design(chip: &Chip) -> Result<Design, Failure> {
    let top = chip::build(chip).map_err(|error| Failure::new(2, error))?;
    elaborate(&top).map_err(|mistakes| Failure::new(1, mistakes))
}
