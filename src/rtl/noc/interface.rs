//! Network interface: whole packets on one side, flits on the other. A tile.
//!
//! ```text
//!  endpoint                                                                               routers
//!                +------------------------------------------------------------------+
//!  tx_valid, --->|--+-> path choice -> subnetwork choice                             |
//!  tx_dest, ...  |  |         v                 v                                    |
//!                |  `-> [entry queue] ------> port choice --> injection lanes -------|--> out_inject0_valid, ... out_inject1_...
//!  tx_credit <---|<---------'                                                        |<-- out_inject0_credit (V), ...
//!                |                                                                  |
//!  rx_valid, <---|<- [packet registers <- end arbiter] <- ejection lanes <-----------|<-- in_eject0_valid, ... in_eject1_...
//!  rx_credit --->|   credit counter                                                 |--> in_eject0_credit (V), ...
//!                +------------------------------------------------------------------+
//!  here (N): this node's number; [here_x, here_y]: its coordinates (tied to constants)
//! ```
//!
//! Packets, flits and the ports are those of `docs/tiles.md`; all outputs are registers. The interface sends packets of
//! one class and receives the other: at a core requests and replies, at a memory controller the reverse. It has a lane
//! for each injection and each ejection port of each subnetwork that carries the class; the lanes are numbered
//! subnetwork by subnetwork. What chooses among one is not there.
//!
//! Sending: what path and subnetwork a packet takes is decided in the cycle in which it comes, and its port when it
//! goes into the lane of that port, where it waits: see [`injection_lane`], [`path_choice`], [`subnetwork_choice`],
//! [`port_choice`]. A packet shown in cycle t goes to the channel from t + 2 on, when its lane has a place and nothing
//! is before it. Each lane has `tx_queue_packets` places of its own. A single lane's places are those of the endpoint:
//! one is given back when the tail of its packet is sent. Of several lanes the endpoint sees none: its places, as many
//! again, are those of the entry queue in front of them, and one is given back when its packet goes into a lane.
//!
//! With split queues ([`SplitQueues`]) an injection port has a queue for each VC of the class, and VC links; see
//! [`split_lane`]. A packet goes whole into one of the queues that have places for all its flits; which, says the port
//! choice. The places of all queues together are those of `tx_queue_packets` packets of the longest kind; in front of
//! them are registers for two packets, which the endpoint has credits for.
//!
//! With [`flit_writes`](InterfaceParams::flit_writes) a packet of L flits is written into its lane in L cycles; see
//! `flit_write`. In front of that are registers for two packets, which the endpoint has credits for, and places in the
//! lane are given back to nobody outside.
//!
//! Where replies go by an [overlay](super::overlay), an interface of a core only sends and one of a memory node only
//! receives.
//!
//! Receiving: see [`ejection_lane`]. A tail on the channel in cycle t that meets nothing before it makes `rx_valid` in
//! t + 3, with several lanes in t + 4: then they end packets in turn, one a cycle, and the packet is in registers
//! behind them. `rx_*` hold the packet in the cycle of `rx_valid` only; of `rx_payload` the flits that the packet has
//! mean something.
//!
//! Reset: empty, all credits. Never: `tx_valid` without a free place, a packet of no flits or of more than its class
//! has, a flit of the other class, a body flit without a head (asserted).
//!
//! Source: A. Bakhoda's thesis (2014), sections 5.3 to 5.6. Testbench: `testbenches/network_interface/`; tests:
//! `tests/noc/`.

pub mod ejection_lane;
mod entry;
mod flit_write;
pub mod injection_lane;
pub(super) mod lane;
mod params;
pub mod path_choice;
pub mod port_choice;
pub mod split_lane;
pub mod split_queue;
pub mod subnetwork_choice;

pub use params::{InterfaceParams, SplitQueues};

use super::{
    FlitFormat, MessageClass, NocError, Organisation,
    channel::{Ejected, Flit},
    coordinates::{Here, HerePorts},
    packet::{Assembled, PacketFormat, PacketGiverPorts, PacketTakerPorts, SentPacket},
    route_unit::{RouteUnit, RouteUnitParams, route_unit},
    routing::Start,
    sender::random_numbers,
};
use crate::{Direction, Output};
use blocks::{ArbiterKind, CreditCounter, arbitrate, credit_counter, lowest_set, one_hot_index};
use ejection_lane::EjectionLane;
use entry::{Entering, QueueLevels};
use flit_write::OnLink;
use hdl::{Answer, Builder, Bundle, Module, Signal, bundle, index_width, params, ports, row, statistics};
use injection_lane::{PacketLane, QueuedPacket};
use lane::Lane;
use path_choice::{PathChoice, PathChoiceParams};
use port_choice::PlacedPortChoice;
use subnetwork_choice::SubnetworkChoice;

