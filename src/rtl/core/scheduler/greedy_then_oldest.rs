//! Greedy then oldest (GTO): the warp that issued last while it is ready; then the ready warp that was started first.
//!
//! Source: Kim's thesis, section 2.3; T. G. Rogers, M. O'Connor and T. M. Aamodt, *Cache-conscious wavefront scheduling* (MICRO 2012).

use super::{Candidates, Reads, WarpPolicy};
use hdl::{Signal, mux};

/// See the [module documentation](self).
pub struct GreedyThenOldest;

impl WarpPolicy for GreedyThenOldest {
    fn reads(&self) -> Reads {
        Reads { age: true, ..Reads::default() }
    }

    fn choose<'m>(&self, warps: &Candidates<'_, 'm>) -> Signal<'m> {
        let (m, ready) = (warps.m, warps.ready);
        let last = m.register("last_issued", ready.width(), 0);
        let chosen = mux((ready & last).any(), last, warps.oldest(ready));
        m.when(ready.any(), || m.set(last, chosen));
        chosen
    }
}
