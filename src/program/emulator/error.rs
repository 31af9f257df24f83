//! What a kernel may do wrong.

use super::bad_access::BadAccess;
use thiserror::Error;

/// What a kernel may do wrong.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum EmulationError {
    /// A load or store that cannot be.
    #[error(transparent)]
    Access(#[from] Box<BadAccess>),
    /// Ran off the code, or into a word that is no instruction.
    #[error("no instruction at {pc}")]
    NoInstruction {
        /// The address.
        pc: usize,
    },
    /// Threads of a warp wait at different barriers.
    #[error(
        "instruction {pc} (PTX line {line}): a barrier for some threads of a warp, while others of it wait at the barrier of \
         instruction {other} (PTX line {other_line})"
    )]
    DivergentBarrier {
        /// Address of the instruction.
        pc: usize,
        /// Line in the PTX file.
        line: u32,
        /// Address of the other barrier.
        other: usize,
        /// Its line.
        other_line: u32,
    },
    /// A warp comes to a barrier that cannot be.
    #[error("instruction {pc} (PTX line {line}): {what}")]
    BadBarrier {
        /// Address of the instruction.
        pc: usize,
        /// Line in the PTX file.
        line: u32,
        /// What is wrong.
        what: String,
    },
    /// Warps wait at barriers, and nobody is left to come.
    #[error("warps of a block wait for ever: {waiting}")]
    Stuck {
        /// Address of the instruction of one of them.
        pc: usize,
        /// Line in the PTX file.
        line: u32,
        /// Which, and where.
        waiting: String,
    },
    /// More instructions than allowed.
    #[error("not finished after {limit} thread instructions")]
    Limit {
        /// The limit.
        limit: u64,
    },
}
