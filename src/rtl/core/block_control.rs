//! Block control: takes thread blocks from the dispatcher, starts their warps, reports their end.
//!
//! ```text
//!  block_valid, block_slot, ----->+-----------------+--> start, start_slot
//!    block_x, block_y, block_z    | waiting, running|--> start_warps, start_full (warps), last_mask (32): to the warps
//!  block_warps, block_threads --->| slot table      |<-- table_slot, table_warp: of the issued instruction
//!  shared_stride ---------------->|                 |--> table_x, _y, _z, table_shared (the slot's block and shared memory)
//!  table_ready ------------------>|                 |--> table_within (number of the warp within the block)
//!  active, slots (from warps) --->|                 |--> done (blocks): pulse per slot
//!                                 +-----------------+
//! ```
//!
//! Contract: a block may come every cycle; it waits in its slot until the thread index table is ready and the blocks of
//! lower slots that wait have started, one a cycle. A block takes the `block_warps` warps behind those of lower slots;
//! one that starts has 32 threads where it is in `start_full`, else, as the last one, those in `last_mask`. `done`
//! pulses (registered) when no warp of a running block is active; a warp ends only when its memory writes are
//! acknowledged. Never: a block for a slot that is taken.
//!
//! With two issue slots there is a `table_` for each.
//!
//! Testbench: `testbenches/block_control/`; tests: `tests/core/control.rs`.

use super::{
    config::CoreParams,
    issue_partitions::PartNumber,
    params::WARP,
    ports::{BlockStart, GridIndex},
};
use blocks::{index_one_hot, lowest_set, one_hot_index, one_hot_mux, or_all, popcount};
use hdl::{Builder, Bundle, Module, Signal, index_width, params, ports, select, statistics};

statistics! {
    "block_control" {
        /// Blocks started.
        BLOCKS: blocks in "blocks";
        /// Blocks that wait or run, in each cycle with any.
        RESIDENT_BLOCKS: resident_blocks in "blocks";
    }
}

ports! {
    /// Ports of a [`block_control`].
    pub struct BlockControlPorts(p: &CoreParams) of BlockControl {
        /// A block comes.
        in block_valid: 1,
        /// To this slot.
        in block_slot: p.slot_bits(),
        /// Its index in the grid.
        in block: bundle GridIndex(&()),
        /// Warps of a block.
        in block_warps: p.core_warp_count_bits(),
        /// Threads of a block.
        in block_threads: 11,
        /// Bytes of shared memory from one slot to the next.
        in shared_stride: 16,
        /// The tables of thread indices are those of the kernel.
        in table_ready: 1,
        /// The warps of a block begin.
        out start as "": bundle BlockStart(p),
        /// Those warps.
        out start_warps: p.warps,
        /// Warps that have 32 threads if they start: the next one starts, too.
        out start_full: p.warps,
        /// Threads of the last warp of a block.
        out last_mask: WARP,
        /// Slot of each warp's block.
        in slots: p.warps * p.slot_bits(),
        /// Warps that run a block.
        in active: p.warps,
        /// Slots whose block has ended.
        out done: p.blocks,
        /// Some block waits or runs.
        out busy: 1,
        /// Slot whose row of the table a part looks at.
        in table_slot[part: PartNumber in p.part_numbers()] as ("table_slot", part): p.slot_bits(),
        /// A warp of the block there.
        in table_warp[part: PartNumber in p.part_numbers()] as ("table_warp", part): p.warp_bits(),
        /// Its number within the block.
        out table_within[part: PartNumber in p.part_numbers()] as ("table_within", part): p.warp_bits(),
        /// Index of the block there.
        out table[part: PartNumber in p.part_numbers()] as ("table", part): bundle GridIndex(&()),
        /// Where its shared memory begins.
        out table_shared[part: PartNumber in p.part_numbers()] as ("table_shared", part): 16,
    }
}