statistics! {
    "network_interface" {
        /// Packets that are routed YX, at first or all the way, where the routing sends others XY.
        YX_PACKETS: yx_packets in "packets";
        /// Cycles in which a packet waits for a place in its injection lane, where there are several.
        ENTRY_STALL_CYCLES: entry_stall_cycles in "cycles";
        /// Cycles in which it waits as the split queues have not as many places as it has flits.
        FULL_STALL_CYCLES: full_stall_cycles in "cycles";
        /// Cycles in which it waits though they have, but in no single queue that it may enter.
        FRAGMENTED_STALL_CYCLES: fragmented_stall_cycles in "cycles";
        /// Flits in split queues, in cycles with some.
        QUEUED_FLITS: queued_flits in "flits";
    }
}

/// Fresh random bits a cycle: for the path, the port and the subnetwork.
const FRESH: u32 = path_choice::RANDOM_BITS + port_choice::RANDOM_BITS + 8;

ports! {
    /// Ports of an interface or an injector where it sends flits into routers.
    pub struct FlitSenderPorts(p: &InterfaceParams) of FlitSender {
        /// This node.
        in here: p.network.format.node_bits,
        /// By lane: flits for its injection port.
        out inject[lane: usize in 0..p.injection_lanes().len()] as ("out_inject", lane):
            bundle Flit(&p.lane_format(lane)) with credit: p.lane_format(lane).vcs,
    }
}

ports! {
    /// Ports of an interface where it receives flits of routers.
    pub struct FlitReceiverPorts(p: &InterfaceParams) of FlitReceiver {
        /// By lane: flits of its ejection port.
        in eject[lane: usize in 0..p.ejection_lanes().len()] as ("in_eject", lane):
            bundle Ejected(&p.received_format()) with credit: p.received_format().vcs,
    }
}

/// A network interface; see the [module documentation](self).
pub fn network_interface(p: &InterfaceParams) -> Result<Module, NocError> {
    p.check()?;
    let FlitFormat { vcs, width, .. } = p.network.format;
    let names = params! { sends: p.sends, vcs, depth: p.network.depth, width }.and(p);
    let m = Builder::new("network_interface", names);
    m.doc("Cuts packets into flits and puts flits together to packets.");
    if p.sends_packets() {
        sending_half(&m, p);
    }
    if !p.ejection_lanes().is_empty() {
        receiving(&m, p);
    }
    Ok(m.finish())
}

/// The sending half, with lanes of packets.
fn sending_half(m: &Builder, p: &InterfaceParams) {
    let (packet, credit) = PacketTakerPorts::new(m, &p.sent()).tx().signals();
    let SentPacket { valid, dest, flits, sideband, payload } = packet;
    let contents = Contents { flits, sideband, payload }.pack();
    let sent = ShownPacket { valid, dest, reply: None, contents };
    let lanes = SenderLanes {
        module: &|lane| match p.split {
            None => injection_lane::injection_lane(p),
            Some(split) => split_lane::reply_lane(p, split, lane),
        },
        flits: &|contents| Contents::unpack(contents, &p.sent()).flits,
        longest: p.sent().most_flits(),
        store: &|lane, sent, Path { route_class, waypoint }, on_link| {
            let Contents { flits, sideband, payload } = Contents::unpack(sent.contents, &p.sent());
            let payload = on_link.map_or(payload, |on_link| on_link.word(payload, &p.sent()));
            let packet = QueuedPacket { route_class, waypoint, dest: sent.dest, flits, sideband, payload };
            PacketLane(lane.0).packet(packet);
        },
    };
    let Sending { yx, waits } = sending(m, p, (sent, credit), &lanes);
    if let Some(yx) = yx {
        m.count(YX_PACKETS, yx);
    }
    if let Some(Waits { any, levels }) = waits {
        m.count(ENTRY_STALL_CYCLES, any);
        if let Some(QueueLevels { full, fragmented, queued }) = levels {
            m.count(FULL_STALL_CYCLES, full);
            m.count(FRAGMENTED_STALL_CYCLES, fragmented);
            m.histogram(QUEUED_FLITS, queued.any(), queued);
        }
    }
}

