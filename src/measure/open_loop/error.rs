//! What can be wrong with traffic that somebody asks for.

use super::{Pattern, TableError};

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
