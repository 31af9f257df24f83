//! Routers as tiles of a chip, joined with sources and sinks.

use super::{
    Overlay, Tree,
    flit::{OverlayFlit, OverlayFormat},
    overlay_router,
};
use crate::noc::{InterfaceParams, Output, coordinates::widths};
use hdl::{Builder, Bundle, Child, PortName};
use std::collections::BTreeMap;

impl Overlay {
    /// Places the routers and joins them with sources and sinks, by node, all in the current clock; `p`: an interface of any of them.
    pub(super) fn join_ends<'m>(&self, m: &'m Builder, p: &InterfaceParams, ends: &BTreeMap<u32, Child<'m>>) {
        let f = &self.format(p);
        for (c, tree) in self.trees().iter().enumerate() {
            let routers = self.place_routers(m, (c, tree), f, ends[&tree.root]);
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
                    connect(f, (router, ("out", Output::Eject(0))), (ends[&node], ("in", lane)));
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
    pub(super) fn tie_place<'m>(&self, m: &'m Builder, node: u32, tile: Child<'m>) {
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
