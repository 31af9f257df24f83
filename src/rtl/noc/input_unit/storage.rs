//! The flits of an input: those in the channel register, and those in its flit buffers.

use super::{
    context::InputUnitContext,
    ports::{ArrivedHead, Link},
};
use crate::{
    VcDepths,
    channel::{Flit, FlitFormat},
    flit_buffer::{FlitBuffer, FlitBufferParams, flit_buffer},
};
use blocks::index_one_hot;
use hdl::{PortName, Signal, mux, row};

/// The flits in the channel registers, and their routes.
pub(super) struct Arrivals<'m> {
    /// By link.
    pub flits: Vec<Flit<'m>>,
    /// By link: ways that the packet may go, whether it has a priority, its length.
    pub routes: Vec<Signal<'m>>,
    /// VCs of flits that are here, at most one a link.
    pub arriving: Signal<'m>,
}

impl<'m> Arrivals<'m> {
    /// A channel register for each link, and the ports to and from its route unit.
    pub fn new(u: &InputUnitContext<'m>) -> Self {
        let (mut flits, mut routes, mut arriving) = (vec![], vec![], vec![]);
        for link in Link::all(u.links.count) {
            let (flit, vc) = Self::link(u, link);
            let mut route = vec![u.io.route(link)];
            let priority = flit.priority.filter(|_| u.priority);
            route.extend(priority.map(|priority| priority.any()));
            route.extend(flit.length);
            routes.push(row(route));
            // Route computation lowers it by one.
            let less = priority.map(|priority| mux(priority.any(), priority - 1, priority));
            flits.push(Flit { priority: less.or(flit.priority), ..flit });
            arriving.push(u.links.part(vc, link.number));
        }
        Self { flits, routes, arriving: u.links.merge(arriving.into_iter()) }
    }

    /// The flit that is here by a link, and its VC, one-hot or zero.
    fn link(u: &InputUnitContext<'m>, link: Link) -> (Flit<'m>, Signal<'m>) {
        let InputUnitContext { m, format, .. } = u;
        let name = |name: &str| (name, link).text();
        let flit = u.io.flit(link).inputs().registered(m, name("arrived"), format);
        let vc = m.wire(name("arriving_vc"), index_one_hot(flit.vc, u.vcs) & flit.valid.repeat(u.vcs));
        let head = ArrivedHead {
            dest: flit.dest,
            route_class: u.rule.reads_routing_class().then_some(flit.route_class),
            waypoint: flit.waypoint,
            head: u.reads_arrival.then(|| flit.valid & flit.head),
        };
        u.io.arrived(link, head);
        if u.links.count > 1 {
            let own = u.links.alone(u.links.part(vc, link.number), link.number);
            m.always("a flit comes on the link of its VC", vc.eq(own));
        }
        (flit, vc)
    }

    /// VCs at which a flit arrives that may go by way `k`.
    pub fn route_bit(&self, u: &InputUnitContext<'m>, k: u32) -> Signal<'m> {
        u.links.spread(self.routes.iter().map(|route| route.bit(k)))
    }
}

/// The flit buffers, each of VCs that share a link and a switch input.
pub(super) struct Storage<'m> {
    pub buffers: Vec<FlitBuffer<'m>>,
    /// VCs with a flit in them.
    pub occupied: Signal<'m>,
}

impl<'m> Storage<'m> {
    pub fn new(u: &InputUnitContext<'m>, depths: VcDepths) -> Self {
        let FlitFormat { width, .. } = u.format;
        let buffer = |b: usize| {
            flit_buffer(FlitBufferParams {
                vcs: u.buffers.size(),
                depths: depths.of_group(b as u32, u.buffers.count),
                carried: u.format.carried_bits(),
                width,
                route: u.route_bits + u.more_bits(),
                behind: u.turns,
            })
        };
        let name = |b| u.buffers.name("flit_buffer", b);
        let buffers: Vec<_> = u.buffers.each().map(|b| FlitBuffer(u.m.instance(name(b), &buffer(b)))).collect();
        let occupied = u.buffers.merge(buffers.iter().map(|buffer| buffer.occupied()));
        Self { buffers, occupied }
    }

    /// By buffer: the route of the packet that starts there.
    pub fn expose(&self, u: &InputUnitContext<'m>, starts: Signal<'m>) -> Vec<Signal<'m>> {
        let of_buffer = |(b, buffer): (usize, &FlitBuffer<'m>)| {
            buffer.expose(u.buffers.part(starts, b));
            buffer.exposed_route().expect("routes are kept beside flits")
        };
        self.buffers.iter().enumerate().map(of_buffer).collect()
    }
}
