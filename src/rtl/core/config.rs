//! What a configuration says of the cores, and what a core is built from: each parameter that both have is declared once.

use super::block_distribution::BlockDistribution;
use super::latency::{ClassCycles, Latencies, LatencyPreset};
use super::own_rows::{OwnStages, OwnUnits};
use super::prefetch::PrefetchConfig;
use super::scheduler::{WarpGroup, WarpScheduler};
use super::throttle::ThrottleConfig;
use cache::CacheParams;
use common::{condition::Fact, parameters};
use memory::map::AddressMap;
use program::{FEWEST_REGISTERS, MOST_REGISTERS};
use protocol::WriteReply;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What keeps the order of a warp's accesses to global memory, which the network does not.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum MemoryOrder {
    /// A load waits for all stores of its warp, a store for all its loads and stores.
    #[default]
    Warp,
    /// Only accesses to the same line wait for each other.
    Line,
}

/// When a warp may issue its next instruction.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum IssueRule {
    /// When its operands are there.
    #[default]
    Scoreboard,
    /// When its last instruction has left the pipeline and none of its loads is pending.
    Barrel,
}

/// Which threads of a warp can share a request to global memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub enum Coalescing {
    /// All that access one line.
    #[default]
    #[serde(rename = "line")]
    Line,
    /// Those of the lower or the upper half that access one line.
    #[serde(rename = "half-warp")]
    HalfWarp,
    /// Those of a half that access one segment: 32, 64 or 128 bytes for accesses of 1, 2 or 4 bytes, as far as a line reaches.
    #[serde(rename = "cuda-1x")]
    Cuda1x,
}

/// Threads whose accesses to shared memory are served together: only these meet at a bank.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SharedGroup {
    /// Those of a beat: as many as there are lanes.
    #[default]
    Lanes,
    /// The lower or the upper 16 of a warp.
    HalfWarp,
    /// All of a warp.
    Warp,
}

/// Lanes with a double-precision unit.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub enum DoubleRate {
    /// None.
    #[default]
    #[serde(rename = "none")]
    None,
    /// One of eight.
    #[serde(rename = "1/8")]
    Eighth,
    /// One of two.
    #[serde(rename = "1/2")]
    Half,
}

impl DoubleRate {
    /// Lanes for each unit, if there is any.
    pub fn lanes_of_unit(self) -> Option<u32> {
        match self {
            Self::None => None,
            Self::Eighth => Some(8),
            Self::Half => Some(2),
        }
    }
}

/// The latency of a class of operations is not set apart.
const LATENCY_LEFT: Fact = Fact {
    about: "an operation class whose `core.latency` is 0",
    unmet: |config| core(config)?.latency.sets_all().then(|| "core.latency sets all classes".into()),
};

/// The latency or the interval of a class of operations is not set apart.
const TIME_LEFT: Fact = Fact {
    about: "an operation class whose `core.latency` or `core.initiation_interval` is 0",
    unmet: |config| {
        let core = core(config)?;
        let all = core.latency.sets_all() && core.initiation_interval.sets_all();
        all.then(|| "core.latency and core.initiation_interval set all classes".into())
    },
};

/// The core has a unit that another crate has added.
const OWN_UNIT: Fact = Fact {
    about: "a unit in `core.own_units`",
    unmet: |config| {
        let none = core(config)?.own_units.iter().all(|(_, count)| count == 0);
        none.then(|| "no unit in core.own_units".into())
    },
};

/// The core in a configuration with all defaults filled in.
fn core(config: &toml::Table) -> Option<CoreConfig> {
    /// The part of a configuration that is about the core.
    #[derive(Deserialize)]
    struct OfChip {
        core: CoreConfig,
    }
    OfChip::deserialize(config.clone()).ok().map(|chip| chip.core)
}

