//! Topology: the routers of a network, the channels between them, and which node is attached where.
//!
//! ```text
//!   Nodes (who is where) --+
//!   TopologyKind ----------+--> grid, ring, indirect --> sites (routers), links, addresses of the nodes
//!   concentration ---------+
//! ```
//!
//! A **site** is a place for a router. A **link** is one flit channel from a site to another, with its length in tiles;
//! neighbours are joined by two. A node is attached to one site by a **slot**: its injection and its ejection ports
//! there; in an indirect topology it sends at one site and receives at another. An [`NodeAddress`] is what routing
//! knows of a node: coordinates of its site, and its slot.
//!
//! | topology | sites | routes |
//! |---|---|---|
//! | `mesh`, `express-mesh` | one a block of nodes | every routing; dimension order with express links |
//! | `torus`, `folded-torus` | one a block of nodes | dimension order, the shorter way around |
//! | `ring` | one a block of nodes | the shorter way around |
//! | `flattened-butterfly` | one a block of nodes | dimension order, one hop a dimension |
//! | `butterfly` | two stages of about the root of the number of nodes | destination tag |
//! | `graph` | as it lists them | up*/down*, alone or as an escape |
//! | `crossbar` | one, and concentrators before it | destination tag |
//!
//! A mesh with several nodes a router is the concentrated mesh (CMesh), with express links the CMesh with express
//! channels.
//!
//! To add a topology: a file in this folder that makes a [`Topology`], a line in [`TopologyKind`], and, if its routers
//! decide in a new way, a [`HopRule`].
//!
//! Source: A. Bakhoda's thesis (2014), sections 2.2.1, 3.5.4 and 6.10.

mod addressing;
mod faults;
mod graph;
mod grid;
mod indirect;
mod link;
mod ring;
mod routes;
mod site;

use super::{Connectivity, Direction, Input, NocError, NodeKind, Nodes, Output, Routing, routing::HopRule};
pub use addressing::{Addressing, NodeAddress};
use common::policies;
pub use faults::Faults;
pub use graph::Graph;
pub use link::Link;
pub use routes::Routes;
use serde::Serialize;
pub use site::{NodeSlot, Site, SiteName};
use std::sync::{Arc, OnceLock};

policies! {
    /// How routers are joined.
    pub enum TopologyKind: dyn TopologyPolicy {
        /// Neighbours in rows and columns.
        Mesh = "mesh" => grid::Grid { links: grid::Links::Neighbours },
        /// A mesh with express links along its borders, each over half a side (J. Balfour and W. J. Dally, *Design tradeoffs for tiled CMP
        /// on-chip networks*, 2006).
        ExpressMesh = "express-mesh" => grid::Grid { links: grid::Links::Express },
        /// A mesh whose rows and columns are closed by a long link each.
        Torus = "torus" => grid::Grid { links: grid::Links::Around { folded: false } },
        /// A torus that is laid out folded: every link is two tiles long.
        FoldedTorus = "folded-torus" => grid::Grid { links: grid::Links::Around { folded: true } },
        /// One ring through all routers.
        Ring = "ring" => ring::Ring,
        /// Every router is joined with all of its row and of its column (J. Kim, W. J. Dally and D. Abts, 2007).
        FlattenedButterfly = "flattened-butterfly" | "flatfly" | "fbfly" => grid::Grid { links: grid::Links::All },
        /// Two stages: the nodes of a group send to one router of the first, which is joined with all of the second.
        Butterfly = "butterfly" | "fly" => indirect::Indirect::Butterfly,
        /// One router for all nodes; several cores may share a port through a concentrator.
        Crossbar = "crossbar" => indirect::Indirect::Crossbar,
        /// As `network.graph` lists routers, links and nodes.
        Graph = "graph" | "anynet" => graph::OfGraph,
    }
}

/// A way to join routers.
pub trait TopologyPolicy: Sync {
    /// Joins `nodes`; see [`Topology::of`]. `graph` is for the topology that is made from one.
    fn draft(
        &self,
        params: TopologyParams,
        graph: &Graph,
        nodes: &Nodes,
        roles: &dyn Fn(NodeKind) -> Roles,
    ) -> Result<Draft, NocError>;

