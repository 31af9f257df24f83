//! Endpoints of a chip with overlays: interfaces of which one half is there, sources at memory nodes, sinks at cores.

use super::{
    OVERLAY_CLOCK, Overlay, SinkCrossing, SourceCrossing, Tree, overlay_sink, overlay_sink_crossing, overlay_source,
    overlay_source_crossing,
};
use crate::{
    Flow, InterfaceParams, MessageClass, NocError, NodeKind,
    deadlock::{Cause, ChannelDependencies, ChannelLocation, ChannelVertex, VcSet},
    endpoints::{Endpoints, InterfaceTiles, PacketPortTiles, PacketPorts, SideNetworks, SideSource, place_interface},
    fabric::Terminal,
    injector::PLACES,
    packet::{PacketGiver, PacketTaker},
    ring::HUB_PLACES,
};
use hdl::{Builder, Child, ClockDomain, Module};
use std::collections::BTreeMap;

/// A source or a sink in its place.
#[derive(Clone, Copy)]
struct PlacedSourceOrSink<'m> {
    /// The tile at the endpoint, in the network's clock: the source or sink, or its crossing.
    endpoint: Child<'m>,
    /// The source or sink.
    end: Child<'m>,
}

/// A source or a sink, and its crossing from or to a clock of its own.
struct SourceOrSink<'a, 'm> {
    /// Name of its tiles.
    kind: &'static str,
    module: Module,
    /// It looks at its place in the grid.
    reads_place: bool,
    crossing: &'a dyn Fn() -> Module,
    /// Joins the crossing with it.
    cross: &'a dyn Fn(Child<'m>, Child<'m>),
}

impl Overlay {
    /// Places a source or a sink, behind a crossing where overlays have a clock of their own.
    fn place_source_or_sink<'m>(
        &self,
        m: &'m Builder,
        clock: ClockDomain<'m>,
        node: u32,
        end: &SourceOrSink<'_, 'm>,
    ) -> PlacedSourceOrSink<'m> {
        let name = (end.kind, node);
        if self.params().clock.is_none() {
            let tile = m.tile(name, &end.module);
            self.tie_place(m, (node, end.reads_place), tile);
            return PlacedSourceOrSink { endpoint: tile, end: tile };
        }
        let tile = m.tile_in(clock, name, &end.module);
        self.tie_place(m, (node, end.reads_place), tile);
        let crossing = m.tile((end.kind, "crossing", node), &(end.crossing)());
        crossing.clocked(OVERLAY_CLOCK, clock);
        (end.cross)(crossing, tile);
        PlacedSourceOrSink { endpoint: crossing, end: tile }
    }

    /// The source at a memory node with such an interface.
    fn place_source<'m>(
        &self,
        m: &'m Builder,
        clock: ClockDomain<'m>,
        node: u32,
        p: &InterfaceParams,
    ) -> PlacedSourceOrSink<'m> {
        let tree = self.tree(node).expect("a memory node that answers has a tree");
        let (params, f) = (self.source(tree, p), &p.packet(MessageClass::Reply));
        let end = SourceOrSink {
            kind: SOURCE,
            module: overlay_source(&params),
            reads_place: params.reads_place(),
            crossing: &|| overlay_source_crossing(f, params.credits()),
            cross: &|crossing, tile| SourceCrossing(crossing).net_tx().connect(PacketTaker(tile).tx()),
        };
        self.place_source_or_sink(m, clock, node, &end)
    }

    /// The sink at a core with such an interface.
    fn place_sink<'m>(
        &self,
        m: &'m Builder,
        clock: ClockDomain<'m>,
        node: u32,
        p: &InterfaceParams,
    ) -> PlacedSourceOrSink<'m> {
        let (params, f) = (self.sink(node, p), &p.packet(MessageClass::Reply));
        let end = SourceOrSink {
            kind: SINK,
            module: overlay_sink(&params),
            reads_place: false,
            crossing: &|| overlay_sink_crossing(f, params.places),
            cross: &|crossing, tile| PacketGiver(tile).rx().connect(SinkCrossing(crossing).net_rx()),
        };
        self.place_source_or_sink(m, clock, node, &end)
    }
}

/// Names of tiles.
const SOURCE: &str = "overlay_source";
const SINK: &str = "overlay_sink";

impl Endpoints for Overlay {
    fn uses_routers(&self, class: MessageClass) -> bool {
        class == MessageClass::Request
    }

    fn tx_credits(&self, p: &InterfaceParams) -> usize {
        if p.sends == MessageClass::Reply { self.credits(p) } else { p.tx_credits() }
    }

