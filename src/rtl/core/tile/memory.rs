//! What is between the lanes of a core and its memory port: units of global memory and textures, caches, prefetching,
//! the order of lines, and the clients that share the port.

use crate::{
    blocks::atomic_alu::OPERATION_BITS,
    cache::{
        CacheParams,
        events::{CacheEvents, PrefetchEvents, PrefetchRequest},
    },
    core::{
        decode::Controls,
        issue_partitions::{IssuePartition, IssuePartitions, chosen, chosen_word},
        locality::locality,
        memory::{
            L1Params, l1_data,
            line_order::{LineOrderParams, line_order},
            load_merge::{LoadMergeParams, load_merge},
            memory_port, posted_writes, read_only_cache,
            read_only_cache::{LineRead, LineReply},
            sub_word::SIZE_BITS,
        },
        params::CoreParams,
        ports::*,
        prefetch::prefetcher,
    },
    memory::protocol::{MemoryReply, MemoryRequest},
    noc::{
        MessageClass,
        packet::{Delivered, SentPacket},
    },
};
use hdl::{Builder, Bundle, Child, Signal, mux, row};
use program::isa::Opcode;

/// The units that accesses go to.
pub(super) struct MemoryUnits<'m> {
    pub(super) shared: Child<'m>,
    pub(super) global: Child<'m>,
    pub(super) constants: Option<Child<'m>>,
}

/// What a part has for the memory units, whichever it is for.
pub(super) struct Offer<'m> {
    /// Controls of the instruction in beat 0, and of the beat at the lanes.
    pub(super) issued: Controls<'m>,
    pub(super) executing: Controls<'m>,
    pub(super) access: Access<'m>,
    pub(super) beat: AccessBeat<'m>,
    pub(super) origin: Option<LoadOrigin<'m>>,
    pub(super) shared_base: Signal<'m>,
}

/// The access of a part, if its instruction is one.
pub(super) fn offer<'m>(
    m: &'m Builder,
    p: &CoreParams,
    parts: &IssuePartitions<'m>,
    part: &IssuePartition<'m>,
) -> Offer<'m> {
    let IssuePartition { number, front, operand, lanes, .. } = *part;
    let issue = Issue::of(front, "issue", &parts.own);
    let issued = Controls::unpack(issue.control, p);
    let executing = Executing::of(operand, "x", &parts.own);
    let controls = Controls::unpack(executing.control, p);
    let first = m.wire(p.of_part("first", number), issue.valid & front.get("beat").is_zero());
    let size = issued.opcode.bits(0, SIZE_BITS);
    let access = Access {
        reserve: first,
        store: issued.store,
        size: issued.atomic.map_or(size, |atomic| mux(atomic, 0, size)),
        warp: parts.in_core(part, issue.warp),
        destination: issued.d,
        writes: issued.register_load,
        atomic: issued.atomic,
        operation: p.atomics.then(|| issued.opcode.bits(0, OPERATION_BITS)),
        high_part: issued.high_part,
    };
    // The address of an atomic is a register: operand b is the value to compare with.
    let (address, compare) = (lanes.get("address"), controls.atomic.map(|_| operand.get("b")));
    let beat = AccessBeat {
        beat_valid: executing.valid,
        beat: executing.beat,
        active: executing.active,
        address: controls.atomic.map_or(address, |atomic| mux(atomic, operand.get("a"), address)),
        store_data: operand.get("c"),
        compare,
    };
    let origin = p.prefetches().then(|| {
        let (pc, slot) = (front.get("issue_pc"), front.get("issue_slot"));
        LoadOrigin { pc, slot, first_warp: issue.within.is_zero() }
    });
    Offer { issued, executing: controls, access, beat, origin, shared_base: operand.get("x_shared_base") }
}

