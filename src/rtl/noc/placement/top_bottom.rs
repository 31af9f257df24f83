//! Top-bottom: side by side in the middle of the top row and of the bottom row, at any routers. Nothing is searched.

use super::{MemoryPlacement, policy::Size, search::Search};

/// See the module.
pub struct TopBottom;

impl MemoryPlacement for TopBottom {
    fn rules(&self, _: Size) -> Option<Search> {
        None
    }

    fn room(&self, columns: u32, rows: u32) -> u32 {
        if rows == 1 { columns } else { 2 * columns }.min((columns * rows).saturating_sub(1))
    }

    fn given(&self, (columns, rows, memories): Size) -> Vec<u32> {
        let top = if rows == 1 { memories } else { memories.div_ceil(2) };
        let row = |y: u32, count: u32| (0..count).map(move |i| y * columns + (columns - count) / 2 + i);
        row(0, top).chain(row(rows - 1, memories - top)).collect()
    }

    fn region(&self) -> &'static str {
        "in the top and bottom rows of this mesh"
    }
}
