//! **warpmesh**: a GPU chip written once, in Rust, as synchronous hardware.
//!
//! From one description of every on-chip block come a cycle-accurate simulation of the whole chip running real kernels,
//! synthesizable Verilog, and reports. See the README for a first run and `docs/architecture.md` for how the parts meet.

pub mod hdl;
pub mod netlist;
