//! Odd-even turn model, minimal adaptive: some turns are not made in even columns, others not in odd ones, so no circle
//! of channels is possible, without a second set of VCs.
//!
//! In an even column no packet turns from east to north or to south; in an odd column none turns from north or from
//! south to west. A packet that goes east so leaves its row in an odd column, in that of its source, or in that of its
//! destination if this is odd; one that goes west moves along even columns only, and in the column of its source or
//! destination. What Chiu's algorithm knows by the column of the source is known here by the input: a packet that has
//! come from the west moves east already.
//!
//! Source: G.-M. Chiu, *The odd-even turn model for adaptive routing* (IEEE Transactions on Parallel and Distributed
//! Systems 11, 2000), figure 6 (algorithm ROUTE).

use super::{ClassedHop, Hop, HopRule, Relation, RoutingPolicy, View};
use crate::Direction;

/// See the [module documentation](self).
pub struct OddEven;

static RULE: Relation = Relation::new("OddEven", &["odd-even"], steps);

/// The hops that the turn model allows, that along the row first.
fn steps(view: &View<'_>) -> Vec<ClassedHop> {
    let View { from, here, dest, .. } = *view;
    let [along_row, along_column] = view.dest_signs().productive();
    let odd = |column: u32| column % 2 == 1;
    let (row, column) = match along_row {
        None => (None, along_column),
        Some(Direction::East) => {
            let may_turn = odd(here.0) || from != Some(Direction::West);
            // In an even column it could not leave the row: it has to before.
            let goes_on = along_column.is_none() || odd(dest.0) || dest.0 - here.0 != 1;
            (along_row.filter(|_| goes_on), along_column.filter(|_| may_turn))
        }
        // In an odd column it could not turn west again.
        Some(_) => (along_row, along_column.filter(|_| !odd(here.0))),
    };
    let hops: Vec<_> = [row, column].into_iter().flatten().map(|direction| (Hop::Link(direction), 0)).collect();
    if along_row.is_none() && along_column.is_none() { vec![(Hop::Arrived, 0)] } else { hops }
}

impl RoutingPolicy for OddEven {
    fn rule(&self) -> HopRule {
        HopRule::Relation(&RULE)
    }
}
