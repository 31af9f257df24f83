//! The overlays of a chip: a tree for each memory node, grown from the routes of its replies.

use super::{
    OverlayFormat, OverlayParams, OverlayRouterParams, OverlaySinkParams, OverlaySourceParams,
    router::{HOP, ROUND_TRIP},
};
use crate::{
    Direction, FlitFormat, Flow, InterfaceParams, MessageClass, NetworkParams, NocError, NodeKind, Nodes, Output,
    Routing,
    endpoints::SideOutput,
    routing::{Hop, HopRule, View},
};
use hdl::PortName;
use std::{collections::BTreeMap, fmt};

/// Overlays, checked: each is a tree; see the [module documentation](super).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Overlay {
    params: OverlayParams,
    nodes: Nodes,
    network: NetworkParams,
    trees: Vec<Tree>,
}

/// The routers of an overlay, and how they are joined.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tree {
    /// Node of its source.
    pub root: u32,
    /// By node: the router from which it is reached, and the output there.
    above: BTreeMap<u32, (u32, Direction)>,
    /// By node: outputs of the router there, in order.
    outputs: BTreeMap<u32, Vec<Output>>,
}

impl Tree {
    /// The routes from `root` to `dests` by a rule. Errors: a router that packets come into from two sides, so that outputs would have to be
    /// arbitrated.
    pub fn grow(nodes: &Nodes, root: u32, dests: &[u32], rule: HopRule) -> Result<Self, NocError> {
        let mut tree = Self { root, above: BTreeMap::new(), outputs: BTreeMap::new() };
        let place = |node: u32| (nodes.node(node).x, nodes.node(node).y);
        for &dest in dests {
            let mut open = vec![(root, None)];
            let mut seen = vec![];
            while let Some((node, from)) = open.pop() {
                let size = (nodes.columns(), nodes.rows());
                let [here, dest] = [node, dest].map(place);
                for (hop, _) in
                    rule.steps(View { from, here, dest, waypoint: dest, size, routing_class: 0, routes: None })
                {
                    let Hop::Link(direction) = hop else {
                        tree.add(node, Output::Eject(0));
                        continue;
                    };
                    tree.add(node, Output::To(direction));
                    let next = neighbour(nodes, node, direction);
                    tree.enter(next, (node, direction))?;
                    if !seen.contains(&next) {
                        seen.push(next);
                        open.push((next, Some(direction.opposite())));
                    }
                }
            }
        }
        Ok(tree)
    }

    fn add(&mut self, node: u32, output: Output) {
        let outputs = self.outputs.entry(node).or_default();
        if !outputs.contains(&output) {
            outputs.push(output);
            outputs.sort();
        }
    }

    /// A packet comes into the router of `node`: always from the same side, and never into the root.
    fn enter(&mut self, node: u32, from: (u32, Direction)) -> Result<(), NocError> {
        let known = *self.above.entry(node).or_insert(from);
        if node == self.root || known != from {
            let others = if node == self.root { self.root } else { known.0 };
            return Err(NocError::NotATree { root: self.root, at: node, from: [others, from.0] });
        }
        Ok(())
    }

    /// Nodes with a router, the root among them.
    pub fn nodes(&self) -> impl Iterator<Item = u32> {
        self.outputs.keys().copied()
    }

    /// Outputs of the router of a node.
    pub fn outputs(&self, node: u32) -> &[Output] {
        self.outputs.get(&node).map_or(&[], |outputs| outputs)
    }

    /// The router and the output by which that of a node is reached; none of the root.
    pub fn above(&self, node: u32) -> Option<(u32, Direction)> {
        self.above.get(&node).copied()
    }

    /// The node to whose router an output of that of `node` leads.
    pub fn below(&self, node: u32, direction: Direction) -> Option<u32> {
        self.above.iter().find(|(_, from)| **from == (node, direction)).map(|(&below, _)| below)
    }

    /// Links between routers.
    pub fn links(&self) -> usize {
        self.above.len()
    }

    /// Routers from the root to a node, both included.
    pub fn path(&self, node: u32) -> Vec<u32> {
        let mut path = vec![node];
        while let Some((above, _)) = self.above(path[path.len() - 1]) {
            path.push(above);
        }
        path.reverse();
        path
    }
}

/// The node in a direction of a mesh.
fn neighbour(nodes: &Nodes, node: u32, direction: Direction) -> u32 {
    match direction {
        Direction::North => node - nodes.columns(),
        Direction::East => node + 1,
        Direction::South => node + nodes.columns(),
        Direction::West => node - 1,
        other => unreachable!("a mesh has no link {other}"),
    }
}

