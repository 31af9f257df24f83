//! Fully associative: a [`cam`](fn@cam) of the numbers of pending lines.

use super::{Inputs, MissLookup, MissParams, MissPolicy};
use crate::blocks::{cam, index_one_hot, one_hot_index};
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
        let lines = m.instance("pending_lines", &cam(p.entries, inputs.line.width()));
        lines.drive("lookup_key", inputs.line);
        lines.drive("insert", inputs.take);
        lines.drive("insert_key", inputs.line);
        lines.drive("invalidate", index_one_hot(inputs.released, p.entries) & inputs.release.repeat(p.entries));
        MissLookup {
            found: lines.get("hit"),
            found_entry: lines.get("hit_index"),
            found_bits: Some(lines.get("hit_entries")),
            available: !lines.get("full"),
            entry: one_hot_index(lines.get("insert_entry")),
            used: lines.get("valid"),
            parts: None,
        }
    }
}
