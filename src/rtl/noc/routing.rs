//! Routing: where a packet goes next. Each routing is a policy, a file in `routing/`; from what it says come the route units, the choices
//! of the network interfaces, and the checks ([`paths`](super::paths), [`deadlock`](super::deadlock)).
//!
//! A routing ([`RoutingPolicy`]) has two halves. The **path choice** is made once, at the source: the packet's routing class `yx` and, for
//! routings of two phases, the node `via` between them. The **hop rule** ([`HopRule`]) is what every router does: it looks only at the
//! signs of the distances to `dest` (and `via`) and at the routing class. Both are relations in plain Rust; a path choice that depends on
//! the destination or on chance is hardware too ([`PathChooser`]), held to the relation by a test.
//!
//! | routing | choice at the source | hop rule | sets of VCs a message class |
//! |---|---|---|---|
//! | `xy`, `yx` | none | that order | 1 |
//! | `class-based` | requests `yx` = 0, replies 1 | 0: XY, 1: YX | 1: the message class is the routing class |
//! | `o1-turn` | `yx` at random | 0: XY, 1: YX | 2 |
//! | `romm` | `via` at random in the quadrant | 1: XY to `via`, there 0; 0: XY | 2 |
//! | `checkerboard` | by which turns are at full routers | 1: YX to `via`, there 0; 0: XY | 2 |
//! | `adaptive` | `yx` = 1 | 1: any minimal direction, or down to 0; 0: XY (escape) | 2 |
//! | `xy` on a torus or ring | `yx` at random | XY the shorter way around; 1 while the closing link is ahead, 0 from it on ([`line`](super::line)) | 2 |
//! | `xy` with express links, on a flattened butterfly | none | XY by the longest link that does not go too far | 1 |
//! | `xy` on a butterfly or crossbar | none | the port or the slot that the address names (destination tag) | 1 |

mod adaptive;
mod checkerboard;
mod class_based;
mod dimension_order;
mod o1_turn;
mod romm;
mod topology;
mod two_phase;

use super::{
    Direction, MessageClass,
    interface::path_choice::{Chosen, PathInputs},
    line::LineRule,
};
use common::policies;
use std::{
    cmp::Ordering::{self, *},
    hash::{Hash, Hasher},
    sync::OnceLock,
};

policies! {
    /// Routing algorithm.
    pub enum Routing: dyn RoutingPolicy {
        /// First along the row, then along the column.
        Xy = "xy" => dimension_order::XY,
        /// First along the column, then along the row.
        Yx = "yx" => dimension_order::YX,
        /// Class-based deterministic routing (CDR): requests XY, replies YX.
        ClassBased = "class-based" => class_based::ClassBased,
        /// XY or YX at random, packet by packet, on VCs of their own (O1Turn).
        O1Turn = "o1-turn" => o1_turn::O1Turn,
        /// Through a random node of the minimal quadrant, XY to it and XY from it (two-phase ROMM).
        Romm = "romm" => romm::Romm,
        /// Checkerboard routing: XY, or YX where only that turn is at a full router, or YX to a random full router and XY from it.
        Checkerboard = "checkerboard" => checkerboard::ONE_PHASE,
        /// Checkerboard routing that also takes half-router to full-router (case 3) through a random full router.
        CheckerboardTwoPhase = "checkerboard-two-phase" => checkerboard::TWO_PHASE,
        /// Any minimal direction that has a free VC; XY on escape VCs.
        Adaptive = "adaptive" => adaptive::Adaptive,
    } derived {
        /// XY on a torus or a ring: the shorter way around.
        ShortestXy = "shortest-xy" => topology::SHORTEST,
        /// XY on a mesh with express links.
        ExpressXy = "express-xy" => topology::EXPRESS,
        /// XY on a flattened butterfly.
        FlattenedXy = "flattened-xy" => topology::FLATTENED,
        /// By the port that the destination's address names.
        DestinationTag = "destination-tag" => topology::TAG,
    }
}

/// A routing.
pub trait RoutingPolicy: Sync {
    /// What every router does with a head flit.
    fn rule(&self) -> HopRule;

    /// Sets of VCs that each message class needs: set 0 for packets with a routing class of 0, set 1 for those with 1.
    fn vc_sets(&self) -> u32;