    /// The routing that `asked` is here: XY is dimension order by the links, or destination tag. None: it does not work.
    fn routing(&self, asked: Routing, concentration: u32) -> Option<Routing>;

    /// Routers in rows and columns, each with the same number of nodes.
    fn is_grid(&self) -> bool {
        false
    }

    /// Every router has the four links of a mesh, and no other.
    fn has_four_directions(&self) -> bool {
        false
    }
}

/// What a topology is made from, beside the nodes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
pub struct TopologyParams {
    /// How routers are joined.
    pub kind: TopologyKind,
    /// Nodes a router, in a block of a rectangle: 1, 2, 4, 8 or 16. Of a crossbar: cores that share a port, 1 to 16.
    pub concentration: u32,
}

impl Default for TopologyParams {
    /// A mesh of one node a router.
    fn default() -> Self {
        Self { kind: TopologyKind::Mesh, concentration: 1 }
    }
}

impl TopologyParams {
    /// One router a node, with the node's number and coordinates.
    pub fn is_plain(self) -> bool {
        self.concentration == 1 && self.kind.policy().is_grid()
    }

    /// A plain mesh, on which every routing and every kind of router works.
    pub fn is_plain_mesh(self) -> bool {
        self.is_plain() && self.kind == TopologyKind::Mesh
    }

    /// Every router has the four links of a mesh, and one node.
    pub fn has_four_directions(self) -> bool {
        self.is_plain() && self.kind.policy().has_four_directions()
    }

    /// The routing that `asked` is on this topology: XY is dimension order by its links, or destination tag. None: it does not work here.
    pub fn routing(self, asked: Routing) -> Option<Routing> {
        self.kind.policy().routing(asked, self.concentration)
    }
}

/// Routers, channels, and where nodes are attached; see the [module documentation](self).
#[derive(Clone, Debug)]
pub struct Topology {
    params: TopologyParams,
    addressing: Addressing,
    sites: Vec<Site>,
    links: Vec<Link>,
    /// By node: columns of the floor plan.
    columns: u32,
    /// By node: site at which it sends, and at which it receives.
    attached: Vec<[Option<usize>; 2]>,
    /// Made when they are asked for.
    routes: OnceLock<Arc<Routes>>,
}

/// Which side of a network a node uses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Roles {
    /// It sends.
    pub injects: bool,
    /// It receives.
    pub ejects: bool,
}

impl Topology {
    /// [`of`](Self::of) without a graph.
    pub fn new(params: TopologyParams, nodes: &Nodes, roles: impl Fn(NodeKind) -> Roles) -> Result<Self, NocError> {
        Self::of(params, &Graph::default(), nodes, roles)
    }

    /// Joins `nodes`, by `graph` if `params` say so. `roles`: what a node of a kind does in this network, where ports exist only as far as they are used (in indirect
    /// topologies). Error: a concentration that does not divide the nodes, a side too short.
    pub fn of(
        params: TopologyParams,
        graph: &Graph,
        nodes: &Nodes,
        roles: impl Fn(NodeKind) -> Roles,
    ) -> Result<Self, NocError> {
        let Draft { addressing, sites, mut links } = params.kind.policy().draft(params, graph, nodes, &roles)?;
        links.sort();
        let mut attached = vec![[None; 2]; nodes.len() as usize];
        for (at, site) in sites.iter().enumerate() {
            for slot in &site.slots {
                if let Some(node) = slot.node {
                    let [inject, eject] = &mut attached[node as usize];
                    *inject = inject.or(slot.injects.then_some(at));
                    *eject = eject.or(slot.ejects.then_some(at));
                }
            }
        }
        Ok(Self { params, addressing, sites, links, columns: nodes.columns(), attached, routes: OnceLock::new() })
    }

