//! Tree LRU: a binary tree over the ways; each node points at the half that was not used last. From node 1 (the root),
//! node `i` has the children `2 i` (lower half, node bit 0) and `2 i + 1`; with a number of ways that is no power of
//! two, what is beyond does not exist. Where the way that the nodes point at is no candidate, the lowest candidate of
//! the deepest half on the way that has one is taken.

use super::ReplacementPolicy;
use blocks::lowest_set;
use hdl::{Bits, Builder, Signal, mux, row};

/// See the [module documentation](self).
pub struct Tree;

/// Leaves of the tree.
fn leaves(ways: u32) -> u32 {
    ways.next_power_of_two()
}

/// A candidate among those set in `candidates` (a power of two of them), below `node`.
fn choose<'m>(state: Signal<'m>, candidates: Signal<'m>, node: u32) -> Signal<'m> {
    let n = candidates.width();
    if n == 1 {
        return candidates;
    }
    let (low, high) = (candidates.bits(0, n / 2), candidates.bits(n / 2, n / 2));
    let (zero, points_high) = (low & !low, state.bit(node - 1));
    let take_high = mux(points_high, high.any(), !low.any());
    let (of_low, of_high) = (choose(state, low, 2 * node), choose(state, high, 2 * node + 1));
    mux(take_high, of_high.join(zero), zero.join(of_low))
}

impl ReplacementPolicy for Tree {
    fn state_bits(&self, ways: u32) -> u32 {
        if ways > 1 { leaves(ways) - 1 } else { 0 }
    }

    fn initial(&self, ways: u32) -> Bits {
        Bits::zero(self.state_bits(ways))
    }

    fn victim<'m>(&self, _m: &'m Builder, state: Option<Signal<'m>>, candidates: Signal<'m>) -> Signal<'m> {
        let ways = candidates.width();
        let chosen = state.map(|state| choose(state, candidates.resize(leaves(ways)), 1).bits(0, ways));
        chosen.unwrap_or_else(|| lowest_set(candidates))
    }

    fn update<'m>(&self, state: Signal<'m>, way: Signal<'m>, _fill: Signal<'m>) -> Signal<'m> {
        let count = leaves(way.width());
        let way = way.resize(count);
        // Node i of depth d stands over `count / 2^d` ways; it points away from the half that has the way.
        row((1..count).map(|node| {
            let (depth, first) = (node.ilog2(), node - (1 << node.ilog2()));
            let span = count >> depth;
            let (low, high) =
                (way.bits(first * span, span / 2).any(), way.bits(first * span + span / 2, span / 2).any());
            mux(low, 1, mux(high, 0, state.bit(node - 1)))
        }))
    }
}
