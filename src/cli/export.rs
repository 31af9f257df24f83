//! `warpmesh export`: a chip as Verilog.

use super::{
    Failure,
    chip_args::{ChipArgs, design},
};
use crate::verilog::{ExportOptions, export, write_export};
use clap::Args;
use std::path::PathBuf;

/// Writes a chip as Verilog, one module a file, and the list `files.f`.
#[derive(Args, Debug)]
pub struct Export {
    #[command(flatten)]
    chip: ChipArgs,
    /// Folder to write to; an earlier export in it is replaced.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Write even into a folder that holds other files.
    #[arg(long)]
    force: bool,
}

impl Export {
    /// Runs the command.
    pub fn run(&self) -> Result<(), Failure> {
        let chip = self.chip.chip()?;
        let design = design(&chip)?;
        let config = self.chip.describe();
        let options =
            ExportOptions { command: format!("warpmesh export {config}"), config, ..ExportOptions::default() };
        let files = export(&design, &options);
        write_export(&files, &self.out, self.force)
            .map_err(|error| Failure::input_message(error, "--out DIR names the folder; --force overwrites"))?;
        let lines: usize = files.iter().map(|f| f.text.lines().count()).sum();
        println!("{}: {} modules, {lines} lines; top module {}", self.out.display(), files.len(), design.top.name);
        Ok(())
    }
}
