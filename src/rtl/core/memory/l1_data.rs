//! The first-level data cache of a core, between the load/store unit and the memory port.
//!
//! ```text
//!                       +-----------------------------------------------------------+
//!  request_*, _uncached |    cached   +-------+                     +------------+  |
//!            --------- >|------------>| cache |------------------+->| line_order |->|--> downstream_*
//!  request_taken <------|             +-------+                  |  |            |  |
//!                       |    uncached reads ---------------------'  +------------+  |
//!  reply_*  <-----------|<-- one of both a cycle <-- cache, or uncached line <------|<-- downstream_reply_*
//!  flush -------------->|--> cache -------------------------------------------------|--> flushed
//!                       +-----------------------------------------------------------+
//! ```
//!
//! Contract: as that of the cache ([`mod@cache::block`]), for a core's transactions. Replies are always taken
//! above. The caches of several cores are not coherent: a line here may be older than memory, until the flush at the
//! end of the kernel. `request_uncached` (reads alone) passes the cache by and sees memory as it is; it waits for the
//! stores of its warp, so it sees those, too. Lines never become dirty: the line of a write that goes to memory at once
//! may lie in other caches, which would write back what they have of its other words. An atomic is a write for the
//! cache, which forgets the line; the old value that comes back passes it by.
//!
//! Where lines are prefetched, they come by `prefetch_*` while the cache has nothing else to do.
//!
//! With locality, `request_warp` says whose a request is, and `event_*` shows what happens ([`cache::events`]).
//!
//! Source: Bakhoda's thesis, sections 3.2 and 3.5.7 (sizes, places); the write policies are those of a cache per core
//! without coherence.
//!
//! Tests: `tests/core/l1_data.rs`, `tests/chip/run.rs`.

use super::{
    l1_events::{listeners, prefetches},
    line_order::{LineOrderParams, line_order},
    stage::{MemoryStage, PassingServerPorts, StageContext, StageNeeds},
};
use crate::config::CoreParams;
use cache::{
    Cache, CacheParams, WriteHit, cache,
    events::{CacheEvents, PrefetchEvents, PrefetchRequest},
};
use hdl::{Builder, Bundle, Child, Module, Signal, mux, params, ports};
use protocol::{Client, ClientPorts, MemoryReply, MemoryRequest, Protocol, Server};
use serde::Serialize;

/// Parameters of an [`l1_data`].
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize)]
pub struct L1Params {
    /// The cache; a write hit evicts its line, or writes through.
    pub cache: CacheParams,
    /// Requests below, reads and writes, that may be outstanding; 2 and up.
    pub max_outstanding: u32,
    /// There are atomics.
    pub atomics: bool,
}

impl L1Params {
    /// The cache itself: where there are atomics, one more bit of a tag says that an old value is wanted.
    fn inner(&self) -> CacheParams {
        let tag_bits = self.cache.protocol.tag_bits + u32::from(self.atomics);
        CacheParams { protocol: self.cache.protocol.with_tag_bits(tag_bits), ..self.cache.clone() }
    }

    /// Requests of the cache, and past it: one more bit of the tag tells them apart.
    fn either(&self) -> Protocol {
        let downstream = self.inner().downstream();
        downstream.with_tag_bits(downstream.tag_bits + 1)
    }

    fn order(&self) -> LineOrderParams {
        LineOrderParams { protocol: self.either(), entries: self.max_outstanding, atomics: self.atomics }
    }

    /// Requests below.
    pub fn downstream(&self) -> Protocol {
        self.order().downstream()
    }
}

/// Its row.
pub(crate) struct L1Data;

impl L1Data {
    fn params(p: &CoreParams, above: Protocol) -> Option<L1Params> {
        let cache = CacheParams { protocol: above, ..p.l1d.clone()? };
        Some(L1Params { cache, max_outstanding: p.max_outstanding, atomics: p.atomics })
    }
}

impl MemoryStage for L1Data {
    fn name(&self) -> &'static str {
        "l1d"
    }

    fn about(&self) -> &'static str {
        "Data cache."
    }

    fn exists(&self, p: &CoreParams) -> bool {
        p.l1d.is_some()
    }

    fn needs(&self, p: &CoreParams) -> StageNeeds {
        let warp = p.l1d.as_ref().is_some_and(|cache| cache.locality.is_some());
        StageNeeds { refuses: true, uncached: true, warp, flush: true }
    }

    fn downstream(&self, p: &CoreParams, above: Protocol) -> Protocol {
        Self::params(p, above).map_or(above, |l1| l1.downstream())
    }

    fn module(&self, p: &CoreParams, above: Protocol) -> Option<Module> {
        Some(l1_data(&Self::params(p, above)?))
    }

    fn connect<'m>(&self, stage: Child<'m>, core: &StageContext<'_, 'm>) {
        let (cache, global) = (L1DataCache(stage), core.global);
        cache.request_uncached(global.request_uncached().expect("the stage needs it"));
        cache.request_warp(global.request_warp());
        cache.flush(core.flush());
        listeners(cache, core);
        prefetches(cache, core);
    }

    fn flushed<'m>(&self, stage: Child<'m>) -> Option<Signal<'m>> {
        Some(L1DataCache(stage).flushed())
    }
}

/// Kind of the block, to look at the cache in it.
pub const L1_DATA: &str = "l1_data";

