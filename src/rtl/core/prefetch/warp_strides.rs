//! Table of the strides of single warps (per-warp stride table of MT-HWP).
//!
//! ```text
//!  learn (1), learn_pc, _warp, _address ->+--------------------------------+--> promotes (1), promoted_stride (20)
//!  lookup_pc, lookup_warp --------------->| pc, warp, address, stride,     |--> predicts (1), stride (20)
//!  clear (1) ---------------------------->| trained                        |
//!                                         +--------------------------------+
//! ```
//!
//! Contract: `learn` changes the entry of the load and its warp at the clock edge; the other answers come in the same
//! cycle, from the state before. An entry is trained while its last two strides are the same and not 0. When with the
//! one that is learnt three entries of the load are trained and have its stride, it `promotes`: the load goes to
//! [`global_strides`](mod@super::global_strides), and these entries are free. The entry that was used longest ago gives
//! way.
//!
//! Source: J. Lee, N. B. Lakshminarayana, H. Kim and R. Vuduc, *Many-thread aware prefetching mechanisms for GPGPU
//! applications* (MICRO 2010). Testbench: `testbenches/warp_strides/`; tests: `tests/core/prefetch.rs`.

use super::{
    entries::{LearningPorts, LookupPorts, PC_BITS, of},
    narrow_stride,
    recent_entries::RecentEntries,
};
use blocks::popcount;
use hdl::{Builder, Module, mux, params, ports, row};

/// Entries of a load that promote it.
const ALIKE: u64 = 3;

ports! {
    /// Ports of [`warp_strides`] with so many bits of a warp number, beside those of all tables that learn from accesses.
    pub struct WarpStridesPorts(warp_bits: &u32) of WarpStrides {
        /// Whose load is executed.
        in learn_warp: *warp_bits,
        /// Whose load is looked up.
        in lookup_warp: *warp_bits,
        /// The load that is executed is taken to have one stride in all warps.
        out promotes: 1,
        /// This one.
        out promoted_stride: narrow_stride::BITS,
    }
}

/// The table, of 2 to 64 entries.
pub fn warp_strides(entries: u32, warp_bits: u32) -> Module {
    let m = Builder::new("warp_strides", params! { entries, warp_bits });
    m.doc("Strides of loads, by pc and warp.");
    m.require((2..=64).contains(&entries) && warp_bits >= 1, "warp_strides: 2 to 64 entries, and warps");
    let warp_bits = warp_bits.max(1);
    let entries = RecentEntries::new(&m, entries.clamp(2, 64), PC_BITS + warp_bits);
    let (accesses, table) = (LearningPorts::new(&m, &()), LookupPorts::new(&m, &narrow_stride::BITS));
    let io = WarpStridesPorts::new(&m, &warp_bits);
    let learn_key = accesses.learn_pc().join(io.learn_warp());
    let lookup_key = table.lookup_pc().join(io.lookup_warp());
    let (learn, address) = (accesses.learn(), accesses.learn_address());
    let (addresses, strides) = (entries.field("address", 32), entries.field("stride", narrow_stride::BITS));
    let trained = entries.field("trained", 1);
    let found = entries.find("known", learn_key);
    let is_new = m.wire("is_new", learn & !found.any());
    let inserted = entries.insert(is_new, learn_key);
    let (fits, stride) = narrow_stride::of(&m, "learnt", address - of(found, &addresses));
    let again = m.wire("again", fits & stride.any() & stride.eq(of(found, &strides)));

    m.comment("Other entries of the load with the same stride.");
    let pc = learn_key.bits(warp_bits, PC_BITS);
    let alike = entries
        .keys
        .iter()
        .zip(strides.iter().zip(&trained))
        .map(|(key, (of, trained))| *trained & key.bits(warp_bits, PC_BITS).eq(pc) & of.eq(stride));
    let alike = m.wire("alike", row(alike) & entries.valid & !found);
    let promotes = m.wire("promotes_now", learn & again & popcount(alike).ge(ALIKE - 1));
    io.promotes(promotes);
    io.promoted_stride(stride);
    let count = found.width();
    let learns = found & learn.repeat(count);
    for (e, mine) in (inserted | learns).to_bits().into_iter().enumerate() {
        m.when(mine, || {
            m.set(addresses[e], address);
            m.set(strides[e], mux(is_new | !fits, 0, stride));
            m.set(trained[e], !is_new & again);
        });
    }
    let freed = (alike | found) & promotes.repeat(count);
    entries.update([inserted, learns, freed, table.clear()]);

    m.comment("Looking up.");
    let looked = entries.find("looked_up", lookup_key);
    table.predicts(of(looked, &trained));
    table.stride(of(looked, &strides));
    m.finish()
}
