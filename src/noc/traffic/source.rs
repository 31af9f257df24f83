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
//! In each cycle a packet is born with probability `threshold / 65536`; it waits, as a count, for those before it. Its destination is
//! drawn when its head is sent: uniform over all nodes, this one included (as in BookSim's `uniform`), each node within one 65,536th
//! of its share. A packet takes the next VC in turn of those that have a credit and keeps it, so each VC carries one packet at a
//! time. One flit a cycle; the payload is the LFSR's state, repeated. `info` is `{here, 0, time}`: the number of cycles
//! from reset to the one in which the head is on the channel, modulo `2^tag_bits`.
//!
//! All outputs are registers: a packet born in cycle t into an empty queue is on the channel in t + 2. Reset: nothing waits, all
//! credits; in the first cycle the LFSR takes a seed from `here`. Never: credits over- or underflow (asserted in the counters).
//!
//! Tests: `tests/noc/traffic.rs`.

use crate::{
    blocks::{ArbiterKind, arbitrate, credit_counter, lfsr, one_hot_index},
    hdl::{Builder, Module, Signal, concat, index_width, mux},
    noc::{FlitFormat, allocator::gather},
    params,
};

/// Bits of the birth rate.
pub const RATE_BITS: u32 = 16;
/// Bits of the LFSR: its taps (58, 39) are so far apart that 32 new bits are one XOR.
const STATE_BITS: u32 = 58;
/// Fresh bits a cycle: the birth, and the destination.
const FRESH: u32 = 2 * RATE_BITS;

/// Parameters of a [`source`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
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

/// A traffic source; see the [module documentation](self).
pub fn source(p: &SourceParams) -> Module {
    let FlitFormat { vcs, width, node_bits, tag_bits, .. } = p.format;
    let m = Builder::new(
        "traffic_source",
        params! { vcs, depth: p.depth, width, nodes: p.nodes, tag_bits, flits: p.flits, queue: p.queue },
    );
    m.doc("Random packets: uniform destinations, births with a given probability.");
    m.require(p.flits >= 1 && p.queue >= 1, "traffic source: flits and queue are at least 1");
    let (here, threshold) = (m.input("here", node_bits), m.input("threshold", RATE_BITS));

    m.comment("Random numbers; the seed is the node's number, spread over all bits.");
    let random = m.instance("random", &lfsr(STATE_BITS, FRESH));
    let started = m.register("started", 1, 0);
    m.set(started, 1);
    let copies = vec![here; (STATE_BITS / node_bits + 1) as usize];
    let spread = concat(&copies).bits(0, STATE_BITS - 1) ^ m.lit(STATE_BITS - 1, 0x01e3_779b_97f4_a7c1);
    random.drive("load", !started);
    random.drive("seed", m.lit(1, 1).join(spread));
    random.drive("step", 1);
    let state = random.get("value");
    m.comment("Cycles since reset when what is decided now is on the channel.");
    let now = m.register("now", tag_bits, 1);
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

    m.comment("A packet takes the next VC that has a credit.");
    let (available, choose) = (m.wire_later("available_vc", vcs), m.wire_later("chosen_vc", vcs));
    let credit = m.input("out_inject0_credit", vcs);
    let counters = (0..vcs).map(|v| {
        let counter = m.instance(&format!("credits_vc{v}"), &credit_counter(p.depth));
        counter.drive("send", sending & choose.bit(v));
        counter.drive("credit", credit.bit(v));
        counter.get("available")
    });
    m.assign(available, gather(counters.collect::<Vec<_>>().into_iter()));
    let next = arbitrate(&m, "vc_arbiter", ArbiterKind::RoundRobin, available, first & sending);
    if p.flits == 1 {
        m.assign(choose, next);
    } else {
        let kept = m.register("kept_vc", vcs, 0);
        m.when(sending, || m.set(kept, choose));
        m.assign(choose, mux(first, next, kept));
    }
    m.assign(sending, waiting.any() & (choose & available).any());
    m.assign(leaves, sending & last);

    m.comment("The output register.");
    let register = |name: &str, enable: Signal<'_>, value: Signal<'_>| {
        let register = m.register_payload(name, value.width());
        m.when(enable, || m.set(register, value));
        m.output_of(&format!("out_inject0_{name}"), register);
    };
    m.output_of("out_inject0_valid", m.delayed("valid", sending));
    register("head", sending, first);
    register("tail", sending, last);
    register("vc", sending, one_hot_index(choose));
    register("dest", sending & first, share(state.bits(RATE_BITS, RATE_BITS), p.nodes).resize(node_bits));
    m.output_of("out_inject0_yx", m.lit(1, 0));
    register("info", sending & first, concat(&[here, m.lit(1, 0), now]));
    let copies = vec![state; (width / STATE_BITS + 1) as usize];
    register("payload", sending, concat(&copies).bits(0, width));

    m.count("packets_born", accepted);
    m.count("packets_lost", born & !accepted);
    m.count("flits_sent", sending);
    m.count("send_stalls", waiting.any() & !sending);
    m.finish()
}

/// `random * count / 2^width`: a number below `count`, by shifts and adds.
fn share(random: Signal<'_>, count: u32) -> Signal<'_> {
    let (m, bits) = (random.builder(), index_width(count as usize + 1));
    let wide = random.extend(random.width() + bits);
    let product =
        (0..bits).filter(|i| count >> i & 1 == 1).map(|i| wide << u64::from(i)).reduce(|sum, part| sum + part);
    product.unwrap_or(m.lit(wide.width(), 0)).bits(random.width(), bits)
}
