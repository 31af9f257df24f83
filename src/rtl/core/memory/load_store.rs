//! Load/store unit for global memory: a chain of parts with the memory protocol between them.
//!
//! ```text
//!  issued instruction ---------->+-----------+  request (tag of its kind)
//!  addresses, store data ------->| coalescer |----------------------------------> request_* (to the memory port)
//!                                +-----------+<---------------------------------- request_taken
//!                                  | rows |  sent stores
//!         +-----------------------+v     v+---------------+
//!         | pending request table |       | store tracker |--> stores_open (warps)
//!         +-----------------------+       +---------------+
//!          ^ read replies     |  |                ^ write replies
//!  reply_* +------------------|--|----------------+
//!                             |  +--> done (scoreboard), loads_open (warps)
//!                             +--> write (register file)
//! ```
//!
//! Contract: `ready_load`, `ready_store` tell the scheduler whether such an instruction can issue now. A load's tag is
//! its place in the pending request table, a store's tag its warp number: the write reply carries it back. Replies are
//! always accepted. In front of a data cache, or where loads merge, `uncached` says of a load that it passes it by
//! (`request_uncached`), and where the cache wants to know it, `request_warp` whose a request is. In front of a way of
//! textures `texture` says that it is of a texel (`request_texture`).
//!
//! Where lines are prefetched, `origin_*` says where a load comes from, and `load_*` shows what the
//! [prefetcher](mod@crate::core::prefetch) sees.
//!
//! Testbench: `testbenches/load_store/`; tests: `tests/core/memory.rs`, `tests/core/random.rs`.

use super::{coalescer::coalescer, pending_request_table::pending_request_table, store_tracker::store_tracker};
use crate::{
    blocks::{any_of, lowest_set, one_hot_mux},
    core::{
        params::CoreParams,
        ports::{Access, AccessBeat, Completion, LineRequest, LoadOrigin, LoadSeen, RegisterWrite, RoundRow},
    },
    memory::protocol::{MemoryReply, MemoryRequest},
};
use hdl::{Builder, Bundle, Module, Signal, mux, params, taps};

taps! {
    "load_store" {
        /// An access begins.
        BEGINS,
        /// The warp whose access begins.
        WARP_OF_ACCESS,
        /// There is a request.
        REQUEST,
        /// It is taken.
        REQUEST_TAKEN,
        /// It is a write.
        REQUEST_WRITE,
        /// Its tag.
        REQUEST_TAG,
        /// The number of its line.
        REQUEST_LINE,
        /// The words of the line that it writes, a bit each.
        REQUEST_WORDS,
        /// The bytes that it writes of each word, a bit each.
        REQUEST_BYTES,
        /// What it writes.
        REQUEST_DATA,
        /// There is a reply.
        REPLY,
        /// It is of a write.
        REPLY_WRITE,
        /// Its tag.
        REPLY_TAG,
    }
}

