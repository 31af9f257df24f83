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
//! `h` is where a checkerboard has half-routers without memory: at odd sums of coordinates. The text of A. Bakhoda's
//! thesis (2014), sections 5.1 and 6.6, gives rules and shows the places only as pictures (figures 5.2 and 6.7), so the
//! lists here are derived: memory nodes at half-routers, never neighbours, few in a row or column, none in the middle,
//! those of peripheral placements on the border; of what the rules leave, the best for the loads of links ([`search`]).
//! The diamond is that of D. Abts and others,
//! *Achieving predictable performance through better memory controller placement in many-core CMPs* (ISCA 2009), which has memory nodes at
//! full routers too.
//!
//! The usual sizes have their lists written down, found by a complete search: `cargo campaign placements` finds
//! them again, a test those of up to 64 nodes. Other sizes are searched, quickly and always with the same result, when
//! they are asked for.
//!
//! A named placement is a row of the table below and a file with its rule ([`MemoryPlacement`]); a list of nodes needs
//! none.

pub mod clusters;
mod diamond;
mod peripheral;
mod policy;
mod scattered;
pub mod search;
mod top_bottom;

use super::NocError;
use common::policies;
pub use policy::MemoryPlacement;
use policy::Size;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use search::Search;
use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{self, MapAccess, Visitor},
    ser::SerializeMap,
};
use std::{borrow::Cow, fmt, sync::LazyLock};

policies! {
    /// Where the memory nodes are, by name.
    pub enum PlacementKind: dyn MemoryPlacement {
        /// Half of them side by side in the middle of the top row, half in the bottom row (an odd one goes to the top).
        TopBottom = "top-bottom" => top_bottom::TopBottom,
        /// At half-routers of a checkerboard in the top and bottom rows; where these are too few, in all of them and at the sides.
        PeripheralRow = "peripheral-row" => peripheral::Peripheral { by_row: true },
        /// At half-routers of a checkerboard in the first and last columns; where these are too few, in all of them and at the ends.
        PeripheralColumn = "peripheral-column" => peripheral::Peripheral { by_row: false },
        /// At half-routers of a checkerboard, few in a row or column, none in the middle, as far apart as possible.
        Scattered1 = "scattered-1" => scattered::Scattered { from_corner: false },
        /// At half-routers of a checkerboard, few in a row or column, none in the middle, with the lowest loads of links; controller 0 in the top right corner.
        Scattered2 = "scattered-2" => scattered::Scattered { from_corner: true },
        /// On a diamond around the middle, few in a row or column, none beside another; full routers included.
        Diamond = "diamond" => diamond::Diamond,
        /// So that the largest of the clusters of cores that are nearest to each is as small as possible, and cores are near; none beside another (for a ring).
        Clusters = "clusters" => clusters::Clusters,
    }
}

impl PlacementKind {
    /// Node numbers of `memories` controllers, in the order of controllers: by node number, but in scattered 2 the one nearest to the
    /// top right corner first. An error says how many have room.
    pub fn nodes(self, columns: u32, rows: u32, memories: u32) -> Result<Vec<u32>, NocError> {
        let (policy, size) = (self.policy(), (columns, rows, memories));
        let fits = |most: u32| match (1..=most).contains(&memories) {
            true => Ok(()),
            false => Err(self.too_many(size, most)),
        };
        let Some(rules) = policy.rules(size) else {
            fits(policy.room(columns, rows))?;
            return Ok(policy.given(size));
        };
        fits(policy.most(&rules))?;
        let mut nodes = match self.recorded(size) {
            Some(nodes) => nodes.to_vec(),
            None => {
                let found = rules.quick(memories as usize).filter(|places| rules.cost_of(places)[0] == 0);
                let found = found.ok_or_else(|| self.too_many(size, memories - 1))?;
                found.into_iter().map(|(x, y)| y * columns + x).collect()
            }
        };
        let from_corner = |node: u32| columns - 1 - node % columns + node / columns;
        nodes.sort();
        if policy.starts_at_corner()
            && let Some(first) = (0..nodes.len()).min_by_key(|&i| from_corner(nodes[i]))
        {
            nodes[..=first].rotate_right(1);
        }
        Ok(nodes)
    }

    /// What is to be searched for `memories` memory nodes; `None` where nothing is.
    pub fn rules(self, columns: u32, rows: u32, memories: u32) -> Option<Search> {
        self.policy().rules((columns, rows, memories))
    }

