//! Arbiters against lists of requesters, and their fairness.

use super::{simulate, step};
use blocks::{ArbiterKind, arbiter_of_sets};
use proptest::prelude::*;

/// Requesters in order of priority, first first.
struct ArbitersOrder(Vec<u32>);

impl ArbitersOrder {
    fn winner(&self, request: u64) -> Option<u32> {
        self.0.iter().copied().find(|i| request >> i & 1 == 1)
    }

    fn granted(&mut self, kind: ArbiterKind, winner: u32) {
        let at = self.0.iter().position(|&i| i == winner).expect("the winner is in the order");
        match kind {
            ArbiterKind::RoundRobin => self.0.rotate_left(at + 1),
            ArbiterKind::Matrix => {
                self.0.remove(at);
                self.0.push(winner);
            }
            ArbiterKind::Own(_) => unreachable!("the model has the rows of the table"),
        }
    }
}

proptest! {
    #[test]
    fn grants_follow_the_order_and_nobody_starves(
        matrix: bool,
        n in 2u32..=12,
        sets in 1u32..=4,
        cycles in prop::collection::vec((any::<u64>(), any::<u64>(), any::<bool>(), 0u32..=4), 1..200),
    ) {
        let kind = if matrix { ArbiterKind::Matrix } else { ArbiterKind::RoundRobin };
        let mut block = simulate(&arbiter_of_sets(kind, n, sets));
        let mut order = ArbitersOrder((0..n).collect());
        let mut waited = vec![0; n as usize];
        for (some, others, advance, chosen) in cycles {
            let of_all = (some | others) & ((1 << (n * sets)) - 1);
            block.poke("request", of_all);
            // The set that is chosen, or none; where there is one, it always is.
            let chosen = if sets == 1 { 0 } else { chosen.min(sets) };
            if sets > 1 {
                block.poke("which", if chosen < sets { 1 << chosen } else { 0 });
            }
            let request = if chosen < sets { of_all >> (n * chosen) & ((1 << n) - 1) } else { 0 };
            block.poke("advance", u64::from(advance));
            let winner = order.winner(request);
            prop_assert_eq!(block.peek("grant"), winner.map_or(0, |i| 1 << i));
            if let (Some(winner), true) = (winner, advance) {
                order.granted(kind, winner);
                for i in 0..n {
                    let waits = request >> i & 1 == 1 && i != winner;
                    waited[i as usize] = if waits { waited[i as usize] + 1 } else { 0 };
                    prop_assert!(waited[i as usize] < n, "requester {} waited for {} grants", i, n);
                }
            }
            step(&mut block);
        }
    }
}
