//! Routing: where a packet goes next, as pure functions. The same functions make the route units, the choices of the network
//! interfaces, and the checks ([`paths`](super::paths), [`deadlock`](super::deadlock)).
//!
//! A routing has two halves. The **path choice** ([`Routing::choices`]) is made once, at the source: the packet's phase bit `yx` and, for
//! routings of two phases, the node `via` between them. The **hop rule** ([`HopRule`]) is what every router does: it looks only at the
//! signs of the distances to `dest` (and `via`) and at the phase bit.
//!
//! | routing | choice at the source | hop rule | sets of VCs a message class |
//! |---|---|---|---|
//! | `xy`, `yx` | none | that order | 1 |
//! | `class-based` | requests `yx` = 0, replies 1 | 0: XY, 1: YX | 1: the message class is the phase |
//! | `o1-turn` | `yx` at random | 0: XY, 1: YX | 2 |
//! | `romm` | `via` at random in the quadrant | 1: XY to `via`, there 0; 0: XY | 2 |
//! | `checkerboard` | by which turns are at full routers | 1: YX to `via`, there 0; 0: XY | 2 |
//! | `adaptive` | `yx` = 1 | 1: any minimal direction, or down to 0; 0: XY (escape) | 2 |
//! | `xy` on a torus or ring | `yx` at random | XY the shorter way around; 1 while the closing link is ahead, 0 from it on ([`line`](super::line)) | 2 |
//! | `xy` with express links, on a flattened butterfly | none | XY by the longest link that does not go too far | 1 |
//! | `xy` on a butterfly or crossbar | none | the port or the slot that the address names (destination tag) | 1 |
//!
//! Sources: checkerboard routing, class-based routing on it: A. Bakhoda's thesis (2014), sections 5.2 and 5.6. O1Turn: D. Seo and others,
//! *Near-optimal worst-case throughput routing for two-dimensional mesh networks* (ISCA 2005). ROMM: T. Nesson and S. L. Johnsson, *ROMM
//! routing on mesh and torus networks* (SPAA 1995). Escape paths: J. Duato, *A new theory of deadlock-free adaptive routing in wormhole
//! networks* (1993); here a packet that took the escape path stays on it.

use super::{Direction, MessageClass, line::LineRule};
use serde::{Deserialize, Serialize};
use std::cmp::Ordering::{self, *};

/// A routing.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Routing {
    /// First along the row, then along the column.
    #[default]
    Xy,
    /// First along the column, then along the row.
    Yx,
    /// Class-based deterministic routing (CDR): requests XY, replies YX.
    ClassBased,
    /// XY or YX at random, packet by packet, on VCs of their own (O1Turn).
    O1Turn,
    /// Through a random node of the minimal quadrant, XY to it and XY from it (two-phase ROMM).
    Romm,
    /// Checkerboard routing: XY, or YX where only that turn is at a full router, or YX to a random full router and XY from it.
    Checkerboard,
    /// Checkerboard routing that also takes half-router to full-router (case 3) through a random full router.
    CheckerboardTwoPhase,
    /// Any minimal direction that has a free VC; XY on escape VCs.
    Adaptive,
    /// XY on a torus or a ring: the shorter way around.
    #[serde(skip)]
    ShortestXy,
    /// XY on a mesh with express links.
    #[serde(skip)]
    ExpressXy,
    /// XY on a flattened butterfly.
    #[serde(skip)]
    FlattenedXy,
    /// By the port that the destination's address names.
    #[serde(skip)]
    DestinationTag,
}

/// A dimension order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Order {
    /// Row first.
    Xy,
    /// Column first.
    Yx,
}

impl Order {
    /// The next hop of a packet whose destination compares so with here: `Greater` is to the east and to the south.
    pub fn next(self, x: Ordering, y: Ordering) -> Hop {
        let [along_x, along_y] = Signs { x, y }.productive();
        let direction = match self {
            Order::Xy => along_x.or(along_y),
            Order::Yx => along_y.or(along_x),
        };
        direction.map_or(Hop::Arrived, Hop::Link)
    }