/// Block control.
pub fn block_control(p: &CoreParams) -> Module {
    let m = Builder::new("block_control", p.parameters(params! { warps: p.warps, blocks: p.blocks }));
    m.doc("Takes thread blocks, starts their warps and reports their end.");
    let io = BlockControlPorts::new(&m, p);
    let (valid, slot) = (io.block_valid(), io.block_slot());
    let (stride, block_warps, index) = (io.shared_stride(), io.block_warps(), io.block());
    let table = m.memory("slot_table", p.blocks as usize, 64);
    let (waiting, running) = (m.register("waiting", p.blocks, 0), m.register("running", p.blocks, 0));

    let arrived = m.wire("arrived", index_one_hot(slot, p.blocks) & valid.repeat(p.blocks));
    m.when(valid, || table.write(slot, index.pack()));
    let first = lowest_set(waiting) & io.table_ready().repeat(p.blocks);
    let first = m.wire("first", first);
    let number = m.wire("first_number", one_hot_index(first));
    let start = m.wire("starts", first.any());
    io.start(BlockStart { start, start_slot: number });

    m.comment("A block takes block_warps warps from start_base on; its last one may have less than 32 threads.");
    let first_warps = first_warps(&m, p, block_warps);
    let base = m.wire("start_base", one_hot_mux(first, &first_warps));
    let all = m.lit(1, 1).repeat(p.warps);
    let warps = io.start_warps(!(all << block_warps) << base & start.repeat(p.warps));
    io.start_full(warps >> 1);
    let (threads, number_bits) = (io.block_threads(), index_width(WARP as usize));
    let missing = m.lit(number_bits, 0) - threads.bits(0, number_bits);
    io.last_mask(m.lit(WARP, u64::from(u32::MAX)) >> missing);

    let (slots, active) = (io.slots().parts(p.slot_bits()), io.active());
    let taken: Vec<_> = slots
        .iter()
        .zip(active.to_bits())
        .map(|(slot, active)| index_one_hot(*slot, p.blocks) & active.repeat(p.blocks))
        .collect();
    let ended = m.wire("ended", running & !or_all(&taken));
    m.set(waiting, waiting & !first | arrived);
    m.set(running, running & !ended | first);
    io.done(m.delayed("done_now", ended));
    io.busy((waiting | running).any());

    for part in p.part_numbers() {
        let shown = io.table_slot(part);
        let row = m.wire(("row", part), table.read(shown));
        io.table(part, GridIndex::unpack(row, &()));
        let wide = 16 + shown.width();
        io.table_shared(part, (shown.extend(wide) * stride.extend(wide)).bits(0, 16));
        io.table_within(part, io.table_warp(part) - select(shown, &first_warps));
    }
    m.always("a block comes to a free slot", (arrived & (waiting | running)).is_zero());
    let filled = (threads + u64::from(WARP - 1)) >> u64::from(number_bits);
    if let Some(of_second) = first_warps.get(1) {
        let settled = of_second.eq(block_warps.bits(0, p.warp_bits()));
        m.always("block_warps is as in the cycle before a block starts", !start | settled);
    }
    m.always("the threads of a block fill its warps", !start | filled.eq(block_warps.extend(filled.width())));
    m.count(BLOCKS, valid);
    m.histogram(RESIDENT_BLOCKS, (waiting | running).any(), popcount(waiting | running));
    m.finish()
}

/// The first warp of the block in each slot, in registers: all blocks of a launch have as many warps.
fn first_warps<'m>(m: &'m Builder, p: &CoreParams, block_warps: Signal<'m>) -> Vec<Signal<'m>> {
    let each = block_warps.bits(0, p.warp_bits());
    let mut products = vec![m.lit(p.warp_bits(), 0), each];
    for slot in 2..p.blocks as usize {
        let twice = products[slot / 2] << 1;
        products.push(if slot % 2 == 0 { twice } else { twice + each });
    }
    let later = (1..p.blocks as usize).map(|slot| m.delayed(("first_warp", slot), products[slot]));
    [products[0]].into_iter().chain(later).collect()
}
