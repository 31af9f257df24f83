//! Placement: which nodes of a mesh are memory nodes.
//!
//! ```text
//!   top-bottom         peripheral-row     peripheral-column
//!   . M M M M h        . M . M . M        . M . h . M
//!   h . h . h .        h . h . h .        M . h . h .
//!   . h . h . h        . h . h . M        . h . h . M
//!   h . h . h .        M . h . h .        M . h . h .
//!   . h . h . h        . h . h . h        . h . h . M
//!   h M M M M .        M . M . M .        M . h . M .
//!
//!   scattered-1        scattered-2        diamond
//!   . M . h . M        . h . h . M        . h M h . h
//!   M . h . M .        h . M . M .        h M h . M .
//!   . h . h . h        . M . h . M        M h . h . h
//!   h . h . h .        h . h . M .        h . h . h M
//!   . M . h . M        . h . M . h        . M . h M h
//!   M . h . M .        h . M . h .        h . M . h .
//! ```
//!
//! `h` is where a checkerboard has half-routers without memory: at odd sums of coordinates. The text of A. Bakhoda's thesis (2014),
//! sections 5.1 and 6.6, gives rules and shows the places only as pictures (figures 5.2 and 6.7), so the lists here are derived: memory
//! nodes at half-routers, never neighbours, few in a row or column, none in the middle, those of peripheral placements on the
//! border; of what the rules leave, the best for the loads of links ([`search`]). The diamond is that of D. Abts and others,
//! *Achieving predictable performance through better memory controller placement in many-core CMPs* (ISCA 2009), which has memory nodes at
//! full routers too.
//!
//! The usual sizes have their lists written down, found by a complete search: `cargo bench --bench placements` finds them again, a test
//! those of up to 64 nodes. Other sizes are searched, quickly and always with the same result, when they are asked for.

pub mod search;

use super::NocError;
use search::{Place, Search};
use serde::{Deserialize, Serialize};

/// Where the memory nodes are.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Placement {
    /// Half of them side by side in the middle of the top row, half in the bottom row (an odd one goes to the top).
    #[default]
    TopBottom,
    /// At half-routers of a checkerboard in the top and bottom rows; where these are too few, in all of them and at the sides.
    PeripheralRow,
    /// At half-routers of a checkerboard in the first and last columns; where these are too few, in all of them and at the ends.
    PeripheralColumn,
    /// At half-routers of a checkerboard, few in a row or column, none in the middle, as far apart as possible.
    #[serde(rename = "scattered-1")]
    Scattered1,
    /// At half-routers of a checkerboard, few in a row or column, none in the middle, with the lowest loads of links; controller 0 in the
    /// top right corner.
    #[serde(rename = "scattered-2")]
    Scattered2,
    /// On a diamond around the middle, few in a row or column, none beside another; full routers included.
    Diamond,
    /// These nodes, in the order of the controllers.
    List(Vec<u32>),
}

impl Placement {
    /// All that have a name.
    pub const NAMED: [Placement; 6] = [
        Placement::TopBottom,
        Placement::PeripheralRow,
        Placement::PeripheralColumn,
        Placement::Scattered1,
        Placement::Scattered2,
        Placement::Diamond,
    ];

