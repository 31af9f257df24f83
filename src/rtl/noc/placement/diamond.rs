//! Diamond: around the middle, few in a row or column, none beside another, at any routers (Abts and others, ISCA
//! 2009).

use super::{
    MemoryPlacement,
    policy::Size,
    search::{self, GridPosition, Search},
};

/// See the module.
pub struct Diamond;

impl MemoryPlacement for Diamond {
    fn rules(&self, (columns, rows, _): Size) -> Option<Search> {
        Some(Search { columns, rows, fixed: vec![], candidates: diamond(columns, rows), few: true, spread: false })
    }

    fn most(&self, rules: &Search) -> u32 {
        search::apart(&rules.candidates)
    }

    fn region(&self) -> &'static str {
        "on the diamond of this mesh, none beside another"
    }

    fn recorded(&self) -> &'static [(Size, &'static [u32])] {
        &[
            ((4, 4, 4), &[1, 7, 8, 14]),
            ((6, 6, 8), &[2, 7, 10, 12, 23, 25, 28, 32]),
            ((8, 8, 8), &[3, 13, 17, 31, 32, 46, 50, 60]),
            ((11, 11, 8), &[5, 15, 29, 35, 67, 85, 91, 105]),
        ]
    }
}

/// The outline of a diamond with a corner in the middle of each side, in order of node numbers.
fn diamond(columns: u32, rows: u32) -> Vec<GridPosition> {
    let across = outline(columns, rows).into_iter();
    let mut places: Vec<GridPosition> = across.chain(outline(rows, columns).into_iter().map(|(y, x)| (x, y))).collect();
    places.sort_by_key(|&(x, y)| (y, x));
    places.dedup();
    places
}

/// For each row the nodes to the left and right of the middle that are on the outline. Distances from the middle count half nodes.
fn outline(columns: u32, rows: u32) -> Vec<GridPosition> {
    // A middle between two nodes is half a node away from both.
    let (near_x, near_y) = ((columns + 1) % 2, (rows + 1) % 2);
    let (wide, high) = (columns.saturating_sub(1 + near_x), rows.saturating_sub(1 + near_y));
    let row = |y: u32| {
        let up = (2 * y).abs_diff(rows - 1) - near_y;
        let off = if high == 0 { wide } else { (wide * (high - up) + high) / (2 * high) * 2 };
        [(wide - off) / 2, (columns - 1 + near_x + off) / 2].map(|x| (x, y))
    };
    (0..rows).flat_map(row).collect()
}
