//! What a person writes: the configuration file of a chip, every field with a default.
//!
//! Reading it is [`load`](mod@super::load), checking it and deriving what is built is [`Chip`](super::Chip).

mod cache;
mod network;

pub use cache::{CacheConfig, CachesConfig, L1Config, L2Config, ReadOnlyConfig};
pub use network::{
    ClassChannels, GraphConfig, NetworkConfig, NetworkModel, OverlayConfig, OverlayInjection, OverlayKind,
    ReplyInjection, ReplyWrite, RingConfig,
};

use super::{
    BlockDistribution,
    facts::{LATENCY_LEFT, SEVERAL_CORES, TIME_LEFT},
};
use crate::{
    core::{
        ClassCycles, Coalescing, DoubleRate, IssueRule, LatencyPreset, MemoryOrder, PrefetchConfig, SharedGroup,
        ThrottleConfig, WarpGroup, WarpScheduler,
    },
    memory::{AddressMapKind, DramScheduler, DramTiming, PartialWrite, WriteReply},
};
use common::parameters;
use program::{FEWEST_REGISTERS, MOST_REGISTERS};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

parameters! {
    /// A chip. Every field has a default: an empty file is the default chip.
    pub struct ChipConfig {
        /// Config file to start from: a path relative to this file, or the name of an embedded config. This file then says only
        /// what differs.
        #[serde(skip_serializing_if = "String::is_empty")]
        base: String = String::new();
        /// Name of the chip, shown in reports.
        name: String = "default".into();
        /// Clock frequencies.
        clocks: ClocksConfig;
        /// Network on chip: mesh, placement, routers.
        network: NetworkConfig;
        /// SIMT cores; one at every node without a memory controller.
        core: CoreConfig;
        /// Memory controllers and their DRAM.
        memory: MemoryConfig;
        /// Caches between cores and DRAM.
        cache: CachesConfig;
    }
}

parameters! {
    /// Clock frequencies. Parts with equal ones share a clock; between others are clock crossings.
    pub struct ClocksConfig {
        /// Cores and block dispatcher.
        core: u32 = 602, range(1, 10_000) MHz;
        /// Routers, network interfaces, L2.
        #[only(is("memory.model", "controllers"))]
        noc: u32 = 602, range(1, 10_000) MHz;
        /// Memory controllers and DRAM.
        #[only(is("memory.model", "controllers"))]
        dram: u32 = 602, range(1, 10_000) MHz;
        /// Overlays for replies (`network.overlay`); 0: as `noc`.
        #[only(other_than("network.overlay.kind", "none"))]
        overlay: u32 = 0, range(0, 10_000) MHz;
    }
}

impl ClocksConfig {
    /// Frequencies of cores, routers, controllers and overlays, MHz.
    pub fn megahertz(&self) -> [u32; 4] {
        let Self { core, noc, dram, overlay } = *self;
        [core, noc, dram, if overlay == 0 { noc } else { overlay }]
    }

    /// Clock domain of the cores, routers, controllers and overlays, by its name at the top of the chip: the default one is that of the cores.
    pub fn domains(&self) -> [&'static str; 4] {
        let [core, noc, dram, overlay] = self.megahertz();
        let of_noc = if noc == core { "clock" } else { "noc" };
        let of_dram = if dram == core {
            "clock"
        } else if dram == noc {
            of_noc
        } else {
            "dram"
        };
        let others = [(noc, of_noc), (core, "clock"), (dram, of_dram)];
        let of_overlay = others.into_iter().find(|(mhz, _)| *mhz == overlay).map_or("overlay", |(_, name)| name);
        ["clock", of_noc, of_dram, of_overlay]
    }

    /// The parts with clocks of their own: name, clock domain and MHz of each.
    pub fn parts(&self) -> [(&'static str, &'static str, u32); 4] {
        let ([core, noc, dram, overlay], mhz) = (self.domains(), self.megahertz());
        [("core", core, mhz[0]), ("noc", noc, mhz[1]), ("dram", dram, mhz[2]), ("overlay", overlay, mhz[3])]
    }
}

