//! What the blocks of a core hand to each other.
//!
//! ```text
//!  dispatcher --ProgramWrite, ParameterWrite, BlockDim, GridIndex, BlockSize--> core
//!  front end --Issue--> operands --Executing, Operands--> lanes --RegisterWrite, PredicateWrite--> files
//!  front end, operands, lanes --Access, AccessBeat--> memory units --RegisterWrite--> write-back, --Completion--> front end
//! ```

use super::{
    config::CoreParams,
    decode::Controls,
    memory::sub_word::SIZE_BITS,
    params::WARP,
    units::{self, UnitHolds, hold_bits},
};
pub use super::{
    results::{Completion, RegisterWrite},
    throttle::LocalityEvents,
};
use blocks::atomic_alu::OPERATION_BITS;
use protocol::Protocol;

use hdl::{bundle, index_width};

bundle! {
    /// A word for the instruction memory.
    pub struct ProgramWrite(_p: &()) {
        write: 1,
        address: 16,
        data: 64,
    }
}

bundle! {
    /// What a prefetcher sees of the loads that go to the data cache.
    pub struct LoadSeen(p: &CoreParams) {
        /// The first thread of a block executes one.
        thread: 1,
        /// Slot of the block.
        slot: p.slot_bits(),
        thread_address: 32,
        /// The cache takes a request.
        request: 1,
        /// The first one of its load.
        first: 1,
        warp: p.warp_bits(),
        /// Pc of the load, in words of the program.
        pc: 16,
        /// Of the first thread that the request serves.
        address: 32,
    }
}

bundle! {
    /// Where a load comes from, in its beat 0.
    pub struct LoadOrigin(p: &CoreParams) {
        pc: 16,
        /// Slot of its block.
        slot: p.slot_bits(),
        /// Its warp is the first one of the block.
        first_warp: 1,
    }
}

bundle! {
    /// A word for the kernel parameter memory, by word address.
    pub struct ParameterWrite(_p: &()) {
        write: 1,
        address: 10,
        data: 32,
    }
}

bundle! {
    /// Threads of a block.
    pub struct BlockDim(_p: &()) {
        x: 11,
        y: 11,
        z: 7,
    }
}

bundle! {
    /// Blocks of a grid, or the index of one.
    pub struct GridIndex(_p: &()) {
        x: 32,
        y: 16,
        z: 16,
    }
}

bundle! {
    /// Sizes that all blocks of a launch have, on cores of so many warps.
    pub struct BlockSize(warps: &usize) {
        /// Warps, rounded up.
        block_warps: index_width(*warps + 1),
        /// Threads.
        block_threads: 11,
        /// Bytes of shared memory from one slot to the next.
        shared_stride: 16,
    }
}

bundle! {
    /// The warps of a block begin.
    pub struct BlockStart(p: &CoreParams) {
        start: 1,
        /// Slot of the block.
        start_slot: p.slot_bits(),
    }
}

bundle! {
    /// An instruction of one warp, for all its beats.
    pub struct Issue(p: &CoreParams) {
        valid: 1,
        warp: p.warp_bits(),
        /// Threads that execute.
        mask: WARP,
        /// [`Controls`] as a word.
        control: Controls::width(p),
    }
}

bundle! {
    /// A beat of an instruction at the lanes.
    pub struct Executing(p: &CoreParams) {
        valid: 1,
        warp: p.warp_bits(),
        beat: p.beat_bits(),
        /// Lanes whose thread executes and whose guard holds.
        active: p.lanes,
        /// [`Controls`] as a word.
        control: Controls::width(p),
    }
}

bundle! {
    /// Operands of a beat, lane 0 in the low bits.
    pub struct Operands(p: &CoreParams) {
        a: p.lanes * 32,
        b: p.lanes * 32,
        c: p.lanes * 32,
        p: p.lanes,
        q: p.lanes,
    }
}

