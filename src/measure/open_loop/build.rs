//! The hardware of an open loop: the routers of a fabric, and one injector a node. Ejection channels are pins.
//!
//! ```text
//!  tx<i> ---------------> injector<n> ==> routers of node n ==> eject<e>, ejecting<w> -->
//!  places_free<w> <------     |           |  links  |
//!  inject<k>, injecting<w> <--'           routers ...       <-- eject_credit<w>
//! ```
//!
//! `<i>` counts the nodes with something attached (*terminals*), `<k>` and `<e>` the injection and ejection ports,
//! terminal by terminal, subnetwork by subnetwork. Where a [ring](rtl::noc::ring) joins the memory nodes, these have
//! their hubs in place of injectors, with `tx<i>` and `whole<c>` at the packet port of a controller, and no ejection
//! pins. With [overlays](rtl::noc::overlay) memory nodes have their sources in place of injectors, and replies come
//! whole to `whole<c>` at the sinks of cores. One bit of each in words of up to 64 (`<w>`) tells that something happens
//! there; only then is its own pin looked at, so the work around the hardware follows the flits, not the nodes. See
//! [`pins`](super::pins) for what is in which bits.

use super::{OpenLoopError, Trace, Traffic};
use hdl::{Builder, Bundle, Module, Parameters, Signal, bundle, concat, index_width, params, row};
use rtl::blocks::popcount;
use rtl::noc::{
    Fabric, FabricParams, FlitFormat, Flow, InjectorParams, InterfaceParams, MessageClass, NetworkParams, NocError,
    NodeKind, Nodes,
    channel::Info,
    endpoints::PacketPorts,
    fabric::{ReplyChannel, Subnetwork},
    injector::{Injector, LoadedPacket, PLACES},
    interface::FlitSender,
    packet::{PacketGiver, PacketTaker, SentPacket},
    ring::HUB_PLACES,
};
use std::collections::BTreeMap;

/// A network to be loaded.
#[derive(Clone, Debug)]
pub struct OpenLoopParams {
    /// Nodes, links, routers; message classes, sizes of a flit and longest packet are those of the traffic.
    pub fabric: Fabric,
    /// Flits of the longest packet, 1 to 64.
    pub flits: u32,
    /// The same of requests and of replies.
    pub flits_of_classes: [u32; 2],
    /// By node: it sends requests (or one-way packets), and replies.
    sends: Vec<[bool; 2]>,
}

/// Bits of the tag in a payload, without the index of the flit.
const PAYLOAD_TAG: u32 = 8;

impl OpenLoopParams {
    /// For `traffic` on a network that is `network` in all but the message classes and the sizes of a flit. Payload has no influence on
    /// time, so channels are only as wide as the check of every flit needs.
    pub fn new(network: &FabricParams, traffic: &Traffic) -> Result<Self, OpenLoopError> {
        traffic.check()?;
        let targets = traffic.targets(&network.nodes)?;
        let mut flows = vec![];
        for (source, target) in (0..).zip(&targets) {
            for (dest, _) in target.shares() {
                flows.push(Flow { class: MessageClass::Request, source, dest });
                let reply = Flow { class: MessageClass::Reply, source: dest, dest: source };
                flows.extend(traffic.replies().then_some(reply));
            }
        }
        Self::for_flows(network, traffic, &flows)
    }

    /// The same for the packets of a trace.
    pub fn of_trace(network: &FabricParams, trace: &Trace) -> Result<Self, OpenLoopError> {
        trace.check(&network.nodes).map_err(super::TrafficError::from)?;
        let flows: Vec<_> = trace.flows().into_iter().collect();
        Self::for_flows(network, &trace.longest_packets(), &flows)
    }

    fn for_flows(network: &FabricParams, traffic: &Traffic, flows: &[Flow]) -> Result<Self, OpenLoopError> {
        let nodes = &network.nodes;
        let mut sends = vec![[false; 2]; nodes.len() as usize];
        for flow in flows {
            sends[flow.source as usize][usize::from(flow.class == MessageClass::Reply)] = true;
        }
        let flits = traffic.most_flits();
        let width = index_width(flits as usize + 1) + PAYLOAD_TAG;
        let FlitFormat { vcs, .. } = network.network.format;
        let sized = |sideband_bits: u32| {
            let format = FlitFormat {
                sideband_bits,
                width: width.next_multiple_of(8),
                ..FlitFormat::new(vcs, 8, nodes.len(), 1)
            };
            let routers = NetworkParams { format, longest: flits as usize, ..network.network };
            let replies = network.replies.map(|replies| ReplyChannel { width: format.width, ..replies });
            let overlay = network.overlay.map(|overlay| overlay.with_header_of(&network.network.format));
            FabricParams { network: routers, replies, overlay, messages: traffic.classes(), ..network.clone() }
        };
        let draft = Fabric::new(sized(1), flows)?;
        let fabric = Fabric::new(sized(index_width(most_packets(&draft))), flows)?;
        Ok(Self { fabric, flits, flits_of_classes: traffic.most_flits_of_classes(), sends })
    }

