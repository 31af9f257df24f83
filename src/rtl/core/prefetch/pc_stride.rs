//! Prefetching by the strides of one thread (PCST), by distances between loads (ITPC), and with a throttle (STPE).
//!
//! ```text
//!  first thread of a block --> stride_table --pairs at its end--> inter_pc_table
//!                                  |                                   |
//!  request of any warp ----------->+--> stride, else ----------------->+--> distance
//! ```
//!
//! The threads of a kernel do the same: what one thread of one block shows holds for all warps. A load that moves goes
//! by its stride; one that has none, as a thread executes it once or does not move, by the distance to the next load,
//! so that the line of that one is prefetched. What a loop has taught stays from one block to the next; a load that a
//! thread executes once is forgotten with its block, as the distance between two blocks is no stride of a thread.
//!
//! The throttle looks at the end of a block that was learnt from: when since the last reset more lines have left unused
//! than were read, late ones too, the tables are cleared instead of walked over; after `max_resets` times of this, the
//! next one stops all until the kernel ends.
//!
//! Source: Kim's thesis, sections 4.2.1 to 4.2.3. Tests: `tests/core/prefetch.rs`.

use super::{
    Prediction, PredictorKind, PrefetchConfig, PrefetchPolicy, PrefetchView, Table,
    entries::{LearningTable, LookupTable, PC_BITS},
    inter_pc_table::{InterPcTable, inter_pc_table},
    stride_table::{STATE_BITS, StrideTable, StrideTableParams, stride_table},
};
use hdl::{Builder, Signal, index_width, mux};

/// Bits of a number of lines that were used, or not.
const USE_BITS: u32 = 16;

/// See the [module documentation](self).
pub struct PcStride {
    /// With distances between loads.
    pub inter_pc: bool,
    /// With the throttle.
    pub throttled: bool,
}

impl PrefetchPolicy for PcStride {
    fn sources(&self) -> &'static [PredictorKind] {
        if self.inter_pc { &[PredictorKind::Stride, PredictorKind::InterPc] } else { &[PredictorKind::Stride] }
    }

    fn predict<'m>(&self, m: &'m Builder, config: &PrefetchConfig, seen: &PrefetchView<'m>) -> Prediction<'m> {
        let PrefetchConfig { entries, inter_pc_entries, wrong_stride, max_resets, .. } = *config;
        let throttle = self.throttled.then(|| Resets::new(m, max_resets, seen));
        let (resets, off) = match &throttle {
            Some(throttle) => (throttle.resets, throttle.off),
            None => (m.lit(1, 0), m.lit(1, 0)),
        };
        let clear = m.wire("clears_tables", seen.clear | resets);
        m.comment("Tables.");
        let table = StrideTableParams { entries, wrong_stride, pairs: self.inter_pc };
        let table = m.instance("strides", &stride_table(&table));
        let (accesses, strides, table) = (LearningTable(table), LookupTable(table), StrideTable(table));
        accesses.learn(seen.thread & !off);
        accesses.learn_pc(seen.pc);
        accesses.learn_address(seen.thread_address);
        strides.lookup_pc(seen.request.pc);
        strides.clear(clear);
        table.ends(seen.ended & !resets);
        let by_stride = m.wire("by_stride", strides.predicts() & !off);
        let throttle = throttle.map(|of| [of.resets, of.off]);
        let Some(pair) = table.pair() else {
            return Prediction { by: vec![by_stride], stride: strides.stride(), throttle, drops: None };
        };
        let inter_pc = m.instance("distances", &inter_pc_table(inter_pc_entries, wrong_stride));
        let distances = LookupTable(inter_pc);
        InterPcTable(inter_pc).pair(pair);
        distances.lookup_pc(seen.request.pc);
        distances.clear(clear);
        let moves = table.moves();
        let by_distance = m.wire("by_distance", !moves & distances.predicts() & !off);
        let stride = mux(moves, strides.stride(), distances.stride());
        Prediction { by: vec![by_stride, by_distance], stride, throttle, drops: None }
    }

    fn tables(&self, config: &PrefetchConfig, _: u32) -> Vec<Table> {
        let table = |name, entries, data_bits| Table { name, entries, key_bits: PC_BITS, data_bits };
        // In use, address, stride, state, the number of accesses.
        let strides = table("strides", config.entries, 1 + 32 + 32 + STATE_BITS + 2);
        let distances = table("distances", config.inter_pc_entries, 1 + 32 + STATE_BITS);
        std::iter::once(strides).chain(self.inter_pc.then_some(distances)).collect()
    }
}

/// The throttle.
struct Resets<'m> {
    /// The tables are cleared.
    resets: Signal<'m>,
    /// It has stopped.
    off: Signal<'m>,
}

impl<'m> Resets<'m> {
    fn new(m: &'m Builder, most: u32, seen: &PrefetchView<'m>) -> Self {
        m.comment("Throttle: lines that were used, and not, since the last reset.");
        let [useful, useless] = ["useful_lines", "useless_lines"].map(|name| m.register(name, USE_BITS, 0));
        let (made, off) = (m.register("resets_made", index_width(most as usize + 1), 0), m.register("off", 1, 0));
        let resets = m.wire("resets", seen.ended & useful.lt(useless) & !off);
        let used = (seen.events.useful | seen.events.late, seen.events.useless);
        for (count, more) in [(useful, used.0), (useless, used.1)] {
            m.when(more & !count.all(), || m.set(count, count + 1));
        }
        m.when(resets, || {
            [useful, useless].iter().for_each(|count| m.set(*count, 0));
            m.when(made.eq(u64::from(most)), || m.set(off, 1)).otherwise(|| m.set(made, made + 1));
        });
        m.when(seen.clear, || [useful, useless, made, off].iter().for_each(|register| m.set(*register, 0)));
        Self { resets, off }
    }
}
