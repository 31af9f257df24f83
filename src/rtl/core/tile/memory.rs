//! What is around the stages between load/store unit and memory port ([`crate::memory::stages`]): the accesses of
//! the lanes, caches beside the stages, the end of a kernel, and the port.

use crate::{
    block_control::BlockControl,
    config::CoreParams,
    decode::Controls,
    issue_partitions::{IssuePartition, IssuePartitions, chosen, chosen_word},
    memory::{
        ConstantMemory, LoadStore, ReadOnlyCache, SharedMemory, TexturePathUnit, memory_port,
        memory_port::{CorePacketPort, CorePacketPorts, MemoryPort},
        read_only_cache,
        read_only_cache::downstream,
        stage::PortClient,
        sub_word::SIZE_BITS,
    },
    ports::*,
};
use blocks::atomic_alu::OPERATION_BITS;
use cache::CacheParams;
use hdl::{Builder, Bundle, Signal, mux, row};
use protocol::{MemoryReply, MemoryRequest, Protocol};

/// The units that accesses go to.
pub(super) struct MemoryUnits<'m> {
    pub(super) shared: SharedMemory<'m>,
    pub(super) global: LoadStore<'m>,
    pub(super) constants: Option<ConstantMemory<'m>>,
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
    control: BlockControl<'m>,
    part: &IssuePartition<'m>,
) -> Offer<'m> {
    let IssuePartition { number, front, operand, lanes, .. } = *part;
    let (issue, executing, operands) = (front.issue(), operand.executing(), operand.operands());
    let issued = Controls::unpack(issue.control, p);
    let controls = Controls::unpack(executing.control, p);
    let first = m.wire(("first", number), issue.valid & front.beat().is_zero());
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
    let (address, compare) = (lanes.address(), controls.atomic.map(|_| operands.b));
    let beat = AccessBeat {
        beat_valid: executing.valid,
        beat: executing.beat,
        active: executing.active,
        address: controls.atomic.map_or(address, |atomic| mux(atomic, operands.a, address)),
        store_data: operands.c,
        compare,
    };
    let origin = front.issue_pc().map(|pc| {
        let first_warp = control.table_within(number).is_zero();
        LoadOrigin { pc, slot: front.issue_slot(), first_warp }
    });
    Offer { issued, executing: controls, access, beat, origin, shared_base: operand.x_shared_base() }
}

