//! What a run's report says of caches and prefetchers, from the statistics of their blocks.

use crate::{
    report::{
        CacheLocality, CacheUse, CacheWaits, DroppedPrefetches, OwnCounts, OwnValue, PrefetchSource, PrefetchUse,
        Spread,
    },
    statistics::{HardwareStatistics, spread},
};
use hdl::Statistic;
use rtl::{
    cache::{self, MissHandling, miss::OwnCount},
    chip::Chip,
    core::prefetch,
};
use sim::ProbeResult;

/// What caches have done, by what each of them has counted.
pub(super) fn cache_use<'s>(counted: impl Fn(Statistic) -> Vec<&'s ProbeResult>) -> CacheUse {
    let total = |statistic| counted(statistic).into_iter().map(ProbeResult::value).sum();
    let spread = |statistic| spread(&counted(statistic)).map(|(mean, most)| Spread { mean, most });
    let own = |count: &OwnCount| match count.is_spread {
        true => OwnValue::Spread(spread(count.statistic)),
        false => OwnValue::Count(total(count.statistic)),
    };
    CacheUse {
        reads: total(cache::block::READS),
        read_hits: total(cache::block::READ_HITS),
        merged_misses: total(cache::block::MERGED_MISSES),
        primary_misses: total(cache::block::PRIMARY_MISSES),
        writes: total(cache::block::WRITES),
        write_hits: total(cache::block::WRITE_HITS),
        write_backs: total(cache::block::WRITE_BACKS),
        waits: CacheWaits {
            reply: total(cache::block::REPLY_WAIT_CYCLES),
            entry: total(cache::block::ENTRY_WAIT_CYCLES),
            target: total(cache::block::TARGET_WAIT_CYCLES),
            way: total(cache::block::WAY_WAIT_CYCLES),
            downstream: total(cache::block::DOWNSTREAM_WAIT_CYCLES),
            line: total(cache::block::LINE_WAIT_CYCLES),
            own: OwnCounts::new(MissHandling::refusals(), own),
            poisoned: total(cache::block::POISONED_WAIT_CYCLES),
        },
        evictions: total(cache::block::EVICTIONS),
        entries_in_use: spread(cache::block::ENTRIES_IN_USE),
        requests_per_line: spread(cache::block::REQUESTS_PER_LINE),
        mshr_lookups: total(cache::block::MSHR_LOOKUPS),
        mshr_tags_compared: total(cache::block::MSHR_TAGS_COMPARED),
        own: OwnCounts::new(MissHandling::reported(), own),
        locality: None,
        prefetches: None,
    }
}

/// What the prefetchers of the cores have done.
pub(super) fn prefetch_use(chip: &Chip, statistics: &HardwareStatistics) -> PrefetchUse {
    let total = |statistic| statistics.total(statistic);
    let in_cache = |statistic| statistics.total_within("l1d", statistic);
    let sources = chip.core().prefetch.kind.sources().iter().map(|source| {
        let [generated, issued] = source.statistics().map(total);
        PrefetchSource { source: source.name().into(), generated, issued }
    });
    let all = PrefetchUse {
        sources: sources.collect(),
        dropped: DroppedPrefetches {
            out_of_range: total(prefetch::DROPPED_OUT_OF_RANGE),
            degree: total(prefetch::DROPPED_BY_DEGREE),
            queue: total(prefetch::DROPPED_BY_QUEUE),
            end: total(prefetch::DROPPED_AT_END),
            present: in_cache(cache::block::PREFETCHES_PRESENT),
            pending: in_cache(cache::block::PREFETCHES_PENDING),
            entry: in_cache(cache::block::PREFETCHES_WITHOUT_ENTRY),
            blocked: in_cache(cache::block::PREFETCHES_BLOCKED),
        },
        issued: in_cache(cache::block::PREFETCHES),
        useful: in_cache(cache::block::USEFUL_PREFETCHES),
        late: in_cache(cache::block::LATE_PREFETCHES),
        useless: in_cache(cache::block::USELESS_PREFETCHES),
        coverage: 0.0,
        accuracy: 0.0,
        training_blocks: total(prefetch::TRAINING_BLOCKS),
        resets: total(prefetch::RESETS),
        off_cycles: total(prefetch::OFF_CYCLES),
    };
    all.with_shares(in_cache(cache::block::PRIMARY_MISSES))
}

/// Whose the lines were that the caches called `part` have read.
pub(super) fn cache_locality(statistics: &HardwareStatistics, part: &str) -> CacheLocality {
    let total = |statistic| statistics.total_within(part, statistic);
    CacheLocality {
        intra_hits: total(cache::block::INTRA_HITS),
        inter_hits: total(cache::block::INTER_HITS),
        intra_merged: total(cache::block::INTRA_MERGED),
        inter_merged: total(cache::block::INTER_MERGED),
    }
}
