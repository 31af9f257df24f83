//! Store tracker: which warps have stores that are not acknowledged.
//!
//! ```text
//!  reserve, warp (issue of a store) --->+-----------------------+--> store_warp: whose store is being coalesced
//!  coalescing, sent (coalescer) ------->| count of each warp    |--> open (warps)
//!  acknowledge, acknowledged_warp ----->|                       |
//!                                       +-----------------------+
//! ```
//!
//! Contract: a warp is open from the cycle after `reserve` of its store until its last request is acknowledged. Never:
//! an acknowledgement without a store (asserted).
//!
//! Testbench: `testbenches/store_tracker/`; tests: `tests/core/memory.rs`, `tests/core/random.rs`.

use crate::config::CoreParams;
use blocks::index_one_hot;
use hdl::{Builder, Module, mux, params, ports, row};

ports! {
    /// Ports of a [`store_tracker`].
    pub struct StoreTrackerPorts(p: &CoreParams) of StoreTracker {
        /// The warp whose store begins.
        in warp: p.warp_bits(),
        /// A store begins.
        in reserve: 1,
        /// A request of it is sent.
        in sent: 1,
        /// The store that has begun is being coalesced.
        in coalescing: 1,
        /// The warp whose request is acknowledged.
        in acknowledged_warp: p.warp_bits(),
        /// A request is acknowledged.
        in acknowledge: 1,
        /// The warp whose store is being coalesced.
        out store_warp: p.warp_bits(),
        /// Warps that have stores which are not acknowledged.
        out open: p.warps,
    }
}

/// The tracker.
pub fn store_tracker(p: &CoreParams) -> Module {
    let m = Builder::new("store_tracker", params! { warps: p.warps, order: p.memory_order });
    m.doc("Stores of each warp that are not acknowledged.");
    let warps = p.warps;
    let store_warp = m.register("store_warp_now", p.warp_bits(), 0);
    let io = StoreTrackerPorts::new(&m, p);
    let warp = io.warp();
    m.when(io.reserve(), || m.set(store_warp, warp));
    let sent = index_one_hot(store_warp, warps) & io.sent().repeat(warps);
    let coalescing = index_one_hot(store_warp, warps) & io.coalescing().repeat(warps);
    let acknowledged = index_one_hot(io.acknowledged_warp(), warps) & io.acknowledge().repeat(warps);
    let mut open = vec![];
    for w in 0..warps {
        let count = m.register(("open_stores", w), p.store_count_bits(), 0);
        let (more, less) = (sent.bit(w), acknowledged.bit(w));
        m.when(more ^ less, || m.set(count, mux(more, count + 1, count - 1)));
        m.always("an acknowledgement answers a store", !less | count.any());
        m.always("stores can be counted", !(more & !less) | count.ne(u64::MAX >> (64 - p.store_count_bits())));
        open.push(count.any());
    }
    io.store_warp(store_warp);
    io.open(row(open) | coalescing);
    m.finish()
}
