//! Ring channel: the wavelengths that all memory nodes but one write and that one, the *home*, reads, with token slots.
//! A tile.
//!
//! ```text
//!    home: credits, phase          position 1        position 2                    position L (the home)
//!      emit ---------> token ------> token ----------> token -- ... ----> token --> returned: a credit again
//!                                    |  ^ takes        |  ^ takes
//!  tx0_valid, tx0_* --> [writer 0] --'  |   [writer 1] '  |
//!  tx0_credit <--                 |                 |
//!                     data -------+--> data --------+--> data -- ... ---------> data --> rx_valid, rx_tail, rx_*
//!                     (one register behind the tokens)                                   rx_credit -->
//! ```
//!
//! A token stands for the slot behind it and for a place for a packet at the home. The home emits one each T cycles, T
//! the cycles of the longest packet, while it has credits; a token that nobody takes is a credit again when it is back
//! after L cycles. A slot holds one packet. So packets never meet, and arrive only where they have a place; the home
//! gives `rx_credit` when a packet has left its place.
//!
//! Contract: a packet of n parts that takes a token in cycle t at a writer L - d cycles upstream of the home is on
//! `rx_*` from t + 1 + d to t + d + n. All outputs are registers. The first writers behind the home take all tokens if
//! they can: the last ones may starve, unless there is a `fair_wait`: then each writer with a packet that has waited so
//! long says so on a wavelength of its own, all around the ring, and others let tokens pass. Reset: no tokens, all
//! credits. Never: two packets in one slot, more credits than places (asserted).
//!
//! Each register of tokens and data models a cycle of light. Source: D. Vantrease et al., *Light Speed Arbitration and
//! Flow Control for Nanophotonic Interconnects* (MICRO 2009), token slot. Testbench: `testbenches/ring_channel/`;
//! tests: `tests/noc/networks/ring.rs`.

use super::{
    RingFormat,
    packet::{RingFlit, RingPacket},
    writer::{RingWriter, ring_writer},
};
use hdl::{Bits, Builder, Bundle, Module, Signal, index_width, mux, params, ports, row, statistics};
use serde::Serialize;

statistics! {
    "ring_channel" {
        /// Tokens that the home has emitted.
        TOKENS_EMITTED: tokens_emitted in "tokens";
        /// Tokens that have come back unused.
        TOKENS_RETURNED: tokens_returned in "tokens";
        /// Cycles in which a part of a packet is at the home.
        BUSY_CYCLES: busy_cycles in "cycles";
    }
}

/// Parameters of a [`ring_channel`].
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize)]
pub struct ChannelParams {
    /// Packets, and how much of one is carried in a cycle.
    pub format: RingFormat,
    /// Cycles of the round trip, 2 and up.
    pub cycles: u32,
    /// Where the writers are: cycles behind the home, 1 to `cycles` - 1, each once.
    pub offsets: Vec<u32>,
    /// Packets that each of them queues, 1 and up.
    pub tx: usize,
    /// Places for packets at the home, 1 and up.
    pub rx: usize,
    /// Cycles that a packet may wait before others let tokens pass; 0: they never do.
    pub fair_wait: u32,
}

ports! {
    /// Ports of a [`ring_channel`].
    pub struct RingChannelPorts(p: &ChannelParams) of RingChannel {
        /// By writer: there is a packet.
        in tx_valid[writer: usize in 0..p.offsets.len()] as ("tx", writer, "valid"): 1,
        /// By writer: the packet; a credit when it has taken a token.
        in tx[writer: usize in 0..p.offsets.len()]: bundle RingPacket(&p.format) with credit: 1,
        /// Parts of packets at the home; a credit when a packet has left its place there.
        out rx: bundle RingFlit(&p.format) with credit: 1,
    }
}

/// A channel; see the [module documentation](self).
pub fn ring_channel(p: &ChannelParams) -> Module {
    let offsets: Vec<_> = p.offsets.iter().map(ToString::to_string).collect();
    let names = params! { class: p.format.class, width: p.format.width, cycles: p.cycles, tx: p.tx, rx: p.rx }.and(p);
    let m = Builder::new("ring_channel", names);
    m.doc("Channel of a nanophotonic ring: many writers, one reader, token slots. A register models a cycle of light.");
    let legal = p.offsets.iter().all(|offset| (1..p.cycles).contains(offset));
    m.require(legal, &format!("ring channel: offsets {}, of a ring of {} cycles", offsets.join(", "), p.cycles));
    let io = RingChannelPorts::new(&m, p);
    let module = ring_writer(p);
    let writers: Vec<_> = (0..p.offsets.len()).map(|w| RingWriter(m.instance(("writer", w), &module))).collect();
    for (w, writer) in writers.iter().enumerate() {
        writer.tx_valid(io.tx_valid(w));
        io.tx(w).connect(writer.tx());
    }
    tokens(&m, p, io, &writers);
    if p.fair_wait > 0 {
        long_waits(&m, p, &writers);
    }
    data(&m, p, io, &writers);
    m.finish()
}

