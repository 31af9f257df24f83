//! Injection lane: the packets for one injection port of a router, as a queue, cut into flits.
//!
//! ```text
//!                 +----------------------------------------------+
//!  enter (1) ---->| packet places --> word of the oldest packet  |--> out_valid, ... out_payload
//!  packet_* ----->|  (words in memories)  --> output register    |
//!                 |                          credit counters     |<-- out_credit (V)
//!  left (1) <-----|                          VC arbiter          |
//!  used (U) <-----|                                              |
//!  here (N) ----->|                                              |
//!                 +----------------------------------------------+
//! ```
//!
//! Contract: a packet that enters in cycle t goes to the channel from t + 2 on, when nothing is before it, one flit a cycle. A packet takes
//! the next VC of its class (and of the set of its routing class, where the routing keeps two), in turn, among those that have a credit,
//! and keeps it. `left` pulses in the cycle after its tail was sent; `used` counts the packets in their places. All outputs are registers
//! or come straight from them. Never: a packet enters when there is no place (asserted).
//!
//! Tests: `tests/noc/alone.rs`, `tests/noc/interface.rs`. Testbench: `testbenches/injection_lane/`.

use super::InterfaceParams;
use crate::noc::{
    MessageClass,
    channel::{Flit, Info},
    packet::{HEADER_BITS, PacketFormat, layout},
    sender::SenderVcs,
};
use hdl::{
    Builder, Bundle, MemoryHandle, Module, PortName, Signal, bundle, concat, index_width, mux, params, select,
    statistics,
};

statistics! {
    "injection_lane" {
        /// Packets whose tail has left.
        PACKETS_SENT: packets_sent in "packets";
        /// Flits sent to the router.
        FLITS_SENT: flits_sent in "flits";
        /// Cycles in which a packet waits and no flit is sent.
        SEND_STALLS: send_stalls in "cycles";
    }
}

bundle! {
    /// A packet whose way was chosen.
    pub(super) struct Queued(p: &InterfaceParams) {
        maybe yx: p.routing_class_bits(),
        maybe via: p.network.format.via_bits(),
        dest: p.network.format.node_bits,
        write: 1,
        tag: p.network.format.tag_bits,
        header: HEADER_BITS,
        data: p.data_bits,
    }
}

bundle! {
    /// What is kept of it beside its words.
    struct Heading(p: &InterfaceParams) {
        maybe yx: p.routing_class_bits(),
        maybe via: p.network.format.via_bits(),
        dest: p.network.format.node_bits,
        write: 1,
        tag: p.network.format.tag_bits,
    }
}

/// An injection lane of an interface; see the [module documentation](self).
pub fn injection_lane(p: &InterfaceParams) -> Module {
    let format = p.network.format;
    let (class, width) = (p.sends, format.width);
    let m = Builder::new("injection_lane", p.lane_names(p.sends, params! { places: p.tx_queue_packets }));
    m.doc("Packets for one injection port, cut into flits.");
    let here = m.input("here", format.node_bits);
    let enter = m.input("enter", 1);
    let packet = Queued::inputs(&m, "packet", p);
    let Queued { yx, via, dest, write, tag, header, data } = packet;
    let heading = Heading { yx, via, dest, write, tag }.pack();

    m.comment("Packets wait in a ring of places: their words in a memory each, their control fields in another.");
    let places = Places::new(&m, p.tx_queue_packets);
    let controls = Storage::new(&m, "controls", p.tx_queue_packets, heading.width());
    m.when(enter, || controls.write(places.enter, heading));
    let (form, most) = (&p.packet(), p.packet().most_flits(class, width));
    let words: Vec<_> = (0..most)
        .map(|i| {
            let words = Storage::new(&m, ("words", i), p.tx_queue_packets, width);
            let (short, value) = word((form, class), width, i, write, (header, data));
            m.when(short.map_or(enter, |has_word| enter & has_word), || words.write(places.enter, value));
            words
        })
        .collect();
    let Heading { yx, via, dest, write, tag } = Heading::unpack(controls.read(places.leave), p);

    let sending = m.wire_later("sending", 1);
    let (first, last, payload) = sequence(&m, (form, class), width, write, sending, &words, places.leave);

    let sets = match yx {
        Some(routing_class) if p.network.routing.vc_sets() == 2 => vec![!routing_class, routing_class],
        _ => vec![],
    };
    let vcs = SenderVcs { vcs: format.vcs, own: p.vcs_of(class), depth: p.network.depth, sets };
    let several = (!first_only(most)).then_some(first);
    let choose = vcs.choose(&m, "out_credit", several, places.waiting, sending);
    let leaves = m.wire("packet_leaves", sending & last);
    places.count(&m, enter, leaves);

    m.comment("The output register.");
    let flit = Flit {
        valid: m.delayed("valid", sending),
        head: m.captured("head", sending, first),
        tail: m.captured("tail", sending, last),
        vc: m.captured("vc", sending, vcs.number(&m, choose)),
        dest: m.captured("dest", sending, dest),
        yx: yx.map_or(m.lit(1, 0), |yx| m.captured("yx", sending, yx)),
        via: via.map(|via| m.captured("via", sending, via)),
        info: m.captured("info", sending, Info { source: here, write, tag }.pack()),
        payload: m.captured("payload", sending, payload),
    };
    flit.outputs(&m, "out", &format);
    m.output_of("left", m.delayed("place_free", leaves));
    m.output_of("used", places.used);
    m.count(PACKETS_SENT, leaves);
    m.count(FLITS_SENT, sending);
    m.count(SEND_STALLS, places.waiting & !sending);
    m.finish()
}

