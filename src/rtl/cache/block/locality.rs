//! Whose the lines are, and what happens to them, where something wants to know ([`crate::events`]).

use super::{
    CachePorts,
    fill::Fill,
    misses::Misses,
    operation::Operation,
    prefetches::Prefetches,
    statistics::{INTER_HITS, INTER_MERGED, INTRA_HITS, INTRA_MERGED},
};
use crate::{CacheParams, events::CacheEvents};
use blocks::one_hot_mux;
use hdl::{Builder, MemoryHandle, Signal, mux};

/// The warp of the request in the register, and of the first request for each pending line.
pub struct Locality<'m> {
    warp: Signal<'m>,
    of_entries: MemoryHandle<'m>,
}

impl<'m> Locality<'m> {
    /// `comes`: a request is taken into the register, other than a prefetch.
    pub fn new(
        m: &'m Builder,
        p: &CacheParams,
        io: CachePorts<'m>,
        req_fire: Signal<'m>,
        prefetches: Option<&Prefetches<'m>>,
    ) -> Option<Self> {
        let bits = p.locality?;
        m.comment("Whose the request is.");
        let asking = io.request_warp()?;
        let (req_fire, asking) = prefetches.map_or((req_fire, asking), |of| {
            (req_fire | of.req_fire, of.request.warp.map_or(asking, |warp| mux(of.req_fire, warp, asking)))
        });
        let warp = m.captured("held_warp", req_fire, asking);
        Some(Self { warp, of_entries: m.memory("bringers", p.all_entries() as usize, bits) })
    }

    /// Who brings the line that comes or becomes pending.
    pub fn bringer(&self, fill: &Fill<'m>) -> Signal<'m> {
        mux(fill.fills, self.of_entries.read(fill.entry), self.warp)
    }

    /// Counts the classes and shows the events. `found`: the line of the request is pending.
    pub fn outputs(
        &self,
        m: &'m Builder,
        io: CachePorts<'m>,
        now: &Operation<'_, 'm>,
        misses: &Misses<'m>,
        found: Signal<'m>,
    ) {
        m.comment("Events.");
        let Operation { p, request, row, decision, fill, change, prefetches, .. } = *now;
        m.when(decision.primary, || self.of_entries.write(misses.entry, self.warp));
        let owners = row.owners();
        let (here, first) = (row.here.any(), self.of_entries.read(misses.found_entry));
        let same_here = m.wire("same_warp_here", one_hot_mux(row.here, &owners).eq(self.warp));
        let same_pending = m.wire("same_warp_pending", first.eq(self.warp));
        let of_pending = mux(found, mux(same_pending, m.lit(3, 3), 4), 0);
        let class = m.wire("class", mux(here, mux(same_here, m.lit(3, 1), 2), of_pending));
        let accepted = prefetches.map_or(decision.accepted, |of| decision.accepted & !of.held);
        let read = m.wire("read_accepted", accepted & !request.write);
        for (statistic, of) in [INTRA_HITS, INTER_HITS, INTRA_MERGED, INTER_MERGED].into_iter().zip(1..) {
            m.count(statistic, read & class.eq(of));
        }
        let access = m.wire("access_event", accepted);
        // A prefetch is nobody's miss, so its line is nobody's fill.
        let fills = prefetches.map_or(fill.fills, |of| fill.fills & !of.opened(fill.entry));
        let evicted = m.wire("evicted_event", change.evicts);
        let events = CacheEvents {
            access: m.delayed("event_access_now", access),
            load: m.captured("event_load_now", access, !request.write),
            class: m.captured("event_class_now", access, class),
            warp: m.captured("event_warp_now", access, self.warp),
            line: m.captured("event_line_now", access, request.line),
            refused: m.delayed("event_refused_now", decision.refused),
            full: m.delayed("event_full_now", misses.used.eq(u64::from(p.all_entries()))),
            fill: m.delayed("event_fill_now", fills),
            fill_warp: m.captured("event_fill_warp_now", fill.fills, self.of_entries.read(fill.entry)),
            fill_line: m.captured("event_fill_line_now", fill.fills, fill.line),
            evicted: m.delayed("event_evicted_now", evicted),
            evicted_warp: m.captured("event_evicted_warp_now", evicted, one_hot_mux(change.way, &owners)),
            evicted_line: m.captured("event_evicted_line_now", evicted, change.leaving),
        };
        io.event(events);
    }
}
