//! Miss handling: which lines are pending, and the miss entry of each.
//!
//! ```text
//!  line (number) ----------->+--------------+--> found (1), found_entry, [found_bits]: the line is pending, in this entry
//!  [pending (1), name] ----->|   handling   |--> available (1), entry: the entry that `take` would give to the line
//!  [last_way, is_protected] >|              |--> used (count)
//!  [next_line] ------------->|              |--> [reserves (1), deferred (count), found_in_cam, cam_full (1)]
//!  take (1) ---------------->|              |
//!  release (1), released --->+--------------+
//! ```
//!
//! Contract: combinational from `line`; `take` gives `entry` to the line at the clock edge, `release` frees the entry
//! `released`; an entry that is released in a cycle can be taken in the next one. Handling that keeps pending lines in
//! the tags (`in_tags`) has no keys of its own: the cache shows whether the set has the line as `pending` and the
//! entry's `name` that stands with it. A hybrid keeps some there and others in a CAM part of its own (`cam_part`): it is
//! shown whether one way alone of the set is not reserved (`last_way`) and whether the victim is to be protected
//! (`is_protected`), and says whether `entry` stands in the tags (`reserves`), how many lines get their way only when
//! they come (`deferred`), whether `found_entry` is in the CAM part, and that it alone refuses the line (`cam_full`).
//! `next_line` will be `line` in the next cycle. Never: `take` while not available or for a line that is found,
//! `release` of a free entry (asserted).
//!
//! Source: Kim's thesis, sections 1.2 and 5.1 to 5.4; K. I. Farkas and N. P. Jouppi, *Complexity/performance tradeoffs
//! with non-blocking loads* (ISCA 1994). Testbenches: `testbenches/miss_entries/`, `miss_entries_htsma`; tests:
//! `tests/memory/cache/`.

mod config;
mod full;
mod htsma;
mod policy;
mod set_associative;
mod tsma;
mod unlimited;

use super::{Allocation, CacheParams};
use blocks::popcount;
use common::policies;
use hdl::{Builder, Module, Signal, index_width, params, ports};

pub use config::{L1Mshr, L2Mshr, MissSizes, MshrConfig, ReadOnlyMshr};
pub use policy::{HybridLookup, Inputs, MissLookup, MissNeeds, MissParams, MissPolicy, MshrKeys, PartsState, SetState};

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
}

ports! {
    /// Ports of [`miss_entries`].
    pub struct MissEntriesPorts(p: &CacheParams) of MissEntries {
        /// Number of the line that is looked for, and taken.
        in line: p.protocol.line_number_bits(),
        /// The set has the line as pending.
        maybe (p.entries_in_tags()) in pending: 1,
        /// The name of its entry, which stands there.
        maybe (p.entries_in_tags()) in name: p.name_bits(),
        /// The set of the line.
        maybe (p.cam_part().is_some()) in set as "": bundle SetState(&p.protocol),
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
        /// The CAM part and the tags.
        maybe (p.cam_part().is_some()) out parts as "": bundle PartsState(&p.cam_part_entries()),
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
        set: io.set(),
        take: io.take(),
        release: io.release(),
        released: io.released(),
    };
    let MissLookup { found, found_entry, found_bits, available, entry, used, parts } =
        policy.build(&m, &p.miss(), &inputs);
    let (found, available) = (m.wire("found_now", found), m.wire("available_now", available));
    io.found(found);
    io.found_entry(found_entry);
    if policy.shows_bits() {
        io.found_bits(found_bits.unwrap_or(m.lit(p.all_entries(), 0)));
    }
    io.available(available);
    io.entry(entry);
    io.used(counted(&m, "used_count", p.all_entries(), [used, inputs.take, inputs.release]));
    if let Some(HybridLookup { reserves, deferred, found_in_cam, cam_full }) = parts {
        let count = deferred.map(|of| counted(&m, "deferred_count", p.cam_part_entries(), of));
        let deferred = count.unwrap_or(m.lit(index_width(p.cam_part_entries() as usize + 1), 0));
        io.parts(PartsState { reserves, deferred, found_in_cam, cam_full });
    }
    m.always("a line takes an entry that is available", !inputs.take | available);
    m.always("no line is pending twice", !inputs.take | !found);
    m.finish()
}

/// How many of `entries` are `used` (a bit each), counted as they are taken and freed: adding up their bits would take as long as half a
/// lookup.
fn counted<'m>(m: &'m Builder, name: &str, entries: u32, [used, takes, frees]: [Signal<'m>; 3]) -> Signal<'m> {
    let count = m.register(name, index_width(entries as usize + 1), 0);
    m.when(takes & !frees, || m.set(count, count + 1));
    m.when(frees & !takes, || m.set(count, count - 1));
    m.always("entries in use are counted", count.eq(popcount(used)));
    count
}