/// The unit.
pub fn load_store(p: &CoreParams) -> Module {
    let m = Builder::new("load_store", p.parameters(params! { warps: p.warps, lanes: p.lanes, loads: p.load_entries }));
    m.doc("Global loads and stores: coalescer, pending request table, store tracker.");
    let protocol = &p.protocol();
    let unit = m.instance("coalescer", &coalescer(p));
    let table = m.instance("pending_request_table", &pending_request_table(p));
    let stores = m.instance("store_tracker", &store_tracker(p));

    m.comment("Instructions.");
    let access = Access::inputs(&m, "", p);
    m.tap(BEGINS, access.reserve);
    m.tap(WARP_OF_ACCESS, access.warp);
    // High words take the unit and a place in the table; the atomic behind them finds both taken for it.
    let staged = access.high_part.map(|high_part| {
        let staged = m.register("high_part_here", 1, 0);
        m.when(access.reserve, || m.set(staged, high_part));
        staged
    });
    let is_store = staged.map(|staged| {
        let kept = m.register("store_now", 1, 0);
        let store = m.wire("is_store", mux(staged, kept, access.store));
        m.when(access.reserve, || m.set(kept, store));
        store
    });
    let access = Access { store: is_store.unwrap_or(access.store), ..access };
    for (port, value) in [("reserve", access.reserve), ("store", access.store), ("size", access.size)] {
        unit.drive(port, value);
    }
    for (port, value) in
        [("atomic", access.atomic), ("operation", access.operation), ("high_part", access.high_part), ("wide", staged)]
    {
        value.into_iter().for_each(|value| unit.drive(port, value));
    }
    let beat = AccessBeat::inputs(&m, "", p);
    beat.drive(unit, "", p);
    let loads = access.reserve & !access.store;
    if let Some(staged) = staged {
        table.drive("low_part", loads & staged);
    }
    Access { reserve: staged.map_or(loads, |staged| loads & !staged), ..access }.drive(table, "", p);
    stores.drive("reserve", access.reserve & access.store);
    stores.drive("warp", access.warp);
    m.output_of("ready_load", !unit.get("busy") & table.get("load_free"));
    m.output_of("ready_store", !unit.get("busy"));

    m.comment("Requests.");
    unit.drive("may_begin", table.get("tag_free"));
    RoundRow::connect(p, (unit, ""), (table, ""));
    let LineRequest { valid, store, line, words, bytes, data } = LineRequest::of(unit, "request", protocol);
    let tag = mux(store, stores.get("store_warp").extend(p.tag_bits), table.get("tag"));
    // An atomic is a write on its way, of whatever kind its reply is.
    let write = if p.atomics { store | bytes.is_zero() } else { store };
    let shown = MemoryRequest { valid, write, tag, line, words, bytes, data }.shown(&m, "request", protocol);
    m.tap(REQUEST, shown.valid);
    m.tap(REQUEST_WRITE, shown.write);
    m.tap(REQUEST_TAG, shown.tag);
    m.tap(REQUEST_LINE, shown.line);
    m.tap(REQUEST_WORDS, shown.words);
    m.tap(REQUEST_BYTES, shown.bytes);
    m.tap(REQUEST_DATA, shown.data);
    let mut passes_by = vec![];
    if p.tells_uncached() {
        let uncached = m.register("uncached_now", 1, 0);
        passes_by.push(uncached);
        m.when(access.reserve, || m.set(uncached, m.input("uncached", 1)));
        m.output_of("request_uncached", uncached & !store);
    }
    if p.texture_cache.is_some() {
        let texture = m.register("texture_now", 1, 0);
        passes_by.push(texture);
        m.when(access.reserve, || m.set(texture, m.input("texture", 1)));
        m.output_of("request_texture", texture & !store);
    }
    if p.shows_warps() {
        let warp = m.register_payload("warp_now", p.warp_bits());
        m.when(access.reserve, || m.set(warp, access.warp));
        m.output_of("request_warp", warp);
    }
    let taken = m.input("request_taken", 1);
    m.tap(REQUEST_TAKEN, taken);
    if p.prefetches() {
        let loads = (access.reserve, taken & !write, line);
        loads_seen(&m, p, &access, &beat, &RoundRow::of(unit, "", p), &passes_by, loads);
    }
    unit.drive("request_taken", taken);
    stores.drive("coalescing", unit.get("busy") & store);
    stores.drive("sent", taken & store);

    m.comment("Replies.");
    let reply = MemoryReply::inputs(&m, "reply", protocol);
    m.tap(REPLY, reply.valid);
    m.tap(REPLY_WRITE, reply.write);
    m.tap(REPLY_TAG, reply.tag);
    MemoryReply { valid: reply.valid & !reply.write, ..reply }.drive(table, "reply", protocol);
    stores.drive("acknowledge", reply.valid & reply.write);
    stores.drive("acknowledged_warp", reply.tag.resize(p.warp_bits()));
    table.drive("write_granted", m.input("write_granted", 1));
    RegisterWrite::of(table, "write", p).outputs(&m, "write", p);
    Completion::of(table, "done", p).outputs(&m, "done", p);
    m.output_of("stores_open", stores.get("open"));
    m.output_of("loads_open", table.get("open"));
    m.finish()
}

/// What a prefetcher sees of loads that do not pass the data cache by, as those do for which one of `passes_by` is one. `reserve`: an access begins;
/// `taken`: the request of a load for `line` is taken.
fn loads_seen<'m>(
    m: &'m Builder,
    p: &CoreParams,
    access: &Access<'m>,
    beat: &AccessBeat<'m>,
    round: &RoundRow<'m>,
    passes_by: &[Signal<'m>],
    (reserve, taken, line): (Signal<'m>, Signal<'m>, Signal<'m>),
) {
    m.comment("What a prefetcher sees.");
    let kept = |name: &str, value: Signal<'m>| m.captured(name, reserve, value);
    let origin = LoadOrigin::inputs(m, "origin", p);
    let read = access.atomic.map_or(!access.store, |atomic| !access.store & !atomic);
    let seen = m.wire("is_seen", kept("is_read", read) & !any_of(passes_by));
    let first_warp = kept("is_of_first_warp", origin.first_warp);
    let leader = one_hot_mux(lowest_set(round.row_match), &round.row_offset.parts(p.protocol().offset_bits()));
    let offset = m.captured("round_offset", round.row_valid & round.begin, leader);
    let first = m.register("request_is_first", 1, 0);
    m.when(taken, || m.set(first, 0));
    m.when(reserve, || m.set(first, 1));
    let seen = LoadSeen {
        thread: beat.beat_valid & beat.beat.is_zero() & beat.active.bit(0) & seen & first_warp,
        slot: kept("seen_slot", origin.slot),
        thread_address: beat.address.bits(0, 32),
        request: taken & seen,
        first,
        warp: kept("seen_warp", access.warp),
        pc: kept("seen_pc", origin.pc),
        address: line.join(offset),
    };
    seen.outputs(m, "load", p);
}
