//! Ring hub: the interface of a memory node on a chip with a ring, between routers, memory controller and ring. A tile.
//!
//! ```text
//!               +------------------------------------------------------------------------------------+
//!  routers ====>| interface --> requests: for this node ? ---------------------> (round robin) ------|--> rx_* (controller)
//!               |                          else ------> ring_request_* --+       ^                    |
//!               |  ring_request_rx_* --> reader -------------------------|-------'                    |
//!  tx_* ------->| replies: direct or of this cluster ? ----> (round robin) --> interface              |====> routers
//!  (controller) |            else --> ring_reply_* ------+    ^                                       |
//!               |  ring_reply_rx_* --> reader -----------|----'                                       |
//!               +----------------------------------------v--------------------------------------------+
//!                                               channels of the ring
//!  here (N), direct (a bit a node): tied to constants
//! ```
//!
//! The ports to the controller are those of a [network interface](crate::interface). Requests from the mesh wait
//! in one queue, replies of the controller in another, [`HUB_PLACES`] packets each: behind one that waits for the ring
//! all others of its queue wait.
//!
//! Contract: whole packets, a cycle for each pass: a packet that is shown in cycle t at one side is shown at another in
//! t + 1, when nothing is in its way. Requests and replies share nothing. To the controller, and to the interface,
//! packets of both sources go in turn. All outputs are registers. Reset: empty, all credits. Never: a packet without a
//! place (asserted).
//!
//! Testbench: `testbenches/ring_hub/`; tests: `tests/noc/networks/ring.rs`.

use super::{
    Ring,
    interface::{controller_at, host_of},
    packet::{HeaderFormat, MeshHeader, RingFlit, RingFormat, RingPacket},
    reader::reader,
};
use crate::{
    InterfaceParams, MessageClass, NocError,
    interface::FlitSender,
    network_interface,
    packet::{PacketGiver, PacketGiverPorts, PacketTaker, PacketTakerPorts, ReceivedPacket, SentPacket},
    passing_queue::passing_queue,
};
use blocks::{ArbiterKind, CreditCounter, arbitrate, credit_counter};
use hdl::{Builder, Bundle, Child, Module, Signal, mux, params, ports, row, statistics};

statistics! {
    "ring_hub" {
        /// Requests from the mesh for the controller here.
        REQUESTS_FROM_MESH: requests_from_mesh in "packets";
        /// Requests from the mesh that go on by the ring.
        REQUESTS_RELAYED: requests_relayed in "packets";
        /// Requests from the ring for the controller here.
        REQUESTS_FROM_RING: requests_from_ring in "packets";
        /// Replies of the controller that go by the mesh.
        REPLIES_TO_MESH: replies_to_mesh in "packets";
        /// Replies of the controller that go by the ring.
        REPLIES_TO_RING: replies_to_ring in "packets";
        /// Replies from the ring that go on by the mesh.
        REPLIES_RELAYED: replies_relayed in "packets";
        /// Cycles in which a request from the mesh waits.
        REQUEST_WAIT_CYCLES: request_wait_cycles in "cycles";
        /// Cycles in which a reply of the controller waits.
        REPLY_WAIT_CYCLES: reply_wait_cycles in "cycles";
        /// Packets of requests that a reader holds, in cycles with some.
        REQUESTS_READ: requests_read in "packets";
        /// Packets of replies that a reader holds, in cycles with some.
        REPLIES_READ: replies_read in "packets";
    }
}

/// Packets of requests from the mesh, and of replies of the controller, that wait in a hub. A packet a cycle needs four.
pub const HUB_PLACES: usize = 4;

ports! {
    /// Ports of a [`ring_hub`], beside those of the interface in it and those to the controller.
    pub struct RingHubPorts((ring, p): &(&Ring, &InterfaceParams)) of RingHub {
        /// This node.
        in here: p.network.format.node_bits,
        /// Nodes to which replies go by the mesh, a bit each.
        in direct: ring.nodes().len(),
        /// By class: a packet for the ring; a credit for each home.
        out packet[class: MessageClass in MessageClass::ALL] as ("ring", class):
            bundle RingPacket(&RingFormat::of(p, ring.params(), class)) with credit: ring.memories().len() as u32,
        /// By class: the home that it goes to, one-hot.
        out packet_valid[class: MessageClass in MessageClass::ALL] as ("ring", class, "valid"):
            ring.memories().len() as u32,
        /// By class: parts of packets that come by the ring.
        in arriving[class: MessageClass in MessageClass::ALL] as ("ring", class, "rx"):
            bundle RingFlit(&RingFormat::of(p, ring.params(), class)) with credit: 1,
    }
}

