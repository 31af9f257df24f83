//! Lines: how a packet goes along a row or a column of routers that have more than links to their neighbours. XY order:
//! first along the row, then along the column.
//!
//! **Shortest** (torus, ring): the shorter way around; where both are equal, east and south with a routing class of 1, else west and north.
//! Each line is a ring of channels, so the proof of no deadlock needs two sets of VCs (W. J. Dally and C. L. Seitz,
//! 1987): while a packet still has the closing link of its line ahead it is on set 1, from that link on it is on set 0.
//! A packet that does not need the closing link keeps the set that it has, so both sets are used.
//!
//! **Express** (mesh with express links along its borders): the express link where the packet is at the border and has as far to go.
//!
//! **Flattened** (flattened butterfly): the link that leads there.

use super::{
    Direction,
    routing::{ClassedHop, Hop, View},
};

/// The rule of both lines.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum LineRule {
    /// The shorter way around.
    Shortest,
    /// By express links at the border.
    Express,
    /// In one hop.
    Flattened,
}

/// A row or a column as a packet sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LineView {
    /// This router's place in it.
    pub here: u32,
    /// Where the packet leaves it.
    pub dest: u32,
    /// Routers in it.
    pub count: u32,
    /// It is at the border of the grid.
    pub border: bool,
}

/// Ports of one dimension.
#[derive(Clone, Copy, Debug)]
pub struct LinePorts {
    /// To the next router, and to the one before.
    pub neighbours: [Direction; 2],
    /// To those half a side away.
    pub express: [Direction; 2],
    /// To the one so many further on, all around.
    pub offset: fn(u8) -> Direction,
}

/// Rows.
pub const ROW: LinePorts = LinePorts {
    neighbours: [Direction::East, Direction::West],
    express: [Direction::ExpressEast, Direction::ExpressWest],
    offset: Direction::Column,
};
/// Columns.
pub const COLUMN: LinePorts = LinePorts {
    neighbours: [Direction::South, Direction::North],
    express: [Direction::ExpressSouth, Direction::ExpressNorth],
    offset: Direction::Row,
};

impl LineRule {
    /// The hop of a packet, and its routing class after it.
    pub fn step(self, view: View<'_>) -> ClassedHop {
        let View { here, dest, size, routing_class, .. } = view;
        let border = |at: u32, count: u32| at == 0 || at + 1 == count;
        let row = LineView { here: here.0, dest: dest.0, count: size.0, border: border(here.1, size.1) };
        let column = LineView { here: here.1, dest: dest.1, count: size.1, border: border(here.0, size.0) };
        let along_row = self.along(row, ROW, routing_class);
        let step = along_row.or_else(|| self.along(column, COLUMN, routing_class));
        step.map_or((Hop::Arrived, routing_class), |(direction, routing_class)| (Hop::Link(direction), routing_class))
    }

    /// The same in one line; none at its end.
    fn along(self, line: LineView, ports: LinePorts, routing_class: u32) -> Option<(Direction, u32)> {
        let LineView { here, dest, count, border } = line;
        let ahead = (dest + count - here) % count;
        if ahead == 0 {
            return None;
        }
        let gap = dest.abs_diff(here);
        Some(match self {
            LineRule::Shortest => {
                let goes_ahead = 2 * ahead < count || (2 * ahead == count && routing_class == 1);
                let last = if goes_ahead { count - 1 } else { 0 };
                let closes = (dest < here) == goes_ahead;
                let routing_class = if here == last { 0 } else { u32::from(closes).max(routing_class) };
                (ports.neighbours[usize::from(!goes_ahead)], routing_class)
            }
            LineRule::Express => {
                let far = border && count / 2 >= 2 && gap >= count / 2;
                let ports = if far { ports.express } else { ports.neighbours };
                (ports[usize::from(dest < here)], routing_class)
            }
            LineRule::Flattened => ((ports.offset)(ahead as u8), routing_class),
        })
    }
}