parameters! {
    /// A SIMT core. Warps are 32 threads.
    pub struct CoreConfig {
        /// Resident warps; an even number with two issue slots.
        warps: u32 = 8, range(2, 64);
        /// Instructions issued in an issue interval. With 2, warps of even and of odd number have a scheduler, a throttle, registers and `lanes` each,
        /// and share the memory units.
        issue_slots: u32 = 1, range(1, 2);
        /// Lanes: threads that execute in one cycle.
        lanes: u32 = 8, powers(8, 32);
        /// Registers per thread.
        registers: u32 = 64, powers(FEWEST_REGISTERS as u32, MOST_REGISTERS as u32);
        /// Registers that the blocks of a core have in all, those of a thread rounded up to 4; 0: as many as all warps have.
        register_file: u32 = 0, range(0, 262_144);
        /// Percent of warps, blocks, `register_file` and shared memory that there are.
        scale_percent: u32 = 100, range(25, 200);
        /// Instruction memory of 64-bit words; not there with `cache.instruction`.
        #[only(is("cache.instruction.bytes", 0))]
        program_words: u32 = 4096, powers(16, 65_536) words;
        /// Shared memory.
        shared_bytes: u32 = 16 * 1024, kibibytes(1, 64) bytes;
        /// Thread blocks resident at a time.
        blocks: u32 = 8, range(2, 32);
        /// Cycles from operands to result in the lanes.
        #[only(is("latencies", "uniform").or(is("issue", "barrel")).or(other_than("double", "none")).or(above("special_units", 0)))]
        #[only(follows(LATENCY_LEFT).or(is("issue", "barrel")).or(other_than("double", "none")).or(above("special_units", 0)))]
        execute_stages: u32 = 4, range(1, 32) cycles;
        /// Global load instructions in flight.
        load_entries: u32 = 8, range(2, 64);
        /// Bits of a transaction number, at least those of a warp number: 2^tag_bits reads in flight, no fewer than lines that the data cache's MSHRs hold;
        /// 0: 4, or those of a warp number where it has more, or 2^tag_bits is all targets of these MSHRs, 256 at most.
        tag_bits: u32 = 0, range(0, 8) bits;
        /// Which of the ready warps issues next.
        scheduler: WarpScheduler = WarpScheduler::RoundRobin;
        /// Groups of warps, of a scheduler of two levels.
        #[only(policy("scheduler", |kind: WarpScheduler| kind.policy().reads().groups))]
        warp_group: WarpGroup = WarpGroup::Eight;
        /// Misses in a row that `scheduler = "laws"` counts at most.
        #[only(policy("scheduler", |kind: WarpScheduler| kind.policy().reads().prefer_rr))]
        laws_max_misses: u32 = 31, range(0, 31);
        /// How many warps may issue.
        throttle: ThrottleConfig;
        /// What it prefetches into its data cache.
        prefetch: PrefetchConfig;
        /// Which core with room gets the next thread block.
        #[only(follows(SEVERAL_CORES))]
        block_distribution: BlockDistribution = BlockDistribution::RoundRobin;
        /// What keeps the order of a warp's loads and stores: they wait for each other, or only those of the same line do.
        memory_order: MemoryOrder = MemoryOrder::Warp;
        /// When a warp may issue its next instruction: when its operands are there, or when the last one has left the pipeline.
        issue: IssueRule = IssueRule::Scoreboard;
        /// Cycles of operation classes in the lanes: all `execute_stages`, or those of a machine.
        #[only(follows(TIME_LEFT))]
        latencies: LatencyPreset = LatencyPreset::Uniform;
        /// Cycles from operands to result of a class, where they are not those of `latencies`.
        latency: ClassCycles;
        /// Cycles from an instruction of a class to the next one, where they are not those of `latencies`.
        initiation_interval: ClassCycles;
        /// Which threads of a warp can share a request to global memory.
        coalescing: Coalescing = Coalescing::Line;
        /// A read of a line with an outstanding read of the core shares its reply; without a data cache, which does so by itself.
        merge_loads: bool = false;
        /// Banks of shared memory, words interleaved; 0: one for each lane; else 8, 16 or 32.
        shared_banks: u32 = 0, range(0, 32);
        /// Threads whose accesses to shared memory are served together, so that they meet at its banks.
        shared_conflict_group: SharedGroup = SharedGroup::Lanes;
        /// Outstanding loads and stores in network and memory, where lines are kept in order: with a data cache, or `memory_order = "line"`. With a data cache
        /// no fewer than lines that its MSHRs hold.
        #[only(above("cache.l1d.bytes", 0).or(is("memory_order", "line")))]
        max_outstanding: u32 = 32, range(2, 256);
        /// Atomic instructions, in shared memory and at the memory nodes.
        atomics: bool = false;
        /// Double-precision units: for one of eight lanes, for one of two, or none. Kernels that need one are refused without.
        double: DoubleRate = DoubleRate::None;
        /// Special function units, a power of two of at most half the lanes; 0: reciprocals, roots, powers, logarithms, sines are sequences of other instructions.
        special_units: u32 = 0, range(0, 16);
        /// Barriers of a thread block: 1, of all its threads; or several, by number, of some or all, with reductions. Kernels that need more are refused.
        barriers: u32 = 1, powers(1, 16);
    }
}

