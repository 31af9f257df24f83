//! Injector: the sending half of a network interface, for packets that say only how long they are. A tile.
//!
//! ```text
//!                   +-------------------------------------------------------+
//!  tx_valid  (1) -->| path, subnetwork and    | lanes: packets wait         |--> out_inject0_valid, ... _payload
//!  tx_dest   (N) -->| port choice of a        |   --> flits of the oldest   |    out_inject1_...
//!  [tx_reply (1)]-->| network interface       |   --> output register       |
//!  tx_flits  (F) -->|                         |       credit counters,      |<-- out_inject0_credit (V), ...
//!  tx_tag    (T) -->|                         |       VC arbiters           |
//!  tx_credit (1) <--|                         |                             |
//!                   +-------------------------------------------------------+
//!  here (N), [here_x, here_y]: this node (tied to constants)
//! ```
//!
//! Open-loop measurements load a network with it ([`open_loop`](super::open_loop)): whoever shows packets here decides when and
//! where to, and the flits take the same way as those of a [network interface](super::interface), by the same choices.
//!
//! Contract: a packet shown in cycle t goes to the channel from t + 2 on, when nothing is before it, one flit a cycle, and packets
//! follow each other without a gap. A packet takes the next VC of its class and phase, in turn, of those that have a credit, and keeps
//! it. Its place is given back (`tx_credit`) in the cycle in which its tail is on the channel, with several lanes one later. `tx_reply`
//! is there when packets of both classes are sent. The payload of a flit is `{0, tag, index}`, cut to the channel's width, with
//! `index` counting the flits of a packet from zero, in as many bits as `tx_flits` has. `info` is `{here, 0, tag}`.
//!
//! All outputs are registers. Reset: empty, all credits. Never: `tx_valid` without a free place, a packet of no flits or of more than
//! [`InjectorParams::flits`] (asserted).
//!
//! Tests: `tests/noc/injector.rs`.

use super::{
    FlitFormat, InterfaceParams, MessageClass, NetworkParams, NocError,
    allocator::gather,
    interface::sending,
    sender::{SenderVcs, output_field},
};
use crate::{
    blocks::{FifoParams, fifo},
    hdl::{Builder, Module, concat, index_width, mux},
    params,
};

/// Parameters of an [`injector`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct InjectorParams {
    /// Ports, subnetworks and choices. With 3 and more `tx_places`, packets of one flit follow each other without a gap.
    pub interface: InterfaceParams,
    /// Flits of the longest packet, 1 to 64.
    pub flits: u32,
}

/// Places that never slow a source down.
pub const PLACES: usize = 4;

impl InjectorParams {
    /// One port into one network whose `network.classes` are message classes; packets of all of them.
    pub fn new(network: NetworkParams, columns: u32, rows: u32, places: usize, flits: u32) -> Self {
        let interface = InterfaceParams {
            both: network.classes == 2,
            messages: network.classes,
            tx_places: places,
            ..InterfaceParams::new(network, columns, rows, MessageClass::Request)
        };
        Self { interface, flits }
    }