    fn too_many(self, (columns, rows, memories): Size, most: u32) -> NocError {
        let region = self.policy().region();
        let allowed =
            if most == 0 { format!("none: there is no place {region}") } else { format!("1 to {most} {region}") };
        NocError::TooManyMemories { placement: self.name(), memories, columns, rows, allowed }
    }

    fn recorded(self, size: Size) -> Option<&'static [u32]> {
        self.policy().recorded().iter().find(|(of, _)| *of == size).map(|(_, nodes)| *nodes)
    }
}

/// Where the memory nodes are: a name, or `{ list = [nodes] }`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Placement {
    /// By a rule.
    Named(PlacementKind),
    /// These nodes, in the order of the controllers.
    List(Vec<u32>),
}

impl Default for Placement {
    fn default() -> Self {
        Self::Named(PlacementKind::default())
    }
}

impl Placement {
    /// Node numbers of `memories` controllers, in their order. Of a list, its length counts.
    pub fn nodes(&self, columns: u32, rows: u32, memories: u32) -> Result<Vec<u32>, NocError> {
        match self {
            Self::Named(kind) => kind.nodes(columns, rows, memories),
            Self::List(nodes) => Ok(nodes.clone()),
        }
    }
}

/// The key of a list.
const LIST: &str = "list";

/// For messages.
static NAMES: LazyLock<Vec<&str>> =
    LazyLock::new(|| PlacementKind::ALL.map(PlacementKind::name).into_iter().chain([LIST]).collect());

impl Serialize for Placement {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Named(kind) => kind.serialize(serializer),
            Self::List(nodes) => {
                let mut map = serializer.serialize_map(Some(1))?;
                map.serialize_entry(LIST, nodes)?;
                map.end()
            }
        }
    }
}

impl<'de> Deserialize<'de> for Placement {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(NameOrList)
    }
}

struct NameOrList;

impl<'de> Visitor<'de> for NameOrList {
    type Value = Placement;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the name of a placement, or {{ {LIST} = [nodes] }}")
    }

    fn visit_str<E: de::Error>(self, name: &str) -> Result<Placement, E> {
        let kind = PlacementKind::ALL.into_iter().find(|kind| kind.name() == name);
        kind.map(Placement::Named).ok_or_else(|| E::unknown_variant(name, &NAMES))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Placement, A::Error> {
        let wrong = |key: String| de::Error::unknown_field(&key, &[LIST]);
        let mut list = None;
        while let Some(key) = map.next_key::<String>()? {
            match key == LIST {
                true => list = Some(map.next_value()?),
                false => return Err(wrong(key)),
            }
        }
        list.map(Placement::List).ok_or_else(|| de::Error::missing_field(LIST))
    }
}

impl JsonSchema for Placement {
    fn schema_name() -> Cow<'static, str> {
        "Placement".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "Where the memory nodes are.",
            "anyOf": [
                generator.subschema_for::<PlacementKind>(),
                {
                    "description": "These nodes, in the order of the controllers.",
                    "type": "object",
                    "properties": { (LIST): generator.subschema_for::<Vec<u32>>() },
                    "required": [LIST],
                    "additionalProperties": false,
                },
            ],
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{search::GridPosition, *};

    /// Those of the search by loads of links.
    fn searched() -> impl Iterator<Item = PlacementKind> {
        PlacementKind::ALL.into_iter().filter(|placement| placement.rules(4, 4, 4).is_some())
    }

    const USUAL: [(u32, u32, u32); 4] = [(4, 4, 4), (6, 6, 8), (8, 8, 8), (11, 11, 8)];

    #[test]
    fn a_placement_is_a_name_or_a_list() {
        for (text, placement) in [
            ("\"diamond\"", Placement::Named(PlacementKind::Diamond)),
            ("{\"list\":[3,1]}", Placement::List(vec![3, 1])),
        ] {
            assert_eq!(serde_json::from_str::<Placement>(text).expect("legal"), placement);
            assert_eq!(serde_json::to_string(&placement).expect("legal"), text);
        }
        for wrong in ["\"corner\"", "{}", "{\"nodes\":[1]}", "7"] {
            serde_json::from_str::<Placement>(wrong).expect_err("no placement");
        }
    }

