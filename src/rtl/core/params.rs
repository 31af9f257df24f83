//! Parameters of a SIMT core and the widths that follow from them.

use super::latency::Latencies;
use super::memory::{memory_port::MemoryPortParams, read_only_cache};
use super::prefetch::PrefetchConfig;
use super::scheduler::{WarpGroup, WarpScheduler};
use super::throttle::{LocalityWidths, ThrottleConfig};
use crate::{
    cache::CacheParams,
    memory::{
        map::{AddressMap, USUAL_LINE_BYTES},
        packets::MemoryPackets,
        protocol::{Protocol, WriteReply},
    },
};
use hdl::{Builder, Parameters, Signal, concat, index_width, params};
use program::isa::BARRIERS;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Threads of a warp. Part of the instruction set, not a parameter.
pub const WARP: u32 = 32;

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

/// What a core is built from.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct CoreParams {
    /// Resident warps; 2 to 64, a multiple of the issue slots. Default 8.
    pub warps: u32,
    /// Lanes: threads that execute in one cycle; 8, 16 or 32. A warp takes `32 / lanes` beats. Default 8.
    pub lanes: u32,
    /// Registers per thread; a power of two, 8 to 128. Default 64.
    pub registers: u32,
    /// Instruction memory, in 64-bit words; a power of two, 16 to 65,536. Default 4,096. None with an instruction cache.
    pub program_words: u32,
    /// Shared memory, in bytes; whole KiB, 1 to 64. Default 16 KiB.
    pub shared_bytes: u32,
    /// Thread blocks that can be resident at a time; 2 to 32. Default 8.
    pub blocks: u32,
    /// Cycles from operands to result in the lanes, 1 to 32. Default 4.
    pub execute_stages: u32,
    /// Global load instructions in flight, 2 to 64. Default 8.
    pub load_entries: u32,
    /// Bits of a transaction number, 1 to 8: `2^tag_bits` read requests in flight. At least as many as a warp number has. Default 4.
    pub tag_bits: u32,
    /// Which of the ready warps issues next. Default round robin.
    pub scheduler: WarpScheduler,
    /// Groups of warps, of a scheduler of two levels. Default eight.
    pub warp_group: WarpGroup,
    /// Misses in a row that LAWS counts, 0 to 31. Default 31.
    pub laws_max_misses: u32,
    /// How many warps may issue. Default all.
    pub throttle: ThrottleConfig,
    /// What it prefetches into its data cache. Default nothing.
    pub prefetch: PrefetchConfig,
    /// Packet places of the network interface, the credits at the start. Default 2.
    pub tx_queue_packets: u32,
    /// Payload bits of a flit of requests, a multiple of 8; says how many flits a packet has. Default 128.
    pub flit_bits: u32,
    /// Which node holds an address.
    #[serde(skip)]
    pub map: AddressMap,
    /// Its data cache; none by default.
    pub l1d: Option<CacheParams>,
    /// Its instruction cache, in front of a program in global memory; none by default.
    pub instruction_cache: Option<CacheParams>,
    /// Its constant cache; none by default: constants are loaded as other global memory is.
    pub constant_cache: Option<CacheParams>,
    /// Its texture cache; none by default: textures are loaded as other global memory is.
    pub texture_cache: Option<CacheParams>,
    /// What keeps the order of accesses. Default by warp.
    pub memory_order: MemoryOrder,
    /// When a warp may issue again. Default by scoreboard.
    pub issue: IssueRule,
    /// Latencies of operation classes; none: all have `execute_stages`. Default none.
    pub latencies: Option<Latencies>,
    /// Which threads of a warp can share a request. Default all.
    pub coalescing: Coalescing,
    /// A read of a line with an outstanding read takes its reply. Default no.
    pub merge_loads: bool,
    /// Banks of shared memory: 0, one for each lane, or 8, 16 or 32. Default 0.
    pub shared_banks: u32,
    /// Threads that shared memory serves together. Default a beat.
    pub shared_conflict_group: SharedGroup,
    /// Reads and writes outstanding in network and memory, where lines are kept in order: below a data cache, or with order by line; 2 to 256.
    pub max_outstanding: u32,
    /// Whether writes are answered. Default by packets.
    pub write_reply: WriteReply,
    /// It has atomic instructions. Not by default.
    pub atomics: bool,
    /// Lanes with a double-precision unit. Default none.
    pub double: DoubleRate,
    /// Special function units: 0, or a power of two below `lanes`. Default 0.
    pub special_units: u32,
    /// Barriers of a thread block: 1, of all its threads, or a power of two up to 16, also of some of them and with reductions. Default 1.
    pub barriers: u32,
    /// Instructions that it issues in an issue interval: 1, or 2 of warps of different parity, each part with `lanes` lanes. Default 1.
    pub issue_slots: u32,
    /// These are the parameters of one of so many parts of a core ([`CoreParams::part`]): `warps` are its own. 1: of the whole.
    pub part_of: u32,
}

