//! Parameters of a cache and the widths that follow from them.

use super::{
    MissHandling, MshrConfig, Replacement, SetIndex, WaitingRequests,
    miss::{
        MissParams, MissSizes, OwnParams,
        arrays::{BesideCache, MissArray},
    },
};
use hdl::{Parameters, index_width, params};
use protocol::Protocol;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// When a missing line gets its way.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Allocation {
    /// When its data arrives: until then the old line can still hit.
    #[default]
    OnFill,
    /// At the miss: the way is reserved, the old line is gone.
    OnMiss,
}

/// Write-hit policy.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum WriteHit {
    /// It changes the line, which is written to memory when it leaves the cache.
    #[default]
    #[serde(alias = "write-back")]
    #[schemars(extend("aliases" = ["write-back"]))]
    Back,
    /// It changes the line and memory.
    #[serde(alias = "write-through")]
    #[schemars(extend("aliases" = ["write-through"]))]
    Through,
    /// It changes memory, and the line leaves the cache.
    Evict,
}

/// Write-miss policy.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum WriteMiss {
    /// It changes memory alone.
    #[default]
    #[serde(alias = "no-write-allocate")]
    #[schemars(extend("aliases" = ["no-write-allocate"]))]
    NoAllocate,
    /// The line is fetched, then the write hits.
    #[serde(alias = "write-allocate")]
    #[schemars(extend("aliases" = ["write-allocate"]))]
    Allocate,
}

/// Policy of writes to a pending line.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum WritePending {
    /// It waits until the line is here, and what comes behind it waits too.
    #[default]
    Stall,
    /// It changes memory alone, and the line is poisoned: when it comes, those that wait for it get it, and the cache does not keep it.
    Poison,
}

/// What a flush leaves in the cache.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Flush {
    /// Nothing: dirty lines are written back, and all are invalid.
    #[default]
    Invalidate,
    /// All lines: dirty ones are written back, and are clean.
    Clean,
}

/// Which lines enter, where some are prefetched.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize)]
pub enum Prefetching {
    /// There are no prefetches.
    #[default]
    None,
    /// All lines.
    Beside,
    /// Prefetched ones alone: a line that was asked for by a read is passed on, and not kept.
    Only,
}

/// Parameters of a [`cache`](super::cache()).
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize)]
pub struct CacheParams {
    /// Requests from above.
    pub protocol: Protocol,
    /// Sets; a power of two, 2 and up.
    pub sets: u32,
    /// Lines of a set, 1 to 16.
    pub ways: u32,
    /// Set of a line.
    pub index: SetIndex,
    /// Replacement policy.
    pub replacement: Replacement,
    /// When a missing line gets its way; on-miss where the handling of misses keeps pending lines in the tags.
    pub allocation: Allocation,
    /// A write that hits.
    pub write_hit: WriteHit,
    /// A write that misses.
    pub write_miss: WriteMiss,
    /// How pending lines are found.
    pub misses: MissHandling,
    /// Miss status holding registers: lines that can be pending, 2 and up.
    pub entries: u32,
    /// Entries of a set, where the handling has sets; divides `entries`.
    pub entry_ways: u32,
    /// Requests that can wait for one pending line, 1 and up.
    pub targets: u32,
    /// Cycles from a request that hits to its reply, both shown; at least [`CacheParams::LEAST_LATENCY`].
    pub latency: u32,
    /// What single kinds of miss handling have beside that.
    #[serde(flatten)]
    pub own: OwnParams,
    /// A write to a line that is pending.
    pub write_pending: WritePending,
    /// What a flush leaves.
    pub flush: Flush,
    /// Bits of a warp's number, where each line knows the warp that brought it, and what happens is shown ([`events`](super::events)); else none.
    pub locality: Option<u32>,
    /// Whether there is a port for prefetches, and which lines enter then.
    pub prefetching: Prefetching,
    /// Replies that wait to be taken, 1 and up.
    pub replies: u32,
    /// Misses and writes that wait to be taken below, 1 and up.
    pub requests: u32,
    /// Dirty lines that wait to be taken below, 1 and up; with allocation on fill also the lines that may be pending at a time.
    pub write_backs: u32,
}

impl CacheParams {
    /// Cycles of the pipeline: into the request register, tags, line, reply queue.
    pub const LEAST_LATENCY: u32 = 3;

