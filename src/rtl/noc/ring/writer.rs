//! Ring writer: the packets of a memory node for one home, and its modulator on the channel.
//!
//! ```text
//!                     +---------------------------------------------+
//!  tx_valid, tx_* --->| queue of packets --> parts of the packet    |--> out_valid, out_tail, out_* (into the slot behind the token)
//!  tx_credit <--------|      ^                    ^                 |
//!  token (1) -------->|      `-- takes the token -'                 |--> takes (1)
//!  [others_wait (1)]->|                                             |--> [long_wait (1)]
//!                     +---------------------------------------------+
//! ```
//!
//! Contract: a packet that is shown in cycle t may take a token in t, when nothing is before it: its first part is in
//! the register of the channel at t + 1, and the others follow one a cycle. `tx_credit` in the cycle after a packet has
//! taken a token. With `fair_wait` a packet that has waited so long at the head raises `long_wait` until it has a
//! token; a writer without one leaves tokens while `others_wait`. Reset: empty. Never: a token while a packet is being
//! sent, a packet without a place (asserted).

use super::{
    ChannelParams,
    packet::{RingFlit, RingPacket},
};
use crate::passing_queue::{Head, passing_queue};
use hdl::{Builder, Bundle, Module, Signal, index_width, mux, params, ports, statistics};

statistics! {
    "ring_writer" {
        /// Packets that have taken a token.
        PACKETS_SENT: packets_sent in "packets";
        /// Cycles in which a packet waits for a token.
        TOKEN_WAIT_CYCLES: token_wait_cycles in "cycles";
        /// Packets that wait, in cycles with some.
        QUEUED_PACKETS: queued_packets in "packets";
        /// Cycles in which a part of a packet is put on the channel.
        SENDING_CYCLES: sending_cycles in "cycles";
    }
}

ports! {
    /// Ports of a [`ring_writer`].
    pub struct RingWriterPorts(p: &ChannelParams) of RingWriter {
        /// There is a packet.
        in tx_valid: 1,
        /// The packet; a credit when it has taken a token.
        in tx: bundle RingPacket(&p.format) with credit: 1,
        /// A token passes.
        in token: 1,
        /// Another writer has a packet that has waited long.
        maybe (p.fair_wait > 0) in others_wait: 1,
        /// This one has.
        maybe (p.fair_wait > 0) out long_wait: 1,
        /// It takes the token.
        out takes: 1,
        /// The part of a packet that is put into the slot.
        out flit as "out": bundle RingFlit(&p.format),
    }
}

/// A writer of a channel; see the [module documentation](self).
pub fn ring_writer(p: &ChannelParams) -> Module {
    let f = &p.format;
    let names = params! { class: f.class, width: f.width, places: p.tx; fair_wait: p.fair_wait }.and(f);
    let m = Builder::new("ring_writer", names);
    m.doc("Packets of a memory node for one home of the ring, and the modulator that puts them behind tokens.");
    let io = RingWriterPorts::new(&m, p);
    let valid = io.tx_valid();
    let (packet, tx_credit) = io.tx().signals();
    let token = io.token();
    let takes = m.wire_later("takes_token", 1);
    let head = passing_queue(&m, "packets", p.tx, (valid, packet.pack()), takes);
    let may = fairness(&m, p, io, head, takes);
    m.assign(takes, token & head.valid & may);
    io.takes(takes);
    tx_credit.shows(m.delayed("credit", takes));
    let flit = parts(&m, p, RingPacket::unpack(head.word, f), takes);
    m.count(SENDING_CYCLES, flit.valid);
    io.flit(flit);
    m.count(PACKETS_SENT, takes);
    m.count(TOKEN_WAIT_CYCLES, head.valid & !takes);
    m.histogram(QUEUED_PACKETS, head.stored.any(), head.stored);
    m.finish()
}

/// Whether this writer may take a token.
fn fairness<'m>(
    m: &'m Builder,
    p: &ChannelParams,
    io: RingWriterPorts<'m>,
    head: Head<'m>,
    takes: Signal<'m>,
) -> Signal<'m> {
    if p.fair_wait == 0 {
        return m.lit(1, 1);
    }
    m.comment("A packet that has waited long goes before others.");
    let waited = m.register("waited", index_width(p.fair_wait as usize + 1), 0);
    let long = m.wire("waits_long", waited.eq(u64::from(p.fair_wait)));
    m.set(waited, mux(takes | !head.valid, m.lit(waited.width(), 0), mux(long, waited, waited + 1)));
    io.long_wait(long);
    long | !io.others_wait().expect("a fair writer hears of others")
}

/// The parts of the packet that takes a token, in this cycle and the next ones.
fn parts<'m>(m: &'m Builder, p: &ChannelParams, packet: RingPacket<'m>, takes: Signal<'m>) -> RingFlit<'m> {
    let f = &p.format;
    let (slot, bits) = (f.slot(), f.cycle_bits());
    let whole = packet.payload.resize(slot * bits);
    let first = whole.bits(0, bits);
    if slot == 1 {
        return RingFlit::new(takes, m.lit(1, 1), packet, first);
    }
    m.comment("The parts behind the first one.");
    let cycles = f.cycles_signal(packet.flits);
    let left = m.register("parts_left", cycles.width(), 0);
    let kept = RingPacket::captured(packet, m, "kept", takes, f);
    let rest = m.register_payload("rest", (slot - 1) * bits);
    let sending = m.wire("sending", left.any());
    m.when(takes, || {
        m.set(left, cycles - 1);
        m.set(rest, whole.bits(bits, (slot - 1) * bits));
    })
    .otherwise(|| {
        m.when(sending, || {
            m.set(left, left - 1);
            m.set(rest, rest >> u64::from(bits));
        });
    });
    m.always("a token comes when the packet before it is sent", !takes | !sending);
    let tail = mux(sending, left.eq(1), cycles.eq(1));
    let header = kept.or_else(sending, packet);
    RingFlit::new(takes | sending, tail, header, mux(sending, rest.bits(0, bits), first))
}
