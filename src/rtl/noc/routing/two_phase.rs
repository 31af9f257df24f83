//! Two phases: of routing class 1 to the node `via`, there down to routing class 0, and XY from it.

use super::{Hop, Order, Relation, Step, View};

/// First phase XY.
pub static BY_XY: Relation = Relation::new("TwoPhaseXy", NAMES, |view| steps(Order::Xy, view));
/// First phase YX.
pub static BY_YX: Relation = Relation::new("TwoPhaseYx", NAMES, |view| steps(Order::Yx, view));

const NAMES: &[&str] = &["second phase", "first phase"];

fn steps(first: Order, view: &View<'_>) -> Vec<Step> {
    let (dest, via) = (view.dest_signs(), view.via_signs());
    let towards_via = view.routing_class == 1 && view.here != view.via;
    let hop: Hop = if towards_via { first.next(via.x, via.y) } else { Order::Xy.next(dest.x, dest.y) };
    vec![(hop, towards_via.into())]
}
