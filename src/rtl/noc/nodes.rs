//! Nodes: the floor plan of a chip. Which node is where, and what is attached to it ([`placement`](super::placement)).
//!
//! A node's number is `y * columns + x`; y grows to the south. How routers join the nodes is the
//! [`topology`](super::topology)'s.

use super::{Flow, MessageClass, NocError};
use serde::Serialize;

/// What a node is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
pub enum NodeKind {
    /// A core: sends requests, receives replies.
    Core,
    /// A memory controller: receives requests, sends replies.
    Memory,
    /// Nothing: its router has no ports for it.
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

/// The nodes of a chip.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Nodes {
    columns: u32,
    rows: u32,
    kinds: Vec<NodeKind>,
    memories: Vec<u32>,
}

impl Nodes {
    /// Memory controllers at the nodes `memories` (in the order of controllers) and cores at all others.
    pub fn new(columns: u32, rows: u32, memories: &[u32]) -> Result<Self, NocError> {
        Self::with_empty(columns, rows, memories, &[])
    }

    /// The same with nothing at the nodes `empty`.
    pub fn with_empty(columns: u32, rows: u32, memories: &[u32], empty: &[u32]) -> Result<Self, NocError> {
        let kinds = |node: u32| match (memories.contains(&node), empty.contains(&node)) {
            (true, _) => NodeKind::Memory,
            (false, true) => NodeKind::Empty,
            (false, false) => NodeKind::Core,
        };
        let nodes = Self::with_kinds(columns, rows, kinds)?;
        let last = columns * rows - 1;
        for (i, &node) in memories.iter().enumerate() {
            if node > last {
                return Err(NocError::Placement { node, problem: "there is no such node", last });
            }
            if memories[..i].contains(&node) {
                return Err(NocError::Placement { node, problem: "it is listed twice", last });
            }
        }
        for (i, &node) in empty.iter().enumerate() {
            if node > last {
                return Err(NocError::Empty { node, problem: "there is no such node", last });
            }
            if empty[..i].contains(&node) {
                return Err(NocError::Empty { node, problem: "it is listed twice", last });
            }
            if memories.contains(&node) {
                return Err(NocError::Empty { node, problem: "it is a memory node", last });
            }
        }
        Ok(Self { memories: memories.to_vec(), ..nodes })
    }

    /// Node `n` is a `kinds(n)`.
    pub fn with_kinds(columns: u32, rows: u32, kinds: impl Fn(u32) -> NodeKind) -> Result<Self, NocError> {
        if !(1..=32).contains(&columns) || !(1..=32).contains(&rows) {
            return Err(NocError::Size { columns, rows });
        }
        let kinds: Vec<_> = (0..columns * rows).map(kinds).collect();
        let memories = (0..).zip(&kinds).filter(|(_, kind)| **kind == NodeKind::Memory).map(|(node, _)| node).collect();
        Ok(Self { columns, rows, kinds, memories })
    }

    /// Nodes in a row.
    pub fn columns(&self) -> u32 {
        self.columns
    }

    /// Nodes in a column.
    pub fn rows(&self) -> u32 {
        self.rows
    }

    /// A node by its number.
    pub fn node(&self, number: u32) -> Node {
        let (x, y) = (number % self.columns, number / self.columns);
        Node { number, x, y, kind: self.kinds[number as usize] }
    }

    /// Nodes in order of their numbers.
    pub fn iter(&self) -> impl Iterator<Item = Node> + '_ {
        (0..self.len()).map(|number| self.node(number))
    }

    /// Number of nodes.
    pub fn len(&self) -> u32 {
        self.columns * self.rows
    }

    /// There is at least one node.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Nodes of the memory controllers, in the order of controllers.
    pub fn memories(&self) -> &[u32] {
        &self.memories
    }

    /// Nodes of the cores, in order.
    pub fn cores(&self) -> Vec<u32> {
        self.iter().filter(|n| n.kind == NodeKind::Core).map(|n| n.number).collect()
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
    use crate::{Direction, Input, PlacementKind, Topology, mesh::full_router};

    #[test]
    fn wrong_placements_are_errors() {
        assert!(matches!(Nodes::new(2, 2, &[4]), Err(NocError::Placement { node: 4, .. })));
        assert!(matches!(Nodes::new(2, 2, &[1, 1]), Err(NocError::Placement { node: 1, .. })));
        assert!(matches!(Nodes::new(0, 2, &[]), Err(NocError::Size { .. })));
        for empty in [&[4][..], &[1, 1], &[0]] {
            let error = Nodes::with_empty(2, 2, &[0], empty).expect_err("wrong");
            assert!(matches!(error, NocError::Empty { node, .. } if node == empty[0]), "{error}");
        }
    }

    /// The system of 112 cores of section 6.9: an 11 x 11 mesh with eight memory nodes and one empty node.
    #[test]
    fn an_empty_node_has_a_router_and_no_traffic() {
        let memories = PlacementKind::Scattered2.nodes(11, 11, 8).expect("fits");
        let nodes = Nodes::with_empty(11, 11, &memories, &[120]).expect("legal");
        let links = Topology::mesh(&nodes).directions(120).0;
        assert_eq!((nodes.cores().len(), links.len()), (112, 2));
        assert!(nodes.flows().iter().all(|flow| flow.source != 120 && flow.dest != 120));
        let router = full_router(&nodes, nodes.node(120));
        assert_eq!(router.inputs(), [Input::From(Direction::North), Input::From(Direction::West)]);
    }
}