/// Loads and stores to the memory units.
pub(super) fn memory_units<'m>(m: &'m Builder, p: &CoreParams, parts: &IssuePartitions<'m>, units: &MemoryUnits<'m>) {
    let MemoryUnits { shared, global, constants } = *units;
    m.comment("Memory units: reserved in beat 0, fed with the beats of addresses and data.");
    let offers: Vec<_> = parts.iter().map(|part| offer(m, p, parts, part)).collect();
    type Is<'m> = fn(&Controls<'m>) -> Option<Signal<'m>>;
    let kinds: [(_, Is<'m>); 3] =
        [(Some(global), |c| Some(c.global)), (Some(shared), |c| Some(c.shared)), (constants, |c| c.constant)];
    for (unit, is) in kinds {
        let Some(unit) = unit else { continue };
        let of = |controls: &Controls<'m>| is(controls).unwrap_or(m.lit(1, 0));
        let accesses = offers.iter().map(|offer| (offer, offer.access.reserve & of(&offer.issued)));
        let accesses = accesses.map(|(offer, reserve)| (reserve, Access { reserve, ..offer.access }));
        chosen(accesses.collect()).drive(unit, "", p);
        let beats = offers.iter().map(|offer| (offer, offer.beat.beat_valid & of(&offer.executing)));
        let beats = beats.map(|(offer, beat_valid)| (beat_valid, AccessBeat { beat_valid, ..offer.beat }));
        chosen(beats.collect()).drive(unit, "", p);
    }
    let is_global = |offer: &Offer<'m>| offer.access.reserve & offer.issued.global;
    if p.tells_uncached() {
        let uncached = chosen_word(offers.iter().map(|offer| (is_global(offer), offer.issued.uncached)));
        global.drive("uncached", uncached);
    }
    if p.prefetches() {
        let origins = offers.iter().filter_map(|offer| Some((is_global(offer), offer.origin?)));
        chosen(origins.collect()).drive(global, "origin", p);
    }
    if p.texture_cache.is_some() {
        let textures = offers.iter().filter_map(|offer| Some((is_global(offer), offer.issued.texture?)));
        global.drive("texture", chosen_word(textures.collect::<Vec<_>>().into_iter()));
    }
    let bases = offers.iter().map(|offer| (offer.beat.beat_valid & offer.executing.shared, offer.shared_base));
    shared.drive("base", chosen_word(bases));
}

/// Who asks the memory port, and the names of its ports: `request` ([`MemoryRequest`]) and `reply` ([`MemoryReply`]), with `<reply>_taken` of one that
/// may refuse a reply.
#[derive(Clone, Copy)]
pub(super) struct Client<'m> {
    pub(super) child: Child<'m>,
    pub(super) request: &'static str,
    pub(super) reply: &'static str,
    pub(super) refuses: bool,
}

/// The load/store unit, or what lets reads of textures leave behind it.
pub(super) fn loads_and_stores<'m>(p: &CoreParams, global: Child<'m>, textures: Option<Child<'m>>) -> Client<'m> {
    let Some(path) = textures else {
        return Client { child: global, request: "request", reply: "reply", refuses: false };
    };
    let protocol = &p.protocol();
    MemoryRequest::connect(protocol, (global, "request"), (path, "request"));
    path.drive("request_texture", global.get("request_texture"));
    global.drive("request_taken", path.get("request_taken"));
    MemoryReply::connect(protocol, (path, "reply"), (global, "reply"));
    Client { child: path, request: "data_request", reply: "data_reply", refuses: false }
}

/// The data cache, behind the load/store unit.
pub(super) fn data_cache<'m>(
    m: &'m Builder,
    p: &CoreParams,
    l1: &L1Params,
    (global, loads): (Child<'m>, Client<'m>),
) -> Client<'m> {
    m.comment("Data cache.");
    let (cache, protocol) = (m.instance("l1d", &l1_data(l1)), &p.protocol());
    MemoryRequest::connect(protocol, (loads.child, loads.request), (cache, "request"));
    cache.drive("request_uncached", global.get("request_uncached"));
    if p.shows_warps() {
        cache.drive("request_warp", global.get("request_warp"));
    }
    loads.child.drive((loads.request, "taken"), cache.get("request_taken"));
    MemoryReply::connect(protocol, (cache, "reply"), (loads.child, loads.reply));
    Client { child: cache, request: "downstream", reply: "downstream_reply", refuses: true }
}

