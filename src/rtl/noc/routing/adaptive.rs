//! Minimal adaptive: any direction that leads nearer and has a free VC, of routing class 1; down to routing class 0 at any time, which goes
//! XY and is the escape. A packet that took the escape path stays on it.
//!
//! Source: J. Duato, *A new theory of deadlock-free adaptive routing in wormhole networks* (1993).

use super::{Hop, HopRule, Order, PathChoice, RoutingPolicy, SignRule, Source, Start};

/// See the [module documentation](self).
pub struct Adaptive;

static RULE: SignRule = SignRule::new("Adaptive", ["escape", "adaptive"], |dest, _, routing_class| {
    let escape = (Order::Xy.next(dest.x, dest.y), false);
    if !routing_class {
        return vec![escape];
    }
    let mut nearer: Vec<_> = dest.productive().into_iter().flatten().map(|link| (Hop::Link(link), true)).collect();
    if nearer.is_empty() {
        nearer.push((Hop::Arrived, true));
    }
    nearer.push(escape);
    nearer
});

impl RoutingPolicy for Adaptive {
    fn rule(&self) -> HopRule {
        HopRule::Signs(&RULE)
    }

    fn vc_sets(&self) -> u32 {
        2
    }

    fn choices(&self, packet: &Source<'_>) -> Vec<PathChoice> {
        vec![packet.direct(true)]
    }

    fn start(&self) -> Start {
        Start::RoutingClass(true)
    }
}
