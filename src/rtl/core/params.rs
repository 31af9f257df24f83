//! Widths, sizes and protocols that follow from the parameters of a core.

use super::config::{CoreParams, MemoryOrder, SharedGroup};
use super::memory::{memory_port::MemoryPortParams, read_only_cache};
use super::throttle::LocalityWidths;
use cache::CacheParams;
use hdl::{Builder, Parameters, Signal, concat, index_width, params};
use memory::{
    map::{AddressMap, USUAL_LINE_BYTES},
    packets::MemoryPackets,
};
use protocol::{Protocol, WriteReply};

/// Threads of a warp. Part of the instruction set, not a parameter.
pub const WARP: u32 = 32;

impl CoreParams {
    /// Replies that its interface may hold: a core without caches accepts every reply at once, the credit only takes its way.
    pub const RX_PLACES: usize = 4;
    /// Groups of threads of a warp with one address whose constants are outstanding.
    pub const CONSTANT_GROUPS: u32 = 8;
    /// Lines of texels outstanding.
    pub const TEXTURE_PLACES: u32 = 8;

    /// The defaults, with the chip's address map.
    pub fn new(map: AddressMap) -> Self {
        Self { map, ..Self::default() }
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
