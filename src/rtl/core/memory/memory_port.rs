//! Memory port: the way of a core's memory transactions to and from its network interface.
//!
//! ```text
//!  client0_valid, _write, _tag, _line, ... -->+-------------------+   +----------+
//!  client0_taken <----------------------------| arbiter, node of  |-->| packet   |--> tx_valid, _dest, _flits, _sideband, _payload
//!  client1_... ------------------------------>| the line, credits |   | register |<-- tx_credit
//!                                             +-------------------+   +----------+
//!  client0_reply_valid, _write, _tag, _data <---- by the client's number in the tag <---- rx_valid, _sideband, _payload
//!                                                                                    ---> rx_credit
//! ```
//!
//! Contract: one request a cycle leaves, of the clients in turn, when the interface has a place (credits). A packet's
//! tag is the client's number above the client's own tag (one client: its tag alone). Replies are always accepted and
//! their credit goes back in the next cycle; or, for clients that may refuse one (`client<c>_reply_taken`, high only
//! for a reply that is shown), they wait in a queue. Outputs of the packet port are registers.
//!
//! Testbench: `testbenches/memory_port/`; tests: `tests/core/memory.rs`, `tests/core/port.rs`.

use blocks::{ArbiterKind, CreditCounter, Fifo, FifoParams, arbitrate, credit_counter, fifo, one_hot_index};
use hdl::{Builder, Bundle, Module, index_width, params, ports, row, statistics};
use memory::{
    map::AddressMap,
    packets::{MemoryPackets, Outgoing, Sideband},
};
use noc::{
    MessageClass,
    packet::{Delivered, PacketFormat, SentPacket},
};
use protocol::{MemoryReply, MemoryRequest, Protocol, RequestHeader};
use serde::Serialize;

statistics! {
    "memory_port" {
        /// Read requests sent.
        READ_REQUESTS: read_requests in "requests";
        /// Write requests sent.
        WRITE_REQUESTS: write_requests in "requests";
        /// Cycles in which a request waits for a place in the network interface.
        CREDIT_WAIT_CYCLES: credit_wait_cycles in "cycles";
    }
}

/// Parameters of a [`memory_port`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct MemoryPortParams {
    /// Units that send requests, 1 and up.
    pub clients: u32,
    /// Transactions of a client; a client with narrower tags extends them.
    pub client: Protocol,
    /// Packet places of the network interface, the credits at the start.
    pub tx_queue_packets: u32,
    /// Which node holds an address.
    pub map: AddressMap,
    /// Replies that wait to be taken; 0: clients take each at once.
    pub replies: usize,
    /// Payload bits of a flit of requests.
    pub flit_bits: u32,
}

impl MemoryPortParams {
    /// Bits of a client's number; none where there is one client.
    pub fn client_bits(&self) -> u32 {
        if self.clients > 1 { index_width(self.clients as usize) } else { 0 }
    }

    /// Transactions of all clients: their tags are wider by the client's number.
    pub fn protocol(&self) -> Protocol {
        self.client.with_tag_bits(self.client.tag_bits + self.client_bits())
    }

    /// Its packets.
    pub fn packets(&self) -> MemoryPackets {
        MemoryPackets { protocol: self.protocol(), node_bits: self.map.node_bits() }
    }

    /// Widths of the packets of a class.
    fn format(&self, class: MessageClass) -> PacketFormat {
        self.packets().format(class, self.flit_bits)
    }
}

ports! {
    /// Ports of a [`memory_port`] towards its clients.
    pub struct MemoryPortPorts(p: &MemoryPortParams) of MemoryPort {
        /// Requests of each client.
        in client[c: u32 in 0..p.clients]: bundle MemoryRequest(&p.client) with taken: 1,
        /// Replies to each client, for one cycle, or shown until one is taken.
        out reply[c: u32 in 0..p.clients] as ("client", c, "reply"): bundle MemoryReply(&p.client),
        /// The reply that is shown to this client is taken.
        maybe (p.replies > 0) in reply_taken[c: u32 in 0..p.clients] as ("client", c, "reply_taken"): 1,
    }
}

