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
        write_export(&files, &self.out, self.force).map_err(failure)?;
        let lines: usize = files.iter().map(|f| f.text.lines().count()).sum();
        let (folder, top) = (self.out.display(), &design.top.name);
        print(&format!("{folder}: {} modules, {lines} lines; top module {top}", files.len()))
    }
}

/// What a person reads of an export that could not be written.
fn failure(error: ExportError) -> Failure {
    match error {
        ExportError::Foreign(folder) => Failure::input_message(
            format!("{} holds files, and they are no earlier export", folder.display()),
            "choose another folder, or --force to write into this one",
        ),
        ExportError::Io { .. } => Failure::input_message(error, "--out DIR names a folder that can be written"),
        ExportError::Broken(_) => {
            let help = "this is a mistake of warpmesh: please report it with the configuration (`warpmesh check` shows it)";
            Failure { code: 1, ..Failure::input_message(error, help) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verilog::Fault;

    #[test]
    fn a_broken_export_is_a_mistake_of_ours() {
        let fault = |line| Fault { file: "fifo.v".into(), line, message: "`words` is not declared before this".into() };
        let failure = failure(ExportError::Broken((1..8).map(fault).collect()));
        insta::assert_snapshot!(format!("{:?}", failure.report.expect("a message")));
        assert_eq!(failure.code, 1);
    }
}
