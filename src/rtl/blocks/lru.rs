//! LRU state: which of `n` ways was used longest ago, exactly.
//!
//! ```text
//!                  +-------+
//!  touch      (n)->|  LRU  |-> victim (n): one-hot, the least recently touched candidate
//!  candidates (n)->| order |
//!                  +-------+
//! ```
//!
//! Contract: `victim` follows `candidates` in the same cycle and does not see this cycle's `touch`; it is zero when
//! there is no candidate. `touch` (one-hot, or zero for none) makes a way the most recently used at the clock edge.
//! After reset the ways count as touched in the order 0, 1, ..., so way 0 is the first victim. Never: two ways touched
//! in one cycle (asserted).
//!
//! State: `n (n - 1) / 2` bits, see [`super::order`], whose functions on rows serve caches that keep the order of many
//! sets in a memory. Testbench: `testbenches/lru/`.

use super::{order::order_and_first, select::at_most_one};
use hdl::{Builder, Module, params, ports};

ports! {
    /// Ports of an [`lru`] of so many ways.
    pub struct LruPorts(n: &u32) of Lru {
        /// The way that is used, one-hot, or none.
        in touch: *n,
        /// Ways to choose from.
        in candidates: *n,
        /// The one of them that was used longest ago, one-hot, or none.
        out victim: *n,
    }
}

/// LRU order over `n >= 2` ways.
pub fn lru(n: u32) -> Module {
    let m = Builder::new("lru", params! { n });
    m.doc("Exact least-recently-used order of the ways of one set.");
    m.require(n >= 2, &format!("lru: n = {n} ways, at least 2 are needed"));
    let n = n.max(2);
    let io = LruPorts::new(&m, &n);
    let (touch, candidates) = (io.touch(), io.candidates());
    let victim = order_and_first(&m, candidates, |_| touch, m.lit(1, 1)).named("oldest");
    io.victim(victim);
    m.always("at most one way is touched", at_most_one(touch));
    m.always("one of the candidates is the victim", at_most_one(victim) & victim.any().eq(candidates.any()));
    m.finish()
}
