//! What a policy of the warp scheduler says, and what it sees of the warps.

use blocks::order;
use hdl::{Builder, Signal, bundle, index_width};
use std::cell::OnceCell;

/// A way to choose a warp.
pub trait WarpPolicy: Sync {
    /// What it looks at in addition to `ready`.
    fn reads(&self) -> SchedulerReads {
        SchedulerReads::default()
    }

    /// The chosen warp, one-hot.
    fn choose<'m>(&self, warps: &Candidates<'m>) -> Signal<'m>;
}

/// A way to make groups.
pub trait Grouping: Sync {
    /// The members of each group, a bit for each warp.
    fn groups<'m>(&self, warps: &Candidates<'m>) -> Vec<Signal<'m>>;

    /// They go by the block slots of the warps.
    fn reads_slots(&self) -> bool {
        false
    }
}

/// What a scheduler looks at in addition to which warps are ready.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SchedulerReads {
    /// Which warps could issue in another beat.
    pub able: bool,
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
            able: self.able | other.able,
            loads: self.loads | other.loads,
            age: self.age | other.age,
            groups: self.groups | other.groups,
            prefer_rr: self.prefer_rr | other.prefer_rr,
        }
    }
}

/// A scheduler, and the warps that it chooses from.
pub struct SchedulerParams {
    /// What it looks at.
    pub reads: SchedulerReads,
    /// Warps.
    pub warps: u32,
    /// What makes a group.
    pub group: &'static dyn Grouping,
    /// Block slots of the core.
    pub slots: u32,
}

bundle! {
    /// What a scheduler sees of the warps, a bit for each where nothing else is said; of what it does not look at it may see nothing.
    pub struct WarpsSeen(p: &SchedulerParams) {
        /// They can issue now: none outside the last beat.
        ready: p.warps,
        /// They could issue now if this were the last beat.
        maybe able: if p.reads.able { p.warps } else { 0 },
        /// The block slot of each.
        maybe slot: if p.reads.groups && p.group.reads_slots() { p.warps * index_width(p.slots as usize) } else { 0 },
        /// They are started now.
        maybe starts: if p.reads.age { p.warps } else { 0 },
        /// The loads of the core ask for a fair policy.
        maybe prefer_rr: u32::from(p.reads.prefer_rr),
        /// Their next instruction is a global load.
        maybe is_load: if p.reads.loads { p.warps } else { 0 },
    }
}

/// The warps, as a policy of the scheduler sees them.
pub struct Candidates<'m> {
    /// The block that the scheduler is a part of.
    pub m: &'m Builder,
    /// Those that can issue now, a bit each: none outside the last beat.
    pub ready: Signal<'m>,
    seen: WarpsSeen<'m>,
    /// What makes a group.
    group: &'static dyn Grouping,
    /// Block slots of the core.
    pub(super) slots: u32,
    /// The order in which they were started.
    ages: OnceCell<Signal<'m>>,
}

impl<'m> Candidates<'m> {
    /// What is `seen` of the warps of a core with `slots` block slots.
    pub(crate) fn new(seen: WarpsSeen<'m>, group: &'static dyn Grouping, slots: u32) -> Self {
        Self { m: seen.ready.builder(), ready: seen.ready, seen, group, slots, ages: OnceCell::new() }
    }

    /// How many there are.
    pub fn count(&self) -> u32 {
        self.ready.width()
    }

    /// Those that could issue now if this were the last beat, of a policy that reads that.
    pub fn able(&self) -> Signal<'m> {
        self.seen.able.expect("the policy reads which warps are able to issue")
    }

    /// The loads of the core ask for a fair policy, where this one reads it.
    pub fn prefer_rr(&self) -> Signal<'m> {
        self.seen.prefer_rr.expect("the policy reads whether a fair one is the better one")
    }

    /// Those whose next instruction is a global load, of a policy that reads them.
    pub fn loads(&self) -> Signal<'m> {
        self.seen.is_load.expect("the policy reads loads")
    }

    /// The members of each group, a bit for each warp, of a policy that reads groups.
    pub fn groups(&self) -> Vec<Signal<'m>> {
        self.group.groups(self)
    }

    /// The block slot of each, of groups that read slots.
    pub(super) fn slot_of(&self) -> Vec<Signal<'m>> {
        self.seen.slot.expect("the groups read slots").parts(index_width(self.slots as usize))
    }

    /// The oldest of `some`, one-hot, by an instance called `name`, of a policy that reads ages: the one that was started first; of warps of
    /// one block the one with the lowest number.
    pub fn oldest(&self, name: &str, some: Signal<'m>) -> Signal<'m> {
        let starts = || self.seen.starts.expect("the policy reads ages");
        let ages = *self.ages.get_or_init(|| order::ages(self.m, starts()));
        order::first(self.m, name, ages, some)
    }
}
