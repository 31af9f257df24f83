//! Routers as tiles of a chip, joined with sources and sinks.

use super::{Overlay, OverlayRouter, OverlaySink, OverlaySource, Tree, flit::OverlayFormat, overlay_router};
use crate::{InterfaceParams, Output, coordinates::Here};
use hdl::{Builder, Child};
use std::collections::BTreeMap;

impl Overlay {
    /// Places the routers and joins them with sources and sinks, by node, all in the current clock; `p`: an interface of any of them.
    pub(super) fn join_ends<'m>(&self, m: &'m Builder, p: &InterfaceParams, ends: &BTreeMap<u32, Child<'m>>) {
        let f = &self.format(p);
        for (c, tree) in self.trees().iter().enumerate() {
            let routers = self.place_routers(m, (c, tree), f, OverlaySource(ends[&tree.root]));
            for node in tree.nodes() {
                if let Some((above, direction)) = tree.above(node) {
                    let output = Output::To(direction);
                    // All outputs of a router of its own for each of them have the same input.
                    routers[&(above, output)].next(output).connect(routers[&(node, tree.outputs(node)[0])].flit());
                }
                if tree.outputs(node).contains(&Output::Eject(0)) {
                    let lane = self.sink(node, p).sources.iter().position(|&source| source == tree.root);
                    let lane = lane.expect("a core has a lane for each tree that reaches it");
                    let ejected = routers[&(node, Output::Eject(0))].next(Output::Eject(0));
                    ejected.connect(OverlaySink(ends[&node]).flit(lane));
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
        source: OverlaySource<'m>,
    ) -> BTreeMap<(u32, Output), OverlayRouter<'m>> {
        let mut routers = BTreeMap::new();
        for node in tree.nodes() {
            for (q, outputs) in self.routers_at(tree, node).into_iter().enumerate() {
                let params = self.router(*f, outputs);
                let router = OverlayRouter(m.tile(self.router_name(c, node, outputs), &overlay_router(&params)));
                self.tie_place(m, (node, params.reads_place()), router.0);
                if node == tree.root {
                    source.next(q).connect(router.flit());
                }
                routers.extend(outputs.iter().map(|&output| ((node, output), router)));
            }
        }
        routers
    }

    /// Ties a tile that looks at its place to the coordinates of a node.
    pub(super) fn tie_place<'m>(&self, m: &'m Builder, (node, reads_place): (u32, bool), tile: Child<'m>) {
        if reads_place {
            let (nodes, node) = (self.nodes(), self.nodes().node(node));
            Here(tile).tie(m, (nodes.columns(), nodes.rows()), (node.x, node.y));
        }
    }
}
