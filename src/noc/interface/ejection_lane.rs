//! Ejection lane: the flits of one ejection port of a router, put together to packets.
//!
//! ```text
//!                   +----------------------------------------------+
//!  in_valid, ... -->| channel register --> flit buffer --> word    |--> src, write, tag, header, data
//!  in_credit (V) <--|                      (per VC)      registers |
//!  end_grant (1) -->|                                              |--> ends (1)
//!                   +----------------------------------------------+
//! ```
//!
//! Flits wait in a buffer for each VC of the class; one VC at a time is drained, from head to tail, one flit a cycle. `ends` says that a
//! tail is next, which waits for `end_grant`; in the cycle after it the registers hold the packet. A tail on the channel in cycle t that
//! meets nothing before it asks in t + 2. `header` means something for write replies and requests, `data` for read replies and write
//! requests. Never: a flit of the other class, a body flit without a head (asserted).
//!
//! Tests: `tests/noc/alone.rs`, `tests/noc/interface.rs`.

use super::{DATA_BITS, EJECT_FIELDS, HEADER_BITS, InterfaceParams, MessageClass, layout};
use crate::{
    blocks::{ArbiterKind, arbitrate},
    hdl::{Builder, Module, Signal, concat, index_width, mux},
    noc::{
        allocator::gather,
        flit_buffer::{FlitBufferParams, flit_buffer},
    },
    params,
};

/// An ejection lane of an interface; see the [module documentation](self).
pub fn ejection_lane(p: &InterfaceParams) -> Module {
    let format = p.network.format;
    let class = p.sends.other();
    let m = Builder::new("ejection_lane", p.lane_names(class, params! {}));
    m.doc("Flits of one ejection port, put together to packets.");
    let own = p.vcs_of(class);
    let group = own.end - own.start;
    let widths = [1, 1, 1, format.vc_bits(), format.info_bits(), format.width];
    let channel: Vec<_> =
        EJECT_FIELDS.iter().zip(widths).map(|(field, width)| m.input(&format!("in_{field}"), width)).collect();
    let valid = m.delayed("arrived", channel[0]);
    let vc = m.register_payload("arrived_vc", format.vc_bits());
    let carried = m.register_payload("arrived_carried", 2 + format.info_bits());
    let payload = m.register_payload("arrived_payload", format.width);
    m.when(channel[0], || {
        m.set(vc, channel[3]);
        m.set(carried, concat(&[channel[1], channel[2], channel[4]]));
        m.set(payload, channel[5]);
    });
    let arriving = m.wire("arriving_vc", gather(own.clone().map(|v| valid & vc.eq(v))));
    m.always("a flit of the received class arrives", !valid | arriving.any());

    let params = FlitBufferParams {
        vcs: group,
        depth: p.network.depth,
        carried: carried.width(),
        width: format.width,
        route: 0,
        behind: false,
    };
    let buffer = m.instance("flit_buffer", &flit_buffer(params));
    let occupied = buffer.get("occupied");
    buffer.drive("push", arriving);
    buffer.drive("carried", carried);
    buffer.drive("payload", payload);

    m.comment("Drain one VC from head to tail; the tail waits until the packet can be taken.");
    let (locked, kept) = (m.register("draining", 1, 0), m.register("draining_vc", group, 0));
    let any_pop = m.wire_later("drain", 1);
    let next = arbitrate(&m, "drain_arbiter", ArbiterKind::RoundRobin, occupied, any_pop & !locked);
    let select = m.wire("drain_from", mux(locked, kept, next) & occupied);
    buffer.drive("select", select);
    let (front, front_payload) = (buffer.get("front_carried"), buffer.get("front_payload"));
    let (head, tail) = (front.bit(format.info_bits() + 1), front.bit(format.info_bits()));
    let granted = m.input("end_grant", 1);
    m.output_of("ends", select.any() & tail);
    let pop = m.wire("drained_vc", select & (!tail | granted).repeat(group));
    m.assign(any_pop, pop.any());
    buffer.drive("pop", pop);
    m.when(any_pop, || {
        m.set(locked, !tail);
        m.set(kept, select);
    });
    m.always("a packet starts with a head flit and has no other", !any_pop | (head ^ locked));
    let credit = m.delayed("credit", pop);
    let [below, above] = [own.start, format.vcs - own.end].map(|bits| (bits > 0).then(|| m.lit(bits, 0)));
    m.output_of("in_credit", concat(&above.into_iter().chain([credit]).chain(below).collect::<Vec<_>>()));

    let info = m.register_payload("packet_info", format.info_bits());
    m.when(any_pop & head, || m.set(info, front.bits(0, format.info_bits())));
    m.output_of("src", info.bits(1 + format.tag_bits, format.node_bits));
    m.output_of("write", info.bit(format.tag_bits));
    m.output_of("tag", info.bits(0, format.tag_bits));
    let words = words(&m, class, any_pop, tail, front_payload);
    let part = |at: Option<u32>, bits: u32| {
        let (lo, width) = (at.expect("one of the two kinds has it"), words[0].width());
        let pieces = words.iter().enumerate().filter_map(|(i, word)| {
            let start = i as u32 * width;
            let (from, to) = (lo.max(start), (lo + bits).min(start + word.width()));
            (from < to).then(|| word.bits(from - start, to - from))
        });
        gather(pieces.collect::<Vec<_>>().into_iter())
    };
    let [read, write] = [false, true].map(|w| layout(class, w));
    m.output_of("header", part(write.0.or(read.0), HEADER_BITS));
    m.output_of("data", part(write.1.or(read.1), DATA_BITS));
    m.count("packets_received", any_pop & tail);
    m.count("flits_received", any_pop);
    m.finish()
}

/// The packet as it comes together: one register a flit.
fn words<'m>(
    m: &'m Builder,
    class: MessageClass,
    step: Signal<'m>,
    tail: Signal<'m>,
    payload: Signal<'m>,
) -> Vec<Signal<'m>> {
    let width = payload.width();
    let bits = class.packet_bits(false).max(class.packet_bits(true));
    let count = class.most_flits(width);
    let index = (count > 1).then(|| m.register("word_index", index_width(count as usize), 0));
    if let Some(index) = index {
        m.when(step, || m.set(index, mux(tail, 0, index + 1)));
    }
    (0..count)
        .map(|i| {
            let used = (bits - i * width).min(width);
            let word = m.register_payload(&format!("word{i}"), used);
            let here = index.map_or(step, |index| step & index.eq(i));
            m.when(here, || m.set(word, payload.bits(0, used)));
            word
        })
        .collect()
}
