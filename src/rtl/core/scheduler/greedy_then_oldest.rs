//! Greedy then oldest (GTO): the warp that issued last while it is ready; then the ready warp that was started first.
//!
//! Source: Kim's thesis, section 2.3; T. G. Rogers, M. O'Connor and T. M. Aamodt, *Cache-conscious wavefront
//! scheduling* (MICRO 2012).

use super::{
    Candidates, SchedulerReads, WarpPolicy,
    after::{After, Last, among_all},
};
use hdl::{Signal, mux};

/// See the [module documentation](self).
pub struct GreedyThenOldest;

impl After for GreedyThenOldest {
    fn reads_after(&self) -> SchedulerReads {
        SchedulerReads { age: true, ..SchedulerReads::default() }
    }

    fn pick<'m>(&self, warps: &Candidates<'m>, last: &Last<'m>, some: Signal<'m>) -> Signal<'m> {
        mux(last.again(some), last.warp, warps.oldest("oldest", some))
    }
}

impl WarpPolicy for GreedyThenOldest {
    fn reads(&self) -> SchedulerReads {
        self.reads_after()
    }

    fn choose<'m>(&self, warps: &Candidates<'m>) -> Signal<'m> {
        among_all(self, warps)
    }
}