/// The writer at a position.
fn at<'m>(p: &ChannelParams, writers: &[RingWriter<'m>], position: u32) -> Option<(usize, RingWriter<'m>)> {
    p.offsets.iter().position(|&offset| offset == position).map(|w| (w, writers[w]))
}

/// Tokens: emitted, moved on, taken, and back.
fn tokens<'m>(m: &'m Builder, p: &ChannelParams, io: RingChannelPorts<'m>, writers: &[RingWriter<'m>]) {
    m.comment("Tokens. The home emits one for each place that it has, a slot apart.");
    let credits = m.register("credits", index_width(p.rx + 1), p.rx as u64);
    let emits = m.wire_later("emits", 1);
    let slot = p.format.slot();
    if slot == 1 {
        m.assign(emits, credits.any());
    } else {
        let phase = m.register("phase", index_width(slot as usize), 0);
        m.set(phase, mux(phase.eq(u64::from(slot - 1)), 0, phase + 1));
        m.assign(emits, credits.any() & phase.is_zero());
    }
    let mut comes = emits;
    for position in 1..=p.cycles {
        let token = m.delayed(("token", position), comes);
        comes = token;
        if let Some((_, writer)) = at(p, writers, position) {
            writer.token(token);
            comes = token & !writer.takes();
        }
    }
    let returned = comes;
    let leaves = io.rx().answer();
    let bits = credits.width();
    m.set(credits, credits + returned.extend(bits) + leaves.extend(bits) - emits.extend(bits));
    m.always("no more credits than places", !(returned | leaves) | emits | credits.ne(p.rx as u64));
    m.count(TOKENS_EMITTED, emits);
    m.count(TOKENS_RETURNED, returned);
}

/// A wavelength for each writer, on which it says that a packet has waited long: a bit goes once around, and its writer replaces it.
fn long_waits<'m>(m: &'m Builder, p: &ChannelParams, writers: &[RingWriter<'m>]) {
    m.comment("Who has waited long, as seen at each position.");
    let count = writers.len() as u32;
    let seen: Vec<Signal<'m>> = (1..=p.cycles).map(|position| m.register(("long_waits", position), count, 0)).collect();
    for (i, &word) in seen.iter().enumerate() {
        let on = match at(p, writers, i as u32 + 1) {
            None => word,
            Some((w, writer)) => {
                let mut others = Bits::ones(count);
                others.set_bit(w as u32, false);
                let others = word & others.signal(m);
                writer.others_wait(others.any());
                let own = writer.long_wait().expect("a fair writer says when it has waited long");
                others | row((0..writers.len()).map(|v| if v == w { own } else { m.lit(1, 0) }))
            }
        };
        m.set(seen[(i + 1) % seen.len()], on);
    }
}

/// Slots: a register a position, from the first writer to the home.
fn data<'m>(m: &'m Builder, p: &ChannelParams, io: RingChannelPorts<'m>, writers: &[RingWriter<'m>]) {
    m.comment("Slots, one register behind their tokens.");
    let f = &p.format;
    let mut before: Option<RingFlit<'m>> = None;
    for position in 1..=p.cycles {
        let written = at(p, writers, position).map(|(_, writer)| writer.flit());
        let next = match (before, written) {
            (None, None) => continue,
            (Some(flit), None) | (None, Some(flit)) => flit,
            (Some(passes), Some(written)) => {
                m.always("a slot holds one packet", !passes.valid | !written.valid);
                let flit = written.or_else(written.valid, passes);
                RingFlit { valid: passes.valid | written.valid, ..flit }
            }
        };
        let kept = next.captured(m, ("slot", position), next.valid, f);
        before = Some(RingFlit { valid: m.delayed(("slot_full", position), next.valid), ..kept });
    }
    if let Some(home) = before {
        m.count(BUSY_CYCLES, home.valid);
        io.rx().shows(home);
    }
}