ports! {
    /// Ports of an [`l1_data`], beside those towards the load/store unit and those of a client.
    pub struct L1DataPorts(p: &L1Params) of L1DataCache {
        /// The request is a read that passes the cache by.
        in request_uncached: 1,
        /// Lines that somebody may want soon.
        maybe (p.cache.prefetches()) in prefetch: bundle PrefetchRequest(&p.cache) with taken: 1,
        /// What became of them.
        maybe (p.cache.prefetches()) out prefetch_event: bundle PrefetchEvents(&()),
        /// The warp that the request is of.
        maybe (p.cache.locality.is_some()) in request_warp: p.cache.locality.unwrap_or(0),
        /// What happens.
        maybe (p.cache.locality.is_some()) out event: bundle CacheEvents(&p.cache),
        /// The kernel has ended: all lines are forgotten.
        in flush: 1,
        /// They are, and all writes are acknowledged.
        out flushed: 1,
    }
}

/// The cache; see the [module documentation](self).
pub fn l1_data(p: &L1Params) -> Module {
    let m = Builder::new(
        L1_DATA,
        params! { sets: p.cache.sets, ways: p.cache.ways, line_bytes: p.cache.protocol.line_bytes }.and(p),
    );
    m.doc("First-level data cache of a core: not coherent, never dirty, reads may pass it by.");
    m.require(p.cache.write_hit != WriteHit::Back, "l1_data: write_hit = back, allowed are through and evict");
    let inside = p.inner();
    let (above, inner) = (&p.cache.protocol, &inside.downstream());
    let (up, down) = (PassingServerPorts::new(&m, above), ClientPorts::new(&m, &p.downstream()));
    let io = L1DataPorts::new(&m, p);
    let cache = Cache(m.instance("cache", &cache(&inside)));
    let order = m.instance("line_order", &line_order(&p.order()));
    // Its ports towards the cache, and towards memory.
    let (upper, lower) = (Server(order), Client(order));

    m.comment("Requests: those of the cache and the reads that pass it by, in turn where both wait.");
    let (request, request_taken) = up.request().signals();
    let uncached = m.wire("uncached", request.valid & io.request_uncached());
    m.always("only reads pass the cache by", !(uncached & request.write));
    let tag = if p.atomics { request.returns_old().join(request.tag) } else { request.tag };
    cache.request().drive(MemoryRequest { valid: request.valid & !uncached, tag, ..request });
    let missed = cache.downstream().signals();
    let past = MemoryRequest { tag: request.tag.extend(inner.tag_bits), ..request };
    let past_was_last = m.register("past_was_last", 1, 0);
    let past_goes = m.wire("past_goes", uncached & !(missed.valid & past_was_last));
    let chosen = MemoryRequest::one_hot(past_goes.join(!past_goes), &[missed, past]);
    // The old value that an atomic wants goes past the cache on its way back.
    let passes_back = if p.atomics { past_goes | missed.returns_old() } else { past_goes };
    let tag = passes_back.join(chosen.tag);
    upper.request().drive(MemoryRequest { valid: uncached | missed.valid, tag, ..chosen });
    let taken = upper.request().answer();
    m.when(taken, || m.set(past_was_last, past_goes));
    cache.downstream().answer(taken & !past_goes);
    request_taken.shows(mux(uncached, taken & past_goes, cache.request().answer()));
    down.downstream().connect(lower.downstream());

    m.comment("Replies: a line that passes the cache by goes first.");
    down.downstream_reply().connect(lower.downstream_reply());
    let back = upper.reply().signals();
    let passes = m.wire("passes", back.valid & back.tag.bit(inner.tag_bits));
    let filled = MemoryReply { valid: back.valid & !passes, tag: back.tag.bits(0, inner.tag_bits), ..back };
    let hit = cache.reply().signals();
    let (passes, filled, dropped) = if p.atomics {
        // Of an atomic with an old value the cache sees an acknowledgement, in the same cycle, and its own answer is
        // dropped.
        let of_atomic = m.wire("of_atomic", passes & back.tag.bit(above.tag_bits));
        let acknowledged = of_atomic & cache.downstream_reply().answer();
        let filled = MemoryReply { valid: filled.valid | of_atomic, write: back.write | of_atomic, ..filled };
        let dropped = m.wire("dropped", hit.valid & hit.write & hit.tag.sign());
        (m.wire("passes_now", passes & !of_atomic | acknowledged), filled, Some(dropped))
    } else {
        (passes, filled, None)
    };
    cache.downstream_reply().drive(filled);
    upper.reply().answer(passes | cache.downstream_reply().answer());
    cache.reply().answer(dropped.map_or(hit.valid & !passes, |dropped| hit.valid & (!passes | dropped)));
    up.reply(MemoryReply {
        valid: passes | dropped.map_or(hit.valid, |dropped| hit.valid & !dropped),
        write: hit.write & !passes,
        tag: mux(passes, back.tag.bits(0, above.tag_bits), hit.tag.bits(0, above.tag_bits)),
        data: mux(passes, back.data, hit.data),
    });

    if p.cache.prefetches() {
        m.comment("Prefetches.");
        io.prefetch().connect(cache.prefetch());
        io.prefetch_event(cache.prefetch_event());
    }
    if let Some(warp) = io.request_warp() {
        m.comment("Whose the requests are, and what happens.");
        cache.request_warp(warp);
        io.event(cache.event());
    }
    cache.flush(io.flush());
    io.flushed(m.delayed("flushed_now", cache.flushed()));
    m.finish()
}