bundle! {
    /// What an injection lane keeps of a packet beside its destination and its way.
    struct Contents(f: &PacketFormat) {
        flits: f.length_bits(),
        sideband: f.sideband_bits,
        payload: f.payload_bits,
    }
}

/// A packet that an endpoint shows.
#[derive(Clone, Copy)]
pub(super) struct ShownPacket<'m> {
    pub valid: Signal<'m>,
    pub dest: Signal<'m>,
    /// Its class, at who sends both.
    pub reply: Option<Signal<'m>>,
    /// What the lanes keep of it beside its class and its way.
    pub contents: Signal<'m>,
}

/// The way that was chosen for a packet: routing class and end of the first phase, where the routing reads them.
#[derive(Clone, Copy)]
pub(super) struct Path<'m> {
    pub route_class: Option<Signal<'m>>,
    pub waypoint: Option<Signal<'m>>,
}

/// The lanes of a sender.
pub(super) struct SenderLanes<'a, 'm> {
    /// A lane, by its number.
    pub module: &'a dyn Fn(usize) -> Module,
    /// The length of a packet, of [`ShownPacket::contents`].
    pub flits: &'a dyn Fn(Signal<'m>) -> Signal<'m>,
    /// Flits of the longest packet.
    pub longest: u32,
    /// Drives what a lane keeps of a packet, or of the flit of it that is written.
    pub store: &'a dyn Fn(Lane<'m>, ShownPacket<'m>, Path<'m>, Option<OnLink<'m>>),
}

/// What happens as packets are sent.
pub(super) struct Sending<'m> {
    /// One comes that is routed YX, where the routing sends others XY.
    yx: Option<Signal<'m>>,
    /// Where there are several lanes.
    waits: Option<Waits<'m>>,
}

/// What packets wait for in front of several lanes.
struct Waits<'m> {
    /// There is one that waits for a place.
    any: Signal<'m>,
    /// Of split queues.
    levels: Option<QueueLevels<'m>>,
}

/// The sending half: choices, lanes, credits.
pub(super) fn sending<'m>(
    m: &'m Builder,
    p: &InterfaceParams,
    (sent, tx_credit): (ShownPacket<'m>, Answer<'m>),
    of: &SenderLanes<'_, 'm>,
) -> Sending<'m> {
    let format = &p.network.format;
    let io = FlitSenderPorts::new(m, p);
    let place = p.reads_place().then(|| HerePorts::new(m, &(p.columns, p.rows)).place());
    let here = io.here();
    let packet = PacketAtNode { sent, place };
    let random = p.reads_random().then(|| random_numbers(m, here, FRESH).0.bits(0, FRESH));
    let (route_class, waypoint) = path(m, p, &packet, random);
    let yx = p.network.routing.mixes_orders().then(|| sent.valid & route_class.bit(0));
    let path = Path {
        route_class: (p.queued_class_bits() > 0).then_some(route_class),
        waypoint: format.waypoint.then_some(waypoint),
    };

    let lanes = 0..p.injection_lanes().len();
    let lanes: Vec<_> = lanes.map(|q| Lane(m.instance(("injection_lane", q), &(of.module)(q)))).collect();
    let single = lanes.len() == 1 && p.split.is_none() && !p.flit_writes;
    let (front, on_link, enters, waits) = if let ([lane], true) = (&lanes[..], single) {
        tx_credit.shows(lane.left().expect("a lane of one queue tells what leaves"));
        (Entering { sent, path, into: sent.valid }, None, vec![sent.valid], None)
    } else {
        let into = subnetwork(m, p, &packet, route_class, random);
        let some = m.wire_later("packet_enters", 1);
        let (front, credit) = entry::front(m, p, Entering { sent, path, into }, some);
        tx_credit.shows(credit);
        let (open, levels) = match p.split {
            None => (entry::open(p, lanes.iter().filter_map(|lane| lane.used())), None),
            Some(split) => {
                let (open, levels) = entry::open_queues(m, p, split, &front, &lanes, of);
                (open, Some(levels))
            }
        };
        let on_link = p.flit_writes.then(|| OnLink::new(m, (of.flits)(front.sent.contents), of.longest));
        let begins = on_link.map_or(front, |on_link| front.only_if(on_link.first));
        let chosen = steer(m, p, (&begins, place), random, (&lanes, m.wire("open_lanes", open), of.longest));
        let enters = on_link.map_or(chosen.clone(), |on_link| on_link.enters(m, &chosen));
        let any = row(enters.iter().copied()).any();
        m.assign(some, on_link.map_or(any, |on_link| any & on_link.last));
        let waits = Waits { any: front.sent.valid & !any, levels };
        (front, on_link, p.split.map_or(enters.clone(), |split| entry::of_lanes(p, split, &enters)), Some(waits))
    };
    for (q, (lane, enter)) in lanes.iter().zip(&enters).enumerate() {
        lane.enter(*enter);
        lane.here(here);
        if let Some(OnLink { first, last, .. }) = on_link {
            lane.enter_first(first);
            lane.enter_last(last);
        }
        (of.store)(*lane, front.sent, front.path, on_link);
        io.inject(q).connect(lane.flit());
    }
    Sending { yx, waits }
}

