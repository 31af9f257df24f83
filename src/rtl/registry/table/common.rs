//! Arithmetic, queues, arbiters, and what gives blocks of a kernel to cores.

use super::super::{BlockKind, BlockParameter, ParameterValue};
use crate::{
    blocks::*,
    chip::{DispatcherParams, dispatcher},
    core::BlockDistribution,
};
use common::parameters::Allowed;

blocks! {
    /// Integer unit of a lane: 32 bits, two operands.
    alu32 {} => fixed::alu32();
    /// What an atomic leaves in memory.
    atomic_alu {
        /// Bits of the widest values.
        bits: u32 = 64, powers(32, 64);
    } => atomic_alu(bits);
    /// What gives the thread blocks of a kernel to cores.
    block_dispatcher {
        /// Cores.
        cores: usize = 12, range(1, 256);
        /// Thread blocks of a core.
        blocks: usize = 8, powers(1, 8);
        /// Caches that are flushed after a kernel.
        flushed: usize = 0, range(0, 512);
        /// Which core gets the next block.
        distribution: BlockDistribution;
        /// 1: cores fetch the program from global memory.
        fetch: u32 = 0, range(0, 1);
    } => dispatcher(&DispatcherParams { cores, warps: 8, blocks, flushed, later: 0, program_line: (fetch == 1).then_some(64), distribution });
    /// Content-addressable memory.
    cam {
        /// Entries.
        entries: u32 = 16, range(1, 1024);
        /// Bits of a key.
        width: u32 = 32, range(1, 1024);
    } => cam(entries, width);
    /// Queue between two clock domains, with gray-coded pointers.
    clock_crossing_fifo {
        /// Words.
        depth: usize = 8, powers(2, 1024);
        /// Bits of a word.
        width: u32 = 32, range(1, 4096);
        /// Registers of a synchroniser.
        stages: u32 = 2, range(2, 8);
    } => clock_crossing_fifo(CrossingParams { depth, width, stages });
    /// Integer comparison: 32 bits, signed or unsigned.
    compare32 {} => fixed::compare32();
    /// Counts the free places of a receiver.
    credit_counter {
        /// Places.
        places: usize = 8, range(1, 65536);
    } => credit_counter(places);
    /// Queue: the oldest word stands at the output.
    fifo {
        /// Words.
        depth: usize = 8, range(1, 4096);
        /// Bits of a word.
        width: u32 = 32, range(1, 4096);
    } => fifo(FifoParams { depth, width, registered: false });
    /// Queue whose outputs are registers.
    fifo_registered {
        /// Words.
        depth: usize = 8, range(1, 4096);
        /// Bits of a word.
        width: u32 = 32, range(1, 4096);
    } => fifo(FifoParams { depth, width, registered: true });
    /// The first of several requests by an order that is kept elsewhere.
    first_in_order {
        /// Requests.
        n: u32 = 8, range(2, 64);
    } => order::first_in_order(n);
    /// Single-precision sum.
    fp32_add {} => fp32_add();
    /// Single-precision comparison.
    fp32_compare {} => fp32_compare();
    /// Single-precision fused multiply-add.
    fp32_fma {
        /// Registers within.
        registers: u32 = 0, range(0, 6);
    } => fp32_fma(registers);
    /// Integer to single precision.
    fp32_from_integer {
        /// Registers within.
        registers: u32 = 0, range(0, 3);
    } => fp32_from_integer(registers);
    /// Single-precision minimum and maximum.
    fp32_min_max {} => fp32_min_max();
    /// Single-precision product.
    fp32_mul {} => fp32_mul();
    /// Special functions of single precision.
    fp32_special {
        /// Registers within.
        registers: u32 = 0, range(0, 10);
    } => fp32_special(registers);
    /// Single to double precision.
    fp32_to_fp64 {
        /// Registers within.
        registers: u32 = 0, range(0, 3);
    } => fp32_to_fp64(registers);
    /// Single precision to integer.
    fp32_to_integer {
        /// Registers within.
        registers: u32 = 0, range(0, 2);
    } => fp32_to_integer(registers);
    /// Double-precision fused multiply-add.
    fp64_fma {
        /// Registers within.
        registers: u32 = 0, range(0, 6);
    } => fp64_fma(registers);
    /// Integer to double precision.
    fp64_from_integer {
        /// Registers within.
        registers: u32 = 0, range(0, 3);
    } => fp64_from_integer(registers);
    /// Double-precision comparison.
    fp64_relation {} => fp64_relation();
    /// Double to single precision.
    fp64_to_fp32 {
        /// Registers within.
        registers: u32 = 0, range(0, 3);
    } => fp64_to_fp32(registers);
    /// Double precision to integer.
    fp64_to_integer {
        /// Registers within.
        registers: u32 = 0, range(0, 2);
    } => fp64_to_integer(registers);
    /// Pseudo-random sequence of maximal period.
    lfsr {
        /// Bits.
        width: u32 = 16, range(2, 64);
        /// Places that it moves by in a step.
        shifts: u32 = 1, range(1, 128);
    } => lfsr(width, shifts);
    /// Least recently used way of a set.
    lru {
        /// Ways.
        n: u32 = 4, range(2, 64);
    } => lru(n);
    /// Arbiter: the least recently granted requester comes first.
    matrix_arbiter {
        /// Requesters.
        n: u32 = 5, range(2, 64);
        /// Sets of them, of which one is chosen late.
        sets: u32 = 1, range(1, 32);
    } => arbiter_of_sets(ArbiterKind::Matrix, n, sets);
    /// Integer product and sum: 32 bits, both halves.
    multiply32 {
        /// Registers within.
        registers: u32 = 0, range(0, 2);
    } => multiply32(registers);
    /// Takes one of several words by a one-hot select.
    one_hot_multiplexer {
        /// Words.
        n: u32 = 5, range(1, 64);
        /// Bits of a word.
        width: u32 = 32, range(1, 4096);
    } => one_hot_multiplexer(n, width);
    /// Which of several came first.
    order_of_start {
        /// How many.
        n: u32 = 8, range(2, 64);
    } => order::order_of_start(n);
    /// Which of several was used last.
    order_of_use {
        /// How many.
        n: u32 = 8, range(2, 64);
    } => order::order_of_use(n);
    /// A register with valid and ready.
    pipeline_register {
        /// Bits of a word.
        width: u32 = 32, range(1, 4096);
    } => pipeline_register(width);
    /// Number of the lowest request.
    priority_encoder {
        /// Requests.
        n: u32 = 8, range(2, 256);
    } => priority_encoder(n);
    /// Arbiter: the requester after the last winner comes first.
    round_robin_arbiter {
        /// Requesters.
        n: u32 = 5, range(2, 64);
        /// Sets of them, of which one is chosen late.
        sets: u32 = 1, range(1, 32);
    } => arbiter_of_sets(ArbiterKind::RoundRobin, n, sets);
    /// A register with valid and ready whose ready is a register, too.
    skid_register {
        /// Bits of a word.
        width: u32 = 32, range(1, 4096);
    } => skid_register(width);
    /// A level from one clock domain to another.
    synchroniser {
        /// Registers.
        stages: u32 = 2, range(2, 8);
    } => synchroniser(stages);
}