    /// The node, as (x, y), at which a packet turns.
    pub fn turn(self, from: (u32, u32), to: (u32, u32)) -> (u32, u32) {
        match self {
            Order::Xy => (to.0, from.1),
            Order::Yx => (from.0, to.1),
        }
    }
}

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

/// Where a packet goes next.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Hop {
    /// To a neighbour.
    Link(Direction),
    /// It has arrived: to an ejection port.
    Arrived,
}

/// What every router does with a head flit.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum HopRule {
    /// One order for all packets.
    Fixed(Order),
    /// XY while the phase bit is 0, YX while it is 1; the bit stays.
    ByPhase,
    /// In this order to `via` while the phase bit is 1; at `via` it falls to 0; then XY.
    TwoPhase(Order),
    /// Any productive direction while the phase bit is 1, or XY with the bit falling to 0; XY while it is 0.
    Adaptive,
    /// XY, each line by its own rule.
    Lines(LineRule),
    /// The port or slot that the address names.
    Tag,
}

/// How a packet's phase bit may change from router to router, where the phases have VCs of their own.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Crossing {
    /// Never.
    Never,
    /// From 1 to 0.
    Down,
    /// Both ways.
    Both,
}

impl Crossing {
    /// For the name of a module.
    pub(super) fn key(self) -> Option<&'static str> {
        match self {
            Crossing::Never => None,
            Crossing::Down => Some("down"),
            Crossing::Both => Some("both"),
        }
    }
}

/// What a router knows of a packet and of itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct View {
    /// Its place.
    pub here: (u32, u32),
    /// Of the router at which the packet ends.
    pub dest: (u32, u32),
    /// End of the first phase.
    pub via: (u32, u32),
    /// Columns and rows of routers.
    pub size: (u32, u32),
}

/// A hop that a router may make, and the phase bit after it.
pub type Step = (Hop, bool);

impl HopRule {
    /// The hops of a packet that stays in its phase.
    pub fn stay(self, dest: Signs, via: Signs, phase: bool) -> Vec<Hop> {
        let xy = || vec![Order::Xy.next(dest.x, dest.y)];
        match (self, phase) {
            (HopRule::Fixed(order), _) => vec![order.next(dest.x, dest.y)],
            (_, false) => xy(),
            (HopRule::ByPhase, true) => vec![Order::Yx.next(dest.x, dest.y)],
            (HopRule::TwoPhase(first), true) => match first.next(via.x, via.y) {
                Hop::Arrived => vec![],
                link => vec![link],
            },
            (HopRule::Adaptive, true) => match dest.productive().into_iter().flatten().collect::<Vec<_>>() {
                none if none.is_empty() => vec![Hop::Arrived],
                some => some.into_iter().map(Hop::Link).collect(),
            },
            (HopRule::Lines(_) | HopRule::Tag, true) => unreachable!("these rules do not go by signs"),
        }
    }

    /// The hops of a packet that goes from phase 1 to phase 0.
    pub fn fall(self, dest: Signs, via: Signs) -> Vec<Hop> {
        let xy = Order::Xy.next(dest.x, dest.y);
        match self {
            HopRule::TwoPhase(_) if (via.x, via.y) == (Equal, Equal) => vec![xy],
            HopRule::Adaptive => vec![xy],
            _ => vec![],
        }
    }

    /// All hops by signs, with the phase bit that each leads to.
    pub fn steps(self, dest: Signs, via: Signs, phase: bool) -> Vec<Step> {
        let stay = self.stay(dest, via, phase).into_iter().map(|hop| (hop, phase));
        let fall = if phase { self.fall(dest, via) } else { vec![] };
        stay.chain(fall.into_iter().map(|hop| (hop, false))).collect()
    }

    /// All hops of a rule that goes by coordinates, with the phase bit that each leads to.
    pub fn steps_at(self, view: View, phase: bool) -> Vec<Step> {
        match self {
            HopRule::Lines(rule) => vec![rule.step(view, phase)],
            signs => signs.steps(Signs::new(view.here, view.dest), Signs::new(view.here, view.via), phase),
        }
    }

