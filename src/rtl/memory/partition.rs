//! Memory partition tile: what stands at a memory node between the network and the pins of its DRAM channel.
//!
//! ```text
//!             +-----------------------------------------------------------------------+
//!  rx_valid ->| packet    request_*       +---------------+  downstream_*   +-------+ |
//!  rx_src     | {src, tag}, header, line->| request queue |----------->| controller |-|-> dram_command, _bank, _row, _column,
//!  rx_...   ->|                           |     L2 bank   |            |            | |   _write_data, _write_mask
//!  rx_credit<-|<------ request_left ------|  return queue |<-----------|            |<|<- dram_read_data
//!             |                           +---------------+            +------------+ |
//!  tx_valid <-|<-- packet register <-- reply_*     |                                  |
//!  tx_...     |         credits -----> reply_taken-^                                  |
//!  tx_credit->|                                                                       |
//!  flush ---->|------------------------------> L2 bank ------------------------------>|-> flushed
//!             +-----------------------------------------------------------------------+
//! ```
//!
//! Where writes are not answered ([`WriteReply::None`]), replies to writes end here, and fences do not go past the
//! request queue, which is there without an L2, too: one at its head is answered, as everything before it has been
//! taken. `flushed` then follows `flush` when everything has been served, with the L2 flushed.
//!
//! Where the DRAM has no mask of bytes, [`partial_writes`] stands in front of the controller, and the request queue is
//! there, too.
//!
//! Without an L2 the controller stands in the place of what is drawn between packets and it, and there is neither
//! `flush` nor `flushed`. Where the DRAM has a clock of its own (`dram`), a [`memory_crossing`] stands in front of the
//! controller, and the request queue is there without an L2, too.
//!
//! Ports as in `docs/tiles.md`; all outputs are registers.
//!
//! Contract: packets become transactions of the memory protocol ([`protocol`]) whose tag is the sender's node
//! above the packet's tag; replies go back there, one a cycle, when the network interface has a place. Their line is
//! the number of a line among those of this controller ([`AddressMap::local_line`]), so that all sets of the L2 bank
//! are used. A reply that is shown in cycle t is on the packet port in t + 1. Never: a request without a free place in
//! the first queue (asserted).
//!
//! Source of the L2 bank: Bakhoda's thesis, section 3.2.4 and table 6.1 (queues of 8 towards the DRAM and 6 back, note
//! 1 of page 80); A. Bakhoda and T. Aamodt, *Extending the scalability of single chip stream processors with on-chip
//! caches* (CMP-MSI 2008), section 3.2.
//!
//! Testbench: `testbenches/memory_partition/`; tests: `tests/memory/partition.rs`, `tests/memory/lockstep.rs`.

use super::{
    atomic_unit::{AtomicUnitParams, atomic_unit},
    controller::{ChannelPins, Controller, ControllerParams, ServiceParams, controller},
    crossing::{self, memory_crossing},
    map::AddressMap,
    packets::{MemoryPackets, Outgoing},
    partial_writes::{PartialWrite, PartialWritesParams, partial_writes},
    protocol::{Client, LineQueue, MemoryReply, MemoryRequest, Protocol, RequestHeader, Server, WriteReply},
    timing::DramTiming,
};
use blocks::{CreditCounter, credit_counter};
use cache::{Cache, CacheParams, cache};
use hdl::{Answer, Builder, Bundle, Module, Signal, bundle, mux, params, ports, statistics};
use noc::{
    MessageClass,
    packet::{ReceivedPacket, SentPacket},
};
use serde::Serialize;

statistics! {
    "memory_partition" {
        /// Cycles in which a reply waits for a place in the network interface.
        NETWORK_WAIT_CYCLES: network_wait_cycles in "cycles";
    }
}

/// Clock domain of the controller and its DRAM, where that is one of its own.
pub const DRAM_CLOCK: &str = "dram";
/// Bits of the number of requests that are not answered, where they are counted.
const OPEN_BITS: u32 = 16;

