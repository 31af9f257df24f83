//! Dimension order: row first, or column first.

use super::{Hop, Signs};
use std::cmp::Ordering;

/// A dimension order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AxisOrder {
    /// Row first.
    Xy,
    /// Column first.
    Yx,
}

impl AxisOrder {
    /// The next hop of a packet whose destination compares so with here: `Greater` is to the east and to the south.
    pub fn next(self, x: Ordering, y: Ordering) -> Hop {
        let [along_x, along_y] = Signs { x, y }.productive();
        let direction = match self {
            AxisOrder::Xy => along_x.or(along_y),
            AxisOrder::Yx => along_y.or(along_x),
        };
        direction.map_or(Hop::Arrived, Hop::Link)
    }

    /// The node, as (x, y), at which a packet turns.
    pub fn turn(self, from: (u32, u32), to: (u32, u32)) -> (u32, u32) {
        match self {
            AxisOrder::Xy => (to.0, from.1),
            AxisOrder::Yx => (from.0, to.1),
        }
    }
}
