//! Ring interface: that of a core on a chip with a ring. It sends packets for other clusters to the host. A tile.
//!
//! ```text
//!                     +-----------------------------------------------------------+
//!  tx_dest, tx_flits, | dest is direct ? dest : host ------> tx_dest    interface |
//!  tx_sideband ------>| {dest, flits, sideband} -----------> tx_sideband  or      |==> routers
//!  rx_src, _sideband <-- {far, flits, sideband} <----------- rx_sideband injector |
//!                     +-----------------------------------------------------------+
//!  host (N), direct (a bit a memory controller): tied to constants
//! ```
//!
//! The choice takes no cycle. Everything else passes as it is; `rx_src` is the memory node that has sent a reply, not
//! the host that has passed it on.

use super::{
    Ring,
    packet::{HeaderFormat, MeshHeader},
};
use crate::noc::InterfaceParams;
use hdl::{Builder, Bundle, Child, Module, Signal, mux, params, row, select};

/// An interface, or an injector, whose packets have a `sideband` (`tx_sideband` or `tx_tag`); see the [module documentation](self).
pub fn ring_interface(ring: &Ring, p: &InterfaceParams, inner: &Module, sideband: &str) -> Module {
    let header = HeaderFormat::of(p);
    let m = Builder::new("ring_interface", params! { kind: inner.kind; inside: inner.name, memories: ring.memories() });
    m.doc("Interface of a core that sends packets for other clusters to the host of its own.");
    let interface = m.instance("interface", inner);
    let dest = m.input("tx_dest", header.node_bits);
    let (host, direct) = (m.input("host", header.node_bits), m.input("direct", ring.memories().len() as u32));
    let is = m.wire("for_memory", row(ring.memories().iter().map(|&memory| dest.eq(u64::from(memory)))));
    let far = m.wire("goes_far", (is & !direct).any());
    interface.drive("tx_dest", mux(far, host, dest));
    let flits = m.input("tx_flits", width_of(inner, "tx_flits"));
    interface.drive("tx_flits", flits);
    let of_endpoint = m.input(sideband, header.sideband_bits);
    let flits = flits.resize(header.length_bits);
    interface.drive(sideband, MeshHeader { far: dest, flits, sideband: of_endpoint }.pack());
    let mut done = vec!["tx_dest", "tx_flits", sideband];
    if inner.outputs.iter().any(|&port| inner.net(port).name == "rx_src") {
        let arrived = MeshHeader::unpack(interface.get("rx_sideband"), &header);
        m.output_of("rx_src", arrived.far);
        m.output_of("rx_sideband", arrived.sideband);
        done.extend(["rx_src", "rx_sideband"]);
    }
    pass(&m, interface, &done);
    m.finish()
}

fn width_of(module: &Module, port: &str) -> u32 {
    let found = module.inputs.iter().map(|&net| module.net(net)).find(|net| net.name == port);
    found.map_or(1, |net| net.width)
}

/// Passes all ports of a child on but those in `done`.
pub(super) fn pass<'m>(m: &'m Builder, child: Child<'m>, done: &[&str]) {
    let module = child.module();
    for net in module.inputs.iter().map(|&net| module.net(net)).filter(|net| !done.contains(&net.name.as_str())) {
        child.drive(&net.name, m.input(&net.name, net.width));
    }
    for net in module.outputs.iter().map(|&net| module.net(net)).filter(|net| !done.contains(&net.name.as_str())) {
        m.output_of(&net.name, child.get(&net.name));
    }
}

/// Ties the constants of the interface of a core.
pub(super) fn tie<'m>(m: &'m Builder, ring: &Ring, node: u32, tile: Child<'m>) {
    let host = ring.hosts()[node as usize].map_or(node, |c| ring.memories()[c]);
    tile.drive("host", u64::from(host));
    tile.drive("direct", row((0..ring.memories().len()).map(|c| m.lit(1, ring.is_direct(node, c).into()))));
}

/// The one-hot host of the node `node`, from the table.
pub(super) fn host_of<'m>(m: &'m Builder, ring: &Ring, node: Signal<'m>) -> Signal<'m> {
    let count = ring.memories().len() as u32;
    let of = |host: &Option<usize>| m.lit(count, host.map_or(0, |c| 1 << c));
    let words: Vec<_> = ring.hosts().iter().map(of).collect();
    select(node, &words)
}

/// One-hot memory controller at a node; zero where there is none.
pub(super) fn controller_at<'m>(ring: &Ring, node: Signal<'m>) -> Signal<'m> {
    row(ring.memories().iter().map(|&memory| node.eq(u64::from(memory))))
}
