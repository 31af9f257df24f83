//! Replacement policy: which line of a set is the victim.
//!
//! ```text
//!  state of the set ---->+--------+--> victim (ways, one-hot): one of the candidates
//!  candidates (ways) --->| policy |
//!  way, is a fill ------>+--------+--> state after the way was used
//! ```
//!
//! The state is a word of the cache's array `order`, the same length for every set; a policy without state has none.

mod fifo;
mod lru;
mod random;
mod tree;

use common::policies;
use hdl::{Bits, Builder, Signal};

policies! {
    /// Replacement policy: which line of a set is the victim.
    pub enum Replacement: dyn ReplacementPolicy {
        /// The least recently used one, exactly.
        Lru = "lru" => lru::Lru,
        /// About the least recently used one: a bit for each node of a binary tree over the ways.
        Tree = "tree" | "plru" | "tree-plru" | "pseudo-lru" => tree::Tree,
        /// The one that was filled first.
        Fifo = "fifo" => fifo::Fifo,
        /// Any.
        Random = "random" => random::RandomReplacement,
    }
}

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
