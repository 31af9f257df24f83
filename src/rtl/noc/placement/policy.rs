//! The rule of a placement, and what rules share.

use super::search::{GridPosition, Search};

/// A mesh, and how many memory nodes are to be in it: columns, rows, memory nodes.
pub(super) type Size = (u32, u32, u32);

/// The rule of a placement.
pub trait MemoryPlacement: Sync {
    /// What is to be searched; `None` where the places are [`given`](Self::given).
    fn rules(&self, size: Size) -> Option<Search>;

    /// The most that fit by these rules. Half-routers are never neighbours of each other.
    fn most(&self, rules: &Search) -> u32 {
        (rules.fixed.len() + rules.candidates.len()) as u32
    }

    /// Without a search: the most that fit a mesh of so many columns and rows.
    fn room(&self, _columns: u32, _rows: u32) -> u32 {
        0
    }

    /// Without a search: node numbers, when they fit.
    fn given(&self, _size: Size) -> Vec<u32> {
        vec![]
    }

    /// Where there is room, for messages: "at the half-routers ...".
    fn region(&self) -> &'static str;

    /// What a complete search has found, by node number.
    fn recorded(&self) -> &'static [(Size, &'static [u32])] {
        &[]
    }

    /// The memory node nearest to the top right corner comes first; else they are in the order of node numbers.
    fn starts_at_corner(&self) -> bool {
        false
    }
}

/// All nodes at odd sums of coordinates: the half-routers of a checkerboard.
pub(super) fn halves(columns: u32, rows: u32) -> impl Iterator<Item = GridPosition> {
    (0..rows).flat_map(move |y| (0..columns).map(move |x| (x, y))).filter(|(x, y)| (x + y) % 2 == 1)
}
