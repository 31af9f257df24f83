//! Topology: the nodes and links of a network as a graph, and which node is what ([`placement`](super::placement)).
//!
//! A node's number is `y * columns + x`; y grows to the south. Each link is one edge and one flit channel, so neighbours are joined
//! by two edges.

use super::{Direction, Flow, MessageClass, NocError};
use petgraph::{
    graph::{DiGraph, NodeIndex},
    visit::EdgeRef,
};

/// What is attached to a router.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum NodeKind {
    /// A core: sends requests, receives replies.
    Core,
    /// A memory controller: receives requests, sends replies.
    Memory,
    /// Nothing: the router has no terminal ports.
    Empty,
}

/// A node.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Node {
    /// `y * columns + x`.
    pub number: u32,
    /// Column.
    pub x: u32,
    /// Row.
    pub y: u32,
    /// What is attached.
    pub kind: NodeKind,
}

/// A channel to a neighbour.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Link {
    /// As seen from the sender.
    pub direction: Direction,
}

/// A mesh of nodes.
#[derive(Clone, Debug)]
pub struct Mesh {
    columns: u32,
    rows: u32,
    graph: DiGraph<Node, Link>,
    memories: Vec<u32>,
}

impl Mesh {
    /// A mesh with memory controllers at the nodes `memories` (in the order of controllers) and cores at all others.
    pub fn new(columns: u32, rows: u32, memories: &[u32]) -> Result<Self, NocError> {
        Self::with_empty(columns, rows, memories, &[])
    }

    /// The same with nothing at the nodes `empty`: routers without terminal ports.
    pub fn with_empty(columns: u32, rows: u32, memories: &[u32], empty: &[u32]) -> Result<Self, NocError> {
        let kinds = |node: u32| match (memories.contains(&node), empty.contains(&node)) {
            (true, _) => NodeKind::Memory,
            (false, true) => NodeKind::Empty,
            (false, false) => NodeKind::Core,
        };
        let mesh = Self::with_kinds(columns, rows, kinds)?;
        let last = columns * rows - 1;
        for (i, &node) in memories.iter().enumerate() {
            if node > last {
                return Err(NocError::Placement { node, problem: "there is no such node", last });
            }
            if memories[..i].contains(&node) {
                return Err(NocError::Placement { node, problem: "it stands twice in the list", last });
            }
        }
        for (i, &node) in empty.iter().enumerate() {
            if node > last {
                return Err(NocError::Empty { node, problem: "there is no such node", last });
            }
            if empty[..i].contains(&node) {
                return Err(NocError::Empty { node, problem: "it stands twice in the list", last });
            }
            if memories.contains(&node) {
                return Err(NocError::Empty { node, problem: "it is a memory node", last });
            }
        }
        Ok(Self { memories: memories.to_vec(), ..mesh })
    }

    /// A mesh whose node `n` is a `kinds(n)`.
    pub fn with_kinds(columns: u32, rows: u32, kinds: impl Fn(u32) -> NodeKind) -> Result<Self, NocError> {
        if !(1..=32).contains(&columns) || !(1..=32).contains(&rows) {
            return Err(NocError::Size { columns, rows });
        }
        let mut graph = DiGraph::new();
        for number in 0..columns * rows {
            graph.add_node(Node { number, x: number % columns, y: number / columns, kind: kinds(number) });
        }
        let at = |x: u32, y: u32| NodeIndex::new((y * columns + x) as usize);
        for y in 0..rows {
            for x in 0..columns {
                let mut join = |direction: Direction, to: NodeIndex| {
                    graph.add_edge(at(x, y), to, Link { direction });
                    graph.add_edge(to, at(x, y), Link { direction: direction.opposite() });
                };
                if x + 1 < columns {
                    join(Direction::East, at(x + 1, y));
                }
                if y + 1 < rows {
                    join(Direction::South, at(x, y + 1));
                }
            }
        }
        let of_kind = |kind| graph.node_weights().filter(move |n: &&Node| n.kind == kind).map(|n| n.number);
        let memories = of_kind(NodeKind::Memory).collect();
        Ok(Self { columns, rows, graph, memories })
    }

    /// Nodes in a row.
    pub fn columns(&self) -> u32 {
        self.columns
    }

