//! Caches, as a person writes them.

use crate::cache::{
    Allocation, Flush, MissHandling, ProtectedVictims, Replacement, SetIndex, WriteHit, WriteMiss, WritePending,
};
use common::parameters;

parameters! {
    /// Caches of the chip.
    pub struct CachesConfig {
        /// Data cache of each core; not coherent with the others.
        l1d: L1Config;
        /// Instruction cache of each core. With one, the program lies in DRAM, and cores have no instruction memory.
        instruction: ReadOnlyConfig;
        /// Constant cache of each core. Without one, constants are loaded as other global memory is.
        constant: ReadOnlyConfig;
        /// Texture cache of each core. Without one, textures are loaded as other global memory is.
        texture: ReadOnlyConfig;
        /// L2 bank of each memory controller; it holds only what its controller maps.
        l2: L2Config;
    }
}

parameters! {
    /// Data cache of a core. Its line is that of the chip, `memory.line_bytes`. Loads that are volatile, `.cg` or `.cv` pass it by.
    #[switch(above("bytes", 0))]
    pub struct L1Config {
        /// Lines in bytes; 0: there is no cache. Sets (bytes / ways / line) are a power of two, at least 2.
        #[only(is("memory.model", "controllers"))]
        bytes: u32 = 0, range(0, 262_144) bytes;
        /// Lines of a set.
        ways: u32 = 4, range(1, 16);
        /// Set index: which set a line maps to.
        index: SetIndex = SetIndex::Plain;
        /// Replacement policy: which line of a set is the victim.
        #[only(above("ways", 1))]
        replacement: Replacement = Replacement::Lru;
        /// Allocation policy: a missing line gets its way on fill, or on the miss.
        allocation: Allocation = Allocation::OnFill;
        /// Write-hit policy: `evict`, or `through`.
        write_hit: WriteHit = WriteHit::Evict;
        /// Write-miss policy: `no-allocate`, or `allocate`.
        write_miss: WriteMiss = WriteMiss::NoAllocate;
        /// Policy of writes to a pending line; `poison` needs `write_miss = "no-allocate"`.
        write_pending: WritePending = WritePending::Stall;
        /// How pending lines are found.
        mshr: MissHandling = MissHandling::Full;
        /// Lines that can be pending.
        #[only(policy("mshr", |kind: MissHandling| !kind.policy().is_unlimited()))]
        mshr_entries: u32 = 32, range(2, 256);
        /// Entries of a set with `mshr = "set-associative"`, so that sets are a power of two.
        #[only(is("mshr", "set-associative"))]
        mshr_ways: u32 = 32, range(1, 256);
        /// Requests that can wait for one pending line.
        #[only(policy("mshr", |kind: MissHandling| !kind.policy().is_unlimited()))]
        mshr_targets: u32 = 8, range(1, 32);
        /// Entries of the CAM part of `mshr = "htsma"`, in addition to `mshr_entries`.
        #[only(policy("mshr", |kind: MissHandling| kind.policy().is_hybrid()))]
        mshr_cam_entries: u32 = 8, range(0, 64);
        /// The CAM part is compared in a stage of its own, while the tags are read; the cycles are the same.
        #[only(above("mshr_cam_entries", 0))]
        mshr_cam_pipelined: bool = false;
        /// Which victims `mshr = "htsma"` protects as long as the CAM part has room.
        #[only(above("mshr_cam_entries", 0))]
        mshr_protected_victims: ProtectedVictims = ProtectedVictims::Hit;
        /// From a request to its reply when it hits.
        latency: u32 = 3, range(3, 64) cycles;
        /// Replies between the cache and the register file, in addition to those in its pipeline.
        reply_entries: u32 = 4, range(1, 64);
        /// Misses and writes between the cache and the network.
        miss_queue_entries: u32 = 4, range(1, 64);
        /// Lines know the warp that brought them, and accesses are counted by whether it is the same; so it is anyway where `core.scheduler` or
        /// `core.throttle.kind` goes by it.
        warp_locality: bool = false;
        /// Only prefetched lines (`core.prefetch`) are allocated; others are passed on. Needs `allocation = "on-fill"` and `write_miss = "no-allocate"`.
        #[only(other_than("core.prefetch.kind", "none"))]
        only_prefetches: bool = false;
    }
}

