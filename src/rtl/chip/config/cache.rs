//! Caches, as a person writes them.

use cache::{
    Allocation, Flush, L1Mshr, L2Mshr, ReadOnlyMshr, Replacement, SetIndex, WriteHit, WriteMiss, WritePending,
};
use common::parameters;

parameters! {
    /// Caches of the chip.
    pub struct CachesConfig {
        /// Data cache of each core; not coherent with the others.
        #[only(is("memory.model", "controllers"))]
        l1d: L1Config;
        /// Instruction cache of each core. With one, the program lies in DRAM, and cores have no instruction memory.
        instruction: ReadOnlyConfig;
        /// Constant cache of each core. Without one, constants are loaded as other global memory is.
        constant: ReadOnlyConfig;
        /// Texture cache of each core. Without one, textures are loaded as other global memory is.
        texture: ReadOnlyConfig;
        /// L2 bank of each memory controller; it holds only what its controller maps.
        #[only(is("memory.model", "controllers"))]
        l2: L2Config;
    }
}

parameters! {
    /// What every cache has. Its line is that of the chip, `memory.line_bytes`.
    pub shared CacheConfig {
        /// Lines in bytes; 0: there is no cache. Sets (bytes / ways / line) are a power of two, at least 2.
        bytes: u32 = 0, range(0, Self::MOST_BYTES) bytes;
        /// Lines of a set.
        ways: u32 = Self::WAYS, range(1, 16);
        /// Set index: which set a line maps to.
        index: SetIndex = SetIndex::Plain;
        /// Replacement policy: which line of a set is the victim.
        #[only(above("ways", 1))]
        replacement: Replacement = Replacement::Lru;
        /// Allocation policy: a missing line gets its way on fill, or on the miss.
        allocation: Allocation = Allocation::OnFill;
        /// From a request to its reply when it hits.
        latency: u32 = Self::LATENCY, range(3, 64) cycles;
        /// Replies that wait to be taken, in addition to those in the cache's pipeline.
        reply_entries: u32 = Self::REPLIES, range(1, 64);
        /// Misses, and writes where there are some, between the cache and what is below.
        miss_queue_entries: u32 = Self::MISSES, range(1, 64);
    }

    /// How a cache takes writes.
    pub shared more WriteConfig {
        /// Write-hit policy: `evict`, or `through`; of an L2 also `back`.
        write_hit: WriteHit = Self::WRITE_HIT;
        /// Write-miss policy: `no-allocate`, or `allocate`.
        write_miss: WriteMiss = WriteMiss::NoAllocate;
        /// Policy of writes to a pending line; `poison` needs `write_miss = "no-allocate"`.
        write_pending: WritePending = WritePending::Stall;
    }

    /// Data cache of a core. Its line is that of the chip, `memory.line_bytes`. Loads that are volatile, `.cg` or `.cv` pass it by.
    #[switch(above("bytes", 0))]
    pub struct L1Config(
        MOST_BYTES = 262_144, WAYS = 4, LATENCY = 3, REPLIES = 4, MISSES = 4, WRITE_HIT: WriteHit = WriteHit::Evict
    ) with WriteConfig {
        /// Lines know the warp that brought them, and accesses are counted by whether it is the same; so it is anyway where `core.scheduler` or
        /// `core.throttle.kind` goes by it.
        warp_locality: bool = false;
        /// Only prefetched lines (`core.prefetch`) are allocated; others are passed on. Needs `allocation = "on-fill"` and `write_miss = "no-allocate"`.
        #[only(other_than("core.prefetch.kind", "none"))]
        only_prefetches: bool = false;
        /// Miss handling.
        mshr: L1Mshr;
    }

    /// Cache of a core that is only read. Its line is that of the chip, `memory.line_bytes`.
    #[switch(above("bytes", 0))]
    pub struct ReadOnlyConfig(MOST_BYTES = 262_144, WAYS = 2, LATENCY = 3, REPLIES = 4, MISSES = 4) {
        /// Miss handling.
        mshr: ReadOnlyMshr;
    }

    /// L2 bank of a memory controller. Its line is that of the chip, `memory.line_bytes`.
    #[switch(above("bytes", 0))]
    pub struct L2Config(
        MOST_BYTES = 4_194_304, WAYS = 8, LATENCY = 10, REPLIES = 6, MISSES = 8, WRITE_HIT: WriteHit = WriteHit::Back
    ) with WriteConfig {
        /// What the flush after a kernel leaves: nothing, or all lines, which are clean then, for the next launch of the program.
        flush: Flush = Flush::Invalidate;
        /// Requests between the network and the bank.
        queue_entries: u32 = 8, range(1, 64);
        /// Lines between the controller and the bank.
        fill_queue_entries: u32 = 6, range(1, 64);
        /// Dirty lines between the bank and the controller; with `allocation = "on-fill"` also the maximum of pending lines.
        #[only(is("write_hit", "back"))]
        write_back_entries: u32 = 64, range(1, 256);
        /// Miss handling.
        mshr: L2Mshr;
    }
}
