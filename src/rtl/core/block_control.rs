//! Block control: takes thread blocks from the dispatcher, starts their warps, reports their end.
//!
//! ```text
//!  block_valid, block_slot, ----->+-----------------+--> start, start_slot, start_base (to the warps)
//!    block_x, block_y, block_z    | waiting, running|
//!  block_warps, shared_stride --->| slot table      |<-- table_slot
//!  table_ready ------------------>|                 |--> table_x, _y, _z, table_shared (the slot's block and shared memory)
//!  active, slots (from warps) --->|                 |--> done (blocks): pulse per slot
//!                                 +-----------------+
//! ```
//!
//! Contract: a block may come every cycle; it waits in its slot until the thread index table is ready and the blocks of
//! lower slots that wait have started, one a cycle. `done` pulses (registered) when no warp of a running block is
//! active; a warp ends only when its memory writes are acknowledged. Never: a block for a slot that is taken.
//!
//! With two issue slots there is a `table_` for each.
//!
//! Testbench: `testbenches/block_control/`; tests: `tests/core/control.rs`.

use super::{
    config::CoreParams,
    issue_partitions::PartNumber,
    ports::{BlockStart, GridIndex},
};
use crate::blocks::{index_one_hot, lowest_set, one_hot_index, or_all, popcount};
use hdl::{Builder, Bundle, Module, params, ports, statistics};

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
        /// Bytes of shared memory from one slot to the next.
        in shared_stride: 16,
        /// The tables of thread indices are those of the kernel.
        in table_ready: 1,
        /// The warps of a block begin.
        out start as "": bundle BlockStart(p),
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
    let wide = number.width() + block_warps.width();
    let base = (number.extend(wide) * block_warps.extend(wide)).bits(0, p.warp_bits());
    io.start(BlockStart { start: first.any(), start_slot: number, start_base: base });

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
    }
    m.always("a block comes to a free slot", (arrived & (waiting | running)).is_zero());
    m.count(BLOCKS, valid);
    m.histogram(RESIDENT_BLOCKS, (waiting | running).any(), popcount(waiting | running));
    m.finish()
}
