//! Set associative: a line can be pending in the entries of one set, chosen as the cache chooses its sets. The number
//! of an entry is its way above its set.

use super::{
    arrays::{ArraySearch, BesideCache, MissArray},
    policy::{Inputs, MissLookup, MissParams, MissPolicy, MshrKeys},
};
use crate::index::set_of;
use blocks::{index_one_hot, lowest_set, one_hot_index};
use common::parameters::{Rule, rule};
use hdl::{Builder, Signal, row, select};

/// See the [module documentation](self).
pub struct SetAssociative;

impl MissPolicy for SetAssociative {
    fn keys(&self) -> MshrKeys {
        MshrKeys { entries: true, targets: true, ways: true, cam_part: false }
    }

    fn rules(&self, p: &MissParams, table: &str) -> Vec<Rule> {
        let MissParams { entries, entry_ways: ways, .. } = *p;
        let sets = entries.checked_div(ways).filter(|sets| sets * ways == entries);
        let powers = (0..entries.trailing_zeros() + 1).rev().map(|power| (entries >> power).to_string());
        let fitting = powers.collect::<Vec<_>>().join(", ");
        let allowed =
            format!("{fitting}: a divisor of {table}mshr.entries = {entries} that gives a power of two of sets");
        vec![rule(sets.is_some_and(u32::is_power_of_two), "mshr.ways", ways, allowed)]
    }

    fn compared(&self, p: &MissParams) -> u32 {
        p.entry_ways
    }

    fn build<'m>(&self, m: &'m Builder, p: &MissParams, inputs: &Inputs<'m>) -> MissLookup<'m> {
        let (ways, sets) = (p.entry_ways, p.entries / p.entry_ways);
        let set_bits = sets.ilog2();
        let set = (sets > 1).then(|| m.wire("entry_set", set_of(p.index, inputs.line, set_bits)));
        // Entry `way * sets + set`.
        let used = m.register("used_entries", p.entries, 0);
        let of_set = |bits: Signal<'m>| match set {
            Some(set) => row(bits.parts(sets).into_iter().map(|way| select(set, &way.to_bits()))),
            None => bits,
        };
        let keys: Vec<_> =
            (0..p.entries).map(|e| m.register_payload(("pending_line", e), inputs.line.width())).collect();
        let in_set = m.wire("used_in_set", of_set(used));
        let equal = keys.chunks(sets as usize).map(|way| {
            let key = set.map_or(way[0], |set| select(set, way));
            key.eq(inputs.line)
        });
        let hits = m.wire("entry_hits", row(equal) & in_set);
        let free = m.wire("free_way", lowest_set(!in_set));
        let number = |way: Signal<'m>| {
            let number = match set {
                Some(set) if ways > 1 => one_hot_index(way).join(set),
                Some(set) => set,
                None => one_hot_index(way),
            };
            number.resize(p.entry_bits())
        };
        let entry = m.wire("free_entry", number(free));
        let taken = m.wire("taken", index_one_hot(entry, p.entries) & inputs.take.repeat(p.entries));
        let freed = index_one_hot(inputs.released, p.entries) & inputs.release.repeat(p.entries);
        m.set(used, used & !freed | taken);
        for (key, mine) in keys.iter().zip(taken.to_bits()) {
            m.when(mine, || m.set(*key, inputs.line));
        }
        m.always("only used entries are released", (freed & !used).is_zero());
        MissLookup {
            found: hits.any(),
            found_entry: number(hits),
            found_bits: None,
            available: free.any(),
            entry,
            used,
            shows: None,
        }
    }

    fn arrays(&self, p: &MissParams, cache: &BesideCache) -> Vec<MissArray> {
        let search = if p.entry_ways < p.entries { ArraySearch::Ways(p.entry_ways) } else { ArraySearch::All };
        vec![MissArray::of_lines("miss entries", p.entries, search, cache)]
    }
}
