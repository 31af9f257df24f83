//! Who executes the instructions of warps: the interpreter, or machine code.

use super::{barriers::Arrival, error::EmulationError, machine::EmulatedBlocks, warp_control::WarpControl};

/// Executes the instructions of warps.
pub(super) trait Executor {
    /// A warp with its registers.
    type Warp;
    /// Makes the warps of a new block.
    fn start(&mut self, machine: &mut EmulatedBlocks, warps: &mut Vec<Self::Warp>);
    /// The machine has the shared memory of another block that was started before.
    fn resume(&mut self, machine: &mut EmulatedBlocks);
    /// Where a warp is.
    fn control(warp: &Self::Warp) -> &WarpControl;
    /// Runs a warp up to and including its next barrier, which it tells, to its end, or for so many branches, exits and barriers.
    fn run(
        &mut self,
        warp: &mut Self::Warp,
        machine: &mut EmulatedBlocks,
        block: [u32; 3],
        turn: u32,
    ) -> Result<Option<Arrival>, EmulationError>;
    /// Instructions issued by address, so far.
    fn issued(self) -> Vec<u64>;
}