    /// Nodes in a column.
    pub fn rows(&self) -> u32 {
        self.rows
    }

    /// Nodes and links; node `n` has index `n`.
    pub fn graph(&self) -> &DiGraph<Node, Link> {
        &self.graph
    }

    /// A node by its number.
    pub fn node(&self, number: u32) -> Node {
        self.graph[NodeIndex::new(number as usize)]
    }

    /// Nodes in order of their numbers.
    pub fn nodes(&self) -> impl Iterator<Item = Node> + '_ {
        self.graph.node_weights().copied()
    }

    /// Number of nodes.
    pub fn len(&self) -> u32 {
        self.columns * self.rows
    }

    /// A mesh has at least one node.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Nodes of the memory controllers, in the order of controllers.
    pub fn memories(&self) -> &[u32] {
        &self.memories
    }

    /// Nodes of the cores, in order.
    pub fn cores(&self) -> Vec<u32> {
        self.nodes().filter(|n| n.kind == NodeKind::Core).map(|n| n.number).collect()
    }

    /// Directions in which `node` has a neighbour, in the order of ports.
    pub fn links(&self, node: u32) -> Vec<Direction> {
        let mut links: Vec<_> = self.graph.edges(NodeIndex::new(node as usize)).map(|e| e.weight().direction).collect();
        links.sort();
        links
    }

    /// Channels as (sender, direction as seen from it, receiver), in order.
    pub fn channels(&self) -> Vec<(u32, Direction, u32)> {
        let number = |i: NodeIndex| self.graph[i].number;
        let edges = self.graph.edge_references();
        let mut out: Vec<_> = edges.map(|e| (number(e.source()), e.weight().direction, number(e.target()))).collect();
        out.sort();
        out
    }

    /// Who sends packets to whom on the chip: cores requests to memory controllers, which send replies.
    pub fn flows(&self) -> Vec<Flow> {
        let flow = |class, source, dest| Flow { class, source, dest };
        let both = |c: u32, m: u32| [flow(MessageClass::Request, c, m), flow(MessageClass::Reply, m, c)];
        let cores = self.cores();
        cores.into_iter().flat_map(|c| self.memories.iter().flat_map(move |&m| both(c, m))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::noc::{Input, Placement, mesh::full_router};

    #[test]
    fn corners_edges_and_the_middle_have_two_three_and_four_neighbours() {
        let mesh = Mesh::new(3, 3, &[1]).expect("legal");
        let degrees: Vec<_> = (0..9).map(|n| mesh.links(n).len()).collect();
        assert_eq!(degrees, [2, 3, 2, 3, 4, 3, 2, 3, 2]);
        assert_eq!(mesh.channels().len(), 24);
        assert_eq!(mesh.flows().len(), 16);
        assert!(mesh.channels().contains(&(4, Direction::North, 1)));
    }

    #[test]
    fn wrong_placements_are_errors() {
        assert!(matches!(Mesh::new(2, 2, &[4]), Err(NocError::Placement { node: 4, .. })));
        assert!(matches!(Mesh::new(2, 2, &[1, 1]), Err(NocError::Placement { node: 1, .. })));
        assert!(matches!(Mesh::new(0, 2, &[]), Err(NocError::Size { .. })));
        for empty in [&[4][..], &[1, 1], &[0]] {
            let error = Mesh::with_empty(2, 2, &[0], empty).expect_err("wrong");
            assert!(matches!(error, NocError::Empty { node, .. } if node == empty[0]), "{error}");
        }
    }

    /// The system of 112 cores of section 6.9: an 11 x 11 mesh with eight memory nodes and one empty node.
    #[test]
    fn an_empty_node_has_a_router_and_no_traffic() {
        let memories = Placement::Scattered2.nodes(11, 11, 8).expect("fits");
        let mesh = Mesh::with_empty(11, 11, &memories, &[120]).expect("legal");
        assert_eq!((mesh.cores().len(), mesh.links(120).len()), (112, 2));
        assert!(mesh.flows().iter().all(|flow| flow.source != 120 && flow.dest != 120));
        let router = full_router(&mesh, mesh.nodes().nth(120).expect("the last node"));
        assert_eq!(router.inputs(), [Input::From(Direction::North), Input::From(Direction::West)]);
    }
}
