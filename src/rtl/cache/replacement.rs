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
mod policy;
mod random;
mod tree;

use common::policies;
pub use policy::ReplacementPolicy;

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
