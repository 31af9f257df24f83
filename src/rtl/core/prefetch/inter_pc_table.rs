//! Table of distances between loads (ITPC): for a load that a thread executes once, how far from it the next such load
//! is.
//!
//! ```text
//!  pair (1), pair_pc, pair_stride (32) -->+---------------------+
//!  lookup_pc ---------------------------->| pc, distance, state |--> predicts (1), stride (32)
//!  clear (1) ---------------------------->+---------------------+
//! ```
//!
//! Contract: as that of [`stride_table`](mod@super::stride_table), whose states it has: a distance that comes for the
//! first time is initial. A distance of 0 predicts nothing.
//!
//! Source: Kim's thesis, section 4.2.2. Testbench: `testbenches/inter_pc_table/`; tests: `tests/core/prefetch.rs`.

use super::{
    entries::{Entries, LookupPorts, of},
    stride_table::{LoadPair, STATE_BITS, StrideTransition, WrongStride, is_predicting},
};
use hdl::{Builder, Module, mux, params, ports};

ports! {
    /// Ports of an [`inter_pc_table`], beside those of all tables.
    pub struct InterPcTablePorts(_p: &()) of InterPcTable {
        /// Loads that follow each other.
        in pair as "": bundle LoadPair(&()),
    }
}

/// The table, of 2 to 64 entries.
pub fn inter_pc_table(entries: u32, wrong_stride: WrongStride) -> Module {
    let m = Builder::new("inter_pc_table", params! { entries, wrong_stride });
    m.doc("Distances between loads, by the pc of the first.");
    m.require((2..=64).contains(&entries), "inter_pc_table: 2 to 64 entries");
    let entries = Entries::new(&m, entries.clamp(2, 64));
    let (io, table) = (InterPcTablePorts::new(&m, &()), LookupPorts::new(&m, &32));
    let LoadPair { pair, pair_pc: pc, pair_stride: now } = io.pair();
    let (strides, states) = (entries.field("stride", 32), entries.field("state", STATE_BITS));
    let found = entries.find("known", pc);
    let is_new = m.wire("is_new", pair & !found.any());
    let inserted = entries.insert(is_new, pc);
    let step = StrideTransition::new(&m, wrong_stride, [of(found, &states), of(found, &strides), now]);
    let (state, stride) = (mux(is_new, 0, step.state), mux(is_new, now, step.stride));
    for (e, mine) in (inserted | found & pair.repeat(found.width())).to_bits().into_iter().enumerate() {
        m.when(mine, || {
            m.set(strides[e], stride);
            m.set(states[e], state);
        });
    }
    entries.clear(table.clear());

    m.comment("Looking up.");
    let looked = entries.find("looked_up", table.lookup_pc());
    let stride = m.wire("stride_found", of(looked, &strides));
    table.predicts(looked.any() & stride.any() & is_predicting(of(looked, &states)));
    table.stride(stride);
    m.finish()
}
