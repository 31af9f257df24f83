//! Endpoints of a chip with a ring: ring interfaces at cores, hubs at memory nodes, and the channels between these.

use super::{HUB_PLACES, Ring, hub::RingHub, interface::Inner, optics::OpticalParts};
use crate::{
    Flow, InterfaceParams, MessageClass, NocError, NodeKind,
    deadlock::{Cause, ChannelDependencies, ChannelLocation, ChannelVertex, VcSet},
    endpoints::{Endpoints, InterfaceTiles, PacketPortTiles, PacketPorts, interface_name},
    fabric::Terminal,
    injector::{InjectorParams, PLACES},
    packet::{PacketGiver, PacketTaker},
};
use hdl::{Builder, Child, ClockDomain};
use std::collections::BTreeMap;

impl Endpoints for Ring {
    fn tx_credits(&self, p: &InterfaceParams) -> usize {
        if p.sends == MessageClass::Reply { HUB_PLACES } else { p.tx_credits() }
    }

    fn whole(&self, kind: NodeKind) -> PacketPorts {
        let hub = kind == NodeKind::Memory;
        PacketPorts { sends: hub, receives: hub, ejects: hub }
    }

    /// Until there are tokens all around.
    fn settles(&self) -> u32 {
        2 * self.params().cycles
    }

    /// Hubs hold packets in two queues and four registers, for each other one, and what comes from the ring.
    fn most_packets(&self) -> usize {
        let count = self.memories().len();
        let ring = 2 * (self.params().tx + 1) * count + 2 * (self.params().rx + 2);
        count * (ring + 2 * HUB_PLACES + 4 + 2 * PLACES)
    }

    fn leg(&self, flow: Flow) -> Flow {
        Ring::leg(self, flow)
    }

    fn place<'m>(
        &self,
        m: &'m Builder,
        _: ClockDomain<'m>,
        terminal: &Terminal<'m>,
        p: &InterfaceParams,
    ) -> Result<InterfaceTiles<'m>, NocError> {
        let node = terminal.node;
        let tile = self.place_interface(m, interface_name(node.number), node.number, p)?;
        terminal.attach(m, p, tile);
        let joined = (node.kind == NodeKind::Memory).then_some(tile);
        Ok(InterfaceTiles { node: node.number, sends: PacketTaker(tile), receives: PacketGiver(tile), joined })
    }

    fn place_whole<'m>(
        &self,
        m: &'m Builder,
        _: ClockDomain<'m>,
        terminal: &Terminal<'m>,
        p: &InterfaceParams,
    ) -> Result<PacketPortTiles<'m>, NocError> {
        let node = terminal.node;
        if node.kind != NodeKind::Memory {
            return Ok(PacketPortTiles::default());
        }
        let tile = self.place_interface(m, ("hub", node.number), node.number, p)?;
        terminal.attach(m, p, tile);
        Ok(PacketPortTiles { sends: Some(PacketTaker(tile)), receives: Some(PacketGiver(tile)), joined: Some(tile) })
    }

    fn place_injector<'m>(&self, m: &'m Builder, node: u32, p: &InjectorParams) -> Result<Child<'m>, NocError> {
        self.place_core(m, ("injector", node), node, Inner::Injector(p))
    }

    fn join<'m>(&self, m: &'m Builder, _: ClockDomain<'m>, p: &InterfaceParams, joined: &BTreeMap<u32, Child<'m>>) {
        m.comment("Channels of the ring between memory nodes.");
        let hubs: Vec<_> = self.memories().iter().filter_map(|node| joined.get(node).copied().map(RingHub)).collect();
        self.join_hubs(m, p, &hubs);
    }

    /// Channels of the ring: what hosts pass on, and what they answer by it.
    fn depend(&self, found: &mut ChannelDependencies, flows: &[Flow]) {
        let place = |node: u32| {
            let node = self.nodes().node(node);
            (node.x, node.y)
        };
        let channel = |class, home: u32| ChannelVertex {
            subnetwork: 0,
            place: ChannelLocation::Ring(place(home)),
            vcs: VcSet { class: Some(class), routing_class: None },
        };
        let (asked, answers) = (found.asked.clone(), found.answers.clone());
        for &flow in flows {
            let Some(ends) = self.relay(flow) else { continue };
            let [from, home] = ends.map(|controller| self.memories()[controller]);
            let through = channel(flow.class, home);
            let cause = Cause::Packet { class: flow.class, source: place(flow.source), dest: place(flow.dest) };
            match flow.class {
                MessageClass::Request => {
                    for &held in asked.get(&place(from)).into_iter().flatten() {
                        found.add(held, through, cause);
                    }
                    found.asked.entry(place(home)).or_default().insert(through);
                }
                MessageClass::Reply => {
                    for &wanted in answers.get(&place(home)).into_iter().flatten() {
                        found.add(through, wanted, cause);
                    }
                    found.answers.entry(place(from)).or_default().insert(through);
                }
            }
        }
    }

    fn optics(&self, p: &InterfaceParams) -> Option<OpticalParts> {
        Some(OpticalParts::of(self, p))
    }
}
