//! A random one: the first candidate from a place on that a shift register draws every cycle.

use super::ReplacementPolicy;
use blocks::{Lfsr, lfsr, lowest_set};
use hdl::{Builder, Signal, mux};

/// See the [module documentation](self).
pub struct RandomReplacement;

/// Bits of the shift register.
const DRAWN: u32 = 16;

impl ReplacementPolicy for RandomReplacement {
    fn state_bits(&self, _ways: u32) -> u32 {
        0
    }

    fn victim<'m>(&self, m: &'m Builder, _state: Option<Signal<'m>>, candidates: Signal<'m>) -> Signal<'m> {
        let drawn = Lfsr(m.instance("drawn", &lfsr(DRAWN, 1)));
        drawn.load(0);
        drawn.seed(1);
        drawn.step(1);
        let ways = candidates.width();
        let from = drawn.value().bits(0, hdl::index_width(ways as usize));
        let behind = (m.lit(ways, 0) - 1) << from;
        let later = m.wire("later_candidates", candidates & behind);
        mux(later.any(), lowest_set(later), lowest_set(candidates))
    }

    fn update<'m>(&self, state: Signal<'m>, _way: Signal<'m>, _fill: Signal<'m>) -> Signal<'m> {
        state
    }
}
