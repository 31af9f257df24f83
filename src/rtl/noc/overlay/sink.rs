//! Overlay sink: the reply side of a core, with an ejection port for each overlay. A tile.
//!
//! ```text
//!                       +---------------------------------------------------------------+
//!  in0_valid, ... ----->| lane 0: flit buffer --> reassembly buffer --+                 |
//!  in0_credit (1) <-----|                                             +--> (in turn) -->|--> rx_valid, _src, _sideband, _payload
//!  in1_valid, ... ----->| lane 1: flit buffer --> reassembly buffer --+    packet       |
//!  ...                  |                                                  register     |<-- rx_credit (1)
//!                       +---------------------------------------------------------------+
//! ```
//!
//! Lanes end packets in turn, one in a cycle, while the endpoint has a place for it.
//!
//! Contract: a tail on the channel in cycle t that meets nothing before it makes `rx_valid` in t + 2 with one lane, in
//! t + 3 with several. `rx_*` hold the packet in the cycle of `rx_valid` only; of `rx_payload` the flits that the
//! packet has mean something. All outputs are registers. Reset: empty, all credits. Never: a flit without a place, more
//! flits than the longest packet has, a body flit without a head (asserted).
//!
//! Testbench: `testbenches/overlay_sink/`; tests: `tests/noc/networks/overlay.rs`.

use super::flit::{OverlayFlit, OverlayFormat, StoredFlit};
use crate::packet::{Assembled, PacketGiverPorts};
use blocks::{ArbiterKind, CreditCounter, Fifo, FifoParams, arbitrate, credit_counter, fifo};
use hdl::{Builder, Bundle, Module, bundle, index_width, mux, params, ports, row, statistics};
use serde::Serialize;

statistics! {
    "overlay_sink_lane" {
        /// Packets whose tail has been taken.
        PACKETS_RECEIVED: packets_received in "packets";
        /// Flits taken from the router, headers included.
        FLITS_RECEIVED: flits_received in "flits";
        /// Cycles in which a tail waits for its turn or for a place at the endpoint.
        TAIL_STALL_CYCLES: tail_stall_cycles in "cycles";
    }
}

bundle! {
    /// A packet that was put together.
    struct Reassembled(f: &OverlayFormat) {
        sideband: f.packet.sideband_bits,
        payload: f.packet.payload_bits,
    }
}

/// Parameters of an [`overlay_sink`].
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize)]
pub struct OverlaySinkParams {
    /// Packets and flits.
    pub format: OverlayFormat,
    /// Node of the source of each overlay that comes here.
    pub sources: Vec<u32>,
    /// Flits that the buffer of a lane holds, 1 and up.
    pub buffer: usize,
    /// Packets that the endpoint can take, 1 and up.
    pub places: usize,
}

ports! {
    /// Ports of an [`overlay_sink`], beside those of a [`PacketGiver`](crate::packet::PacketGiver).
    pub struct OverlaySinkPorts(p: &OverlaySinkParams) of OverlaySink {
        /// Flits of each overlay.
        in flit[overlay: usize in 0..p.sources.len()] as ("in", overlay): bundle OverlayFlit(&p.format) with credit: 1,
    }
}

ports! {
    /// Ports of a [`lane`].
    struct SinkLanePorts(f: &OverlayFormat) of SinkLane {
        /// Flits of an overlay.
        in flit as "in": bundle OverlayFlit(f) with credit: 1,
        /// The tail that waits is taken.
        in end_grant: 1,
        /// A tail waits.
        out ends: 1,
        /// The packet, in the cycle after its tail was taken.
        out packet as "": bundle Reassembled(f),
    }
}

