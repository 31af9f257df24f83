//! Grids of routers: mesh, mesh with express links, torus, flattened butterfly, with one node a router or a block of
//! them.

use super::{
    Addressing, Draft, Graph, Link, NodeAddress, Roles, Site, SiteName, TopologyParams, TopologyPolicy, block, slots,
};
use crate::{Direction, NocError, NodeKind, Nodes, Routing};

/// A grid of routers.
pub struct Grid {
    /// How those of a line are joined.
    pub links: Links,
}

/// How the routers of a row or a column are joined.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Links {
    /// Neighbours.
    Neighbours,
    /// Neighbours, and along the border routers half a side apart.
    Express,
    /// Neighbours, and the last with the first.
    Around {
        /// Laid out so that all links are equally long.
        folded: bool,
    },
    /// Each with all.
    All,
}

impl TopologyPolicy for Grid {
    fn draft(
        &self,
        params: TopologyParams,
        _: &Graph,
        nodes: &Nodes,
        _: &dyn Fn(NodeKind) -> Roles,
    ) -> Result<Draft, NocError> {
        grid(self.links, params, nodes)
    }

    fn routing(&self, asked: Routing, concentration: u32) -> Option<Routing> {
        use Routing::*;
        match (self.links, asked) {
            (_, UpDown | AdaptiveUpDown) => Some(asked),
            (Links::Neighbours, Xy | Yx | ClassBased | O1Turn | Adaptive | OddEven) => Some(asked),
            (Links::Neighbours, Ugal) => None,
            (Links::Neighbours, _) => (concentration == 1 && Routing::named().contains(&asked)).then_some(asked),
            (Links::Express, Xy | ExpressXy) => Some(ExpressXy),
            (Links::Around { .. }, Xy | ShortestXy) => Some(ShortestXy),
            (Links::Around { .. }, Adaptive | TorusAdaptive) => Some(TorusAdaptive),
            (Links::All, Xy | FlattenedXy) => Some(FlattenedXy),
            (Links::All, Ugal) => Some(asked),
            _ => None,
        }
    }

    fn is_grid(&self) -> bool {
        true
    }

    fn has_four_directions(&self) -> bool {
        matches!(self.links, Links::Neighbours | Links::Around { .. })
    }
}

/// One of the two dimensions of a grid.
#[derive(Clone, Copy)]
struct Dimension {
    /// Routers along it.
    count: u32,
    /// Tiles from one to the next.
    pitch: u32,
    /// Ports to the next router and to the one before.
    ports: [Direction; 2],
    /// Ports of the express links.
    express: [Direction; 2],
    /// Port of the router so many further on, all around.
    offset: fn(u8) -> Direction,
}

/// The links of one line of routers, as (from, to, port, port, tiles).
type LineLinks = Vec<(u32, u32, Direction, Direction, u32)>;

impl Dimension {
    /// Both channels between two routers of the line.
    fn join(&self, line: &mut LineLinks, (a, b): (u32, u32), [ahead, back]: [Direction; 2], tiles: u32) {
        line.push((a, b, ahead, back, tiles * self.pitch));
        line.push((b, a, back, ahead, tiles * self.pitch));
    }

    /// The links of one line; `border`: it is at the border of the grid.
    fn line(&self, links: Links, border: bool) -> LineLinks {
        let mut line = vec![];
        let neighbours = (1..self.count).map(|i| (i - 1, i));
        match links {
            Links::All => {
                for (a, b) in (0..self.count).flat_map(|b| (0..b).map(move |a| (a, b))) {
                    let ports = [b - a, self.count - (b - a)].map(|offset| (self.offset)(offset as u8));
                    self.join(&mut line, (a, b), ports, b - a);
                }
            }
            Links::Around { folded } => {
                let (one, around) = if folded { (2, 2) } else { (1, self.count - 1) };
                neighbours.for_each(|pair| self.join(&mut line, pair, self.ports, one));
                if self.count > 1 {
                    self.join(&mut line, (self.count - 1, 0), self.ports, around);
                }
            }
            Links::Neighbours | Links::Express => {
                neighbours.for_each(|pair| self.join(&mut line, pair, self.ports, 1));
                let far = self.count / 2;
                if links == Links::Express && border && far >= 2 {
                    (far..self.count).for_each(|i| self.join(&mut line, (i - far, i), self.express, far));
                }
            }
        }
        line
    }
}

fn grid(joined: Links, params: TopologyParams, nodes: &Nodes) -> Result<Draft, NocError> {
    use Direction::*;
    let (width, height) = block(params, nodes)?;
    let (columns, rows) = (nodes.columns() / width, nodes.rows() / height);
    if matches!(joined, Links::Around { .. }) && (columns == 2 || rows == 2) {
        return Err(NocError::Torus { columns, rows });
    }
    let x = Dimension {
        count: columns,
        pitch: width,
        ports: [East, West],
        express: [ExpressEast, ExpressWest],
        offset: Column,
    };
    let y = Dimension {
        count: rows,
        pitch: height,
        ports: [South, North],
        express: [ExpressSouth, ExpressNorth],
        offset: Row,
    };
    let site = |number: u32| {
        let (x, y) = (number % columns, number / columns);
        Site {
            name: SiteName::Grid { number, x, y },
            place: (x, y),
            middle: (2 * x * width + width, 2 * y * height + height),
            slots: slots((x * width, y * height), (width, height), nodes),
        }
    };
    let at = |x: u32, y: u32| (y * columns + x) as usize;
    let mut links = vec![];
    for row in 0..rows {
        let line = x.line(joined, row == 0 || row + 1 == rows).into_iter();
        links.extend(line.map(|(a, b, out, into, tiles)| Link { from: at(a, row), out, to: at(b, row), into, tiles }));
    }
    for column in 0..columns {
        let line = y.line(joined, column == 0 || column + 1 == columns).into_iter();
        links.extend(line.map(|(a, b, out, into, tiles)| Link {
            from: at(column, a),
            out,
            to: at(column, b),
            into,
            tiles,
        }));
    }
    let address = |node: u32| {
        let (x, y) = (node % nodes.columns(), node / nodes.columns());
        NodeAddress { x: x / width, y: y / height, slot: y % height * width + x % width }
    };
    let table = (params.concentration > 1).then(|| (0..nodes.len()).map(address).collect());
    Ok(Draft {
        addressing: Addressing { columns, rows, table, routes: None },
        sites: (0..columns * rows).map(site).collect(),
        links,
    })
}