/// An L2 bank and the queues around it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct L2Params {
    /// The bank; its requests are those of the partition.
    pub cache: CacheParams,
    /// Requests between the network and the bank (the network interface's `rx_queue_packets`), 1 and up.
    pub queue_entries: usize,
    /// Lines between the controller and the bank, 1 and up.
    pub fill_queue_entries: usize,
}

/// Parameters of a [`partition`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct PartitionParams {
    /// Address map of the chip.
    pub map: AddressMap,
    /// DRAM timing.
    pub timing: DramTiming,
    /// Bits of a packet's tag, 1 and up.
    pub tag_bits: u32,
    /// Requests that the controller's queue holds (the network interface's `rx_queue_packets`), 1 and up.
    pub queue_entries: usize,
    /// Replies in the DRAM or waiting for the network, 1 and up; fewer than `latency / burst` limit the bandwidth.
    pub reply_entries: usize,
    /// Packets that the network interface accepts before it gives a credit back, 1 and up.
    pub tx_queue_packets: usize,
    /// How the controller serves requests.
    pub service: ServiceParams,
    /// Its L2 bank.
    pub l2: Option<L2Params>,
    /// Atomics outstanding; 0: there are none.
    pub atomics: u32,
    /// The controller and its DRAM have a clock of their own, `dram`.
    pub crosses_clocks: bool,
    /// Whether writes are answered.
    pub write_reply: WriteReply,
    /// How writes of less than a chunk are done.
    pub partial_write: PartialWrite,
    /// Payload bits of a flit of replies.
    pub flit_bits: u32,
}

impl PartitionParams {
    /// Transactions whose tag says the node, too.
    pub fn above(&self) -> Protocol {
        let protocol = self.protocol();
        protocol.with_tag_bits(self.map.node_bits() + protocol.tag_bits)
    }

    /// The unit for atomics, in front of what else there is.
    pub fn atomic_unit(&self) -> Option<AtomicUnitParams> {
        (self.atomics > 0).then(|| AtomicUnitParams { protocol: self.above(), entries: self.atomics })
    }

    /// Transactions below the unit for atomics.
    pub fn below_atomics(&self) -> Protocol {
        self.atomic_unit().map_or(self.above(), |unit| unit.downstream())
    }

    /// Transactions of the chip.
    pub fn protocol(&self) -> Protocol {
        Protocol { line_bytes: self.map.line_bytes(), tag_bits: self.tag_bits }
    }

    /// Packets of the chip.
    pub fn packets(&self) -> MemoryPackets {
        MemoryPackets { protocol: self.protocol(), node_bits: self.map.node_bits() }
    }

    /// Requests that the partition holds for the network interface, before they have left its first queue.
    pub fn coming_entries(&self) -> usize {
        match &self.l2 {
            Some(l2) => l2.queue_entries,
            None if self.queues() => crossing::PLACES,
            None => self.queue_entries,
        }
    }

    /// Writes are not answered.
    pub fn posts_writes(&self) -> bool {
        self.write_reply == WriteReply::None
    }

    /// Requests wait in a queue of their own, before what takes them.
    fn queues(&self) -> bool {
        self.l2.is_some() || self.crosses_clocks || self.posts_writes() || self.partial_writes().is_some()
    }

    /// It has ports `flush` and `flushed`.
    pub fn flushes(&self) -> bool {
        self.l2.is_some() || self.posts_writes()
    }

    /// Transactions of what asks for lines: packets, or the L2 bank.
    fn asking(&self) -> Protocol {
        self.l2.as_ref().map_or(self.below_atomics(), |l2| l2.cache.downstream())
    }

    /// What stands before the controller where the DRAM has no mask.
    pub fn partial_writes(&self) -> Option<PartialWritesParams> {
        let (protocol, entries) = (self.asking(), PartialWritesParams::ENTRIES);
        (self.partial_write == PartialWrite::ReadModifyWrite).then_some(PartialWritesParams { protocol, entries })
    }

