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
    params::CoreParams,
    ports::{BlockStart, GridIndex},
};
use crate::blocks::{index_one_hot, lowest_set, one_hot_index, or_all, popcount};
use hdl::{Builder, Bundle, Module, params, statistics};

statistics! {
    "block_control" {
        /// Blocks started.
        BLOCKS: blocks in "blocks";
        /// Blocks that wait or run, in each cycle with any.
        RESIDENT_BLOCKS: resident_blocks in "blocks";
    }
}

/// Block control.
pub fn block_control(p: &CoreParams) -> Module {
    let m = Builder::new("block_control", p.parameters(params! { warps: p.warps, blocks: p.blocks }));
    m.doc("Takes thread blocks, starts their warps and reports their end.");
    let (valid, slot) = (m.input("block_valid", 1), m.input("block_slot", p.slot_bits()));
    let stride = m.input("shared_stride", 16);
    let block_warps = m.input("block_warps", p.core_warp_count_bits());
    let index = GridIndex::inputs(&m, "block", &());
    let table = m.memory("slot_table", p.blocks as usize, 64);
    let (waiting, running) = (m.register("waiting", p.blocks, 0), m.register("running", p.blocks, 0));

    let arrived = m.wire("arrived", index_one_hot(slot, p.blocks) & valid.repeat(p.blocks));
    m.when(valid, || table.write(slot, index.pack()));
    let first = lowest_set(waiting) & m.input("table_ready", 1).repeat(p.blocks);
    let first = m.wire("first", first);
    let number = m.wire("first_number", one_hot_index(first));
    let wide = number.width() + block_warps.width();
    let base = (number.extend(wide) * block_warps.extend(wide)).bits(0, p.warp_bits());
    BlockStart { start: first.any(), start_slot: number, start_base: base }.outputs(&m, "", p);

    let slots = m.input("slots", p.warps * p.slot_bits()).parts(p.slot_bits());
    let active = m.input("active", p.warps);
    let taken: Vec<_> = slots
        .iter()
        .zip(active.to_bits())
        .map(|(slot, active)| index_one_hot(*slot, p.blocks) & active.repeat(p.blocks))
        .collect();
    let ended = m.wire("ended", running & !or_all(&taken));
    m.set(waiting, waiting & !first | arrived);
    m.set(running, running & !ended | first);
    m.output_of("done", m.delayed("done_now", ended));
    m.output_of("busy", (waiting | running).any());

    for part in 0..p.issue_slots {
        let name = |port: &str| p.of_part(port, part);
        let shown = m.input(name("table_slot"), p.slot_bits());
        let row = m.wire(name("row"), table.read(shown));
        GridIndex::unpack(row, &()).outputs(&m, name("table"), &());
        let wide = 16 + shown.width();
        m.output_of(name("table_shared"), (shown.extend(wide) * stride.extend(wide)).bits(0, 16));
    }
    m.always("a block comes to a free slot", (arrived & (waiting | running)).is_zero());
    m.count(BLOCKS, valid);
    m.histogram(RESIDENT_BLOCKS, (waiting | running).any(), popcount(waiting | running));
    m.finish()
}
