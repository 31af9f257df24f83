//! Two phases: of routing class 1 to the node `waypoint`, there down to routing class 0, and XY from it.

use super::{AxisOrder, ClassedHop, Hop, Relation, View};

/// First phase XY.
pub static BY_XY: Relation = Relation::new("TwoPhaseXy", NAMES, |view| steps(AxisOrder::Xy, view));
/// First phase YX.
pub static BY_YX: Relation = Relation::new("TwoPhaseYx", NAMES, |view| steps(AxisOrder::Yx, view));

const NAMES: &[&str] = &["second phase", "first phase"];

fn steps(first: AxisOrder, view: &View<'_>) -> Vec<ClassedHop> {
    let (dest, waypoint) = (view.dest_signs(), view.waypoint_signs());
    let towards_waypoint = view.routing_class == 1 && view.here != view.waypoint;
    let hop: Hop =
        if towards_waypoint { first.next(waypoint.x, waypoint.y) } else { AxisOrder::Xy.next(dest.x, dest.y) };
    vec![(hop, towards_waypoint.into())]
}
