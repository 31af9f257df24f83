//! What a handling of misses is built from, what it sees, and what it says of itself: its ports, what it counts, why it
//! refuses, which arrays it has.

use super::{
    arrays::{ArraySearch, BesideCache, MissArray},
    own_params::OwnParams,
};
use crate::index::SetIndex;
use blocks::popcount;
use common::parameters::Rule;
use hdl::{Builder, Child, Signal, Statistic, index_width};
use serde::Serialize;

/// A way to keep and to find pending lines.
pub trait MissPolicy: Sync {
    /// Pending lines stand in the tags of the cache.
    fn in_tags(&self) -> bool {
        false
    }

    /// The entry of a pending line is known as a bit, sooner than as a number.
    fn shows_bits(&self) -> bool {
        false
    }

    /// Keys of a configuration that it goes by.
    fn keys(&self) -> MshrKeys {
        MshrKeys { entries: true, targets: true, ways: false, cam_part: false }
    }

    /// What it needs of what is around it.
    fn needs(&self) -> MissNeeds {
        MissNeeds::default()
    }

    /// What its own sizes have to be, by the keys of a configuration. `table`: where that has them, with a dot behind.
    fn rules(&self, _p: &MissParams, _table: &str) -> Vec<Rule> {
        vec![]
    }

    /// Entries that it has in addition; their numbers follow the others.
    fn own_entries(&self, _own: &OwnParams) -> u32 {
        0
    }

    /// The same in words, for documentation: "8 entries in ...".
    fn own_entries_about(&self, _own: &OwnParams) -> Option<String> {
        None
    }

    /// Comparators of tags that an access to a line that is not here uses.
    fn compared(&self, p: &MissParams) -> u32;

    /// Some lines get their way only when they come, with allocation on miss.
    fn defers(&self) -> bool {
        false
    }

    /// The line of `entry` does; none with the parameters.
    fn deferred<'m>(&self, _p: &MissParams, _entry: Signal<'m>) -> Option<Signal<'m>> {
        None
    }

    /// It goes by which lines were hit since they came or were protected.
    fn watches_hits(&self, _own: &OwnParams) -> bool {
        false
    }

    /// Makes input ports of its own, for lines with numbers of `line_bits`.
    fn inputs<'m>(&self, _m: &'m Builder, _p: &MissParams, _line_bits: u32) -> Vec<Signal<'m>> {
        vec![]
    }

    /// Drives them at the block, from what there is to see of the set of the line.
    fn look<'m>(&self, _m: &'m Builder, _entries: Child<'m>, _set: &dyn SetView<'m>) {}

    /// The state, and the outputs; the inputs are there.
    fn build<'m>(&self, m: &'m Builder, p: &MissParams, inputs: &Inputs<'m>) -> MissLookup<'m>;

    /// What its own outputs say to the cache.
    fn says<'m>(&self, _entries: Child<'m>) -> MissAnswer<'m> {
        MissAnswer::default()
    }

    /// Why it refuses a line beside that no entry is free, if there is something.
    fn refusal(&self) -> Option<OwnCount> {
        None
    }

    /// Its tags are compared in this cycle, for an access to a line that is not here.
    fn looks_up<'m>(&self, m: &'m Builder, _now: &MissCycle<'m>) -> Signal<'m> {
        m.lit(1, 1)
    }

    /// What it [counts](Self::count), and its [refusals](Self::refusal).
    fn statistics(&self) -> &'static [Statistic] {
        &[]
    }

    /// Which of them a report has.
    fn reported(&self) -> &'static [OwnCount] {
        &[]
    }

    /// Counts what happens.
    fn count<'m>(&self, _m: &'m Builder, _now: &MissCycle<'m>) {}

    /// What must hold of it in the cache.
    fn check<'m>(&self, _m: &'m Builder, _now: &MissCycle<'m>) {}

    /// Its arrays, for area and energy.
    fn arrays(&self, p: &MissParams, cache: &BesideCache) -> Vec<MissArray>;

    /// Files of its source's estimate, of so many entries and so many [in addition](Self::own_entries): entries of each, and how one of
    /// them is found. The first is accessed after all others have been searched.
    fn estimated(&self, entries: u32, _own: u32) -> Vec<(u32, ArraySearch)> {
        vec![(entries, ArraySearch::All)]
    }
}

/// Keys of `[cache.*.mshr]` that a handling goes by. What no key limits has no limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MshrKeys {
    /// Lines that can be pending; else as many as there can be.
    pub entries: bool,
    /// Requests that can wait for one of them; else all.
    pub targets: bool,
    /// Entries of a set.
    pub ways: bool,
    /// Entries of a CAM part beside the tags.
    pub cam_part: bool,
}

/// What a handling needs of what is around it, where it needs something.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MissNeeds {
    /// Lines of a set, at least, and what it does with them.
    pub ways: Option<(u32, &'static str)>,
    /// There are no prefetches, and why.
    pub no_prefetches: Option<&'static str>,
    /// Reads that can be outstanding in a chip, at most.
    pub most_reads: Option<u32>,
    /// Bits of a request's tag of a cache that is a block of its own, at most.
    pub block_tag_bits: Option<u32>,
}