/// A packet and where it is.
struct PacketAtNode<'m> {
    sent: ShownPacket<'m>,
    place: Option<(Signal<'m>, Signal<'m>)>,
}

impl<'m> PacketAtNode<'m> {
    /// Tells a block where the packet is.
    fn tell(&self, block: Here<'m>) {
        block.tell(self.place.expect("the interface reads its place"));
    }
}

/// The routing class and the end of the first phase.
fn path<'m>(
    m: &'m Builder,
    p: &InterfaceParams,
    packet: &PacketAtNode<'m>,
    random: Option<Signal<'m>>,
) -> (Signal<'m>, Signal<'m>) {
    let routing = p.network.routing;
    match (routing.policy().start(), packet.sent.reply) {
        (Start::RoutingClass(routing_class), _) => {
            return (m.lit(routing.rule().class_bits(), routing_class.into()), packet.sent.dest);
        }
        (Start::ByClass, Some(reply)) => return (reply, packet.sent.dest),
        (Start::ByClass, None) => return (m.lit(1, (p.sends == MessageClass::Reply).into()), packet.sent.dest),
        (Start::Chosen(_), _) => {}
    }
    let params = PathChoiceParams { columns: p.columns, rows: p.rows, routing, odd_is_half: p.odd_is_half };
    let choice = PathChoice(m.instance("path_choice", &path_choice::path_choice(params)));
    let random = random.expect("a routing that chooses has random bits");
    choice.random(random.bits(0, path_choice::RANDOM_BITS));
    if PathChoiceParams::reads_place(routing) {
        packet.tell(Here(choice.0));
        choice.dest(packet.sent.dest);
    }
    let waypoint = choice.waypoint().filter(|_| routing.rule().reads_waypoint());
    let waypoint = waypoint.map_or(packet.sent.dest, |node| node.resize(p.network.format.node_bits));
    (choice.route_class(), waypoint)
}

/// The subnetwork that a packet takes, of those that the interface sends into, one-hot.
fn subnetwork<'m>(
    m: &'m Builder,
    p: &InterfaceParams,
    packet: &PacketAtNode<'m>,
    route_class: Signal<'m>,
    random: Option<Signal<'m>>,
) -> Signal<'m> {
    match (p.sends_into().len(), packet.sent.reply) {
        (1, _) => return m.lit(1, 1),
        (_, Some(reply)) if p.organisation == Organisation::Dedicated => return reply.join(!reply),
        _ => {}
    }
    let params = subnetwork_choice::SubnetworkChoiceParams {
        columns: p.columns,
        rows: p.rows,
        organisation: p.organisation,
        routing: p.network.routing,
        odd_is_half: p.odd_is_half,
    };
    let choice = SubnetworkChoice(m.instance("subnetwork_choice", &subnetwork_choice::subnetwork_choice(params)));
    if p.organisation.inverts() {
        packet.tell(Here(choice.0));
        choice.dest(packet.sent.dest);
        if params.reads_routing_class() {
            choice.route_class(route_class);
        }
    } else {
        choice.random(random.expect("combined has random bits").bit(FRESH - 1));
    }
    if p.organisation == Organisation::Dcie {
        choice.advance(packet.sent.valid);
    }
    choice.subnetwork()
}