    /// Everything that the source may decide for a packet, each with equal probability. Empty: this routing cannot serve the pair.
    fn choices(&self, packet: &Source<'_>) -> Vec<PathChoice>;

    /// How the network interface decides it.
    fn start(&self) -> Start;

    /// The dimension order of packets of a routing class, for organisations that go by it.
    fn order(&self, _routing_class: bool) -> Order {
        Order::Xy
    }
}

/// A packet at its source.
pub struct Source<'a> {
    /// Request or reply.
    pub class: MessageClass,
    /// Where it is, as (x, y).
    pub here: (u32, u32),
    /// Where it goes.
    pub dest: (u32, u32),
    /// Is there a half-router?
    pub is_half: &'a dyn Fn((u32, u32)) -> bool,
}

impl Source<'_> {
    /// To the destination in one phase.
    fn direct(&self, yx: bool) -> PathChoice {
        PathChoice { routing_class: yx, via: self.dest }
    }
}

/// What the source decides for a packet.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PathChoice {
    /// The routing class at the start.
    pub routing_class: bool,
    /// End of the first phase; the destination where there is none.
    pub via: (u32, u32),
}

/// How the network interface decides.
pub enum Start {
    /// Every packet starts with this routing class.
    RoutingClass(bool),
    /// Requests of routing class 0, replies of routing class 1.
    ByClass,
    /// A block decides.
    Chosen(&'static dyn PathChooser),
}

/// The hardware of a path choice.
pub trait PathChooser: Sync {
    /// It looks at the place of the source and at the destination.
    fn reads_place(&self) -> bool;

    /// What it decides.
    fn choose<'m>(&self, inputs: &PathInputs<'m>) -> Chosen<'m>;
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
    /// By the signs of the distances.
    Signs(&'static SignRule),
    /// XY, each line by its own rule.
    Lines(LineRule),
    /// The port or slot that the address names.
    Tag,
}

/// A rule that looks at signs and at the routing class only: one relation, from which the rest follows.
#[derive(Debug)]
pub struct SignRule {
    /// In the names of modules; each rule has its own.
    pub key: &'static str,
    /// What routing class 0 and routing class 1 are called.
    pub class_names: [&'static str; 2],
    /// The hops that a router may make with a packet of `routing_class`, and the routing class that each leads to.
    pub steps: fn(dest: Signs, via: Signs, routing_class: bool) -> Vec<Step>,
    traits: OnceLock<Traits>,
}

/// What follows from the relation of a [`SignRule`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Traits {
    reads_routing_class: bool,
    reads_via: bool,
    transition: ClassTransition,
    chooses: bool,
}

impl PartialEq for SignRule {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
    }
}

impl Eq for SignRule {}

impl Hash for SignRule {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key.hash(state);
    }
}

impl SignRule {
    /// A rule with these fields.
    pub const fn new(
        key: &'static str,
        class_names: [&'static str; 2],
        steps: fn(Signs, Signs, bool) -> Vec<Step>,
    ) -> Self {
        Self { key, class_names, steps, traits: OnceLock::new() }
    }

    /// Found once, by going through every situation.
    fn traits(&self) -> Traits {
        *self.traits.get_or_init(|| {
            let hops = |dest, via, routing_class| -> Vec<(Hop, bool)> {
                let steps = (self.steps)(dest, via, routing_class).into_iter();
                steps.map(|(hop, next)| (hop, next != routing_class)).collect()
            };
            let places: Vec<_> = Signs::all().flat_map(|dest| Signs::all().map(move |via| (dest, via))).collect();
            let any = |holds: &dyn Fn(Signs, Signs) -> bool| places.iter().any(|(dest, via)| holds(*dest, *via));
            let changes =
                |routing_class| any(&|dest, via| hops(dest, via, routing_class).iter().any(|(_, changes)| *changes));
            let both = [false, true];
            Traits {
                reads_routing_class: any(&|dest, via| hops(dest, via, false) != hops(dest, via, true)),
                reads_via: any(&|dest, via| both.iter().any(|p| hops(dest, via, *p) != hops(dest, dest, *p))),
                transition: match (changes(false), changes(true)) {
                    (false, false) => ClassTransition::Never,
                    (false, true) => ClassTransition::Down,
                    (true, _) => ClassTransition::Both,
                },
                chooses: any(&|dest, via| both.iter().any(|routing_class| hops(dest, via, *routing_class).len() > 1)),
            }
        })
    }
}

/// How a packet's routing class may change from router to router, where the routing classes have VCs of their own.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ClassTransition {
    /// Never.
    Never,
    /// From 1 to 0.
    Down,
    /// Both ways.
    Both,
}