    /// A mesh of one node a router.
    pub fn mesh(nodes: &Nodes) -> Self {
        let all = |_| Roles { injects: true, ejects: true };
        Self::new(TopologyParams::default(), nodes, all).expect("every grid is a mesh")
    }

    /// What it was made from.
    pub fn params(&self) -> TopologyParams {
        self.params
    }

    /// From nodes to what routing knows of them.
    pub fn addressing(&self) -> &Addressing {
        &self.addressing
    }

    /// The same with the routes that routers look up, where `rule` does so.
    pub fn addressing_for(&self, rule: HopRule) -> Addressing {
        let routes = rule.looks_up_routes().then(|| self.routes().clone());
        Addressing { routes, ..self.addressing.clone() }
    }

    /// Routes through its routers.
    pub fn routes(&self) -> &Arc<Routes> {
        let used = |site: usize| self.sites[site].slots.iter().any(|slot| slot.node.is_some());
        self.routes.get_or_init(|| Arc::new(Routes::new(self.sites.len(), &self.links, used)))
    }

    /// Places for routers.
    pub fn sites(&self) -> &[Site] {
        &self.sites
    }

    /// Channels between them, in order.
    pub fn links(&self) -> &[Link] {
        &self.links
    }

    /// The channel from an output.
    pub fn link_from(&self, site: usize, out: Direction) -> Option<Link> {
        let at = self.links.binary_search_by_key(&(site, out), |link| (link.from, link.out)).ok()?;
        Some(self.links[at])
    }

    /// The channel to an input.
    pub fn link_to(&self, site: usize, into: Direction) -> Option<Link> {
        self.links.iter().copied().find(|link| (link.to, link.into) == (site, into))
    }

    /// Links lead from one site to the other.
    pub fn reaches(&self, from: usize, to: usize) -> bool {
        let mut reached = vec![false; self.sites.len()];
        reached[from] = true;
        let mut open = vec![from];
        while let Some(site) = open.pop() {
            for link in self.links.iter().filter(|link| link.from == site) {
                if !std::mem::replace(&mut reached[link.to], true) {
                    open.push(link.to);
                }
            }
        }
        reached[to]
    }

    /// (x, y) of a node on the floor plan.
    pub fn place(&self, node: u32) -> (u32, u32) {
        (node % self.columns, node / self.columns)
    }

    /// Columns of nodes on the floor plan.
    pub fn columns(&self) -> u32 {
        self.columns
    }

    /// The site at which a node sends.
    pub fn sends_at(&self, node: u32) -> Option<usize> {
        self.attached[node as usize][0]
    }

    /// The site at which a node receives.
    pub fn receives_at(&self, node: u32) -> Option<usize> {
        self.attached[node as usize][1]
    }

    /// Tiles between a node's middle and a site's, rounded up, at least 1.
    pub fn tiles(&self, node: u32, site: usize) -> u32 {
        let (x, y) = self.place(node);
        distance((2 * x + 1, 2 * y + 1), self.sites[site].middle)
    }

    /// The site at these coordinates of a grid or a ring.
    pub fn site_at(&self, (x, y): (u32, u32)) -> usize {
        (y * self.addressing.columns + x) as usize
    }

    /// Links that go out from a site, and that come in.
    pub fn directions(&self, site: usize) -> (Vec<Direction>, Vec<Direction>) {
        let outs = self.links.iter().filter(|link| link.from == site).map(|link| link.out).collect();
        let mut ins: Vec<_> = self.links.iter().filter(|link| link.to == site).map(|link| link.into).collect();
        ins.sort();
        (outs, ins)
    }

    /// The full matrix of a site: every input to every output but back to where it came from (and through the crossbar even there). At a
    /// concentrator, its nodes send to the crossbar and receive from it. `ports`: injection and ejection ports of a node.
    pub fn full(&self, site: usize, ports: impl Fn(u32) -> [u32; 2]) -> Connectivity {
        self.full_with(site, ports, |_| false)
    }

