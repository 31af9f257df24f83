//! What a policy of the warp scheduler says, and what it sees of the warps.

use crate::blocks::order;
use hdl::{Builder, Signal};
use std::cell::OnceCell;

/// A way to choose a warp.
pub trait WarpPolicy: Sync {
    /// What it looks at in addition to `ready`.
    fn reads(&self) -> SchedulerReads {
        SchedulerReads::default()
    }

    /// The chosen warp, one-hot.
    fn choose<'m>(&self, warps: &Candidates<'_, 'm>) -> Signal<'m>;
}

/// A way to make groups.
pub trait Grouping: Sync {
    /// The members of each group, a bit for each warp.
    fn groups<'m>(&self, warps: &Candidates<'_, 'm>) -> Vec<Signal<'m>>;
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
    group: &'static dyn Grouping,
    /// Block slots of the core.
    pub(super) slots: u32,
    /// Something of all warps, so many bits of each, where the policy reads it.
    gather: &'a dyn Fn(&str, u32) -> Signal<'m>,
    /// Something of the core, where the policy reads it.
    of_core: &'a dyn Fn(&str) -> Signal<'m>,
    /// The order in which they were started.
    ages: OnceCell<Signal<'m>>,
}

impl<'a, 'm> Candidates<'a, 'm> {
    /// The warps of a core with `slots` block slots. `gather`: an output of all warps, and its bits of each; `of_core`: an input of the core's.
    pub(in crate::core) fn new(
        ready: Signal<'m>,
        (group, slots): (&'static dyn Grouping, u32),
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
        self.group.groups(self)
    }

    /// The block slot of each, in so many bits.
    pub(super) fn slot_of(&self, bits: u32) -> Vec<Signal<'m>> {
        (self.gather)("slot", bits).parts(bits)
    }

    /// The oldest of `some`, one-hot, by an instance called `name`, of a policy that reads ages: the one that was started first; of warps of
    /// one block the one with the lowest number.
    pub fn oldest(&self, name: &str, some: Signal<'m>) -> Signal<'m> {
        let ages = *self.ages.get_or_init(|| order::ages(self.m, (self.gather)("starts", 1)));
        order::first(self.m, name, ages, some)
    }
}
