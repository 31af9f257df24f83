//! Injector: the sending half of a network interface, for packets that say only how long they are. A tile.
//!
//! ```text
//!                   +------------------------------------------+
//!  tx_valid  (1) -->| packets wait --> flits of the oldest     |--> out_inject0_valid, ... _payload
//!  tx_dest   (N) -->|  (queue of        --> output register    |
//!  tx_reply  (1) -->|   places)         credit counters,       |<-- out_inject0_credit (V)
//!  tx_flits  (F) -->|                   VC arbiter of the class|
//!  tx_tag    (T) -->|                                          |
//!  tx_credit (1) <--|                                          |
//!                   +------------------------------------------+
//!  here (N): this node's number (tied to a constant)
//! ```
//!
//! Open-loop measurements load a network with it ([`open_loop`](super::open_loop)): whoever shows packets here decides when and
//! where to, and the flits take the same way as those of a [network interface](super::interface).
//!
//! Contract: a packet shown in cycle t goes to the channel from t + 2 on, when nothing is before it, one flit a cycle, and packets
//! follow each other without a gap. A packet takes the next VC of its class, in turn, of those that have a credit, and keeps it. Its
//! place is given back (`tx_credit`) in the cycle in which its tail is on the channel. `tx_reply` is there when there are two
//! classes: the packet belongs to the upper one. The payload of a flit is `{0, tag, index}`, cut to the channel's width, with
//! `index` counting the flits of a packet from zero, in as many bits as `tx_flits` has. `info` is `{here, 0, tag}`.
//!
//! All outputs are registers. Reset: empty, all credits. Never: `tx_valid` without a free place, a packet of no flits or of more than
//! [`InjectorParams::flits`] (asserted).
//!
//! Tests: `tests/noc/injector.rs`.

use super::{FlitFormat, NocError, allocator::gather};
use crate::{
    blocks::{ArbiterKind, FifoParams, arbitrate, credit_counter, fifo, one_hot_index},
    hdl::{Builder, Module, Signal, concat, index_width, mux},
    params,
};

/// Parameters of an [`injector`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct InjectorParams {
    /// The channel.
    pub format: FlitFormat,
    /// Flits that a VC of the router holds, 1 to 256.
    pub depth: usize,
    /// Message classes, 1 or 2: each has an equal part of the VCs.
    pub classes: u32,
    /// Packets that wait here, 1 to 64; with 3 and more, packets of one flit follow each other without a gap.
    pub places: usize,
    /// Flits of the longest packet, 1 to 64.
    pub flits: u32,
}

/// Places that never slow a source down.
pub const PLACES: usize = 4;

impl InjectorParams {
    /// In range?
    pub fn check(&self) -> Result<(), NocError> {
        self.format.check(self.classes)?;
        if self.classes > 2 {
            return Err(NocError::Vcs { vcs: self.format.vcs, classes: self.classes });
        }
        if !(1..=256).contains(&self.depth) {
            return Err(NocError::Depth { depth: self.depth });
        }
        if !(1..=64).contains(&self.places) {
            return Err(NocError::Places { name: "places", places: self.places, most: 64 });
        }
        if !(1..=64).contains(&self.flits) {
            return Err(NocError::Traffic { name: "flits", value: self.flits, most: 64 });
        }
        Ok(())
    }

    /// Bits of `tx_flits` and of the index in the payload.
    pub fn flits_bits(&self) -> u32 {
        index_width(self.flits as usize + 1)
    }
}

/// An injector; see the [module documentation](self).
pub fn injector(p: &InjectorParams) -> Result<Module, NocError> {
    p.check()?;
    let InjectorParams { format, depth, classes, places, flits } = *p;
    let FlitFormat { vcs, width, node_bits, tag_bits, .. } = format;
    let m = Builder::new("injector", params! { vcs, classes, depth, width, node_bits, tag_bits, flits, places });
    m.doc("Sends packets of a given length, whose flits say only which they are.");
    let here = m.input("here", node_bits);
    let tx = m.input("tx_valid", 1);
    let (dest, length) = (m.input("tx_dest", node_bits), m.input("tx_flits", p.flits_bits()));
    let mut packet = concat(&[dest, length, m.input("tx_tag", tag_bits)]);
    m.always("a packet has flits, and not too many", !tx | (length.any() & length.le(u64::from(flits))));
    if classes == 2 {
        packet = m.input("tx_reply", 1).join(packet);
    }

    m.comment("Packets wait in order.");
    let queue = m.instance("packets", &fifo(FifoParams { depth: places, width: packet.width(), registered: false }));
    queue.drive("push", tx);
    queue.drive("push_data", packet);
    let (waiting, packet) = (queue.get("valid"), queue.get("data"));
    let tag = packet.bits(0, tag_bits);
    let length = packet.bits(tag_bits, p.flits_bits());
    let dest = packet.bits(tag_bits + p.flits_bits(), node_bits);
    let reply = (classes == 2).then(|| packet.sign());

    let sending = m.wire_later("sending", 1);
    let index = m.register("flit_index", p.flits_bits(), 0);
    let (first, last) = (m.wire("first_flit", index.is_zero()), m.wire("last_flit", (index + 1).eq(length)));
    m.when(sending, || m.set(index, mux(last, 0, index + 1)));

    m.comment("A packet takes the next VC of its class that has a credit.");
    let (available, choose) = (m.wire_later("available_vc", vcs), m.wire_later("chosen_vc", vcs));
    let credit = m.input("out_inject0_credit", vcs);
    let counters = (0..vcs).map(|v| {
        let counter = m.instance(&format!("credits_vc{v}"), &credit_counter(depth));
        counter.drive("send", sending & choose.bit(v));
        counter.drive("credit", credit.bit(v));
        counter.get("available")
    });
    m.assign(available, gather(counters.collect::<Vec<_>>().into_iter()));
    let begins = first & sending;
    let group = vcs / classes;
    let next: Vec<_> = (0..classes)
        .map(|c| {
            let own = reply.map_or(m.lit(1, 1), |reply| if c == 0 { !reply } else { reply });
            let name = format!("vc_arbiter_class{c}");
            let of_class = available.bits(c * group, group);
            arbitrate(&m, &name, ArbiterKind::RoundRobin, of_class, begins & own) & own.repeat(group)
        })
        .collect();
    let kept = m.register("kept_vc", vcs, 0);
    m.when(sending, || m.set(kept, choose));
    m.assign(choose, mux(first, gather(next.into_iter()), kept));
    m.assign(sending, waiting & (choose & available).any());
    let leaves = m.wire("packet_leaves", sending & last);
    queue.drive("pop", leaves);
    m.output_of("tx_credit", m.delayed("place_free", leaves));

    let register = |name: &str, value: Signal<'_>| {
        let register = m.register_payload(name, value.width());
        m.when(sending, || m.set(register, value));
        m.output_of(&format!("out_inject0_{name}"), register);
    };
    m.output_of("out_inject0_valid", m.delayed("valid", sending));
    register("head", first);
    register("tail", last);
    register("vc", one_hot_index(choose));
    register("dest", dest);
    m.output_of("out_inject0_yx", m.lit(1, 0));
    register("info", concat(&[here, m.lit(1, 0), tag]));
    register("payload", tag.join(index).resize(width));

    m.count("packets_sent", leaves);
    m.count("flits_sent", sending);
    m.count("send_stalls", waiting & !sending);
    Ok(m.finish())
}