    /// The same, with connections of inputs that turn back to the output beside them.
    pub fn full_with(
        &self,
        site: usize,
        ports: impl Fn(u32) -> [u32; 2],
        turns_back: impl Fn(Direction) -> bool,
    ) -> Connectivity {
        let (outs, ins) = self.directions(site);
        let of_slots = |side: usize| -> u32 {
            let used = |slot: &NodeSlot| if side == 0 { slot.injects } else { slot.ejects };
            let slots = self.sites[site].slots.iter().filter(|slot| used(slot));
            slots.filter_map(|slot| slot.node).map(|node| ports(node)[side]).sum()
        };
        let inputs = ins.into_iter().map(Input::From).chain((0..of_slots(0)).map(Input::Inject)).collect();
        let outputs = outs.into_iter().map(Output::To).chain((0..of_slots(1)).map(Output::Eject)).collect();
        let name = self.sites[site].name;
        Connectivity::of(inputs, outputs, |input, output| match (name, input, output) {
            (SiteName::Concentrator(_), Input::From(_), Output::To(_)) => false,
            (SiteName::Concentrator(_), Input::Inject(_), Output::Eject(_)) => false,
            (SiteName::Grid { .. } | SiteName::Ring(_) | SiteName::Router(_), Input::From(from), Output::To(to)) => {
                from != to || turns_back(from)
            }
            _ => true,
        })
    }

    /// First port and number of ports that `node` has at `site`, on the injection side (0) or the ejection side (1).
    pub fn ports(&self, site: usize, node: u32, side: usize, ports: impl Fn(u32) -> [u32; 2]) -> (u32, u32) {
        let mut first = 0;
        for slot in &self.sites[site].slots {
            let used = if side == 0 { slot.injects } else { slot.ejects };
            match slot.node {
                Some(here) if here == node => return (first, if used { ports(node)[side] } else { 0 }),
                Some(here) if used => first += ports(here)[side],
                _ => {}
            }
        }
        (first, 0)
    }

    /// The slot of each ejection port of a site.
    pub fn ejection_slots(&self, site: usize, ports: impl Fn(u32) -> [u32; 2]) -> Vec<u32> {
        let slots = self.sites[site].slots.iter().filter(|slot| slot.ejects);
        let nodes = slots.filter_map(|slot| slot.node);
        nodes.flat_map(|node| vec![self.addressing.of(node).slot; ports(node)[1] as usize]).collect()
    }
}

/// What the files of this folder make.
pub struct Draft {
    addressing: Addressing,
    sites: Vec<Site>,
    links: Vec<Link>,
}

/// Along x and y, from halves of a tile to tiles, rounded up, at least 1.
fn distance(a: (u32, u32), b: (u32, u32)) -> u32 {
    (a.0.abs_diff(b.0) + a.1.abs_diff(b.1)).div_ceil(2).max(1)
}

/// Columns and rows of a block of `concentration` nodes.
fn block(params: TopologyParams, nodes: &Nodes) -> Result<(u32, u32), NocError> {
    let concentration = params.concentration;
    let block = match concentration {
        1 => Some((1, 1)),
        2 => Some((2, 1)),
        4 => Some((2, 2)),
        8 => Some((4, 2)),
        16 => Some((4, 4)),
        _ => None,
    };
    let fits = |(w, h): &(u32, u32)| nodes.columns().is_multiple_of(*w) && nodes.rows().is_multiple_of(*h);
    block.filter(fits).ok_or(NocError::Concentration { concentration, columns: nodes.columns(), rows: nodes.rows() })
}

/// The slots of the block of nodes whose first node is at (`x`, `y`); nobody is in an empty one.
fn slots((x, y): (u32, u32), (width, height): (u32, u32), nodes: &Nodes) -> Vec<NodeSlot> {
    let cells = (0..height).flat_map(|dy| (0..width).map(move |dx| (x + dx, y + dy)));
    let slot = |(x, y)| {
        let node = nodes.node(y * nodes.columns() + x);
        let used = node.kind != NodeKind::Empty;
        NodeSlot { node: used.then_some(node.number), injects: used, ejects: used }
    };
    cells.map(slot).collect()
}
