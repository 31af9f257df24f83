//! The engines that run a launch warp by warp.

use super::{
    compiled::CompiledKernel,
    error::EmulationError,
    lockstep::{LockstepOutcome, execute, outcome},
    machine::EmulatedBlocks,
};
use crate::launch::Launch;

/// Who executes the instructions of warps. What comes out is the same, bit for bit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Engine {
    /// One thread after the other, from the meaning of each instruction.
    Interpreter,
    /// Machine code for the kernel; the interpreter where this machine has none.
    Compiled,
}

/// Runs a launch to its end, or to `limit` thread instructions, warp by warp.
///
/// # Errors
/// What a launch may do wrong, or more than `limit` thread instructions.
pub fn run_lockstep(launch: &Launch, limit: u64) -> Result<LockstepOutcome, EmulationError> {
    run_warps(launch, limit, Engine::Interpreter)
}

/// As [`run_lockstep`], on an engine of one's choice.
///
/// # Errors
/// What a launch may do wrong, or more than `limit` thread instructions.
pub fn run_warps(launch: &Launch, limit: u64, engine: Engine) -> Result<LockstepOutcome, EmulationError> {
    match engine {
        Engine::Interpreter => {
            let mut machine = EmulatedBlocks::new(launch, limit);
            let issued = execute(&mut machine)?;
            Ok(outcome(machine, issued))
        }
        Engine::Compiled => CompiledKernel::new(&launch.kernel).run(launch, limit),
    }
}
