//! Faults: what of a network does not work, and the topology without it.
//!
//! ```text
//!   disabled column 3      faulty router 5       faulty link 5, 6
//!   0 -- 1 -- 2    .       0 -- 1 -- 2 -- 3      0 -- 1 -- 2 -- 3
//!   |    |    |            |         |    |      |    |    |    |
//!   4 -- 5 -- 6    .       4    .    6 -- 7      4 -- 5    6 -- 7
//! ```
//!
//! A router all of whose nodes are disabled, or that is faulty, is not there, and neither are its channels; nor is one
//! that is left with one neighbour and has no node. Its nodes are lost. What routing needs and is not there is an
//! error.
//!
//! Source: A. Bakhoda's thesis (2014), section 8.2.2: a chip with a faulty router is sold after disabling rows or
//! columns.

use super::{Graph, Link, NodeSlot, Topology, TopologyKind, TopologyParams};
use crate::{NocError, NodeKind, Nodes};
use serde::Serialize;

/// What of a network does not work.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default, Serialize)]
pub struct Faults {
    /// Rows of nodes that are disabled.
    pub rows: Vec<u32>,
    /// Columns of nodes that are disabled.
    pub columns: Vec<u32>,
    /// Nodes whose routers are faulty.
    pub routers: Vec<u32>,
    /// Pairs of nodes: the link between their routers is faulty, both ways.
    pub links: Vec<[u32; 2]>,
}

impl Faults {
    /// Everything works.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// In range, each once?
    fn check(&self, columns: u32, rows: u32) -> Result<(), NocError> {
        let of_nodes: Vec<u32> = self.links.iter().flatten().copied().collect();
        for (name, all, count) in [
            ("disabled_rows", &self.rows, rows),
            ("disabled_columns", &self.columns, columns),
            ("faulty_routers", &self.routers, columns * rows),
            ("faulty_links", &of_nodes, columns * rows),
        ] {
            let last = count - 1;
            if let Some(&number) = all.iter().find(|number| **number >= count) {
                return Err(NocError::Fault { name, number, problem: "is not there".into(), last });
            }
            let twice = |at: &usize| name != "faulty_links" && all[..*at].contains(&all[*at]);
            if let Some(at) = (0..all.len()).find(twice) {
                return Err(NocError::Fault { name, number: all[at], problem: "is listed twice".into(), last });
            }
        }
        let disabled =
            |node: &&u32| self.columns.contains(&(**node % columns)) || self.rows.contains(&(**node / columns));
        if let Some(&number) = self.routers.iter().find(disabled) {
            let (name, problem) = ("faulty_routers", "is in a disabled row or column already".into());
            return Err(NocError::Fault { name, number, problem, last: columns * rows - 1 });
        }
        Ok(())
    }

    /// Nodes that are lost: disabled, or at a faulty router. Errors: something that is not there, or is listed twice; faulty routers of a
    /// topology where nodes send and receive at different ones.
    pub fn lost(
        &self,
        params: TopologyParams,
        graph: &Graph,
        (columns, rows): (u32, u32),
    ) -> Result<Vec<u32>, NocError> {
        self.check(columns, rows)?;
        let disabled = |node: u32| self.columns.contains(&(node % columns)) || self.rows.contains(&(node / columns));
        if self.routers.is_empty() {
            return Ok((0..columns * rows).filter(|node| disabled(*node)).collect());
        }
        let topology = Topology::of_nodes(params, graph, &Nodes::with_kinds(columns, rows, |_| NodeKind::Core)?)?;
        let faulty = self.routers.iter().map(|node| topology.router_of(*node)).collect::<Result<Vec<_>, _>>()?;
        if let Some(at) = (0..faulty.len()).find(|at| faulty[..*at].contains(&faulty[*at])) {
            let (name, problem) = ("faulty_routers", "is at a router that is listed already".into());
            return Err(NocError::Fault { name, number: self.routers[at], problem, last: columns * rows - 1 });
        }
        let at_faulty = |node: u32| topology.router_of(node).is_ok_and(|site| faulty.contains(&site));
        Ok((0..columns * rows).filter(|node| disabled(*node) || at_faulty(*node)).collect())
    }
}

