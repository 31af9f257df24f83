//! Random exports: chips and blocks drawn by seed, exported, and shown to Verilator, Icarus and Yosys; shared by
//! `tests/verilog/random_exports.rs` and `campaigns/random_exports.rs`.

pub mod blocks;
pub mod chips;
pub mod draw;

use draw::Draw;
use std::fmt;
use warpmesh::{
    chip::{Chip, build, to_toml},
    hdl::Module,
    netlist::elaborate,
    verilog::{ExportError, ExportOptions, VerilogFile, check, export, lint_files},
};

/// Something to export, and all that is needed to do it again.
pub struct Drawn {
    /// It came from this.
    pub seed: u64,
    /// What it is: a configuration as TOML, or a block with its parameters.
    pub text: String,
    /// Memories of more bits are modules of their own.
    pub sram_bits: u64,
    pub top: Module,
}

impl fmt::Display for Drawn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "seed {}, memories of at least {} bits as modules\n{}", self.seed, self.sram_bits, self.text)
    }
}

/// The chip of `seed`.
pub fn chip(seed: u64) -> Drawn {
    let config = chips::config(seed);
    let text = to_toml(&config);
    let top = Chip::new(&config).map_err(|e| e.to_string()).and_then(|chip| build(&chip).map_err(|e| e.to_string()));
    let top = top.unwrap_or_else(|e| panic!("seed {seed}: `check` accepts it, but {e}\n{text}"));
    // Half of the chips as the command exports them.
    let sram_bits = if seed.is_multiple_of(2) { 16 * 1024 } else { Draw::new(seed).power(256, 8192).into() };
    Drawn { seed, text, sram_bits, top }
}

/// The block of `seed`.
pub fn block(seed: u64) -> Drawn {
    let (text, top) = blocks::block(seed);
    Drawn { seed, text, sram_bits: Draw::new(seed).power(64, 16 * 1024).into(), top }
}

impl Drawn {
    /// Its Verilog.
    pub fn files(&self) -> Vec<VerilogFile> {
        let design = elaborate(&self.top).unwrap_or_else(|e| panic!("{self}\n{e}"));
        export(&design, &ExportOptions { sram_bits: Some(self.sram_bits), ..ExportOptions::default() })
    }

    /// Looks over `files` as the command does before it writes.
    pub fn check(&self, files: &[VerilogFile]) -> Result<(), String> {
        let faults = check(files);
        if faults.is_empty() { Ok(()) } else { Err(format!("{self}\n{}", ExportError::Broken(faults))) }
    }

    /// Shows `files` to our check and the three tools; whatever one of them says is the error.
    pub fn lint(&self, files: &[VerilogFile]) -> Result<(), String> {
        let said = match lint_files(files, &self.top.name) {
            Ok(diagnostics) if diagnostics.is_empty() => return Ok(()),
            Ok(diagnostics) => diagnostics.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"),
            Err(error) => error.to_string(),
        };
        Err(format!("{self}\n{said}"))
    }
}
