//! What a handling of misses is built from, what it sees, and what it says.

use crate::index::SetIndex;
use hdl::{Builder, Signal, bundle, index_width};
use protocol::Protocol;
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

    /// Comparators of tags that an access to a line that is not here uses.
    fn compared(&self, p: &MissParams) -> u32;

    /// The state, and the outputs; the inputs are there.
    fn build<'m>(&self, m: &'m Builder, p: &MissParams, inputs: &Inputs<'m>) -> MissLookup<'m>;
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
    /// There is a CAM part beside the tags, with entries of its own.
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

/// What the handling is built from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct MissParams {
    /// Entries, without those of a CAM part.
    pub entries: u32,
    /// Entries of a set, where the handling has sets.
    pub entry_ways: u32,
    /// Set of a line.
    pub index: SetIndex,
    /// Entries of the CAM part of a hybrid; their numbers follow the others.
    pub cam_entries: u32,
    /// The CAM part is compared a cycle ahead.
    pub cam_pipelined: bool,
}

impl MissParams {
    /// Entries of all parts.
    pub fn all_entries(&self) -> u32 {
        self.entries + self.cam_entries
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
    /// Of a handling with a CAM part beside the tags.
    pub set: Option<SetState<'m>>,
    /// The line becomes pending.
    pub take: Signal<'m>,
    /// An entry becomes free.
    pub release: Signal<'m>,
    /// Its number.
    pub released: Signal<'m>,
}

bundle! {
    /// What a hybrid sees of the set of the line.
    pub struct SetState(p: &Protocol) {
        /// One way alone is not reserved.
        last_way: 1,
        /// The victim is to stay, if possible.
        is_protected: 1,
        /// Number of the line of the next cycle.
        next_line: p.line_number_bits(),
    }
}

bundle! {
    /// What a hybrid shows of its parts, with so many entries in the CAM part.
    pub struct PartsState(cam_entries: &u32) {
        /// The entry for the line stands in the tags.
        reserves: 1,
        /// Entries in use of the CAM part: their lines get their way only when they come.
        deferred: index_width(*cam_entries as usize + 1),
        /// The line is pending in the CAM part.
        found_in_cam: 1,
        /// The line may go to the CAM part alone, which is full.
        cam_full: 1,
    }
}

/// What a hybrid says in addition.
pub struct HybridLookup<'m> {
    /// The entry stands in the tags.
    pub reserves: Signal<'m>,
    /// Entries in use of the CAM part, a bit each, and whether one is taken and one freed now; none where it has no entries.
    pub deferred: Option<[Signal<'m>; 3]>,
    /// The line is pending in the CAM part.
    pub found_in_cam: Signal<'m>,
    /// The line may go to the CAM part alone, which is full.
    pub cam_full: Signal<'m>,
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
    /// Of a handling with a CAM part beside the tags.
    pub parts: Option<HybridLookup<'m>>,
}
