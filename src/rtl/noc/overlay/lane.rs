//! Overlay lane: packets of a memory node for one link into the overlay, as a queue, cut into flits.
//!
//! ```text
//!                +---------------------------------------------------+
//!  enter (1) --->| queue of packets --> flit of the oldest packet    |--> out_valid, ... out_payload
//!  packet_* ---->|                      (header, payload)            |
//!  left (1) <----|                      output register              |
//!  open (1) <----|                      credit counter               |<-- out_credit (1)
//!                +---------------------------------------------------+
//! ```
//!
//! Contract: a packet that enters in cycle t is on the channel from t + 2 on, when nothing is before it, one flit a
//! cycle. `left` pulses in the cycle after its tail was sent; `open`: there is a place. All outputs are registers or a
//! comparison of one. Reset: empty, all credits. Never: a packet enters without a place, of no flits or of more than
//! the longest has (asserted).
//!
//! Testbench: `testbenches/overlay_lane/`; tests: `tests/noc/networks/overlay.rs`.

use super::flit::{OverlayFlit, OverlayFormat};
use blocks::{CreditCounter, Fifo, FifoParams, credit_counter, fifo};
use hdl::{Builder, Bundle, Module, bundle, concat, index_width, mux, params, ports, select, statistics};

statistics! {
    "overlay_lane" {
        /// Packets whose tail has left.
        PACKETS_SENT: packets_sent in "packets";
        /// Flits sent to the router, headers included.
        FLITS_SENT: flits_sent in "flits";
        /// Cycles in which a flit waits as the router has no place for it.
        CREDIT_STALL_CYCLES: credit_stall_cycles in "cycles";
        /// Packets in the queue, in cycles with some.
        QUEUED_PACKETS: queued_packets in "packets";
    }
}

bundle! {
    /// A packet in the queue.
    pub(super) struct OverlayPacket(f: &OverlayFormat) {
        dest: f.packet.node_bits,
        flits: f.packet.length_bits(),
        sideband: f.packet.sideband_bits,
        payload: f.packet.payload_bits,
    }
}

ports! {
    /// Ports of an [`overlay_lane`].
    pub(super) struct OverlayLanePorts(f: &OverlayFormat) of OverlayLane {
        /// A packet enters.
        in enter: 1,
        /// That packet.
        in packet: bundle OverlayPacket(f),
        /// Flits for the router.
        out flit as "out": bundle OverlayFlit(f) with credit: 1,
        /// A packet has left its place.
        out left: 1,
        /// There is a place.
        out open: 1,
    }
}

/// A lane with places for so many packets and a router behind it with a buffer of so many flits; see the [module documentation](self).
pub fn overlay_lane(f: &OverlayFormat, places: usize, buffer: usize) -> Module {
    let m = Builder::new("overlay_lane", params! { places, buffer }.and(f));
    m.doc("Packets for one link into an overlay, cut into flits.");
    let io = OverlayLanePorts::new(&m, f);
    let (enter, packet) = (io.enter(), io.packet());
    let most = f.packet.most_flits();
    m.always("a packet has flits, and not too many", !enter | (packet.flits.any() & packet.flits.le(u64::from(most))));
    let queue = Fifo(
        m.instance("packets", &fifo(FifoParams { depth: places, width: OverlayPacket::width(f), registered: false })),
    );
    queue.push(enter);
    queue.push_data(packet.pack());
    let waiting = queue.valid();
    let OverlayPacket { dest, flits, sideband, payload } = OverlayPacket::unpack(queue.data(), f);

    m.comment("Flits of the oldest packet: the header, then the payload.");
    let width = f.packet.width;
    let (header, payload) = (sideband.join(dest).resize(f.header_flits * width), payload.resize(most * width));
    let words = concat(&[payload, header]).parts(width);
    let index = m.register("flit_index", index_width(words.len()), 0);
    let length = flits.resize(index.width() + 1) + u64::from(f.header_flits);
    let last = m.wire("last_flit", (index.extend(index.width() + 1) + 1).eq(length));
    let counter = CreditCounter(m.instance("credits", &credit_counter(buffer)));
    counter.credit(io.flit().answer());
    let sends = m.wire("sends", waiting & counter.available());
    counter.send(sends);
    let leaves = m.wire("packet_leaves", sends & last);
    queue.pop(leaves);
    m.when(sends, || m.set(index, mux(last, 0, index + 1)));

    m.comment("The output register.");
    let flit = OverlayFlit {
        valid: m.delayed("valid", sends),
        head: m.captured("head", sends, index.is_zero()),
        tail: m.captured("tail", sends, last),
        payload: m.captured("payload", sends, select(index, &words)),
    };
    io.flit().shows(flit);
    io.left(m.delayed("place_free", leaves));
    io.open(!queue.full());
    m.count(PACKETS_SENT, leaves);
    m.count(FLITS_SENT, sends);
    m.count(CREDIT_STALL_CYCLES, waiting & !sends);
    m.histogram(QUEUED_PACKETS, waiting, queue.count());
    m.finish()
}
