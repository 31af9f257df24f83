//! Injection lane: the packets for one injection port of a router, as a queue, cut into flits.
//!
//! ```text
//!                 +----------------------------------------------+
//!  enter (1) ---->| packet places --> word of the oldest packet  |--> out_valid, ... out_payload
//!  packet_* ----->|  (words in memories)  --> output register    |
//!                 |                          credit counters     |<-- out_credit (V)
//!  left (1) <-----|                          VC arbiter          |
//!  used (U) <-----|                                              |
//!  [enter_first,  |                                              |
//!   enter_last] ->|                                              |
//!  here (N) ----->|                                              |
//!                 +----------------------------------------------+
//! ```
//!
//! With [`flit_writes`](InterfaceParams::flit_writes) `enter` writes a flit, `packet_payload` is its word, and
//! `enter_first`, `enter_last` say where it is in its packet. Flits that are here are sent, the rest of their packet
//! follows them.
//!
//! Contract: a packet that enters in cycle t goes to the channel from t + 2 on, when nothing is before it, one flit a
//! cycle. A packet takes the next VC of its class (and of the set of its routing class, where the routing keeps two),
//! in turn, among those that have a credit, and keeps it; its length says which flit is its tail. `left` pulses in the
//! cycle after its tail was sent; `used` counts the packets in their places. All outputs are registers or come straight
//! from them. Never: a packet enters when there is no place (asserted).
//!
//! Tests: `tests/noc/alone.rs`, `tests/noc/networks/interface.rs`. Testbench: `testbenches/injection_lane/`.

use super::{
    InterfaceParams,
    lane::{LaneForm, LanePorts},
};
use crate::{
    MessageClass,
    channel::{Flit, Info},
    sender::SenderVcs,
};
use hdl::{
    Builder, Bundle, MemoryHandle, Module, PortName, Signal, bundle, index_width, mux, ports, select, statistics,
};

statistics! {
    "injection_lane" {
        /// Packets whose tail has left.
        PACKETS_SENT: packets_sent in "packets";
        /// Flits sent to the router.
        FLITS_SENT: flits_sent in "flits";
        /// Cycles in which a packet waits and no flit is sent.
        SEND_STALL_CYCLES: send_stall_cycles in "cycles";
        /// Packets in its places, in cycles with some; of lanes that send replies.
        QUEUED_PACKETS: queued_packets in "packets";
    }
}

bundle! {
    /// A packet whose way was chosen.
    pub(super) struct QueuedPacket(p: &InterfaceParams) {
        maybe route_class: p.queued_class_bits(),
        maybe waypoint: p.network.format.waypoint_bits(),
        dest: p.network.format.node_bits,
        flits: p.sent().length_bits(),
        sideband: p.network.format.sideband_bits,
        payload: if p.flit_writes { p.sent().width } else { p.sent().payload_bits },
    }
}

bundle! {
    /// What is kept of it beside its words.
    pub(super) struct Heading(p: &InterfaceParams) {
        maybe route_class: p.queued_class_bits(),
        maybe waypoint: p.network.format.waypoint_bits(),
        dest: p.network.format.node_bits,
        flits: p.sent().length_bits(),
        sideband: p.network.format.sideband_bits,
    }
}

ports! {
    /// What a lane of an interface has beside [`LanePorts`].
    pub(super) struct PacketLanePorts(p: &InterfaceParams) of PacketLane {
        /// The packet that enters; where packets are written flit by flit, the word of the flit for a payload.
        in packet: bundle QueuedPacket(p),
    }
}

/// An injection lane of an interface; see the [module documentation](self).
pub fn injection_lane(p: &InterfaceParams) -> Module {
    let network = p.network_of(p.sends);
    let format = network.format;
    let m = Builder::new("injection_lane", p.lane_parameters(p.sends));
    m.doc("Packets for one injection port, cut into flits.");
    let io = LanePorts::new(&m, &LaneForm::queue(p, format));
    let (here, enter, packet) = (io.here(), io.enter(), PacketLanePorts::new(&m, p).packet());
    let QueuedPacket { route_class, waypoint, dest, flits, sideband, payload } = packet;
    let heading = Heading { route_class, waypoint, dest, flits, sideband }.pack();
    let most = p.sent().most_flits();
    m.always("a packet has flits, and not too many", !enter | (flits.any() & flits.le(u64::from(most))));

    m.comment("Packets wait in a ring of places: their words in a memory each, their control fields in another.");
    let places = Places::new(&m, p.tx_queue_packets);
    let controls = Storage::new(&m, "controls", p.tx_queue_packets, heading.width());
    let write = p.flit_writes.then(|| FlitWrite::new(&m, io, enter, most));
    m.when(write.as_ref().map_or(enter, |write| write.first), || controls.write(places.enter, heading));
    let of_packet = match &write {
        None => payload.resize(most * format.width).parts(format.width),
        Some(_) => vec![payload; most as usize],
    };
    let words: Vec<_> = of_packet
        .into_iter()
        .enumerate()
        .map(|(i, word)| {
            let words = Storage::new(&m, ("words", i), p.tx_queue_packets, format.width);
            let has_word = match &write {
                Some(write) => write.is(i),
                None if i == 0 => enter,
                None => enter & flits.gt(i as u64),
            };
            m.when(has_word, || words.write(places.enter, word));
            words
        })
        .collect();
    let Heading { route_class, waypoint, dest, flits, sideband } = Heading::unpack(controls.read(places.leave), p);

    let sending = m.wire_later("sending", 1);
    let (first, last, payload) = sequence(&m, flits, sending, &words, places.leave);

    let sets = p.sets_of(p.sends, route_class);
    let vcs = SenderVcs { vcs: format.vcs, own: p.vcs_of(p.sends), depths: network.depths(), sets };
    let several = (!first_only(most)).then_some(first);
    let waiting = write.as_ref().map_or(places.waiting, |write| write.waiting(&m, p.tx_queue_packets, sending));
    let choose = vcs.choose(&m, io.flit().answer(), several, waiting, sending);
    let leaves = m.wire("packet_leaves", sending & last);
    places.count(&m, write.as_ref().map_or(enter, |write| write.last), leaves);

    m.comment("The output register.");
    let flit = Flit {
        valid: m.delayed("valid", sending),
        head: m.captured("head", sending, first),
        tail: m.captured("tail", sending, last),
        vc: m.captured("vc", sending, vcs.number(&m, choose)),
        dest: m.captured("dest", sending, dest),
        route_class: route_class
            .map_or(m.lit(format.class_bits, 0), |route_class| m.captured("route_class", sending, route_class)),
        waypoint: waypoint.map(|waypoint| m.captured("waypoint", sending, waypoint)),
        priority: format.constant_priority(&m, p.first_priority()),
        length: (format.length_bits > 0).then(|| m.captured("length", sending, flits.resize(format.length_bits))),
        info: m.captured("info", sending, Info { source: here, sideband }.pack()),
        payload: m.captured("payload", sending, payload),
    };
    io.flit().shows(flit);
    io.left(m.delayed("place_free", leaves));
    io.used(places.used);
    m.count(PACKETS_SENT, leaves);
    m.count(FLITS_SENT, sending);
    m.count(SEND_STALL_CYCLES, waiting & !sending);
    if p.sends == MessageClass::Reply {
        m.histogram(QUEUED_PACKETS, places.waiting, places.used);
    }
    m.finish()
}

