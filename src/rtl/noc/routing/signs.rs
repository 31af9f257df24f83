//! How a node compares with here.

use crate::Direction;
use std::cmp::Ordering::{self, *};

/// How a node compares with here in both axes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Signs {
    /// `Greater` is to the east.
    pub x: Ordering,
    /// `Greater` is to the south.
    pub y: Ordering,
}

impl Signs {
    /// Of `there`, seen from `here`, both (x, y).
    pub fn new(here: (u32, u32), there: (u32, u32)) -> Self {
        Self { x: there.0.cmp(&here.0), y: there.1.cmp(&here.1) }
    }

    /// All nine.
    pub fn all() -> impl Iterator<Item = Signs> {
        let signs = [Less, Equal, Greater];
        signs.into_iter().flat_map(move |x| signs.map(|y| Signs { x, y }))
    }

    /// The directions that lead nearer: along x, along y.
    pub fn productive(self) -> [Option<Direction>; 2] {
        let along_x = match self.x {
            Less => Some(Direction::West),
            Equal => None,
            Greater => Some(Direction::East),
        };
        let along_y = match self.y {
            Less => Some(Direction::North),
            Equal => None,
            Greater => Some(Direction::South),
        };
        [along_x, along_y]
    }
}
