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
//! [prefetcher](mod@crate::prefetch) sees.
//!
//! Testbench: `testbenches/load_store/`; tests: `tests/core/memory.rs`, `tests/core/random.rs`.

use super::{
    coalescer::{Coalescer, coalescer},
    pending_request_table::{PendingRequestTable, pending_request_table},
    store_tracker::{StoreTracker, store_tracker},
};
use crate::{
    config::CoreParams,
    ports::{Access, AccessBeat, Completion, LineRequest, LoadOrigin, LoadSeen, RegisterWrite, RoundRow},
};
use blocks::{any_of, lowest_set, one_hot_mux};
use hdl::{Builder, Module, Signal, mux, params, ports, taps};
use protocol::{MemoryReply, MemoryRequest};

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

ports! {
    /// Ports of a [`load_store`].
    pub struct LoadStorePorts(p: &CoreParams) of LoadStore {
        /// An instruction begins.
        in access as "": bundle Access(p),
        /// Its beats at the lanes, in the cycles that follow.
        in beat as "": bundle AccessBeat(p),
        /// A load can issue now.
        out ready_load: 1,
        /// A store can issue now.
        out ready_store: 1,
        /// Transactions.
        out request: bundle MemoryRequest(&p.protocol()) with taken: 1,
        /// The load that begins passes a data cache by.
        maybe (p.tells_uncached()) in uncached: 1,
        /// The request is of such a load.
        maybe (p.tells_uncached()) out request_uncached: 1,
        /// The load that begins is of texels.
        maybe (p.texture_cache.is_some()) in texture: 1,
        /// The request is of such a load.
        maybe (p.texture_cache.is_some()) out request_texture: 1,
        /// The warp that the request is of.
        maybe (p.shows_warps()) out request_warp: p.warp_bits(),
        /// Where the load that begins comes from.
        maybe (p.prefetches()) in origin: bundle LoadOrigin(p),
        /// What a prefetcher sees.
        maybe (p.prefetches()) out load: bundle LoadSeen(p),
        /// Replies, which are always taken.
        in reply: bundle MemoryReply(&p.protocol()),
        /// Words for the registers.
        out write: bundle RegisterWrite(p) with granted: 1,
        /// A load is done.
        out done: bundle Completion(p),
        /// Warps with stores that are not acknowledged.
        out stores_open: p.warps,
        /// Warps with loads in flight.
        out loads_open: p.warps,
    }
}

