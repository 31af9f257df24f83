//! Routing: where a packet goes next. Each routing is a policy, a file in `routing/`; from what it says come the route
//! units, the choices of the network interfaces, and the checks ([`paths`](super::paths),
//! [`deadlock`](super::deadlock)).
//!
//! A routing ([`RoutingPolicy`]) has two halves. The **path choice** is made once, at the source: the packet's routing
//! class `route_class` and, for routings of two phases, the node `waypoint` between them. The **hop rule**
//! ([`HopRule`]) is what every router does, a relation from input, routing class and places to hops. Both are plain
//! Rust; a path choice that depends on the destination or on chance is hardware too ([`PathChooser`]), held to the
//! relation by a test.
//!
//! | routing | choice at the source | hop rule | sets of VCs a message class |
//! |---|---|---|---|
//! | `xy`, `yx` | none | that order | 1 |
//! | `class-based` | requests `route_class` = 0, replies 1 | 0: XY, 1: YX | 1: the message class is the routing class |
//! | `o1-turn` | `route_class` at random | 0: XY, 1: YX | 2 |
//! | `romm` | `waypoint` at random in the quadrant | 1: XY to `waypoint`, there 0; 0: XY | 2 |
//! | `checkerboard` | by which turns are at full routers | 1: YX to `waypoint`, there 0; 0: XY | 2 |
//! | `adaptive` | `route_class` = 1 | 1: any minimal direction, or down to 0; 0: XY (escape) | 2 |
//! | `odd-even` | none | any minimal direction but, in even columns, no turn from east to north or south, and in odd columns none from north or south to west | 1 |
//! | `adaptive` on a torus | `route_class` = 2 | 2: any minimal direction, or down to 0 or 1; these: as `xy` (escape) | 3 |
//! | `ugal` on a flattened butterfly | `waypoint` at random of all routers | 1: XY to `waypoint`, there 0, or 0 at once where that is loaded less; 0: XY | 2 |
//! | `up-down` | none | a shortest way of ups, then downs, in a tree of the routers | 1 |
//! | `adaptive-up-down` | `route_class` = 1 | 1: any link that leads nearer, or, where none has a free VC, down to 0; 0: as `up-down` (escape) | 2 |
//! | `xy` on a torus or ring | `route_class` at random | XY the shorter way around; 1 while the closing link is ahead, 0 from it on ([`line`](super::line)) | 2 |
//! | `xy` with express links, on a flattened butterfly | none | XY by the longest link that does not go too far | 1 |
//! | `xy` on a butterfly or crossbar | none | the port or the slot that the address names (destination tag) | 1 |

mod adaptive;
mod adaptive_up_down;
mod axis_order;
mod checkerboard;
mod class_based;
mod class_transition;
mod dimension_order;
mod hop;
mod hop_rule;
mod o1_turn;
mod odd_even;
mod policy;
pub mod relation;
mod romm;
mod signs;
mod topology;
mod torus_adaptive;
mod two_phase;
mod ugal;
mod up_down;
mod view;

use super::MessageClass;
pub use axis_order::AxisOrder;
pub use class_transition::ClassTransition;
pub(super) use class_transition::cross_name;
use common::policies;
pub use hop::{ClassedHop, Hop};
pub use hop_rule::HopRule;
pub use policy::{PathChoice, PathChooser, RouteStart, RoutingPolicy, Start};
pub use relation::Relation;
pub use signs::Signs;
pub use view::View;

policies! {
    /// Routing algorithm.
    pub enum Routing: dyn RoutingPolicy {
        /// First along the row, then along the column.
        Xy = "xy" | "dor" | "dor-xy" | "dim-order" | "dimension-order" => dimension_order::XY,
        /// First along the column, then along the row.
        Yx = "yx" | "dor-yx" => dimension_order::YX,
        /// Class-based deterministic routing (CDR): requests XY, replies YX.
        ClassBased = "class-based" | "cdr" => class_based::ClassBased,
        /// XY or YX at random, packet by packet, on VCs of their own (O1Turn).
        O1Turn = "o1-turn" | "o1turn" => o1_turn::O1Turn,
        /// Through a random node of the minimal quadrant, XY to it and XY from it (two-phase ROMM).
        Romm = "romm" => romm::Romm,
        /// Checkerboard routing: XY, or YX where only that turn is at a full router, or YX to a random full router and XY from it.
        Checkerboard = "checkerboard" | "cr" => checkerboard::ONE_PHASE,
        /// Checkerboard routing that also takes half-router to full-router (case 3) through a random full router.
        CheckerboardTwoPhase = "checkerboard-two-phase" => checkerboard::TWO_PHASE,
        /// Any minimal direction that has a free VC; XY on escape VCs.
        Adaptive = "adaptive" | "min-adapt" => adaptive::Adaptive,
        /// Any minimal direction that the odd-even turn model allows; no VCs of its own (Chiu, 2000).
        OddEven = "odd-even" => odd_even::OddEven,
        /// On a flattened butterfly: straight, or over a router drawn from all where the straight way is loaded more (UGAL-L).
        Ugal = "ugal" | "ugal-l" => ugal::Ugal,
        /// Towards the root of a tree of the routers, then away from it, by tables: round faulty links and routers, and where routers are joined in any way (Autonet).
        UpDown = "up-down" | "updown" => up_down::UpDown,
        /// Any link that leads nearer and has a free VC; up-down on escape VCs, by tables: on every topology but butterfly and crossbar (Silla and Duato, 2000).
        AdaptiveUpDown = "adaptive-up-down" | "escape-up-down" => adaptive_up_down::AdaptiveUpDown,
    } derived {
        /// XY on a torus or a ring: the shorter way around.
        ShortestXy = "shortest-xy" => topology::SHORTEST,
        /// Any minimal direction on a torus that has a free VC; XY the shorter way around on escape VCs.
        TorusAdaptive = "torus-adaptive" => torus_adaptive::TorusAdaptive,
        /// XY on a mesh with express links.
        ExpressXy = "express-xy" => topology::EXPRESS,
        /// XY on a flattened butterfly.
        FlattenedXy = "flattened-xy" => topology::FLATTENED,
        /// By the port that the destination's address names.
        DestinationTag = "destination-tag" => topology::TAG,
    }
}