    /// As in a configuration.
    pub fn name(&self) -> &'static str {
        match self {
            Placement::TopBottom => "top-bottom",
            Placement::PeripheralRow => "peripheral-row",
            Placement::PeripheralColumn => "peripheral-column",
            Placement::Scattered1 => "scattered-1",
            Placement::Scattered2 => "scattered-2",
            Placement::Diamond => "diamond",
            Placement::List(_) => "list",
        }
    }

    /// Node numbers of `memories` controllers, in the order of controllers: by node number, but in scattered 2 the one nearest to the
    /// top right corner first. For a list, its length counts. An error says how many have room.
    pub fn nodes(&self, columns: u32, rows: u32, memories: u32) -> Result<Vec<u32>, NocError> {
        let fits = |most: u32| match (1..=most).contains(&memories) {
            true => Ok(()),
            false => Err(self.too_many(columns, rows, memories, most)),
        };
        let Some(rules) = self.rules(columns, rows, memories) else {
            if let Placement::List(nodes) = self {
                return Ok(nodes.clone());
            }
            fits(if rows == 1 { columns } else { 2 * columns }.min((columns * rows).saturating_sub(1)))?;
            let top = if rows == 1 { memories } else { memories.div_ceil(2) };
            let row = |y: u32, count: u32| (0..count).map(move |i| y * columns + (columns - count) / 2 + i);
            return Ok(row(0, top).chain(row(rows - 1, memories - top)).collect());
        };
        // Half-routers are never neighbours of each other.
        fits(match self {
            Placement::Diamond => search::apart(&rules.candidates),
            _ => (rules.fixed.len() + rules.candidates.len()) as u32,
        })?;
        let mut nodes = match self.recorded(columns, rows, memories) {
            Some(nodes) => nodes.to_vec(),
            None => {
                let found = rules.quick(memories as usize).filter(|places| rules.cost_of(places)[0] == 0);
                let found = found.ok_or_else(|| self.too_many(columns, rows, memories, memories - 1))?;
                found.into_iter().map(|(x, y)| y * columns + x).collect()
            }
        };
        let from_corner = |node: u32| columns - 1 - node % columns + node / columns;
        nodes.sort();
        if *self == Placement::Scattered2
            && let Some(first) = (0..nodes.len()).min_by_key(|&i| from_corner(nodes[i]))
        {
            nodes[..=first].rotate_right(1);
        }
        Ok(nodes)
    }

    /// What is to be searched for `memories` memory nodes; `None` where nothing is.
    pub fn rules(&self, columns: u32, rows: u32, memories: u32) -> Option<Search> {
        let all = (0..rows).flat_map(|y| (0..columns).map(move |x| (x, y)));
        let halves = all.filter(|(x, y)| (x + y) % 2 == 1);
        let in_rows = |p: &Place| p.1 == 0 || p.1 + 1 == rows;
        let in_columns = |p: &Place| p.0 == 0 || p.0 + 1 == columns;
        let outside = |p: &Place| !middle(columns, p.0) || !middle(rows, p.1);
        let corner = (columns.saturating_sub(1), 0);
        let search = |fixed, candidates, few, spread| Some(Search { columns, rows, fixed, candidates, few, spread });
        // The first of these, or all of them and some of the second.
        let first = |first: Vec<Place>, then: Vec<Place>| match memories as usize <= first.len() {
            true => search(vec![], first, false, false),
            false => search(first, then, false, false),
        };
        match self {
            Placement::TopBottom | Placement::List(_) => None,
            Placement::PeripheralRow => {
                let (ends, sides) = halves.partition(in_rows);
                first(ends, Vec::into_iter(sides).filter(in_columns).collect())
            }
            Placement::PeripheralColumn => {
                let (sides, ends) = halves.partition(in_columns);
                first(sides, Vec::into_iter(ends).filter(in_rows).collect())
            }
            Placement::Scattered1 => search(vec![], halves.filter(outside).collect(), true, true),
            Placement::Scattered2 => {
                let (fixed, others) = halves.filter(outside).partition(|p| *p == corner);
                search(fixed, others, true, false)
            }
            Placement::Diamond => search(vec![], diamond(columns, rows), true, false),
        }
    }

    fn too_many(&self, columns: u32, rows: u32, memories: u32, most: u32) -> NocError {
        let room = match self {
            Placement::TopBottom | Placement::List(_) => "in the top and bottom rows of this mesh",
            Placement::PeripheralRow | Placement::PeripheralColumn => "at the half-routers on the border of this mesh",
            Placement::Scattered1 | Placement::Scattered2 => "at the half-routers outside the middle of this mesh",
            Placement::Diamond => "on the diamond of this mesh, none beside another",
        };
        let allowed = if most == 0 { format!("none: there is no place {room}") } else { format!("1 to {most} {room}") };
        NocError::TooManyMemories { placement: self.name(), memories, columns, rows, allowed }
    }

    /// The lists that a complete search found, by node number.
    fn recorded(&self, columns: u32, rows: u32, memories: u32) -> Option<&'static [u32]> {
        use Placement::*;
        Some(match (self, columns, rows, memories) {
            (PeripheralRow, 4, 4, 4) => &[1, 3, 12, 14],
            (PeripheralRow, 6, 6, 8) => &[1, 3, 5, 17, 18, 30, 32, 34],
            (PeripheralRow, 8, 8, 8) => &[1, 3, 5, 7, 56, 58, 60, 62],
            (PeripheralRow, 11, 11, 8) => &[1, 3, 7, 9, 111, 113, 117, 119],
            (PeripheralColumn, 4, 4, 4) => &[3, 4, 11, 12],
            (PeripheralColumn, 6, 6, 8) => &[1, 5, 6, 17, 18, 29, 30, 34],
            (PeripheralColumn, 8, 8, 8) => &[7, 8, 23, 24, 39, 40, 55, 56],
            (PeripheralColumn, 11, 11, 8) => &[11, 33, 43, 55, 65, 77, 87, 109],
            (Scattered1, 4, 4, 4) => &[1, 4, 11, 14],
            (Scattered1, 6, 6, 8) => &[1, 5, 6, 10, 25, 29, 30, 34],
            (Scattered1, 8, 8, 8) => &[1, 12, 23, 26, 37, 40, 51, 62],
            (Scattered1, 11, 11, 8) => &[1, 17, 43, 47, 73, 77, 103, 119],
            (Scattered2, 4, 4, 4) => &[3, 4, 11, 14],
            (Scattered2, 6, 6, 8) => &[5, 8, 10, 13, 17, 22, 27, 32],
            (Scattered2, 8, 8, 8) => &[7, 8, 19, 30, 33, 44, 53, 58],
            (Scattered2, 11, 11, 8) => &[13, 29, 37, 45, 63, 69, 83, 93],
            (Diamond, 4, 4, 4) => &[1, 7, 8, 14],
            (Diamond, 6, 6, 8) => &[2, 7, 10, 12, 23, 25, 28, 32],
            (Diamond, 8, 8, 8) => &[3, 13, 17, 31, 32, 46, 50, 60],
            (Diamond, 11, 11, 8) => &[5, 15, 29, 35, 67, 85, 91, 105],
            _ => return None,
        })
    }
}