/// The unit.
pub fn load_store(p: &CoreParams) -> Module {
    let m = Builder::new("load_store", p.parameters(params! { warps: p.warps, lanes: p.lanes, loads: p.load_entries }));
    m.doc("Global loads and stores: coalescer, pending request table, store tracker.");
    let io = LoadStorePorts::new(&m, p);
    let unit = Coalescer(m.instance("coalescer", &coalescer(p)));
    let table = PendingRequestTable(m.instance("pending_request_table", &pending_request_table(p)));
    let stores = StoreTracker(m.instance("store_tracker", &store_tracker(p)));

    m.comment("Instructions.");
    let access = io.access();
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
    unit.reserve(access.reserve);
    unit.store(access.store);
    unit.size(access.size);
    unit.atomic(access.atomic);
    unit.operation(access.operation);
    unit.high_part(access.high_part);
    unit.wide(staged);
    let beat = io.beat();
    unit.beat(beat);
    let loads = access.reserve & !access.store;
    table.low_part(staged.map(|staged| loads & staged));
    table.access(Access { reserve: staged.map_or(loads, |staged| loads & !staged), ..access });
    stores.reserve(access.reserve & access.store);
    stores.warp(access.warp);
    io.ready_load(!unit.busy() & table.load_free());
    io.ready_store(!unit.busy());

    m.comment("Requests.");
    unit.may_begin(table.tag_free());
    table.round(unit.row());
    let LineRequest { valid, store, line, words, bytes, data } = unit.request().signals();
    let tag = mux(store, stores.store_warp().extend(p.tag_bits), table.tag());
    // An atomic is a write on its way, of whatever kind its reply is.
    let write = if p.atomics { store | bytes.is_zero() } else { store };
    let shown = io.request().shows(MemoryRequest { valid, write, tag, line, words, bytes, data });
    m.tap(REQUEST, shown.valid);
    m.tap(REQUEST_WRITE, shown.write);
    m.tap(REQUEST_TAG, shown.tag);
    m.tap(REQUEST_LINE, shown.line);
    m.tap(REQUEST_WORDS, shown.words);
    m.tap(REQUEST_BYTES, shown.bytes);
    m.tap(REQUEST_DATA, shown.data);
    let mut passes_by = vec![];
    if let Some(uncached) = io.uncached() {
        let uncached = kept(&m, "uncached_now", access.reserve, uncached);
        passes_by.push(uncached);
        io.request_uncached(uncached & !store);
    }
    if let Some(texture) = io.texture() {
        let texture = kept(&m, "texture_now", access.reserve, texture);
        passes_by.push(texture);
        io.request_texture(texture & !store);
    }
    if p.shows_warps() {
        let warp = m.register_payload("warp_now", p.warp_bits());
        m.when(access.reserve, || m.set(warp, access.warp));
        io.request_warp(warp);
    }
    let taken = io.request().answer();
    m.tap(REQUEST_TAKEN, taken);
    if p.prefetches() {
        loads_seen(&m, p, io, &access, (&beat, &unit.row()), &passes_by, (taken & !write, line));
    }
    unit.request().answer(taken);
    stores.coalescing(unit.busy() & store);
    stores.sent(taken & store);

    m.comment("Replies.");
    let reply = io.reply();
    m.tap(REPLY, reply.valid);
    m.tap(REPLY_WRITE, reply.write);
    m.tap(REPLY_TAG, reply.tag);
    table.reply(MemoryReply { valid: reply.valid & !reply.write, ..reply });
    stores.acknowledge(reply.valid & reply.write);
    stores.acknowledged_warp(reply.tag.resize(p.warp_bits()));
    io.write().connect(table.write());
    io.done(table.done());
    io.stores_open(stores.open());
    io.loads_open(table.open());
    m.finish()
}

/// A register that keeps `value` from the beginning of an access.
fn kept<'m>(m: &'m Builder, name: &str, begins: Signal<'m>, value: Signal<'m>) -> Signal<'m> {
    let register = m.register(name, value.width(), 0);
    m.when(begins, || m.set(register, value));
    register
}

/// What a prefetcher sees of loads that do not pass the data cache by, as those do for which one of `passes_by` is one. `taken`: the
/// request of a load for `line` is taken.
fn loads_seen<'m>(
    m: &'m Builder,
    p: &CoreParams,
    io: LoadStorePorts<'m>,
    access: &Access<'m>,
    (beat, round): (&AccessBeat<'m>, &RoundRow<'m>),
    passes_by: &[Signal<'m>],
    (taken, line): (Signal<'m>, Signal<'m>),
) {
    m.comment("What a prefetcher sees.");
    let kept = |name: &str, value: Signal<'m>| m.captured(name, access.reserve, value);
    let Some(origin) = io.origin() else { return };
    let read = access.atomic.map_or(!access.store, |atomic| !access.store & !atomic);
    let seen = m.wire("is_seen", kept("is_read", read) & !any_of(passes_by));
    let first_warp = kept("is_of_first_warp", origin.first_warp);
    let leader = one_hot_mux(lowest_set(round.row_match), &round.row_offset.parts(p.protocol().offset_bits()));
    let offset = m.captured("round_offset", round.row_valid & round.begin, leader);
    let first = m.register("request_is_first", 1, 0);
    m.when(taken, || m.set(first, 0));
    m.when(access.reserve, || m.set(first, 1));
    io.load(LoadSeen {
        thread: beat.beat_valid & beat.beat.is_zero() & beat.active.bit(0) & seen & first_warp,
        slot: kept("seen_slot", origin.slot),
        thread_address: beat.address.bits(0, 32),
        request: taken & seen,
        first,
        warp: kept("seen_warp", access.warp),
        pc: kept("seen_pc", origin.pc),
        address: line.join(offset),
    });
}
