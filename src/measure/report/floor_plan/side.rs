//! Channels of side networks (overlays) on a floor plan: thin lines beside those of the mesh.

use super::{FloorPlan, PITCH, SIDE, colour};
use crate::report::LinkUse;
use rtl::noc::{
    Output,
    endpoints::{SideNetworks, SideOutput},
};
use rustc_hash::FxHashMap;
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write,
};

/// Distance of a channel from the middle between two nodes, and its width.
const OVERLAYS_ASIDE: f64 = 14.0;
const OVERLAYS_WIDTH: f64 = 3.0;
/// Radius of the mark of a source of an overlay.
const SOURCE: f64 = 3.0;

/// Use of the same output of several side networks.
#[derive(Default)]
struct ChannelUse {
    /// Of the busiest.
    most: f64,
    /// Of each.
    words: Vec<String>,
    /// Positions in [`FloorPlan::links`].
    links: Vec<String>,
}

impl FloorPlan {
    /// By node, output and the node behind it: the use of that output of all side networks.
    fn side_use(&self, side: &SideNetworks) -> BTreeMap<(u32, Output, Option<u32>), ChannelUse> {
        let place = |(at, link): (usize, &LinkUse)| ((link.router.clone(), link.port.clone()), (at, link.utilisation));
        let used: FxHashMap<_, _> = self.links.iter().enumerate().map(place).collect();
        let mut all: BTreeMap<_, ChannelUse> = BTreeMap::new();
        for SideOutput { network, node, router, output, to, .. } in &side.outputs {
            let Some(&(link, share)) = used.get(&(router.clone(), output.to_string())) else { continue };
            let channel = all.entry((*node, *output, *to)).or_default();
            channel.most = channel.most.max(share);
            channel.words.push(format!("{share:.3} of {}", side.sources[*network].node));
            channel.links.push(link.to_string());
        }
        all
    }

    /// The channels of side networks from node to node.
    pub(super) fn side_channels(&self, out: &mut String, side: &SideNetworks, most: f64) {
        for ((node, output, to), channel) in self.side_use(side) {
            let Some(to) = to else { continue };
            let [(x, y), (to_x, to_y)] = [node, to].map(|node| {
                let (x, y) = self.topology.place(node);
                Self::at((2 * x + 1, 2 * y + 1))
            });
            let (dx, dy) = ((to_x - x) / PITCH, (to_y - y) / PITCH);
            let (x, y) = (x - dy * OVERLAYS_ASIDE + dx * SIDE / 2.0, y + dx * OVERLAYS_ASIDE + dy * SIDE / 2.0);
            let length = PITCH - SIDE - 4.0;
            let fill = colour(channel.most, most);
            let _ = writeln!(
                out,
                "<g data-busiest=\"{}\"><title>node {node} {output}, overlays: {} flits a cycle</title>\
                 <path d=\"M{x:.1} {y:.1} l{:.1} {:.1}\" stroke=\"{fill}\" stroke-width=\"{OVERLAYS_WIDTH}\"/>\
                 <path d=\"M{:.1} {:.1} l{:.1} {:.1} l{:.1} {:.1} z\" fill=\"{fill}\"/></g>",
                channel.links.join(" "),
                channel.words.join(", "),
                dx * length,
                dy * length,
                // A head of four pixels.
                x + dx * (length + 4.0),
                y + dy * (length + 4.0),
                -dx * 5.0 - dy * OVERLAYS_WIDTH,
                -dy * 5.0 + dx * OVERLAYS_WIDTH,
                2.0 * dy * OVERLAYS_WIDTH,
                -2.0 * dx * OVERLAYS_WIDTH,
            );
        }
    }

    /// Where overlays begin, and what they bring to cores.
    pub(super) fn side_ends(&self, out: &mut String, side: &SideNetworks, most: f64) {
        let corner = |node: u32| {
            let (x, y) = self.topology.place(node);
            let (x, y) = Self::at((2 * x + 1, 2 * y + 1));
            (x - SIDE / 2.0, y - SIDE / 2.0)
        };
        for (number, source) in side.sources.iter().enumerate() {
            let nodes = side.outputs.iter().filter(|output| output.network == number).map(|output| output.node);
            let ((left, top), nodes) = (corner(source.node), nodes.collect::<BTreeSet<_>>().len());
            let _ = writeln!(
                out,
                "<g><title>node {}: source of an overlay of {nodes} nodes</title>\
                 <circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"{SOURCE}\" fill=\"black\"/></g>",
                source.node,
                left + 7.0,
                top + 7.0
            );
        }
        for ((node, _, to), channel) in self.side_use(side) {
            if to.is_none() {
                let (left, top) = corner(node);
                let _ = writeln!(
                    out,
                    "<g data-busiest=\"{}\"><title>node {node}, from overlays: {} flits a cycle</title>\
                     <rect x=\"{:.1}\" y=\"{:.1}\" width=\"7\" height=\"7\" fill=\"{}\"/></g>",
                    channel.links.join(" "),
                    channel.words.join(", "),
                    left + SIDE - 9.0,
                    top + 2.0,
                    colour(channel.most, most)
                );
            }
        }
    }
}