fn first_only(flits: u32) -> bool {
    flits == 1
}

/// A packet that is written flit by flit.
pub(crate) struct FlitWrite<'m> {
    /// Its first flit is written.
    pub first: Signal<'m>,
    /// Its last one is.
    pub last: Signal<'m>,
    enter: Signal<'m>,
    /// Which flit is written, where packets have several.
    number: Option<Signal<'m>>,
    longest: u32,
}

impl<'m> FlitWrite<'m> {
    /// `enter`: a flit is written.
    pub fn new(m: &'m Builder, io: LanePorts<'m>, enter: Signal<'m>, longest: u32) -> Self {
        m.comment("Packets are written flit by flit.");
        let ends = [io.enter_first(), io.enter_last()];
        let [first, last] = ends.map(|end| enter & end.expect("a lane is told the ends of packets"));
        let number = (longest > 1).then(|| m.register("written_flits", index_width(longest as usize), 0));
        if let Some(number) = number {
            m.when(enter, || m.set(number, mux(last, 0, number + 1)));
            m.always("the flits of a packet are written in order", !enter | first.eq(number.is_zero()));
        }
        Self { first, last, enter, number, longest }
    }

    /// Flit `i` is written.
    fn is(&self, i: usize) -> Signal<'m> {
        self.number.map_or(self.enter, |number| self.enter & number.eq(i as u64))
    }

    /// There is a flit, of these that leave as they are `sending`, in a lane of so many packets.
    pub fn waiting(&self, m: &'m Builder, packets: usize, sending: Signal<'m>) -> Signal<'m> {
        let flits = m.register("flits_waiting", index_width(packets * self.longest as usize + 1), 0);
        m.when(self.enter ^ sending, || m.set(flits, mux(self.enter, flits + 1, flits - 1)));
        flits.any()
    }
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
pub(super) enum Storage<'m> {
    Memory(MemoryHandle<'m>),
    Register(Signal<'m>),
}

impl<'m> Storage<'m> {
    pub(super) fn new(m: &'m Builder, name: impl PortName, places: usize, width: u32) -> Self {
        match places {
            1 => Storage::Register(m.register_payload(name, width)),
            _ => Storage::Memory(m.memory(name, places, width)),
        }
    }

    /// Under the conditions around the call.
    pub(super) fn write(self, place: Signal<'m>, value: Signal<'m>) {
        match self {
            Storage::Memory(words) => words.write(place, value),
            Storage::Register(word) => value.builder().set(word, value),
        }
    }

    pub(super) fn read(self, place: Signal<'m>) -> Signal<'m> {
        match self {
            Storage::Memory(words) => words.read(place),
            Storage::Register(word) => word,
        }
    }
}

/// Steps through the words of the oldest packet: first flit, last flit, and the word to send now.
fn sequence<'m>(
    m: &'m Builder,
    flits: Signal<'m>,
    sending: Signal<'m>,
    words: &[Storage<'m>],
    place: Signal<'m>,
) -> (Signal<'m>, Signal<'m>, Signal<'m>) {
    let reads: Vec<_> = words.iter().map(|w| w.read(place)).collect();
    if first_only(words.len() as u32) {
        return (m.lit(1, 1), m.lit(1, 1), reads[0]);
    }
    let index = m.register("flit_index", index_width(words.len()), 0);
    let last = m.wire("last_flit", index.eq((flits - 1).resize(index.width())));
    m.when(sending, || m.set(index, mux(last, 0, index + 1)));
    (m.wire("first_flit", index.is_zero()), last, select(index, &reads))
}
