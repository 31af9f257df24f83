//! Miss handling: which lines are pending, and the miss entry of each.
//!
//! ```text
//!  line (number) ----------->+--------------+--> found (1), found_entry: the line is pending, in this entry
//!  [pending (1), name] ----->|   handling   |--> available (1), entry: the entry that `take` would give to the line
//!  take (1) ---------------->|              |--> used (count)
//!  release (1), released --->+--------------+
//! ```
//!
//! Contract: combinational from `line`; `take` gives `entry` to the line at the clock edge, `release` frees the entry `released`; an entry
//! that is released in a cycle can be taken in the next one. Handling that keeps pending lines in the tags (`in_tags`) has no keys of its
//! own: the cache shows whether the set has the line as `pending` and the entry's `name` that stands with it.
//! Never: `take` while not available or for a line that is found, `release` of a free entry (asserted).
//!
//! Source: Kim's thesis, sections 1.2 and 5.1 to 5.4; K. I. Farkas and N. P. Jouppi, *Complexity/performance tradeoffs with non-blocking
//! loads* (ISCA 1994). Testbench: `testbenches/miss_entries/`; tests: `tests/cache/`.

mod full;
mod set_associative;
mod tsma;

use super::CacheParams;
use crate::blocks::popcount;
use common::policies;
use hdl::{Builder, Module, Signal, index_width};

policies! {
    /// How pending lines are found.
    pub enum MissHandling: dyn MissPolicy {
        /// Miss status holding registers with a comparator each.
        Full = "full" => full::Full,
        /// The registers are in sets, of which one is compared; a full set refuses a miss although others have room.
        SetAssociative = "set-associative" => set_associative::SetAssociative,
        /// Tag shared array (TSMA): the tag of a pending line stands in the cache with the name of its entry; no comparators.
        Tsma = "tsma" => tsma::Tsma,
    }
}

/// A way to keep and to find pending lines.
pub trait MissPolicy: Sync {
    /// Pending lines stand in the tags of the cache.
    fn in_tags(&self) -> bool {
        false
    }

    /// The state, and the outputs; the inputs are there.
    fn build<'m>(&self, m: &'m Builder, p: &CacheParams, inputs: &Inputs<'m>) -> Found<'m>;
}

/// Inputs of the handling.
pub struct Inputs<'m> {
    /// Number of the line that is looked for, and taken.
    pub line: Signal<'m>,
    /// The set has the line as pending, and the name of the entry there; of handling in the tags.
    pub in_tags: Option<(Signal<'m>, Signal<'m>)>,
    /// The line becomes pending.
    pub take: Signal<'m>,
    /// An entry becomes free.
    pub release: Signal<'m>,
    /// Its number.
    pub released: Signal<'m>,
}

/// What is found.
pub struct Found<'m> {
    /// The line is pending.
    pub found: Signal<'m>,
    /// Its entry.
    pub found_entry: Signal<'m>,
    /// There is an entry for the line.
    pub available: Signal<'m>,
    /// That entry.
    pub entry: Signal<'m>,
    /// Entries in use, a bit each.
    pub used: Signal<'m>,
}

/// The miss entries of a cache, without their fields; see the [module documentation](self).
pub fn miss_entries(p: &CacheParams) -> Module {
    let policy = p.misses.policy();
    let m = Builder::new("miss_entries", names(p));
    m.doc(&p.misses.about());
    let inputs = Inputs {
        line: m.input("line", p.protocol.line_number_bits()),
        in_tags: policy.in_tags().then(|| (m.input("pending", 1), m.input("name", p.entry_bits()))),
        take: m.input("take", 1),
        release: m.input("release", 1),
        released: m.input("released", p.entry_bits()),
    };
    let Found { found, found_entry, available, entry, used } = policy.build(&m, p, &inputs);
    let (found, available) = (m.wire("found_now", found), m.wire("available_now", available));
    m.output_of("found", found);
    m.output_of("found_entry", found_entry);
    m.output_of("available", available);
    m.output_of("entry", entry);
    m.output_of("used", popcount(used).resize(index_width(p.entries as usize + 1)));
    m.always("a line takes an entry that is available", !inputs.take | available);
    m.always("no line is pending twice", !inputs.take | !found);
    m.finish()
}

fn names(p: &CacheParams) -> Vec<(String, String)> {
    let kind = p.misses.name().replace('-', "_");
    let mut names = hdl::params! { kind, e: p.entries };
    if p.misses == MissHandling::SetAssociative {
        names.extend(hdl::params! { ew: p.entry_ways, i: p.index.name() });
    }
    if !p.misses.policy().in_tags() {
        names.extend(hdl::params! { l: p.protocol.line_number_bits() });
    }
    names
}
