//! The flits of an input: those in the channel register, and those in its flit buffers.

use super::Unit;
use crate::{
    blocks::index_one_hot,
    noc::{
        channel::{Flit, FlitFormat},
        flit_buffer::{FlitBufferParams, flit_buffer},
    },
};
use hdl::{Bundle, Child, Signal};

/// The flit in the channel register, and its route.
pub(super) struct Arrivals<'m> {
    pub flit: Flit<'m>,
    /// Its VC, one-hot; zero without a flit.
    pub arriving: Signal<'m>,
    pub route: Signal<'m>,
}

impl<'m> Arrivals<'m> {
    /// The channel register, and the ports to and from the route unit.
    pub fn new(u: &Unit<'m>) -> Self {
        let Unit { m, format, .. } = u;
        let flit = Flit::inputs(m, "in", format).registered(m, "arrived", format);
        let arriving = m.wire("arriving_vc", index_one_hot(flit.vc, u.vcs) & flit.valid.repeat(u.vcs));
        m.output_of("arrived_dest", flit.dest);
        if u.rule.reads_routing_class() {
            m.output_of("arrived_yx", flit.yx);
        }
        if let Some(via) = flit.via {
            m.output_of("arrived_via", via);
        }
        if u.reads_arrival {
            m.output_of("arrived_head", flit.valid & flit.head);
        }
        Self { flit, arriving, route: m.input("route", u.route_bits()) }
    }

    /// VCs at which a flit arrives that may go by way `k`.
    pub fn route_bit(&self, u: &Unit<'m>, k: u32) -> Signal<'m> {
        self.route.bit(k).repeat(u.vcs)
    }
}

/// The flit buffers, one for each group of VCs that are read apart.
pub(super) struct Storage<'m> {
    pub buffers: Vec<Child<'m>>,
    /// VCs with a flit in them.
    pub occupied: Signal<'m>,
}

impl<'m> Storage<'m> {
    pub fn new(u: &Unit<'m>, depth: usize) -> Self {
        let FlitFormat { width, .. } = u.format;
        let buffer = flit_buffer(FlitBufferParams {
            vcs: u.buffers.size(),
            depth,
            carried: u.format.carried_bits(),
            width,
            route: u.route_bits(),
            behind: u.turns,
        });
        let name = |b| u.buffers.name("flit_buffer", b);
        let buffers: Vec<_> = u.buffers.each().map(|b| u.m.instance(name(b), &buffer)).collect();
        let occupied = u.buffers.merge(buffers.iter().map(|buffer| buffer.get("occupied")));
        Self { buffers, occupied }
    }

    /// By buffer: the route of the packet that starts there.
    pub fn expose(&self, u: &Unit<'m>, starts: Signal<'m>) -> Vec<Signal<'m>> {
        let of_buffer = |(b, buffer): (usize, &Child<'m>)| {
            buffer.drive("expose", u.buffers.part(starts, b));
            buffer.get("exposed_route")
        };
        self.buffers.iter().enumerate().map(of_buffer).collect()
    }
}
