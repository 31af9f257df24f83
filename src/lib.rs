//! **warpmesh**: a GPU chip written once, in Rust, as synchronous hardware.
//!
//! From one description of every on-chip block come a cycle-accurate simulation of the whole chip running real kernels,
//! synthesizable Verilog, and reports. See the README for a first run and `docs/architecture.md` for how the parts
//! meet.
//!
//! Data flow: [`blocks`], [`noc`], [`core`] and [`memory`] describe hardware in [`hdl`]; [`chip`] composes it;
//! [`netlist`] elaborates and checks it; [`sim`] runs it and [`verilog`] prints it. [`registry`] has single blocks by
//! name. [`program`] compiles PTX kernels to what the core executes; [`host`] runs them on the chip, [`open_loop`]
//! loads a network alone, [`area`] says what a chip costs; [`cli`] is the command line and [`report`] what it prints.
//! [`main`] is the program: a crate that adds rows to the tables calls it.
//!
//! Each layer is a package of its own under `src/`; this one joins them.

pub use ::{cli, common, cuda, embed, hdl, hdl::random, netlist, program, rusthdl, sim, verilog};
pub use ::cli::main;
pub use ::embed::rust_hdl_block;
pub use ::hdl::{bundle, params};
pub use ::measure::{area, block_bench, host, open_loop, record, report, saved_run, session, statistics, timing};
pub use ::rtl::{self, blocks, cache, chip, core, memory, noc, registry};