    /// Its controller.
    pub fn controller(&self) -> ControllerParams {
        let whole = self.partial_writes().map(|whole| whole.downstream());
        ControllerParams {
            map: self.map.clone(),
            timing: self.timing,
            tag_bits: whole.unwrap_or(self.asking()).tag_bits,
            queue_entries: self.queue_entries,
            reply_entries: self.reply_entries,
            service: self.service,
            atomics: self.atomics > 0 && !self.queues(),
        }
    }
}

bundle! {
    /// Whom a reply is for.
    struct Asker(p: &PartitionParams) {
        node: p.map.node_bits(),
        tag: p.tag_bits,
    }
}

bundle! {
    /// A request without its line of data.
    struct RequestHead(p: &Protocol) {
        write: 1,
        tag: p.tag_bits,
        line: p.line_number_bits(),
        words: p.words(),
        bytes: 4,
    }
}

bundle! {
    /// A reply without its line.
    struct ReplyHead(p: &Protocol) {
        write: 1,
        tag: p.tag_bits,
    }
}

ports! {
    /// Ports of a [`partition`].
    pub struct PartitionPorts(p: &PartitionParams) of Partition {
        /// Requests from the network. Their length is nothing to it: the width of flits does not matter.
        in rx: bundle ReceivedPacket(&p.packets().format(MessageClass::Request, p.flit_bits)) with credit: 1,
        /// Replies for the network.
        out tx: bundle SentPacket(&p.packets().format(MessageClass::Reply, p.flit_bits)) with credit: 1,
        /// Pins of the DRAM channel.
        out dram: bundle ChannelPins(&p.map),
        /// The line that comes from the DRAM.
        in dram_read_data: 8 * p.map.line_bytes(),
        /// The kernel has ended: dirty lines go to the DRAM, and everything is to be served.
        maybe (p.flushes()) in flush: 1,
        /// That is done.
        maybe (p.flushes()) out flushed: 1,
    }
}

/// A memory partition; see the [module documentation](self).
pub fn partition(p: &PartitionParams) -> Module {
    let params = p.controller();
    let names = params! { banks: p.map.banks(), queue_entries: params.queue_entries }.and(p);
    let m = Builder::new("memory_partition", names);
    m.doc("Memory partition tile: the controller of a DRAM channel, on a node of the network.");
    let packets = p.packets();
    let io = PartitionPorts::new(&m, p);
    let controller = controller_of(&m, p, &params, io);

    m.comment("Requests.");
    let (packet, rx_credit) = io.rx().signals();
    let rx = packets.request(packet);
    let RequestHeader { reserved, bytes, words, line } = RequestHeader::unpack(rx.header, &p.protocol());
    m.always("reserved header bits are zero", !rx.valid | reserved.is_zero());
    let tag = Asker { node: rx.source, tag: rx.tag }.pack();
    let line = m.wire("local_line", p.map.local_line(&m, line));
    let request = MemoryRequest { valid: rx.valid, write: rx.write, tag, line, words, bytes, data: rx.data };
    let l2 = p.l2.as_ref().map(|l2| bank(&m, l2, controller));
    let below = l2.map_or(controller, |bank| Server(bank.0));
    let answers = p.atomic_unit().map_or(below, |unit| atomics(&m, &unit, below));
    let fence = if p.queues() {
        coming(&m, p, (request, rx_credit), answers)
    } else if p.atomics > 0 {
        held_up(&m, p, (request, rx_credit), (answers, controller));
        None
    } else {
        controller.request().drive(request);
        m.always("a request has a place in the queue", !rx.valid | controller.request().answer());
        rx_credit.shows(Controller(controller.0).request_left());
        None
    };
    let reply = answers.reply().signals();

    m.comment("Replies, when the network interface has a place.");
    let credits = CreditCounter(m.instance("credits", &credit_counter(p.tx_queue_packets)));
    credits.credit(io.tx().answer());
    let available = credits.available();
    let (reply, send, taken) = match fence {
        None => {
            let send = m.wire("send", reply.valid & available);
            (reply, send, send)
        }
        Some(fence) => {
            let shown = MemoryReply { valid: fence.valid | reply.valid & !reply.write, write: fence.valid, ..reply };
            let send = m.wire("send", shown.valid & available);
            m.assign(fence.answered, send & fence.valid);
            let taken = m.wire("answer_taken", reply.valid & reply.write | send & !fence.valid);
            (MemoryReply { tag: mux(fence.valid, fence.tag, reply.tag), ..shown }, send, taken)
        }
    };
    answers.reply().answer(taken);
    if let Some(flush) = io.flush() {
        let flushed = match (l2, fence) {
            (Some(bank), _) => {
                bank.flush(flush);
                bank.flushed()
            }
            (None, Some(fence)) => flush & served(&m, answers, taken, fence),
            (None, None) => unreachable!("an L2 is flushed, or writes that are not answered"),
        };
        io.flushed(m.delayed("flushed_now", flushed));
    }
    credits.send(send);
    let Asker { node: dest, tag } = Asker::unpack(reply.tag, p);
    let sent = Outgoing { dest, write: reply.write, tag, data: reply.data };
    io.tx().shows(packets.send_reply(&m, p.flit_bits, send, sent));
    m.count(NETWORK_WAIT_CYCLES, reply.valid & !available);
    m.finish()
}

