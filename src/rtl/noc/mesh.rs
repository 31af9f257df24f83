//! Routers of a topology inside a larger block: router tiles and the wires between them, and a plain mesh of them.
//!
//! ```text
//!   [NI]   [NI]          each [NI] is attached by the caller
//!     |      |
//!   (r0)==>(r1)==> ...   two channels a link; a channel of several cycles has a link tile
//!    ||     ||
//! ```
//!
//! Routers with equal ports are one shared module: their coordinates are inputs, tied to constants here, and so are the
//! seeds of those that draw.

use super::{
    Connectivity, Direction, Input, NetworkParams, NocError, Node, NodeKind, Nodes, Output, Ports, RouterParams,
    Topology,
    allocator::{Drawing, SEED_BITS},
    check_network,
    coordinates::Here,
    link::channel,
    paths::{Flow, Grid, Share},
    router::{InputLink, Router, router},
    topology::SiteName,
};
use hdl::{Builder, Child, PortName};

/// A router in its place.
#[derive(Clone)]
pub struct RouterTile<'m> {
    /// What it is called.
    pub name: SiteName,
    /// Its ports and matrix.
    pub connectivity: Connectivity,
    /// The tile, called like the [`SiteName`].
    pub tile: Child<'m>,
}

/// The matrix of a full router at `node` of a mesh, with one injection and one ejection port unless the node is empty.
pub fn full_router(nodes: &Nodes, node: Node) -> Connectivity {
    let terminals = u32::from(node.kind != NodeKind::Empty);
    Connectivity::full(&Ports { links: mesh_links(nodes, node), injects: terminals, ejects: terminals })
}

/// The directions in which a node of a mesh has neighbours.
pub fn mesh_links(nodes: &Nodes, node: Node) -> Vec<Direction> {
    let there = [node.y > 0, node.x + 1 < nodes.columns(), node.y + 1 < nodes.rows(), node.x > 0];
    Direction::ALL.into_iter().zip(there).filter(|(_, there)| *there).map(|(direction, _)| direction).collect()
}

/// Places a mesh of routers in `m` and connects them with each other; the terminal ports are left to the caller. `shape` gives
/// each router's matrix (see [`full_router`]), `flows` who must be able to talk: a missing connection is an
/// error.
pub fn mesh<'m>(
    m: &'m Builder,
    nodes: &Nodes,
    params: &NetworkParams,
    shape: impl Fn(Node) -> Connectivity,
    flows: impl IntoIterator<Item = Flow>,
) -> Result<Vec<RouterTile<'m>>, NocError> {
    let routers: Vec<_> = nodes.iter().map(&shape).collect();
    let topology = Topology::mesh(nodes);
    let grid = Grid::new(&topology, &routers, params.routing, Share::default());
    check_network(&grid, flows)?;
    let addressing = topology.addressing_for(params.routing.rule());
    let at = |site: usize| RouterParams {
        addressing: addressing.clone(),
        ..RouterParams::plain(nodes.columns(), nodes.rows(), routers[site].clone(), *params)
    };
    Ok(named_routers(m, &topology, at, |_| 1, None)?.into_iter().flatten().collect())
}

/// What is before the names of a subnetwork's tiles, where there is more than one.
fn prefix(subnetwork: Option<usize>) -> String {
    subnetwork.map_or(String::new(), |s| ("net", s).text())
}

/// Name of the tile of a router of a subnetwork, which has a number where there is more than one.
pub(super) fn router_tile(subnetwork: Option<usize>, site: SiteName) -> String {
    (prefix(subnetwork), site).text()
}

/// Places the routers of `topology` and joins them; those without ports are left out. `params`: of the router at a site; `cycles`: of a link of so many tiles; tiles are
/// called `<prefix><name>`, with `net<subnetwork>_` for a prefix where there is more than one.
pub(super) fn named_routers<'m>(
    m: &'m Builder,
    topology: &Topology,
    params: impl Fn(usize) -> RouterParams,
    cycles: impl Fn(u32) -> u32,
    subnetwork: Option<usize>,
) -> Result<Vec<Option<RouterTile<'m>>>, NocError> {
    let prefix = prefix(subnetwork);
    let mut routers = vec![];
    let mut format = None;
    for (at, site) in topology.sites().iter().enumerate() {
        let params = params(at);
        if params.connectivity.inputs().is_empty() && params.connectivity.outputs().is_empty() {
            routers.push(None);
            continue;
        }
        format = Some(params.network.format);
        let tile = m.tile(router_tile(subnetwork, site.name), &router(&params)?);
        if params.network.routing.rule().reads_here() {
            Here(tile).tie(m, params.addressing.size(), site.place);
        }
        for (port, table) in params.tables(site.place) {
            Router(tile).table(port, table.signal(m));
        }
        if let Some(drawing) = Drawing::of(tile) {
            let number = 2 * at + subnetwork.unwrap_or(0);
            drawing.seed(m.lit(SEED_BITS, number as u64 % (1 << SEED_BITS)));
        }
        routers.push(Some(RouterTile { name: site.name, connectivity: params.connectivity, tile }));
    }
    let Some(format) = format else { return Ok(routers) };
    let tile = |site: usize| Router(routers[site].as_ref().expect("a router with a channel has ports").tile);
    for link in topology.links() {
        let name = (&prefix, ("link", topology.sites()[link.from].name, link.out));
        let sender = tile(link.from).next(Output::To(link.out));
        let into = InputLink { input: Input::From(link.into), link: None };
        channel(m, name, sender, &format, cycles(link.tiles)).connect(tile(link.to).flit(into));
    }
    Ok(routers)
}