    /// Who is where.
    pub fn nodes(&self) -> &Nodes {
        &self.fabric.params().nodes
    }

    /// Nodes with something attached, in order: terminal `i` is at node `terminals()[i]`.
    pub fn terminals(&self) -> Vec<u32> {
        self.nodes().iter().filter(|node| node.kind != NodeKind::Empty).map(|node| node.number).collect()
    }

    /// The injector of a node.
    pub fn injector(&self, node: u32) -> InjectorParams {
        let [requests, replies] = self.sends[node as usize];
        let sends = if replies && !requests { MessageClass::Reply } else { MessageClass::Request };
        let plain = self.fabric.interface(self.nodes().node(node).kind, sends);
        let queues = plain.split.map_or(1, |_| plain.vcs_of(sends).len());
        let places = PLACES.next_multiple_of(queues);
        let interface = InterfaceParams { both: requests && replies, tx_queue_packets: places, ..plain };
        InjectorParams { interface, flits: self.flits }
    }

    /// What is taken or shown whole at a node, not by an injector or at ejection channels.
    pub fn whole_at(&self, node: u32) -> PacketPorts {
        self.fabric.endpoints().whole(self.nodes().node(node).kind)
    }

    /// The interface of a node with whole packets. Its endpoint takes one in every cycle.
    fn whole(&self, node: u32) -> InterfaceParams {
        let interface = self.injector(node).interface;
        let bits = |class| self.flits_of_classes[class as usize] * interface.network_of(class).format.width;
        let payload_bits = MessageClass::ALL.map(bits);
        let of_memory = self.nodes().node(node).kind == NodeKind::Memory;
        let sends = if of_memory { MessageClass::Reply } else { MessageClass::Request };
        InterfaceParams { sends, rx_queue_packets: HUB_PLACES, payload_bits, ..interface }
    }

    /// Packets for which the source at a node has credits at the start.
    pub fn places(&self, node: u32) -> usize {
        match self.whole_at(node).sends {
            true => self.fabric.endpoints().tx_credits(&self.whole(node)),
            false => self.injector(node).interface.tx_credits(),
        }
    }

    /// Bits of the number by which packets on their way are told apart.
    pub fn tag_bits(&self) -> u32 {
        let interface = self.fabric.interface(NodeKind::Core, MessageClass::Request);
        self.fabric.endpoint(interface.sent()).sideband_bits
    }

    /// Node, subnetwork and number of each ejection port.
    pub fn ejections(&self) -> Vec<(u32, usize, u32)> {
        let mut all = vec![];
        for node in self.terminals().into_iter().filter(|&node| !self.whole_at(node).ejects) {
            for (s, part) in self.fabric.subnetworks().iter().enumerate() {
                let ports = |site| part.topology.ports(site, node, 1, |node| self.fabric.ports(node)).1;
                let ports = part.topology.receives_at(node).map_or(0, ports);
                all.extend((0..ports).map(|port| (node, s, port)));
            }
        }
        all
    }

    /// VCs of a port where there are most.
    pub fn most_vcs(&self) -> u32 {
        self.fabric.subnetworks().iter().map(|part| part.network.format.vcs).fold(0, u32::max)
    }

    /// Node of each injection port.
    pub fn injections(&self) -> Vec<u32> {
        let terminals = self.terminals().into_iter();
        // Where no lane sends into the routers, packets count as they are handed over.
        let lanes = |node| self.injector(node).interface.injection_lanes().len().max(1);
        terminals.flat_map(|node| vec![node; lanes(node)]).collect()
    }
}

