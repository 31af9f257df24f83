//! Indirect topologies: a node sends at one router and receives at another.
//!
//! ```text
//!   crossbar                                        butterfly
//!   core 0 --+                                      0 --+            +-- 0
//!   core 1 --+-- concentrator 0 --+                 1 --+- router --+- router +-- 1
//!   core 2 --+                    |                 ..    (stage 0) X  (stage 1)
//!   core 3 --+-- concentrator 1 --+-- crossbar      5 --+- router --+- router +-- 5
//!   ...                           |
//!   memory controllers -----------+
//! ```
//!
//! With a network of its own for each message class, the crossbar is asymmetric: where cores only send and memory
//! controllers only receive, it has no other ports (thesis, section 6.10.1: 10 x 8 for requests, 8 x 10 for replies).

use super::{
    Addressing, Draft, Graph, Link, NodeAddress, NodeSlot, Roles, Site, SiteName, TopologyParams, TopologyPolicy,
    distance, ring::around,
};
use crate::{Direction, NocError, Node, NodeKind, Nodes, Routing};

/// Ports of the largest router.
pub(super) const MOST_PORTS: usize = 64;

/// A topology with routing by destination tag.
pub enum Indirect {
    /// One router for all.
    Crossbar,
    /// Two stages of routers.
    Butterfly,
}

impl TopologyPolicy for Indirect {
    fn draft(
        &self,
        params: TopologyParams,
        _: &Graph,
        nodes: &Nodes,
        roles: &dyn Fn(NodeKind) -> Roles,
    ) -> Result<Draft, NocError> {
        match self {
            Indirect::Crossbar => crossbar(params, nodes, roles),
            Indirect::Butterfly => butterfly(params, nodes, roles),
        }
    }

    fn routing(&self, asked: Routing, _: u32) -> Option<Routing> {
        matches!(asked, Routing::Xy | Routing::DestinationTag).then_some(Routing::DestinationTag)
    }
}

/// One router in the middle, cores `params.concentration` a port.
fn crossbar(params: TopologyParams, nodes: &Nodes, roles: &dyn Fn(NodeKind) -> Roles) -> Result<Draft, NocError> {
    let each = params.concentration;
    if !(1..=16).contains(&each) {
        return Err(NocError::Concentration { concentration: each, columns: nodes.columns(), rows: nodes.rows() });
    }
    // Cores that share a port are neighbours.
    let order = around(nodes.columns(), nodes.rows()).into_iter().map(|(x, y)| nodes.node(y * nodes.columns() + x));
    let (cores, others): (Vec<_>, Vec<_>) =
        order.filter(|node| node.kind != NodeKind::Empty).partition(|node| each > 1 && node.kind == NodeKind::Core);
    let groups: Vec<&[Node]> = cores.chunks(each as usize).collect();
    check_radix(groups.len() + others.len())?;
    let mut table = vec![NodeAddress { x: groups.len() as u32, y: 0, slot: 0 }; nodes.len() as usize];
    let mut sites = vec![Site {
        name: SiteName::Crossbar,
        place: (0, 0),
        middle: (nodes.columns(), nodes.rows()),
        slots: others.iter().map(|node| slot(*node, roles)).collect(),
    }];
    for (at, node) in (each..).zip(&others) {
        table[node.number as usize].slot = at;
    }
    let mut links = vec![];
    for (g, group) in groups.into_iter().enumerate() {
        for (slot, node) in (0..).zip(group) {
            table[node.number as usize] = NodeAddress { x: g as u32, y: 0, slot };
        }
        let site = Site {
            name: SiteName::Concentrator(g as u32),
            place: (0, 0),
            middle: middle(group),
            slots: group.iter().map(|node| slot(*node, roles)).collect(),
        };
        let (from, tiles) = (sites.len(), distance(site.middle, sites[0].middle));
        let (trunk, port) = (Direction::Port(0), Direction::Port(g as u8));
        let Roles { injects, ejects } = roles(NodeKind::Core);
        links.extend(injects.then_some(Link { from, out: trunk, to: 0, into: port, tiles }));
        links.extend(ejects.then_some(Link { from: 0, out: port, to: from, into: trunk, tiles }));
        sites.push(site);
    }
    Ok(Draft { addressing: Addressing { columns: 1, rows: 1, table: Some(table), routes: None }, sites, links })
}

/// Two stages of as many routers as nodes have a group.
fn butterfly(params: TopologyParams, nodes: &Nodes, roles: &dyn Fn(NodeKind) -> Roles) -> Result<Draft, NocError> {
    if params.concentration != 1 {
        let (columns, rows) = (nodes.columns(), nodes.rows());
        return Err(NocError::Concentration { concentration: params.concentration, columns, rows });
    }
    let all: Vec<_> = nodes.iter().collect();
    let each = (1..).find(|each| each * each >= all.len()).expect("there is a root");
    check_radix(each)?;
    let groups: Vec<&[Node]> = all.chunks(each).collect();
    // Routers to which nobody sends, or from which nobody receives, are left out.
    let stage = |stage: u32| {
        let site = move |(g, group): (usize, &&[Node])| {
            let side = |node: &Node| {
                let slot = slot(*node, roles);
                NodeSlot { injects: slot.injects && stage == 0, ejects: slot.ejects && stage == 1, ..slot }
            };
            let slots: Vec<_> = group.iter().map(side).collect();
            let used = slots.iter().any(|slot| slot.injects || slot.ejects);
            let name = SiteName::Stage(stage, g as u32);
            used.then_some(Site { name, place: (g as u32, 0), middle: middle(group), slots })
        };
        groups.iter().enumerate().filter_map(site).collect::<Vec<_>>()
    };
    let (first, second) = (stage(0), stage(1));
    let link = |(a, from): (usize, &Site), (b, to): (usize, &Site)| {
        let tiles = distance(from.middle, to.middle);
        let [out, into] = [to, from].map(|site| Direction::Port(site.place.0 as u8));
        Link { from: a, out, to: first.len() + b, into, tiles }
    };
    let to_all = |from: (usize, &Site)| second.iter().enumerate().map(|to| link(from, to)).collect::<Vec<_>>();
    let links = first.iter().enumerate().flat_map(to_all).collect();
    let sites = first.iter().chain(&second).cloned().collect();
    let address = |node: u32| NodeAddress { x: node / each as u32, y: 0, slot: node % each as u32 };
    let table = Some((0..nodes.len()).map(address).collect());
    Ok(Draft { addressing: Addressing { columns: groups.len() as u32, rows: 1, table, routes: None }, sites, links })
}

/// A router that is not absurdly large.
fn check_radix(ports: usize) -> Result<(), NocError> {
    if ports > MOST_PORTS { Err(NocError::Radix { ports }) } else { Ok(()) }
}

fn slot(node: Node, roles: &dyn Fn(NodeKind) -> Roles) -> NodeSlot {
    let Roles { injects, ejects } = roles(node.kind);
    let used = node.kind != NodeKind::Empty;
    NodeSlot { node: used.then_some(node.number), injects: used && injects, ejects: used && ejects }
}

/// The middle of some nodes, in halves of a tile.
pub(super) fn middle(nodes: &[Node]) -> (u32, u32) {
    let mean = |of: fn(&Node) -> u32| {
        (nodes.iter().map(|node| 2 * of(node) + 1).sum::<u32>() as f64 / nodes.len() as f64).round() as u32
    };
    (mean(|node| node.x), mean(|node| node.y))
}