    fn whole(&self, kind: NodeKind) -> PacketPorts {
        PacketPorts { sends: kind == NodeKind::Memory, receives: kind == NodeKind::Core, ejects: false }
    }

    fn clock(&self) -> Option<[u32; 2]> {
        self.params().clock
    }

    /// A reply has a flit in a buffer, in one of the registers next to it, in a lane of a sink, or waits at its source.
    fn most_packets(&self) -> usize {
        let places = self.params().buffer + 4;
        let of_tree = |tree: &Tree| (tree.nodes().count() + 4) * places + 2 * PLACES + 4;
        let of_sinks = self.nodes().len() as usize * (self.trees().len() * places + 4 * HUB_PLACES);
        self.trees().iter().map(of_tree).sum::<usize>() + of_sinks
    }

    fn place<'m>(
        &self,
        m: &'m Builder,
        clock: ClockDomain<'m>,
        terminal: &Terminal<'m>,
        p: &InterfaceParams,
    ) -> Result<InterfaceTiles<'m>, NocError> {
        let plain = place_interface(m, terminal, p)?;
        Ok(match p.sends {
            MessageClass::Request => {
                let PlacedSourceOrSink { endpoint, end } = self.place_sink(m, clock, plain.node, p);
                InterfaceTiles { receives: PacketGiver(endpoint), joined: Some(end), ..plain }
            }
            MessageClass::Reply => {
                let PlacedSourceOrSink { endpoint, end } = self.place_source(m, clock, plain.node, p);
                InterfaceTiles { sends: PacketTaker(endpoint), joined: Some(end), ..plain }
            }
        })
    }

    fn place_whole<'m>(
        &self,
        m: &'m Builder,
        clock: ClockDomain<'m>,
        terminal: &Terminal<'m>,
        p: &InterfaceParams,
    ) -> Result<PacketPortTiles<'m>, NocError> {
        let node = terminal.node;
        let none = PacketPortTiles::default();
        Ok(match node.kind {
            NodeKind::Memory => {
                let PlacedSourceOrSink { endpoint, end } = self.place_source(m, clock, node.number, p);
                terminal.attach_injection(m, p, endpoint);
                PacketPortTiles { sends: Some(PacketTaker(endpoint)), joined: Some(end), ..none }
            }
            NodeKind::Core => {
                let PlacedSourceOrSink { endpoint, end } = self.place_sink(m, clock, node.number, p);
                PacketPortTiles { receives: Some(PacketGiver(endpoint)), joined: Some(end), ..none }
            }
            NodeKind::Empty => none,
        })
    }

    fn join<'m>(&self, m: &'m Builder, clock: ClockDomain<'m>, p: &InterfaceParams, joined: &BTreeMap<u32, Child<'m>>) {
        m.comment("Overlays from memory nodes to cores.");
        match self.params().clock {
            Some(_) => m.in_domain(clock, || self.join_ends(m, p, joined)),
            None => self.join_ends(m, p, joined),
        }
    }

    /// The path of each reply along its tree.
    fn depend(&self, found: &mut ChannelDependencies, flows: &[Flow]) {
        let place = |node: u32| {
            let node = self.nodes().node(node);
            (node.x, node.y)
        };
        let vcs = VcSet { class: Some(MessageClass::Reply), routing_class: None };
        let channel = |place| ChannelVertex { subnetwork: 1, place, vcs };
        for &flow in flows.iter().filter(|flow| flow.class == MessageClass::Reply) {
            let Some(tree) = self.tree(flow.source) else { continue };
            let root = place(tree.root);
            let link =
                |node: u32| tree.above(node).map(|(up, out)| channel(ChannelLocation::Overlay(root, place(up), out)));
            let path = tree.path(flow.dest);
            let eject = channel(ChannelLocation::OverlayEject(root, place(flow.dest)));
            let inject = channel(ChannelLocation::Inject(root));
            let channels: Vec<_> =
                [inject].into_iter().chain(path.into_iter().filter_map(link)).chain([eject]).collect();
            let cause = Cause::Packet { class: flow.class, source: root, dest: place(flow.dest) };
            channels.windows(2).for_each(|pair| found.add(pair[0], pair[1], cause));
            found.answers.entry(root).or_default().insert(inject);
        }
    }

    fn side_networks(&self) -> Option<SideNetworks> {
        let source = |tree: &Tree| SideSource { node: tree.root, links: self.routers_at(tree, tree.root).len() as u32 };
        let sources = self.trees().iter().map(source).collect();
        Some(SideNetworks { network: *self.network(), outputs: self.outputs(), sources })
    }
}