/// Caches of instructions, constants and textures, with who reads them.
pub(super) fn read_only_caches<'m>(
    m: &'m Builder,
    p: &CoreParams,
    parts: &IssuePartitions<'m>,
    [constants, textures]: [Option<Child<'m>>; 2],
) -> Vec<Client<'m>> {
    let lower = |unit| Client { child: unit, request: "downstream", reply: "downstream_reply", refuses: true };
    let instructions = p.instruction_cache.as_ref().map(|cache| {
        m.comment("A cache that is only read.");
        let unit = m.instance("instruction_cache", &read_only_cache(cache));
        parts.connect_fetches(m, unit, &cache.protocol);
        lower(unit)
    });
    let constants = (&p.constant_cache, "constant_cache", constants, ["request", "request_taken", "reply"]);
    let textures = (&p.texture_cache, "texture_cache", textures, ["fetch", "fetch_taken", "line"]);
    let client = |(cache, name, reader, ports): (&Option<CacheParams>, _, Option<Child<'m>>, [&'static str; 3])| {
        let (cache, reader) = (cache.as_ref()?, reader?);
        m.comment("A cache that is only read.");
        let (unit, [request, taken, reply]) = (m.instance(name, &read_only_cache(cache)), ports);
        LineRead::connect(&cache.protocol, (reader, request), (unit, "request"));
        reader.drive(taken, unit.get("request_taken"));
        LineReply::connect(&cache.protocol, (unit, "reply"), (reader, reply));
        Some(lower(unit))
    };
    instructions.into_iter().chain([constants, textures].into_iter().filter_map(client)).collect()
}

/// What goes by the events of the data cache.
pub(super) fn listeners<'m>(
    m: &'m Builder,
    p: &CoreParams,
    l1: &L1Params,
    (cache, parts): (Child<'m>, &IssuePartitions<'m>),
) {
    if !p.reads_cache_events() {
        return;
    }
    m.comment("What the loads of the core show of their locality.");
    let events = CacheEvents::of(cache, "event", &l1.cache);
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

/// What the prefetcher is connected to.
pub(super) struct Prefetching<'m> {
    pub(super) control: Child<'m>,
    pub(super) global: Child<'m>,
    pub(super) cache: Child<'m>,
}

/// The prefetcher, beside the data cache.
pub(super) fn prefetches<'m>(m: &'m Builder, p: &CoreParams, l1: &L1Params, units: &Prefetching<'m>) {
    if !p.prefetches() {
        return;
    }
    m.comment("Prefetches.");
    let Prefetching { control, global, cache } = *units;
    let unit = m.instance("prefetcher", &prefetcher(p));
    LoadSeen::connect(p, (global, "load"), (unit, "load"));
    BlockStart::of(control, "", p).drive(unit, "block", p);
    unit.drive("done", control.get("done"));
    unit.drive("clear", cache.get("flushed"));
    PrefetchEvents::connect(&(), (cache, "prefetch_event"), (unit, "event"));
    PrefetchRequest::connect(&l1.cache, (unit, "prefetch"), (cache, "prefetch"));
    unit.drive("prefetch_taken", cache.get("prefetch_taken"));
}

/// What is done at the end of a kernel, and where writes are not answered who acknowledges them, behind `client`; `others` are caches.
pub(super) fn flushed<'m>(
    m: &'m Builder,
    p: &CoreParams,
    parts: &IssuePartitions<'m>,
    (client, others): (Client<'m>, &[Client<'m>]),
) -> Client<'m> {
    if !p.flushes() {
        return client;
    }
    let flush = m.input("flush", 1);
    let data = p.l1d.is_some().then_some(client);
    let caches: Vec<_> = data.into_iter().chain(others.iter().copied()).map(|cache| cache.child).collect();
    caches.iter().for_each(|cache| cache.drive("flush", flush));
    let all = |flushed: Vec<Signal<'m>>| match flushed[..] {
        [one] => one,
        _ => row(flushed).all(),
    };
    let mut ended: Vec<_> = caches.iter().map(|cache| cache.get("flushed")).collect();
    let Some(params) = p.posted_writes() else {
        let delay = ended.len() > 1;
        let ended = all(ended);
        m.output_of("flushed", if delay { m.delayed("flushed_now", ended) } else { ended });
        return client;
    };
    m.comment("Writes that nobody answers.");
    let (writes, protocol) = (m.instance("posted_writes", &posted_writes(&params)), &params.protocol);
    let Client { child, request, reply, refuses } = client;
    MemoryRequest::connect(protocol, (child, request), (writes, "request"));
    child.drive((request, "taken"), writes.get("request_taken"));
    MemoryReply::connect(protocol, (writes, "reply"), (child, reply));
    writes.drive("reply_taken", if refuses { child.get((reply, "taken")) } else { m.lit(1, 1) });
    writes.drive("wants", parts.gather("wants_fence", 1));
    parts.drive_warps("fenced", writes.get("fenced"));
    writes.drive("flush", flush);
    ended.push(writes.get("drained"));
    m.output_of("flushed", m.delayed("flushed_now", all(ended)));
    Client { child: writes, request: "downstream", reply: "downstream_reply", refuses: true }
}

