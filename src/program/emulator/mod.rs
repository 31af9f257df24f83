//! A behavioural reference model of the instruction set: runs a launch on the host, thread by thread, without warps,
//! caches or time. It exists to check the compiler without the chip and the chip against something; nothing of the chip
//! is built from it.
//!
//! Each thread of a block runs up to its next barrier or its end, then the next thread does; blocks run one after the
//! other ([`run`]; warps and blocks that wait for each other end in [`run_warps`]). Addresses out of bounds or
//! unaligned are errors here ([`BadAccess`]), where hardware would just do something. Code for checks on memory
//! ([`super::memcheck`]) knows more of its accesses, and buffers may stand elsewhere than in the chip's memory.
//!
//! [`lockstep`] runs warps of 32 threads with a reconvergence stack instead: it checks the reconvergence points that
//! the compiler put into branches, and counts the instructions that a core issues. [`compiled`] does the same at the
//! speed of machine code.

mod bad_access;
mod barriers;
mod checked;
mod compiled;
mod engine;
mod error;
mod executor;
mod hazards;
mod interpret;
mod lane;
mod loads;
mod lockstep;
mod machine;
mod memory;
pub mod memory_pool;
mod pieces;
mod places;
mod thread;
mod thread_load;
mod turns;
mod warp_control;
mod warp_mask;

pub use bad_access::{BadAccess, EmulatedAccess, Fault, Space};
pub use compiled::CompiledKernel;
pub use engine::{Engine, run_lockstep, run_warps};
pub use error::EmulationError;
pub use hazards::CheckKinds;
pub use loads::{WarpLoad, run_for_loads};
pub use lockstep::LockstepOutcome;

pub(super) use checked::{AccessOrder, EmulationWatch, run_checked};
pub(crate) use compiled::CompiledChecks;
pub(crate) use places::index_of;

use super::launch::Launch;
use machine::EmulatedBlocks;
use places::blocks;

/// The outcome of a launch.
#[derive(Debug)]
pub struct LaunchOutcome {
    /// Global memory from address 0.
    pub memory: Vec<u8>,
    /// Instructions executed, summed over threads (also those whose guard fails).
    pub thread_instructions: u64,
}

/// Runs a launch to its end, or to `limit` thread instructions.
pub fn run(launch: &Launch, limit: u64) -> Result<LaunchOutcome, EmulationError> {
    if launch.kernel.in_step {
        let LockstepOutcome { memory, thread_instructions, .. } = run_lockstep(launch, limit)?;
        return Ok(LaunchOutcome { memory, thread_instructions });
    }
    let mut machine = EmulatedBlocks::new(launch, limit);
    for block in blocks(launch) {
        machine.block(block)?;
    }
    Ok(LaunchOutcome { memory: machine.memory.into_whole(), thread_instructions: machine.executed })
}