/// The controller with its pins, or what stands between it and the other clock: whoever takes requests and shows replies.
fn controller_of<'m>(
    m: &'m Builder,
    p: &PartitionParams,
    params: &ControllerParams,
    io: PartitionPorts<'m>,
) -> Server<'m> {
    let dram = if p.crosses_clocks { m.domain(DRAM_CLOCK) } else { m.clock() };
    m.comment("DRAM.");
    let controller = Controller(m.instance_in(dram, "controller", &controller(params)));
    io.dram(controller.dram());
    controller.dram_read_data(io.dram_read_data());
    let controller = Server(controller.0);
    let whole = p.partial_writes().map(|whole| {
        let child = m.instance_in(dram, "partial_writes", &partial_writes(&whole));
        Client(child).connect(controller);
        Server(child)
    });
    let controller = whole.unwrap_or(controller);
    if !p.crosses_clocks {
        return controller;
    }
    let crossing = m.instance("crossing", &memory_crossing(&p.asking()));
    crossing.clocked(crossing::DOWNSTREAM_CLOCK, dram);
    Client(crossing).connect(controller);
    Server(crossing)
}

/// A queue of requests, which are transactions of `p`.
fn request_queue<'m>(m: &'m Builder, depth: usize, [heads, lines]: [&str; 2], p: &Protocol) -> LineQueue<'m> {
    LineQueue::new(m, depth, (heads, RequestHead::width(p)), (lines, p.data_bits()))
}

/// The unit for atomics, in front of `below`.
fn atomics<'m>(m: &'m Builder, params: &AtomicUnitParams, below: Server<'m>) -> Server<'m> {
    m.comment("Atomics.");
    let unit = m.instance("atomic_unit", &atomic_unit(params));
    Client(unit).connect(below);
    Server(unit)
}

/// In front of atomics above a controller alone: requests go on in the cycle in which they come, and wait in a queue only while the unit holds them up. A
/// credit goes back when a request leaves the controller, as without the unit; the write of an atomic gives none.
fn held_up<'m>(
    m: &'m Builder,
    p: &PartitionParams,
    (coming, rx_credit): (MemoryRequest<'m>, Answer<'m>),
    (unit, controller): (Server<'m>, Server<'m>),
) {
    m.comment("Requests that the unit for atomics holds up.");
    let (above, depth) = (&p.above(), p.queue_entries);
    let taken = unit.request().answer();
    let some_wait = m.wire_later("some_wait", 1);
    let waits = m.wire("waits", coming.valid & (some_wait | !taken));
    let MemoryRequest { write, tag, line, words, bytes, data, .. } = coming;
    let head = RequestHead { write, tag, line, words, bytes }.pack();
    let waiting = request_queue(m, depth, ["waiting_requests", "waiting_lines"], above);
    waiting.push((waits, head), (waits & write, data));
    m.assign(some_wait, waiting.valid());
    m.always("a request has a place in the queue", !waits | !waiting.full());
    let RequestHead { write, tag, line, words, bytes } = RequestHead::unpack(waiting.head(), above);
    let first = MemoryRequest { valid: some_wait, write, tag, line, words, bytes, data: waiting.line() };
    unit.request().drive(first.or_else(some_wait, coming));
    waiting.pop(some_wait & taken, some_wait & taken & first.write);
    rx_credit.shows(Controller(controller.0).request_left());
}

