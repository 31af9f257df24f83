//! Endpoints: what is between the packet ports of cores and memory controllers and the routers, and what joins them
//! beside these.
//!
//! | network | at a core | at a memory controller |
//! |---|---|---|
//! | routers alone ([`PlainInterfaces`]) | `interface<node>`: a network interface | the same |
//! | with a [ring](super::ring) between memory nodes | `interface<node>`: a ring interface | `interface<node>`: a hub |
//! | with [overlays](super::overlay) for replies | `interface<node>` sends, `overlay_sink<node>` receives | `interface<node>` receives, `overlay_source<node>` sends |
//! | with a clock of their own | `overlay_sink_crossing<node>` before it | `overlay_source_crossing<node>` before it |
//!
//! A kind of them is one [`Endpoints`]: its ports, its tiles, its part of the deadlock proof, and what area, energy,
//! drawings and the open-loop bench have to know of it. They ask [`Fabric::endpoints`](super::Fabric::endpoints),
//! whatever kind it is.

use super::{
    Flow, InterfaceParams, MessageClass, NetworkParams, NocError, NodeKind, Output,
    deadlock::ChannelDependencies,
    fabric::Terminal,
    injector::{InjectorParams, injector},
    network_interface,
    packet::{PacketGiver, PacketTaker},
    ring::optics::OpticalParts,
};
use hdl::{Builder, Child, ClockDomain, PortName};
use std::{collections::BTreeMap, fmt};

/// The tiles of the network interface of a node: one, or one for each direction.
#[derive(Clone, Copy)]
pub struct InterfaceTiles<'m> {
    /// Node.
    pub node: u32,
    /// It takes the packets of the endpoint.
    pub sends: PacketTaker<'m>,
    /// It gives packets to the endpoint.
    pub receives: PacketGiver<'m>,
    /// What [`Endpoints::join`] joins: a hub, the source or sink of overlays.
    pub joined: Option<Child<'m>>,
}

/// The tiles of a node whose packet ports the open-loop bench uses where it has an injector and ejection channels otherwise.
#[derive(Clone, Copy, Default)]
pub struct PacketPortTiles<'m> {
    /// In place of an injector.
    pub sends: Option<PacketTaker<'m>>,
    /// In place of ejection channels.
    pub receives: Option<PacketGiver<'m>>,
    /// As of [`InterfaceTiles`].
    pub joined: Option<Child<'m>>,
}

/// Which packet ports the open-loop bench uses at nodes of a kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PacketPorts {
    /// Its packets are taken whole.
    pub sends: bool,
    /// Packets for it are shown whole.
    pub receives: bool,
    /// Ejection channels of routers lead to it.
    pub ejects: bool,
}

/// Networks beside the one of routers, as area, energy and drawings see them: each has one source, and routers of one input.
#[derive(Clone, Debug)]
pub struct SideNetworks {
    /// Width of channels, depth of buffers.
    pub network: NetworkParams,
    /// All outputs of their routers, network by network, node by node; those of a router one after the other.
    pub outputs: Vec<SideOutput>,
    /// Their sources, in the order of the networks.
    pub sources: Vec<SideSource>,
}

/// An output of a router of a [`SideNetworks`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SideOutput {
    /// Which of the networks.
    pub network: usize,
    /// Node of the router.
    pub node: u32,
    /// Name of its tile.
    pub router: String,
    /// Which of the outputs of that tile, from 0 on.
    pub number: usize,
    /// The output.
    pub output: Output,
    /// The node to whose router it leads; none: to the endpoint.
    pub to: Option<u32>,
}

/// Where a side network begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SideSource {
    /// Its node.
    pub node: u32,
    /// Links into the network, each into a router there, or all into the same.
    pub links: u32,
}

/// How endpoints meet the network; see the [module documentation](self).
pub trait Endpoints: fmt::Debug {
    /// Packets for which an endpoint with such an interface has credits at the start.
    fn tx_credits(&self, p: &InterfaceParams) -> usize {
        p.tx_credits()
    }

    /// What the open-loop bench hands over or is handed whole at nodes of a kind.
    fn whole(&self, _: NodeKind) -> PacketPorts {
        PacketPorts::default()
    }

    /// Clock of their own: its frequency and that of the network, MHz.
    fn clock(&self) -> Option<[u32; 2]> {
        None
    }

    /// Cycles after reset in which they are not yet as they are from then on.
    fn settles(&self) -> u32 {
        0
    }

    /// At least as many packets as can be in what they add to the network.
    fn most_packets(&self) -> usize {
        0
    }

    /// Packets of a class pass the routers.
    fn uses_routers(&self, _: MessageClass) -> bool {
        true
    }

    /// The part of a flow's way that routers carry.
    fn leg(&self, flow: Flow) -> Flow {
        flow
    }

    /// Places what is between an endpoint and the routers at `terminal`, and joins it with these; `p`: its interface, `clock`: that of
    /// [`clock`](Self::clock).
    fn place<'m>(
        &self,
        m: &'m Builder,
        clock: ClockDomain<'m>,
        terminal: &Terminal<'m>,
        p: &InterfaceParams,
    ) -> Result<InterfaceTiles<'m>, NocError>;

    /// Places what takes or shows [whole](Self::whole) packets at `terminal`, likewise.
    fn place_whole<'m>(
        &self,
        _: &'m Builder,
        _: ClockDomain<'m>,
        _: &Terminal<'m>,
        _: &InterfaceParams,
    ) -> Result<PacketPortTiles<'m>, NocError> {
        Ok(PacketPortTiles::default())
    }

    /// Places an injector at a node in place of an interface.
    fn place_injector<'m>(&self, m: &'m Builder, node: u32, p: &InjectorParams) -> Result<Child<'m>, NocError> {
        Ok(m.tile(("injector", node), &injector(p)?))
    }

    /// Joins endpoints beside the routers; `joined`: their [tiles](InterfaceTiles::joined) by node, `p`: the interface of memory nodes.
    fn join<'m>(&self, _: &'m Builder, _: ClockDomain<'m>, _: &InterfaceParams, _: &BTreeMap<u32, Child<'m>>) {}

    /// Adds what packets of these flows hold and wait for beside the routers.
    fn depend(&self, _: &mut ChannelDependencies, _: &[Flow]) {}

    /// Networks that they have beside the routers.
    fn side_networks(&self) -> Option<SideNetworks> {
        None
    }

    /// Optical parts; `p`: the interface of memory nodes.
    fn optics(&self, _: &InterfaceParams) -> Option<OpticalParts> {
        None
    }
}

/// A network interface at each node, and nothing beside the routers.
#[derive(Debug)]
pub struct PlainInterfaces;

impl Endpoints for PlainInterfaces {
    fn place<'m>(
        &self,
        m: &'m Builder,
        _: ClockDomain<'m>,
        terminal: &Terminal<'m>,
        p: &InterfaceParams,
    ) -> Result<InterfaceTiles<'m>, NocError> {
        place_interface(m, terminal, p)
    }
}

/// Name of the tile of the interface of a node.
pub(super) fn interface_name(node: u32) -> String {
    ("interface", node).text()
}

/// A network interface, joined with the routers.
pub(super) fn place_interface<'m>(
    m: &'m Builder,
    terminal: &Terminal<'m>,
    p: &InterfaceParams,
) -> Result<InterfaceTiles<'m>, NocError> {
    let node = terminal.node.number;
    let tile = m.tile(interface_name(node), &network_interface(p)?);
    terminal.attach(m, p, tile);
    Ok(InterfaceTiles { node, sends: PacketTaker(tile), receives: PacketGiver(tile), joined: None })
}
