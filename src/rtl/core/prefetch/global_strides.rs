//! Table of strides that hold for all warps (global stride table of MT-HWP).
//!
//! ```text
//!  insert (1), insert_pc, insert_stride (20) -->+------------+
//!  access (1), access_pc ---------------------->| pc, stride |--> known (1): the load of the access has an entry, which it uses
//!  lookup_pc ---------------------------------->|            |--> predicts (1), stride (20)
//!  clear (1) ---------------------------------->+------------+
//! ```
//!
//! Contract: `insert` and the use by an `access` take effect at the clock edge, the answers come in the same cycle. The
//! entry that was used longest ago gives way. Never: the insertion of a load that is here (asserted).
//!
//! Source: as [`warp_strides`](mod@super::warp_strides). Testbench: `testbenches/global_strides/`; tests:
//! `tests/core/prefetch.rs`.

use super::{
    entries::{LookupPorts, PC_BITS, of},
    narrow_stride,
    recent_entries::RecentEntries,
};
use hdl::{Builder, Module, params, ports};

ports! {
    /// Ports of [`global_strides`], beside those of all tables.
    pub struct GlobalStridesPorts(_p: &()) of GlobalStrides {
        /// A load is put in.
        in insert: 1,
        /// Which one.
        in insert_pc: PC_BITS,
        /// Its stride.
        in insert_stride: narrow_stride::BITS,
        /// Load that is executed.
        in access_pc: PC_BITS,
        /// One is.
        in access: 1,
        /// That load has an entry.
        out known: 1,
    }
}

/// The table, of 2 to 64 entries.
pub fn global_strides(entries: u32) -> Module {
    let m = Builder::new("global_strides", params! { entries });
    m.doc("Strides of loads that hold for all warps, by pc.");
    m.require((2..=64).contains(&entries), "global_strides: 2 to 64 entries");
    let entries = RecentEntries::new(&m, entries.clamp(2, 64), PC_BITS);
    let (io, table) = (GlobalStridesPorts::new(&m, &()), LookupPorts::new(&m, &narrow_stride::BITS));
    let (insert, pc, stride) = (io.insert(), io.insert_pc(), io.insert_stride());
    let strides = entries.field("stride", narrow_stride::BITS);
    let inserted = entries.insert(insert, pc);
    for (of, mine) in strides.iter().zip(inserted.to_bits()) {
        m.when(mine, || m.set(*of, stride));
    }
    let accessed = entries.find("accessed", io.access_pc());
    io.known(accessed.any());
    let count = accessed.width();
    let used = accessed & (io.access() & !insert).repeat(count);
    entries.update([inserted, used, m.lit(count, 0), table.clear()]);
    m.always("a load is inserted once", !insert | !entries.find("inserted_again", pc).any());

    m.comment("Looking up.");
    let looked = entries.find("looked_up", table.lookup_pc());
    table.predicts(looked.any());
    table.stride(of(looked, &strides));
    m.finish()
}