    /// Decisions look at the phase bit.
    pub fn reads_phase(self) -> bool {
        !matches!(self, HopRule::Fixed(_) | HopRule::Tag | HopRule::Lines(LineRule::Express | LineRule::Flattened))
    }

    /// Decisions look at the router's own coordinates.
    pub fn reads_here(self) -> bool {
        self != HopRule::Tag
    }

    /// How a packet's phase may change on its way.
    pub fn crossing(self) -> Crossing {
        match self {
            HopRule::TwoPhase(_) | HopRule::Adaptive => Crossing::Down,
            HopRule::Lines(LineRule::Shortest) => Crossing::Both,
            _ => Crossing::Never,
        }
    }

    /// Heads carry `via`.
    pub fn reads_via(self) -> bool {
        matches!(self, HopRule::TwoPhase(_))
    }

    /// More than one hop may be legal.
    pub fn chooses(self) -> bool {
        self == HopRule::Adaptive
    }
}

/// What the source decides for a packet.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PathChoice {
    /// The phase bit at the start.
    pub yx: bool,
    /// End of the first phase; the destination where there is none.
    pub via: (u32, u32),
}

impl Routing {
    /// All that a configuration may name, in the order of the table above.
    pub const ALL: [Routing; 8] = [
        Routing::Xy,
        Routing::Yx,
        Routing::ClassBased,
        Routing::O1Turn,
        Routing::Romm,
        Routing::Checkerboard,
        Routing::CheckerboardTwoPhase,
        Routing::Adaptive,
    ];

    /// What the routers do.
    pub fn rule(self) -> HopRule {
        match self {
            Routing::Xy => HopRule::Fixed(Order::Xy),
            Routing::Yx => HopRule::Fixed(Order::Yx),
            Routing::ClassBased | Routing::O1Turn => HopRule::ByPhase,
            Routing::Romm => HopRule::TwoPhase(Order::Xy),
            Routing::Checkerboard | Routing::CheckerboardTwoPhase => HopRule::TwoPhase(Order::Yx),
            Routing::Adaptive => HopRule::Adaptive,
            Routing::ShortestXy => HopRule::Lines(LineRule::Shortest),
            Routing::ExpressXy => HopRule::Lines(LineRule::Express),
            Routing::FlattenedXy => HopRule::Lines(LineRule::Flattened),
            Routing::DestinationTag => HopRule::Tag,
        }
    }

    /// Sets of VCs that each message class needs: set 0 for packets with a phase bit of 0, set 1 for those with 1.
    pub fn vc_sets(self) -> u32 {
        match self {
            Routing::Xy | Routing::Yx | Routing::ClassBased => 1,
            Routing::ExpressXy | Routing::FlattenedXy | Routing::DestinationTag => 1,
            _ => 2,
        }
    }

    /// Everything that the source may decide for a packet of `class` from `source` to `dest`, both (x, y), each with equal probability;
    /// `is_half` tells where the half-routers are. Empty: this routing cannot serve the pair.
    pub fn choices(
        self,
        class: MessageClass,
        source: (u32, u32),
        dest: (u32, u32),
        is_half: impl Fn((u32, u32)) -> bool,
    ) -> Vec<PathChoice> {
        let direct = |yx| PathChoice { yx, via: dest };
        match self {
            Routing::Xy | Routing::Yx => vec![direct(false)],
            Routing::ExpressXy | Routing::FlattenedXy | Routing::DestinationTag => vec![direct(false)],
            Routing::ShortestXy => vec![direct(false), direct(true)],
            Routing::ClassBased => vec![direct(class == MessageClass::Reply)],
            Routing::O1Turn => vec![direct(false), direct(true)],
            Routing::Adaptive => vec![direct(true)],
            Routing::Romm => {
                let nodes = between(source.0, dest.0).flat_map(|x| between(source.1, dest.1).map(move |y| (x, y)));
                nodes.map(|via| PathChoice { yx: true, via }).collect()
            }
            Routing::Checkerboard | Routing::CheckerboardTwoPhase => {
                let turns = source.0 != dest.0 && source.1 != dest.1;
                if !turns || !is_half(Order::Xy.turn(source, dest)) {
                    return vec![direct(false)];
                }
                let case_3 = is_half(source) && !is_half(dest);
                let yx = !is_half(Order::Yx.turn(source, dest));
                if yx && !(case_3 && self == Routing::CheckerboardTwoPhase) {
                    return vec![direct(true)];
                }
                // From a full router the last turn would be at a half-router, wherever the intermediate node is.
                if !is_half(source) {
                    return vec![];
                }
                checkerboard_vias(source, dest)
                    .filter(|via| !is_half(*via))
                    .map(|via| PathChoice { yx: true, via })
                    .collect()
            }
        }
    }
}

