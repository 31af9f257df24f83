//! Hybrid (HTSMA): a [tag shared array](super::tsma) with a small fully associative part in front, whose lines get their way only when they come.
//!
//! ```text
//!  line, or next_line ->+------------+ found_small, full   +----------+
//!                       | CAM part |-------------------->| which    |--> found, available, entry, reserves
//!  pending, name ------>|  (cam)     |   +-------------+   | part     |
//!  last_way, spared     +------------+   | next entry  |-->|          |
//!                                        +-------------+   +----------+
//! ```
//!
//! A line that is pending nowhere goes to the CAM part alone where it would take the last way of its set that is not reserved; to the CAM part,
//! as long as that has room, where the victim is to be spared; else to the tags. It is refused where the part that it must go to has no entry.
//! A line in the CAM part is always found, whatever the set looks like, or it could be pending twice. Entries of the CAM part are those
//! from `entries` on.
//!
//! With `small_ahead` the CAM part is compared with `next_line` in the cycle before, what is taken and released in that cycle counted in:
//! the two stages of the pipelined form. The decision falls in the same cycle as without.
//!
//! The number of reserved ways of a set is not a counter of its own, as in the source: their bits are read with the row of the set.
//!
//! Source: Kim's thesis, section 5.2, listing 5.1, section 5.5.1.

use super::{
    Found, Inputs, MissPolicy, Parts,
    tsma::{NextEntry, next_entry},
};
use crate::{
    blocks::{cam, index_one_hot, one_hot_index},
    cache::CacheParams,
};
use hdl::{Builder, Signal, mux};

/// See the [module documentation](self).
pub struct Htsma;

/// What the CAM part says.
struct Small<'m> {
    found: Signal<'m>,
    /// Number within the part.
    found_index: Signal<'m>,
    room: Signal<'m>,
    index: Signal<'m>,
    used: Signal<'m>,
}

impl MissPolicy for Htsma {
    fn in_tags(&self) -> bool {
        true
    }

    fn is_hybrid(&self) -> bool {
        true
    }

    fn compared(&self, p: &CacheParams) -> u32 {
        p.small()
    }

    fn build<'m>(&self, m: &'m Builder, p: &CacheParams, inputs: &Inputs<'m>) -> Found<'m> {
        let (Some((pending, name)), Some(set)) = (inputs.in_tags, inputs.set) else {
            unreachable!("the tags show pending lines, and the state of the set")
        };
        let takes_small = m.wire_later("takes_small", 1);
        let (all, bits) = (p.all_entries(), p.entry_bits());
        let freed = index_one_hot(inputs.released, all) & inputs.release.repeat(all);
        let shared = next_entry(m, p.entries, inputs.take & !takes_small, freed.bits(0, p.entries));
        let NextEntry { valid, index, used } = shared;
        let small = (p.small() > 0)
            .then(|| small_part(m, p, inputs, inputs.take & takes_small, freed.bits(p.entries, p.small())));
        let no = m.lit(1, 0);
        let (found_small, room) = small.as_ref().map_or((no, no), |small| (small.found, small.room));
        let first = m.wire("small_first", set.last_way | set.spared);
        let to_small = m.wire("to_small", first & room);
        m.assign(takes_small, to_small);
        let number = |index: Signal<'m>| index.resize(bits) + u64::from(p.entries);
        let (found_entry, entry) = match &small {
            None => (name, index),
            Some(small) => (
                mux(found_small, number(small.found_index), name.extend(bits)),
                mux(to_small, number(small.index), index.extend(bits)),
            ),
        };
        Found {
            found: pending | found_small,
            found_entry,
            available: to_small | !set.last_way & valid,
            entry,
            used: small.as_ref().map_or(used, |small| small.used.join(used)),
            parts: Some(Parts {
                reserves: !to_small,
                deferred: small.as_ref().map(|small| small.used),
                found_small,
                small_full: set.last_way & !room,
            }),
        }
    }
}

/// The CAM part: its registers, compared now or a cycle ahead.
fn small_part<'m>(
    m: &'m Builder,
    p: &CacheParams,
    inputs: &Inputs<'m>,
    take: Signal<'m>,
    freed: Signal<'m>,
) -> Small<'m> {
    let lines = m.instance("small_lines", &cam(p.small(), inputs.line.width()));
    lines.drive("insert", take);
    lines.drive("insert_key", inputs.line);
    lines.drive("invalidate", freed);
    let insert = lines.get("insert_entry");
    let (found, found_index) = match inputs.set {
        Some(set) if p.small_ahead => {
            lines.drive("lookup_key", set.next_line);
            let inserted = take & inputs.line.eq(set.next_line);
            let hits = lines.get("hit_entries") & !freed | insert & inserted.repeat(p.small());
            let hits = m.wire("small_hits_ahead", hits);
            (m.delayed("small_hit", hits.any()), m.delayed("small_hit_index", one_hot_index(hits)))
        }
        _ => {
            lines.drive("lookup_key", inputs.line);
            (lines.get("hit"), lines.get("hit_index"))
        }
    };
    Small { found, found_index, room: !lines.get("full"), index: one_hot_index(insert), used: lines.get("valid") }
}