fn first_only(flits: u32) -> bool {
    flits == 1
}

/// The ring of packet places.
struct Places<'m> {
    enter: Signal<'m>,
    leave: Signal<'m>,
    waiting: Signal<'m>,
    used: Signal<'m>,
    places: usize,
}

impl<'m> Places<'m> {
    fn new(m: &'m Builder, places: usize) -> Self {
        let pointer = |name: &str| {
            if places == 1 { m.lit(1, 0) } else { m.register(name, index_width(places), 0) }
        };
        let used = m.register("places_used", index_width(places + 1), 0);
        Self { enter: pointer("enter_at"), leave: pointer("leave_at"), waiting: used.any(), used, places }
    }

    fn count(&self, m: &'m Builder, enters: Signal<'m>, leaves: Signal<'m>) {
        if self.places > 1 {
            for (pointer, step) in [(self.enter, enters), (self.leave, leaves)] {
                let next = if self.places.is_power_of_two() {
                    pointer + 1
                } else {
                    mux(pointer.eq(self.places - 1), 0, pointer + 1)
                };
                m.when(step, || m.set(pointer, next));
            }
        }
        m.when(enters ^ leaves, || m.set(self.used, mux(enters, self.used + 1, self.used - 1)));
        m.always("a packet comes only for a free place", !enters | self.used.ne(self.places));
    }
}

/// One word for each place: a memory, or a register for a single place.
#[derive(Clone, Copy)]
enum Storage<'m> {
    Memory(MemoryHandle<'m>),
    Register(Signal<'m>),
}

impl<'m> Storage<'m> {
    fn new(m: &'m Builder, name: impl PortName, places: usize, width: u32) -> Self {
        match places {
            1 => Storage::Register(m.register_payload(name, width)),
            _ => Storage::Memory(m.memory(name, places, width)),
        }
    }

    /// Under the conditions around the call.
    fn write(self, place: Signal<'m>, value: Signal<'m>) {
        match self {
            Storage::Memory(words) => words.write(place, value),
            Storage::Register(word) => value.builder().set(word, value),
        }
    }

    fn read(self, place: Signal<'m>) -> Signal<'m> {
        match self {
            Storage::Memory(words) => words.read(place),
            Storage::Register(word) => word,
        }
    }
}

/// Word `i` of a packet, and, when only one kind of packet has it, the condition that it is of that kind.
fn word<'m>(
    (form, class): (&PacketFormat, MessageClass),
    width: u32,
    i: u32,
    write: Signal<'m>,
    (header, data): (Signal<'m>, Signal<'m>),
) -> (Option<Signal<'m>>, Signal<'m>) {
    let m = write.builder();
    let of = |is_write: bool| {
        let (header_at, data_at) = layout(class, is_write);
        // Parts from the top: the fill, the data, the header.
        let mut parts = vec![];
        let mut covered = 0;
        for (part, at) in [(header, header_at), (data, data_at)] {
            let Some(at) = at else { continue };
            let (lo, hi) = ((i * width).max(at), ((i + 1) * width).min(at + part.width()));
            if lo < hi {
                parts.insert(0, part.bits(lo - at, hi - lo));
                covered += hi - lo;
            }
        }
        if covered < width {
            parts.insert(0, m.lit(width - covered, 0));
        }
        concat(&parts)
    };
    match (i < form.flits(class, false, width), i < form.flits(class, true, width)) {
        (true, true) => (None, mux(write, of(true), of(false))),
        (true, false) => (Some(!write), of(false)),
        _ => (Some(write), of(true)),
    }
}

/// Steps through the words of the oldest packet: first flit, last flit, and the word to send now.
fn sequence<'m>(
    m: &'m Builder,
    (form, class): (&PacketFormat, MessageClass),
    width: u32,
    write: Signal<'m>,
    sending: Signal<'m>,
    words: &[Storage<'m>],
    place: Signal<'m>,
) -> (Signal<'m>, Signal<'m>, Signal<'m>) {
    let reads: Vec<_> = words.iter().map(|w| w.read(place)).collect();
    if first_only(words.len() as u32) {
        return (m.lit(1, 1), m.lit(1, 1), reads[0]);
    }
    let index = m.register("flit_index", index_width(words.len()), 0);
    let last_of = |is_write| m.lit(index.width(), u64::from(form.flits(class, is_write, width) - 1));
    let last = m.wire("last_flit", index.eq(mux(write, last_of(true), last_of(false))));
    m.when(sending, || m.set(index, mux(last, 0, index + 1)));
    (m.wire("first_flit", index.is_zero()), last, select(index, &reads))
}