impl ClassTransition {
    /// For the name of a module.
    pub(super) fn key(self) -> Option<&'static str> {
        match self {
            ClassTransition::Never => None,
            ClassTransition::Down => Some("down"),
            ClassTransition::Both => Some("both"),
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

/// A hop that a router may make, and the routing class after it.
pub type Step = (Hop, bool);

impl HopRule {
    /// All hops of a rule that goes by signs, with the routing class that each leads to; none of another rule.
    pub fn steps(self, dest: Signs, via: Signs, routing_class: bool) -> Vec<Step> {
        match self {
            HopRule::Signs(rule) => (rule.steps)(dest, via, routing_class),
            HopRule::Lines(_) | HopRule::Tag => vec![],
        }
    }

    /// All hops of a rule that goes by coordinates, with the routing class that each leads to.
    pub fn steps_at(self, view: View, routing_class: bool) -> Vec<Step> {
        match self {
            HopRule::Lines(rule) => vec![rule.step(view, routing_class)],
            _ => self.steps(Signs::new(view.here, view.dest), Signs::new(view.here, view.via), routing_class),
        }
    }

    /// Decisions look at the routing class.
    pub fn reads_routing_class(self) -> bool {
        match self {
            HopRule::Signs(rule) => rule.traits().reads_routing_class,
            HopRule::Lines(rule) => rule == LineRule::Shortest,
            HopRule::Tag => false,
        }
    }

    /// Decisions look at the router's own coordinates.
    pub fn reads_here(self) -> bool {
        self != HopRule::Tag
    }

    /// How a packet's routing class may change on its way.
    pub fn class_transition(self) -> ClassTransition {
        match self {
            HopRule::Signs(rule) => rule.traits().transition,
            HopRule::Lines(LineRule::Shortest) => ClassTransition::Both,
            HopRule::Lines(_) | HopRule::Tag => ClassTransition::Never,
        }
    }

    /// Heads carry `via`.
    pub fn reads_via(self) -> bool {
        matches!(self, HopRule::Signs(rule) if rule.traits().reads_via)
    }

    /// More than one hop may be legal.
    pub fn chooses(self) -> bool {
        matches!(self, HopRule::Signs(rule) if rule.traits().chooses)
    }

    /// What routing class 0 and routing class 1 are called.
    pub fn class_names(self) -> [&'static str; 2] {
        match self {
            HopRule::Signs(rule) => rule.class_names,
            HopRule::Lines(_) => ["after the closing link", "before the closing link"],
            HopRule::Tag => ["to the port", "to the port"],
        }
    }

    /// For the name of a module.
    pub(super) fn key(self) -> String {
        match self {
            HopRule::Signs(rule) => rule.key.into(),
            HopRule::Lines(rule) => format!("{rule:?}Xy"),
            HopRule::Tag => "Tag".into(),
        }
    }
}

impl Routing {
    /// What the routers do.
    pub fn rule(self) -> HopRule {
        self.policy().rule()
    }

    /// Sets of VCs that each message class needs: set 0 for packets with a routing class of 0, set 1 for those with 1.
    pub fn vc_sets(self) -> u32 {
        self.policy().vc_sets()
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
        self.policy().choices(&Source { class, here: source, dest, is_half: &is_half })
    }
}

/// From `a` to `b`, both included, whichever is the greater.
fn between(a: u32, b: u32) -> impl Iterator<Item = u32> {
    a.min(b)..=a.max(b)
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
        let direct = |yx, via| vec![PathChoice { routing_class: yx, via }];
        // Straight on needs no turn; a turn at a full router is XY.
        assert_eq!(choices(Routing::Checkerboard, (1, 0), (1, 4)), direct(false, (1, 4)));
        assert_eq!(choices(Routing::Checkerboard, (0, 0), (2, 3)), direct(false, (2, 3)));
        // Case 1: full to half, an odd number of columns away.
        assert_eq!(choices(Routing::Checkerboard, (0, 0), (1, 2)), direct(true, (1, 2)));
        // Case 2: half to half, an even number of columns away: full routers, not in the row of the source.
        let via = choices(Routing::Checkerboard, (1, 0), (3, 2));
        assert_eq!(via.iter().map(|c| c.via).collect::<Vec<_>>(), [(1, 1), (3, 1)]);
        assert!(via.iter().all(|c| c.routing_class));
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
                    for routing_class in [false, true] {
                        let steps = routing.rule().steps(dest, via, routing_class);
                        assert!(!steps.is_empty(), "{routing:?} {dest:?} {via:?} {routing_class}");
                        let arrived = (dest.x, dest.y) == (Equal, Equal);
                        let towards_via = routing_class && routing.rule().reads_via();
                        assert!(towards_via || steps.iter().all(|(hop, _)| (*hop == Hop::Arrived) == arrived));
                    }
                }
            }
        }
    }
}
