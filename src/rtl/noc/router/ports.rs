//! Ports of a router.

use super::RouterParams;
use crate::{Input, Output, channel::Flit};
use hdl::{PortName, ports};

/// A VC link of an input of a router.
#[derive(Clone, Copy)]
pub struct InputLink {
    /// The input.
    pub input: Input,
    /// The link, of an input with several.
    pub link: Option<u32>,
}

impl PortName for InputLink {
    fn append_to(&self, out: &mut String) {
        self.input.append_to(out);
        self.link.iter().for_each(|link| ("link", *link).append_to(out));
    }
}

impl RouterParams {
    /// VC links of all inputs.
    fn links(&self) -> Vec<InputLink> {
        let of = |(i, &input): (usize, &Input)| {
            let links = self.connectivity.port(i).links;
            (0..links).map(move |link| InputLink { input, link: (links > 1).then_some(link) })
        };
        self.connectivity.inputs().iter().enumerate().flat_map(of).collect()
    }
}

ports! {
    /// Ports of a [`router`](super::router()), beside `HerePorts` where it looks at its place, and
    /// [`DrawingPorts`](crate::allocator::DrawingPorts) where it draws.
    pub struct RouterPorts(p: &RouterParams) of Router {
        /// Where packets for each node go, of a routing that looks it up: a bit a node.
        in table[name: String in p.table_ports()] as name: p.addressing.nodes(),
        /// Flits that come.
        in flit[link: InputLink in p.links()] as ("in", link):
            bundle Flit(&p.network.format) with credit: p.network.format.vcs,
        /// Flits that go.
        out next[output: Output in p.connectivity.outputs().iter().copied()] as ("out", output):
            bundle Flit(&p.network.format) with credit: p.network.format.vcs,
    }
}