parameters! {
    pub shared {
        /// Resident warps; an even number with two issue slots.
        warps: u32 = 8, range(2, 64);
        /// Instructions issued in an issue interval. With 2, warps of even and of odd number have a scheduler, a throttle, registers and `lanes` each,
        /// and share the memory units.
        issue_slots: u32 = 1, range(1, 2);
        /// Lanes: threads that execute in one cycle.
        lanes: u32 = 8, powers(8, 32);
        /// Registers per thread.
        registers: u32 = 64, powers(FEWEST_REGISTERS as u32, MOST_REGISTERS as u32);
        /// Instruction memory of 64-bit words; not there with `cache.instruction`.
        #[only(is("cache.instruction.bytes", 0))]
        program_words: u32 = 4096, powers(16, 65_536) words;
        /// Shared memory.
        shared_bytes: u32 = 16 * 1024, kibibytes(1, 64) bytes;
        /// Thread blocks resident at a time.
        blocks: u32 = 8, range(2, 32);
        /// Cycles from operands to result in the lanes.
        #[only(is("latencies", "uniform").or(is("issue", "barrel")).or(other_than("double", "none")).or(above("special_units", 0)).or(follows(OWN_UNIT)))]
        #[only(follows(LATENCY_LEFT).or(is("issue", "barrel")).or(other_than("double", "none")).or(above("special_units", 0)).or(follows(OWN_UNIT)))]
        execute_stages: u32 = 4, range(1, 32) cycles;
        /// Global load instructions in flight.
        load_entries: u32 = 8, range(2, 64);
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
        /// What keeps the order of a warp's loads and stores: they wait for each other, or only those of the same line do.
        memory_order: MemoryOrder = MemoryOrder::Warp;
        /// When a warp may issue its next instruction: when its operands are there, or when the last one has left the pipeline.
        issue: IssueRule = IssueRule::Scoreboard;
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
        /// Units beside the lanes that other crates have added.
        #[serde(skip_serializing_if = "OwnUnits::is_empty")]
        own_units: OwnUnits;
        /// Stages between load/store unit and memory port that other crates have added.
        #[serde(skip_serializing_if = "OwnStages::is_empty")]
        own_stages: OwnStages;
        /// Barriers of a thread block: 1, of all its threads; or several, by number, of some or all, with reductions. Kernels that need more are refused.
        barriers: u32 = 1, powers(1, 16);
    }

    /// A SIMT core. Warps are 32 threads.
    pub struct CoreConfig {
        /// Registers that the blocks of a core have in all, those of a thread rounded up to 4; 0: as many as all warps have.
        register_file: u32 = 0, range(0, 262_144);
        /// Percent of warps, blocks, `register_file` and shared memory that there are.
        scale_percent: u32 = 100, range(25, 200);
        /// Bits of a transaction number, at least those of a warp number: 2^tag_bits reads in flight, no fewer than lines that the data cache's MSHRs hold;
        /// 0: 4, or those of a warp number where it has more, or 2^tag_bits is all targets of these MSHRs, 256 at most.
        tag_bits: u32 = 0, range(0, 8) bits;
        /// Which core with room gets the next thread block.
        block_distribution: BlockDistribution = BlockDistribution::RoundRobin;
        /// Cycles of operation classes in the lanes: all `execute_stages`, or those of a machine.
        #[only(follows(TIME_LEFT))]
        latencies: LatencyPreset = LatencyPreset::Uniform;
        /// Cycles from operands to result of a class, where they are not those of `latencies`.
        latency: ClassCycles;
        /// Cycles from an instruction of a class to the next one, where they are not those of `latencies`.
        initiation_interval: ClassCycles;
    }

    /// What a core is built from.
    pub record CoreParams {
        /// Bits of a transaction number: `2^tag_bits` read requests in flight. At least as many as a warp number has.
        tag_bits: u32 = 4, range(1, 8) bits;
        /// Packet places of the network interface, the credits at the start.
        tx_queue_packets: u32 = 2, range(1, 64);
        /// Payload bits of a flit of requests, a multiple of 8; says how many flits a packet has.
        flit_bits: u32 = 128;
        /// Which node holds an address.
        #[serde(skip)]
        map: AddressMap = AddressMap::default();
        /// Its data cache.
        l1d: Option<CacheParams> = None;
        /// Its instruction cache, in front of a program in global memory.
        instruction_cache: Option<CacheParams> = None;
        /// Its constant cache; none: constants are loaded as other global memory is.
        constant_cache: Option<CacheParams> = None;
        /// Its texture cache; none: textures are loaded as other global memory is.
        texture_cache: Option<CacheParams> = None;
        /// Latencies of operation classes; none: all have `execute_stages`.
        latencies: Option<Latencies> = None;
        /// Whether writes are answered.
        write_reply: WriteReply = WriteReply::Packet;
        /// These are the parameters of one of so many parts of a core ([`CoreParams::part`]): `warps` are its own. 1: of the whole.
        part_of: u32 = 1;
    }
}
