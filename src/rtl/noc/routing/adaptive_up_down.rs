//! Minimal adaptive on any topology, on two sets of VCs: any link that leads a hop nearer and has a free VC, of routing
//! class 1; where none has one, down to routing class 0, which goes [up*/down*](super::up_down) and is the escape. A
//! packet that took the escape path stays on it.
//!
//! Sources: J. Duato, *A new theory of deadlock-free adaptive routing in wormhole networks* (1993); F. Silla and J.
//! Duato, *High-performance routing in networks of workstations with irregular topology* (2000).

use super::{ClassedHop, Hop, HopRule, PathChoice, Relation, RouteStart, RoutingPolicy, Start, View};

/// See the [module documentation](self).
pub struct AdaptiveUpDown;

static RULE: Relation =
    Relation::new("AdaptiveUpDown", &["escape: up, then down", "adaptive"], steps).with_escapes().of_routes();

fn steps(view: &View<'_>) -> Vec<ClassedHop> {
    let site = |(x, y): (u32, u32)| (y * view.size.0 + x) as usize;
    let (here, dest) = (site(view.here), site(view.dest));
    // A packet enters the escape path as one that starts there.
    let from = view.from.filter(|_| view.routing_class == 0);
    let Some((routes, escape)) = view.routes.and_then(|routes| Some((routes, routes.hop(here, from, dest)?))) else {
        return vec![];
    };
    if view.routing_class == 0 {
        return vec![(escape, 0)];
    }
    let nearer = routes.nearer(here, dest).iter().map(|link| (Hop::Link(*link), 1));
    let arrived = (here == dest).then_some((Hop::Arrived, 1));
    nearer.chain(arrived).chain([(escape, 0)]).collect()
}

impl RoutingPolicy for AdaptiveUpDown {
    fn rule(&self) -> HopRule {
        HopRule::Relation(&RULE)
    }

    fn vc_sets(&self) -> u32 {
        2
    }

    fn choices(&self, packet: &RouteStart<'_>) -> Vec<PathChoice> {
        vec![packet.direct(1)]
    }

    fn start(&self) -> Start {
        Start::RoutingClass(1)
    }
}
