//! Routers that are joined in any way, as a configuration lists them.
//!
//! ```text
//!   nodes = [0, 0, 1, 2]          router of each node        n0 n1   n2
//!   links = [[0, 1], [1, 2, 3]]   pairs of routers, and          \ |    |
//!   one_way_links = [[2, 0]]      the length in tiles             r0 == r1 ===== r2 -- n3
//! ```
//!
//! A link is two channels, one each way; one of `one_way_links` is one channel, from the first router to the second.
//! Ports are numbered at each router in the order of the links, those of `one_way_links` last. A router stands in the
//! middle of its nodes; one without nodes in the middle of its neighbours.

use super::{
    Addressing, Draft, Link, NodeAddress, NodeSlot, Roles, Site, SiteName, TopologyParams, TopologyPolicy,
    indirect::{MOST_PORTS, middle},
};
use crate::{Direction, NocError, Node, NodeKind, Nodes, Routing};
use serde::Serialize;

/// Most routers.
const MOST_ROUTERS: u32 = 256;
/// Longest link in tiles.
const MOST_TILES: u32 = 64;

/// Routers and links; see the [module documentation](self).
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default, Serialize)]
pub struct Graph {
    /// Router of each node.
    pub nodes: Vec<u32>,
    /// Two routers, and perhaps the length in tiles.
    pub links: Vec<Vec<u32>>,
    /// The same, in the direction from the first router to the second alone.
    pub one_way_links: Vec<Vec<u32>>,
}

/// A link of a [`Graph`].
struct GraphLink {
    ends: [u32; 2],
    tiles: u32,
    one_way: bool,
}

/// [`TopologyKind::Graph`](super::TopologyKind::Graph).
pub struct OfGraph;

impl TopologyPolicy for OfGraph {
    fn draft(
        &self,
        _: TopologyParams,
        graph: &Graph,
        nodes: &Nodes,
        _: &dyn Fn(NodeKind) -> Roles,
    ) -> Result<Draft, NocError> {
        graph.draft(nodes)
    }

    fn routing(&self, asked: Routing, _: u32) -> Option<Routing> {
        match asked {
            Routing::Xy | Routing::UpDown => Some(Routing::UpDown),
            Routing::Adaptive | Routing::AdaptiveUpDown => Some(Routing::AdaptiveUpDown),
            _ => None,
        }
    }
}

fn wrong(name: &'static str, value: impl std::fmt::Debug, allowed: String) -> NocError {
    NocError::Graph { name, value: format!("{value:?}"), allowed }
}

impl Graph {
    /// Routers: the highest number and one.
    pub fn routers(&self) -> u32 {
        self.nodes.iter().chain(self.ends()).max().map_or(0, |last| last.saturating_add(1))
    }

    /// Routers at the ends of all links.
    fn ends(&self) -> impl Iterator<Item = &u32> {
        self.links.iter().chain(&self.one_way_links).flat_map(|link| link.iter().take(2))
    }

    /// The links, each in range.
    fn pairs(&self) -> Result<Vec<GraphLink>, NocError> {
        let pair = |one_way: bool, link: &Vec<u32>| match link[..] {
            [a, b] if a != b => Ok(GraphLink { ends: [a, b], tiles: 1, one_way }),
            [a, b, tiles] if a != b && (1..=MOST_TILES).contains(&tiles) => {
                Ok(GraphLink { ends: [a, b], tiles, one_way })
            }
            _ => {
                let length = format!("a length of 1 to {MOST_TILES} tiles");
                Err(wrong(
                    if one_way { "one_way_links" } else { "links" },
                    link,
                    format!("two different routers, and perhaps {length}, as in [0, 1] or [0, 1, 3]"),
                ))
            }
        };
        let both = self.links.iter().map(|link| pair(false, link));
        both.chain(self.one_way_links.iter().map(|link| pair(true, link))).collect()
    }