impl Overlay {
    /// All outputs of the routers, tree by tree, node by node.
    pub fn outputs(&self) -> Vec<SideOutput> {
        let mut all = vec![];
        for (tree, of) in self.trees.iter().enumerate() {
            for node in of.nodes() {
                for outputs in self.routers_at(of, node) {
                    let router = self.router_name(tree, node, outputs);
                    let output = |(number, &output): (usize, &Output)| {
                        let to = if let Output::To(direction) = output { of.below(node, direction) } else { None };
                        SideOutput { network: tree, node, router: router.clone(), number, output, to }
                    };
                    all.extend(outputs.iter().enumerate().map(output));
                }
            }
        }
        all
    }

    /// Outputs of each router that a tree has at a node: one router, or with split queues at the root one for each output.
    pub fn routers_at<'a>(&self, tree: &'a Tree, node: u32) -> Vec<&'a [Output]> {
        let outputs = tree.outputs(node);
        let each = if self.params.split && node == tree.root { 1 } else { outputs.len().max(1) };
        outputs.chunks(each).collect()
    }

    /// Name of the tile of the router with these outputs at a node of tree number `tree`.
    pub(super) fn router_name(&self, tree: usize, node: u32, outputs: &[Output]) -> String {
        match self.params.split && node == self.trees[tree].root {
            true => (("overlay", tree), ("root_to", outputs[0])).text(),
            false => (("overlay", tree), ("router", node)).text(),
        }
    }

    /// For the replies among `flows`; `requests`: the network of requests, whose packets replies are like. Errors: numbers out of range, replies
    /// that do not go from a memory node to a core, routes that are not a tree.
    pub fn new(
        params: OverlayParams,
        nodes: &Nodes,
        requests: &NetworkParams,
        flows: &[Flow],
    ) -> Result<Self, NocError> {
        let FlitFormat { node_bits, sideband_bits, .. } = requests.format;
        let refuse = |name, value: String, allowed: String| Err(NocError::Overlay { name, value, allowed });
        if !params.width.is_multiple_of(8) || !(8..=1024).contains(&params.width) || params.width < node_bits {
            let allowed = "1 to 128 bytes, and not less than a node number has".into();
            return refuse("channel_bytes", format!("{}", f64::from(params.width) / 8.0), allowed);
        }
        if !(1..=256).contains(&params.buffer) {
            return refuse("buffer", params.buffer.to_string(), "1 to 256".into());
        }
        let kind = |node: u32| nodes.node(node).kind;
        let wrong = |flow: &Flow| match flow.class {
            MessageClass::Request => kind(flow.source) != NodeKind::Core,
            MessageClass::Reply => kind(flow.source) != NodeKind::Memory || kind(flow.dest) != NodeKind::Core,
        };
        if flows.iter().any(wrong) {
            let allowed = "none, with traffic in which others than memory nodes answer cores".into();
            return refuse("kind", "da2mesh".into(), allowed);
        }
        let replies = |root: u32| {
            let of = flows.iter().filter(|flow| flow.class == MessageClass::Reply && flow.source == root);
            of.map(|flow| flow.dest).collect::<Vec<_>>()
        };
        let trees = nodes.memories().iter().map(|&root| (root, replies(root))).filter(|(_, dests)| !dests.is_empty());
        let trees = trees.map(|(root, dests)| Tree::grow(nodes, root, &dests, Routing::Xy.rule()));
        let trees = trees.collect::<Result<_, _>>()?;
        let format = FlitFormat { width: params.width, ..FlitFormat::new(1, 8, nodes.len(), sideband_bits) };
        let network = NetworkParams { longest: requests.longest, ..NetworkParams::new(format, params.buffer, 1) };
        Ok(Self { params, nodes: nodes.clone(), network, trees })
    }

    /// What it was made from.
    pub fn params(&self) -> &OverlayParams {
        &self.params
    }

    /// The nodes of the mesh.
    pub fn nodes(&self) -> &Nodes {
        &self.nodes
    }

    /// Its channels, as endpoints see them: replies are cut into flits of this width.
    pub fn network(&self) -> &NetworkParams {
        &self.network
    }

    /// The trees, in the order of memory nodes.
    pub fn trees(&self) -> &[Tree] {
        &self.trees
    }

    /// The tree whose source is at a node.
    pub fn tree(&self, root: u32) -> Option<&Tree> {
        self.trees.iter().find(|tree| tree.root == root)
    }

    /// Flits of the replies of interfaces like `p`.
    pub fn format(&self, p: &InterfaceParams) -> OverlayFormat {
        OverlayFormat { packet: p.packet(MessageClass::Reply), header_flits: self.header_flits() }
    }

    /// Flits of the header of a reply.
    pub fn header_flits(&self) -> u32 {
        self.params.with_header_of(&self.network.format).header_flits
    }

    /// The router of a tree at a node, with these outputs.
    pub(super) fn router(&self, format: OverlayFormat, outputs: &[Output]) -> OverlayRouterParams {
        let (columns, rows) = (self.nodes.columns(), self.nodes.rows());
        OverlayRouterParams { columns, rows, outputs: outputs.to_vec(), format, buffer: self.params.buffer }
    }

    /// The source of a tree; `p`: the interface of its node.
    pub fn source(&self, tree: &Tree, p: &InterfaceParams) -> OverlaySourceParams {
        OverlaySourceParams {
            columns: self.nodes.columns(),
            rows: self.nodes.rows(),
            format: self.format(p),
            split: if self.params.split { tree.outputs(tree.root).to_vec() } else { vec![] },
            places: p.tx_queue_packets,
            buffer: self.params.buffer,
        }
    }

    /// Packets for which the controllers at memory nodes with such an interface have credits at the start: the same for all.
    pub fn credits(&self, p: &InterfaceParams) -> usize {
        self.trees.first().map_or(p.tx_queue_packets, |tree| self.source(tree, p).credits())
    }

    /// The sink at a core; `p`: its interface.
    pub fn sink(&self, core: u32, p: &InterfaceParams) -> OverlaySinkParams {
        let reaches = |tree: &&Tree| tree.outputs(core).contains(&Output::Eject(0));
        OverlaySinkParams {
            format: self.format(p),
            sources: self.trees.iter().filter(reaches).map(|tree| tree.root).collect(),
            buffer: self.params.buffer,
            places: p.rx_queue_packets,
        }
    }

    /// Cycles of a reply of so many flits of payload alone in its overlay, from the one in which its controller shows it to the one in which it is
    /// shown to its core: two to the channel of the root, [`HOP`] a router, one for each further flit, and reassembly. With less than
    /// [`ROUND_TRIP`] places a link waits for credits. With a clock of their own: cycles of the network, without those of the crossings.
    pub fn zero_load(&self, flow: Flow, flits: u32) -> Option<u64> {
        let tree = self.tree(flow.source)?;
        let reaches = |tree: &&Tree| tree.outputs(flow.dest).contains(&Output::Eject(0));
        let sources = self.trees.iter().filter(reaches).count();
        let (routers, behind) = (tree.path(flow.dest).len() as u32, self.header_flits() + flits - 1);
        let waits = behind / self.params.buffer as u32 * ROUND_TRIP.saturating_sub(self.params.buffer as u32);
        let reassembly = if sources == 1 { 2 } else { 3 };
        let cycles = 2 + HOP * routers + behind + waits + reassembly;
        Some(self.params.clock.map_or(cycles, |[own, network]| (cycles * network).div_ceil(own)).into())
    }
}

