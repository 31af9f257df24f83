//! Tag shared array (TSMA): no keys. The index generator: a vector of free entries, a priority encoder, and the
//! register that holds the entry for the next miss, made from the vector as it will be after this cycle.
//!
//! Source: Kim's thesis, section 5.1.

use super::{
    arrays::{ArraySearch, BesideCache, MissArray},
    in_tags,
    policy::{Inputs, MissCycle, MissLookup, MissParams, MissPolicy, OwnCount},
};
use blocks::{index_one_hot, priority_index};
use hdl::{Bits, Builder, Signal, Statistic};

/// See the [module documentation](self).
pub struct Tsma;

/// The entry for the next miss.
pub(super) struct NextEntry<'m> {
    /// There is one.
    pub valid: Signal<'m>,
    pub index: Signal<'m>,
    /// Entries in use, a bit each.
    pub used: Signal<'m>,
}

/// The index generator. `freed`: entries that become free, a bit each.
pub(super) fn next_entry<'m>(m: &'m Builder, entries: u32, take: Signal<'m>, freed: Signal<'m>) -> NextEntry<'m> {
    let free = m.register_bits("free", Bits::ones(entries));
    let bits = hdl::index_width(entries as usize);
    let (index, valid) = (m.register("next_index", bits, 0), m.register("index_valid", 1, 1));
    let taken = index_one_hot(index, entries) & take.repeat(entries);
    let next = m.wire("next_free", free & !taken | freed);
    m.set(free, next);
    m.set(index, priority_index(next));
    m.set(valid, next.any());
    m.always("only used entries are released", (freed & free).is_zero());
    m.always("the next index names a free entry", !valid | (index_one_hot(index, entries) & free).any());
    NextEntry { valid, index, used: !free }
}

impl MissPolicy for Tsma {
    fn in_tags(&self) -> bool {
        true
    }

    fn compared(&self, _p: &MissParams) -> u32 {
        0
    }

    fn build<'m>(&self, m: &'m Builder, p: &MissParams, inputs: &Inputs<'m>) -> MissLookup<'m> {
        let Some((found, found_entry)) = inputs.in_tags else { unreachable!("the tags show pending lines") };
        let freed = index_one_hot(inputs.released, p.entries) & inputs.release.repeat(p.entries);
        let NextEntry { valid, index, used } = next_entry(m, p.entries, inputs.take, freed);
        MissLookup { found, found_entry, found_bits: None, available: valid, entry: index, used, shows: None }
    }

    fn statistics(&self) -> &'static [Statistic] {
        in_tags::STATISTICS
    }

    fn reported(&self) -> &'static [OwnCount] {
        in_tags::REPORTED
    }

    fn count<'m>(&self, m: &'m Builder, now: &MissCycle<'m>) {
        in_tags::count(m, now, m.lit(1, 0));
    }

    fn arrays(&self, p: &MissParams, cache: &BesideCache) -> Vec<MissArray> {
        in_tags::arrays(p, cache)
    }

    /// As the source estimates it: a direct-mapped array with the tags and the comparator left in.
    fn estimated(&self, entries: u32, _own: u32) -> Vec<(u32, ArraySearch)> {
        vec![(entries, ArraySearch::Index)]
    }
}
