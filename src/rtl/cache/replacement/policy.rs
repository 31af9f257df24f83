//! What a replacement policy says.

use hdl::{Bits, Builder, Signal};

/// A way to choose a victim.
pub trait ReplacementPolicy: Sync {
    /// Bits of a set's state.
    fn state_bits(&self, ways: u32) -> u32;

    /// The state of a set that nobody has used.
    fn initial(&self, ways: u32) -> Bits {
        Bits::zero(self.state_bits(ways))
    }

    /// The victim, one-hot; a set has two ways or more, and there is a candidate.
    fn victim<'m>(&self, m: &'m Builder, state: Option<Signal<'m>>, candidates: Signal<'m>) -> Signal<'m>;

    /// The state after `way` (one-hot) was used, or filled when `fill` is one.
    fn update<'m>(&self, state: Signal<'m>, way: Signal<'m>, fill: Signal<'m>) -> Signal<'m>;
}