impl Topology {
    /// One in which every node may send and receive.
    fn of_nodes(params: TopologyParams, graph: &Graph, nodes: &Nodes) -> Result<Self, NocError> {
        Self::of(params, graph, nodes, |_| super::Roles { injects: true, ejects: true })
    }

    /// The router of a node, empty or not, in a topology where nodes send and receive at the same one.
    fn router_of(&self, node: u32) -> Result<usize, NocError> {
        if matches!(self.params.kind, TopologyKind::Butterfly | TopologyKind::Crossbar) {
            return Err(NocError::IndirectFaults);
        }
        let address = self.addressing.of(node);
        Ok(self.site_at((address.x, address.y)))
    }

    /// What is left without `faults`; `graph` as in [`of`](Self::of). Errors as [`Faults::lost`], and a link that is not there.
    pub fn without(mut self, faults: &Faults, graph: &Graph) -> Result<Self, NocError> {
        if faults.is_empty() {
            if self.params.kind == TopologyKind::Graph {
                self.drop_dead_ends();
            }
            return Ok(self);
        }
        let nodes = self.attached.len() as u32;
        let lost = faults.lost(self.params, graph, (self.columns, nodes / self.columns))?;
        let mut working = vec![0; self.sites.len()];
        for node in (0..nodes).filter(|node| !lost.contains(node)) {
            working[self.router_of(node)?] += 1;
        }
        for &[a, b] in &faults.links {
            let [from, to] = [self.router_of(a)?, self.router_of(b)?];
            let between = |link: &Link| [(from, to), (to, from)].contains(&(link.from, link.to));
            if working[from] == 0 || working[to] == 0 || !self.links.iter().any(between) {
                return Err(self.no_such_link(a, b, &working)?);
            }
            self.links.retain(|link| !between(link));
        }
        self.links.retain(|link| working[link.from] > 0 && working[link.to] > 0);
        for site in &mut self.sites {
            let is_lost = |slot: &NodeSlot| slot.node.is_some_and(|node| lost.contains(&node));
            site.slots.iter_mut().filter(|slot| is_lost(slot)).for_each(|slot| *slot = NodeSlot::NOBODY);
        }
        lost.iter().for_each(|node| self.attached[*node as usize] = [None; 2]);
        self.drop_dead_ends();
        Ok(self)
    }

    /// Removes links that lead only back: into a router without nodes that has no other output, and out of one that has no other input.
    fn drop_dead_ends(&mut self) {
        let without_nodes: Vec<bool> =
            self.sites.iter().map(|site| site.slots.iter().all(|slot| slot.node.is_none())).collect();
        loop {
            let links = &self.links;
            let leads_on = |link: &Link| links.iter().any(|next| next.from == link.to && next.out != link.into);
            let comes_from = |link: &Link| links.iter().any(|last| last.to == link.from && last.into != link.out);
            let is_dead = |link: &Link| {
                without_nodes[link.to] && !leads_on(link) || without_nodes[link.from] && !comes_from(link)
            };
            let left: Vec<_> = links.iter().filter(|link| !is_dead(link)).copied().collect();
            if left.len() == links.len() {
                return;
            }
            self.links = left;
        }
    }

    fn no_such_link(&self, a: u32, b: u32, working: &[u32]) -> Result<NocError, NocError> {
        let from = self.router_of(a)?;
        let is_neighbour = |node: &u32| {
            let Ok(to) = self.router_of(*node) else { return false };
            working[from] > 0 && working[to] > 0 && self.links.iter().any(|link| (link.from, link.to) == (from, to))
        };
        let neighbours: Vec<_> =
            (0..self.attached.len() as u32).filter(is_neighbour).map(|node| node.to_string()).collect();
        let problem = match neighbours.is_empty() {
            true => format!("has no link to node {b}, nor to another one"),
            false => format!("has no link to node {b}; it has links to those of nodes {}", neighbours.join(", ")),
        };
        Ok(NocError::Fault { name: "faulty_links", number: a, problem, last: self.attached.len() as u32 - 1 })
    }
}
