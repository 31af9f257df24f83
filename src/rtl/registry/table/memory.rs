//! Caches and memory controllers.

use super::super::{BlockKind, BlockParameter, ParameterValue, typical::*};
use crate::{
    blocks::*,
    cache::{self, CacheParams, MissHandling, OwnParams, Replacement, SetIndex, cache, reply_queue::ReplyQueueParams},
    memory::{
        AtomicUnitParams, DramScheduler, PartialWritesParams, PartitionParams, atomic_unit, controller::controller,
        memory_crossing, partial_writes, partition, protocol::Protocol,
    },
};
use common::parameters::Allowed;

blocks! {
    /// Atomics at a memory node: reads, computes, writes, with the line locked.
    atomic_unit {
        /// Bits of a request's tag.
        tag: u32 = 6, range(1, 16);
        /// Bytes of a line.
        line: u32 = 64, powers(32, 128);
        /// Outstanding atomics.
        entries: u32 = 8, range(2, 64);
    } => atomic_unit(&AtomicUnitParams { protocol: Protocol { line_bytes: line, tag_bits: tag }, entries });
    /// Cache with two miss entries of two targets each: an L2 bank with short queues.
    cache {
        /// Sets.
        sets: u32 = 4, powers(2, 1024);
        /// Lines of a set.
        ways: u32 = 2, range(1, 16);
        /// Bytes of a line.
        line: u32 = 32, powers(32, 128);
        /// Bits of a request's tag.
        tag: u32 = 4, range(1, 16);
        /// Cycles of a hit.
        latency: u32 = 3, range(3, 64);
        /// Set of a line.
        index: SetIndex;
        /// Replacement policy: which line of a set is the victim.
        replacement: Replacement;
        /// How pending lines are found; kinds that keep them in the tags with allocation on miss, the others on fill. Two entries in each part.
        misses: MissHandling;
    } where cache_is_legal(ways, tag, misses), cache_needs(); => cache(&cache_params(Protocol { line_bytes: line, tag_bits: tag }, (sets, ways), latency, (index, replacement, misses)));
    /// Lines of a cache.
    cache_data_array {
        /// Lines.
        lines: u32 = 64, range(2, 65536);
        /// Bytes of a line.
        line: u32 = 64, powers(32, 128);
    } => cache::data_array::data_array(lines, line);
    /// Requests that wait for each pending line of a cache.
    cache_targets {
        /// Miss entries.
        entries: u32 = 8, range(2, 256);
        /// Requests that can wait for one line.
        targets: u32 = 4, range(1, 32);
        /// Bits of a request's tag.
        tag: u32 = 8, range(1, 32);
    } => cache::targets::targets(entries, targets, tag);
    /// Replies of a cache, until they are due and taken.
    cache_reply_queue {
        /// Bytes of a line.
        line: u32 = 64, powers(32, 128);
        /// Bits of a request's tag.
        tag: u32 = 8, range(1, 32);
        /// Replies.
        places: u32 = 6, range(1, 64);
        /// Cycles that each waits at least.
        delay: u32 = 7, range(0, 61);
    } => cache::reply_queue::reply_queue(&ReplyQueueParams { protocol: Protocol { line_bytes: line, tag_bits: tag }, places, delay });
    /// Requests that wait for each pending line of a cache, any number of them.
    cache_waiting_lists {
        /// Miss entries.
        entries: u32 = 8, range(2, 1025);
        /// Bits of a request's tag.
        tag: u32 = 8, range(1, 16);
    } => cache::waiting_lists::waiting_lists(entries, tag);
    /// Rows of the sets of a cache, read a cycle ahead.
    cache_set_array {
        /// Sets.
        sets: u32 = 64, powers(2, 65536);
        /// Bits of a row.
        width: u32 = 32, range(1, 4096);
    } => cache::set_array::set_array(sets, width);
    /// What the memory controller knows of a DRAM bank: the commands that it may be given now.
    dram_bank_state {} => fixed::dram_bank_state();
    /// Controller of a DRAM channel with two banks.
    memory_controller {
        /// Bits of a request's tag; two more say the node.
        tag: u32 = 4, range(1, 16);
        /// Requests that wait.
        queue: usize = 16, range(1, 256);
        /// Replies that wait.
        replies: usize = 4, range(1, 256);
        /// Bytes of a line.
        line: u32 = 64, powers(32, 128);
        /// Which request is served next.
        scheduler: DramScheduler;
        /// Requests that may go before the oldest one of their bank; 0: any number.
        streak: u32 = 0, range(0, 1023);
        /// Cycles that every reply waits after its burst.
        wait: u32 = 0, range(0, 1023);
    } => controller(&served(partition_params(tag, line, (queue, replies, 1)).controller(), scheduler, (streak, wait)));
    /// Clock crossing of the memory protocol.
    memory_crossing {
        /// Bits of a request's tag.
        tag: u32 = 4, range(1, 16);
        /// Bytes of a line.
        line: u32 = 64, powers(32, 128);
    } => memory_crossing(&Protocol { line_bytes: line, tag_bits: tag });
    /// Memory partition tile: packets in and out, the controller of a DRAM channel with two banks.
    memory_partition {
        /// Bits of a request's tag.
        tag: u32 = 4, range(1, 16);
        /// Requests that wait.
        queue: usize = 16, range(1, 256);
        /// Replies that wait.
        replies: usize = 4, range(1, 256);
        /// Packets that the network interface takes before it gives a credit back.
        places: usize = 16, range(1, 256);
        /// Bytes of a line.
        line: u32 = 64, powers(32, 128);
        /// 1: the DRAM channel has a clock of its own.
        own_clock: u32 = 0, range(0, 1);
        /// Outstanding atomics; 0: there are none, else at least 2.
        atomics: u32 = 0, range(0, 64);
    } where atomics != 1, "a memory node has places for two atomics or none"; => partition(&PartitionParams { atomics, crosses_clocks: own_clock == 1, ..partition_params(tag, line, (queue, replies, places)) });
    /// Miss status holding registers of a cache, without their targets.
    miss_entries {
        /// Entries.
        entries: u32 = 8, range(2, 256);
        /// Entries of a set, of a set-associative kind; gives a power of two of sets.
        ways: u32 = 4, range(1, 256);
        /// Entries of the CAM part, of a kind that has one.
        cam_entries: u32 = 0, range(0, 64);
        /// 1: the CAM part is compared a cycle ahead.
        cam_pipelined: u32 = 0, range(0, 1);
        /// How pending lines are found.
        misses: MissHandling;
    } where entries.is_multiple_of(ways) && (entries / ways).is_power_of_two(), "ways divide entries into a power of two of sets"; => cache::miss::miss_entries(&CacheParams { entries, entry_ways: ways, misses, own: OwnParams { cam_entries, cam_pipelined: cam_pipelined == 1, ..OwnParams::default() }, ..cache_params(Protocol { line_bytes: 64, tag_bits: 8 }, (64, 8), 3, Default::default()) });
    /// Reads the line of a write that does not fill its chunks, and writes it whole.
    partial_writes {
        /// Bits of a request's tag.
        tag: u32 = 4, range(1, 16);
        /// Bytes of a line.
        line: u32 = 64, powers(32, 128);
        /// Writes whose lines are being completed.
        entries: u32 = 4, range(2, 64);
    } => partial_writes(&PartialWritesParams { protocol: Protocol { line_bytes: line, tag_bits: tag }, entries });
}
