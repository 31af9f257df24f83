//! Choosing by what issued last.

use super::{Candidates, SchedulerReads};
use blocks::{above_mask, lowest_set};
use hdl::{Signal, mux};

/// A choice among some of the warps, by which one issued last: among all of them, or those of a group.
pub trait After: Sync {
    /// What it looks at in addition to `ready`.
    fn reads_after(&self) -> SchedulerReads;

    /// One of `some`, one-hot; zero when there is none.
    fn pick<'m>(&self, warps: &Candidates<'m>, last: &Last<'m>, some: Signal<'m>) -> Signal<'m>;
}

/// What issued last.
pub struct Last<'m> {
    /// The warp, one-hot; zero before the first one.
    pub warp: Signal<'m>,
    /// Whether that was a global load, of a policy that reads them.
    was_load: Option<Signal<'m>>,
}

impl<'m> Last<'m> {
    /// Its registers.
    pub fn new(warps: &Candidates<'m>, reads: SchedulerReads) -> Self {
        let m = warps.m;
        let was_load = reads.loads.then(|| m.register("last_was_load", 1, 0));
        Self { warp: m.register("last_issued", warps.count(), 0), was_load }
    }

    /// At the clock edge: `chosen` issues.
    pub fn follows(&self, warps: &Candidates<'m>, chosen: Signal<'m>) {
        let m = warps.m;
        m.when(warps.ready.any(), || {
            m.set(self.warp, chosen);
            if let Some(was_load) = self.was_load {
                m.set(was_load, (chosen & warps.loads()).any());
            }
        });
    }

    /// The first of `some` after the last one, around.
    pub fn next_of(&self, some: Signal<'m>) -> Signal<'m> {
        let above = some & above_mask(self.warp);
        lowest_set(mux(above.any(), above, some))
    }

    /// The last one again if it is among `some`.
    pub fn again(&self, some: Signal<'m>) -> Signal<'m> {
        (some & self.warp).any()
    }

    /// As [`again`](Self::again), unless it was a global load.
    pub fn again_after_others(&self, some: Signal<'m>) -> Signal<'m> {
        let was_load = self.was_load.expect("the policy reads loads");
        self.again(some) & !was_load
    }
}

/// The choice among all warps.
pub fn among_all<'m>(policy: &impl After, warps: &Candidates<'m>) -> Signal<'m> {
    let last = Last::new(warps, policy.reads_after());
    let chosen = policy.pick(warps, &last, warps.ready);
    last.follows(warps, chosen);
    chosen
}
