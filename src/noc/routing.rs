//! Routing: pure functions from where a packet is and where it goes to the next output, used twice: the route unit is generated
//! from them, and the checks walk them.
//!
//! All routings here depend only on the signs of the two distances and the packet's `yx` bit, so a route unit is a table over
//! [`Situation::all`].

use super::{Connectivity, Direction, Input, NocError, Output};
use serde::{Deserialize, Serialize};
use std::{
    cmp::Ordering::{self, *},
    collections::{BTreeMap, BTreeSet},
};

/// A routing relation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Routing {
    /// First along the row, then along the column.
    #[default]
    Xy,
    /// First along the column, then along the row.
    Yx,
    /// Each packet as its `yx` bit says. Deadlock-free only when the two kinds use different VCs.
    PerPacket,
}

/// All that a routing decision depends on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Situation {
    /// Destination x compared with here: `Greater` is to the east.
    pub x: Ordering,
    /// Destination y compared with here: `Greater` is to the south.
    pub y: Ordering,
    /// The packet's routing phase.
    pub yx: bool,
}

impl Situation {
    /// At `here`, for a packet to `destination`, both (x, y).
    pub fn new(here: (u32, u32), destination: (u32, u32), yx: bool) -> Self {
        Self { x: destination.0.cmp(&here.0), y: destination.1.cmp(&here.1), yx }
    }

    /// Every situation.
    pub fn all() -> impl Iterator<Item = Situation> {
        let signs = [Less, Equal, Greater];
        [false, true]
            .into_iter()
            .flat_map(move |yx| signs.into_iter().flat_map(move |x| signs.map(|y| Situation { x, y, yx })))
    }
}

/// Where a packet goes next.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Hop {
    /// To a neighbour.
    Link(Direction),
    /// It has arrived: to an ejection port.
    Arrived,
}

impl Routing {
    /// The next hop.
    pub fn next(self, at: Situation) -> Hop {
        let along_x = match at.x {
            Less => Some(Direction::West),
            Equal => None,
            Greater => Some(Direction::East),
        };
        let along_y = match at.y {
            Less => Some(Direction::North),
            Equal => None,
            Greater => Some(Direction::South),
        };
        let y_first = match self {
            Routing::Xy => false,
            Routing::Yx => true,
            Routing::PerPacket => at.yx,
        };
        let direction = if y_first { along_y.or(along_x) } else { along_x.or(along_y) };
        direction.map_or(Hop::Arrived, Hop::Link)
    }

    /// True when decisions look at the packet's `yx` bit.
    pub fn reads_phase(self) -> bool {
        self == Routing::PerPacket
    }
}

/// A point of a router's connectivity as routing sees it: terminal ports of one kind are alike.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Relation {
    /// Neighbour that the packet came from; `None`: injected here.
    pub from: Option<Direction>,
    /// Neighbour that it goes to; `None`: ejected here.
    pub to: Option<Direction>,
}

impl Relation {
    /// The relation that the connection from `input` to `output` serves.
    pub fn of(input: Input, output: Output) -> Self {
        Self {
            from: match input {
                Input::From(direction) => Some(direction),
                Input::Inject(_) => None,
            },
            to: match output {
                Output::To(direction) => Some(direction),
                Output::Eject(_) => None,
            },
        }
    }
}

/// The connections that `routing` uses at each node of a mesh when packets go between the pairs `flows` (source, destination),
/// found by walking every route.
pub fn used_connections(
    columns: u32,
    rows: u32,
    routing: Routing,
    flows: impl IntoIterator<Item = (u32, u32)>,
) -> Result<BTreeMap<u32, BTreeSet<Relation>>, NocError> {
    let place = |node: u32| (node % columns, node / columns);
    let phases: &[bool] = if routing.reads_phase() { &[false, true] } else { &[false] };
    let mut used: BTreeMap<u32, BTreeSet<Relation>> = BTreeMap::new();
    for (source, destination) in flows {
        for &yx in phases {
            let (mut here, mut from) = (source, None);
            loop {
                let (x, y) = place(here);
                let hop = routing.next(Situation::new((x, y), place(destination), yx));
                let to = match hop {
                    Hop::Link(direction) => Some(direction),
                    Hop::Arrived => None,
                };
                used.entry(here).or_default().insert(Relation { from, to });
                let Some(direction) = to else { break };
                let next = match direction {
                    Direction::North => y.checked_sub(1).map(|y| (x, y)),
                    Direction::South => (y + 1 < rows).then_some((x, y + 1)),
                    Direction::West => x.checked_sub(1).map(|x| (x, y)),
                    Direction::East => (x + 1 < columns).then_some((x + 1, y)),
                };
                let Some((x, y)) = next else {
                    return Err(NocError::LeavesTheMesh { node: here, routing, direction });
                };
                (here, from) = (y * columns + x, Some(direction.opposite()));
            }
        }
    }
    Ok(used)
}

/// Checks the routers of a mesh (by node number) against a routing and its flows. The result lists connections that no route
/// uses, as (node, input, output).
pub fn check_network(
    columns: u32,
    rows: u32,
    routers: &[Connectivity],
    routing: Routing,
    flows: impl IntoIterator<Item = (u32, u32)>,
) -> Result<Vec<(u32, Input, Output)>, NocError> {
    let used = used_connections(columns, rows, routing, flows)?;
    let mut unused = vec![];
    for (node, connectivity) in (0..).zip(routers) {
        connectivity.check()?;
        let here = used.get(&node).cloned().unwrap_or_default();
        let idle = connectivity.check_routing(node, routing, &here)?;
        unused.extend(idle.into_iter().map(|(input, output)| (node, input, output)));
    }
    Ok(unused)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::noc::Ports;

    fn all_pairs(nodes: u32) -> impl Iterator<Item = (u32, u32)> {
        (0..nodes).flat_map(move |s| (0..nodes).map(move |d| (s, d)))
    }

    #[test]
    fn xy_never_turns_from_y_to_x() {
        let used = used_connections(4, 4, Routing::Xy, all_pairs(16)).expect("stays inside");
        for relation in used.values().flatten() {
            let vertical = |d: Option<Direction>| matches!(d, Some(Direction::North | Direction::South));
            let horizontal = |d: Option<Direction>| matches!(d, Some(Direction::East | Direction::West));
            assert!(!(vertical(relation.from) && horizontal(relation.to)), "{relation:?}");
        }
    }

    #[test]
    fn a_half_router_in_the_way_of_a_turn_is_an_error() {
        let mut routers: Vec<_> = (0..9)
            .map(|node: u32| {
                let (x, y) = (node % 3, node / 3);
                let there = [y > 0, x < 2, y < 2, x > 0];
                let links = Direction::ALL.into_iter().zip(there).filter(|(_, there)| *there).map(|(d, _)| d).collect();
                Connectivity::full(&Ports { links, injects: 1, ejects: 1 })
            })
            .collect();
        let unused = check_network(3, 3, &routers, Routing::Xy, all_pairs(9)).expect("full routers turn everywhere");
        assert!(unused.contains(&(4, Input::From(Direction::North), Output::To(Direction::East))));
        routers[4] = Connectivity::half(&Ports::interior());
        let error = check_network(3, 3, &routers, Routing::Xy, all_pairs(9)).expect_err("node 4 cannot turn");
        assert!(error.to_string().starts_with("node 4: Xy routing needs the connection from "), "{error}");
        // Without flows that turn there, the half-router will do.
        let straight = all_pairs(9).filter(|(s, d)| s % 3 == d % 3 || s / 3 == d / 3);
        check_network(3, 3, &routers, Routing::Xy, straight).expect("nobody turns");
    }
}
