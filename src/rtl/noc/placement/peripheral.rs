//! Peripheral: at half-routers on the border; on two sides of it, and on the others where these are too few.

use super::{
    MemoryPlacement,
    policy::{Size, halves},
    search::{GridPosition, Search},
};

/// See the module.
pub struct Peripheral {
    /// In the top and bottom rows first; else in the first and last columns.
    pub by_row: bool,
}

impl MemoryPlacement for Peripheral {
    fn rules(&self, (columns, rows, memories): Size) -> Option<Search> {
        let in_rows = |p: &GridPosition| p.1 == 0 || p.1 + 1 == rows;
        let in_columns = |p: &GridPosition| p.0 == 0 || p.0 + 1 == columns;
        let halves = halves(columns, rows);
        let (first, then): (Vec<_>, Vec<_>) = match self.by_row {
            true => {
                let (ends, sides): (_, Vec<_>) = halves.partition(in_rows);
                (ends, sides.into_iter().filter(in_columns).collect())
            }
            false => {
                let (sides, ends): (_, Vec<_>) = halves.partition(in_columns);
                (sides, ends.into_iter().filter(in_rows).collect())
            }
        };
        // The first of these, or all of them and some of the second.
        let (fixed, candidates) = if memories as usize <= first.len() { (vec![], first) } else { (first, then) };
        Some(Search { columns, rows, fixed, candidates, few: false, spread: false })
    }

    fn region(&self) -> &'static str {
        "at the half-routers on the border of this mesh"
    }

    fn recorded(&self) -> &'static [(Size, &'static [u32])] {
        const BY_ROW: &[(Size, &[u32])] = &[
            ((4, 4, 4), &[1, 3, 12, 14]),
            ((6, 6, 8), &[1, 3, 5, 17, 18, 30, 32, 34]),
            ((8, 8, 8), &[1, 3, 5, 7, 56, 58, 60, 62]),
            ((11, 11, 8), &[1, 3, 7, 9, 111, 113, 117, 119]),
        ];
        const BY_COLUMN: &[(Size, &[u32])] = &[
            ((4, 4, 4), &[3, 4, 11, 12]),
            ((6, 6, 8), &[1, 5, 6, 17, 18, 29, 30, 34]),
            ((8, 8, 8), &[7, 8, 23, 24, 39, 40, 55, 56]),
            ((11, 11, 8), &[11, 33, 43, 55, 65, 77, 87, 109]),
        ];
        if self.by_row { BY_ROW } else { BY_COLUMN }
    }
}
