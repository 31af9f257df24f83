//! Round robin (loose): the warp after the last one that issued comes first.

use super::{
    Candidates, SchedulerReads, WarpPolicy,
    after::{After, Last},
};
use blocks::{ArbiterKind, arbitrate};
use hdl::Signal;

/// See the [module documentation](self).
pub struct RoundRobinScheduler;

impl WarpPolicy for RoundRobinScheduler {
    fn choose<'m>(&self, warps: &Candidates<'m>) -> Signal<'m> {
        let m = warps.m;
        arbitrate(m, "scheduler", ArbiterKind::RoundRobin, warps.ready, m.lit(1, 1))
    }
}

impl After for RoundRobinScheduler {
    fn reads_after(&self) -> SchedulerReads {
        SchedulerReads::default()
    }

    fn pick<'m>(&self, _: &Candidates<'m>, last: &Last<'m>, some: Signal<'m>) -> Signal<'m> {
        last.next_of(some)
    }
}
