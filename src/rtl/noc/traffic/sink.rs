//! Traffic sink: takes every flit, gives its credit back, and keeps totals. A tile.
//!
//! ```text
//!                          +----------------------+
//!  in_eject0_valid, ... -->| flits, latency,      |--> in_eject0_credit (V)
//!  here (N) -------------->| checksum of this node|
//!  flits_before ---------->|          +           |--> flits
//!  latency_before -------->|          +           |--> latency
//!  checksum_before ------->|   rotate, XOR        |--> checksum
//!                          +----------------------+
//! ```
//!
//! A flit on the channel in cycle t: the credit is on its wire in t + 1; it is in the totals in t + 2. The latency of a
//! packet is the number of cycles from its head on the source's channel to its head on this channel, modulo
//! `2^sideband_bits`, which is exact while the network lets nothing wait longer. The checksum depends on the payloads,
//! their order here, and the place of this sink in the chain. Totals wrap. Reset: zero. Never: a flit for another node,
//! a head within a packet, a body without a head (asserted).
//!
//! Testbench: `testbenches/traffic_sink/`; tests: `tests/noc/traffic.rs`.

use crate::{
    FlitFormat,
    channel::{Flit, Info},
};
use blocks::index_one_hot;
use hdl::{Builder, Bundle, Module, PortName, Signal, bundle, mux, params, ports, statistics};

statistics! {
    "traffic_sink" {
        /// Flits taken from the router.
        FLITS_RECEIVED: flits_received in "flits";
    }
}

bundle! {
    /// What a sink reads of a flit.
    pub struct Sunk(f: &FlitFormat) {
        valid: 1,
        head: 1,
        tail: 1,
        vc: f.vc_bits(),
        dest: f.node_bits,
        info: f.info_bits(),
        payload: f.width,
    }
}

impl<'m> From<Flit<'m>> for Sunk<'m> {
    fn from(Flit { valid, head, tail, vc, dest, info, payload, .. }: Flit<'m>) -> Self {
        Self { valid, head, tail, vc, dest, info, payload }
    }
}

/// Bits of a total.
pub const TOTAL_BITS: u32 = 32;

/// What is added up along the chain of sinks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Total {
    /// Flits received.
    Flits,
    /// Latencies of packets.
    Latency,
    /// Of payloads, their order and place.
    Checksum,
}

impl Total {
    /// All of them.
    pub const ALL: [Self; 3] = [Total::Flits, Total::Latency, Total::Checksum];
}

impl PortName for Total {
    fn append_to(&self, out: &mut String) {
        let name = match self {
            Total::Flits => "flits",
            Total::Latency => "latency",
            Total::Checksum => "checksum",
        };
        name.append_to(out);
    }
}

ports! {
    /// Ports of a traffic [`sink`].
    pub struct SinkPorts(format: &FlitFormat) of Sink {
        /// This node.
        in here: format.node_bits,
        /// Flits of the router.
        in eject as "in_eject0": bundle Sunk(format) with credit: format.vcs,
        /// A total of the sinks before this one.
        in before[total: Total in Total::ALL] as (total, "before"): TOTAL_BITS,
        /// The same with this sink.
        out after[total: Total in Total::ALL] as total: TOTAL_BITS,
    }
}

/// A traffic sink; see the [module documentation](self).
pub fn sink(format: &FlitFormat) -> Module {
    let FlitFormat { vcs, width, node_bits, sideband_bits, .. } = *format;
    let m = Builder::new("traffic_sink", params! { vcs, width, node_bits, sideband_bits });
    m.doc("Takes every flit; totals of flits, latency and payload run through the sinks as a chain.");
    let io = SinkPorts::new(&m, format);
    let here = io.here();
    let (flit, eject_credit) = io.eject().signals();
    let Sunk { valid, head, tail, vc, dest, info, payload } = flit;
    let sent_at = Info::unpack(info, format).sideband;

    let arriving = m.wire("arriving_vc", index_one_hot(vc, vcs) & valid.repeat(vcs));
    eject_credit.shows(m.delayed("credit", arriving));
    let now = m.register("now", sideband_bits, 0);
    m.set(now, now + 1);

    let [flits, latency, checksum] = Total::ALL.map(|total| m.register(("own", total), TOTAL_BITS, 0));
    m.when(valid, || {
        m.set(flits, flits + 1);
        m.set(checksum, rotated(checksum) ^ folded(payload));
    });
    m.when(valid & head, || m.set(latency, latency + (now - sent_at).extend(TOTAL_BITS)));
    for total in Total::ALL {
        let before = io.before(total);
        let after = match total {
            Total::Flits => before + flits,
            Total::Latency => before + latency,
            Total::Checksum => rotated(before) ^ checksum,
        };
        io.after(total, m.delayed(("all", total), after));
    }

    m.comment("What never happens.");
    let open = m.register("open_vcs", vcs, 0);
    m.when(valid, || m.set(open, mux(tail, open & !arriving, open | arriving)));
    m.always("a head flit is for this node", !(valid & head) | dest.eq(here));
    m.always("a packet starts with a head flit and has no other", !valid | (head ^ (open & arriving).any()));
    m.count(FLITS_RECEIVED, valid);
    m.finish()
}

/// One place to the left, around.
fn rotated(word: Signal<'_>) -> Signal<'_> {
    word.bits(0, word.width() - 1).join(word.sign())
}

/// All words of a payload in one, by XOR.
fn folded(payload: Signal<'_>) -> Signal<'_> {
    let words = payload.width().div_ceil(TOTAL_BITS);
    let padded = payload.extend(words * TOTAL_BITS).parts(TOTAL_BITS);
    padded.into_iter().reduce(|sum, word| sum ^ word).expect("a payload has bits")
}
