//! Prefetching that knows of many threads (MT-HWP): strides of single warps, strides that hold for all, distances
//! between warps.
//!
//! ```text
//!  first request of a load --> warp_strides --promotes--> global_strides     request --> global_strides, else thread_strides, else warp_strides
//!                         '--> thread_strides
//! ```
//!
//! Loads that have a global stride do not train the table of warps; those of the inter-thread table do in any case. The
//! tables learn in the cycle before the request is looked up. Distance and degree are 1: one prefetch, one stride
//! ahead.
//!
//! Source: Kim's thesis, section 4.4.2; Lee et al. (MICRO 2010), see [`warp_strides`](mod@super::warp_strides). Their
//! throttle ([`degree`](mod@super::degree)) is an option, as the thesis does not say that it had it. Tests:
//! `tests/core/prefetch.rs`.

use super::{
    Prediction, PredictorKind, PrefetchConfig, PrefetchPolicy, PrefetchView, Table,
    degree::drops,
    entries::{LearningTable, LookupTable, PC_BITS},
    global_strides::{GlobalStrides, global_strides},
    narrow_stride,
    thread_strides::{ThreadStrides, thread_strides},
    warp_strides::{WarpStrides, warp_strides},
};
use blocks::any_of;
use hdl::{Builder, mux};

/// See the [module documentation](self).
pub struct ManyThread;

impl PrefetchPolicy for ManyThread {
    fn sources(&self) -> &'static [PredictorKind] {
        &[PredictorKind::Global, PredictorKind::InterThread, PredictorKind::Warp]
    }

    fn predict<'m>(&self, m: &'m Builder, config: &PrefetchConfig, seen: &PrefetchView<'m>) -> Prediction<'m> {
        let PrefetchConfig { warp_entries, global_entries, thread_entries, .. } = *config;
        let (first, request, warp_bits) = (seen.first, seen.request, seen.request.warp.width());
        m.comment("Tables.");
        let global = GlobalStrides(m.instance("global", &global_strides(global_entries)));
        let threads = ThreadStrides(m.instance("threads", &thread_strides(thread_entries, warp_bits)));
        let warps = WarpStrides(m.instance("warps", &warp_strides(warp_entries, warp_bits)));
        global.access(first.valid);
        global.access_pc(first.pc);
        global.insert(warps.promotes());
        global.insert_pc(first.pc);
        global.insert_stride(warps.promoted_stride());
        let learns = [(threads.0, first.valid), (warps.0, first.valid & !global.known())];
        for (table, learns) in learns.map(|(table, learns)| (LearningTable(table), learns)) {
            table.learn(learns);
            table.learn_pc(first.pc);
            table.learn_address(first.address);
        }
        threads.learn_warp(first.warp);
        warps.learn_warp(first.warp);
        warps.lookup_warp(request.warp);
        let tables = [global.0, threads.0, warps.0].map(LookupTable);
        for table in tables {
            table.lookup_pc(request.pc);
            table.clear(seen.clear);
        }
        let [by_global, by_thread, by_warp] = tables.map(LookupTable::predicts);
        let [of_global, of_thread, of_warp] = tables.map(LookupTable::stride);
        let stride = mux(by_global, of_global, mux(by_thread, of_thread, of_warp));
        let by_thread = m.wire("by_thread", by_thread & !by_global);
        let by_warp = m.wire("by_warp", by_warp & !by_global & !by_thread);
        let by = vec![by_global, by_thread, by_warp];
        let PrefetchConfig { adaptive_throttling, throttling_period, .. } = *config;
        let drops = adaptive_throttling
            .then(|| drops(m, throttling_period, &seen.events, [request.valid & any_of(&by), seen.clear]));
        Prediction { by, stride: stride.sign_extend(32), throttle: None, drops }
    }

    fn tables(&self, config: &PrefetchConfig, warp_bits: u32) -> Vec<Table> {
        let (stride, warp) = (narrow_stride::BITS, warp_bits);
        let table = |name, entries, key_bits, data_bits| Table { name, entries, key_bits, data_bits };
        vec![
            // In use, address, stride, trained.
            table("strides of warps", config.warp_entries, PC_BITS + warp, 1 + 32 + stride + 1),
            table("strides of all warps", config.global_entries, PC_BITS, 1 + stride),
            // Two warps, and whether there is a second one.
            table("distances between warps", config.thread_entries, PC_BITS, 1 + 32 + stride + 1 + 2 * warp + 1),
        ]
    }
}
