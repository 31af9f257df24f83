//! Two phases: in phase 1 to the node `via`, there down to phase 0, and XY from it.

use super::{Hop, Order, SignRule, Signs, Step};
use std::cmp::Ordering::Equal;

/// First phase XY.
pub static BY_XY: SignRule = SignRule::new("TwoPhaseXy", NAMES, |dest, via, phase| steps(Order::Xy, dest, via, phase));
/// First phase YX.
pub static BY_YX: SignRule = SignRule::new("TwoPhaseYx", NAMES, |dest, via, phase| steps(Order::Yx, dest, via, phase));

const NAMES: [&str; 2] = ["second phase", "first phase"];

fn steps(first: Order, dest: Signs, via: Signs, phase: bool) -> Vec<Step> {
    let at_via = (via.x, via.y) == (Equal, Equal);
    let hop: Hop = if phase && !at_via { first.next(via.x, via.y) } else { Order::Xy.next(dest.x, dest.y) };
    vec![(hop, phase && !at_via)]
}