impl Routing {
    /// What the routers do.
    pub fn rule(self) -> HopRule {
        self.policy().rule()
    }

    /// Sets of VCs that each message class needs. Where there are several, packets of a routing class have the set of its number.
    pub fn vc_sets(self) -> u32 {
        self.policy().vc_sets()
    }

    /// Some packets start XY and others YX: those of routing class 1.
    pub fn mixes_orders(self) -> bool {
        self.policy().mixes_orders()
    }

    /// Everything that the source may decide for a packet of `class` from `source` to `dest`, both (x, y), each with equal probability;
    /// in a grid of `size`; `is_half` tells where the half-routers are. Empty: this routing cannot serve the pair.
    pub fn choices(
        self,
        class: MessageClass,
        size: (u32, u32),
        source: (u32, u32),
        dest: (u32, u32),
        is_half: impl Fn((u32, u32)) -> bool,
    ) -> Vec<PathChoice> {
        self.policy().choices(&RouteStart { class, size, here: source, dest, is_half: &is_half })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TopologyParams;

    fn odd((x, y): (u32, u32)) -> bool {
        (x + y) % 2 == 1
    }

    fn choices(routing: Routing, source: (u32, u32), dest: (u32, u32)) -> Vec<PathChoice> {
        routing.choices(MessageClass::Request, (5, 6), source, dest, odd)
    }

    /// The three cases of the thesis, section 5.2, with half-routers at odd sums.
    #[test]
    fn checkerboard_routing_has_three_cases() {
        let direct = |routing_class, waypoint| vec![PathChoice { routing_class, waypoint }];
        // Straight on needs no turn; a turn at a full router is XY.
        assert_eq!(choices(Routing::Checkerboard, (1, 0), (1, 4)), direct(0, (1, 4)));
        assert_eq!(choices(Routing::Checkerboard, (0, 0), (2, 3)), direct(0, (2, 3)));
        // Case 1: full to half, an odd number of columns away.
        assert_eq!(choices(Routing::Checkerboard, (0, 0), (1, 2)), direct(1, (1, 2)));
        // Case 2: half to half, an even number of columns away: full routers, not in the row of the source.
        let waypoint = choices(Routing::Checkerboard, (1, 0), (3, 2));
        assert_eq!(waypoint.iter().map(|c| c.waypoint).collect::<Vec<_>>(), [(1, 1), (3, 1)]);
        assert!(waypoint.iter().all(|c| c.routing_class == 1));
        // Case 3: half to full, an even number of columns away: like case 1, or like case 2.
        assert_eq!(choices(Routing::Checkerboard, (1, 0), (3, 1)), direct(1, (3, 1)));
        let waypoint = choices(Routing::CheckerboardTwoPhase, (1, 0), (3, 3));
        assert_eq!(waypoint.iter().map(|c| c.waypoint).collect::<Vec<_>>(), [(1, 1), (1, 3), (3, 1), (3, 3)]);
    }

    /// Full to full an odd number of columns and rows away has no route (section 5.1).
    #[test]
    fn full_routers_an_odd_number_of_columns_and_rows_apart_cannot_talk() {
        assert_eq!(choices(Routing::Checkerboard, (0, 0), (3, 1)), []);
        assert_eq!(choices(Routing::Checkerboard, (0, 0), (1, 3)), []);
    }

    #[test]
    fn a_rule_leads_to_the_destination_from_everywhere() {
        let size = (4, 5);
        let places = || (0..size.0).flat_map(|x| (0..size.1).map(move |y| (x, y)));
        let of_mesh = |routing: &Routing| TopologyParams::default().routing(*routing).is_some();
        for routing in Routing::ALL.into_iter().filter(of_mesh) {
            let rule = routing.rule();
            if rule.looks_up_routes() {
                continue;
            }
            for (here, dest) in places().flat_map(|here| places().map(move |dest| (here, dest))) {
                for (waypoint, routing_class) in places().flat_map(|waypoint| [0, 1].map(|class| (waypoint, class))) {
                    let view = View { from: None, here, dest, waypoint, size, routing_class, routes: None };
                    let steps = rule.steps(view);
                    assert!(!steps.is_empty(), "{routing:?} {view:?}");
                    let towards_waypoint = routing_class == 1 && rule.reads_waypoint();
                    assert!(towards_waypoint || steps.iter().all(|(hop, _)| (*hop == Hop::Arrived) == (here == dest)));
                }
            }
        }
    }
}
