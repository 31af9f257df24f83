//! What handling that keeps pending lines in the tags has in common: the names of entries there, the tags by which a
//! line that comes finds its set, and what is counted.

use super::{
    arrays::{ArrayAccesses, ArraySearch, BesideCache, MissArray},
    policy::{MissCycle, MissParams, OwnCount},
};
use blocks::popcount;
use hdl::{Builder, Signal, index_width, statistics};

statistics! {
    "cache" {
        /// Misses, merged ones too, that went to the CAM part of a hybrid.
        CAM_ACCESSES: cam_accesses in "accesses";
        /// Misses, merged ones too, that went to entries whose tags stand in the cache.
        TAG_ARRAY_ACCESSES: tag_array_accesses in "accesses";
        /// Ways of the set that pending lines hold, at each access in each cycle, where the tags of pending lines stand in the cache.
        PENDING_WAYS: pending_ways in "ways";
    }
}

/// Which of them a report has.
pub(super) const REPORTED: &[OwnCount] = &[
    OwnCount {
        statistic: CAM_ACCESSES,
        name: "cam_accesses",
        about: "Misses that went to the CAM part of an HTSMA.",
        is_spread: false,
    },
    OwnCount {
        statistic: TAG_ARRAY_ACCESSES,
        name: "tag_array_accesses",
        about: "Misses that went to entries whose tags stand in the cache.",
        is_spread: false,
    },
    OwnCount {
        statistic: PENDING_WAYS,
        name: "pending_ways",
        about: "Ways of a set that pending lines hold, where their tags stand in the cache.",
        is_spread: true,
    },
];

/// Counts what happens; `beside`: a miss goes to an entry beside the tags.
pub(super) fn count<'m>(m: &'m Builder, now: &MissCycle<'m>, beside: Signal<'m>) {
    m.count(CAM_ACCESSES, beside);
    m.count(TAG_ARRAY_ACCESSES, (now.primary | now.merged) & !beside);
    m.histogram(PENDING_WAYS, now.decides, popcount(now.reserved));
}

/// Names of entries in the tags, and the numbers of pending lines: the source leaves these out.
pub(super) fn arrays(p: &MissParams, cache: &BesideCache) -> Vec<MissArray> {
    let ram = |name, entries, data_bits, of_sets, accesses| MissArray {
        name,
        entries,
        data_bits,
        tag_bits: 0,
        search: ArraySearch::Index,
        of_sets,
        accesses,
    };
    let name_bits = index_width(p.entries as usize);
    vec![
        ram("entry numbers in tags", cache.sets, cache.ways * name_bits, true, ArrayAccesses::Tags),
        ram("index tags", p.entries, cache.line_bits, false, ArrayAccesses::Fills),
    ]
}