/// In words.
impl fmt::Display for Overlay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let OverlayParams { width, buffer, split, .. } = self.params;
        let (trees, header) = (self.trees.len(), self.header_flits());
        let routers: usize = self.trees.iter().map(|tree| tree.nodes().count()).sum();
        let queues = if split { "a queue for each first hop" } else { "one queue" };
        write!(
            f,
            "replies by {trees} overlays of {width} bits, each a tree, {routers} nodes in all: buffers of {buffer} flits, headers of {header} flits, {queues} at a controller"
        )?;
        self.params.clock.map_or(Ok(()), |[own, network]| write!(f, "; at {own} MHz, the network at {network}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nodes() -> Nodes {
        Nodes::new(4, 3, &[1, 6]).expect("legal")
    }

    /// XY routes of each source are a tree that reaches all cores by shortest paths.
    #[test]
    fn xy_routes_of_a_source_are_a_tree() {
        let nodes = nodes();
        for &root in nodes.memories() {
            let tree = Tree::grow(&nodes, root, &nodes.cores(), Routing::Xy.rule()).expect("XY");
            assert_eq!(tree.links(), tree.nodes().count() - 1, "one way into each router but the root");
            for core in nodes.cores() {
                let path = tree.path(core);
                let [a, b] = [root, core].map(|node| nodes.node(node));
                assert_eq!(path[0], root);
                assert_eq!(path.len() as u32, 1 + a.x.abs_diff(b.x) + a.y.abs_diff(b.y), "{path:?}");
                assert!(tree.outputs(core).contains(&Output::Eject(0)));
                let (above, direction) = tree.above(core).expect("a core is not the root");
                assert_eq!(tree.below(above, direction), Some(core));
            }
            let leaves = tree.nodes().filter(|&node| tree.outputs(node).is_empty());
            assert_eq!(leaves.count(), 0, "no router leads nowhere");
        }
    }

    /// Routes of a source by odd-even turns come into a router from two sides.
    #[test]
    fn routes_by_several_ways_are_not_a_tree() {
        let nodes = nodes();
        let error = Tree::grow(&nodes, 1, &nodes.cores(), Routing::OddEven.rule()).expect_err("no tree").to_string();
        assert!(error.contains("overlay of memory node 1: packets come into router"), "{error}");
    }
}
