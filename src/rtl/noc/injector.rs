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
//! Open-loop measurements load a network with it (`measure::open_loop`): whoever shows packets here decides when and
//! where to, and the flits take the same way as those of a [network interface](super::interface), by the same choices.
//!
//! Contract: a packet shown in cycle t goes to the channel from t + 2 on, when nothing is before it, one flit a cycle,
//! and packets follow each other without a gap. A packet takes the next VC of its message class and routing class, in
//! turn, of those that have a credit, and keeps it. Its place is given back (`tx_credit`) in the cycle in which its
//! tail is on the channel, with several lanes as in a network interface. `tx_reply` is there when packets of both
//! classes are sent. The payload of a flit is `{0, tag, index}`, cut to the channel's width, with `index` counting the
//! flits of a packet from zero, in as many bits as `tx_flits` has. `info` is `{here, tag}`.
//!
//! All outputs are registers. Reset: empty, all credits. Never: `tx_valid` without a free place, a packet of no flits
//! or of more than [`InjectorParams::flits`] (asserted).
//!
//! Testbench: `testbenches/injector/`; tests: `tests/noc/injector.rs`.

use super::{
    FlitFormat, InterfaceParams, MessageClass, NetworkParams, NocError,
    channel::{Flit, Info},
    interface::{
        Path, SenderLanes, ShownPacket, SplitQueues,
        injection_lane::FlitWrite,
        lane::{LaneForm, LanePorts},
        sending,
        split_lane::{Front, Queue, split_lane},
        split_queue::WaitingFlit,
    },
    route_unit::is_class,
    sender::SenderVcs,
};
use blocks::{Fifo, FifoParams, fifo};
use hdl::{Builder, Bundle, Module, Parameters, bundle, index_width, mux, params, ports, statistics};
use serde::Serialize;

statistics! {
    "injector_lane" {
        /// Packets whose tail has left.
        PACKETS_SENT: packets_sent in "packets";
        /// Flits sent to the router.
        FLITS_SENT: flits_sent in "flits";
        /// Cycles in which a packet waits and no flit is sent.
        SEND_STALL_CYCLES: send_stall_cycles in "cycles";
    }
}

bundle! {
    /// A packet whose way was chosen.
    struct QueuedHeading(p: &InjectorParams) {
        /// Its class, where both are sent.
        maybe reply: p.interface.both.into(),
        maybe waypoint: p.interface.network.format.waypoint_bits(),
        maybe route_class: p.interface.queued_class_bits(),
        dest: p.interface.network.format.node_bits,
        /// Its length.
        flits: p.flits_bits(),
        tag: p.interface.network.format.sideband_bits,
    }
}

bundle! {
    /// A packet that whoever loads the network shows.
    pub struct LoadedPacket(p: &InjectorParams) {
        /// There is one.
        valid: 1,
        /// Destination node.
        dest: p.interface.network.format.node_bits,
        /// Its class, where both are sent.
        maybe reply: p.interface.both.into(),
        /// Its length.
        flits: p.flits_bits(),
        tag: p.interface.network.format.sideband_bits,
    }
}

ports! {
    /// Ports of an [`injector`], beside those of a [`FlitSender`](super::interface::FlitSender).
    pub struct InjectorPorts(p: &InjectorParams) of Injector {
        /// Packets; a credit for each place that is free again.
        in tx: bundle LoadedPacket(p) with credit: 1,
    }
}

ports! {
    /// What a lane of an injector has beside [`LanePorts`].
    struct HeadingLanePorts(p: &InjectorParams) of HeadingLane {
        /// The packet that enters.
        in packet: bundle QueuedHeading(p),
    }
}

/// Parameters of an [`injector`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
pub struct InjectorParams {
    /// Ports, subnetworks and choices. With 3 and more `tx_queue_packets`, packets of one flit follow each other without a gap.
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
            tx_queue_packets: places,
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

    /// Of a module with lanes into networks like this.
    fn lane_parameters(&self, network: NetworkParams) -> Parameters {
        let NetworkParams { format, depth, .. } = network;
        params! { vcs: format.vcs, depth, width: format.width, flits: self.flits; network }.and(self)
    }
}

/// An injector; see the [module documentation](self).
pub fn injector(p: &InjectorParams) -> Result<Module, NocError> {
    p.check()?;
    let m = Builder::new("injector", p.lane_parameters(p.interface.network));
    m.doc("Sends packets of a given length, whose flits say only which they are.");
    let sideband_bits = p.interface.network.format.sideband_bits;
    let (packet, credit) = InjectorPorts::new(&m, p).tx().signals();
    let LoadedPacket { valid, dest, reply, flits, tag } = packet;
    let sent = ShownPacket { valid, dest, reply, contents: flits.join(tag) };
    let ports = p.interface.injection_lanes();
    let lanes = SenderLanes {
        module: &|q| match p.interface.split {
            None => lane(p, ports[q].0),
            Some(split) => lane_of_queues(p, split, q),
        },
        flits: &|contents| contents.bits(sideband_bits, p.flits_bits()),
        longest: p.flits,
        store: &|lane, ShownPacket { dest, reply, contents, .. }, Path { route_class, waypoint }, _| {
            let (tag, flits) = (contents.bits(0, sideband_bits), contents.bits(sideband_bits, p.flits_bits()));
            HeadingLane(lane.0).packet(QueuedHeading { reply, waypoint, route_class, dest, flits, tag });
        },
    };
    sending(&m, &p.interface, (sent, credit), &lanes);
    Ok(m.finish())
}

