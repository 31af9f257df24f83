//! What is around the stages between load/store unit and memory port ([`crate::core::memory::stages`]): the accesses of
//! the lanes, caches beside the stages, the end of a kernel, and the port.

use crate::{
    blocks::atomic_alu::OPERATION_BITS,
    cache::CacheParams,
    core::{
        decode::Controls,
        issue_partitions::{IssuePartition, IssuePartitions, chosen, chosen_word},
        memory::{
            memory_port, read_only_cache,
            read_only_cache::{LineRead, LineReply, downstream},
            stage::{LowerPorts, PortClient},
            sub_word::SIZE_BITS,
        },
        params::CoreParams,
        ports::*,
    },
    memory::protocol::{MemoryReply, MemoryRequest},
    noc::{
        MessageClass,
        packet::{Delivered, SentPacket},
    },
};
use hdl::{Builder, Bundle, Child, Signal, mux, row};

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

/// Caches of instructions, constants and textures, with who reads them.
pub(super) fn read_only_caches<'m>(
    m: &'m Builder,
    p: &CoreParams,
    parts: &IssuePartitions<'m>,
    [constants, textures]: [Option<Child<'m>>; 2],
) -> Vec<PortClient<'m>> {
    let ports = LowerPorts::default();
    let lower = |child, cache: &CacheParams| PortClient { child, ports, protocol: downstream(cache) };
    let instructions = p.instruction_cache.as_ref().map(|cache| {
        m.comment("A cache that is only read.");
        let unit = m.instance("instruction_cache", &read_only_cache(cache));
        parts.connect_fetches(m, unit, &cache.protocol);
        lower(unit, cache)
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
        Some(lower(unit, cache))
    };
    instructions.into_iter().chain([constants, textures].into_iter().filter_map(client)).collect()
}

/// What is done at the end of a kernel: by the stages of the way to the memory port, which are `flushed` then, and by the
/// caches beside it.
pub(super) fn flushes<'m>(
    m: &'m Builder,
    p: &CoreParams,
    (flush, mut flushed): (Signal<'m>, Vec<Signal<'m>>),
    caches: &[PortClient<'m>],
) {
    for cache in caches {
        cache.child.drive("flush", flush);
        flushed.push(cache.child.get("flushed"));
    }
    let ended = match flushed[..] {
        // Of a cache, which has a register for it.
        [one] if p.has_caches() => one,
        [one] => m.delayed("flushed_now", one),
        _ => m.delayed("flushed_now", row(flushed).all()),
    };
    m.output_of("flushed", ended);
}

/// The memory port with its clients.
pub(super) fn memory_transactions<'m>(m: &'m Builder, p: &CoreParams, clients: &[PortClient<'m>]) {
    m.comment("Memory transactions of all units, and the network interface.");
    let (packets, protocol) = (p.packets(), &p.port_protocol());
    let port = m.instance("memory_port", &memory_port(&p.memory_port()));
    for (c, client) in clients.iter().enumerate() {
        let PortClient { child, ports: LowerPorts { request, reply, .. }, protocol: own } = *client;
        let asked = MemoryRequest::of(child, request, &own);
        MemoryRequest { tag: asked.tag.extend(protocol.tag_bits), ..asked }.drive(port, ("client", c), protocol);
        child.drive((request, "taken"), port.get(("client", c, "taken")));
        let answer = MemoryReply::of(port, ("client", c, "reply"), protocol);
        MemoryReply { tag: answer.tag.bits(0, own.tag_bits), ..answer }.drive(child, reply, &own);
        if p.queues_replies() {
            port.drive(("client", c, "reply_taken"), client.reply_taken().unwrap_or(answer.valid));
        }
    }
    port.drive("tx_credit", m.input("tx_credit", 1));
    let [sent, received] = MessageClass::ALL.map(|class| packets.format(class, p.flit_bits));
    Delivered::inputs(m, "rx", &received).drive(port, "rx", &received);
    SentPacket::of(port, "tx", &sent).outputs(m, "tx", &sent);
    m.output_of("rx_credit", port.get("rx_credit"));
}
