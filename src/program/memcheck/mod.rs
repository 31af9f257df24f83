//! Checks on memory: what a kernel does with addresses, found by executing its launch on the emulator.
//!
//! The chip does what its wires say: it drops the low bits of a misaligned address, has no high word of a 64-bit one,
//! and finds
//! *some* memory at every address. So the same launch is executed here, once more and apart from the chip, where each access is
//! held to what PTX allows: inside a buffer, a multiple of its size, in 32 bits; shared memory inside the block's own.
//!
//! [`check`] executes code that keeps the high words of addresses ([`CheckedCode`]), with the buffers far apart
//! ([`layout`]): what leaves a buffer hits nothing, also where in the chip's memory the next one begins. What it finds
//! is executed up to that access a second time, with the buffers where the chip has them. The difference of the two
//! addresses tells from which buffer's the address was made ([`fault`]).
//!
//! The emulator executes one of the orders that threads may have: warps one after the other between barriers, the
//! threads of each in step, as programs of the chip's time rely on. A bad access counts when it is also made where
//! threads run one after the other: else it depends on who is faster, and whether the chip makes it is not known. Nor
//! does a kernel come to an end here in which threads wait for each other without a barrier. Then the check is not
//! complete, and that is all that is said.

mod fault;
mod layout;

pub use fault::MemoryFault;

use super::compile::{Kernel, checked::CheckedCode};
pub use super::emulator::CheckKinds;
use super::emulator::{AccessOrder, BadAccess, EmulationError, EmulationWatch, Fault, Space, run_checked};
use super::launch::Launch;
use std::sync::atomic::AtomicU64;

/// The outcome of a check.
#[derive(Clone, Debug)]
pub enum MemoryCheck {
    /// Every access is allowed.
    Passed {
        /// Executed for that, summed over threads.
        thread_instructions: u64,
    },
    /// The first one that is not.
    Failed(Box<MemoryFault>),
    /// The limit was reached before.
    Limit,
    /// Something is wrong with barriers: threads of a warp wait at different ones, or warps for ever. What comes then has no meaning.
    Parted(EmulationError),
    /// It is not known, and why.
    Incomplete(String),
}

/// Executes a launch that has been [validated](Launch::validate), for at most `limit` thread instructions, which may be lowered
/// meanwhile.
pub fn check(launch: &Launch, limit: &AtomicU64) -> MemoryCheck {
    check_for(launch, limit, CheckKinds::default())
}

/// As [`check`], also for what is `check_kinds` beside addresses; that takes several times as long.
pub fn check_for(launch: &Launch, limit: &AtomicU64, check_kinds: CheckKinds) -> MemoryCheck {
    Checker::new(&launch.kernel).check(launch, limit, check_kinds)
}

/// What it takes to check launches of a kernel, for who has several of them.
pub struct Checker {
    code: CheckedCode,
}

impl Checker {
    /// For a kernel.
    pub fn new(kernel: &Kernel) -> Self {
        Self { code: CheckedCode::of(kernel) }
    }

    /// As [`check_for`], for a launch of the kernel.
    pub fn check(&self, launch: &Launch, limit: &AtomicU64, check_kinds: CheckKinds) -> MemoryCheck {
        checked(launch, &self.code, limit, check_kinds)
    }
}

fn checked(launch: &Launch, code: &CheckedCode, limit: &AtomicU64, check_kinds: CheckKinds) -> MemoryCheck {
    let apart = layout::apart(launch);
    let run = |order| {
        run_checked(launch, code, &EmulationWatch { addresses: &apart, order, limit, watched: None, check_kinds })
    };
    let (mut outcome, mut thread_instructions) = run(AccessOrder::Warps);
    let mut confirmed = Ok(());
    match &outcome {
        Err(EmulationError::Access(_)) => (confirmed, _) = run(AccessOrder::Threads),
        // A kernel whose warps are apart at a barrier is executed without warps.
        Err(EmulationError::DivergentBarrier { .. }) => {
            (outcome, thread_instructions) = run(AccessOrder::Threads);
            confirmed = outcome.clone();
        }
        _ => {}
    }
    match (outcome, confirmed, code.lacking.clone()) {
        (Ok(()), _, None) => MemoryCheck::Passed { thread_instructions },
        (Ok(()), _, Some(lacking)) => MemoryCheck::Incomplete(lacking),
        (Err(EmulationError::Access(bad)), Err(EmulationError::Access(_)), _) => {
            MemoryCheck::Failed(Box::new(MemoryFault::new(launch, &bad, on_chip(launch, code, &bad), &apart)))
        }
        (Err(EmulationError::Access(bad)), _, _) => {
            MemoryCheck::Incomplete(format!("whether there is one depends on the order of threads: {bad}"))
        }
        (Err(EmulationError::Limit { .. }), _, _) => MemoryCheck::Limit,
        (
            Err(
                parted @ (EmulationError::DivergentBarrier { .. }
                | EmulationError::BadBarrier { .. }
                | EmulationError::Stuck { .. }),
            ),
            _,
            _,
        ) => MemoryCheck::Parted(parted),
        (Err(other), _, _) => MemoryCheck::Incomplete(other.to_string()),
    }
}

/// The buffer next to an address, with its size and place, for messages.
pub fn nearest_buffer(launch: &Launch, address: u32) -> Option<String> {
    let map = fault::Map::of(launch);
    map.nearest(address.into()).map(|buffer| map.describe(buffer))
}

/// The address that the chip would have in the place of a bad access; none when that cannot be told, because what the kernel does
/// depends on where its buffers are.
fn on_chip(launch: &Launch, code: &CheckedCode, bad: &BadAccess) -> Option<u64> {
    if bad.access.space != Space::Global || launch.placement.is_some() {
        return Some(bad.access.address);
    }
    // It ends: at the access of interest, or after as many instructions at the latest.
    let limit = AtomicU64::new(bad.number);
    let (addresses, watched) = (&launch.addresses(), Some((bad.number, bad.thread)));
    let watch = |order| EmulationWatch { addresses, order, limit: &limit, watched, check_kinds: CheckKinds::default() };
    let again = |order| match run_checked(launch, code, &watch(order)).0 {
        Err(EmulationError::Access(again)) if again.fault == Fault::Watched => {
            ((again.pc, again.block) == (bad.pc, bad.block)).then_some(again.access.address)
        }
        _ => None,
    };
    again(AccessOrder::Warps).or_else(|| again(AccessOrder::Threads))
}