/// More packets than can be on their way: each has a flit in a buffer, in one of the registers next to it, on a link, or before an
/// injector.
fn most_packets(fabric: &Fabric) -> usize {
    let p = fabric.params();
    let of_part = |part: &Subnetwork| -> usize {
        let flits = part.network.flits_of_port() + 8 + part.network.extra_latency as usize;
        let inputs: usize = part.routers.iter().map(|router| router.inputs().len() * flits).sum();
        let on_links: u32 = part.topology.links().iter().map(|link| fabric.cycles(link.tiles)).sum();
        let across = fabric.cycles(p.nodes.columns() + p.nodes.rows()) * 2 * p.nodes.len();
        inputs + (on_links + across) as usize
    };
    let lanes = fabric.subnetworks().len() * p.injects.max(p.core_ports[0]) as usize;
    let before = (lanes + 1) * PLACES * p.nodes.len() as usize;
    // A split queue has places for flits, so for as many packets.
    let vcs = fabric.network_of(MessageClass::Reply).format.vcs as usize;
    let queued = PLACES.next_multiple_of(vcs) * fabric.network().longest * p.nodes.memories().len();
    let before = before + p.split.map_or(0, |_| queued * fabric.subnetworks().len());
    fabric.subnetworks().iter().map(of_part).sum::<usize>() + before + fabric.endpoints().most_packets()
}

bundle! {
    /// What the driver shows to an injector, as one pin: `valid` is the lowest bit.
    struct TxPin(p: &TxWidths) {
        maybe reply: p.reply,
        dest: p.node_bits,
        flits: p.flits_bits,
        tag: p.tag_bits,
        valid: 1,
    }
}

/// Widths of a [`TxPin`].
struct TxWidths {
    reply: u32,
    node_bits: u32,
    flits_bits: u32,
    tag_bits: u32,
}

/// Parameters of the hardware.
fn parameters(p: &OpenLoopParams) -> Parameters {
    let (nodes, network) = (&p.fabric.params().nodes, p.fabric.network());
    params! {
        columns: nodes.columns(), rows: nodes.rows(), vcs: network.format.vcs, depth: network.depth, flits: p.flits;
        flits_of_classes: p.flits_of_classes, sends: p.sends, fabric: p.fabric.params()
    }
}

/// The hardware; see the [module documentation](self).
pub fn open_loop(p: &OpenLoopParams) -> Result<Module, NocError> {
    let m = Builder::new("open_loop", parameters(p));
    m.doc("A network with an injector at every node; ejection channels are pins.");
    let terminals = p.fabric.build(&m)?;
    let (mut places_free, mut injecting) = (vec![], vec![]);
    let (mut joined, mut arriving) = (BTreeMap::new(), vec![]);
    let endpoints = p.fabric.endpoints();
    let clock = if endpoints.clock().is_some() { m.domain("overlay") } else { m.clock() };
    for (i, node) in p.terminals().into_iter().enumerate() {
        let params = p.injector(node);
        let terminal = &terminals[node as usize];
        let widths = TxWidths {
            reply: params.interface.both.into(),
            node_bits: params.interface.network.format.node_bits,
            flits_bits: params.flits_bits(),
            tag_bits: p.tag_bits(),
        };
        let pin = TxPin::unpack(m.input(("tx", i), TxPin::width(&widths)), &widths);
        let whole = endpoints.place_whole(&m, clock, terminal, &p.whole(node))?;
        let (tile, interface, credit) = match whole.sends {
            Some(taker) => {
                let interface = p.whole(node);
                send_whole(p, taker, &interface, pin);
                if interface.injection_lanes().is_empty() {
                    m.output_of(("inject", injecting.len()), pin.tag);
                    injecting.push(pin.valid);
                }
                (taker.0, interface, taker.tx().answer())
            }
            None => {
                let tile = endpoints.place_injector(&m, node, &params)?;
                terminal.attach_injection(&m, &params.interface, tile);
                let TxPin { reply, dest, flits, tag, valid } = pin;
                let packets = Injector(tile).tx();
                packets.drive(LoadedPacket { valid, dest, reply, flits, tag });
                (tile, params.interface, packets.answer())
            }
        };
        if let Some(tile) = whole.receives {
            arriving.push(receive_whole(&m, p, tile, &p.whole(node), arriving.len()));
        }
        joined.extend(whole.joined.map(|tile| (node, tile)));
        places_free.push(credit);
        for (q, (subnetwork, _)) in interface.injection_lanes().into_iter().enumerate() {
            let format = &p.fabric.network_in(subnetwork).format;
            let flit = FlitSender(tile).inject(q).signals();
            let tag = Info::unpack(flit.info, format).sideband.bits(0, p.tag_bits());
            m.output_of(("inject", injecting.len()), tag);
            injecting.push(flit.valid & flit.head);
        }
    }
    if let Some(&memory) = p.nodes().memories().first() {
        endpoints.join(&m, clock, &p.whole(memory), &joined);
    }
    let ejections = p.ejections();
    let credits = inputs(&m, "eject_credit", ejections.len(), p.most_vcs());
    let (mut ejecting, vc_bits) = (vec![], index_width(p.most_vcs() as usize));
    for (e, (node, subnetwork, port)) in ejections.into_iter().enumerate() {
        let format = &p.fabric.network_in(subnetwork).format;
        let channel = terminals[node as usize].ejection(&m, subnetwork, port, format);
        let flit = channel.signals();
        let tag = Info::unpack(flit.info, format).sideband.bits(0, p.tag_bits());
        m.output_of(("eject", e), concat(&[flit.payload, tag, flit.vc.extend(vc_bits), flit.head, flit.tail]));
        ejecting.push(flit.valid);
        channel.answer(credits[e].bits(0, format.vcs));
    }
    for (name, bits) in
        [("places_free", places_free), ("injecting", injecting), ("ejecting", ejecting), ("arriving", arriving)]
    {
        outputs(&m, name, &bits);
    }
    Ok(m.finish())
}