/// Something that one kind of handling counts, and a report says of all caches: zero where it is another kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OwnCount {
    /// What is counted, by each cycle of which it is true, or as a histogram.
    pub statistic: Statistic,
    /// What it is called in the report.
    pub name: &'static str,
    /// What the report's schema says of it.
    pub about: &'static str,
    /// It has mean and largest value instead of a sum.
    pub is_spread: bool,
}

/// What the handling is built from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct MissParams {
    /// Entries, without those that the kind has in addition.
    pub entries: u32,
    /// Entries of a set, where the handling has sets.
    pub entry_ways: u32,
    /// Set of a line.
    pub index: SetIndex,
    /// Entries of the kind in addition; their numbers follow the others.
    #[serde(rename = "cam_entries")]
    pub own_entries: u32,
    /// These are compared a cycle ahead.
    #[serde(rename = "cam_pipelined")]
    pub own_pipelined: bool,
}

impl MissParams {
    /// Of so many `entries`, in sets of so many.
    pub fn new(policy: &dyn MissPolicy, (entries, ways): (u32, u32), index: SetIndex, own: &OwnParams) -> Self {
        Self {
            entries,
            entry_ways: ways,
            index,
            own_entries: policy.own_entries(own),
            own_pipelined: own.cam_pipelined,
        }
    }

    /// All entries.
    pub fn all_entries(&self) -> u32 {
        self.entries + self.own_entries
    }

    /// Bits of the number of an entry.
    pub fn entry_bits(&self) -> u32 {
        index_width(self.all_entries() as usize)
    }
}

/// Inputs of the handling.
pub struct Inputs<'m> {
    /// Number of the line that is looked for, and taken.
    pub line: Signal<'m>,
    /// The set has the line as pending, and the name of the entry there; of handling in the tags.
    pub in_tags: Option<(Signal<'m>, Signal<'m>)>,
    /// Those that the kind [has alone](MissPolicy::inputs).
    pub own: Vec<Signal<'m>>,
    /// The line becomes pending.
    pub take: Signal<'m>,
    /// An entry becomes free.
    pub release: Signal<'m>,
    /// Its number.
    pub released: Signal<'m>,
}

/// What there is to see of the set of the line.
pub trait SetView<'m> {
    /// One way alone is not reserved.
    fn last_way(&self) -> Signal<'m>;

    /// The victim is a line that was hit, of handling that [watches hits](MissPolicy::watches_hits).
    fn victim_hit(&self) -> Option<Signal<'m>>;

    /// Number of the line of the next cycle.
    fn next_line(&self) -> Signal<'m>;
}

/// What is found.
pub struct MissLookup<'m> {
    /// The line is pending.
    pub found: Signal<'m>,
    /// Its entry.
    pub found_entry: Signal<'m>,
    /// A bit for each entry; of a policy that [shows them](MissPolicy::shows_bits).
    pub found_bits: Option<Signal<'m>>,
    /// There is an entry for the line.
    pub available: Signal<'m>,
    /// That entry.
    pub entry: Signal<'m>,
    /// Entries in use, a bit each.
    pub used: Signal<'m>,
    /// Shows what the kind says in addition, behind all else.
    pub shows: Option<Box<dyn FnOnce() + 'm>>,
}

/// What a kind says to the cache in addition.
#[derive(Clone, Copy, Default)]
pub struct MissAnswer<'m> {
    /// The line gets its way now if it becomes pending; none: it does, with allocation on miss.
    pub reserves: Option<Signal<'m>>,
    /// Entries in use whose lines get their way only when they come, with allocation on miss.
    pub deferred: Option<Signal<'m>>,
    /// It refuses the line for the [cause of its own](MissPolicy::refusal).
    pub refuses: Option<Signal<'m>>,
}

/// What happens to misses in a cycle.
pub struct MissCycle<'m> {
    /// The block of the entries.
    pub entries: Child<'m>,
    /// A request is decided.
    pub decides: Signal<'m>,
    /// Ways that the line of the request has reserved, a bit each.
    pub pending_here: Signal<'m>,
    /// Ways of the set that are reserved, a bit each.
    pub reserved: Signal<'m>,
    /// The line becomes pending.
    pub primary: Signal<'m>,
    /// It gets its way.
    pub reserves: Signal<'m>,
    /// The request waits for a pending line.
    pub merged: Signal<'m>,
    /// It is refused, by [`Cause`](crate::events::Cause).
    pub refused: Signal<'m>,
}

/// How many of `entries` are `used` (a bit each), counted as they are taken and freed: adding up their bits would take as long as half a
/// lookup.
pub(super) fn counted<'m>(
    m: &'m Builder,
    name: &str,
    entries: u32,
    [used, takes, frees]: [Signal<'m>; 3],
) -> Signal<'m> {
    let count = m.register(name, index_width(entries as usize + 1), 0);
    m.when(takes & !frees, || m.set(count, count + 1));
    m.when(frees & !takes, || m.set(count, count - 1));
    m.always("entries in use are counted", count.eq(popcount(used)));
    count
}