/// Into which lane (or queue) the packet at the front goes: one bit for each, none where that has no place. `open`: those that have one.
fn steer<'m>(
    m: &'m Builder,
    p: &InterfaceParams,
    (front, place): (&Entering<'m>, Option<(Signal<'m>, Signal<'m>)>),
    random: Option<Signal<'m>>,
    (lanes, open, longest): (&[Lane<'m>], Signal<'m>, u32),
) -> Vec<Signal<'m>> {
    let into = front.into.to_bits().into_iter().map(|into| into & front.sent.valid);
    let choices = p.choices();
    if choices == 1 {
        return into.zip(open.to_bits()).map(|(into, open)| into & open).collect();
    }
    let direction = p.port_choice.reads().direction.then(|| direction(m, p, front, place));
    let used = |s: usize| match p.split {
        None => lanes[s * choices as usize..(s + 1) * choices as usize].iter().filter_map(|lane| lane.used()).collect(),
        Some(split) => {
            let links = split.links as usize;
            let lanes = &lanes[s * links..(s + 1) * links];
            entry::used_of_queues(m, p, (split, &front.path), (lanes, longest))
        }
    };
    let used_bits = match p.split {
        None => index_width(p.tx_queue_packets + 1),
        Some(_) => index_width(p.queue_packets() * longest as usize + 1),
    };
    let module = port_choice::port_choice(choices, used_bits, p.port_choice);
    let enters = into.zip(open.parts(choices)).enumerate().flat_map(|(s, (into, open))| {
        let choice = PlacedPortChoice(m.instance(("port_choice", s), &module));
        choice.open(open);
        if p.port_choice.reads().advance {
            choice.advance(into & open.any());
        }
        choice.direction(direction);
        if p.port_choice.reads().queues {
            choice.used(row(used(s)));
        }
        if p.port_choice.reads().random {
            let random = random.expect("this choice has random bits");
            choice.random(random.bits(path_choice::RANDOM_BITS, port_choice::RANDOM_BITS));
        }
        choice.port().to_bits().into_iter().map(move |bit| bit & into)
    });
    enters.collect()
}

/// The link for which a packet will bid in the router, 2 bits: what a route unit there would say.
fn direction<'m>(
    m: &'m Builder,
    p: &InterfaceParams,
    front: &Entering<'m>,
    place: Option<(Signal<'m>, Signal<'m>)>,
) -> Signal<'m> {
    let rule = p.network.routing.rule();
    let outputs = Direction::ALL.map(Output::To).to_vec();
    let module = route_unit(&RouteUnitParams::plain(p.columns, p.rows, rule, outputs));
    let unit = RouteUnit(m.instance("first_hop", &module));
    PacketAtNode { sent: front.sent, place }.tell(Here(unit.0));
    unit.dest(front.sent.dest);
    // Where the queue decides, packets that may go by several directions have the routing class that does.
    let adaptive = || m.lit(rule.class_bits(), u64::from(p.network.routing.vc_sets() - 1));
    unit.route_class(front.path.route_class.or_else(|| rule.reads_routing_class().then(adaptive)));
    unit.waypoint(front.path.waypoint);
    let crossings = rule.class_transition().offsets().into_iter();
    let hops = crossings.fold(unit.route(), |hops, offset| hops | unit.route_up(offset));
    // Of several legal directions the lowest bit stands for all.
    one_hot_index(lowest_set(hops))
}

/// The receiving half: lanes, and who ends a packet.
fn receiving(m: &Builder, p: &InterfaceParams) {
    let packet = &p.received();
    let (io, endpoint) = (FlitReceiverPorts::new(m, p), PacketGiverPorts::new(m, packet));
    let module = ejection_lane::ejection_lane(p);
    let lanes = 0..p.ejection_lanes().len();
    let lanes: Vec<_> = lanes.map(|q| EjectionLane(m.instance(("ejection_lane", q), &module))).collect();
    for (q, lane) in lanes.iter().enumerate() {
        io.eject(q).connect(lane.flit());
    }
    let places = CreditCounter(m.instance("rx_credits", &credit_counter(p.rx_queue_packets)));
    let available = places.available();
    let ends = m.wire("packet_ends", row(lanes.iter().map(|lane| lane.ends())));
    let next = arbitrate(m, "end_arbiter", ArbiterKind::RoundRobin, ends, available);
    let granted = m.wire("end_granted", next & available.repeat(next.width()));
    for (lane, grant) in lanes.iter().zip(if lanes.len() == 1 { vec![available] } else { granted.to_bits() }) {
        lane.end_grant(grant);
    }
    places.send(granted.any());
    places.credit(endpoint.rx().answer());
    let valid = m.delayed("packet_valid", granted);
    if let [lane] = lanes[..] {
        endpoint.rx().shows(lane.packet().with_valid(valid));
        return;
    }
    m.comment("The packet of the lane whose turn it was.");
    let of_lanes: Vec<_> = lanes.iter().map(|lane| lane.packet()).collect();
    let taken = Assembled::one_hot(valid, &of_lanes).captured(m, "packet", valid.any(), packet);
    endpoint.rx().shows(taken.with_valid(m.delayed("taken", valid.any())));
}
