//! Minimal adaptive: any direction that leads nearer and has a free VC, of routing class 1; down to routing class 0 at
//! any time, which goes XY and is the escape. A packet that took the escape path stays on it.
//!
//! Source: J. Duato, *A new theory of deadlock-free adaptive routing in wormhole networks* (1993).

use super::{AxisOrder, Hop, HopRule, PathChoice, Relation, RouteStart, RoutingPolicy, Start};

/// See the [module documentation](self).
pub struct Adaptive;

static RULE: Relation = Relation::new("Adaptive", &["escape", "adaptive"], |view| {
    let dest = view.dest_signs();
    let escape = (AxisOrder::Xy.next(dest.x, dest.y), 0);
    if view.routing_class == 0 {
        return vec![escape];
    }
    let mut nearer: Vec<_> = dest.productive().into_iter().flatten().map(|link| (Hop::Link(link), 1)).collect();
    if nearer.is_empty() {
        nearer.push((Hop::Arrived, 1));
    }
    nearer.push(escape);
    nearer
})
.with_escapes();

impl RoutingPolicy for Adaptive {
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
