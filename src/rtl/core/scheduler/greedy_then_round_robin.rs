//! Greedy then round robin (GTRR): the warp that issued last while it is ready; then the first ready one after it.
//!
//! Source: Kim's thesis, section 2.3.

use super::{
    Candidates, SchedulerReads, WarpPolicy,
    after::{After, Last, among_all},
};
use hdl::{Signal, mux};

/// See the [module documentation](self).
pub struct GreedyThenRoundRobin;

impl After for GreedyThenRoundRobin {
    fn reads_after(&self) -> SchedulerReads {
        SchedulerReads::default()
    }

    fn pick<'m>(&self, _: &Candidates<'m>, last: &Last<'m>, some: Signal<'m>) -> Signal<'m> {
        mux(last.again(some), last.warp, last.next_of(some))
    }
}

impl WarpPolicy for GreedyThenRoundRobin {
    fn reads(&self) -> SchedulerReads {
        self.reads_after()
    }

    fn choose<'m>(&self, warps: &Candidates<'m>) -> Signal<'m> {
        among_all(self, warps)
    }
}
