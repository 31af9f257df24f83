//! **warpmesh**: a GPU chip written once, in Rust, as synchronous hardware.
//!
//! From one description of every on-chip block come a cycle-accurate simulation of the whole chip running real kernels,
//! synthesizable Verilog, and reports. See the README for a first run and `docs/architecture.md` for how the parts meet.
//!
//! Data flow: [`blocks`], [`noc`], [`core`] and [`memory`] describe hardware in [`hdl`]; [`chip`] composes it;
//! [`netlist`] elaborates and checks it; [`sim`] runs it and [`verilog`] prints it. [`program`] compiles PTX kernels to
//! what the core executes; [`area`] says what a chip costs; [`cli`] is the command line and [`report`] what it prints.

pub mod area;
pub mod blocks;
pub mod chip;
pub mod cli;
pub mod core;
mod files;
pub mod hdl;
pub mod memory;
pub mod netlist;
pub mod noc;
pub mod parameters;
mod place;
pub mod policies;
pub mod program;
pub mod random;
pub mod report;
mod short;
pub mod sim;
pub mod verilog;
