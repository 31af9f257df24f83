//! Overlay source: the reply side of a memory node, between its controller and the root of its overlay. A tile.
//!
//! ```text
//!  single queue                                  split queues (accelerated reply injection)
//!                                                                  +--> queue north --> out0_*
//!  tx_* --> queue --> out0_* (into the root)     tx_* --> entry -->+--> queue east ---> out1_*   (each into a router
//!  tx_credit <-- left                            tx_credit <-'     +--> ...                      of one output)
//! ```
//!
//! Split: a queue for each output of the root, and a packet goes into that of its first hop. So no link needs a
//! multiplexer, and up to four flits leave in a cycle. Two packet registers are in front of the queues: the controller
//! has credits for these. A packet whose queue is full holds up those behind it.
//!
//! Contract: a packet shown in cycle t is on its channel from t + 2 on, when nothing is before it. All outputs are
//! registers. Reset: empty, all credits. Never: `tx_valid` without a place, a packet to a node that is not in the tree
//! (asserted).
//!
//! Source: Y. Li and L. Chen, *Accelerated Reply Injection for Removing NoC Bottleneck in GPGPUs* (IPDPS 2020), section
//! 7 and figure 16 (ARI on DA2mesh); reconstructed. Testbench: `testbenches/overlay_source/`; tests:
//! `tests/noc/networks/overlay.rs`.

use super::{
    flit::{OverlayFlit, OverlayFormat},
    lane::{OverlayLane, OverlayPacket, overlay_lane},
};
use crate::{
    Output, Routing,
    coordinates::HerePorts,
    packet::{PacketTakerPorts, SentPacket},
    passing_queue::passing_queue,
    route_unit::{RouteUnit, RouteUnitParams, route_unit},
};
use hdl::{Answer, Builder, Bundle, Module, params, ports, row, statistics};
use serde::Serialize;

statistics! {
    "overlay_source" {
        /// Cycles in which a packet waits as the queue of its first hop is full.
        FULL_STALL_CYCLES: full_stall_cycles in "cycles";
        /// Those of them in which another queue has a place.
        DIRECTION_STALL_CYCLES: direction_stall_cycles in "cycles";
    }
}

/// Parameters of an [`overlay_source`].
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize)]
pub struct OverlaySourceParams {
    /// Routers in a row.
    pub columns: u32,
    /// Rows.
    pub rows: u32,
    /// Packets and flits.
    pub format: OverlayFormat,
    /// Outputs of the root, each with a queue of its own; one queue where there are none.
    pub split: Vec<Output>,
    /// Packets that it queues in all, 1 and up; each split queue holds one at least.
    pub places: usize,
    /// Flits that the buffer of the root holds, 1 and up.
    pub buffer: usize,
}

/// Packets in front of split queues: with one place a packet could enter every other cycle only.
const ENTRY_PACKETS: usize = 2;

impl OverlaySourceParams {
    /// Packets for which the controller has credits at the start.
    pub fn credits(&self) -> usize {
        if self.split.is_empty() { self.places } else { ENTRY_PACKETS }
    }

    /// Links into the overlay.
    pub fn links(&self) -> usize {
        self.split.len().max(1)
    }

    /// It looks at its place in the grid.
    pub(super) fn reads_place(&self) -> bool {
        self.split.len() > 1
    }

    /// Packets that a queue holds.
    pub fn queue_packets(&self) -> usize {
        (self.places / self.links()).max(1)
    }
}

ports! {
    /// Ports of an [`overlay_source`], beside those of a [`PacketTaker`](crate::packet::PacketTaker).
    pub struct OverlaySourcePorts(p: &OverlaySourceParams) of OverlaySource {
        /// Flits of each queue.
        out next[link: usize in 0..p.links()] as ("out", link): bundle OverlayFlit(&p.format) with credit: 1,
    }
}

/// A source; see the [module documentation](self).
pub fn overlay_source(p: &OverlaySourceParams) -> Module {
    let f = &p.format;
    let m = Builder::new("overlay_source", params! { places: p.places, buffer: p.buffer }.and(p));
    m.doc("Replies of a memory node for its overlay.");
    let io = OverlaySourcePorts::new(&m, p);
    let (sent, tx_credit) = PacketTakerPorts::new(&m, &f.packet).tx().signals();
    let module = overlay_lane(f, p.queue_packets(), p.buffer);
    let lanes: Vec<_> = (0..p.links()).map(|q| OverlayLane(m.instance(("lane", q), &module))).collect();
    if p.split.is_empty() {
        enter(lanes[0], sent);
        tx_credit.shows(lanes[0].left());
    } else {
        split(&m, p, (sent, tx_credit), &lanes);
    }
    for (q, lane) in lanes.iter().enumerate() {
        io.next(q).connect(lane.flit());
    }
    m.finish()
}

/// A packet at the inputs of a lane.
fn enter<'m>(lane: OverlayLane<'m>, packet: SentPacket<'m>) {
    let SentPacket { valid, dest, flits, sideband, payload } = packet;
    lane.enter(valid);
    lane.packet(OverlayPacket { dest, flits, sideband, payload });
}

/// Packets to the queues of their first hops.
fn split<'m>(
    m: &'m Builder,
    p: &OverlaySourceParams,
    (sent, tx_credit): (SentPacket<'m>, Answer<'m>),
    lanes: &[OverlayLane<'m>],
) {
    m.comment("Packets wait here while the queue of their first hop is full.");
    let taken = m.wire_later("packet_enters", 1);
    let head = passing_queue(m, "entry", ENTRY_PACKETS, (sent.valid, sent.pack()), taken);
    tx_credit.shows(m.delayed("credit", taken));
    let packet = SentPacket::unpack(head.word, &p.format.packet);
    let first_hop = match p.split[..] {
        [_] => m.lit(1, 1),
        _ => {
            let params = RouteUnitParams::plain(p.columns, p.rows, Routing::Xy.rule(), p.split.clone());
            let unit = RouteUnit(m.instance("first_hop", &route_unit(&params)));
            let (x, y) = HerePorts::new(m, &(p.columns, p.rows)).place();
            unit.here_x(x);
            unit.here_y(y);
            unit.dest(packet.dest);
            unit.route()
        }
    };
    m.always("a packet goes to a node of the tree", !head.valid | first_hop.any());
    let open = m.wire("open_queues", row(lanes.iter().map(|lane| lane.open())));
    let enters = m.wire("enters_queue", first_hop & open & head.valid.repeat(open.width()));
    m.assign(taken, enters.any());
    for (lane, valid) in lanes.iter().zip(enters.to_bits()) {
        enter(*lane, SentPacket { valid, ..packet });
    }
    let waits = m.wire("packet_waits", head.valid & !taken);
    m.count(FULL_STALL_CYCLES, waits);
    m.count(DIRECTION_STALL_CYCLES, waits & open.any());
}
