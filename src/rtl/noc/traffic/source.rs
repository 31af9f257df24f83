//! Traffic source: packets at random times to random nodes. A tile.
//!
//! ```text
//!                  +---------------------------------------------+
//!  threshold (16)->| LFSR --> birth --> packets waiting (count)  |--> out_inject0_valid, ... _payload
//!  here (N) ------>|   |                      |                  |
//!                  |   `--> destination, payload --> output reg.  |
//!                  |              credit counters, VC arbiter    |<-- out_inject0_credit (V)
//!                  +---------------------------------------------+
//! ```
//!
//! In each cycle a packet is born with probability `threshold / 65536`; it waits, as a count, for those before it. Its
//! destination is drawn when its head is sent: uniform over all nodes, this one included (as in BookSim's `uniform`),
//! each node within one 65,536th of its share. A packet takes the next VC in turn of those that have a credit and keeps
//! it, so each VC carries one packet at a time. One flit a cycle; the payload is the LFSR's state, repeated. `info` is
//! `{here, 0, time}`: the number of cycles from reset to the one in which the head is on the channel, modulo
//! `2^sideband_bits`.
//!
//! All outputs are registers: a packet born in cycle t into an empty queue is on the channel in t + 2. Reset: nothing
//! waits, all credits; in the first cycle the LFSR takes a seed from `here`. Never: credits over- or underflow
//! (asserted in the counters).
//!
//! Testbench: `testbenches/traffic_source/`; tests: `tests/noc/traffic.rs`.

use crate::{
    FlitFormat,
    channel::{Flit, Info},
    coordinates::share,
    sender::{RANDOM_STATE_BITS, SenderVcs, random_numbers},
};
use hdl::{Builder, Bundle, Module, concat, index_width, mux, params, ports, statistics};
use serde::Serialize;

statistics! {
    "traffic_source" {
        /// Packets that have entered the source queue.
        PACKETS_BORN: packets_born in "packets";
        /// Packets that have found the source queue full.
        PACKETS_LOST: packets_lost in "packets";
        /// Flits sent to the router.
        FLITS_SENT: flits_sent in "flits";
        /// Cycles in which a packet waits and no flit is sent.
        SEND_STALL_CYCLES: send_stall_cycles in "cycles";
    }
}

/// Bits of the birth rate.
pub const RATE_BITS: u32 = 16;
/// Fresh bits a cycle: the birth, and the destination.
const FRESH: u32 = 2 * RATE_BITS;

/// Parameters of a [`source`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
pub struct SourceParams {
    /// The channel.
    pub format: FlitFormat,
    /// Flits that a VC of the router holds.
    pub depth: usize,
    /// Nodes of the network.
    pub nodes: u32,
    /// Flits of a packet, 1 and up.
    pub flits: u32,
    /// Packets that wait, 1 and up.
    pub queue: u32,
}

ports! {
    /// Ports of a traffic [`source`].
    pub struct SourcePorts(p: &SourceParams) of Source {
        /// This node.
        in here: p.format.node_bits,
        /// A packet is born with this probability, in 65,536ths.
        in threshold: RATE_BITS,
        /// Flits for the router.
        out inject as "out_inject0": bundle Flit(&p.format) with credit: p.format.vcs,
    }
}

/// A traffic source; see the [module documentation](self).
pub fn source(p: &SourceParams) -> Module {
    let FlitFormat { vcs, width, node_bits, sideband_bits, .. } = p.format;
    let m =
        Builder::new("traffic_source", params! { vcs, depth: p.depth, width, flits: p.flits, queue: p.queue }.and(p));
    m.doc("Random packets: uniform destinations, births with a given probability.");
    m.require(p.flits >= 1 && p.queue >= 1, "traffic source: flits and queue are at least 1");
    let io = SourcePorts::new(&m, p);
    let (here, threshold) = (io.here(), io.threshold());

    let (state, started) = random_numbers(&m, here, FRESH);
    m.comment("Cycles since reset when what is decided now is on the channel.");
    let now = m.register("now", sideband_bits, 1);
    m.set(now, now + 1);

    m.comment("Packets waiting, the one that is being sent included.");
    let waiting = m.register("waiting", index_width(p.queue as usize + 1), 0);
    let born = m.wire("born", started & state.bits(0, RATE_BITS).lt(threshold));
    let accepted = m.wire("accepted", born & waiting.ne(p.queue));
    let (sending, leaves) = (m.wire_later("sending", 1), m.wire_later("leaves", 1));
    m.when(accepted ^ leaves, || m.set(waiting, mux(accepted, waiting + 1, waiting - 1)));

    let (first, last) = match p.flits {
        1 => (m.lit(1, 1), m.lit(1, 1)),
        flits => {
            let index = m.register("flit_index", index_width(flits as usize), 0);
            let last = m.wire("last_flit", index.eq(flits - 1));
            m.when(sending, || m.set(index, mux(last, 0, index + 1)));
            (m.wire("first_flit", index.is_zero()), last)
        }
    };

    let senders = SenderVcs::all(vcs, p.depth);
    let several = (p.flits > 1).then_some(first);
    let choose = senders.choose(&m, io.inject().answer(), several, waiting.any(), sending);
    m.assign(leaves, sending & last);

    m.comment("The output register.");
    let nodes = m.lit(index_width(p.nodes as usize + 1), p.nodes.into());
    let dest = share(state.bits(RATE_BITS, RATE_BITS), nodes).resize(node_bits);
    let copies = vec![state; (width / RANDOM_STATE_BITS + 1) as usize];
    let flit = Flit {
        valid: m.delayed("valid", sending),
        head: m.captured("head", sending, first),
        tail: m.captured("tail", sending, last),
        vc: m.captured("vc", sending, senders.number(&m, choose)),
        dest: m.captured("dest", sending & first, dest),
        route_class: m.lit(p.format.class_bits, 0),
        waypoint: None,
        priority: p.format.constant_priority(&m, 0),
        length: (p.format.length_bits > 0).then(|| m.lit(p.format.length_bits, p.flits.into())),
        info: m.captured("info", sending & first, Info { source: here, sideband: now }.pack()),
        payload: m.captured("payload", sending, concat(&copies).bits(0, width)),
    };
    io.inject().shows(flit);

    m.count(PACKETS_BORN, accepted);
    m.count(PACKETS_LOST, born & !accepted);
    m.count(FLITS_SENT, sending);
    m.count(SEND_STALL_CYCLES, waiting.any() & !sending);
    m.finish()
}
