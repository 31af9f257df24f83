//! What ends a lockstep run without agreement: a difference, or a failure of either side.

use crate::ToolError;
use netlist::ElaborationError;
use sim::SimError;
use std::fmt;

/// Why a lockstep run did not end in agreement.
#[derive(Debug, thiserror::Error)]
pub enum LockstepError {
    /// Simulation and Verilog differ.
    #[error("{tool} on the exported Verilog of `{module}` disagrees in {difference}")]
    Differs {
        /// What ran the Verilog.
        tool: &'static str,
        /// Top module.
        module: String,
        /// The first difference.
        difference: Box<Difference>,
    },
    /// The module has mistakes.
    #[error(transparent)]
    Elaboration(#[from] ElaborationError),
    /// The simulation stopped, most likely at an assertion.
    #[error(transparent)]
    Simulation(#[from] SimError),
    /// A tool is missing or failed.
    #[error(transparent)]
    Tool(#[from] ToolError),
}

/// Where the exported Verilog first disagrees.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// Row, that is, clock cycle where there is one clock, reset cycles included, from 0.
    pub cycle: u64,
    /// Output port.
    pub port: String,
    /// Bits of it.
    pub width: u32,
    /// Hexadecimal value in the native simulation (or recording).
    pub native: String,
    /// Hexadecimal value in the Verilog.
    pub verilog: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { cycle, port, width, native, verilog } = self;
        write!(f, "cycle {cycle}: output `{port}`: native {width}'h{native}, Verilog {width}'h{verilog}")
    }
}
