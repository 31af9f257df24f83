//! Minimal adaptive on a torus, on three sets of VCs: any direction that leads nearer (routing class 2), or at any time
//! down to XY the shorter way around, which is the escape and needs the classes 0 and 1 itself, behind and before the
//! closing link of each line. A packet that took the escape path stays on it.
//!
//! Sources: J. Duato, *A new theory of deadlock-free adaptive routing in wormhole networks* (1993); S. L. Scott and G.
//! M. Thorson, *The Cray T3E network: adaptive routing in a high performance 3D torus* (Hot Interconnects 1996).

use super::{ClassedHop, Hop, HopRule, PathChoice, Relation, RouteStart, RoutingPolicy, Start, View};
use crate::line::{COLUMN, LinePorts, LineRule, ROW};

/// See the [module documentation](self).
pub struct TorusAdaptive;

const ADAPTIVE: u32 = 2;

static RULE: Relation = Relation::new(
    "TorusAdaptive",
    &["escape after the closing link", "escape before the closing link", "adaptive"],
    steps,
)
.with_escapes();

fn steps(view: &View<'_>) -> Vec<ClassedHop> {
    let View { here, dest, size, routing_class, .. } = *view;
    // From the adaptive class a packet enters the escape path as one that starts there, of the class that goes by no
    // closing link where both ways are equally long.
    let tied = |here: u32, dest: u32, count: u32| 2 * ((dest + count - here) % count) == count;
    let on_escape = match (tied(here.0, dest.0, size.0), tied(here.1, dest.1, size.1)) {
        _ if routing_class != ADAPTIVE => routing_class,
        (true, _) => u32::from(dest.0 > here.0),
        (false, tied) => u32::from(tied && dest.1 > here.1),
    };
    let escape = LineRule::Shortest.step(View { routing_class: on_escape, ..*view });
    if routing_class != ADAPTIVE {
        return vec![escape];
    }
    let lines = [(ROW, here.0, dest.0, size.0), (COLUMN, here.1, dest.1, size.1)];
    let mut hops: Vec<_> =
        lines.into_iter().flat_map(|(ports, here, dest, count)| nearer(ports, here, dest, count)).collect();
    if hops.is_empty() {
        hops.push(Hop::Arrived);
    }
    hops.into_iter().map(|hop| (hop, ADAPTIVE)).chain([escape]).collect()
}

/// The shorter way around a line; where both are equal, the one without the closing link, which is the longer wire.
fn nearer(ports: LinePorts, here: u32, dest: u32, count: u32) -> Option<Hop> {
    let ahead = (dest + count - here) % count;
    let goes_ahead = 2 * ahead < count || (2 * ahead == count && dest > here);
    (ahead > 0).then(|| Hop::Link(ports.neighbours[usize::from(!goes_ahead)]))
}

impl RoutingPolicy for TorusAdaptive {
    fn rule(&self) -> HopRule {
        HopRule::Relation(&RULE)
    }

    fn vc_sets(&self) -> u32 {
        3
    }

    fn choices(&self, packet: &RouteStart<'_>) -> Vec<PathChoice> {
        vec![packet.direct(ADAPTIVE)]
    }

    fn start(&self) -> Start {
        Start::RoutingClass(ADAPTIVE)
    }
}
