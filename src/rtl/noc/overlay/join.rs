//! Sources, sinks and routers as tiles of a chip, joined.

use super::{
    Overlay, Tree,
    flit::{OverlayFlit, OverlayFormat},
    overlay_router, overlay_sink, overlay_sink_crossing, overlay_source, overlay_source_crossing,
};
use crate::noc::{
    InterfaceParams, MessageClass, Output,
    coordinates::widths,
    packet::{ReceivedPacket, SentPacket},
};
use hdl::{Builder, Bundle, Child, ClockDomain, PortName};
use std::collections::BTreeMap;

/// A source or a sink in its place.
#[derive(Clone, Copy)]
pub struct PlacedEnd<'m> {
    /// The tile at the endpoint, in the network's clock: the source or sink, or its crossing.
    pub endpoint: Child<'m>,
    /// The source or sink.
    pub overlay: Child<'m>,
}

impl Overlay {
    /// The source at a memory node with such an interface, behind a crossing where overlays have a clock of their own.
    pub fn place_source<'m>(
        &self,
        m: &'m Builder,
        clock: ClockDomain<'m>,
        node: u32,
        p: &InterfaceParams,
    ) -> PlacedEnd<'m> {
        let tree = self.tree(node).expect("a memory node that answers has a tree");
        let (params, f) = (self.source(tree, p), &p.packet(MessageClass::Reply));
        let name = ("overlay_source", node);
        if self.params().clock.is_none() {
            let tile = m.tile(name, &overlay_source(&params));
            self.tie_place(m, node, tile);
            return PlacedEnd { endpoint: tile, overlay: tile };
        }
        let tile = m.tile_in(clock, name, &overlay_source(&params));
        self.tie_place(m, node, tile);
        let module = overlay_source_crossing(f, params.credits());
        let crossing = m.tile(("overlay_source_crossing", node), &module);
        crossing.clocked("overlay", clock);
        SentPacket::connect(f, (crossing, "net_tx"), (tile, "tx"));
        crossing.drive("net_tx_credit", tile.get("tx_credit"));
        PlacedEnd { endpoint: crossing, overlay: tile }
    }

    /// The sink at a core with such an interface, likewise.
    pub fn place_sink<'m>(
        &self,
        m: &'m Builder,
        clock: ClockDomain<'m>,
        node: u32,
        p: &InterfaceParams,
    ) -> PlacedEnd<'m> {
        let (params, f) = (self.sink(node, p), &p.packet(MessageClass::Reply));
        let name = ("overlay_sink", node);
        if self.params().clock.is_none() {
            let tile = m.tile(name, &overlay_sink(&params));
            return PlacedEnd { endpoint: tile, overlay: tile };
        }
        let tile = m.tile_in(clock, name, &overlay_sink(&params));
        let crossing = m.tile(("overlay_sink_crossing", node), &overlay_sink_crossing(f, params.places));
        crossing.clocked("overlay", clock);
        ReceivedPacket::connect(f, (tile, "rx"), (crossing, "net_rx"));
        tile.drive("rx_credit", crossing.get("net_rx_credit"));
        PlacedEnd { endpoint: crossing, overlay: tile }
    }

    /// Places the routers and joins them with sources and sinks, by node, all in the current clock; `p`: an interface of any of them.
    pub fn join<'m>(
        &self,
        m: &'m Builder,
        p: &InterfaceParams,
        sources: &BTreeMap<u32, Child<'m>>,
        sinks: &BTreeMap<u32, Child<'m>>,
    ) {
        let f = &self.format(p);
        for (c, tree) in self.trees().iter().enumerate() {
            let routers = self.place_routers(m, (c, tree), f, sources[&tree.root]);
            for node in tree.nodes() {
                if let Some((above, direction)) = tree.above(node) {
                    let output = Output::To(direction);
                    // All outputs of a router of its own for each of them have the same input.
                    connect(
                        f,
                        (routers[&(above, output)], ("out", output)),
                        (routers[&(node, tree.outputs(node)[0])], "in"),
                    );
                }
                if tree.outputs(node).contains(&Output::Eject(0)) {
                    let lane = self.sink(node, p).sources.iter().position(|&source| source == tree.root);
                    let lane = lane.expect("a core has a lane for each tree that reaches it");
                    let router = routers[&(node, Output::Eject(0))];
                    connect(f, (router, ("out", Output::Eject(0))), (sinks[&node], ("in", lane)));
                }
            }
        }
    }

    /// The routers of a tree by node and output, the root behind its source. With split queues the root is a router for each output.
    fn place_routers<'m>(
        &self,
        m: &'m Builder,
        (c, tree): (usize, &Tree),
        f: &OverlayFormat,
        source: Child<'m>,
    ) -> BTreeMap<(u32, Output), Child<'m>> {
        let mut routers = BTreeMap::new();
        for node in tree.nodes() {
            for (q, outputs) in self.routers_at(tree, node).into_iter().enumerate() {
                let tile = m.tile(self.router_name(c, node, outputs), &overlay_router(&self.router(*f, outputs)));
                self.tie_place(m, node, tile);
                if node == tree.root {
                    connect(f, (source, ("out", q)), (tile, "in"));
                }
                routers.extend(outputs.iter().map(|&output| ((node, output), tile)));
            }
        }
        routers
    }

    /// Ties the coordinates of a tile that reads them.
    fn tie_place<'m>(&self, m: &'m Builder, node: u32, tile: Child<'m>) {
        if tile.has_input("here_x") {
            let (x, y) = widths(self.nodes().columns(), self.nodes().rows());
            let node = self.nodes().node(node);
            tile.drive("here_x", m.lit(x, node.x.into()));
            tile.drive("here_y", m.lit(y, node.y.into()));
        }
    }
}

/// Connects a channel, and its credits back.
fn connect<'m>(f: &OverlayFormat, (from, out): (Child<'m>, impl PortName), (to, into): (Child<'m>, impl PortName)) {
    let (out, into) = (out.text(), into.text());
    OverlayFlit::connect(f, (from, &out), (to, &into));
    from.drive((&out, "credit"), to.get((&into, "credit")));
}
