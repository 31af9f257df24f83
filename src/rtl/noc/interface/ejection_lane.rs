//! Ejection lane: the flits of one ejection port of a router, put together to packets.
//!
//! ```text
//!                   +----------------------------------------------+
//!  in_valid, ... -->| channel register --> flit buffer --> word    |--> src, sideband, payload
//!  in_credit (V) <--|                      (per VC)      registers |
//!  end_grant (1) -->|                                              |--> ends (1)
//!                   +----------------------------------------------+
//! ```
//!
//! Flits wait in a buffer for each VC of the class; one VC at a time is drained, from head to tail, one flit a cycle.
//! `ends` says that a tail is next, which waits for `end_grant`; in the cycle after it the registers hold the packet. A
//! tail on the channel in cycle t that meets nothing before it asks in t + 2. Of `payload` the flits that the packet
//! has are its own, the others are those of packets before it. Never: a flit of the other class, a body flit without a
//! head, more flits than the longest packet has (asserted).
//!
//! Testbench: `testbenches/ejection_lane/`; tests: `tests/noc/alone.rs`, `tests/noc/networks/interface.rs`.

use super::InterfaceParams;
use crate::{
    FlitFormat, VcDepths,
    channel::{Ejected, Info},
    flit_buffer::{FlitBuffer, FlitBufferParams, flit_buffer},
    packet::{Assembled, PacketFormat},
};
use blocks::{ArbiterKind, arbitrate};
use hdl::{Builder, Bundle, Module, Signal, bundle, concat, index_width, mux, ports, row, statistics};

statistics! {
    "ejection_lane" {
        /// Packets whose tail has been taken.
        PACKETS_RECEIVED: packets_received in "packets";
        /// Flits taken from the router.
        FLITS_RECEIVED: flits_received in "flits";
    }
}

bundle! {
    /// What is kept with the payload of a flit.
    struct Marks(f: &FlitFormat) {
        head: 1,
        tail: 1,
        info: f.info_bits(),
    }
}

ports! {
    /// Ports of an [`ejection_lane`].
    pub struct EjectionLanePorts(p: &InterfaceParams) of EjectionLane {
        /// Flits of the router.
        in flit as "in": bundle Ejected(&p.received_format()) with credit: p.received_format().vcs,
        /// The tail that is next is taken.
        in end_grant: 1,
        /// A tail is next.
        out ends: 1,
        /// The packet, in the cycle after its tail was taken.
        out packet as "": bundle Assembled(&p.received()),
    }
}

/// An ejection lane of an interface; see the [module documentation](self).
pub fn ejection_lane(p: &InterfaceParams) -> Module {
    let class = p.sends.other();
    let network = p.network_of(class);
    let format = &network.format;
    let m = Builder::new("ejection_lane", p.lane_parameters(class));
    m.doc("Flits of one ejection port, put together to packets.");
    let own = p.vcs_of(class);
    let group = own.end - own.start;
    let io = EjectionLanePorts::new(&m, p);
    let (flit, in_credit) = io.flit().signals();
    let valid = m.delayed("arrived", flit.valid);
    let vc = m.captured("arrived_vc", flit.valid, flit.vc);
    let Ejected { head, tail, info, .. } = flit;
    let carried = m.captured("arrived_carried", flit.valid, Marks { head, tail, info }.pack());
    let payload = m.captured("arrived_payload", flit.valid, flit.payload);
    let arriving = m.wire("arriving_vc", row(own.clone().map(|v| valid & vc.eq(v))));
    m.always("a flit of the received class arrives", !valid | arriving.any());

    let params = FlitBufferParams {
        vcs: group,
        depths: VcDepths::equal(network.depths().of(own.start)),
        carried: carried.width(),
        width: format.width,
        route: 0,
        behind: false,
    };
    let buffer = FlitBuffer(m.instance("flit_buffer", &flit_buffer(params)));
    let occupied = buffer.occupied();
    buffer.push(arriving);
    buffer.carried(carried);
    buffer.payload(payload);

    m.comment("Drain one VC from head to tail; the tail waits until the packet can be taken.");
    let (locked, kept) = (m.register("draining", 1, 0), m.register("draining_vc", group, 0));
    let any_pop = m.wire_later("drain", 1);
    let next = arbitrate(&m, "drain_arbiter", ArbiterKind::RoundRobin, occupied, any_pop & !locked);
    let select = m.wire("drain_from", mux(locked, kept, next) & occupied);
    buffer.select(select);
    let (front, front_payload) = (buffer.front_carried(), buffer.front_payload());
    let Marks { head, tail, info } = Marks::unpack(front, format);
    let granted = io.end_grant();
    io.ends(select.any() & tail);
    let pop = m.wire("drained_vc", select & (!tail | granted).repeat(group));
    m.assign(any_pop, pop.any());
    buffer.pop(pop);
    m.when(any_pop, || {
        m.set(locked, !tail);
        m.set(kept, select);
    });
    m.always("a packet starts with a head flit and has no other", !any_pop | (head ^ locked));
    let credit = m.delayed("credit", pop);
    let [below, above] = [own.start, format.vcs - own.end].map(|bits| (bits > 0).then(|| m.lit(bits, 0)));
    in_credit.shows(concat(&above.into_iter().chain([credit]).chain(below).collect::<Vec<_>>()));

    let info = Info::unpack(m.captured("packet_info", any_pop & head, info), format);
    let payload = words(&m, &p.received(), any_pop, tail, front_payload);
    io.packet(Assembled { src: info.source, sideband: info.sideband, payload });
    m.count(PACKETS_RECEIVED, any_pop & tail);
    m.count(FLITS_RECEIVED, any_pop);
    m.finish()
}

/// The payload as it comes together: one register a flit.
fn words<'m>(
    m: &'m Builder,
    packet: &PacketFormat,
    step: Signal<'m>,
    tail: Signal<'m>,
    payload: Signal<'m>,
) -> Signal<'m> {
    let PacketFormat { payload_bits, width, .. } = *packet;
    let count = packet.most_flits();
    let index = (count > 1).then(|| m.register("word_index", index_width(count as usize), 0));
    if let Some(index) = index {
        m.when(step, || m.set(index, mux(tail, 0, index + 1)));
        m.always("a packet has no more flits than the longest", !step | tail | index.ne(u64::from(count - 1)));
    }
    row((0..count).map(|i| {
        let used = (payload_bits - i * width).min(width);
        let word = m.register_payload(("word", i), used);
        let here = index.map_or(step, |index| step & index.eq(i));
        m.when(here, || m.set(word, payload.bits(0, used)));
        word
    }))
}
