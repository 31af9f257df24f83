//! Scattered: at half-routers, few in a row or column, none in the middle.

use super::{
    MemoryPlacement,
    policy::{Size, halves},
    search::{GridPosition, Search},
};

/// See the module.
pub struct Scattered {
    /// With the lowest loads of links, and the top right corner among them where it is a half-router; else as far apart as possible.
    pub from_corner: bool,
}

impl MemoryPlacement for Scattered {
    fn rules(&self, (columns, rows, _): Size) -> Option<Search> {
        let outside = |p: &GridPosition| !middle(columns, p.0) || !middle(rows, p.1);
        let corner = (columns.saturating_sub(1), 0);
        let is_fixed = |p: &GridPosition| self.from_corner && *p == corner;
        let (fixed, candidates) = halves(columns, rows).filter(outside).partition(is_fixed);
        Some(Search { columns, rows, fixed, candidates, few: true, spread: !self.from_corner })
    }

    fn region(&self) -> &'static str {
        "at the half-routers outside the middle of this mesh"
    }

    fn recorded(&self) -> &'static [(Size, &'static [u32])] {
        const APART: &[(Size, &[u32])] = &[
            ((4, 4, 4), &[1, 4, 11, 14]),
            ((6, 6, 8), &[1, 5, 6, 10, 25, 29, 30, 34]),
            ((8, 8, 8), &[1, 12, 23, 26, 37, 40, 51, 62]),
            ((11, 11, 8), &[1, 17, 43, 47, 73, 77, 103, 119]),
        ];
        const FROM_CORNER: &[(Size, &[u32])] = &[
            ((4, 4, 4), &[3, 4, 11, 14]),
            ((6, 6, 8), &[5, 8, 10, 13, 17, 22, 27, 32]),
            ((8, 8, 8), &[7, 8, 19, 30, 33, 44, 53, 58]),
            ((11, 11, 8), &[13, 29, 37, 45, 63, 69, 83, 93]),
        ];
        if self.from_corner { FROM_CORNER } else { APART }
    }

    fn starts_at_corner(&self) -> bool {
        self.from_corner
    }
}

/// Within an eighth of the length of a row or column from its middle.
pub(super) fn middle(length: u32, at: u32) -> bool {
    4 * (2 * at).abs_diff(length - 1) <= length
}
