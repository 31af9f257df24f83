//! A launch in code for checks on memory: buffers elsewhere, a limit that may be lowered meanwhile, one access of interest.

use super::memory::Pieces;
use super::{
    EmulationError, Machine, blocks,
    hazards::{Hazards, Sought},
    lockstep,
};
use crate::{compile::checked::CheckedCode, launch::Launch};
use std::sync::atomic::{AtomicU64, Ordering};

/// How a launch is to be run.
pub(crate) struct Watch<'a> {
    /// Where the buffers are, in ascending order.
    pub addresses: &'a [u32],
    /// Who is before whom.
    pub order: Order,
    /// Thread instructions after which it stops; may be lowered meanwhile.
    pub limit: &'a AtomicU64,
    /// The thread instruction whose access is of interest: by number, from 1, and thread.
    pub watched: Option<(u64, [u32; 3])>,
    /// What is looked for beside addresses.
    pub sought: Sought,
}

/// Who is before whom.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Order {
    /// Warps one after the other, the threads of each together.
    Warps,
    /// Threads one after the other.
    Threads,
}

/// Runs to the end, or to the first bad access; also tells how many thread instructions that took.
pub(crate) fn run_checked(launch: &Launch, code: &CheckedCode, watch: &Watch) -> (Result<(), EmulationError>, u64) {
    let (memory, param) = (Pieces::buffers(launch, watch.addresses), launch.param_words_with(watch.addresses));
    let local = watch.addresses.get(launch.buffers.len()).map_or(0..0, |&start| {
        let start = u64::from(start);
        start..start + launch.local_bytes() as u64
    });
    let mut machine = Machine {
        accesses: &code.accesses,
        shared_limit: Some(watch.limit),
        watched: watch.watched,
        hazards: watch.sought.any().then(|| Hazards::new(watch.sought, local)),
        ..Machine::with(launch, code.code.clone(), &code.lines, memory, &param)
    };
    let outcome = match watch.order {
        _ if launch.kernel.in_step => lockstep::execute(&mut machine).map(drop),
        Order::Warps => lockstep::execute(&mut machine).map(drop),
        Order::Threads => blocks(launch).try_for_each(|block| machine.block(block)),
    };
    (outcome, machine.executed)
}

/// Thread instructions between looks at a limit that somebody else may lower.
const LOOK: u64 = 1 << 14;

impl Machine<'_> {
    /// Goes on when the limit allows it.
    pub(super) fn look_at_limit(&mut self) -> Result<(), EmulationError> {
        let limit = self.shared_limit.map_or(self.limit, |limit| limit.load(Ordering::Relaxed));
        if self.executed > limit {
            return Err(EmulationError::Limit { limit });
        }
        self.limit = limit.min(self.executed + LOOK);
        Ok(())
    }
}
