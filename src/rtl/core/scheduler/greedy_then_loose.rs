//! Greedy then loose round robin (GTLR): the warp that issued last while it is ready and did not issue a global load;
//! then the first ready one after it, itself after all others.
//!
//! Source: Kim's thesis, section 2.3.

use super::{
    Candidates, SchedulerReads, WarpPolicy,
    after::{After, Last, among_all},
};
use hdl::{Signal, mux};

/// See the [module documentation](self).
pub struct GreedyThenLoose;

impl After for GreedyThenLoose {
    fn reads_after(&self) -> SchedulerReads {
        SchedulerReads { loads: true, ..SchedulerReads::default() }
    }

    fn pick<'m>(&self, _: &Candidates<'m>, last: &Last<'m>, some: Signal<'m>) -> Signal<'m> {
        mux(last.again_after_others(some), last.warp, last.next_of(some))
    }
}

impl WarpPolicy for GreedyThenLoose {
    fn reads(&self) -> SchedulerReads {
        self.reads_after()
    }

    fn choose<'m>(&self, warps: &Candidates<'m>) -> Signal<'m> {
        among_all(self, warps)
    }
}
