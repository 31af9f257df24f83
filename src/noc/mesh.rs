//! A mesh of routers inside a larger block: router tiles and the wires between them.
//!
//! ```text
//!   [NI]   [NI]          each [NI] is attached by the caller
//!     |      |
//!   (r0)==>(r1)==> ...   two channels a link; borders have fewer ports
//!    ||     ||
//! ```
//!
//! Routers with equal ports are one shared module: their coordinates are inputs, tied to constants here.

use super::{
    Connectivity, Direction, Mesh, NetworkParams, NocError, Node, NodeKind, Ports, RouterParams,
    channel::connect,
    check_network,
    paths::{Flow, Grid, Share},
    router,
};
use crate::hdl::{Builder, Child, index_width};

/// A router in its place.
#[derive(Clone)]
pub struct RouterTile<'m> {
    /// Where.
    pub node: Node,
    /// Its ports and matrix.
    pub connectivity: Connectivity,
    /// The tile, called `router<number>`.
    pub tile: Child<'m>,
}

/// The matrix of a full router at `node`, with one injection and one ejection port unless the node is empty.
pub fn full_router(mesh: &Mesh, node: Node) -> Connectivity {
    let terminals = u32::from(node.kind != NodeKind::Empty);
    Connectivity::full(&Ports { links: mesh.links(node.number), injects: terminals, ejects: terminals })
}

/// Places the routers of `mesh` in `m` and connects them with each other; the terminal ports are left to the caller. `shape` gives
/// each router's matrix (see [`full_router`]), `flows` who must be able to talk: a missing connection is an
/// error.
pub fn mesh<'m>(
    m: &'m Builder,
    mesh: &Mesh,
    params: &NetworkParams,
    shape: impl Fn(Node) -> Connectivity,
    flows: impl IntoIterator<Item = Flow>,
) -> Result<Vec<RouterTile<'m>>, NocError> {
    let shapes: Vec<_> = mesh.nodes().map(&shape).collect();
    let (columns, rows, routing) = (mesh.columns(), mesh.rows(), params.routing);
    check_network(&Grid { columns, rows, routers: &shapes, routing, share: Share::default() }, flows)?;
    named_mesh(m, mesh, params, &shapes, "")
}

/// As [`mesh`] does, of checked routers by node, with tiles called `<prefix>router<number>`.
pub(super) fn named_mesh<'m>(
    m: &'m Builder,
    mesh: &Mesh,
    params: &NetworkParams,
    shapes: &[Connectivity],
    prefix: &str,
) -> Result<Vec<RouterTile<'m>>, NocError> {
    let mut routers = vec![];
    for (node, connectivity) in mesh.nodes().zip(shapes) {
        let module = router(&RouterParams {
            connectivity: connectivity.clone(),
            columns: mesh.columns(),
            rows: mesh.rows(),
            network: *params,
        })?;
        let tile = m.tile(&format!("{prefix}router{}", node.number), &module);
        tile.drive("here_x", m.lit(index_width(mesh.columns() as usize), u64::from(node.x)));
        tile.drive("here_y", m.lit(index_width(mesh.rows() as usize), u64::from(node.y)));
        routers.push(RouterTile { node, connectivity: connectivity.clone(), tile });
    }
    for (from, direction, to) in mesh.channels() {
        let into: Direction = direction.opposite();
        connect(routers[from as usize].tile, direction.name(), routers[to as usize].tile, into.name(), params.format);
    }
    Ok(routers)
}