    #[test]
    fn top_bottom_is_centred() {
        let nodes = |columns, rows, memories| PlacementKind::TopBottom.nodes(columns, rows, memories).expect("fits");
        assert_eq!(nodes(4, 4, 4), [1, 2, 13, 14]);
        assert_eq!(nodes(6, 6, 8), [1, 2, 3, 4, 31, 32, 33, 34]);
        assert_eq!(nodes(2, 1, 1), [0]);
        let error = PlacementKind::TopBottom.nodes(2, 2, 4).expect_err("no room for a core").to_string();
        assert!(error.ends_with("allowed: 1 to 3 in the top and bottom rows of this mesh"), "{error}");
    }

    #[test]
    fn recorded_lists_are_what_a_complete_search_finds() {
        for (columns, rows, memories) in USUAL.into_iter().filter(|(columns, rows, _)| columns * rows <= 64) {
            for placement in &searched().collect::<Vec<_>>() {
                let found = placement.rules(columns, rows, memories).expect("searched").complete(memories as usize);
                let mut found: Vec<_> = found.expect("room").into_iter().map(|(x, y)| y * columns + x).collect();
                found.sort();
                assert_eq!(
                    placement.recorded((columns, rows, memories)),
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
            for placement in &searched().collect::<Vec<_>>() {
                let rules = placement.rules(columns, rows, memories).expect("searched");
                let list = placement.recorded((columns, rows, memories)).expect("recorded");
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
            for placement in &searched().collect::<Vec<_>>() {
                for memories in 1..=(columns * rows).min(14) {
                    let Ok(nodes) = placement.nodes(columns, rows, memories) else { continue };
                    let place = |n: &u32| (n % columns, n / columns);
                    let context = format!("{placement:?} {columns} x {rows}: {nodes:?}");
                    assert_eq!(nodes.len() as u32, memories, "{context}");
                    for (i, a) in nodes.iter().map(place).enumerate() {
                        let (x, y) = a;
                        assert!(x < columns && y < rows, "{context}");
                        let apart = |b: GridPosition| a.0.abs_diff(b.0) + a.1.abs_diff(b.1) > 1;
                        assert!(nodes[..i].iter().all(|b| apart(place(b))), "{context}");
                        assert!(*placement == PlacementKind::Diamond || (x + y) % 2 == 1, "{context}");
                        let border = x == 0 || y == 0 || x + 1 == columns || y + 1 == rows;
                        match placement {
                            PlacementKind::PeripheralRow | PlacementKind::PeripheralColumn => {
                                assert!(border, "{context}")
                            }
                            PlacementKind::Diamond => {}
                            _ => assert!(!(scattered::middle(columns, x) && scattered::middle(rows, y)), "{context}"),
                        }
                    }
                }
            }
        }
    }

    /// The most that an error allows is served, and one more is not.
    #[test]
    fn errors_say_what_is_allowed() {
        for placement in PlacementKind::ALL {
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
        let error = PlacementKind::Scattered1.nodes(1, 1, 1).expect_err("a full router").to_string();
        assert_eq!(
            error,
            "1 memory nodes in a scattered-1 placement on 1 x 1: allowed: none: there is no place at the half-routers outside the \
             middle of this mesh"
        );
    }

    #[test]
    fn the_first_controller_of_scattered_2_is_in_the_top_right_corner() {
        let first =
            |columns, rows, memories| PlacementKind::Scattered2.nodes(columns, rows, memories).expect("fits")[0];
        assert_eq!((first(4, 4, 4), first(6, 6, 8), first(8, 8, 8), first(8, 5, 3)), (3, 5, 7, 7));
        assert_eq!(first(11, 11, 8), 29, "the corner is a full router: the nearest");
    }

    /// What section 6.6 of the thesis says of its placements, in loads of links under XY routing.
    #[test]
    fn busiest_links_rank_as_in_the_thesis() {
        let rules = PlacementKind::Scattered2.rules(6, 6, 8).expect("searched");
        let busiest = |placement: &PlacementKind| {
            let nodes = placement.nodes(6, 6, 8).expect("fits");
            rules.cost_of(&nodes.iter().map(|n| (n % 6, n / 6)).collect::<Vec<_>>())[3..5].to_vec()
        };
        let [top_bottom, row, column, one, two] = [
            PlacementKind::TopBottom,
            PlacementKind::PeripheralRow,
            PlacementKind::PeripheralColumn,
            PlacementKind::Scattered1,
            PlacementKind::Scattered2,
        ]
        .map(|placement| busiest(&placement));
        assert!(column < row, "by columns is better than by rows");
        assert!(two < one && two < row && two < top_bottom, "scattered 2 is the best but for columns: {two:?}");
        assert!(two[1] < column[1], "and in the sum of squares of all links the best of all");
    }
}
