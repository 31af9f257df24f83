//! Terminals: where nodes are attached to the routers, and the channels of their network interfaces.

use crate::noc::{
    FlitFormat, InterfaceParams, Node,
    channel::Flit,
    link::{Link, channel, into_link, link},
};
use hdl::{Bits, Builder, Bundle, Child, PortName, Signal, index_width, taps};

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
    pub router: Child<'m>,
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

/// The end of an ejection channel: at the router, or behind a link.
pub struct Ejection<'m> {
    tile: Child<'m>,
    /// Of its ports, with `out` before.
    port: String,
}

impl<'m> Ejection<'m> {
    /// The flit on the channel.
    pub fn flit(&self, format: &FlitFormat) -> Flit<'m> {
        Flit::of(self.tile, &self.port, format)
    }

    /// Gives credits back.
    pub fn drive_credit(&self, credit: Signal<'m>) {
        self.tile.drive((&self.port, "credit"), credit);
    }
}

impl<'m> Terminal<'m> {
    /// Ejection port `port` (of those of this node) of a subnetwork.
    pub fn ejection(&self, m: &'m Builder, subnetwork: usize, port: u32, format: &FlitFormat) -> Ejection<'m> {
        let at = self.ejects[subnetwork].expect("the node has ejection ports there");
        let name = ("eject", at.first + port);
        if at.cycles == 1 {
            return Ejection { tile: at.router, port: ("out", name).text() };
        }
        let name_of_link = (("net", subnetwork), ("link_to_node", self.node.number), ("port", port));
        let tile = Link(m.tile(name_of_link, &link(format, at.cycles - 1)));
        into_link((at.router, name), tile, format);
        Ejection { tile: tile.0, port: "out".into() }
    }

    /// Connects an interface tile with the routers of its node, lane by lane, and ties its place.
    pub fn attach(&self, m: &'m Builder, p: &InterfaceParams, interface: Child<'m>) {
        self.attach_injection(m, p, interface);
        for (q, (subnetwork, port)) in p.ejection_lanes().into_iter().enumerate() {
            let format = &p.network_in(subnetwork).format;
            let channel = self.ejection(m, subnetwork, port, format);
            channel.flit(format).ejected().drive(interface, ("in_eject", q), format);
            channel.drive_credit(interface.get(("in_eject", q, "credit")));
        }
        for (s, at) in self.ejects.iter().enumerate() {
            let ports = at.map_or(0, |at| at.ports);
            for port in (0..ports).filter(|port| !p.ejection_lanes().contains(&(s, *port))) {
                let at = at.expect("it has ports");
                at.router.drive(("out_eject", at.first + port, "credit"), m.lit(p.network_in(s).format.vcs, 0));
            }
        }
    }

    /// The sending side of [`attach`](Self::attach) alone.
    pub fn attach_injection(&self, m: &'m Builder, p: &InterfaceParams, interface: Child<'m>) {
        let format = &p.network.format;
        if p.sends_packets() {
            interface.drive("here", m.lit(format.node_bits, self.node.number.into()));
        }
        if p.reads_place() {
            interface.drive("here_x", m.lit(index_width(p.columns as usize), self.node.x.into()));
            interface.drive("here_y", m.lit(index_width(p.rows as usize), self.node.y.into()));
        }
        for (q, (subnetwork, port)) in p.injection_lanes().into_iter().enumerate() {
            let format = &p.network_in(subnetwork).format;
            let Some(at) = self.injects[subnetwork] else {
                // Nobody sends from here in this subnetwork.
                interface.drive(("out_inject", q, "credit"), m.lit(format.vcs, 0));
                continue;
            };
            let flit = Flit::of(interface, ("out_inject", q), format);
            let taps = [(INJECTED, flit.valid), (INJECTED_HEAD, flit.head), (INJECTED_DEST, flit.dest)];
            for (tap, net) in taps.into_iter().chain([(INJECTED_INFO, flit.info)]) {
                m.tap(tap.at(self.node.number), net);
            }
            let into = ("inject", at.first + port);
            let name = (("net", subnetwork), ("link_from_node", self.node.number), ("port", port));
            // A single link has no number.
            let [name, into] = match p.link_of(q) {
                None => [name.text(), into.text()],
                Some(link) => [(name, "link", link).text(), (into, "link", link).text()],
            };
            let out = ("inject", q);
            channel(m, name, (interface, out), (at.router, into), format, at.cycles);
        }
        for (s, at) in self.injects.iter().enumerate() {
            let ports = at.map_or(0, |at| at.ports);
            for port in (0..ports).filter(|port| !p.injection_lanes().contains(&(s, *port))) {
                let at = at.expect("it has ports");
                let format = &p.network_in(s).format;
                let none = Flit::build(format, |field| Bits::zero(field.width).signal(m));
                none.drive(at.router, ("in_inject", at.first + port), format);
            }
        }
    }
}