    /// A small cache that writes back: two entries of two targets, queues of two places; everything else is to be said.
    pub fn new(protocol: Protocol, sets: u32, ways: u32) -> Self {
        Self {
            protocol,
            sets,
            ways,
            index: SetIndex::default(),
            replacement: Replacement::default(),
            allocation: Allocation::default(),
            write_hit: WriteHit::default(),
            write_miss: WriteMiss::default(),
            misses: MissHandling::default(),
            entries: 2,
            entry_ways: 2,
            targets: 2,
            own: OwnParams::default(),
            write_pending: WritePending::default(),
            flush: Flush::default(),
            locality: None,
            prefetching: Prefetching::default(),
            latency: Self::LEAST_LATENCY,
            replies: 2,
            requests: 2,
            write_backs: 2,
        }
    }

    /// With this miss handling, where so many reads can be outstanding.
    pub fn with_misses(self, mshr: &MshrConfig, reads: u32) -> Self {
        let MissSizes { entries, entry_ways, own, write_backs } = mshr.sizes(reads);
        Self {
            misses: mshr.kind,
            entries,
            entry_ways,
            targets: mshr.targets,
            own,
            write_backs: self.write_backs + write_backs,
            ..self
        }
    }

    /// Lines become dirty.
    pub fn writes_back(&self) -> bool {
        self.write_hit == WriteHit::Back
    }

    /// Lines are prefetched.
    pub fn prefetches(&self) -> bool {
        self.prefetching != Prefetching::None
    }

    /// Bits of a set's number.
    pub fn set_bits(&self) -> u32 {
        self.sets.ilog2()
    }

    /// Bits of a tag: a line's number above the bits of the set.
    pub fn tag_bits(&self) -> u32 {
        self.protocol.line_number_bits() - self.set_bits()
    }

    /// Bits of a way's number; none where there is one way.
    pub fn place_way_bits(&self) -> u32 {
        if self.ways > 1 { index_width(self.ways as usize) } else { 0 }
    }

    /// Bits that say, for each set, which way leaves.
    pub fn order_bits(&self) -> u32 {
        if self.ways > 1 { self.replacement.policy().state_bits(self.ways) } else { 0 }
    }

    /// How requests wait for pending lines.
    pub fn waiting_requests(&self) -> WaitingRequests {
        if self.misses.policy().keys().targets {
            WaitingRequests::Targets(self.targets)
        } else {
            WaitingRequests::Lists
        }
    }

    /// What its miss handling is built from.
    pub(super) fn miss(&self) -> MissParams {
        MissParams::new(self.misses.policy(), (self.entries, self.entry_ways), self.index, &self.own)
    }

    /// Pending lines stand in the tags of the cache, at least some.
    pub fn entries_in_tags(&self) -> bool {
        self.misses.policy().in_tags()
    }

    /// Arrays of its miss handling, but for the requests that wait.
    pub fn miss_arrays(&self) -> Vec<MissArray> {
        let (sets, ways, line_bits) = (self.sets, self.ways, self.protocol.line_number_bits());
        // In use; asked for by a prefetch, and by no read.
        let entry_state_bits = 1 + 2 * u32::from(self.prefetches());
        self.misses.policy().arrays(&self.miss(), &BesideCache { sets, ways, line_bits, entry_state_bits })
    }

    /// Entries outside the tags that are compared with the line of a request.
    pub fn compared_entries(&self) -> u32 {
        self.misses.policy().compared(&self.miss())
    }

    /// Entries of all parts.
    pub fn all_entries(&self) -> u32 {
        self.miss().all_entries()
    }

    /// Bits of the number of a miss entry.
    pub fn entry_bits(&self) -> u32 {
        self.miss().entry_bits()
    }

    /// Bits of the name of a miss entry in the tags.
    pub fn name_bits(&self) -> u32 {
        index_width(self.entries as usize)
    }

    /// Bits of a warp's number in [events](super::events).
    pub fn warp_bits(&self) -> u32 {
        self.locality.unwrap_or(1)
    }

    /// Each line has a bit that says that it was hit.
    pub fn has_hit_bits(&self) -> bool {
        self.misses.policy().watches_hits(&self.own)
    }

    /// Requests below: the tag of a read is its miss entry, that of a write the tag from above under a bit that says that it is a
    /// dirty line.
    pub fn downstream(&self) -> Protocol {
        self.protocol.with_tag_bits(self.entry_bits().max(self.protocol.tag_bits + 1))
    }

    /// Parameters of a block that is a whole cache.
    pub fn parameters(&self) -> Parameters {
        params! { sets: self.sets, ways: self.ways, line_bytes: self.protocol.line_bytes }.and(self)
    }
}
