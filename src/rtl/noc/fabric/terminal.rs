//! Terminals: where nodes are attached to the routers, and the channels of their network interfaces.

use crate::{
    FlitFormat, Input, InterfaceParams, Node, Output,
    channel::{Flit, FlitProducer},
    coordinates::Here,
    interface::{FlitReceiver, FlitSender},
    link::channel,
    router::{InputLink, Router},
};
use hdl::{Bits, Builder, Bundle, Child, PortName, taps};

taps! {
    part "terminal" {
        /// By node, once for each lane: a flit leaves the interface.
        INJECTED,
        /// It is the head of its packet.
        INJECTED_HEAD,
        /// The packet's destination.
        INJECTED_DEST,
        /// The packet's source and sideband.
        INJECTED_INFO,
    }
}

/// Where a node is attached in a subnetwork: its injection or its ejection ports at a router.
#[derive(Clone, Copy)]
pub struct TerminalPort<'m> {
    /// The router.
    pub router: Router<'m>,
    /// The first of the ports.
    pub first: u32,
    /// How many there are.
    pub ports: u32,
    /// Cycles of the channels between node and router.
    pub cycles: u32,
}

/// A node's ports, by subnetwork; none where it has none.
#[derive(Clone)]
pub struct Terminal<'m> {
    /// Where.
    pub node: Node,
    /// Injection ports.
    pub injects: Vec<Option<TerminalPort<'m>>>,
    /// Ejection ports.
    pub ejects: Vec<Option<TerminalPort<'m>>>,
}

impl<'m> Terminal<'m> {
    /// The end of the channel from ejection port `port` (of those of this node) of a subnetwork: at the router, or behind a link.
    pub fn ejection(&self, m: &'m Builder, subnetwork: usize, port: u32, format: &FlitFormat) -> FlitProducer<'m> {
        let at = self.ejects[subnetwork].expect("the node has ejection ports there");
        let name = (("net", subnetwork), ("link_to_node", self.node.number), ("port", port));
        channel(m, name, at.router.next(Output::Eject(at.first + port)), format, at.cycles)
    }

    /// Connects an interface tile with the routers of its node, lane by lane, and ties its place.
    pub fn attach(&self, m: &'m Builder, p: &InterfaceParams, interface: Child<'m>) {
        self.attach_injection(m, p, interface);
        for (q, (subnetwork, port)) in p.ejection_lanes().into_iter().enumerate() {
            let format = &p.network_in(subnetwork).format;
            let channel = self.ejection(m, subnetwork, port, format);
            let lane = FlitReceiver(interface).eject(q);
            lane.drive(channel.signals().ejected());
            channel.answer(lane.answer());
        }
        for (s, at) in self.ejects.iter().enumerate() {
            let ports = at.map_or(0, |at| at.ports);
            for port in (0..ports).filter(|port| !p.ejection_lanes().contains(&(s, *port))) {
                let at = at.expect("it has ports");
                at.router.next(Output::Eject(at.first + port)).answer(0);
            }
        }
    }

    /// The sending side of [`attach`](Self::attach) alone.
    pub fn attach_injection(&self, m: &'m Builder, p: &InterfaceParams, interface: Child<'m>) {
        let sender = FlitSender(interface);
        if p.sends_packets() {
            sender.here(m.lit(p.network.format.node_bits, self.node.number.into()));
        }
        if p.reads_place() {
            Here(interface).tie(m, (p.columns, p.rows), (self.node.x, self.node.y));
        }
        for (q, (subnetwork, port)) in p.injection_lanes().into_iter().enumerate() {
            let format = &p.network_in(subnetwork).format;
            let Some(at) = self.injects[subnetwork] else {
                // Nobody sends from here in this subnetwork.
                sender.inject(q).answer(0);
                continue;
            };
            let flit = sender.inject(q).signals();
            let taps = [(INJECTED, flit.valid), (INJECTED_HEAD, flit.head), (INJECTED_DEST, flit.dest)];
            for (tap, net) in taps.into_iter().chain([(INJECTED_INFO, flit.info)]) {
                m.tap(tap.at(self.node.number), net);
            }
            let name = (("net", subnetwork), ("link_from_node", self.node.number), ("port", port));
            // A single link has no number.
            let name = p.link_of(q).map_or(name.text(), |link| (name, "link", link).text());
            let into = InputLink { input: Input::Inject(at.first + port), link: p.link_of(q) };
            channel(m, name, sender.inject(q), format, at.cycles).connect(at.router.flit(into));
        }
        for (s, at) in self.injects.iter().enumerate() {
            let ports = at.map_or(0, |at| at.ports);
            for port in (0..ports).filter(|port| !p.injection_lanes().contains(&(s, *port))) {
                let at = at.expect("it has ports");
                let format = &p.network_in(s).format;
                let none = Flit::build(format, |field| Bits::zero(field.width).signal(m));
                at.router.flit(InputLink { input: Input::Inject(at.first + port), link: None }).drive(none);
            }
        }
    }
}