parameters! {
    /// Cache of a core that is only read. Its line is that of the chip, `memory.line_bytes`.
    #[switch(above("bytes", 0))]
    pub struct ReadOnlyConfig {
        /// Lines in bytes; 0: there is no cache. Sets (bytes / ways / line) are a power of two, at least 2.
        bytes: u32 = 0, range(0, 262_144) bytes;
        /// Lines of a set.
        ways: u32 = 2, range(1, 16);
        /// Set index: which set a line maps to.
        index: SetIndex = SetIndex::Plain;
        /// Replacement policy: which line of a set is the victim.
        #[only(above("ways", 1))]
        replacement: Replacement = Replacement::Lru;
        /// Allocation policy: a missing line gets its way on fill, or on the miss.
        allocation: Allocation = Allocation::OnFill;
        /// How pending lines are found.
        mshr: MissHandling = MissHandling::Full;
        /// Lines that can be pending.
        #[only(policy("mshr", |kind: MissHandling| !kind.policy().is_unlimited()))]
        mshr_entries: u32 = 8, range(2, 256);
        /// Entries of a set with `mshr = "set-associative"`, so that sets are a power of two.
        #[only(is("mshr", "set-associative"))]
        mshr_ways: u32 = 8, range(1, 256);
        /// Requests that can wait for one pending line.
        #[only(policy("mshr", |kind: MissHandling| !kind.policy().is_unlimited()))]
        mshr_targets: u32 = 8, range(1, 32);
        /// Entries of the CAM part of `mshr = "htsma"`, in addition to `mshr_entries`.
        #[only(policy("mshr", |kind: MissHandling| kind.policy().is_hybrid()))]
        mshr_cam_entries: u32 = 8, range(0, 64);
        /// The CAM part is compared in a stage of its own, while the tags are read; the cycles are the same.
        #[only(above("mshr_cam_entries", 0))]
        mshr_cam_pipelined: bool = false;
        /// Which victims `mshr = "htsma"` protects as long as the CAM part has room.
        #[only(above("mshr_cam_entries", 0))]
        mshr_protected_victims: ProtectedVictims = ProtectedVictims::Hit;
        /// From a request to its reply when it hits.
        latency: u32 = 3, range(3, 64) cycles;
        /// Replies that wait to be taken, in addition to those in the cache's pipeline.
        reply_entries: u32 = 4, range(1, 64);
        /// Misses between the cache and the network.
        miss_queue_entries: u32 = 4, range(1, 64);
    }
}

parameters! {
    /// L2 bank of a memory controller. Its line is that of the chip, `memory.line_bytes`.
    #[switch(above("bytes", 0))]
    pub struct L2Config {
        /// Lines of a bank in bytes; 0: there is no L2. Sets (bytes / ways / line) are a power of two, at least 2.
        #[only(is("memory.model", "controllers"))]
        bytes: u32 = 0, range(0, 4_194_304) bytes;
        /// Lines of a set.
        ways: u32 = 8, range(1, 16);
        /// Set index: which set a line maps to.
        index: SetIndex = SetIndex::Plain;
        /// Replacement policy: which line of a set is the victim.
        #[only(above("ways", 1))]
        replacement: Replacement = Replacement::Lru;
        /// Allocation policy: a missing line gets its way on fill, or on the miss.
        allocation: Allocation = Allocation::OnFill;
        /// Write-hit policy: `back`, `through`, or `evict`.
        write_hit: WriteHit = WriteHit::Back;
        /// Write-miss policy: `no-allocate`, or `allocate`.
        write_miss: WriteMiss = WriteMiss::NoAllocate;
        /// Policy of writes to a pending line; `poison` needs `write_miss = "no-allocate"`.
        write_pending: WritePending = WritePending::Stall;
        /// What the flush after a kernel leaves: nothing, or all lines, which are clean then, for the next launch of the program.
        flush: Flush = Flush::Invalidate;
        /// How pending lines are found.
        mshr: MissHandling = MissHandling::Full;
        /// Lines that can be pending.
        #[only(policy("mshr", |kind: MissHandling| !kind.policy().is_unlimited()))]
        mshr_entries: u32 = 64, range(2, 256);
        /// Entries of a set with `mshr = "set-associative"`, so that sets are a power of two.
        #[only(is("mshr", "set-associative"))]
        mshr_ways: u32 = 64, range(1, 256);
        /// Requests that can wait for one pending line.
        #[only(policy("mshr", |kind: MissHandling| !kind.policy().is_unlimited()))]
        mshr_targets: u32 = 4, range(1, 32);
        /// Entries of the CAM part of `mshr = "htsma"`, in addition to `mshr_entries`.
        #[only(policy("mshr", |kind: MissHandling| kind.policy().is_hybrid()))]
        mshr_cam_entries: u32 = 8, range(0, 64);
        /// The CAM part is compared in a stage of its own, while the tags are read; the cycles are the same.
        #[only(above("mshr_cam_entries", 0))]
        mshr_cam_pipelined: bool = false;
        /// Which victims `mshr = "htsma"` protects as long as the CAM part has room.
        #[only(above("mshr_cam_entries", 0))]
        mshr_protected_victims: ProtectedVictims = ProtectedVictims::Hit;
        /// From a request at the bank to its reply when it hits.
        latency: u32 = 10, range(3, 64) cycles;
        /// Requests between the network and the bank.
        queue_entries: u32 = 8, range(1, 64);
        /// Replies between the bank and the network, in addition to those in its pipeline.
        reply_entries: u32 = 6, range(1, 64);
        /// Misses and writes between the bank and the controller.
        miss_queue_entries: u32 = 8, range(1, 64);
        /// Lines between the controller and the bank.
        fill_queue_entries: u32 = 6, range(1, 64);
        /// Dirty lines between the bank and the controller; with `allocation = "on-fill"` also the maximum of pending lines.
        #[only(is("write_hit", "back"))]
        write_back_entries: u32 = 64, range(1, 256);
    }
}
