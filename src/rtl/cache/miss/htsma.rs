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
    arrays::{ArrayAccesses, ArraySearch, BesideCache, MissArray},
    in_tags,
    own_params::{OwnParams, ProtectedVictims},
    policy::{
        Inputs, MissAnswer, MissCycle, MissLookup, MissNeeds, MissParams, MissPolicy, MshrKeys, OwnCount, SetView,
        counted,
    },
    tsma::{NextEntry, next_entry},
};
use crate::block::MSHR_LOOKUPS;
use blocks::{Cam, cam, index_one_hot, one_hot_index};
use common::parameters::{Rule, rule};
use hdl::{Builder, Bundle, Child, Signal, Statistic, bundle, index_width, mux, ports, statistics};

statistics! {
    "cache" {
        /// Cycles in which a read waits for an entry of the CAM part of a hybrid, to which it may go alone.
        CAM_WAIT_CYCLES: cam_wait_cycles in "cycles";
    }
}

bundle! {
    /// What it sees of the set of the line.
    struct SetState(line_bits: &u32) {
        /// One way alone is not reserved.
        last_way: 1,
        /// The victim is to stay, if possible.
        is_protected: 1,
        /// Number of the line of the next cycle.
        next_line: *line_bits,
    }
}

bundle! {
    /// What it shows of its parts, with so many entries in the CAM part.
    struct PartsState(cam_entries: &u32) {
        /// The entry for the line stands in the tags.
        reserves: 1,
        /// Entries in use of the CAM part: their lines get their way only when they come.
        deferred: index_width(*cam_entries as usize + 1),
        /// The line is pending in the CAM part.
        found_in_cam: 1,
        /// The line may go to the CAM part alone, which is full.
        cam_full: 1,
    }
}