impl CoreParams {
    /// Replies that its interface may hold: a core without caches accepts every reply at once, the credit only takes its way.
    pub const RX_PLACES: usize = 4;
    /// Groups of threads of a warp with one address whose constants are outstanding.
    pub const CONSTANT_GROUPS: u32 = 8;
    /// Lines of texels outstanding.
    pub const TEXTURE_PLACES: u32 = 8;

    /// The defaults, with the chip's address map.
    pub fn new(map: AddressMap) -> Self {
        Self {
            warps: 8,
            lanes: 8,
            registers: 64,
            program_words: 4096,
            shared_bytes: 16 * 1024,
            blocks: 8,
            execute_stages: 4,
            load_entries: 8,
            tag_bits: 4,
            scheduler: WarpScheduler::default(),
            warp_group: WarpGroup::default(),
            laws_max_misses: 31,
            throttle: ThrottleConfig::default(),
            prefetch: PrefetchConfig::default(),
            tx_queue_packets: 2,
            flit_bits: 128,
            map,
            l1d: None,
            instruction_cache: None,
            constant_cache: None,
            texture_cache: None,
            memory_order: MemoryOrder::default(),
            issue: IssueRule::default(),
            latencies: None,
            coalescing: Coalescing::default(),
            merge_loads: false,
            shared_banks: 0,
            shared_conflict_group: SharedGroup::default(),
            max_outstanding: 32,
            write_reply: WriteReply::default(),
            atomics: false,
            double: DoubleRate::default(),
            special_units: 0,
            barriers: 1,
            issue_slots: 1,
            part_of: 1,
        }
    }

    /// What most of its blocks are called after.
    pub(super) fn sizes(&self) -> Parameters {
        params! { warps: self.warps, lanes: self.lanes, registers: self.registers }
    }

    /// Parameters of a block of the core: what it is called after, and what of the core is not as usual.
    pub(super) fn parameters(&self, shown: Parameters) -> Parameters {
        let line_bytes = Some(self.map.line_bytes()).filter(|bytes| *bytes != USUAL_LINE_BYTES);
        shown.beside("line_bytes", &line_bytes).and_unlike(self, &Self::new(self.map.clone()))
    }

    /// What is wrong, as `name = value, allowed`; empty for legal parameters.
    pub fn problems(&self) -> Vec<String> {
        let mut wrong = vec![];
        let mut range = |name: &str, value: u32, low: u32, high: u32, power: bool| {
            if value < low || value > high || power && !value.is_power_of_two() {
                let what = if power { "a power of two from" } else { "from" };
                wrong.push(format!("core: {name} = {value}, allowed is {what} {low} to {high}"));
            }
        };
        range("issue_slots", self.issue_slots, 1, 2, false);
        range("barriers", self.barriers, 1, BARRIERS, true);
        range("warps", self.warps, 2 * self.issue_slots.min(2), 64, false);
        range("lanes", self.lanes, 8, 32, true);
        range("registers", self.registers, 8, 128, true);
        range("program_words", self.program_words, 16, 65_536, true);
        range("shared_bytes", self.shared_bytes, 1024, 65_536, false);
        range("blocks", self.blocks, 2, 32, false);
        range("execute_stages", self.execute_stages, 1, 32, false);
        range("load_entries", self.load_entries, 2, 64, false);
        range("tag_bits", self.tag_bits, self.warp_bits(), 8, false);
        let parts = [("warps", self.warps, self.issue_slots.clamp(1, 2)), ("shared_bytes", self.shared_bytes, 1024)];
        let uneven = parts.into_iter().filter(|(_, value, of)| !value.is_multiple_of(*of));
        let uneven: Vec<_> =
            uneven.map(|(name, value, of)| format!("core: {name} = {value}, allowed is a multiple of {of}")).collect();
        if self.special_units != 0 {
            range("special_units", self.special_units, 1, self.lanes / 2, true);
        }
        range("max_outstanding", self.max_outstanding, 2, 256, false);
        range("tx_queue_packets", self.tx_queue_packets, 1, 64, false);
        let cycles = self.latencies.map_or(vec![], |latencies| latencies.cycles.to_vec());
        cycles.iter().for_each(|&cycles| range("latency", cycles, 1, 255, false));
        range("merge_loads", u32::from(self.merge_loads), 0, u32::from(self.l1d.is_none()), false);
        if self.shared_banks != 0 {
            range("shared_banks", self.shared_banks, 8, 32, true);
        }
        if self.prefetches() != self.l1d.as_ref().is_some_and(CacheParams::prefetches) {
            let kind = self.prefetch.kind.name();
            wrong.push(format!("core: prefetch.kind = {kind}, allowed is none without a data cache that prefetches"));
        }
        wrong.extend(uneven);
        wrong
    }