/// Loads and stores to the memory units.
pub(super) fn memory_units<'m>(
    m: &'m Builder,
    p: &CoreParams,
    parts: &IssuePartitions<'m>,
    control: BlockControl<'m>,
    units: &MemoryUnits<'m>,
) {
    let MemoryUnits { shared, global, constants } = *units;
    m.comment("Memory units: reserved in beat 0, fed with the beats of addresses and data.");
    let offers: Vec<_> = parts.iter().map(|part| offer(m, p, parts, control, part)).collect();
    let of_kind = |is: fn(&Controls<'m>) -> Option<Signal<'m>>| {
        let of = |controls: &Controls<'m>| is(controls).unwrap_or(m.lit(1, 0));
        let accesses = offers.iter().map(|offer| (offer, offer.access.reserve & of(&offer.issued)));
        let accesses = accesses.map(|(offer, reserve)| (reserve, Access { reserve, ..offer.access }));
        let beats = offers.iter().map(|offer| (offer, offer.beat.beat_valid & of(&offer.executing)));
        let beats = beats.map(|(offer, beat_valid)| (beat_valid, AccessBeat { beat_valid, ..offer.beat }));
        (chosen(accesses.collect()), chosen(beats.collect()))
    };
    let (access, beat) = of_kind(|controls| Some(controls.global));
    global.access(access);
    global.beat(beat);
    let (access, beat) = of_kind(|controls| Some(controls.shared));
    shared.access(access);
    shared.beat(beat);
    if let Some(constants) = constants {
        let (access, beat) = of_kind(|controls| controls.constant);
        constants.access(access);
        constants.beat(beat);
    }
    let is_global = |offer: &Offer<'m>| offer.access.reserve & offer.issued.global;
    if p.tells_uncached() {
        let uncached = chosen_word(offers.iter().map(|offer| (is_global(offer), offer.issued.uncached)));
        global.uncached(uncached);
    }
    if p.prefetches() {
        let origins = offers.iter().filter_map(|offer| Some((is_global(offer), offer.origin?)));
        global.origin(chosen(origins.collect()));
    }
    if p.texture_cache.is_some() {
        let textures = offers.iter().filter_map(|offer| Some((is_global(offer), offer.issued.texture?)));
        global.texture(chosen_word(textures.collect::<Vec<_>>().into_iter()));
    }
    let bases = offers.iter().map(|offer| (offer.beat.beat_valid & offer.executing.shared, offer.shared_base));
    shared.base(chosen_word(bases));
}

/// Caches of instructions, constants and textures, with who reads them; and their transactions below.
pub(super) fn read_only_caches<'m>(
    m: &'m Builder,
    p: &CoreParams,
    parts: &IssuePartitions<'m>,
    constants: Option<ConstantMemory<'m>>,
    textures: Option<TexturePathUnit<'m>>,
) -> Vec<(ReadOnlyCache<'m>, Protocol)> {
    let mut caches = vec![];
    let mut place = |name: &str, cache: &CacheParams| {
        m.comment("A cache that is only read.");
        let unit = ReadOnlyCache(m.instance(name, &read_only_cache(cache)));
        caches.push((unit, downstream(cache)));
        unit
    };
    if let Some(cache) = &p.instruction_cache {
        let unit = place("instruction_cache", cache);
        parts.connect_fetches(m, unit);
    }
    if let Some((cache, constants)) = p.constant_cache.as_ref().zip(constants) {
        let unit = place("constant_cache", cache);
        constants.request().connect(unit.request());
        constants.reply(unit.reply());
    }
    if let Some((cache, textures)) = p.texture_cache.as_ref().zip(textures) {
        let unit = place("texture_cache", cache);
        textures.fetch().connect(unit.request());
        textures.line(unit.reply());
    }
    caches
}

/// What is done at the end of a kernel: by the stages of the way to the memory port, which are `flushed` then, and by the
/// caches beside it. Whether all have done it.
pub(super) fn flushes<'m>(
    m: &'m Builder,
    p: &CoreParams,
    (flush, mut flushed): (Signal<'m>, Vec<Signal<'m>>),
    caches: &[(ReadOnlyCache<'m>, Protocol)],
) -> Signal<'m> {
    for (cache, _) in caches {
        cache.flush(flush);
        flushed.push(cache.flushed());
    }
    match flushed[..] {
        // Of a cache, which has a register for it.
        [one] if p.has_caches() => one,
        [one] => m.delayed("flushed_now", one),
        _ => m.delayed("flushed_now", row(flushed).all()),
    }
}

/// The memory port with its clients.
pub(super) fn memory_transactions<'m>(m: &'m Builder, p: &CoreParams, clients: &[PortClient<'m>]) {
    m.comment("Memory transactions of all units, and the network interface.");
    let (params, protocol) = (p.memory_port(), p.port_protocol());
    let child = m.instance("memory_port", &memory_port(&params));
    let (port, network) = (MemoryPort(child), CorePacketPort(child));
    for (c, PortClient { ports, protocol: own }) in (0..).zip(clients) {
        let asked = ports.requests().signals();
        port.client(c).drive(MemoryRequest { tag: asked.tag.extend(protocol.tag_bits), ..asked });
        ports.requests().answer(port.client(c).answer());
        let answer = port.reply(c);
        ports.take_reply(MemoryReply { tag: answer.tag.bits(0, own.tag_bits), ..answer });
        port.reply_taken(c, p.queues_replies().then(|| ports.takes_reply().unwrap_or(answer.valid)));
    }
    let io = CorePacketPorts::new(m, &params);
    io.tx().connect(network.tx());
    io.rx().connect(network.rx());
}