/// From `a` to `b`, both included, whichever is the greater.
fn between(a: u32, b: u32) -> impl Iterator<Item = u32> {
    a.min(b)..=a.max(b)
}

/// The intermediate nodes of case 2 (thesis, section 5.2): within the minimal quadrant, not in the source's row, an even number of
/// columns away from the source. On a checkerboard, from a half-router, those an odd number of rows away are the full routers.
fn checkerboard_vias(source: (u32, u32), dest: (u32, u32)) -> impl Iterator<Item = (u32, u32)> {
    let columns = between(source.0, dest.0).filter(move |x| x.abs_diff(source.0) % 2 == 0);
    columns.flat_map(move |x| between(source.1, dest.1).filter(move |&y| y != source.1).map(move |y| (x, y)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn odd((x, y): (u32, u32)) -> bool {
        (x + y) % 2 == 1
    }

    fn choices(routing: Routing, source: (u32, u32), dest: (u32, u32)) -> Vec<PathChoice> {
        routing.choices(MessageClass::Request, source, dest, odd)
    }

    /// The three cases of the thesis, section 5.2, with half-routers at odd sums.
    #[test]
    fn checkerboard_routing_has_three_cases() {
        let direct = |yx, via| vec![PathChoice { yx, via }];
        // Straight on needs no turn; a turn at a full router is XY.
        assert_eq!(choices(Routing::Checkerboard, (1, 0), (1, 4)), direct(false, (1, 4)));
        assert_eq!(choices(Routing::Checkerboard, (0, 0), (2, 3)), direct(false, (2, 3)));
        // Case 1: full to half, an odd number of columns away.
        assert_eq!(choices(Routing::Checkerboard, (0, 0), (1, 2)), direct(true, (1, 2)));
        // Case 2: half to half, an even number of columns away: full routers, not in the row of the source.
        let via = choices(Routing::Checkerboard, (1, 0), (3, 2));
        assert_eq!(via.iter().map(|c| c.via).collect::<Vec<_>>(), [(1, 1), (3, 1)]);
        assert!(via.iter().all(|c| c.yx));
        // Case 3: half to full, an even number of columns away: like case 1, or like case 2.
        assert_eq!(choices(Routing::Checkerboard, (1, 0), (3, 1)), direct(true, (3, 1)));
        let via = choices(Routing::CheckerboardTwoPhase, (1, 0), (3, 3));
        assert_eq!(via.iter().map(|c| c.via).collect::<Vec<_>>(), [(1, 1), (1, 3), (3, 1), (3, 3)]);
    }

    /// Full to full an odd number of columns and rows away has no route (section 5.1).
    #[test]
    fn full_routers_an_odd_number_of_columns_and_rows_apart_cannot_talk() {
        assert_eq!(choices(Routing::Checkerboard, (0, 0), (3, 1)), []);
        assert_eq!(choices(Routing::Checkerboard, (0, 0), (1, 3)), []);
    }

    #[test]
    fn a_rule_leads_to_the_destination_from_everywhere() {
        for routing in Routing::ALL {
            for dest in Signs::all() {
                for via in Signs::all() {
                    for phase in [false, true] {
                        let steps = routing.rule().steps(dest, via, phase);
                        assert!(!steps.is_empty(), "{routing:?} {dest:?} {via:?} {phase}");
                        let arrived = (dest.x, dest.y) == (Equal, Equal);
                        let towards_via = phase && routing.rule().reads_via();
                        assert!(towards_via || steps.iter().all(|(hop, _)| (*hop == Hop::Arrived) == arrived));
                    }
                }
            }
        }
    }
}
