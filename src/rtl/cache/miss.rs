//! Miss handling: which lines are pending, and the miss entry of each.
//!
//! ```text
//!  line (number) ----------->+--------------+--> found (1), found_entry, [found_bits]: the line is pending, in this entry
//!  [pending (1), name] ----->|   handling   |--> available (1), entry: the entry that `take` would give to the line
//!  take (1) ---------------->|              |--> used (count)
//!  release (1), released --->|              |
//!  [those of its own] ------>+--------------+--> [those of its own]
//! ```
//!
//! Contract: combinational from `line`; `take` gives `entry` to the line at the clock edge, `release` frees the entry
//! `released`; an entry that is released in a cycle can be taken in the next one. Handling that keeps pending lines in
//! the tags (`in_tags`) has no keys of its own: the cache shows whether the set has the line as `pending` and the
//! entry's `name` that stands with it. A kind may see more of the set ([`SetView`]) by ports of its own, and say more
//! ([`MissAnswer`]): which lines get their way only when they come, and that it refuses a line for a cause of its own.
//! Never: `take` while not available or for a line that is found, `release` of a free entry (asserted).
//!
//! A kind is a row of the table and a file; that has its record, its ports, its causes of refusal, what it counts and
//! how a report calls it, its arrays for area and energy, and what its sizes have to be ([`MissPolicy`]).
//!
//! Source: Kim's thesis, sections 1.2 and 5.1 to 5.4; K. I. Farkas and N. P. Jouppi, *Complexity/performance tradeoffs
//! with non-blocking loads* (ISCA 1994). Testbenches: `testbenches/miss_entries/`, `miss_entries_htsma`; tests:
//! `tests/memory/cache/`.

pub mod arrays;
mod config;
mod full;
mod htsma;
mod in_tags;
mod own_params;
mod policy;
mod set_associative;
mod tsma;
mod unlimited;

use super::{Allocation, CacheParams};
use common::policies;
use hdl::{Builder, Module, Statistic, index_width, params, ports};
use policy::counted;

pub use config::{L1Mshr, L2Mshr, MissSizes, MshrConfig, ReadOnlyMshr};
pub use own_params::{OwnParams, ProtectedVictims};
pub use policy::{
    Inputs, MissAnswer, MissCycle, MissLookup, MissNeeds, MissParams, MissPolicy, MshrKeys, OwnCount, SetView,
};

policies! {
    /// How pending lines are found.
    pub enum MissHandling: dyn MissPolicy {
        /// Miss status holding registers with a comparator each.
        Full = "full" | "fully-associative" => full::Full,
        /// The registers are in sets, of which one is compared; a full set refuses a miss although others have room.
        SetAssociative = "set-associative" => set_associative::SetAssociative,
        /// Tag shared array (TSMA): the tag of a pending line stands in the cache with the name of its entry; no comparators.
        Tsma = "tsma" => tsma::Tsma,
        /// Hybrid (HTSMA): a TSMA behind a CAM part with comparators, which takes the misses that would push out lines of use.
        Htsma = "htsma" => htsma::Htsma,
        /// For limit studies: as many entries and waiting requests as there can be, with a comparator each; it never refuses a miss.
        Unlimited = "unlimited" => unlimited::Unlimited,
    }
}

impl MissHandling {
    /// The allocation that it needs, or the default one where it goes with both.
    pub fn allocation(self) -> Allocation {
        if self.policy().in_tags() { Allocation::OnMiss } else { Allocation::default() }
    }

    /// The kinds whose needs are such, for messages.
    pub fn names_of(fit: impl Fn(&MissNeeds) -> bool) -> String {
        let fitting = Self::ALL.into_iter().filter(|kind| fit(&kind.policy().needs()));
        fitting.map(|kind| kind.name()).collect::<Vec<_>>().join(", ")
    }

    /// Causes of refusal of single kinds: an access to a cache of another kind is never refused for them.
    pub fn refusals() -> Vec<OwnCount> {
        Self::named().into_iter().filter_map(|kind| kind.policy().refusal()).collect()
    }

    /// What single kinds count for a report, each once.
    pub fn reported() -> Vec<OwnCount> {
        let all = Self::named().into_iter().flat_map(|kind| kind.policy().reported());
        each_once(all.copied())
    }
}

/// What single kinds count.
pub(super) fn statistics() -> Vec<Statistic> {
    each_once(MissHandling::named().into_iter().flat_map(|kind| kind.policy().statistics()).copied())
}

fn each_once<T: PartialEq>(all: impl Iterator<Item = T>) -> Vec<T> {
    all.fold(vec![], |mut seen, one| {
        if !seen.contains(&one) {
            seen.push(one);
        }
        seen
    })
}

ports! {
    /// Ports of [`miss_entries`]; the kind may have more ([`MissPolicy::inputs`]).
    pub struct MissEntriesPorts(p: &CacheParams) of MissEntries {
        /// Number of the line that is looked for, and taken.
        in line: p.protocol.line_number_bits(),
        /// The set has the line as pending.
        maybe (p.entries_in_tags()) in pending: 1,
        /// The name of its entry, which stands there.
        maybe (p.entries_in_tags()) in name: p.name_bits(),
        /// The line becomes pending.
        in take: 1,
        /// An entry becomes free.
        in release: 1,
        /// Its number.
        in released: p.entry_bits(),
        /// The line is pending.
        out found: 1,
        /// Its entry.
        out found_entry: p.entry_bits(),
        /// A bit for each entry: it is that of the line.
        maybe (p.misses.policy().shows_bits()) out found_bits: p.all_entries(),
        /// There is an entry for the line.
        out available: 1,
        /// That entry.
        out entry: p.entry_bits(),
        /// Entries in use.
        out used: index_width(p.all_entries() as usize + 1),
    }
}

/// The miss entries of a cache, without their targets; see the [module documentation](self).
pub fn miss_entries(p: &CacheParams) -> Module {
    let policy = p.misses.policy();
    let line_bits = p.protocol.line_number_bits();
    let parameters = params! { kind: p.misses, entries: p.entries; line_bits };
    let m = Builder::new("miss_entries", parameters.and(&p.miss()));
    m.doc(&p.misses.about());
    let io = MissEntriesPorts::new(&m, p);
    let inputs = Inputs {
        line: io.line(),
        in_tags: io.pending().zip(io.name()),
        own: policy.inputs(&m, &p.miss(), line_bits),
        take: io.take(),
        release: io.release(),
        released: io.released(),
    };
    let lookup = policy.build(&m, &p.miss(), &inputs);
    let MissLookup { found, found_entry, found_bits, available, entry, used, shows } = lookup;
    let (found, available) = (m.wire("found_now", found), m.wire("available_now", available));
    io.found(found);
    io.found_entry(found_entry);
    if policy.shows_bits() {
        io.found_bits(found_bits.unwrap_or(m.lit(p.all_entries(), 0)));
    }
    io.available(available);
    io.entry(entry);
    io.used(counted(&m, "used_count", p.all_entries(), [used, inputs.take, inputs.release]));
    if let Some(shows) = shows {
        shows();
    }
    m.always("a line takes an entry that is available", !inputs.take | available);
    m.always("no line is pending twice", !inputs.take | !found);
    m.finish()
}
