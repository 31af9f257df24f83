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
//! The ports to the controller are those of a [network interface](crate::noc::interface). Requests from the mesh wait
//! in one queue, replies of the controller in another, [`HUB_PLACES`] packets each: behind one that waits for the ring
//! all others of its queue wait.
//!
//! Contract: whole packets, a cycle for each pass: a packet that is shown in cycle t at one side is shown at another in
//! t + 1, when nothing is in its way. Requests and replies share nothing. To the controller, and to the interface,
//! packets of both sources go in turn. All outputs are registers. Reset: empty, all credits. Never: a packet without a
//! place (asserted).
//!
//! Testbench: `testbenches/ring_hub/`; tests: `tests/noc/ring.rs`.

use super::{
    Ring,
    interface::{controller_at, host_of, pass},
    packet::{HeaderFormat, MeshHeader, RingFormat, RingPacket},
    reader::reader,
};
use crate::{
    blocks::{ArbiterKind, arbitrate, credit_counter},
    noc::{
        InterfaceParams, MessageClass, NocError, network_interface,
        packet::{ReceivedPacket, SentPacket},
        passing_queue::passing_queue,
    },
};
use hdl::{Builder, Bundle, Child, Module, PortName, Signal, mux, params, row, statistics};

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
    let here = m.input("here", p.network.format.node_bits);
    interface.drive("here", here);
    let hub = Hub { m: &m, ring, p, header: HeaderFormat::of(p), interface, here };
    hub.requests();
    hub.replies();
    let own: Vec<_> = inside.inputs.iter().chain(&inside.outputs).map(|&net| inside.net(net).name.clone()).collect();
    let own = own.iter().map(String::as_str);
    let done: Vec<_> =
        own.filter(|name| *name == "here" || name.starts_with("tx_") || name.starts_with("rx_")).collect();
    pass(&m, interface, &done);
    Ok(m.finish())
}

struct Hub<'a, 'm> {
    m: &'m Builder,
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
        let wide = &p.received();
        let arrived = ReceivedPacket::of(interface, "rx", wide);
        let taken = m.wire_later("request_taken", 1);
        let word = arrived.src.join(arrived.sideband).join(arrived.payload);
        let head = passing_queue(m, "requests", HUB_PLACES, (arrived.valid, word), taken);
        interface.drive("rx_credit", m.delayed("request_left", taken));
        let (payload, above) = (head.word.bits(0, wide.payload_bits), wide.payload_bits);
        let sideband = head.word.bits(above, wide.sideband_bits);
        let src = head.word.bits(above + wide.sideband_bits, wide.node_bits);
        let MeshHeader { far, flits, sideband } = MeshHeader::unpack(sideband, &header);
        let local = m.wire("request_is_local", far.eq(here));
        let home = controller_at(self.ring, far);

        let packet = RingPacket { node: src, origin: None, flits, sideband, payload };
        let relays = self.to_ring("request", f, (head.valid & !local, home), packet);

        m.comment("Requests to the controller, from mesh and ring in turn.");
        let credit = || m.input("rx_credit", 1);
        let merged = self.merge("request", f, head.valid & local, ("controller", p.rx_queue_packets, &credit));
        let Merged { passes, by_ring, packet: other, stored } = merged;
        let endpoint = &header.endpoint(*wide);
        let packet = ReceivedPacket {
            valid: passes | by_ring,
            src: mux(by_ring, other.node, src),
            sideband: mux(by_ring, other.sideband, sideband),
            payload: mux(by_ring, other.payload, payload),
        };
        let shown = packet.captured(m, "to_controller", packet.valid, endpoint);
        let valid = m.delayed("to_controller_now", packet.valid);
        ReceivedPacket { valid, ..shown }.outputs(m, "rx", endpoint);
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
        let sent = SentPacket::inputs(m, "tx", endpoint);
        let taken = m.wire_later("reply_taken", 1);
        let head = passing_queue(m, "replies", HUB_PLACES, (sent.valid, sent.pack()), taken);
        m.output_of("tx_credit", m.delayed("reply_left", taken));
        let SentPacket { dest, flits, sideband, payload, .. } = SentPacket::unpack(head.word, endpoint);
        let direct = m.input("direct", self.ring.nodes().len());
        let local = m.wire("reply_is_direct", direct.at(dest));
        let home = host_of(m, self.ring, dest);
        let length = flits.resize(f.length_bits);
        let packet = RingPacket { node: dest, origin: Some(here), flits: length, sideband, payload };
        let relays = self.to_ring("reply", f, (head.valid & !local, home), packet);

        m.comment("Replies to the mesh, of controller and ring in turn.");
        let credit = || interface.get("tx_credit");
        let merged = self.merge("reply", f, head.valid & local, ("mesh", p.tx_credits(), &credit));
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
        SentPacket { valid, ..shown }.drive(interface, "tx", wide);
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
        name: &str,
        f: &RingFormat,
        (valid, home): (Signal<'m>, Signal<'m>),
        packet: RingPacket<'m>,
    ) -> Signal<'m> {
        let Self { m, ring, .. } = *self;
        let credit = m.input(("ring", name, "credit"), home.width());
        let module = credit_counter(ring.params().tx);
        let counters: Vec<_> = (0..home.width()).map(|c| m.instance(("ring", name, ("places", c)), &module)).collect();
        let free = row(counters.iter().map(|counter| counter.get("available")));
        let goes = m.wire((("ring", name), "goes"), home & free & valid.repeat(home.width()));
        for ((counter, goes), credit) in counters.iter().zip(goes.to_bits()).zip(credit.to_bits()) {
            counter.drive("send", goes);
            counter.drive("credit", credit);
        }
        m.output_of(("ring", name, "valid"), m.delayed((("ring", name), "shown"), goes));
        let shown = packet.captured(m, (("ring", name), "packet"), goes.any(), f);
        shown.outputs(m, ("ring", name).text(), f);
        goes.any()
    }

    /// Packets of a class from here (`waits`) and from the ring go to a sink in turn, while it has one of so many places.
    fn merge(
        &self,
        class: &str,
        f: &RingFormat,
        waits: Signal<'m>,
        (sink, places, credit): (&str, usize, &dyn Fn() -> Signal<'m>),
    ) -> Merged<'m> {
        let m = self.m;
        let taken = m.wire_later(("ring", class, "taken"), 1);
        let from_ring = reader(m, ("ring", class, "rx"), f, self.ring.params().rx, taken);
        m.output_of(("ring", class, "rx_credit"), m.delayed(("ring", class, "left"), taken));
        let asks = row([waits, from_ring.valid]);
        let credit = credit();
        let counter = m.instance((sink, "places"), &credit_counter(places));
        let free = counter.get("available");
        let next = arbitrate(m, (sink, "arbiter"), ArbiterKind::RoundRobin, asks, free);
        let granted = m.wire((sink, "granted"), next & free.repeat(asks.width()));
        counter.drive("send", granted.any());
        counter.drive("credit", credit);
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
    hub.drive("direct", row((0..ring.nodes().len()).map(direct)));
}
