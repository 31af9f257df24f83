//! What can be wrong with traffic that somebody asks for, and with its measurement.

use super::{Pattern, TableError};
use netlist::ElaborationError;
use rtl::noc::NocError;
use sim::SimError;

/// Traffic that a network cannot be loaded with.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TrafficError {
    /// A traffic pattern does not go with the network.
    #[error("traffic `{}`: {problem}", pattern.name())]
    Pattern {
        /// The pattern.
        pattern: Pattern,
        /// Why.
        problem: String,
    },
    /// A file says what the network does not have.
    #[error(transparent)]
    File(#[from] TableError),
    /// Traffic asks for something out of range.
    #[error("{name} = {value}: allowed: {allowed}")]
    Load {
        /// Option.
        name: &'static str,
        /// Its value.
        value: String,
        /// What is allowed.
        allowed: String,
    },
}

/// Why there is no measurement.
#[derive(Debug, thiserror::Error)]
pub enum OpenLoopError {
    /// The network is impossible.
    #[error(transparent)]
    Network(#[from] NocError),
    /// The network cannot be loaded so.
    #[error(transparent)]
    Traffic(#[from] TrafficError),
    /// The hardware is wrong.
    #[error(transparent)]
    Elaboration(#[from] ElaborationError),
    /// A broken claim of a block, or a difference between engines.
    #[error(transparent)]
    Simulation(#[from] SimError),
    /// Somebody has asked for it; see [`Bench::interrupt_on`](super::Bench::interrupt_on).
    #[error("interrupted")]
    Interrupted,
    /// What came out of the network is not what went in.
    #[error("cycle {cycle}: {problem}")]
    Broken {
        /// When.
        cycle: u64,
        /// What.
        problem: String,
    },
}
