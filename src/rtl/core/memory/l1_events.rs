//! What goes by the events of the data cache: locality of loads, throttle, prefetcher.

use super::{l1_data::L1DataCache, stage::StageContext};
use crate::{
    locality::{Locality, locality},
    ports::LocalityEvents,
    prefetch::{PrefetcherUnit, prefetcher},
};
use cache::events::CacheEvents;

/// What goes by the events of the data cache.
pub(super) fn listeners<'m>(cache: L1DataCache<'m>, core: &StageContext<'_, 'm>) {
    let StageContext { m, p, parts, .. } = *core;
    let Some(events) = cache.event().filter(|_| p.reads_cache_events()) else { return };
    m.comment("What the loads of the core show of their locality.");
    let load = m.wire("load_event", events.access & events.load);
    let clear = cache.flushed();
    let prefer_rr = p.scores_locality().then(|| {
        let locality = Locality(m.instance("locality", &locality(p)));
        locality.load(load);
        locality.load_class(events.class);
        locality.clear(clear);
        parts.iter().for_each(|part| part.front.prefer_rr(locality.prefer_rr()));
        locality.prefer_rr()
    });
    if p.throttle.kind.policy().reads().cache {
        let CacheEvents { class, warp, full, fill, fill_warp, line, evicted, evicted_warp, evicted_line, .. } = events;
        let prefer_rr = prefer_rr.unwrap_or(m.lit(1, 0));
        let store = m.wire("store_event", events.access & !events.load);
        let lost = |signal| p.reads_lost_lines().then_some(signal);
        for part in parts.iter() {
            let ((load, own_warp), (store, _)) = (parts.in_part(part, load, warp), parts.in_part(part, store, warp));
            let (fill, fill_warp) = parts.in_part(part, fill, fill_warp);
            let (evicted, evicted_warp) = parts.in_part(part, evicted, evicted_warp);
            part.front.cache(LocalityEvents {
                load,
                class,
                warp: own_warp,
                full,
                fill,
                fill_warp,
                prefer_rr,
                clear,
                store: lost(store),
                line: lost(line),
                evicted: lost(evicted),
                evicted_warp: lost(evicted_warp),
                evicted_line: lost(evicted_line),
            });
        }
    }
}

/// The prefetcher, beside the data cache.
pub(super) fn prefetches<'m>(cache: L1DataCache<'m>, core: &StageContext<'_, 'm>) {
    let StageContext { m, p, control, global, .. } = *core;
    let (Some(loads), Some(events)) = (global.load(), cache.prefetch_event()) else { return };
    m.comment("Prefetches.");
    let unit = PrefetcherUnit(m.instance("prefetcher", &prefetcher(p)));
    unit.load(loads);
    unit.block(control.start());
    unit.done(control.done());
    unit.clear(cache.flushed());
    unit.event(events);
    unit.prefetch().connect(cache.prefetch());
}
