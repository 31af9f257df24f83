//! Hybrid (HTSMA): a [tag shared array](super::tsma) with a small fully associative part in front, whose lines get
//! their way only when they come.
//!
//! ```text
//!  line, or next_line ->+------------+ found_in_cam, full  +----------+
//!                       |  CAM part  |-------------------->| which    |--> found, available, entry, reserves
//!  pending, name ------>|  (cam)     |   +------------+    | part     |
//!  last_way, protected  +------------+   | next entry |--->|          |
//!                                        +------------+    +----------+
//! ```
//!
//! A line that is pending nowhere goes to the CAM part alone where it would take the last way of its set that is not
//! reserved; to the CAM part, as long as that has room, where the victim is to be protected; else to the tags. It is
//! refused where the part that it must go to has no entry. A line in the CAM part is always found, whatever the set
//! looks like, or it could be pending twice. Entries of the CAM part are those from `entries` on.
//!
//! With `cam_pipelined` the CAM part is compared with `next_line` in the cycle before, what is taken and released in
//! that cycle counted in: the two stages of the pipelined form. The decision falls in the same cycle as without.
//!
//! The number of reserved ways of a set is not a counter of its own, as in the source: their bits are read with the row
//! of the set.
//!
//! Source: Kim's thesis, section 5.2, listing 5.1, section 5.5.1.

use super::{
    HybridLookup, Inputs, MissLookup, MissNeeds, MissParams, MissPolicy, MshrKeys,
    tsma::{NextEntry, next_entry},
};
use blocks::{Cam, cam, index_one_hot, one_hot_index};
use hdl::{Builder, Signal, mux};

/// See the [module documentation](self).
pub struct Htsma;

/// What the CAM part says.
struct CamPart<'m> {
    found: Signal<'m>,
    /// Number within the part.
    found_index: Signal<'m>,
    free: Signal<'m>,
    index: Signal<'m>,
    used: Signal<'m>,
}

impl MissPolicy for Htsma {
    fn in_tags(&self) -> bool {
        true
    }

    fn keys(&self) -> MshrKeys {
        MshrKeys { entries: true, targets: true, ways: false, cam_part: true }
    }

    fn needs(&self) -> MissNeeds {
        MissNeeds { ways: Some((2, "keeps a way of each set unshared")), ..MissNeeds::default() }
    }

    fn compared(&self, p: &MissParams) -> u32 {
        p.cam_entries
    }

    fn build<'m>(&self, m: &'m Builder, p: &MissParams, inputs: &Inputs<'m>) -> MissLookup<'m> {
        let (Some((pending, name)), Some(set)) = (inputs.in_tags, inputs.set) else {
            unreachable!("the tags show pending lines, and the state of the set")
        };
        let takes_cam = m.wire_later("takes_cam", 1);
        let (all, bits) = (p.all_entries(), p.entry_bits());
        let freed = index_one_hot(inputs.released, all) & inputs.release.repeat(all);
        let shared = next_entry(m, p.entries, inputs.take & !takes_cam, freed.bits(0, p.entries));
        let NextEntry { valid, index, used } = shared;
        let small = (p.cam_entries > 0).then(|| {
            let (take, freed) = (inputs.take & takes_cam, freed.bits(p.entries, p.cam_entries));
            (cam_part(m, p, inputs, take, freed), take, freed.any())
        });
        let no = m.lit(1, 0);
        let (found_in_cam, free) = small.as_ref().map_or((no, no), |(small, ..)| (small.found, small.free));
        let first = m.wire("cam_first", set.last_way | set.is_protected);
        let to_cam = m.wire("to_cam", first & free);
        m.assign(takes_cam, to_cam);
        let number = |index: Signal<'m>| index.resize(bits) + u64::from(p.entries);
        let (found_entry, entry) = match &small {
            None => (name, index),
            Some((small, ..)) => (
                mux(found_in_cam, number(small.found_index), name.extend(bits)),
                mux(to_cam, number(small.index), index.extend(bits)),
            ),
        };
        MissLookup {
            found: pending | found_in_cam,
            found_entry,
            found_bits: None,
            available: to_cam | !set.last_way & valid,
            entry,
            used: small.as_ref().map_or(used, |(small, ..)| small.used.join(used)),
            parts: Some(HybridLookup {
                reserves: !to_cam,
                deferred: small.as_ref().map(|(small, take, freed)| [small.used, *take, *freed]),
                found_in_cam,
                cam_full: set.last_way & !free,
            }),
        }
    }
}

/// The CAM part: its registers, compared now or a cycle ahead.
fn cam_part<'m>(
    m: &'m Builder,
    p: &MissParams,
    inputs: &Inputs<'m>,
    take: Signal<'m>,
    freed: Signal<'m>,
) -> CamPart<'m> {
    let lines = Cam(m.instance("cam_lines", &cam(p.cam_entries, inputs.line.width())));
    lines.insert(take);
    lines.insert_key(inputs.line);
    lines.invalidate(freed);
    let insert = lines.insert_entry();
    let (found, found_index) = match inputs.set {
        Some(set) if p.cam_pipelined => {
            lines.lookup_key(set.next_line);
            let inserted = take & inputs.line.eq(set.next_line);
            let hits = lines.hit_entries() & !freed | insert & inserted.repeat(p.cam_entries);
            let hits = m.wire("cam_hits_ahead", hits);
            (m.delayed("cam_hit", hits.any()), m.delayed("cam_hit_index", one_hot_index(hits)))
        }
        _ => {
            lines.lookup_key(inputs.line);
            (lines.hit(), lines.hit_index())
        }
    };
    CamPart { found, found_index, free: !lines.full(), index: one_hot_index(insert), used: lines.valid() }
}
