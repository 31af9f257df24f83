//! Links: channels between routers.

use crate::Direction;

/// A channel between routers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Link {
    /// Site that sends.
    pub from: usize,
    /// Its output.
    pub out: Direction,
    /// Site that receives.
    pub to: usize,
    /// Its input.
    pub into: Direction,
    /// Length in tiles, 1 and up.
    pub tiles: u32,
}
