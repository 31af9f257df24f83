//! Oldest ready first (DFIFO): the warp that has been ready for the longest time; of those that become ready in one
//! cycle the one with the lowest number.
//!
//! Source: Bakhoda and Aamodt, section 3.1 and table 1; W. W. L. Fung and others, *Dynamic warp formation* (MICRO
//! 2007).

use super::{Candidates, SchedulerReads, WarpPolicy};
use blocks::{lowest_set, order};
use hdl::{Signal, mux};

/// See the [module documentation](self).
pub struct OldestReadyFirst;

impl WarpPolicy for OldestReadyFirst {
    fn reads(&self) -> SchedulerReads {
        SchedulerReads { able: true, ..SchedulerReads::default() }
    }

    fn choose<'m>(&self, warps: &Candidates<'m>) -> Signal<'m> {
        let (m, able) = (warps.m, warps.able());
        let waited = m.register("waited", able.width(), 0);
        let since = order::ages(m, able & !waited);
        let longest = order::first(m, "longest", since, warps.ready & waited);
        let chosen = m.wire("longest_ready", mux(longest.any(), longest, lowest_set(warps.ready)));
        m.set(waited, able & !chosen);
        chosen
    }
}