/// A sink; see the [module documentation](self).
pub fn overlay_sink(p: &OverlaySinkParams) -> Module {
    let f = &p.format;
    let m = Builder::new("overlay_sink", params! { places: p.places, buffer: p.buffer }.and(p));
    m.doc("Replies of all overlays for one core.");
    let (io, endpoint) = (OverlaySinkPorts::new(&m, p), PacketGiverPorts::new(&m, &f.packet));
    let module = lane(f, p.buffer);
    let lanes: Vec<_> = (0..p.sources.len()).map(|c| SinkLane(m.instance(("lane", c), &module))).collect();
    for (c, lane) in lanes.iter().enumerate() {
        io.flit(c).connect(lane.flit());
    }
    let places = CreditCounter(m.instance("rx_credits", &credit_counter(p.places)));
    let available = places.available();
    let ends = m.wire("packet_ends", row(lanes.iter().map(|lane| lane.ends())));
    let next = arbitrate(&m, "end_arbiter", ArbiterKind::RoundRobin, ends, available);
    let granted = m.wire("end_granted", next & available.repeat(next.width()));
    for (lane, grant) in lanes.iter().zip(granted.to_bits()) {
        lane.end_grant(grant);
    }
    places.send(granted.any());
    places.credit(endpoint.rx().answer());
    let valid = m.delayed("packet_valid", granted);
    let packet = |c: usize| {
        let Reassembled { sideband, payload } = lanes[c].packet();
        Assembled { src: m.lit(f.packet.node_bits, p.sources[c].into()), sideband, payload }
    };
    if lanes.len() == 1 {
        endpoint.rx().shows(packet(0).with_valid(valid));
        return m.finish();
    }
    m.comment("The packet of the lane whose turn it was.");
    let packets: Vec<_> = (0..lanes.len()).map(packet).collect();
    let taken = Assembled::one_hot(valid, &packets).captured(&m, "packet", valid.any(), &f.packet);
    endpoint.rx().shows(taken.with_valid(m.delayed("taken", valid.any())));
    m.finish()
}

/// The flits of one overlay, put together to packets: a tail waits at the front of the buffer until the packet may end.
fn lane(f: &OverlayFormat, buffer: usize) -> Module {
    let m = Builder::new("overlay_sink_lane", params! { buffer }.and(f));
    m.doc("Flits of one overlay, put together to packets.");
    let io = SinkLanePorts::new(&m, f);
    let (flit, in_credit) = io.flit().signals();
    let word = flit.stored().pack();
    let queue =
        Fifo(m.instance("flit_buffer", &fifo(FifoParams { depth: buffer, width: word.width(), registered: false })));
    queue.push(flit.valid);
    queue.push_data(word);
    let waiting = queue.valid();
    let StoredFlit { head, tail, payload } = StoredFlit::unpack(queue.data(), f);
    let ends = m.wire("tail_waits", waiting & tail);
    io.ends(ends);
    let pops = m.wire("takes", waiting & (!tail | io.end_grant()));
    queue.pop(pops);
    in_credit.shows(m.delayed("credit", pops));

    m.comment("The reassembly buffer: a register for each flit but those of the header without sideband.");
    let width = f.packet.width;
    let longest = f.longest();
    let index = m.register("flit_index", index_width(longest as usize), 0);
    m.when(pops, || m.set(index, mux(tail, 0, index + 1)));
    m.always("a packet starts with a head flit and has no other", !pops | head.eq(index.is_zero()));
    m.always("a packet has no more flits than the longest", !pops | tail | index.ne(u64::from(longest - 1)));
    let word = |i: u32, used: u32| m.captured(("word", i), pops & index.eq(u64::from(i)), payload.bits(0, used));
    let header = row((0..f.header_flits).map(|i| word(i, width)));
    let used = |i: u32| (f.packet.payload_bits - i * width).min(width);
    let packet = row((0..f.packet.most_flits()).map(|i| word(f.header_flits + i, used(i))));
    let sideband = header.bits(f.packet.node_bits, f.packet.sideband_bits);
    io.packet(Reassembled { sideband, payload: packet });
    m.count(PACKETS_RECEIVED, pops & tail);
    m.count(FLITS_RECEIVED, pops);
    m.count(TAIL_STALL_CYCLES, ends & !pops);
    m.finish()
}
