//! A ring through all routers of a floor plan, by neighbours as far as there is such a way around.
//!
//! ```text
//!   0 -> 1 -> 2 -> 3
//!   ^              |
//!  11    6 <- 5 <- 4
//!   ^    |
//!  10    7 -> 8 ...       the first column is the way back
//! ```

use super::{
    Addressing, Draft, Graph, Link, NodeAddress, Roles, Site, SiteName, TopologyParams, TopologyPolicy, block,
    distance, slots,
};
use crate::{Direction, NocError, NodeKind, Nodes, Routing};

/// See the [module documentation](self).
pub struct Ring;

impl TopologyPolicy for Ring {
    fn draft(
        &self,
        params: TopologyParams,
        _: &Graph,
        nodes: &Nodes,
        _: &dyn Fn(NodeKind) -> Roles,
    ) -> Result<Draft, NocError> {
        ring(params, nodes)
    }

    fn routing(&self, asked: Routing, _: u32) -> Option<Routing> {
        match asked {
            Routing::Xy | Routing::ShortestXy => Some(Routing::ShortestXy),
            Routing::UpDown | Routing::AdaptiveUpDown => Some(asked),
            _ => None,
        }
    }
}

/// The ring.
fn ring(params: TopologyParams, nodes: &Nodes) -> Result<Draft, NocError> {
    let (width, height) = block(params, nodes)?;
    let order = around(nodes.columns() / width, nodes.rows() / height);
    let count = order.len() as u32;
    if count < 3 {
        return Err(NocError::Torus { columns: count, rows: 1 });
    }
    let site = |(place, &(x, y)): (usize, &(u32, u32))| Site {
        name: SiteName::Ring(place as u32),
        place: (place as u32, 0),
        middle: (2 * x * width + width, 2 * y * height + height),
        slots: slots((x * width, y * height), (width, height), nodes),
    };
    let sites: Vec<_> = order.iter().enumerate().map(site).collect();
    let link = |from: usize, to: usize, out: Direction| {
        let tiles = distance(sites[from].middle, sites[to].middle);
        Link { from, out, to, into: out.opposite(), tiles }
    };
    let pairs = (0..sites.len()).map(|from| (from, (from + 1) % sites.len()));
    let links = pairs.flat_map(|(a, b)| [link(a, b, Direction::East), link(b, a, Direction::West)]).collect();
    let address = |node: u32| {
        let (x, y) = (node % nodes.columns(), node / nodes.columns());
        let place = order.iter().position(|at| *at == (x / width, y / height)).expect("the ring goes everywhere");
        NodeAddress { x: place as u32, y: 0, slot: y % height * width + x % width }
    };
    let table = Some((0..nodes.len()).map(address).collect());
    Ok(Draft { addressing: Addressing { columns: count, rows: 1, table, routes: None }, sites, links })
}

/// A way around a grid that comes through every place once. With an even number of columns or rows every step is to a neighbour, else the
/// last one is not; in a single line the way out leaves every other place to the way back.
pub(super) fn around(columns: u32, rows: u32) -> Vec<(u32, u32)> {
    if columns == 1 || rows == 1 {
        let count = columns * rows;
        let line = (0..count).step_by(2).chain((0..count).rev().filter(|i| i % 2 == 1));
        return line.map(|i| if rows == 1 { (i, 0) } else { (0, i) }).collect();
    }
    if !rows.is_multiple_of(2) && columns.is_multiple_of(2) {
        return around(rows, columns).into_iter().map(|(x, y)| (y, x)).collect();
    }
    let row = |y: u32| {
        let first = if y == 0 { 0 } else { 1 };
        let ahead: Vec<_> = (first..columns).map(|x| (x, y)).collect();
        if y.is_multiple_of(2) { ahead } else { ahead.into_iter().rev().collect() }
    };
    (0..rows).flat_map(row).chain((1..rows).rev().map(|y| (0, y))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn a_ring_goes_everywhere_and_mostly_to_neighbours() {
        for (columns, rows) in [(6, 6), (4, 3), (3, 4), (5, 5), (7, 1), (1, 4), (2, 2)] {
            let way = around(columns, rows);
            assert_eq!(way.iter().collect::<BTreeSet<_>>().len() as u32, columns * rows, "{columns} x {rows}");
            let steps = way.iter().zip(way.iter().cycle().skip(1));
            let lengths: Vec<_> = steps.map(|(a, b)| a.0.abs_diff(b.0) + a.1.abs_diff(b.1)).collect();
            let most = if columns == 1 || rows == 1 { 2 } else { 1 };
            let longer = lengths.iter().filter(|length| **length > most).count();
            let closed = columns.min(rows) == 1 || columns % 2 == 0 || rows % 2 == 0;
            assert_eq!(longer, usize::from(!closed), "{columns} x {rows}: {lengths:?}");
        }
    }
}
