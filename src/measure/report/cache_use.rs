//! What caches of a kind did in a run.

use super::{OwnCounts, PrefetchUse};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Statistics of caches of one kind, summed over them.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct CacheUse {
    /// Reads.
    pub reads: u64,
    /// Reads that found their line.
    pub read_hits: u64,
    /// Reads that found it pending.
    pub merged_misses: u64,
    /// Reads that asked for it.
    pub primary_misses: u64,
    /// Writes.
    pub writes: u64,
    /// Writes that found their line.
    pub write_hits: u64,
    /// Dirty lines written to memory, those of the flush after the kernel too.
    pub write_backs: u64,
    /// Cycles in which an access waited, by what it waited for.
    pub waits: CacheWaits,
    /// Lines that left for another one.
    #[serde(default)]
    pub evictions: u64,
    /// Miss entries in use, over all cycles.
    #[serde(default)]
    pub entries_in_use: Option<Spread>,
    /// Requests that a line answered when it came.
    #[serde(default)]
    pub requests_per_line: Option<Spread>,
    /// Accesses to the tags of miss entries, those of accesses that wait in each cycle anew.
    #[serde(default)]
    pub mshr_lookups: u64,
    /// Tags that were compared in them.
    #[serde(default)]
    pub mshr_tags_compared: u64,
    /// What single kinds of miss handling count.
    #[serde(flatten)]
    #[schemars(schema_with = "OwnCounts::reported")]
    pub own: OwnCounts,
    /// Hits and merged misses by whose the line is, of caches with locality.
    #[serde(default)]
    pub locality: Option<CacheLocality>,
    /// Prefetches, of data caches with prefetchers beside them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prefetches: Option<PrefetchUse>,
}

/// Values of something.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Spread {
    /// Their mean.
    pub mean: f64,
    /// The largest one.
    pub most: u64,
}

/// Reads of data caches by the warp that brought their line; primary misses are apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct CacheLocality {
    /// Hits on lines of the same warp.
    pub intra_hits: u64,
    /// Hits on lines of another one.
    pub inter_hits: u64,
    /// Merged misses of the warp that had asked for the line.
    pub intra_merged: u64,
    /// Merged misses of another one.
    pub inter_merged: u64,
}

/// Cycles in which accesses to caches of one kind were rejected and tried again, by cause, summed over the caches.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct CacheWaits {
    /// No place for its reply.
    pub reply: u64,
    /// No miss entry.
    pub entry: u64,
    /// No target of the entry of its line is free.
    pub target: u64,
    /// No way of its set that may leave.
    pub way: u64,
    /// No place in the queues towards the next level.
    pub downstream: u64,
    /// A write, of a pending line.
    pub line: u64,
    /// Causes of single kinds of miss handling.
    #[serde(flatten)]
    #[schemars(schema_with = "OwnCounts::refusals")]
    pub own: OwnCounts,
    /// A read, of a pending line that a write has poisoned.
    #[serde(default)]
    pub poisoned: u64,
}
