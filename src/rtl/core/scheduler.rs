//! Warp scheduler: which of the ready warps issues next.
//!
//! ```text
//!  ready (w) -------->+-----------+
//!  [is_load (w)] ---->|  policy   |--> chosen (w): one-hot, a subset of ready; zero iff ready is zero
//!  [starts (w)] ----->|  state    |
//!  [slot (w x s)] --->|           |
//!  [prefer_rr] ------>+-----------+
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
mod round_robin;
mod two_level;

use crate::blocks::order;
use common::policies;
use hdl::{Builder, Module, Signal, params};
use std::cell::OnceCell;
use two_level::{Outer, TwoLevel};

pub use group::{Grouping, WarpGroup};

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

/// A way to choose a warp.
pub trait WarpPolicy: Sync {
    /// What it looks at in addition to `ready`.
    fn reads(&self) -> SchedulerReads {
        SchedulerReads::default()
    }

    /// The chosen warp, one-hot.
    fn choose<'m>(&self, warps: &Candidates<'_, 'm>) -> Signal<'m>;
}

/// What a scheduler looks at in addition to which warps are ready.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SchedulerReads {
    /// Whether the next instruction of a warp is a global load.
    pub loads: bool,
    /// Which warp was started before which.
    pub age: bool,
    /// The group of a warp.
    pub groups: bool,
    /// Whether a fair policy is the better one.
    pub prefer_rr: bool,
}

impl SchedulerReads {
    /// What either of both looks at.
    pub fn and(self, other: Self) -> Self {
        Self {
            loads: self.loads | other.loads,
            age: self.age | other.age,
            groups: self.groups | other.groups,
            prefer_rr: self.prefer_rr | other.prefer_rr,
        }
    }
}

/// The warps, as a scheduler sees them.
pub struct Candidates<'a, 'm> {
    /// The block that the scheduler is a part of.
    pub m: &'m Builder,
    /// Those that can issue now, a bit each: none outside the last beat.
    pub ready: Signal<'m>,
    /// What makes a group.
    group: WarpGroup,
    /// Block slots of the core.
    slots: u32,
    /// Something of all warps, so many bits of each, where the policy reads it.
    gather: &'a dyn Fn(&str, u32) -> Signal<'m>,
    /// Something of the core, where the policy reads it.
    of_core: &'a dyn Fn(&str) -> Signal<'m>,
    /// The order in which they were started.
    ages: OnceCell<Signal<'m>>,
}

impl<'a, 'm> Candidates<'a, 'm> {
    /// The warps of a core with `slots` block slots. `gather`: an output of all warps, and its bits of each; `of_core`: an input of the core's.
    pub(super) fn new(
        ready: Signal<'m>,
        (group, slots): (WarpGroup, u32),
        gather: &'a dyn Fn(&str, u32) -> Signal<'m>,
        of_core: &'a dyn Fn(&str) -> Signal<'m>,
    ) -> Self {
        Self { m: ready.builder(), ready, group, slots, gather, of_core, ages: OnceCell::new() }
    }

    /// How many there are.
    pub fn count(&self) -> u32 {
        self.ready.width()
    }

    /// Those that could issue now if this were the last beat.
    pub fn able(&self) -> Signal<'m> {
        (self.gather)("able", 1)
    }

    /// The loads of the core ask for a fair policy, where this one reads it.
    pub fn prefer_rr(&self) -> Signal<'m> {
        (self.of_core)("prefer_rr")
    }

    /// Those whose next instruction is a global load, of a policy that reads them.
    pub fn loads(&self) -> Signal<'m> {
        (self.gather)("is_load", 1)
    }

    /// The members of each group, a bit for each warp, of a policy that reads groups.
    pub fn groups(&self) -> Vec<Signal<'m>> {
        self.group.policy().groups(self)
    }

    /// The block slot of each, in so many bits.
    fn slot_of(&self, bits: u32) -> Vec<Signal<'m>> {
        (self.gather)("slot", bits).parts(bits)
    }

    /// The oldest of `some`, one-hot, by an instance called `name`, of a policy that reads ages: the one that was started first; of warps of
    /// one block the one with the lowest number.
    pub fn oldest(&self, name: &str, some: Signal<'m>) -> Signal<'m> {
        let ages = *self.ages.get_or_init(|| order::ages(self.m, (self.gather)("starts", 1)));
        order::first(self.m, name, ages, some)
    }
}

/// A scheduler of `warps` as a block of its own, for its testbench; in a core it is a part of the front end. Inputs `able`, `is_load`,
/// `starts`, `slot` and `prefer_rr` where the policy reads them.
pub fn warp_scheduler(kind: WarpScheduler, warps: u32, group: WarpGroup, slots: u32) -> Module {
    let mut names = params! { kind: kind.name().replace('-', "_"), warps };
    names.extend(group.key(kind, slots));
    let m = Builder::new("warp_scheduler", names);
    m.doc("Which of the ready warps issues next.");
    let ready = m.input("ready", warps);
    let gather = |port: &str, bits: u32| m.input(port, warps * bits);
    let of_core = |port: &str| m.input(port, 1);
    let chosen = kind.policy().choose(&Candidates::new(ready, (group, slots), &gather, &of_core));
    m.output_of("chosen", chosen);
    m.finish()
}