/// The payload that an [injector](fn@rtl::noc::injector) gives the flits of a packet: of so many flits of `width` bits.
fn words<'m>(tag: Signal<'m>, count: u32, width: u32, index_bits: u32) -> impl Iterator<Item = Signal<'m>> {
    let m = tag.builder();
    (0..count).map(move |index| tag.join(m.lit(index_bits, index.into())).resize(width))
}

/// The pin's packets go whole into a hub or a source.
fn send_whole<'m>(p: &OpenLoopParams, taker: PacketTaker<'m>, interface: &InterfaceParams, pin: TxPin<'m>) {
    let TxPin { dest, flits, tag, valid, .. } = pin;
    let sent = &p.fabric.endpoint(interface.sent());
    let [_, replies] = p.flits_of_classes;
    let payload = row(words(tag, replies, sent.width, flits.width()));
    let flits = flits.resize(sent.length_bits());
    taker.tx().drive(SentPacket { valid, dest, flits, sideband: tag, payload });
}

/// Packets that a hub or a sink shows whole are at pin `whole<number>`, and their place is free at once. The result: there is one.
fn receive_whole<'m>(
    m: &'m Builder,
    p: &OpenLoopParams,
    giver: PacketGiver<'m>,
    interface: &InterfaceParams,
    number: usize,
) -> Signal<'m> {
    let received = &p.fabric.endpoint(interface.received());
    let packet = giver.rx().signals();
    let (width, index_bits) = (received.width, index_width(p.flits as usize + 1));
    // Above the tag an injector puts the rest of the sideband.
    let told = width.min(index_bits + packet.sideband.width());
    let should = words(packet.sideband, received.most_flits(), width, index_bits).map(|word| word.bits(0, told));
    let intact =
        row(packet.payload.parts(width).into_iter().zip(should).map(|(is, should)| is.bits(0, told).eq(should)));
    let prefix = intact.to_bits().into_iter().scan(m.lit(1, 1), |all, bit| {
        *all = *all & bit;
        Some(*all)
    });
    m.output_of(("whole", number), popcount(row(prefix)).join(packet.sideband));
    giver.rx().answer(packet.valid);
    packet.valid
}

/// Items of `width` bits in a word of 64.
pub(super) fn per_word(width: u32) -> usize {
    (64 / width) as usize
}

/// Inputs `<name><w>` of up to 64 bits that hold `count` items, one after the other.
fn inputs<'m>(m: &'m Builder, name: &str, count: usize, width: u32) -> Vec<Signal<'m>> {
    let each = per_word(width);
    let word = |w: usize| {
        let items = each.min(count - w * each);
        m.input((name, w), items as u32 * width).parts(width)
    };
    (0..count.div_ceil(each)).flat_map(word).collect()
}

/// Outputs `<name><w>` of up to 64 bits each.
fn outputs(m: &Builder, name: &str, bits: &[Signal<'_>]) {
    for (w, word) in bits.chunks(per_word(1)).enumerate() {
        m.output_of((name, w), row(word.iter().copied()));
    }
}