bundle! {
    /// An instruction that comes to one of several barriers: when it is carried out, and its beats at the lanes.
    pub struct BarrierBeat(p: &CoreParams) {
        step: 1,
        /// Whose it is.
        step_warp: p.warp_bits(),
        /// A beat of such an instruction is at the lanes.
        valid: 1,
        /// Its last one.
        last: 1,
        warp: p.warp_bits(),
        /// The warp waits there.
        waits: 1,
        active: p.lanes,
        /// Lanes whose predicate holds.
        holds: p.lanes,
        /// [`barrier_word`](program::isa::barrier_word) of each lane.
        words: p.lanes * 32,
    }
}

bundle! {
    /// Predicates of the threads of a beat.
    pub struct PredicateWrite(p: &CoreParams) {
        valid: 1,
        warp: p.warp_bits(),
        number: 3,
        beat: p.beat_bits(),
        /// Lanes that are written.
        mask: p.lanes,
        bits: p.lanes,
    }
}

bundle! {
    /// An instruction for a memory unit, in its beat 0.
    pub struct Access(p: &CoreParams) {
        reserve: 1,
        store: 1,
        /// See [`sub_word`](super::memory::sub_word).
        size: SIZE_BITS,
        warp: p.warp_bits(),
        destination: p.register_bits(),
        /// A load whose register is not `RZ`.
        writes: 1,
        /// An atomic: a store where nobody wants the old value, else a load.
        maybe atomic: u32::from(p.atomics),
        /// Code of an [`AtomicOp`](program::isa::AtomicOp).
        maybe operation: if p.atomics { OPERATION_BITS } else { 0 },
        /// The high words of the atomic that comes next, which is of the same warp and kind.
        maybe high_part: u32::from(p.atomics),
    }
}

bundle! {
    /// A beat of it.
    pub struct AccessBeat(p: &CoreParams) {
        beat_valid: 1,
        beat: p.beat_bits(),
        active: p.lanes,
        address: p.lanes * 32,
        /// Of stores, and the operand of atomics.
        store_data: p.lanes * 32,
        /// What a compare-and-swap looks for.
        maybe compare: if p.atomics { p.lanes * 32 } else { 0 },
    }
}

bundle! {
    /// A [`Completion`] for one warp.
    pub struct Released(p: &CoreParams) {
        done: 1,
        destination: p.register_bits(),
    }
}

bundle! {
    /// A predicate that the scoreboard need not hold back any longer.
    pub struct ReleasedPredicate(_p: &()) {
        done: 1,
        number: 3,
    }
}

bundle! {
    /// How the instruction at the pc of a warp is carried out.
    pub struct StackStep(_p: &()) {
        branch: 1,
        exit: 1,
        barrier: 1,
        /// Threads whose guard holds.
        taken: WARP,
        /// Of a branch.
        target: 16,
        /// Its reconvergence point.
        reconvergence_pc: 16,
    }
}

bundle! {
    /// Units that cannot take an instruction now.
    pub struct Hold(p: &CoreParams) {
        loads: 1,
        stores: 1,
        shared: 1,
        lanes: 1,
        /// Of the units beside the lanes.
        each units: UnitHolds => units::fields(p, hold_bits); units::names(hold_bits),
    }
}

bundle! {
    /// What warps of a part have next for the memory units that all parts share.
    pub struct AccessesNext(_p: &()) {
        /// A load of global memory.
        load: 1,
        /// A store.
        store: 1,
        /// An access to shared memory.
        shared: 1,
    }
}

bundle! {
    /// A beat of a round of the coalescer: the lanes that the round serves, with their byte offsets in the line.
    pub struct RoundRow(p: &CoreParams) {
        row_valid: 1,
        row_beat: p.beat_bits(),
        row_match: p.lanes,
        row_offset: p.lanes * p.protocol().offset_bits(),
        /// First beat of the round.
        begin: 1,
        /// Last beat of the round.
        last: 1,
        /// The instruction has no more rounds.
        finish: 1,
    }
}

bundle! {
    /// A request of the coalescer, a [`MemoryRequest`](protocol::MemoryRequest) without a tag: shown until it is taken.
    pub struct LineRequest(p: &Protocol) {
        valid: 1,
        store: 1,
        line: p.line_number_bits(),
        words: p.words(),
        bytes: 4,
        data: p.data_bits(),
    }
}
