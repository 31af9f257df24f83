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
    entries::{PC_BITS, of},
    narrow_stride,
    recent_entries::RecentEntries,
};
use hdl::{Builder, Module, params};

/// The table, of 2 to 64 entries.
pub fn global_strides(entries: u32) -> Module {
    let m = Builder::new("global_strides", params! { entries });
    m.doc("Strides of loads that hold for all warps, by pc.");
    m.require((2..=64).contains(&entries), "global_strides: 2 to 64 entries");
    let entries = RecentEntries::new(&m, entries.clamp(2, 64), PC_BITS);
    let (insert, pc) = (m.input("insert", 1), m.input("insert_pc", PC_BITS));
    let stride = m.input("insert_stride", narrow_stride::BITS);
    let strides = entries.field("stride", narrow_stride::BITS);
    let inserted = entries.insert(insert, pc);
    for (of, mine) in strides.iter().zip(inserted.to_bits()) {
        m.when(mine, || m.set(*of, stride));
    }
    let accessed = entries.find("accessed", m.input("access_pc", PC_BITS));
    m.output_of("known", accessed.any());
    let count = accessed.width();
    let used = accessed & (m.input("access", 1) & !insert).repeat(count);
    entries.update([inserted, used, m.lit(count, 0), m.input("clear", 1)]);
    m.always("a load is inserted once", !insert | !entries.find("inserted_again", pc).any());

    m.comment("Looking up.");
    let looked = entries.find("looked_up", m.input("lookup_pc", PC_BITS));
    m.output_of("predicts", looked.any());
    m.output_of("stride", of(looked, &strides));
    m.finish()
}
