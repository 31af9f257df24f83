//! Endpoints: what stands between a core or a memory controller and the network, by the kind of the network.
//!
//! | network | at a core | at a memory controller |
//! |---|---|---|
//! | routers alone | `interface<node>`: a network interface | the same |
//! | with a ring between memory nodes | `interface<node>`: a ring interface | `interface<node>`: a hub |
//! | with overlays for replies | `interface<node>` sends, `overlay_sink<node>` receives | `interface<node>` receives, `overlay_source<node>` sends |
//! | with a clock of their own | `overlay_sink_crossing<node>` before it | `overlay_source_crossing<node>` before it |

use super::{Fabric, Terminal};
use crate::noc::{InterfaceParams, MessageClass, NocError, NodeKind, network_interface, overlay::PlacedEnd};
use hdl::{Builder, Child, ClockDomain, PortName};

/// The tiles at which an endpoint meets the network, the same one or two.
#[derive(Clone, Copy)]
pub struct Endpoint<'m> {
    /// Node.
    pub node: u32,
    /// It takes the packets of the endpoint: `tx_*`.
    pub sends: Child<'m>,
    /// It shows packets to the endpoint: `rx_*`.
    pub receives: Child<'m>,
    /// Its source or sink of overlays.
    pub overlay: Option<Child<'m>>,
}

impl Fabric {
    /// Places what is between an endpoint and the routers at `terminal`, and joins it with these; `p`: its interface, `clock`: that of overlays, where
    /// they have their own.
    pub fn place_endpoint<'m>(
        &self,
        m: &'m Builder,
        clock: ClockDomain<'m>,
        terminal: &Terminal<'m>,
        p: &InterfaceParams,
    ) -> Result<Endpoint<'m>, NocError> {
        let node = terminal.node.number;
        let name = ("interface", node);
        let interface = match self.ring() {
            Some(ring) => ring.place_interface(m, name, node, p)?,
            None => m.tile(name, &network_interface(p)?),
        };
        terminal.attach(m, p, interface);
        let plain = Endpoint { node, sends: interface, receives: interface, overlay: None };
        Ok(match (self.overlay(), p.sends) {
            (None, _) => plain,
            (Some(overlay), MessageClass::Request) => {
                let PlacedEnd { endpoint: receives, overlay } = overlay.place_sink(m, clock, node, p);
                Endpoint { receives, overlay: Some(overlay), ..plain }
            }
            (Some(overlay), MessageClass::Reply) => {
                let PlacedEnd { endpoint: sends, overlay } = overlay.place_source(m, clock, node, p);
                Endpoint { sends, overlay: Some(overlay), ..plain }
            }
        })
    }

    /// Joins endpoints by what there is beside the routers: channels of a ring between hubs, overlays between sources and sinks. `p`: the interfaces
    /// of memory nodes.
    pub fn join<'m>(&self, m: &'m Builder, clock: ClockDomain<'m>, p: &InterfaceParams, endpoints: &[Endpoint<'m>]) {
        let of = |kind: NodeKind| endpoints.iter().filter(move |end| self.params().nodes.node(end.node).kind == kind);
        if let Some(ring) = self.ring() {
            m.comment("Channels of the ring between memory nodes.");
            let hub = |&node: &u32| of(NodeKind::Memory).find(|end| end.node == node).map(|end| end.sends);
            let hubs: Vec<_> = ring.memories().iter().filter_map(hub).collect();
            ring.join(m, p, &hubs);
        }
        if let Some(overlay) = self.overlay() {
            m.comment("Overlays from memory nodes to cores.");
            let ends = |kind| of(kind).filter_map(|end| Some((end.node, end.overlay?))).collect();
            let (sources, sinks) = (ends(NodeKind::Memory), ends(NodeKind::Core));
            match overlay.params().clock {
                Some(_) => m.in_domain(clock, || overlay.join(m, p, &sources, &sinks)),
                None => overlay.join(m, p, &sources, &sinks),
            }
        }
    }

    /// The tile that shows packets to the endpoint of a node.
    pub fn receiving_tile(&self, node: u32) -> String {
        let is_core = self.params().nodes.node(node).kind == NodeKind::Core;
        match self.overlay() {
            Some(overlay) if is_core && overlay.params().clock.is_some() => ("overlay_sink_crossing", node).text(),
            Some(_) if is_core => ("overlay_sink", node).text(),
            _ => ("interface", node).text(),
        }
    }

    /// Packets for which an endpoint has credits at the start; `p`: its interface.
    pub fn tx_credits(&self, p: &InterfaceParams) -> usize {
        match (self.ring(), self.overlay()) {
            (Some(_), _) if p.sends == MessageClass::Reply => crate::noc::ring::HUB_PLACES,
            (_, Some(overlay)) if p.sends == MessageClass::Reply => overlay.credits(p),
            _ => p.tx_credits(),
        }
    }
}
