//! The hops of UGAL.

use crate::{
    line::LineRule,
    routing::{ClassedHop, Hop, View},
};

/// The hops of a packet; where there are two, the load decides.
pub fn steps(view: &View<'_>) -> Vec<ClassedHop> {
    let View { from, here, dest, waypoint, routing_class, .. } = *view;
    let towards = |dest| -> Hop { LineRule::Flattened.step(View { dest, routing_class: 0, ..*view }).0 };
    let (straight, first) = ((towards(dest), 0), (towards(waypoint), 1));
    // It would come back here by the link by which it left.
    let turns_back = here.0 == dest.0 && here.1 == waypoint.1;
    match (routing_class == 1 && here != waypoint && here != dest, from) {
        (true, None) if turns_back => vec![straight],
        (true, None) => vec![straight, first],
        (true, Some(_)) => vec![first],
        (false, _) => vec![straight],
    }
}