    /// In range?
    pub fn check(&self) -> Result<(), NocError> {
        self.interface.check()?;
        if self.interface.messages > 2 {
            return Err(NocError::Vcs { vcs: self.interface.network.format.vcs, classes: self.interface.messages });
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

    /// Fields of a packet beside where it goes.
    fn fields(&self) -> [(&'static str, u32); 2] {
        [("flits", self.flits_bits()), ("tag", self.interface.network.format.tag_bits)]
    }

    fn names(&self) -> Vec<(String, String)> {
        let NetworkParams { format, depth, routing, .. } = self.interface.network;
        let FlitFormat { vcs, width, node_bits, tag_bits, .. } = format;
        let (classes, sets) = (self.interface.messages, routing.vc_sets());
        let names = params! {
            vcs, classes, sets, depth, width, node_bits, tag_bits, flits: self.flits, places: self.interface.tx_places,
            phase: u32::from(routing.rule().reads_phase()), both: u32::from(self.interface.both)
        };
        // Of one class the phase bit may be a constant of it.
        let class = if self.interface.both {
            vec![]
        } else {
            params! { class: self.interface.sends.name() }
        };
        format.named(names.into_iter().chain(class).collect())
    }
}

/// An injector; see the [module documentation](self).
pub fn injector(p: &InjectorParams) -> Result<Module, NocError> {
    p.check()?;
    let m = Builder::new("injector", p.interface.named(p.names()));
    m.doc("Sends packets of a given length, whose flits say only which they are.");
    sending(&m, &p.interface, &lane(p), &p.fields());
    Ok(m.finish())
}

/// The packets for one injection port: a queue, cut into flits.
fn lane(p: &InjectorParams) -> Module {
    let InterfaceParams { network, messages, both, sends, tx_places, .. } = p.interface;
    let NetworkParams { format, depth, routing, .. } = network;
    let FlitFormat { vcs, width, node_bits, tag_bits, .. } = format;
    let m = Builder::new("injector_lane", p.names());
    m.doc("Packets of a given length for one injection port.");
    let (here, enter) = (m.input("here", node_bits), m.input("enter", 1));
    let length = m.input("packet_flits", p.flits_bits());
    m.always("a packet has flits, and not too many", !enter | (length.any() & length.le(u64::from(p.flits))));
    let mut fields = vec![m.input("packet_tag", tag_bits), length, m.input("packet_dest", node_bits)];
    let mut optional = |there: bool, name: &str, bits: u32| {
        let at: u32 = fields.iter().map(|field| field.width()).sum();
        there.then(|| fields.push(m.input(name, bits))).map(|()| (at, bits))
    };
    let yx_at = optional(routing.rule().reads_phase(), "packet_yx", 1);
    let via_at = optional(format.via, "packet_via", node_bits);
    let reply_at = optional(both, "packet_reply", 1);

    m.comment("Packets wait in order.");
    let word = gather(fields.into_iter());
    let queue = m.instance("packets", &fifo(FifoParams { depth: tx_places, width: word.width(), registered: false }));
    queue.drive("push", enter);
    queue.drive("push_data", word);
    let (waiting, packet) = (queue.get("valid"), queue.get("data"));
    let tag = packet.bits(0, tag_bits);
    let length = packet.bits(tag_bits, p.flits_bits());
    let dest = packet.bits(tag_bits + p.flits_bits(), node_bits);
    let [yx, via, reply] = [yx_at, via_at, reply_at].map(|at| at.map(|(at, bits)| packet.bits(at, bits)));

    let sending = m.wire_later("sending", 1);
    let index = m.register("flit_index", p.flits_bits(), 0);
    let (first, last) = (m.wire("first_flit", index.is_zero()), m.wire("last_flit", (index + 1).eq(length)));
    m.when(sending, || m.set(index, mux(last, 0, index + 1)));

    let sets = routing.vc_sets();
    let own = if both { 0..vcs } else { p.interface.vcs_of(sends) };
    let class = |c: u32| reply.filter(|_| messages == 2).map(|reply| if c == 1 { reply } else { !reply });
    let phase = |s: u32| yx.filter(|_| sets == 2).map(|yx| if s == 1 { yx } else { !yx });
    let classes = if both { messages } else { 1 };
    let of_set = |(c, s)| class(c).into_iter().chain(phase(s)).reduce(|class, phase| class & phase);
    let conditions = (0..classes).flat_map(|c| (0..sets).map(move |s| (c, s))).filter_map(of_set);
    let vcs = SenderVcs { vcs, own, depth, sets: conditions.collect() };
    let choose = vcs.choose(&m, "out_credit", Some(first), waiting, sending);
    let leaves = m.wire("packet_leaves", sending & last);
    queue.drive("pop", leaves);
    m.output_of("left", m.delayed("place_free", leaves));
    let used = m.register("places_used", index_width(tx_places + 1), 0);
    m.when(enter ^ leaves, || m.set(used, mux(enter, used + 1, used - 1)));
    m.output_of("used", used);

    let register = |name: &str, value| output_field(&m, "out", name, sending, value);
    m.output_of("out_valid", m.delayed("valid", sending));
    register("head", first);
    register("tail", last);
    register("vc", vcs.number(&m, choose));
    register("dest", dest);
    match yx {
        Some(yx) => register("yx", yx),
        None => m.output_of("out_yx", m.lit(1, 0)),
    }
    if let Some(via) = via {
        register("via", via);
    }
    register("info", concat(&[here, m.lit(1, 0), tag]));
    register("payload", tag.join(index).resize(width));

    m.count("packets_sent", leaves);
    m.count("flits_sent", sending);
    m.count("send_stalls", waiting & !sending);
    m.finish()
}
