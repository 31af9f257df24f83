//! Exact least recently used: the order of all ways, `n (n - 1) / 2` bits ([`order`]).

use super::ReplacementPolicy;
use blocks::order;
use hdl::{Bits, Builder, Signal, row};

/// See the [module documentation](self).
pub struct Lru;

impl ReplacementPolicy for Lru {
    fn state_bits(&self, ways: u32) -> u32 {
        ways * (ways - 1) / 2
    }

    fn initial(&self, ways: u32) -> Bits {
        Bits::ones(self.state_bits(ways))
    }

    fn victim<'m>(&self, _m: &'m Builder, state: Option<Signal<'m>>, candidates: Signal<'m>) -> Signal<'m> {
        state.map_or(candidates, |state| order::first_of(&order::rows(state, candidates.width()), candidates))
    }

    fn update<'m>(&self, state: Signal<'m>, way: Signal<'m>, _fill: Signal<'m>) -> Signal<'m> {
        row(order::used(&order::rows(state, way.width()), way))
    }
}