/// The merging of loads, behind the load/store unit.
pub(super) fn merged<'m>(
    m: &'m Builder,
    p: &CoreParams,
    params: &LoadMergeParams,
    (parts, global, loads): (&IssuePartitions<'m>, Child<'m>, Client<'m>),
) -> Client<'m> {
    m.comment("Loads of one line.");
    let (merge, protocol) = (m.instance("load_merge", &load_merge(params)), &p.protocol());
    MemoryRequest::connect(protocol, (loads.child, loads.request), (merge, "request"));
    merge.drive("request_uncached", global.get("request_uncached"));
    loads.child.drive((loads.request, "taken"), merge.get("request_taken"));
    MemoryReply::connect(protocol, (merge, "reply"), (loads.child, loads.reply));
    let orders = |control: &Controls<'m>| control.barrier | control.opcode.eq(Opcode::Membar as u64);
    merge.drive("older", parts.issues(orders));
    if !params.lines_in_order {
        merge.drive("stores_open", global.get("stores_open").any());
    }
    Client { child: merge, request: "downstream", reply: "downstream_reply", refuses: true }
}

/// The order of lines, behind what makes requests.
pub(super) fn ordered<'m>(m: &'m Builder, p: &CoreParams, params: &LineOrderParams, unit: Client<'m>) -> Client<'m> {
    m.comment("Order of lines.");
    let (order, protocol) = (m.instance("line_order", &line_order(params)), &p.protocol());
    let Client { child, request, reply, .. } = unit;
    MemoryRequest::connect(protocol, (child, request), (order, "request"));
    child.drive((request, "taken"), order.get("request_taken"));
    MemoryReply::connect(protocol, (order, "reply"), (child, reply));
    order.drive("reply_taken", if p.merge_loads { child.get((reply, "taken")) } else { m.lit(1, 1) });
    Client { child: order, request: "downstream", reply: "downstream_reply", refuses: true }
}

/// The memory port with its clients.
pub(super) fn memory_transactions<'m>(m: &'m Builder, p: &CoreParams, clients: &[Client<'m>]) {
    m.comment("Memory transactions of all units, and the network interface.");
    let (packets, protocol) = (p.packets(), &p.port_protocol());
    let port = m.instance("memory_port", &memory_port(&p.memory_port()));
    for (c, (client, own)) in clients.iter().zip(p.clients()).enumerate() {
        let &Client { child, request, reply, refuses } = client;
        let asked = MemoryRequest::of(child, request, &own);
        MemoryRequest { tag: asked.tag.extend(protocol.tag_bits), ..asked }.drive(port, ("client", c), protocol);
        child.drive((request, "taken"), port.get(("client", c, "taken")));
        let answer = MemoryReply::of(port, ("client", c, "reply"), protocol);
        MemoryReply { tag: answer.tag.bits(0, own.tag_bits), ..answer }.drive(child, reply, &own);
        if p.queues_replies() {
            let taken = if refuses { child.get((reply, "taken")) } else { answer.valid };
            port.drive(("client", c, "reply_taken"), taken);
        }
    }
    port.drive("tx_credit", m.input("tx_credit", 1));
    let [sent, received] = MessageClass::ALL.map(|class| packets.format(class, p.flit_bits));
    Delivered::inputs(m, "rx", &received).drive(port, "rx", &received);
    SentPacket::of(port, "tx", &sent).outputs(m, "tx", &sent);
    m.output_of("rx_credit", port.get("rx_credit"));
}
