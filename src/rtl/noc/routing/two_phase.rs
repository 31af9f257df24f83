//! Two phases: of routing class 1 to the node `via`, there down to routing class 0, and XY from it.

use super::{Hop, Order, SignRule, Signs, Step};
use std::cmp::Ordering::Equal;

/// First phase XY.
pub static BY_XY: SignRule =
    SignRule::new("TwoPhaseXy", NAMES, |dest, via, routing_class| steps(Order::Xy, dest, via, routing_class));
/// First phase YX.
pub static BY_YX: SignRule =
    SignRule::new("TwoPhaseYx", NAMES, |dest, via, routing_class| steps(Order::Yx, dest, via, routing_class));

const NAMES: [&str; 2] = ["second phase", "first phase"];

fn steps(first: Order, dest: Signs, via: Signs, routing_class: bool) -> Vec<Step> {
    let at_via = (via.x, via.y) == (Equal, Equal);
    let hop: Hop = if routing_class && !at_via { first.next(via.x, via.y) } else { Order::Xy.next(dest.x, dest.y) };
    vec![(hop, routing_class && !at_via)]
}