    fn draft(&self, nodes: &Nodes) -> Result<Draft, NocError> {
        if self.nodes.len() != nodes.len() as usize {
            let allowed = format!("a router for each of the {} x {} nodes", nodes.columns(), nodes.rows());
            return Err(wrong("nodes", &self.nodes, allowed));
        }
        if let Some(router) = self.nodes.iter().chain(self.ends()).find(|router| **router >= MOST_ROUTERS) {
            let of_links = self.links.iter().any(|link| link.iter().take(2).any(|end| end == router));
            let name = match (self.nodes.contains(router), of_links) {
                (true, _) => "nodes",
                (_, true) => "links",
                _ => "one_way_links",
            };
            return Err(wrong(name, router, format!("routers 0 to {}", MOST_ROUTERS - 1)));
        }
        let (pairs, routers) = (self.pairs()?, self.routers());
        let at = |router: u32| nodes.iter().filter(move |node| self.nodes[node.number as usize] == router);
        let links = self.channels(&pairs);
        for router in 0..routers {
            let used = at(router).filter(|node| node.kind != NodeKind::Empty).count();
            let joined = pairs.iter().filter(|pair| pair.ends.contains(&router)).count();
            if at(router).next().is_none() && joined == 0 {
                let allowed = format!("routers without a gap; router {router} has neither a node nor a link");
                return Err(wrong("nodes", &self.nodes, allowed));
            }
            if used + joined > MOST_PORTS {
                return Err(NocError::Radix { ports: used + joined });
            }
        }
        let middles = middles(routers, &pairs, |router| at(router).collect());
        let site = |router: u32| {
            let slot = |node: Node| match node.kind {
                NodeKind::Empty => NodeSlot::NOBODY,
                _ => NodeSlot { node: Some(node.number), injects: true, ejects: true },
            };
            let slots = at(router).map(slot).collect();
            Site { name: SiteName::Router(router), place: (router, 0), middle: middles[router as usize], slots }
        };
        let address = |node: Node| {
            let router = self.nodes[node.number as usize];
            let slot = at(router).take_while(|other| other.number != node.number).count() as u32;
            NodeAddress { x: router, y: 0, slot }
        };
        let table = Some(nodes.iter().map(address).collect());
        let addressing = Addressing { columns: routers, rows: 1, table, routes: None };
        Ok(Draft { addressing, sites: (0..routers).map(site).collect(), links })
    }

    /// Both channels of each link, or the one.
    fn channels(&self, pairs: &[GraphLink]) -> Vec<Link> {
        let mut ports = vec![0; self.routers() as usize];
        let mut port = |router: u32| {
            ports[router as usize] += 1;
            Direction::Port((ports[router as usize] - 1) as u8)
        };
        let of_pair = |&GraphLink { ends: [a, b], tiles, one_way }: &GraphLink| {
            let (there, back) = (port(a), port(b));
            let (from, to) = (a as usize, b as usize);
            let ahead = Link { from, out: there, to, into: back, tiles };
            let behind = Link { from: to, out: back, to: from, into: there, tiles };
            if one_way { vec![ahead] } else { vec![ahead, behind] }
        };
        pairs.iter().flat_map(of_pair).collect()
    }
}

/// Where routers stand, in halves of a tile.
fn middles<'a>(routers: u32, pairs: &[GraphLink], at: impl Fn(u32) -> Vec<Node> + 'a) -> Vec<(u32, u32)> {
    let mut middles: Vec<Option<(u32, u32)>> = (0..routers)
        .map(|router| {
            let nodes = at(router);
            (!nodes.is_empty()).then(|| middle(&nodes))
        })
        .collect();
    // From routers with nodes to those around them.
    for _ in 0..routers {
        let known = middles.clone();
        for router in (0..routers).filter(|router| known[*router as usize].is_none()) {
            let other = |pair: &GraphLink| match pair.ends {
                [a, b] if a == router => known[b as usize],
                [a, b] if b == router => known[a as usize],
                _ => None,
            };
            let around: Vec<(u32, u32)> = pairs.iter().filter_map(other).collect();
            let mean = |of: fn(&(u32, u32)) -> u32| around.iter().map(of).sum::<u32>() / around.len() as u32;
            middles[router as usize] = (!around.is_empty()).then(|| (mean(|at| at.0), mean(|at| at.1)));
        }
    }
    middles.into_iter().map(|middle| middle.unwrap_or((1, 1))).collect()
}
