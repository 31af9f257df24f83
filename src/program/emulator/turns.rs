//! Warps of a block, and blocks, take turns.
//!
//! A block runs to its end before the next one starts, as long as none of its warps needs more than a turn of
//! [`FIRST_TURN`] branches. From then on blocks are side by side:
//! all start, as many as a GPU could hold, and have short turns one after the other. So a barrier of the whole grid, or
//! a chain in which a block waits for the one before, ends here
//! as it does on a chip; what none of them waits for has the same results as before.
//!
//! Where the order of accesses is watched ([`super::hazards`]) warps and blocks run to their ends.

use super::{
    barriers::Barriers, error::EmulationError, executor::Executor, machine::EmulatedBlocks, pieces::Pieces,
    places::blocks, warp_control::WarpControl, warp_mask::WARP,
};
use std::collections::VecDeque;

/// Branches, exits and barriers of a warp before others have a turn.
const FIRST_TURN: u32 = 1 << 16;
/// The same when blocks are side by side.
const TURN: u32 = 1 << 10;
/// Threads of the blocks that are side by side.
const MOST_THREADS: usize = 1 << 18;

/// A block that has begun.
struct Started<W> {
    block: [u32; 3],
    warps: Vec<W>,
    shared: Pieces,
    barriers: Barriers,
}

/// Runs all blocks of the machine's launch.
pub(super) fn run_all<E: Executor>(machine: &mut EmulatedBlocks, executor: &mut E) -> Result<(), EmulationError> {
    let most = (MOST_THREADS / (machine.launch.block_threads() as usize).next_multiple_of(WARP)).max(1);
    let mut turn = if machine.hazards.is_some() { u32::MAX } else { FIRST_TURN };
    let mut waiting: VecDeque<Started<E::Warp>> = VecDeque::new();
    let mut new = blocks(machine.launch).peekable();
    let mut spare = vec![];
    loop {
        let next = if waiting.len() < most { new.next() } else { None };
        let (block, mut warps) = match next {
            Some(block) => {
                let mut warps = std::mem::take(&mut spare);
                executor.start(machine, &mut warps);
                (block, warps)
            }
            None => {
                let Some(Started { block, warps, shared, barriers }) = waiting.pop_front() else { return Ok(()) };
                (machine.shared, machine.barriers) = (shared, barriers);
                executor.resume(machine);
                (block, warps)
            }
        };
        let mut ended = run_block(machine, executor, (block, &mut warps), turn)?;
        // Alone it has nobody to wait for.
        while !ended && waiting.is_empty() && new.peek().is_none() {
            ended = run_block(machine, executor, (block, &mut warps), turn)?;
        }
        if ended {
            spare = warps;
        } else {
            let (shared, barriers) = (std::mem::take(&mut machine.shared), std::mem::take(&mut machine.barriers));
            waiting.push_back(Started { block, warps, shared, barriers });
            turn = TURN;
        }
    }
}

/// Runs the warps of a block in turns, until all have ended or some have used their turn; tells whether all have ended.
fn run_block<E: Executor>(
    machine: &mut EmulatedBlocks,
    executor: &mut E,
    (block, warps): ([u32; 3], &mut Vec<E::Warp>),
    turn: u32,
) -> Result<bool, EmulationError> {
    let is_live = |warp: &E::Warp| WarpControl::live(E::control(warp)) != 0;
    while warps.iter().any(is_live) {
        let (mut went, mut used_up) = (false, false);
        for (number, warp) in warps.iter_mut().enumerate() {
            if !is_live(warp) || machine.barriers.waits(number) {
                continue;
            }
            match executor.run(warp, machine, block, turn)? {
                Some(arrival) => machine.arrive(number, arrival)?,
                None => used_up |= is_live(warp),
            }
            went = true;
        }
        machine.pass_whole_barriers(|number| is_live(&warps[number]));
        if !went && let Some(stuck) = machine.barriers.stuck(machine) {
            return Err(stuck);
        }
        if used_up {
            return Ok(false);
        }
    }
    Ok(true)
}
