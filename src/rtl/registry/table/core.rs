//! Parts of a core.

use super::super::{BlockKind, BlockParameter, ParameterValue, typical::*};
use crate::{
    blocks::fixed,
    cache::MissHandling,
    core::{
        self, CoreParams, DoubleRate, PrefetchConfig, Prefetcher, Throttle, ThrottleConfig, TrainingBlock, WarpGroup,
        WarpScheduler, WrongStride,
        memory::{line_order::LineOrderParams, load_merge::LoadMergeParams},
        prefetch::stride_table::StrideTableParams,
        throttle::victim_tags::VictimTagsParams,
    },
    memory::protocol::Protocol,
};
use common::parameters::Allowed;

blocks! {
    /// Barriers of the thread blocks of a core.
    barrier {
        /// Warps.
        warps: u32 = 8, powers(2, 64);
        /// Thread blocks.
        blocks: u32 = 8, powers(1, 8);
        /// Barriers of a thread block.
        barriers: u32 = 1, powers(1, 16);
    } where blocks <= warps, "a block has a warp at least"; => core::barrier::barrier(&CoreParams {
        barriers, ..core_params(warps, blocks)
    });
    /// What starts the thread blocks of a core.
    block_control {
        /// Warps.
        warps: u32 = 8, powers(2, 64);
        /// Thread blocks.
        blocks: u32 = 8, powers(1, 8);
    } where blocks <= warps, "a block has a warp at least"; => core::block_control::block_control(&core_params(warps, blocks));
    /// Turns the accesses of a warp of eight lanes into requests for lines.
    coalescer {
        /// Bytes of a line.
        line: u32 = 64, powers(32, 128);
        /// 1: there are atomics.
        atomics: u32 = 0, range(0, 1);
    } => core::memory::coalescer::coalescer(&CoreParams { atomics: atomics == 1, ..core_of_lines(line) });
    /// Comparison unit of a lane: integers and floats.
    compare_unit {} => core::lane::compare_unit();
    /// Loads of constants of a core.
    constant_memory {
        /// Lanes.
        lanes: u32 = 8, powers(8, 16);
        /// Bytes of a line.
        line: u32 = 64, powers(32, 128);
    } => core::memory::constant_memory(&CoreParams { lanes, ..core_of_lines(line) });
    /// Instruction decoder.
    decode {
        /// Registers of a thread.
        registers: u32 = 64, powers(8, 128);
    } => core::decode::decode(&CoreParams { registers, ..core_params(8, 8) });
    /// Double-precision arithmetic of a thread.
    double_arithmetic {
        /// Registers within.
        registers: u32 = 0, range(0, 6);
    } => core::double_unit::double_arithmetic(registers);
    /// Double-precision unit of a core.
    double_unit {
        /// Lanes.
        lanes: u32 = 8, powers(8, 32);
        /// Lanes for each unit: 2 or 8.
        share: u32 = 8, powers(2, 8);
        /// Cycles from operands to results.
        stages: u32 = 4, range(1, 32);
    } where share != 4, "units are for one lane of two or of eight"; => core::double_unit::double_unit(&CoreParams {
        lanes, execute_stages: stages, double: if share == 2 { DoubleRate::Half } else { DoubleRate::Eighth }, ..core_params(8, 8)
    });
    /// Lanes of a core and the pipeline behind them.
    execute {
        /// Lanes.
        lanes: u32 = 8, powers(8, 32);
        /// Cycles from operands to results.
        stages: u32 = 4, range(1, 32);
    } => core::execute::execute(&CoreParams { lanes, execute_stages: stages, ..core_params(8, 8) });
    /// Fetch, decode and issue of a core: instruction memory, contexts of its warps, scheduler.
    front_end {
        /// Warps.
        warps: u32 = 8, powers(2, 64);
        /// Which of the ready warps issues next.
        scheduler: WarpScheduler;
        /// 1: instructions come in lines, from an instruction cache.
        cached: u32 = 0, range(0, 1);
    } => core::front_end::front_end(&fetching(CoreParams { scheduler, program_words: 64, ..core_params(warps, 2) }, cached == 1));
    /// Strides of loads that hold for all warps.
    global_strides {
        /// Loads.
        entries: u32 = 8, range(2, 64);
    } => core::prefetch::global_strides::global_strides(entries);
    /// Data cache of a core that evicts on a write, with the order of lines below it.
    l1_data {
        /// Sets.
        sets: u32 = 4, powers(2, 1024);
        /// Lines of a set.
        ways: u32 = 2, range(1, 16);
        /// Bytes of a line.
        line: u32 = 32, powers(32, 128);
        /// Bits of a request's tag.
        tag: u32 = 4, range(1, 16);
        /// Requests below that may be outstanding.
        entries: u32 = 4, range(2, 256);
        /// 1: lines know the warp (of eight) that brought them, and events are shown.
        locality: u32 = 0, range(0, 1);
        /// 1: a write poisons its line that is pending.
        poison: u32 = 0, range(0, 1);
        /// 1: it takes prefetches, 2: and keeps their lines alone.
        prefetch: u32 = 0, range(0, 2);
        /// How pending lines are found.
        misses: MissHandling;
    } where cache_is_legal(ways, tag, misses) && prefetch_is_legal(prefetch, misses), prefetching_cache_needs(); => core::memory::l1_data(&l1_params(Protocol { line_bytes: line, tag_bits: tag }, (sets, ways), (entries, misses), (locality == 1, poison == 1, prefetch)));
    /// Distances between loads that a thread executes once.
    inter_pc_table {
        /// Loads.
        entries: u32 = 16, range(2, 64);
    } => core::prefetch::inter_pc_table::inter_pc_table(entries, WrongStride::Transient);
    /// What one thread computes in one instruction.
    lane {
        /// Registers between operands and result.
        registers: u32 = 0, range(0, 6);
    } => core::lane::lane(registers);
    /// Keeps the order of reads and writes of each line in front of a network that does not.
    line_order {
        /// Bits of a request's tag.
        tag: u32 = 4, range(1, 16);
        /// Bytes of a line.
        line: u32 = 64, powers(32, 128);
        /// Outstanding requests.
        entries: u32 = 8, range(2, 256);
    } => core::memory::line_order::line_order(&LineOrderParams { protocol: Protocol { line_bytes: line, tag_bits: tag }, entries, atomics: false });
    /// A read of a line with an outstanding read shares its reply.
    load_merge {
        /// Bits of a request's tag.
        tag: u32 = 3, range(1, 8);
        /// Bytes of a line.
        line: u32 = 32, powers(32, 128);
    } => core::memory::load_merge::load_merge(&LoadMergeParams {
        protocol: Protocol { line_bytes: line, tag_bits: tag }, lines_in_order: false
    });
    /// Global loads and stores of a core: coalescer, pending request table, store tracker.
    load_store {
        /// Bytes of a line.
        line: u32 = 64, powers(32, 128);
    } => core::memory::load_store::load_store(&core_of_lines(line));
    /// Locality of a core's loads: which policy its scheduler should follow.
    locality {} => core::locality::locality(&core_params(8, 8));
    /// Locality scoring system: what kind of locality the loads of a core have shown.
    locality_score {} => fixed::locality_score();
    /// Memory port of a core: transactions of its units as packets, four controllers of a 4 x 4 mesh.
    memory_port {
        /// Units that send requests.
        clients: u32 = 2, range(1, 8);
        /// Bits of a unit's tag.
        tag: u32 = 4, range(1, 8);
        /// Bytes of a line.
        line: u32 = 64, powers(32, 128);
        /// Packets that the network interface takes before it gives a credit back.
        places: u32 = 2, range(1, 64);
    } => core::memory::memory_port(&port_params(clients, Protocol { line_bytes: line, tag_bits: tag }, places));
    /// The oldest few of the warps that can go on.
    oldest_warps {
        /// Warps.
        warps: u32 = 8, range(2, 64);
    } => core::throttle::oldest_warps::oldest_warps(warps);
    /// Guard, registers, special registers, parameters and immediate of an instruction.
    operands {
        /// Warps.
        warps: u32 = 8, powers(2, 64);
        /// Lanes.
        lanes: u32 = 8, powers(8, 32);
    } => core::operands::operands(&CoreParams { lanes, ..core_params(warps, 2) });
    /// Outstanding loads from global memory.
    pending_request_table {
        /// Load instructions.
        load_entries: u32 = 8, range(2, 64);
        /// Bits of a request's tag.
        tag: u32 = 4, range(3, 8);
        /// Bytes of a line.
        line: u32 = 64, powers(32, 128);
    } => core::memory::pending_request_table::pending_request_table(&CoreParams { load_entries, tag_bits: tag, ..core_of_lines(line) });
    /// Acknowledges writes that memory does not acknowledge; fences to four controllers say when they have arrived.
    posted_writes {
        /// Warps.
        warps: u32 = 4, powers(2, 32);
        /// Bits of a request's tag.
        tag: u32 = 4, range(1, 8);
        /// Bytes of a line.
        line: u32 = 64, powers(32, 128);
    } => core::memory::posted_writes(&posted_params(warps, Protocol { line_bytes: line, tag_bits: tag }));
    /// Predicates of the threads of a core.
    predicate_file {
        /// Warps.
        warps: u32 = 8, powers(2, 64);
    } => core::register_file::predicate_file(&core_params(warps, 8));
    /// Learns from a core's loads which lines its data cache should have soon.
    prefetcher {
        /// Warps.
        warps: u32 = 8, powers(2, 32);
        /// 0: `pcst`, 1: `pcst-itpc`, 2: `stpe`, 3: `mt-hwp`.
        kind: u32 = 0, range(0, 3);
        /// Prefetches that wait.
        queue: u32 = 4, powers(2, 16);
        /// 1: it learns from the first thread of any block.
        any: u32 = 0, range(0, 1);
    } => core::prefetch::prefetcher(&prefetching_core(warps, PrefetchConfig { kind: Prefetcher::ALL[kind as usize + 1], queue_entries: queue, train: if any == 1 { TrainingBlock::Any } else { TrainingBlock::Block }, ..Default::default() }));
    /// Cache of a core that is only read, with two miss entries of two targets each.
    read_only_cache {
        /// Sets.
        sets: u32 = 4, powers(2, 1024);
        /// Lines of a set.
        ways: u32 = 2, range(1, 16);
        /// Bytes of a line.
        line: u32 = 32, powers(32, 128);
        /// Bits of a request's tag.
        tag: u32 = 4, range(1, 16);
        /// How pending lines are found.
        misses: MissHandling;
    } => core::memory::read_only_cache::read_only_cache(&read_only_params(Protocol { line_bytes: line, tag_bits: tag }, (sets, ways), misses));
    /// Stack of the branches of a warp.
    reconvergence_stack {} => core::stack::reconvergence_stack();
    /// Registers of the threads of a core.
    register_file {
        /// Warps.
        warps: u32 = 8, powers(2, 64);
        /// Registers of a thread.
        registers: u32 = 64, powers(8, 128);
    } => core::register_file::register_file(&CoreParams { registers, ..core_params(warps, 2) });
    /// Reserves the cycles in which results of two latencies leave the lanes; the longer one's operations have an interval.
    result_slots {
        /// Cycles of the shorter latency.
        short: u32 = 2, range(1, 254);
        /// Those that the other one is longer by.
        longer: u32 = 3, range(1, 128);
        /// From one operation of the longer latency to the next one.
        interval: u32 = 12, range(0, 255);
        /// Beats of a warp.
        beats: u32 = 4, powers(1, 4);
    } => core::latency::result_slots(&[(short, 0), (short + longer, interval)], beats);
    /// Registers and predicates of a warp whose results are still to come.
    scoreboard {
        /// Registers of a thread.
        registers: u32 = 64, powers(8, 128);
    } => core::scoreboard::scoreboard(&CoreParams { registers, ..core_params(8, 8) });
    /// A bank of shared memory.
    shared_bank {
        /// Words.
        words: u32 = 512, powers(2, 16384);
    } => core::memory::shared_memory::shared_bank(words);
    /// Shared memory of a core.
    shared_memory {
        /// Lanes.
        lanes: u32 = 8, powers(8, 32);
        /// Bytes.
        bytes: u32 = 16384, powers(1024, 65536);
        /// Banks.
        banks: u32 = 8, powers(8, 32);
        /// Threads that are served together.
        group: u32 = 8, powers(8, 32);
        /// 1: there are atomics.
        atomics: u32 = 0, range(0, 1);
    } where group > 8 || lanes == 8, "a beat, a half-warp or a warp is served together";
    => core::memory::shared_memory::shared_memory(&CoreParams { atomics: atomics == 1, ..shared_params(lanes, bytes, banks, group) });
    /// Special function of a thread.
    special_arithmetic {} => core::special_unit::special_arithmetic(0);
    /// Special function unit of a core.
    special_unit {
        /// Lanes.
        lanes: u32 = 8, powers(8, 32);
        /// Units, of at most half the lanes.
        units: u32 = 4, powers(1, 16);
        /// Cycles from operands to results.
        stages: u32 = 4, range(1, 32);
    } where 2 * units <= lanes, "units are for at most half the lanes"; => core::special_unit::special_unit(&CoreParams {
        lanes, execute_stages: stages, special_units: units, ..core_params(8, 8)
    });
    /// Strides of loads by pc, learnt from one thread.
    stride_table {
        /// Loads.
        entries: u32 = 16, range(2, 64);
        /// 1: it says how far apart loads are that were executed once.
        pairs: u32 = 0, range(0, 1);
    } => core::prefetch::stride_table::stride_table(&StrideTableParams { entries, wrong_stride: WrongStride::Transient, pairs: pairs == 1 });
    /// Which warps of a core have stores that are not acknowledged.
    store_tracker {
        /// Warps.
        warps: u32 = 8, powers(2, 64);
    } => core::memory::store_tracker::store_tracker(&core_params(warps, 2));
    /// Way of textures of a core, behind its load/store unit.
    texture_path {
        /// Bytes of a line.
        line: u32 = 64, powers(32, 128);
    } => core::memory::texture_path(&core_of_lines(line));
    /// Coordinates of the threads of a warp in its block.
    thread_index {
        /// Warps.
        warps: u32 = 8, powers(2, 64);
        /// Lanes.
        lanes: u32 = 8, powers(8, 32);
    } => core::thread_index::thread_index(&CoreParams { lanes, ..core_params(warps, 8) });
    /// How many warps may issue, and which; with eight miss entries.
    throttle {
        /// Warps.
        warps: u32 = 8, powers(2, 32);
        /// How.
        kind: Throttle;
        /// Warps that `swl` lets issue.
        limit: u32 = 3, range(1, 32);
        /// Cycles from a decision of `thu` to the next.
        cycles: u32 = 1024, range(1, 65_535);
    } => core::throttle::throttle(&throttled_core(warps, ThrottleConfig { kind, warps: limit, min_cycles: cycles, ..Default::default() }));
    /// Distances between a load of neighbouring warps.
    thread_strides {
        /// Loads.
        entries: u32 = 8, range(2, 64);
        /// Bits of a warp's number.
        warp: u32 = 3, range(1, 6);
    } => core::prefetch::thread_strides::thread_strides(entries, warp);
    /// Strides of loads of single warps.
    warp_strides {
        /// Loads of a warp.
        entries: u32 = 32, range(2, 64);
        /// Bits of a warp's number.
        warp: u32 = 3, range(1, 6);
    } => core::prefetch::warp_strides::warp_strides(entries, warp);
    /// Tags of the lines that each warp has lately lost from the data cache.
    victim_tags {
        /// Warps.
        warps: u32 = 8, powers(2, 64);
        /// Sets of a warp.
        sets: u32 = 2, powers(1, 32);
        /// Tags of a set.
        ways: u32 = 8, range(1, 32);
        /// Bits of a line's number.
        line: u32 = 26, range(6, 32);
    } => core::throttle::victim_tags::victim_tags(&VictimTagsParams { warps, sets, ways, line_bits: line });
    /// Context of a warp: state, next instruction, scoreboard, reconvergence stack.
    warp {
        /// Warps of the core.
        warps: u32 = 8, powers(2, 64);
        /// Registers of a thread.
        registers: u32 = 64, powers(8, 128);
    } => core::warp::warp(&CoreParams { registers, ..core_params(warps, 2) });
    /// Which of the ready warps issues next.
    warp_scheduler {
        /// Warps.
        warps: u32 = 8, range(2, 64);
        /// How.
        kind: WarpScheduler;
        /// Groups of warps.
        group: WarpGroup;
        /// Block slots, of groups by block.
        slots: u32 = 8, range(2, 32);
    } => core::scheduler::warp_scheduler(kind, warps, group, slots);
    /// Who writes the registers in this cycle.
    write_back {
        /// Lanes.
        lanes: u32 = 8, powers(8, 32);
    } => core::write_back::write_back(&CoreParams { lanes, ..core_params(8, 8) });
}
