//! Table of distances between the same load of neighbouring warps (inter-thread table of MT-HWP).
//!
//! ```text
//!  learn (1), learn_pc, _warp, _address ->+-------------------------------+
//!  lookup_pc ---------------------------->| pc, two warps, address,       |--> predicts (1), stride (20)
//!  clear (1) ---------------------------->| stride, trained               |
//!                                         +-------------------------------+
//! ```
//!
//! Contract: as that of [`warp_strides`](mod@super::warp_strides), by pc alone. Only accesses by warps whose numbers
//! differ by one tell a stride: how much further the upper one reads. An entry is trained when three warps have told
//! the same stride, other than 0, twice, until another one is told. The prefetch is that of the next warp.
//!
//! The source divides by the difference of the warps' numbers; here other differences tell nothing, which spares a
//! divider.
//!
//! Source: as [`warp_strides`](mod@super::warp_strides). Testbench: `testbenches/thread_strides/`; tests:
//! `tests/core/prefetch.rs`.

use super::{
    entries::{LearningPorts, LookupPorts, PC_BITS, of},
    narrow_stride,
    recent_entries::RecentEntries,
};
use hdl::{Builder, Module, mux, params, ports};

ports! {
    /// Ports of [`thread_strides`] with so many bits of a warp number, beside those of all tables that learn from accesses.
    pub struct ThreadStridesPorts(warp_bits: &u32) of ThreadStrides {
        /// Whose load is executed.
        in learn_warp: *warp_bits,
    }
}

/// The table, of 2 to 64 entries.
pub fn thread_strides(entries: u32, warp_bits: u32) -> Module {
    let m = Builder::new("thread_strides", params! { entries, warp_bits });
    m.doc("Distances between a load of neighbouring warps, by pc.");
    m.require((2..=64).contains(&entries) && warp_bits >= 1, "thread_strides: 2 to 64 entries, and warps");
    let warp_bits = warp_bits.max(1);
    let entries = RecentEntries::new(&m, entries.clamp(2, 64), PC_BITS);
    let (accesses, table) = (LearningPorts::new(&m, &()), LookupPorts::new(&m, &narrow_stride::BITS));
    let io = ThreadStridesPorts::new(&m, &warp_bits);
    let (learn, pc) = (accesses.learn(), accesses.learn_pc());
    let (warp, address) = (io.learn_warp(), accesses.learn_address());
    let (addresses, strides) = (entries.field("address", 32), entries.field("stride", narrow_stride::BITS));
    let [lasts, befores] = ["last_warp", "warp_before"].map(|name| entries.field(name, warp_bits));
    // A warp before the last one.
    let (trained, has_before) = (entries.field("trained", 1), entries.field("has_warp_before", 1));
    let found = entries.find("known", pc);
    let is_new = m.wire("is_new", learn & !found.any());
    let inserted = entries.insert(is_new, pc);

    m.comment("The stride from the lower to the upper one of two neighbours.");
    let last = m.wire("last", of(found, &lasts));
    let wide = warp_bits + 1;
    let [up, down] = [(warp, last), (last, warp)].map(|(upper, lower)| upper.extend(wide).eq(lower.extend(wide) + 1));
    let other = m.wire("other_warp", warp.ne(last));
    let difference = address - of(found, &addresses);
    let (fits, stride) = narrow_stride::of(&m, "learnt", mux(down, !difference + 1, difference));
    let tells = m.wire("tells", up | down);
    let again = m.wire("again", fits & stride.any() & stride.eq(of(found, &strides)));
    let third = of(found, &has_before) & of(found, &befores).ne(warp);
    let trains = mux(tells, again & (third | of(found, &trained)), of(found, &trained));
    let count = found.width();
    let learns = found & learn.repeat(count);
    for (e, mine) in (inserted | learns).to_bits().into_iter().enumerate() {
        m.when(mine, || {
            m.set(addresses[e], address);
            m.set(strides[e], mux(is_new | tells & !fits, 0, mux(tells, stride, of(found, &strides))));
            m.set(trained[e], !is_new & trains);
            m.set(lasts[e], warp);
            m.set(has_before[e], !is_new & (other | of(found, &has_before)));
            m.when(other, || m.set(befores[e], last));
        });
    }
    entries.update([inserted, learns, m.lit(count, 0), table.clear()]);

    m.comment("Looking up.");
    let looked = entries.find("looked_up", table.lookup_pc());
    table.predicts(of(looked, &trained));
    table.stride(of(looked, &strides));
    m.finish()
}
