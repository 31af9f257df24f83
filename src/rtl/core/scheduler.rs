//! Warp scheduler: which of the ready warps issues next.
//!
//! ```text
//!  ready (w) -------->+-----------+
//!  [able (w)] ------->|  policy   |--> chosen (w): one-hot, a subset of ready; zero iff ready is zero
//!  [slot (w x s)] --->|  state    |
//!  [starts (w)] ----->|           |
//!  [prefer_rr] ------>|           |
//!  [is_load (w)] ---->+-----------+
//! ```
//!
//! Contract: combinational from `ready`, which is zero outside the last beat; a chosen warp issues, so state moves on
//! at the clock edge. A policy is a file in `scheduler/` and a row of [`WarpScheduler`]; what it looks at beyond
//! `ready` exists only where it asks for it ([`SchedulerReads`]). Policies that choose by what issued last
//! ([`after::After`]) can also choose within the groups of a two-level scheduler.
//!
//! Source: Kim's thesis, section 2.3; Bakhoda and Aamodt, section 3.1 (oldest ready first).
//!
//! Tests: `tests/core/scheduler.rs`.

mod after;
mod greedy_then_loose;
mod greedy_then_oldest;
mod greedy_then_round_robin;
mod group;
mod laws;
mod oldest_ready_first;
mod policy;
mod round_robin;
mod two_level;

use common::policies;
use hdl::{Builder, Module, params, ports};
use two_level::{Outer, TwoLevel};

pub use group::WarpGroup;
pub use policy::{Candidates, Grouping, SchedulerParams, SchedulerReads, WarpPolicy, WarpsSeen};

policies! {
    /// Which of the ready warps issues next.
    pub enum WarpScheduler: dyn WarpPolicy {
        /// The warp after the last one that issued comes first.
        RoundRobin = "round-robin" | "rr" | "lrr" | "loose-round-robin" => round_robin::RoundRobinScheduler,
        /// Greedy then oldest (GTO): the last one that issued while it is ready, then the one that was started first.
        GreedyThenOldest = "gto" | "greedy-then-oldest" => greedy_then_oldest::GreedyThenOldest,
        /// Greedy then round robin (GTRR): the last one that issued while it is ready, then the next ones.
        GreedyThenRoundRobin = "gtrr" | "greedy-then-round-robin" => greedy_then_round_robin::GreedyThenRoundRobin,
        /// Greedy then loose round robin (GTLR): as GTRR, but after a global load the next ones come first.
        GreedyThenLoose = "gtlr" => greedy_then_loose::GreedyThenLoose,
        /// The one that has been ready for the longest time (DFIFO).
        OldestReadyFirst = "oldest-ready" | "dfifo" | "oldest-ready-first" => oldest_ready_first::OldestReadyFirst,
        /// GTLR or GTO, by the locality that the loads of the core show in its data cache (LAWS).
        Laws = "laws" => laws::Laws,
        /// Two levels: round robin in a group while any of it is ready, then the next group.
        TwoLevel = "2lev-rr-r" | "2lev" | "two-level" => TwoLevel { inner: &round_robin::RoundRobinScheduler, outer: Outer::RoundRobin },
        /// Two levels: GTRR in a group while any of it is ready, then the next group.
        TwoLevelGtrr = "2lev-gtrr-r" => TwoLevel { inner: &greedy_then_round_robin::GreedyThenRoundRobin, outer: Outer::RoundRobin },
        /// Two levels: GTLR in a group while any of it is ready, then the next group.
        TwoLevelGtlr = "2lev-gtlr-r" => TwoLevel { inner: &greedy_then_loose::GreedyThenLoose, outer: Outer::RoundRobin },
        /// Two levels: GTO in a group while any of it is ready, then the next group.
        TwoLevelGto = "2lev-gto-r" => TwoLevel { inner: &greedy_then_oldest::GreedyThenOldest, outer: Outer::RoundRobin },
        /// Two levels: round robin in a group while any of it is ready, then the group of the oldest ready warp.
        TwoLevelOldest = "2lev-rr-g" => TwoLevel { inner: &round_robin::RoundRobinScheduler, outer: Outer::Oldest },
        /// Two levels: GTRR in a group while any of it is ready, then the group of the oldest ready warp.
        TwoLevelGtrrOldest = "2lev-gtrr-g" => TwoLevel { inner: &greedy_then_round_robin::GreedyThenRoundRobin, outer: Outer::Oldest },
        /// Two levels: GTLR in a group while any of it is ready, then the group of the oldest ready warp.
        TwoLevelGtlrOldest = "2lev-gtlr-g" => TwoLevel { inner: &greedy_then_loose::GreedyThenLoose, outer: Outer::Oldest },
        /// Two levels: GTO in a group while any of it is ready, then the group of the oldest ready warp.
        TwoLevelGtoOldest = "2lev-gto-g" => TwoLevel { inner: &greedy_then_oldest::GreedyThenOldest, outer: Outer::Oldest },
    }
}

ports! {
    /// Ports of a [`warp_scheduler`].
    pub struct WarpSchedulerPorts(p: &SchedulerParams) of PlacedWarpScheduler {
        /// What the policy sees of the warps.
        in warps as "": bundle WarpsSeen(p),
        /// The warp that issues, one-hot.
        out chosen: p.warps,
    }
}

/// A scheduler of `warps` as a block of its own, for its testbench; in a core it is a part of the front end.
pub fn warp_scheduler(kind: WarpScheduler, warps: u32, group: WarpGroup, slots: u32) -> Module {
    let groups = kind.policy().reads().groups.then_some(group);
    let names = params! { kind, warps, group: groups, slots: groups.map(|_| slots) };
    let m = Builder::new("warp_scheduler", names);
    m.doc("Which of the ready warps issues next.");
    let (reads, group) = (kind.policy().reads(), group.policy());
    let io = WarpSchedulerPorts::new(&m, &SchedulerParams { reads, warps, group, slots });
    io.chosen(kind.policy().choose(&Candidates::new(io.warps(), group, slots)));
    m.finish()
}