    /// Reports illegal parameters as problems of the block under construction.
    #[track_caller]
    pub(super) fn require(&self, m: &Builder) {
        self.problems().iter().for_each(|problem| m.require(false, problem));
    }

    /// The scheduler goes by the locality of the core's loads.
    pub fn scores_locality(&self) -> bool {
        self.scheduler.policy().reads().prefer_rr
    }

    /// Something of the core goes by what happens in its data cache.
    pub fn reads_cache_events(&self) -> bool {
        self.scores_locality() || self.throttle.kind.policy().reads().cache
    }

    /// The throttle goes by the lines that the data cache loses.
    pub fn reads_lost_lines(&self) -> bool {
        self.throttle.kind.policy().reads().lost_lines
    }

    /// Bits of the number of such a line.
    pub(super) fn lost_line_bits(&self) -> u32 {
        if self.reads_lost_lines() { self.protocol().line_number_bits() } else { 0 }
    }

    /// Widths of what the throttle sees of the data cache.
    pub(super) fn locality_widths(&self) -> LocalityWidths {
        LocalityWidths { warp_bits: self.warp_bits(), lost_line_bits: self.lost_line_bits() }
    }

    /// The warps show whether their next instruction is a global load.
    pub(super) fn shows_loads(&self) -> bool {
        self.scheduler.policy().reads().loads || self.throttle.kind.policy().holds_loads_only()
    }

    /// It has a prefetcher.
    pub fn prefetches(&self) -> bool {
        !self.prefetch.kind.policy().sources().is_empty()
    }

    /// Entries of the data cache for misses.
    pub fn miss_entries(&self) -> u32 {
        self.l1d.as_ref().map_or(1, CacheParams::all_entries)
    }

    /// Groups of operation classes that differ in latency or interval; 0: all are equal.
    pub(super) fn latency_groups(&self) -> u32 {
        self.latencies.map_or(0, |latencies| latencies.groups().len() as u32)
    }

    /// Banks of shared memory.
    pub fn banks(&self) -> u32 {
        if self.shared_banks == 0 { self.lanes } else { self.shared_banks }
    }

    /// Bits of the number of a word within its bank of shared memory.
    pub fn bank_address_bits(&self) -> u32 {
        self.shared_address_bits() - 2 - self.banks().ilog2()
    }

    /// Bits of the address of a byte of shared memory.
    pub fn shared_address_bits(&self) -> u32 {
        index_width(self.shared_bytes as usize)
    }

    /// Words of a bank of shared memory.
    pub fn bank_words(&self) -> u32 {
        self.shared_bytes / 4 / self.banks()
    }

    /// Threads that shared memory serves together.
    pub fn group_threads(&self) -> u32 {
        match self.shared_conflict_group {
            SharedGroup::Lanes => self.lanes,
            SharedGroup::HalfWarp => WARP / 2,
            SharedGroup::Warp => WARP,
        }
    }

    /// Accesses that shared memory has places for: those on their way from choice to banks, beats + 3 cycles, when one
    /// is chosen in every issue interval.
    pub fn shared_entries(&self) -> u32 {
        (1 + 3u32.div_ceil(self.beats())).next_power_of_two()
    }

    /// Cycles from the choice of an instruction until its last result is written and it has left the pipeline.
    pub fn pipeline_depth(&self) -> u32 {
        self.execute_stages + 2 + self.beats()
    }

