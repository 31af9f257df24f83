//! Locality-aware warp scheduling (LAWS): GTLR while the loads of the core share lines between warps, GTO while warps
//! find their own lines.
//!
//! Which it is, is the input `prefer_rr` ([`mod@crate::locality`]). Both policies go by the same warp that issued
//! last.
//!
//! Source: Kim's thesis, section 2.5.

use super::{
    Candidates, SchedulerReads, WarpPolicy,
    after::{After, Last, among_all},
    greedy_then_loose::GreedyThenLoose,
    greedy_then_oldest::GreedyThenOldest,
};
use hdl::{Signal, mux};

/// See the [module documentation](self).
pub struct Laws;

impl After for Laws {
    fn reads_after(&self) -> SchedulerReads {
        let both = GreedyThenLoose.reads_after().and(GreedyThenOldest.reads_after());
        SchedulerReads { prefer_rr: true, ..both }
    }

    fn pick<'m>(&self, warps: &Candidates<'m>, last: &Last<'m>, some: Signal<'m>) -> Signal<'m> {
        let [prefer_rr, greedy] = [GreedyThenLoose.pick(warps, last, some), GreedyThenOldest.pick(warps, last, some)];
        mux(warps.prefer_rr(), prefer_rr, greedy)
    }
}

impl WarpPolicy for Laws {
    fn reads(&self) -> SchedulerReads {
        self.reads_after()
    }

    fn choose<'m>(&self, warps: &Candidates<'m>) -> Signal<'m> {
        among_all(self, warps)
    }
}