/// The packets for one link of an injection port: split queues, cut into flits.
fn lane_of_queues(p: &InjectorParams, split: SplitQueues, lane: usize) -> Module {
    let network = p.interface.network_of(p.interface.sends);
    let names = p.lane_parameters(network).beside("queues", &p.interface.queue_vcs(split, lane));
    let m = Builder::new("split_lane", names);
    m.doc("Packets of a given length for one link of an injection port.");
    let packet = HeadingLanePorts::new(&m, p).packet();
    let capacity = p.interface.queue_packets() * p.flits as usize;
    let module = fifo(FifoParams { depth: capacity, width: QueuedHeading::width(p), registered: false });
    split_lane(&m, &p.interface, (split, lane), (packet.flits, p.flits), |Queue { number, enter, pop }| {
        let queue = Fifo(m.instance(("packets", number), &module));
        queue.push(enter);
        queue.push_data(packet.pack());
        let QueuedHeading { waypoint, route_class, dest, flits, tag, .. } = QueuedHeading::unpack(queue.data(), p);
        let index = m.register(("flit_index", number), p.flits_bits(), 0);
        let (first, last) = (index.is_zero(), m.wire(("last_flit", number), (index + 1).eq(flits)));
        m.when(pop, || m.set(index, mux(last, 0, index + 1)));
        queue.pop(pop & last);
        let payload = tag.join(index).resize(network.format.width);
        let flits = (network.format.length_bits > 0).then_some(flits);
        let flit = WaitingFlit { dest, route_class, waypoint, flits, sideband: tag, payload };
        Front { waiting: queue.valid(), first, last, flit }
    });
    m.finish()
}

/// The packets for one injection port into a subnetwork: a queue, cut into flits.
fn lane(p: &InjectorParams, subnetwork: usize) -> Module {
    let InterfaceParams { messages, both, sends, tx_queue_packets, .. } = p.interface;
    let network = p.interface.network_in(subnetwork);
    let NetworkParams { format, routing, .. } = network;
    let FlitFormat { vcs, width, .. } = format;
    let m = Builder::new("injector_lane", p.lane_parameters(network));
    m.doc("Packets of a given length for one injection port.");
    let io = LanePorts::new(&m, &LaneForm::queue(&p.interface, format));
    let (here, enter, packet) = (io.here(), io.enter(), HeadingLanePorts::new(&m, p).packet());
    let length = packet.flits;
    m.always("a packet has flits, and not too many", !enter | (length.any() & length.le(u64::from(p.flits))));

    m.comment("Packets wait in order.");
    let width_of_packet = QueuedHeading::width(p);
    let queue = Fifo(
        m.instance("packets", &fifo(FifoParams { depth: tx_queue_packets, width: width_of_packet, registered: false })),
    );
    let write = p.interface.flit_writes.then(|| FlitWrite::new(&m, io, enter, p.flits));
    queue.push(write.as_ref().map_or(enter, |write| write.first));
    queue.push_data(packet.pack());
    let stored = queue.valid();
    let QueuedHeading { reply, waypoint, route_class, dest, flits: length, tag } =
        QueuedHeading::unpack(queue.data(), p);

    let sending = m.wire_later("sending", 1);
    let index = m.register("flit_index", p.flits_bits(), 0);
    let (first, last) = (m.wire("first_flit", index.is_zero()), m.wire("last_flit", (index + 1).eq(length)));
    m.when(sending, || m.set(index, mux(last, 0, index + 1)));

    let sets = routing.vc_sets();
    let own = if both { 0..vcs } else { p.interface.vcs_of(sends) };
    let class = |c: u32| reply.filter(|_| messages == 2).map(|reply| if c == 1 { reply } else { !reply });
    let routing_class = |s: u32| route_class.filter(|_| sets > 1).map(|route_class| is_class(route_class, sets, s));
    let classes = if both { messages } else { 1 };
    let of_set =
        |(c, s)| class(c).into_iter().chain(routing_class(s)).reduce(|class, routing_class| class & routing_class);
    let vcs_of = |(c, s)| match both {
        true => network.sets().of(c * sets + s),
        false => p.interface.vcs_of_set(sends, s),
    };
    let all = (0..classes).flat_map(|c| (0..sets).map(move |s| (c, s)));
    let conditions = all.filter_map(|at| of_set(at).map(|takes| (vcs_of(at), takes)));
    let vcs = SenderVcs { vcs, own, depths: network.depths(), sets: conditions.collect() };
    let waiting = write.as_ref().map_or(stored, |write| write.waiting(&m, tx_queue_packets, sending));
    let choose = vcs.choose(&m, io.flit().answer(), Some(first), waiting, sending);
    let leaves = m.wire("packet_leaves", sending & last);
    queue.pop(leaves);
    io.left(m.delayed("place_free", leaves));
    let used = m.register("places_used", index_width(tx_queue_packets + 1), 0);
    let entered = write.as_ref().map_or(enter, |write| write.last);
    m.when(entered ^ leaves, || m.set(used, mux(entered, used + 1, used - 1)));
    io.used(used);

    let first_priority = format.constant_priority(&m, p.interface.first_priority());
    let priority = match reply {
        // Requests have none.
        Some(reply) => first_priority.map(|first| mux(reply, first, 0)),
        None => first_priority,
    };
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
        priority: priority.map(|priority| m.captured("priority", sending, priority)),
        length: (format.length_bits > 0).then(|| m.captured("length", sending, length.resize(format.length_bits))),
        info: m.captured("info", sending, Info { source: here, sideband: tag }.pack()),
        payload: m.captured("payload", sending, tag.join(index).resize(width)),
    };
    io.flit().shows(flit);

    m.count(PACKETS_SENT, leaves);
    m.count(FLITS_SENT, sending);
    m.count(SEND_STALL_CYCLES, waiting & !sending);
    m.finish()
}