/// A hub with this interface, whose `rx_queue_packets` are those of the controller; see the [module documentation](self).
pub fn ring_hub(ring: &Ring, p: &InterfaceParams) -> Result<Module, NocError> {
    let inside = network_interface(&InterfaceParams { rx_queue_packets: HUB_PLACES, ..*p })?;
    let names = params! {
        ring_tx: ring.params().tx, ring_rx: ring.params().rx;
        flits: ring.params().flits, memories: ring.memories(), hosts: ring.hosts(), interface: p
    };
    let m = Builder::new("ring_hub", names);
    m.doc("Interface of a memory node between routers, memory controller and ring.");
    let interface = m.instance("interface", &inside);
    let io = RingHubPorts::new(&m, &(ring, p));
    let here = io.here();
    FlitSender(interface).here(here);
    let hub = Hub { m: &m, io, ring, p, header: HeaderFormat::of(p), interface, here };
    hub.requests();
    hub.replies();
    interface.pass_on();
    Ok(m.finish())
}

struct Hub<'a, 'm> {
    m: &'m Builder,
    io: RingHubPorts<'m>,
    ring: &'a Ring,
    p: &'a InterfaceParams,
    header: HeaderFormat,
    interface: Child<'m>,
    here: Signal<'m>,
}

impl<'m> Hub<'_, 'm> {
    fn format(&self, class: MessageClass) -> RingFormat {
        RingFormat::of(self.p, self.ring.params(), class)
    }

    /// Requests: from the mesh to the controller or the ring, from the ring to the controller.
    fn requests(&self) {
        let Self { m, p, header, interface, here, .. } = *self;
        let f = &self.format(MessageClass::Request);
        m.comment("Requests from the mesh.");
        let (wide, from_mesh) = (&p.received(), PacketGiver(interface).rx());
        let arrived = from_mesh.signals();
        let taken = m.wire_later("request_taken", 1);
        let word = arrived.src.join(arrived.sideband).join(arrived.payload);
        let head = passing_queue(m, "requests", HUB_PLACES, (arrived.valid, word), taken);
        from_mesh.answer(m.delayed("request_left", taken));
        let (payload, above) = (head.word.bits(0, wide.payload_bits), wide.payload_bits);
        let sideband = head.word.bits(above, wide.sideband_bits);
        let src = head.word.bits(above + wide.sideband_bits, wide.node_bits);
        let MeshHeader { far, flits, sideband } = MeshHeader::unpack(sideband, &header);
        let local = m.wire("request_is_local", far.eq(here));
        let home = controller_at(self.ring, far);

        let packet = RingPacket { node: src, origin: None, flits, sideband, payload };
        let relays = self.to_ring(MessageClass::Request, f, (head.valid & !local, home), packet);

        m.comment("Requests to the controller, from mesh and ring in turn.");
        let endpoint = &header.endpoint(*wide);
        let controller = PacketGiverPorts::new(m, endpoint);
        let credit = || controller.rx().answer();
        let merged =
            self.merge(MessageClass::Request, f, head.valid & local, ("controller", p.rx_queue_packets, &credit));
        let Merged { passes, by_ring, packet: other, stored } = merged;
        let packet = ReceivedPacket {
            valid: passes | by_ring,
            src: mux(by_ring, other.node, src),
            sideband: mux(by_ring, other.sideband, sideband),
            payload: mux(by_ring, other.payload, payload),
        };
        let shown = packet.captured(m, "to_controller", packet.valid, endpoint);
        let valid = m.delayed("to_controller_now", packet.valid);
        controller.rx().shows(ReceivedPacket { valid, ..shown });
        m.assign(taken, passes | relays);
        m.count(REQUESTS_FROM_MESH, passes);
        m.count(REQUESTS_FROM_RING, by_ring);
        m.count(REQUESTS_RELAYED, relays);
        m.count(REQUEST_WAIT_CYCLES, head.valid & !taken);
        m.histogram(REQUESTS_READ, stored.any(), stored);
    }

    /// Replies: from the controller to the mesh or the ring, from the ring to the mesh.
    fn replies(&self) {
        let Self { m, p, header, interface, here, .. } = *self;
        let f = &self.format(MessageClass::Reply);
        m.comment("Replies of the controller.");
        let endpoint = &header.endpoint(p.sent());
        let (sent, tx_credit) = PacketTakerPorts::new(m, endpoint).tx().signals();
        let taken = m.wire_later("reply_taken", 1);
        let head = passing_queue(m, "replies", HUB_PLACES, (sent.valid, sent.pack()), taken);
        tx_credit.shows(m.delayed("reply_left", taken));
        let SentPacket { dest, flits, sideband, payload, .. } = SentPacket::unpack(head.word, endpoint);
        let direct = self.io.direct();
        let local = m.wire("reply_is_direct", direct.at(dest));
        let home = host_of(m, self.ring, dest);
        let length = flits.resize(f.length_bits);
        let packet = RingPacket { node: dest, origin: Some(here), flits: length, sideband, payload };
        let relays = self.to_ring(MessageClass::Reply, f, (head.valid & !local, home), packet);

        m.comment("Replies to the mesh, of controller and ring in turn.");
        let mesh = PacketTaker(interface).tx();
        let credit = || mesh.answer();
        let merged = self.merge(MessageClass::Reply, f, head.valid & local, ("mesh", p.tx_credits(), &credit));
        let Merged { passes, by_ring, packet: other, stored } = merged;
        let far = mux(by_ring, other.origin.unwrap_or(here), here);
        let sideband = mux(by_ring, other.sideband, sideband);
        let wide = &p.sent();
        let packet = SentPacket {
            valid: passes | by_ring,
            dest: mux(by_ring, other.node, dest),
            flits: mux(by_ring, other.flits.resize(flits.width()), flits),
            sideband: MeshHeader { far, flits: m.lit(header.length_bits, 0), sideband }.pack(),
            payload: mux(by_ring, other.payload, payload),
        };
        let shown = packet.captured(m, "to_mesh", packet.valid, wide);
        let valid = m.delayed("to_mesh_now", packet.valid);
        mesh.drive(SentPacket { valid, ..shown });
        m.assign(taken, passes | relays);
        m.count(REPLIES_TO_MESH, passes);
        m.count(REPLIES_RELAYED, by_ring);
        m.count(REPLIES_TO_RING, relays);
        m.count(REPLY_WAIT_CYCLES, head.valid & !taken);
        m.histogram(REPLIES_READ, stored.any(), stored);
    }

    /// A packet for the channel of its home (one-hot), when the queue there has a place; whether it has gone.
    fn to_ring(
        &self,
        class: MessageClass,
        f: &RingFormat,
        (valid, home): (Signal<'m>, Signal<'m>),
        packet: RingPacket<'m>,
    ) -> Signal<'m> {
        let Self { m, io, ring, .. } = *self;
        let credit = io.packet(class).answer();
        let module = credit_counter(ring.params().tx);
        let counter = |c: u32| CreditCounter(m.instance(("ring", class, ("places", c)), &module));
        let counters: Vec<_> = (0..home.width()).map(counter).collect();
        let free = row(counters.iter().map(|counter| counter.available()));
        let goes = m.wire((("ring", class), "goes"), home & free & valid.repeat(home.width()));
        for ((counter, goes), credit) in counters.iter().zip(goes.to_bits()).zip(credit.to_bits()) {
            counter.send(goes);
            counter.credit(credit);
        }
        io.packet_valid(class, m.delayed((("ring", class), "shown"), goes));
        io.packet(class).shows(packet.captured(m, (("ring", class), "packet"), goes.any(), f));
        goes.any()
    }

    /// Packets of a class from here (`waits`) and from the ring go to a sink in turn, while it has one of so many places.
    fn merge(
        &self,
        class: MessageClass,
        f: &RingFormat,
        waits: Signal<'m>,
        (sink, places, credit): (&str, usize, &dyn Fn() -> Signal<'m>),
    ) -> Merged<'m> {
        let Self { m, io, .. } = *self;
        let taken = m.wire_later(("ring", class, "taken"), 1);
        let (flit, rx_credit) = io.arriving(class).signals();
        let from_ring = reader(m, ("ring", class, "rx"), (flit, f), self.ring.params().rx, taken);
        rx_credit.shows(m.delayed(("ring", class, "left"), taken));
        let asks = row([waits, from_ring.valid]);
        let credit = credit();
        let counter = CreditCounter(m.instance((sink, "places"), &credit_counter(places)));
        let free = counter.available();
        let next = arbitrate(m, (sink, "arbiter"), ArbiterKind::RoundRobin, asks, free);
        let granted = m.wire((sink, "granted"), next & free.repeat(asks.width()));
        counter.send(granted.any());
        counter.credit(credit);
        let [passes, by_ring] = [granted.bit(0), granted.bit(1)];
        m.assign(taken, by_ring);
        Merged { passes, by_ring, packet: RingPacket::unpack(from_ring.word, f), stored: from_ring.stored }
    }
}

/// What goes to a sink of the hub.
struct Merged<'m> {
    /// The packet from here.
    passes: Signal<'m>,
    /// The packet from the ring.
    by_ring: Signal<'m>,
    /// That packet.
    packet: RingPacket<'m>,
    /// Packets that the reader of the ring holds.
    stored: Signal<'m>,
}

/// Ties the constants of the hub of a memory node but `here`.
pub(super) fn tie<'m>(m: &'m Builder, ring: &Ring, controller: usize, hub: Child<'m>) {
    let direct = |node: u32| {
        let is_memory = ring.controller(node).is_some();
        m.lit(1, (!is_memory && ring.is_direct(node, controller)).into())
    };
    RingHub(hub).direct(row((0..ring.nodes().len()).map(direct)));
}
