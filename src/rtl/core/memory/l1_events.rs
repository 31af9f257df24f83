//! What goes by the events of the data cache: locality of loads, throttle, prefetcher.

use super::stage::StageContext;
use crate::{
    cache::events::{CacheEvents, PrefetchEvents, PrefetchRequest},
    core::{
        locality::locality,
        ports::{BlockStart, LoadSeen, LocalityEvents},
        prefetch::prefetcher,
    },
};
use hdl::{Bundle, Child};

/// What goes by the events of the data cache.
pub(super) fn listeners<'m>(cache: Child<'m>, core: &StageContext<'_, 'm>) {
    let StageContext { m, p, parts, .. } = *core;
    let Some(l1d) = p.l1d.as_ref().filter(|_| p.reads_cache_events()) else { return };
    m.comment("What the loads of the core show of their locality.");
    let events = CacheEvents::of(cache, "event", l1d);
    let load = m.wire("load_event", events.access & events.load);
    let clear = cache.get("flushed");
    let prefer_rr = p.scores_locality().then(|| {
        let locality = m.instance("locality", &locality(p));
        locality.drive("load", load);
        locality.drive("load_class", events.class);
        locality.drive("clear", clear);
        parts.iter().for_each(|part| part.front.drive("prefer_rr", locality.get("prefer_rr")));
        locality.get("prefer_rr")
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
            LocalityEvents {
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
            }
            .drive(part.front, "cache", &parts.own.locality_widths());
        }
    }
}

/// The prefetcher, beside the data cache.
pub(super) fn prefetches<'m>(cache: Child<'m>, core: &StageContext<'_, 'm>) {
    let StageContext { m, p, control, global, .. } = *core;
    let Some(l1d) = p.l1d.as_ref().filter(|_| p.prefetches()) else { return };
    m.comment("Prefetches.");
    let unit = m.instance("prefetcher", &prefetcher(p));
    LoadSeen::connect(p, (global, "load"), (unit, "load"));
    BlockStart::of(control, "", p).drive(unit, "block", p);
    unit.drive("done", control.get("done"));
    unit.drive("clear", cache.get("flushed"));
    PrefetchEvents::connect(&(), (cache, "prefetch_event"), (unit, "event"));
    PrefetchRequest::connect(l1d, (unit, "prefetch"), (cache, "prefetch"));
    unit.drive("prefetch_taken", cache.get("prefetch_taken"));
}
