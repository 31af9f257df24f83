//! A launch in code for checks on memory: buffers elsewhere, a limit that may be lowered meanwhile, one access of interest.

use super::memory::Pieces;
use super::{
    EmulationError, Machine, blocks,
    compiled::execute_checked,
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

/// Thread instructions that are not worth compiling for.
const SOON: u64 = 1 << 20;

/// Runs to the end, or to the first bad access; also tells how many thread instructions that took.
pub(crate) fn run_checked(launch: &Launch, code: &CheckedCode, watch: &Watch) -> (Result<(), EmulationError>, u64) {
    let param = launch.param_words_with(watch.addresses);
    let local = watch.addresses.get(launch.buffers.len()).map_or(0..0, |&start| {
        let start = u64::from(start);
        start..start + launch.local_bytes() as u64
    });
    let soon = AtomicU64::new(SOON);
    let machine = |limit| Machine {
        accesses: &code.accesses,
        shared_limit: Some(limit),
        watched: watch.watched,
        hazards: watch.sought.any().then(|| Hazards::new(watch.sought, local.clone())),
        ..Machine::with(launch, code.code.clone(), &code.lines, Pieces::buffers(launch, watch.addresses), &param)
    };
    let interpret = |limit| {
        let mut machine = machine(limit);
        let outcome = lockstep::execute(&mut machine).map(drop);
        (outcome, machine.executed)
    };
    if !launch.kernel.in_step && watch.order == Order::Threads {
        let mut machine = machine(watch.limit);
        let outcome = blocks(launch).try_for_each(|block| machine.block(block));
        return (outcome, machine.executed);
    }
    let is_plain = !watch.sought.any() && watch.watched.is_none();
    if is_plain && watch.limit.load(Ordering::Relaxed) > SOON {
        let (outcome, executed) = interpret(&soon);
        if !matches!(outcome, Err(EmulationError::Limit { .. })) {
            return (outcome, executed);
        }
        let mut machine = machine(watch.limit);
        if let Some(outcome) = execute_checked(&mut machine, code) {
            return (outcome, machine.executed);
        }
    }
    interpret(watch.limit)
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