/// A fence at the head of the request queue.
#[derive(Clone, Copy)]
struct Fence<'m> {
    valid: Signal<'m>,
    tag: Signal<'m>,
    /// Its answer leaves; assigned by the partition.
    answered: Signal<'m>,
    /// Nothing is in the queue.
    empty: Signal<'m>,
}

/// Everything that `answers` has taken is answered, and nothing waits.
fn served<'m>(m: &'m Builder, answers: Server<'m>, less: Signal<'m>, fence: Fence<'m>) -> Signal<'m> {
    let open = m.register("open_requests", OPEN_BITS, 0);
    let more = answers.request().answer();
    m.when(more ^ less, || m.set(open, mux(more, open + 1, open - 1)));
    m.always("open requests can be counted", !(more & !less) | !open.all());
    fence.empty & open.is_zero()
}

/// The queue behind the network interface, in front of `to`. Fences stay in it, where there are any.
fn coming<'m>(
    m: &'m Builder,
    p: &PartitionParams,
    (request, rx_credit): (MemoryRequest<'m>, Answer<'m>),
    to: Server<'m>,
) -> Option<Fence<'m>> {
    m.comment("Request queue. Data waits apart: only writes have some.");
    let (depth, above) = (p.coming_entries(), &p.above());
    let MemoryRequest { valid, write, tag, line, words, bytes, data } = request;
    let head = RequestHead { write, tag, line, words, bytes };
    let waiting = request_queue(m, depth, ["coming_requests", "coming_lines"], above);
    waiting.push((valid, head.pack()), (valid & write, data));
    m.always("a request has a place in the queue", !valid | !waiting.full());
    let RequestHead { write, tag, line, words, bytes } = RequestHead::unpack(waiting.head(), above);
    let request = MemoryRequest { valid: waiting.valid(), write, tag, line, words, bytes, data: waiting.line() };
    let fence = p.posts_writes().then(|| Fence {
        valid: m.wire("fence", request.valid & request.is_fence()),
        tag,
        answered: m.wire_later("fence_answered", 1),
        empty: !request.valid,
    });
    let request = MemoryRequest { valid: fence.map_or(request.valid, |fence| request.valid & !fence.valid), ..request };
    to.request().drive(request);
    let taken = to.request().answer();
    let leaves = fence.map_or(taken, |fence| taken | fence.answered);
    waiting.pop(leaves, taken & write);
    rx_credit.shows(m.delayed("request_left", leaves));
    fence
}

/// The L2 bank with the queue of returning lines, above the controller.
fn bank<'m>(m: &'m Builder, l2: &L2Params, controller: Server<'m>) -> Cache<'m> {
    m.comment("L2 bank and return queue.");
    let bank = Cache(m.instance("l2", &cache(&l2.cache)));
    let downstream = &l2.cache.downstream();
    bank.downstream().connect(controller.request());
    let back = controller.reply().signals();
    let word = ReplyHead { write: back.write, tag: back.tag }.pack();
    let room = m.wire_later("fill_queue_free", 1);
    let comes = m.wire("line_returns", back.valid & room);
    let (heads, lines) = (("returned_heads", word.width()), ("returned_lines", back.data.width()));
    let returned = LineQueue::new(m, l2.fill_queue_entries, heads, lines);
    returned.push((comes, word), (comes & !back.write, back.data));
    m.assign(room, !returned.full());
    controller.reply().answer(comes);
    let ReplyHead { write, tag } = ReplyHead::unpack(returned.head(), downstream);
    bank.downstream_reply().drive(MemoryReply { valid: returned.valid(), write, tag, data: returned.line() });
    let taken = bank.downstream_reply().answer();
    returned.pop(taken, taken & !write);
    bank
}
