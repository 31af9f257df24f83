//! Tag shared array (TSMA): no keys. The index generator: a vector of free entries, a priority encoder, and the register that holds the
//! entry for the next miss, made from the vector as it will be after this cycle.
//!
//! Source: Kim's thesis, section 5.1.

use super::{Found, Inputs, MissPolicy};
use crate::{
    blocks::{index_one_hot, priority_index},
    cache::CacheParams,
};
use hdl::{Bits, Builder};

/// See the [module documentation](self).
pub struct Tsma;

impl MissPolicy for Tsma {
    fn in_tags(&self) -> bool {
        true
    }

    fn build<'m>(&self, m: &'m Builder, p: &CacheParams, inputs: &Inputs<'m>) -> Found<'m> {
        let Some((found, found_entry)) = inputs.in_tags else { unreachable!("the tags show pending lines") };
        let free = m.register_bits("free", Bits::ones(p.entries));
        let (index, valid) = (m.register("next_index", p.entry_bits(), 0), m.register("index_valid", 1, 1));
        let taken = index_one_hot(index, p.entries) & inputs.take.repeat(p.entries);
        let freed = index_one_hot(inputs.released, p.entries) & inputs.release.repeat(p.entries);
        let next = m.wire("next_free", free & !taken | freed);
        m.set(free, next);
        m.set(index, priority_index(next));
        m.set(valid, next.any());
        m.always("only used entries are released", (freed & free).is_zero());
        m.always("the next index names a free entry", !valid | (index_one_hot(index, p.entries) & free).any());
        Found { found, found_entry, available: valid, entry: index, used: !free }
    }
}
