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
use crate::{InjectorParams, InterfaceParams, NocError, injector, network_interface};
use hdl::{Builder, Bundle, Child, Module, PortName, Signal, mux, params, ports, row, select};

/// What is in it.
#[derive(Clone, Copy)]
pub enum Inner<'a> {
    /// A network interface.
    Interface(&'a InterfaceParams),
    /// An injector.
    Injector(&'a InjectorParams),
}

/// What is called after it: what its packets carry beside their payload.
impl PortName for Inner<'_> {
    fn append_to(&self, out: &mut String) {
        let name = match self {
            Inner::Interface(_) => "sideband",
            Inner::Injector(_) => "tag",
        };
        name.append_to(out);
    }
}

impl Inner<'_> {
    fn module(&self) -> Result<Module, NocError> {
        match self {
            Inner::Interface(p) => network_interface(p),
            Inner::Injector(p) => injector(p),
        }
    }

    fn params(&self) -> &InterfaceParams {
        match self {
            Inner::Interface(p) => p,
            Inner::Injector(p) => &p.interface,
        }
    }

    /// Bits of the length of a packet.
    fn length_bits(&self) -> u32 {
        match self {
            Inner::Interface(p) => p.sent().length_bits(),
            Inner::Injector(p) => p.flits_bits(),
        }
    }

    /// It gives packets to its endpoint.
    fn receives(&self) -> bool {
        matches!(self, Inner::Interface(p) if !p.ejection_lanes().is_empty())
    }
}

ports! {
    /// Ports of a [`ring_interface`] that are tied to constants.
    struct RingPlacePorts((header, ring): &(HeaderFormat, &Ring)) of RingPlace {
        /// The host of the core.
        in host: header.node_bits,
        /// Memory nodes to which packets go by the mesh, a bit each.
        in direct: ring.memories().len() as u32,
    }
}

ports! {
    /// Ports that a [`ring_interface`] has in place of those of what is in it.
    struct ChangedPorts((header, inner): &(HeaderFormat, Inner<'_>)) of Changed {
        /// Destination of a packet that is sent.
        in dest as "tx_dest": header.node_bits,
        /// Its length.
        in flits as "tx_flits": inner.length_bits(),
        /// What it carries beside its payload.
        in beside[of: Inner in [*inner]] as ("tx", of): header.sideband_bits,
        /// Node that has sent a packet.
        maybe (inner.receives()) out src as "rx_src": header.node_bits,
        /// The sideband of that packet.
        maybe (inner.receives()) out rx_sideband: header.sideband_bits,
    }
}

/// An interface, or an injector, on a chip with a ring; see the [module documentation](self).
pub fn ring_interface(ring: &Ring, inner: Inner<'_>) -> Result<Module, NocError> {
    let (header, inside) = (HeaderFormat::of(inner.params()), inner.module()?);
    let names = params! { kind: inside.kind; inside: inside.name, memories: ring.memories() };
    let m = Builder::new("ring_interface", names);
    m.doc("Interface of a core that sends packets for other clusters to the host of its own.");
    let (io, place) = (ChangedPorts::new(&m, &(header, inner)), RingPlacePorts::new(&m, &(header, ring)));
    let interface = Changed(m.instance("interface", &inside));
    let dest = io.dest();
    let (host, direct) = (place.host(), place.direct());
    let is = m.wire("for_memory", row(ring.memories().iter().map(|&memory| dest.eq(u64::from(memory)))));
    let far = m.wire("goes_far", (is & !direct).any());
    interface.dest(mux(far, host, dest));
    let flits = io.flits();
    interface.flits(flits);
    let (flits, sideband) = (flits.resize(header.length_bits), io.beside(inner));
    interface.beside(inner, MeshHeader { far: dest, flits, sideband }.pack());
    if let Some(sideband) = interface.rx_sideband() {
        let arrived = MeshHeader::unpack(sideband, &header);
        io.src(arrived.far);
        io.rx_sideband(arrived.sideband);
    }
    interface.0.pass_on();
    Ok(m.finish())
}

/// Ties the constants of the interface of a core.
pub(super) fn tie<'m>(m: &'m Builder, ring: &Ring, node: u32, tile: Child<'m>) {
    let host = ring.hosts()[node as usize].map_or(node, |c| ring.memories()[c]);
    let place = RingPlace(tile);
    place.host(u64::from(host));
    place.direct(row((0..ring.memories().len()).map(|c| m.lit(1, ring.is_direct(node, c).into()))));
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
