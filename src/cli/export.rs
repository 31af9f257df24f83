//! `warpmesh export`: a chip as Verilog.

use super::{
    Failure,
    chip_args::{ChipArgs, design},
    print::print,
};
use crate::verilog::{ExportError, ExportOptions, export, write_export};
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
        if chip.is_ideal() {
            return Err(Failure::input_message(
                "network.model = ideal is behavioural and cannot be exported",
                "`-P network.model=routers` exports the chip with its routers",
            ));
        }
        let config = self.chip.describe();
        let options =
            ExportOptions { command: format!("warpmesh export {config}"), config, ..ExportOptions::default() };
        let files = export(&design, &options);
        write_export(&files, &self.out, self.force).map_err(|error| match error {
            ExportError::Foreign(folder) => Failure::input_message(
                format!("{} holds files, and they are no earlier export", folder.display()),
                "choose another folder, or --force to write into this one",
            ),
            error => Failure::input_message(error, "--out DIR names a folder that can be written"),
        })?;
        let lines: usize = files.iter().map(|f| f.text.lines().count()).sum();
        let (folder, top) = (self.out.display(), &design.top.name);
        print(&format!("{folder}: {} modules, {lines} lines; top module {top}", files.len()))
    }
}
