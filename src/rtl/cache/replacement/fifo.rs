//! First in, first out: the order of all ways as for LRU, in which only a fill makes a way the last.

use super::{ReplacementPolicy, lru::Lru};
use hdl::{Bits, Builder, Signal, mux};

/// See the [module documentation](self).
pub struct Fifo;

impl ReplacementPolicy for Fifo {
    fn state_bits(&self, ways: u32) -> u32 {
        Lru.state_bits(ways)
    }

    fn initial(&self, ways: u32) -> Bits {
        Lru.initial(ways)
    }

    fn victim<'m>(&self, m: &'m Builder, state: Option<Signal<'m>>, candidates: Signal<'m>) -> Signal<'m> {
        Lru.victim(m, state, candidates)
    }

    fn update<'m>(&self, state: Signal<'m>, way: Signal<'m>, fill: Signal<'m>) -> Signal<'m> {
        mux(fill, Lru.update(state, way, fill), state)
    }
}