    /// The row of a memory with one for each place and beat: `place` alone where a warp has one beat.
    pub(super) fn row<'m>(&self, place: &[Signal<'m>], beat: Signal<'m>) -> Signal<'m> {
        let beat = (self.beats() > 1).then_some(beat);
        concat(&place.iter().copied().chain(beat).collect::<Vec<_>>())
    }

    /// Asserts, where a warp has one beat, that these beat numbers are zero: nothing else reads them then.
    pub(super) fn one_beat(&self, m: &Builder, valid: Signal<'_>, beat: Signal<'_>) {
        if self.beats() == 1 {
            m.always("a warp has one beat", !valid | beat.is_zero());
        }
    }

    /// Cycles that a warp needs in the lanes.
    pub fn beats(&self) -> u32 {
        WARP / self.lanes
    }

    /// Bits of a beat number.
    pub fn beat_bits(&self) -> u32 {
        index_width(self.beats() as usize)
    }

    /// Bits of a warp number.
    pub fn warp_bits(&self) -> u32 {
        index_width(self.warps as usize)
    }

    /// Bits of a number of warps.
    pub fn warp_count_bits(&self) -> u32 {
        index_width(self.warps as usize + 1)
    }

    /// Bits of a number of warps of the core.
    pub fn core_warp_count_bits(&self) -> u32 {
        index_width(self.core_warps() as usize + 1)
    }

    /// Bits of a register number.
    pub fn register_bits(&self) -> u32 {
        index_width(self.registers as usize)
    }

    /// Bits of a block slot number.
    pub fn slot_bits(&self) -> u32 {
        index_width(self.blocks as usize)
    }

    /// Bits of an instruction memory address.
    pub fn program_bits(&self) -> u32 {
        index_width(self.program_words as usize)
    }

    /// Its memory port.
    pub fn memory_port(&self) -> MemoryPortParams {
        MemoryPortParams {
            clients: self.clients().len() as u32,
            client: self.port_protocol(),
            tx_queue_packets: self.tx_queue_packets,
            map: self.map.clone(),
            replies: if self.queues_replies() { Self::RX_PLACES } else { 0 },
            flit_bits: self.flit_bits,
        }
    }

    /// Its packets.
    pub fn packets(&self) -> MemoryPackets {
        self.memory_port().packets()
    }

    /// Transactions of the units that read and write global memory: clients of its memory port, in the order in which
    /// [`tile`](super::tile) names them.
    pub fn clients(&self) -> Vec<Protocol> {
        let caches = self.read_only_caches().into_iter().map(read_only_cache::downstream);
        [self.data_protocol()].into_iter().chain(caches).collect()
    }

    /// The caches that are only read.
    pub fn read_only_caches(&self) -> Vec<&CacheParams> {
        [&self.instruction_cache, &self.constant_cache, &self.texture_cache].into_iter().flatten().collect()
    }

    /// It has a cache, which is flushed at the end of a kernel.
    pub fn has_caches(&self) -> bool {
        self.l1d.is_some() || !self.read_only_caches().is_empty()
    }

    /// Transactions of its memory port: tags are as wide as the widest of a client.
    pub fn port_protocol(&self) -> Protocol {
        let tag_bits = self.clients().iter().map(|client| client.tag_bits).fold(0, u32::max);
        self.protocol().with_tag_bits(tag_bits)
    }

    /// Reads of an instruction cache: the tag is the warp, and below it the place of the instruction in its line.
    pub fn fetch_protocol(&self) -> Protocol {
        self.protocol().with_tag_bits(self.warp_bits() + self.fetch_place_bits())
    }

    /// Reads of a constant cache: the tag is a group of threads, and below it the word in the line.
    pub fn constant_protocol(&self) -> Protocol {
        let protocol = self.protocol();
        protocol.with_tag_bits(index_width(Self::CONSTANT_GROUPS as usize) + protocol.word_index_bits())
    }

    /// Reads of a texture cache: the tag is a place.
    pub fn texture_protocol(&self) -> Protocol {
        self.protocol().with_tag_bits(index_width(Self::TEXTURE_PLACES as usize))
    }

    /// Bits of the place of an instruction in its line.
    pub fn fetch_place_bits(&self) -> u32 {
        (self.map.line_bytes() / 8).ilog2()
    }

    /// Stores of a warp that may be outstanding: with order by warp those of one instruction, at most one for each thread and byte position.
    pub fn store_count_bits(&self) -> u32 {
        // In the coalescer, the queues of a data cache, and below.
        if self.memory_order == MemoryOrder::Line { 10 } else { 6 }
    }

    /// Writes are not answered: they are done when they leave.
    pub fn posts_writes(&self) -> bool {
        self.write_reply == WriteReply::None
    }

    /// Its barriers have numbers.
    pub fn has_named_barriers(&self) -> bool {
        self.barriers > 1
    }

    /// Bits of the number of threads of the core.
    pub fn thread_count_bits(&self) -> u32 {
        index_width((WARP * self.core_warps() + 1) as usize)
    }

    /// Transactions of its load/store unit.
    pub fn protocol(&self) -> Protocol {
        Protocol { line_bytes: self.map.line_bytes(), tag_bits: self.tag_bits }
    }

    /// Read transactions in flight.
    pub fn tags(&self) -> u32 {
        1 << self.tag_bits
    }
}