ports! {
    /// Packet port of a core.
    pub struct CorePacketPorts(p: &MemoryPortParams) of CorePacketPort {
        /// Requests.
        out tx: bundle SentPacket(&p.format(MessageClass::Request)) with credit: 1,
        /// Replies.
        in rx: bundle Delivered(&p.format(MessageClass::Reply)) with credit: 1,
    }
}

/// The port; see the [module documentation](self).
pub fn memory_port(p: &MemoryPortParams) -> Module {
    let names = params! { clients: p.clients, line_bytes: p.client.line_bytes, tag_bits: p.client.tag_bits };
    let m = Builder::new("memory_port", names.and(p));
    m.doc("Memory transactions of a core's units as packets.");
    m.require(p.clients >= 1, "memory port: clients = 0, at least 1 is needed");
    let (protocol, packets) = (&p.protocol(), p.packets());
    let (io, network) = (MemoryPortPorts::new(&m, p), CorePacketPorts::new(&m, p));

    m.comment("Requests: one client a cycle.");
    let clients: Vec<_> = (0..p.clients).map(|c| io.client(c).inputs()).collect();
    let credits = CreditCounter(m.instance("credits", &credit_counter(p.tx_queue_packets as usize)));
    let available = credits.available();
    let (grant, request) = match clients[..] {
        [request] => (request.valid & available, request),
        _ => {
            let valid = row(clients.iter().map(|client| client.valid));
            let turn = arbitrate(&m, "arbiter", ArbiterKind::RoundRobin, valid, available);
            (turn & available.repeat(p.clients), MemoryRequest::one_hot(turn, &clients))
        }
    };
    let grant = m.wire("grant", grant);
    for (c, granted) in (0..).zip(grant.to_bits()) {
        io.client(c).answer().shows(granted);
    }
    let send = m.wire("send", grant.any());
    credits.send(send);
    credits.credit(network.tx().answer());
    let tag = if p.client_bits() == 0 { request.tag } else { one_hot_index(grant).join(request.tag) };
    let MemoryRequest { write, line, words, bytes, data, .. } = request;
    let header = RequestHeader { reserved: m.lit(protocol.reserved_bits(), 0), bytes, words, line };
    let sent = Outgoing { dest: p.map.destination(&m, line), write, tag, data };
    network.tx().shows(packets.send_request(&m, p.flit_bits, send, sent, header.pack()));

    m.comment("Replies, to the client that asked.");
    let arrived = network.rx().inputs();
    let (rx, leaves) = if p.replies == 0 {
        (arrived, arrived.valid)
    } else {
        let format = &p.format(MessageClass::Reply);
        let queue = FifoParams { depth: p.replies, width: Delivered::width(format), registered: false };
        let queue = Fifo(m.instance("replies", &fifo(queue)));
        queue.push(arrived.valid);
        queue.push_data(arrived.pack());
        m.always("a reply has a place in the queue", !arrived.valid | !queue.full());
        let taken = row((0..p.clients).filter_map(|c| io.reply_taken(c)));
        let rx = Delivered { valid: queue.valid(), ..Delivered::unpack(queue.data(), format) };
        let leaves = m.wire("leaves", rx.valid & taken.any());
        queue.pop(leaves);
        (rx, leaves)
    };
    let (Sideband { write: is_write, tag }, data) = packets.reply(rx);
    let own = tag.bits(0, p.client.tag_bits);
    for c in 0..p.clients {
        let mine = match p.client_bits() {
            0 => rx.valid,
            bits => rx.valid & tag.bits(p.client.tag_bits, bits).eq(u64::from(c)),
        };
        io.reply(c, MemoryReply { valid: mine, write: is_write, tag: own, data });
    }
    network.rx().answer().shows(m.delayed("rx_credit_now", leaves));
    m.count(READ_REQUESTS, send & !write);
    m.count(WRITE_REQUESTS, send & write);
    m.count(CREDIT_WAIT_CYCLES, row(clients.iter().map(|client| client.valid)).any() & !available);
    m.finish()
}
