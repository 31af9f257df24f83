//! What is counted of a cache; kinds of miss handling count more ([`MissPolicy::statistics`](crate::miss::MissPolicy::statistics)).

use hdl::statistics;

statistics! {
    "cache" {
        /// Reads decided.
        READS: reads in "accesses";
        /// Reads that found their line.
        READ_HITS: read_hits in "accesses";
        /// Reads of lines that were neither present nor pending.
        PRIMARY_MISSES: primary_misses in "accesses";
        /// Reads of pending lines.
        MERGED_MISSES: merged_misses in "accesses";
        /// Writes decided.
        WRITES: writes in "accesses";
        /// Writes that found their line.
        WRITE_HITS: write_hits in "accesses";
        /// Dirty lines written to memory.
        WRITE_BACKS: write_backs in "lines";
        /// Cycles in which a request waits for a place in the reply queue.
        REPLY_WAIT_CYCLES: reply_wait_cycles in "cycles";
        /// Cycles in which a read waits for a miss entry.
        ENTRY_WAIT_CYCLES: entry_wait_cycles in "cycles";
        /// Cycles in which a read waits for a target of the entry of its line.
        TARGET_WAIT_CYCLES: target_wait_cycles in "cycles";
        /// Cycles in which a miss waits for a way to reserve.
        WAY_WAIT_CYCLES: way_wait_cycles in "cycles";
        /// Cycles in which a request waits for a place in the queues below.
        DOWNSTREAM_WAIT_CYCLES: downstream_wait_cycles in "cycles";
        /// Cycles in which a write waits for its line, which is pending.
        LINE_WAIT_CYCLES: line_wait_cycles in "cycles";
        /// Cycles in which a read waits for its line, which is pending and poisoned by a write.
        POISONED_WAIT_CYCLES: poisoned_wait_cycles in "cycles";
        /// Miss entries in use, each cycle.
        ENTRIES_IN_USE: entries_in_use in "entries";
        /// Requests that a fill of a line serves.
        REQUESTS_PER_LINE: requests_per_line in "requests";
        /// Lines that left for another one, dirty or not.
        EVICTIONS: evictions in "lines";
        /// Times that the tags of miss entries were compared: for each access to a line that is not here, again in each cycle in which it waits.
        MSHR_LOOKUPS: mshr_lookups in "look-ups";
        /// Tags of miss entries that were compared in them.
        MSHR_TAGS_COMPARED: mshr_tags_compared in "tags";
        /// Prefetches whose line was requested; this and the next seven of a cache with a port for prefetches.
        PREFETCHES: prefetches in "lines";
        /// Prefetches of lines that were here.
        PREFETCHES_PRESENT: prefetches_present in "lines";
        /// Prefetches of lines that were pending.
        PREFETCHES_PENDING: prefetches_pending in "lines";
        /// Prefetches that found no free miss entry.
        PREFETCHES_WITHOUT_ENTRY: prefetches_without_entry in "lines";
        /// Prefetches that found no way to reserve, or no place in the queues below.
        PREFETCHES_BLOCKED: prefetches_blocked in "lines";
        /// Prefetched lines that were read while they were here.
        USEFUL_PREFETCHES: useful_prefetches in "lines";
        /// Prefetched lines that were read while they were pending.
        LATE_PREFETCHES: late_prefetches in "lines";
        /// Prefetched lines that left before anybody had read them.
        USELESS_PREFETCHES: useless_prefetches in "lines";
        /// Reads that found their line here, brought by the same warp; this and the next three of a cache with locality.
        INTRA_HITS: intra_hits in "accesses";
        /// Reads that found their line here, brought by another warp.
        INTER_HITS: inter_hits in "accesses";
        /// Reads that found their line pending, requested by the same warp.
        INTRA_MERGED: intra_merged in "accesses";
        /// Reads that found their line pending, requested by another warp.
        INTER_MERGED: inter_merged in "accesses";
    }
}
