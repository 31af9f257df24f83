//! Elaboration: a top module and everything below it as one checked design.
//!
//! In comes a [`Module`](hdl::Module) (with its children inside); out comes a [`Design`]: the distinct modules,
//! children before parents, each with its combinational dependencies, or an [`ElaborationError`] that lists every
//! mistake with its hierarchical path and source positions. Simulation, Verilog export and area reports start from a
//! `Design`.
//!
//! * [`elaborate`](elaborate()): walks the hierarchy, gathers mistakes that recording found, runs the checks below.
//! * [`dependencies`]: the graph of nets of one module (petgraph); what depends on what within a cycle; loops.
//! * [`clocks`]: nothing of one clock domain reaches another but through a crossing.
//! * [`registered`]: which outputs come straight from registers; tiles must have only such.

#![forbid(unsafe_code)]

mod clocks;
pub mod dependencies;
mod elaborate;
mod registered;

pub use dependencies::Dependencies;
pub use elaborate::{Design, Elaborated, ElaborationError, Mistake, elaborate};
pub use registered::registered_outputs;
