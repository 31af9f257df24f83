//! Verilog export of elaborated designs, and lockstep of simulation against it.
//!
//! In comes a [`Design`](netlist::Design); out come Verilog-2005 files, one per distinct module, printed from the
//! recorded statements, so that names, structure and comments are the author's.
//!
//! Data flow of [`export()`], module by module, children first: recorded expressions become [`terms`] (what Verilog can
//! say without surprises) → [`live`] finds what outputs and children depend on → [`lines`] prunes the statements to one
//! block per target → [`naming`] decides which terms get a wire of their own → [`module`] puts the parts in order and
//! [`printer`] prints them, with [`expression`], [`names`] and [`sram`] at its side. [`read_registers`] are part of memory
//! modules, which [`macros`] lists; [`constraints`](mod@constraints) has the clocks, [`domains`] lists of what each drives, and [`resets`] a top with one asynchronous reset.
//! Before [`write_export`] writes anything, [`mod@check`] reads all of it again. [`mod@lint`] and [`lockstep`] show it to
//! other tools.

#![forbid(unsafe_code)]

mod check;
mod clock_ports;
mod constraints;
mod domains;
mod export;
mod expression;
mod lines;
mod lint;
mod live;
pub mod lockstep;
mod macros;
mod module;
mod names;
mod naming;
mod printer;
mod read_registers;
mod resets;
mod sram;
mod terms;
mod verilog_file;

pub use check::{Fault, check};
pub use clock_ports::ClockPorts;
pub use constraints::{CONSTRAINTS, constraints};
pub use domains::{DomainModules, domain_lists};
pub use export::{
    ExportError, ExportOptions, Exported, SRAM_BITS, export, export_all, write_export, write_export_beside,
};
pub use lint::{LintDiagnostic, ToolError, lint, lint_files, lint_quickly};
pub use macros::{MACROS, Macro, macros_csv};
pub use names::identifier;
pub use resets::async_reset_top;
pub use verilog_file::VerilogFile;