/// What serves the requests of cores.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum MemoryModel {
    /// Network, L2 banks, controllers and DRAM.
    #[default]
    Controllers,
    /// Behavioural, for limit studies: every request gets its reply in the cycle in which it leaves its core. There is neither network nor cache,
    /// and one clock, that of the cores. Such a chip cannot be exported.
    Perfect,
}

parameters! {
    /// Memory controllers and the DRAM behind each.
    pub struct MemoryConfig {
        /// Controllers with their DRAM, or a perfect memory for limit studies.
        model: MemoryModel = MemoryModel::Controllers;
        /// Memory controllers, leaving room for a core.
        controllers: u32 = 4, range(1, 64);
        /// DRAM banks per controller.
        #[only(is("model", "controllers").or(is("address_map", "page-2k")))]
        banks: u32 = 8, powers(2, 64);
        /// A DRAM row.
        #[only(is("model", "controllers").or(is("address_map", "page-2k")))]
        row_bytes: u32 = 2048, powers(256, 16_384) bytes;
        /// A line: the unit of every request and of a DRAM burst.
        line_bytes: u32 = 64, powers(32, 128) bytes;
        /// Requests that a controller queues.
        #[only(is("model", "controllers"))]
        queue_entries: u32 = 32, range(1, 128);
        /// Replies of a controller in the DRAM or waiting for the network.
        #[only(is("model", "controllers"))]
        reply_entries: u32 = 8, range(1, 256);
        /// Which addresses a controller holds.
        #[only(above("controllers", 1))]
        address_map: AddressMapKind = AddressMapKind::Low256;
        /// Which request a controller serves next.
        #[only(is("model", "controllers"))]
        scheduler: DramScheduler = DramScheduler::Fifo;
        /// Requests that may go before the oldest one of their bank, of a scheduler that lets them; 0: any number.
        #[only(policy("scheduler", |kind: DramScheduler| kind.policy().may_overtake()))]
        row_streak_max: u32 = 0, range(0, 1023);
        /// Cycles that every reply waits after its burst; `reply_entries` have to cover them for full bandwidth.
        #[only(is("model", "controllers"))]
        min_latency: u32 = 0, range(0, 1023) cycles;
        /// How writes of less than 16 bytes of a chunk are done.
        #[only(is("model", "controllers"))]
        partial_write: PartialWrite = PartialWrite::Mask;
        /// Whether writes are acknowledged. `none` needs a network that keeps the order of a core's requests to a controller.
        #[only(is("model", "controllers"))]
        write_reply: WriteReply = WriteReply::Packet;
        /// Outstanding atomics at a memory node.
        #[only(is("model", "controllers"))]
        #[only(is("core.atomics", true))]
        atomic_entries: u32 = 8, range(2, 64);
        /// DRAM timing, cycles of its clock.
        #[only(is("model", "controllers"))]
        timing: DramTiming;
    }
}