ports! {
    /// Ports of its own, for lines with numbers of so many bits and so many entries in the CAM part.
    struct HybridPorts((line_bits, cam_entries): &(u32, u32)) of Hybrid {
        /// The set of the line.
        in set as "": bundle SetState(line_bits),
        /// The CAM part and the tags.
        out parts as "": bundle PartsState(cam_entries),
    }
}

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

    fn rules(&self, p: &MissParams, _table: &str) -> Vec<Rule> {
        vec![rule(p.own_entries <= 64, "mshr.cam_entries", p.own_entries, "0 to 64")]
    }

    fn own_entries(&self, own: &OwnParams) -> u32 {
        own.cam_entries
    }

    fn own_entries_about(&self, own: &OwnParams) -> Option<String> {
        Some(format!("{} entries in its CAM part", own.cam_entries))
    }

    fn compared(&self, p: &MissParams) -> u32 {
        p.own_entries
    }

    fn defers(&self) -> bool {
        true
    }

    fn deferred<'m>(&self, p: &MissParams, entry: Signal<'m>) -> Option<Signal<'m>> {
        (p.own_entries > 0).then(|| entry.ge(u64::from(p.entries)))
    }

    /// Without a CAM part no victim is protected.
    fn watches_hits(&self, own: &OwnParams) -> bool {
        own.cam_entries > 0 && own.protects == ProtectedVictims::Hit
    }

    fn inputs<'m>(&self, m: &'m Builder, p: &MissParams, line_bits: u32) -> Vec<Signal<'m>> {
        let io = HybridPorts::new(m, &(line_bits, p.own_entries));
        io.set().signals().into_iter().flatten().collect()
    }

    fn look<'m>(&self, m: &'m Builder, entries: Child<'m>, set: &dyn SetView<'m>) {
        let is_protected = set.victim_hit().unwrap_or(m.lit(1, 1));
        Hybrid(entries).set(SetState { last_way: set.last_way(), is_protected, next_line: set.next_line() });
    }

    fn build<'m>(&self, m: &'m Builder, p: &MissParams, inputs: &Inputs<'m>) -> MissLookup<'m> {
        let Some((pending, name)) = inputs.in_tags else { unreachable!("the tags show pending lines") };
        let set = set_state(inputs);
        let takes_cam = m.wire_later("takes_cam", 1);
        let (all, bits, cam_entries) = (p.all_entries(), p.entry_bits(), p.own_entries);
        let freed = index_one_hot(inputs.released, all) & inputs.release.repeat(all);
        let shared = next_entry(m, p.entries, inputs.take & !takes_cam, freed.bits(0, p.entries));
        let NextEntry { valid, index, used } = shared;
        let small = (p.own_entries > 0).then(|| {
            let (take, freed) = (inputs.take & takes_cam, freed.bits(p.entries, p.own_entries));
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
            shows: Some(Box::new(move || {
                let count = small
                    .map(|(small, take, freed)| counted(m, "deferred_count", cam_entries, [small.used, take, freed]));
                let deferred = count.unwrap_or(m.lit(index_width(cam_entries as usize + 1), 0));
                let cam_full = set.last_way & !free;
                HybridPorts(m).parts(PartsState { reserves: !to_cam, deferred, found_in_cam, cam_full });
            })),
        }
    }

    fn says<'m>(&self, entries: Child<'m>) -> MissAnswer<'m> {
        let PartsState { reserves, deferred, cam_full, .. } = Hybrid(entries).parts();
        MissAnswer { reserves: Some(reserves), deferred: Some(deferred), refuses: Some(cam_full) }
    }

    fn refusal(&self) -> Option<OwnCount> {
        Some(OwnCount {
            statistic: CAM_WAIT_CYCLES,
            name: "cam",
            about: "No entry in the CAM part of an HTSMA, to which the line could go alone.",
            is_spread: false,
        })
    }

    /// The CAM part is compared where the tags do not have the line, and only while it is not empty.
    fn looks_up<'m>(&self, _m: &'m Builder, now: &MissCycle<'m>) -> Signal<'m> {
        !now.pending_here.any() & Hybrid(now.entries).parts().deferred.any()
    }

    fn statistics(&self) -> &'static [Statistic] {
        &[CAM_WAIT_CYCLES, in_tags::CAM_ACCESSES, in_tags::TAG_ARRAY_ACCESSES, in_tags::PENDING_WAYS]
    }

    fn reported(&self) -> &'static [OwnCount] {
        in_tags::REPORTED
    }

    fn count<'m>(&self, m: &'m Builder, now: &MissCycle<'m>) {
        let found_in_cam = Hybrid(now.entries).parts().found_in_cam;
        in_tags::count(m, now, now.primary & !now.reserves | now.merged & found_in_cam);
    }

    fn check<'m>(&self, m: &'m Builder, now: &MissCycle<'m>) {
        let twice = Hybrid(now.entries).parts().found_in_cam & now.pending_here.any();
        m.always("a line is pending in one part", !(now.decides & twice));
        m.always("a set keeps a way that is not reserved", !now.decides | !now.reserved.all());
    }

    fn arrays(&self, p: &MissParams, cache: &BesideCache) -> Vec<MissArray> {
        let accesses = ArrayAccesses::Counted(MSHR_LOOKUPS, in_tags::CAM_ACCESSES);
        let of_cam_part =
            MissArray { accesses, ..MissArray::of_lines("CAM miss entries", p.own_entries, ArraySearch::All, cache) };
        let mut arrays = in_tags::arrays(p, cache);
        arrays.extend((p.own_entries > 0).then_some(of_cam_part));
        arrays
    }

    /// As the source does: the large file is accessed after the small one has been searched.
    fn estimated(&self, entries: u32, own: u32) -> Vec<(u32, ArraySearch)> {
        vec![(entries, ArraySearch::Index), (own, ArraySearch::All)]
    }
}

/// The set, as the inputs show it.
fn set_state<'m>(inputs: &Inputs<'m>) -> SetState<'m> {
    SetState::from_signals(inputs.own.iter().copied().map(Some).collect())
}

/// The CAM part: its registers, compared now or a cycle ahead.
fn cam_part<'m>(
    m: &'m Builder,
    p: &MissParams,
    inputs: &Inputs<'m>,
    take: Signal<'m>,
    freed: Signal<'m>,
) -> CamPart<'m> {
    let lines = Cam(m.instance("cam_lines", &cam(p.own_entries, inputs.line.width())));
    lines.insert(take);
    lines.insert_key(inputs.line);
    lines.invalidate(freed);
    let insert = lines.insert_entry();
    let (found, found_index) = if p.own_pipelined {
        let next_line = set_state(inputs).next_line;
        lines.lookup_key(next_line);
        let inserted = take & inputs.line.eq(next_line);
        let hits = lines.hit_entries() & !freed | insert & inserted.repeat(p.own_entries);
        let hits = m.wire("cam_hits_ahead", hits);
        (m.delayed("cam_hit", hits.any()), m.delayed("cam_hit_index", one_hot_index(hits)))
    } else {
        lines.lookup_key(inputs.line);
        (lines.hit(), lines.hit_index())
    };
    CamPart { found, found_index, free: !lines.full(), index: one_hot_index(insert), used: lines.valid() }
}
