//! Fully associative: a [`cam`](fn@cam) of the numbers of pending lines.

use super::{
    arrays::{ArraySearch, BesideCache, MissArray},
    policy::{Inputs, MissLookup, MissParams, MissPolicy},
};
use blocks::{Cam, cam, index_one_hot, one_hot_index};
use hdl::Builder;

/// See the [module documentation](self).
pub struct Full;

impl MissPolicy for Full {
    fn compared(&self, p: &MissParams) -> u32 {
        p.entries
    }

    fn shows_bits(&self) -> bool {
        true
    }

    fn build<'m>(&self, m: &'m Builder, p: &MissParams, inputs: &Inputs<'m>) -> MissLookup<'m> {
        let lines = Cam(m.instance("pending_lines", &cam(p.entries, inputs.line.width())));
        lines.lookup_key(inputs.line);
        lines.insert(inputs.take);
        lines.insert_key(inputs.line);
        lines.invalidate(index_one_hot(inputs.released, p.entries) & inputs.release.repeat(p.entries));
        MissLookup {
            found: lines.hit(),
            found_entry: lines.hit_index(),
            found_bits: Some(lines.hit_entries()),
            available: !lines.full(),
            entry: one_hot_index(lines.insert_entry()),
            used: lines.valid(),
            shows: None,
        }
    }

    fn arrays(&self, p: &MissParams, cache: &BesideCache) -> Vec<MissArray> {
        vec![MissArray::of_lines("miss entries", p.entries, ArraySearch::All, cache)]
    }
}
