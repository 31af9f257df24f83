//! The loads of a launch from global memory, as warps do them: what an access pattern looks like before any cache.

use super::{
    error::EmulationError, lockstep, machine::EmulatedBlocks, places::At, thread_load::ThreadLoad, warp_mask::WARP,
};
use crate::launch::Launch;

/// A load of a warp.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WarpLoad {
    /// Address of the instruction.
    pub pc: usize,
    /// Index of the block.
    pub block: [u32; 3],
    /// The warp in it.
    pub warp: u32,
    /// Lane and address, of the threads that took part.
    pub lanes: Vec<(u32, u32)>,
}

impl WarpLoad {
    /// The lines of `bytes` bytes that it touches, each once, in ascending order.
    pub fn lines(&self, bytes: u32) -> Vec<u32> {
        let mut lines: Vec<u32> = self.lanes.iter().map(|(_, address)| address / bytes).collect();
        lines.sort_unstable();
        lines.dedup();
        lines
    }
}

/// Runs a launch as [`super::run_lockstep`] does; returns its loads, those of a warp in their order.
///
/// # Errors
/// What a launch may do wrong, or more than `limit` thread instructions.
pub fn run_for_loads(launch: &Launch, limit: u64) -> Result<Vec<WarpLoad>, EmulationError> {
    let mut machine = EmulatedBlocks { loads: Some(vec![]), ..EmulatedBlocks::new(launch, limit) };
    lockstep::execute(&mut machine)?;
    let together = machine.loads.unwrap_or_default();
    Ok(together.chunk_by(|a, b| a.number == b.number).map(|loads| warp_load(launch, loads)).collect())
}

fn warp_load(launch: &Launch, loads: &[ThreadLoad]) -> WarpLoad {
    let [wide, high, _] = launch.block;
    let linear = |[x, y, z]: [u32; 3]| x + wide * (y + high * z);
    let warp = WARP as u32;
    let lanes = loads.iter().map(|load| (linear(load.at.thread) % warp, load.address)).collect();
    let At { pc, block, thread } = loads[0].at;
    WarpLoad { pc, block, warp: linear(thread) / warp, lanes }
}

impl EmulatedBlocks<'_> {
    pub(super) fn note_load(&mut self, address: u64, at: At) {
        if let Some(loads) = &mut self.loads {
            loads.push(ThreadLoad { number: self.executed, at, address: address as u32 });
        }
    }
}
