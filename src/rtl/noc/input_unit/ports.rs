//! Ports of an input unit.

use super::{InputUnitParams, transitions::Crossing, transitions::Transitions};
use crate::{channel::Flit, routing::cross_name};
use hdl::{PortName, bundle, index_width, ports};

/// A VC link of an input; a single one has no number.
#[derive(Clone, Copy)]
pub(crate) struct Link {
    /// Its number.
    pub number: usize,
    /// Links of the input.
    pub of: u32,
}

impl Link {
    /// All links of an input.
    pub fn all(of: u32) -> impl Iterator<Item = Self> {
        (0..of as usize).map(move |number| Self { number, of })
    }
}

impl PortName for Link {
    fn append_to(&self, out: &mut String) {
        if self.of > 1 {
            ("link", self.number).append_to(out);
        }
    }
}

bundle! {
    /// What a route unit looks at of a flit in the channel register.
    pub struct ArrivedHead(p: &InputUnitParams) {
        /// Destination node.
        dest: p.format.node_bits,
        /// Routing class, where the routing looks at it.
        maybe route_class: if p.rule.reads_routing_class() { p.format.class_bits } else { 0 },
        /// Node at which the first phase ends, where there are two.
        maybe waypoint: p.format.waypoint_bits(),
        /// A head is there, where the route unit counts them.
        maybe head: u32::from(p.reads_arrival),
    }
}

impl InputUnitParams {
    fn transitions(&self) -> Transitions {
        Transitions { sets: self.sets, allowed: self.rule.class_transition() }
    }

    /// Ways that a packet may go: an output, and its routing class changes or not.
    pub(super) fn route_bits(&self) -> u32 {
        self.outputs * (1 + self.transitions().crossings().len() as u32)
    }

    fn crossing(&self, offset: u32) -> Crossing {
        self.transitions().crossing(offset)
    }

    /// Bits for the output VCs that some VCs may be granted.
    fn grants(&self, vcs: impl IntoIterator<Item = u32>) -> u32 {
        vcs.into_iter().map(|vc| self.outputs * self.sets.size(self.sets.class(vc))).sum()
    }
}

ports! {
    /// Ports of an [`input_unit`](super::input_unit()).
    pub(crate) struct InputUnitPorts(p: &InputUnitParams) of InputUnit {
        /// Flits of a link.
        in flit[link: Link in Link::all(p.port.links)] as ("in", link):
            bundle Flit(&p.format) with credit: p.format.vcs,
        /// The flit in the channel register of a link.
        out arrived[link: Link in Link::all(p.port.links)] as ("arrived", link): bundle ArrivedHead(p),
        /// Ways that it may go.
        in route[link: Link in Link::all(p.port.links)]: p.route_bits(),
        /// By output: VCs whose packets ask for a VC there.
        out va_request: p.outputs * p.format.vcs,
        /// By VC: the VC of an output that it is granted.
        in va_grant: p.grants(0..p.format.vcs),
        /// By output: VCs whose packets ask for a VC there so many routing classes up.
        out va_up[offset: u32 in p.rule.class_transition().offsets()] as ("va", cross_name(offset)):
            p.outputs * p.crossing(offset).count(),
        /// By VC: the VC of an output that it is granted so many routing classes up.
        in va_up_grant[offset: u32 in p.rule.class_transition().offsets()] as ("va", cross_name(offset), "grant"):
            p.grants(p.crossing(offset).numbers()),
        /// VCs whose packet has a priority, of those that ask for an output VC.
        maybe (p.port.priority) out va_high: p.format.vcs,
        /// Length of the packet of each VC.
        maybe (p.format.length_bits > 0) out va_length: p.format.vcs * p.format.length_bits,
        /// By output: VCs with a place behind them.
        in available: p.outputs * p.format.vcs,
        /// By switch input: outputs that it asks for.
        out sa_request: p.outputs * p.port.switch_inputs,
        /// Of these: for packets with a priority.
        maybe (p.port.priority) out sa_high: p.outputs * p.port.switch_inputs,
        /// By switch input: the output that it is granted.
        in sa_grant: p.outputs * p.port.switch_inputs,
        /// By output: packets that wait for a VC there.
        maybe (p.rule.reads_loads()) out waits: p.outputs * index_width(p.format.vcs as usize + 1),
        /// By switch input: the output VC of the flit that won the switch.
        out send_vc: p.port.switch_inputs * p.format.vcs,
        /// By switch input: it is a tail.
        out send_tail: p.port.switch_inputs,
        /// By switch input: the output of the flit for the crossbar.
        out st_select: p.outputs * p.port.switch_inputs,
        /// By switch input: control of that flit.
        out st_control: p.port.switch_inputs * (p.format.vc_bits() + p.format.carried_bits()),
        /// By switch input: its payload.
        out st_payload: p.port.switch_inputs * p.format.width,
    }
}