/// Within an eighth of the length of a row or column from its middle.
fn middle(length: u32, at: u32) -> bool {
    4 * (2 * at).abs_diff(length - 1) <= length
}

/// The outline of a diamond with a corner in the middle of each side, in order of node numbers.
fn diamond(columns: u32, rows: u32) -> Vec<Place> {
    let across = outline(columns, rows).into_iter();
    let mut places: Vec<Place> = across.chain(outline(rows, columns).into_iter().map(|(y, x)| (x, y))).collect();
    places.sort_by_key(|&(x, y)| (y, x));
    places.dedup();
    places
}

/// For each row the nodes to the left and right of the middle that are on the outline. Distances from the middle count half nodes.
fn outline(columns: u32, rows: u32) -> Vec<Place> {
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

#[cfg(test)]
mod tests {
    use super::*;

    const USUAL: [(u32, u32, u32); 4] = [(4, 4, 4), (6, 6, 8), (8, 8, 8), (11, 11, 8)];

    #[test]
    fn top_bottom_is_centred() {
        let nodes = |columns, rows, memories| Placement::TopBottom.nodes(columns, rows, memories).expect("fits");
        assert_eq!(nodes(4, 4, 4), [1, 2, 13, 14]);
        assert_eq!(nodes(6, 6, 8), [1, 2, 3, 4, 31, 32, 33, 34]);
        assert_eq!(nodes(2, 1, 1), [0]);
        let error = Placement::TopBottom.nodes(2, 2, 4).expect_err("no room for a core").to_string();
        assert!(error.ends_with("allowed: 1 to 3 in the top and bottom rows of this mesh"), "{error}");
    }

    #[test]
    fn recorded_lists_are_what_a_complete_search_finds() {
        for (columns, rows, memories) in USUAL.into_iter().filter(|(columns, rows, _)| columns * rows <= 64) {
            for placement in &Placement::NAMED[1..] {
                let found = placement.rules(columns, rows, memories).expect("searched").complete(memories as usize);
                let mut found: Vec<_> = found.expect("room").into_iter().map(|(x, y)| y * columns + x).collect();
                found.sort();
                assert_eq!(
                    placement.recorded(columns, rows, memories),
                    Some(&found[..]),
                    "{placement:?} {columns} x {rows}"
                );
            }
        }
    }

    /// On a larger mesh, at least no other memory node is better for any one of them.
    #[test]
    fn recorded_lists_are_no_worse_than_a_quick_search() {
        for (columns, rows, memories) in USUAL {
            for placement in &Placement::NAMED[1..] {
                let rules = placement.rules(columns, rows, memories).expect("searched");
                let list = placement.recorded(columns, rows, memories).expect("recorded");
                let places: Vec<_> = list.iter().map(|n| (n % columns, n / columns)).collect();
                let quick = rules.quick(memories as usize).expect("room");
                assert!(rules.cost_of(&places) <= rules.cost_of(&quick), "{placement:?} {columns} x {rows}");
            }
        }
    }

    /// Each named placement on any mesh, as many memory nodes as the error allows: distinct nodes inside, by its rules.
    #[test]
    fn placements_keep_their_rules() {
        for (columns, rows) in
            [(1, 1), (1, 5), (2, 1), (2, 2), (3, 3), (4, 4), (5, 4), (7, 3), (6, 6), (9, 8), (11, 11)]
        {
            for placement in &Placement::NAMED[1..] {
                for memories in 1..=(columns * rows).min(14) {
                    let Ok(nodes) = placement.nodes(columns, rows, memories) else { continue };
                    let place = |n: &u32| (n % columns, n / columns);
                    let context = format!("{placement:?} {columns} x {rows}: {nodes:?}");
                    assert_eq!(nodes.len() as u32, memories, "{context}");
                    for (i, a) in nodes.iter().map(place).enumerate() {
                        let (x, y) = a;
                        assert!(x < columns && y < rows, "{context}");
                        let apart = |b: Place| a.0.abs_diff(b.0) + a.1.abs_diff(b.1) > 1;
                        assert!(nodes[..i].iter().all(|b| apart(place(b))), "{context}");
                        assert!(*placement == Placement::Diamond || (x + y) % 2 == 1, "{context}");
                        let border = x == 0 || y == 0 || x + 1 == columns || y + 1 == rows;
                        match placement {
                            Placement::PeripheralRow | Placement::PeripheralColumn => assert!(border, "{context}"),
                            Placement::Diamond => {}
                            _ => assert!(!(middle(columns, x) && middle(rows, y)), "{context}"),
                        }
                    }
                }
            }
        }
    }

    /// The most that an error allows is served, and one more is not.
    #[test]
    fn errors_say_what_is_allowed() {
        for placement in Placement::NAMED {
            for (columns, rows) in [(4, 4), (5, 3), (6, 6)] {
                let error = placement.nodes(columns, rows, 36).expect_err("no room for a core").to_string();
                let most = error.split("allowed: 1 to ").nth(1).and_then(|s| s.split(' ').next());
                let most: u32 = most.and_then(|s| s.parse().ok()).unwrap_or_else(|| panic!("{error}"));
                placement
                    .nodes(columns, rows, most)
                    .unwrap_or_else(|e| panic!("{placement:?} {columns} x {rows}: {e}"));
                placement.nodes(columns, rows, most + 1).expect_err("one too many");
            }
        }
        let error = Placement::Scattered1.nodes(1, 1, 1).expect_err("a full router").to_string();
        assert_eq!(
            error,
            "1 memory nodes in a scattered-1 placement on 1 x 1: allowed: none: there is no place at the half-routers outside the \
             middle of this mesh"
        );
    }

    #[test]
    fn the_first_controller_of_scattered_2_is_in_the_top_right_corner() {
        let first = |columns, rows, memories| Placement::Scattered2.nodes(columns, rows, memories).expect("fits")[0];
        assert_eq!((first(4, 4, 4), first(6, 6, 8), first(8, 8, 8), first(8, 5, 3)), (3, 5, 7, 7));
        assert_eq!(first(11, 11, 8), 29, "the corner is a full router: the nearest");
    }

    /// What section 6.6 of the thesis says of its placements, in loads of links under XY routing.
    #[test]
    fn busiest_links_rank_as_in_the_thesis() {
        let rules = Placement::Scattered2.rules(6, 6, 8).expect("searched");
        let busiest = |placement: &Placement| {
            let nodes = placement.nodes(6, 6, 8).expect("fits");
            rules.cost_of(&nodes.iter().map(|n| (n % 6, n / 6)).collect::<Vec<_>>())[3..5].to_vec()
        };
        let [top_bottom, row, column, one, two] = [
            Placement::TopBottom,
            Placement::PeripheralRow,
            Placement::PeripheralColumn,
            Placement::Scattered1,
            Placement::Scattered2,
        ]
        .map(|placement| busiest(&placement));
        assert!(column < row, "by columns is better than by rows");
        assert!(two < one && two < row && two < top_bottom, "scattered 2 is the best but for columns: {two:?}");
        assert!(two[1] < column[1], "and in the sum of squares of all links the best of all");
    }
}
