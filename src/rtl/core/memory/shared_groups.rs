//! Groups of threads at the banks of shared memory, where they are not those of a beat: what comes and goes in beats,
//! regrouped.
//!
//! ```text
//!  beat of places, data -->+-------------+--> those of a group
//!                          | GroupedRows |
//!                          +-------------+      +---------+
//!  words of a group ----------------------------| Answers |--> beat, mask, data: a beat a cycle, when granted
//!                                               +---------+
//! ```
//!
//! A group is a part of a beat, a beat, or several beats. Where it is a beat none of this costs anything.

use crate::{config::CoreParams, params::WARP, ports::AccessBeat};
use blocks::{index_one_hot, lowest_set, one_hot_index, one_hot_mux, payload_mux};
use hdl::{Builder, MemoryHandle, Signal, row as joined, select};

/// Bits of `words`, the first in the low ones, in words of `width`.
pub fn regrouped<'m>(words: &[Signal<'m>], width: u32) -> Vec<Signal<'m>> {
    if words[0].width() == width { words.to_vec() } else { joined(words.iter().copied()).parts(width) }
}

/// A word of each thread of each access in flight: written by beats, read by groups.
pub struct GroupedRows<'m> {
    rows: MemoryHandle<'m>,
    lanes: u32,
    group: u32,
}

impl<'m> GroupedRows<'m> {
    /// Of words of `width`.
    pub fn new(m: &'m Builder, p: &CoreParams, name: &str, width: u32) -> Self {
        let (lanes, group) = (p.lanes, p.group_threads());
        let threads = lanes.max(group);
        let rows = p.shared_entries() * WARP / threads;
        Self { rows: m.memory(name, rows as usize, threads * width), lanes, group }
    }

    /// Those of a beat of the access in `place`.
    pub fn write(&self, (place, beat): (Signal<'m>, Signal<'m>), words: Signal<'m>) {
        if self.group <= self.lanes {
            return self.rows.write(self.row(place, beat), words);
        }
        let beats = self.group / self.lanes;
        let within = beats.ilog2();
        let mask = index_one_hot(beat.bits(0, within), beats);
        self.rows.write_masked(self.row(place, above(beat, within)), words.repeat(beats), mask);
    }

    /// Those of a group of the access in `place`.
    pub fn read(&self, (place, group): (Signal<'m>, Signal<'m>)) -> Signal<'m> {
        if self.group >= self.lanes {
            return self.rows.read(self.row(place, group));
        }
        let within = (self.lanes / self.group).ilog2();
        let row = self.rows.read(self.row(place, above(group, within)));
        select(group.bits(0, within), &row.parts(row.width() >> within))
    }

    /// The number of row `within` of the rows of `place`, which may have a single one.
    fn row(&self, place: Signal<'m>, within: Signal<'m>) -> Signal<'m> {
        if self.lanes.max(self.group) == WARP { place } else { place.join(within) }
    }
}

/// A number without its `low` lowest bits; zero when it has no others.
fn above(number: Signal<'_>, low: u32) -> Signal<'_> {
    if number.width() > low { number.bits(low, number.width() - low) } else { number.builder().lit(1, 0) }
}

/// Groups of several beats that have arrived whole, a bit each, of each access in flight; none where a beat is enough.
/// `reserve`: an access is taken into the place `reserved`; `loading`: the place of the access whose beat comes.
pub fn arrived_groups<'m>(
    m: &'m Builder,
    p: &CoreParams,
    (reserve, reserved): (Signal<'m>, Signal<'m>),
    (arrival, loading): (&AccessBeat<'m>, Signal<'m>),
) -> Option<Vec<Signal<'m>>> {
    let (beats, groups) = (p.group_threads() / p.lanes, WARP / p.group_threads());
    if beats <= 1 {
        return None;
    }
    let within = beats.ilog2();
    let group = index_one_hot(above(arrival.beat, within), groups);
    let whole = arrival.beat_valid & arrival.beat.bits(0, within).all();
    let of_place = |place: u32| {
        let here = m.register(("groups_here", place), groups, 0);
        m.when(whole & loading.eq(u64::from(place)), || m.set(here, here | group));
        m.when(reserve & reserved.eq(u64::from(place)), || m.set(here, 0));
        here
    };
    Some((0..p.shared_entries()).map(of_place).collect())
}

/// The words of a group on their way to the register file.
pub struct Answers<'m> {
    /// Beats of the group that are still to be written, where it has several.
    left: Option<Signal<'m>>,
    lanes: u32,
    granted: Signal<'m>,
}

impl<'m> Answers<'m> {
    /// `granted`: the register file takes a beat.
    pub fn new(m: &'m Builder, p: &CoreParams, granted: Signal<'m>) -> Self {
        let beats = p.group_threads() / p.lanes;
        Self { left: (beats > 1).then(|| m.register("beats_left", beats, 0)), lanes: p.lanes, granted }
    }

    /// The last beat is taken.
    pub fn last_taken(&self) -> Signal<'m> {
        match self.left {
            Some(left) => self.granted & (left & !lowest_set(left)).is_zero(),
            None => self.granted,
        }
    }

    /// Words of the threads in `served` come in the next cycle (`answer`); one beat of the present ones is written when granted (`shown`).
    pub fn follow(&self, m: &'m Builder, answer: Signal<'m>, served: Signal<'m>, shown: Signal<'m>) {
        let Some(left) = self.left else { return };
        m.when(shown & self.granted, || m.set(left, left & !lowest_set(left)));
        m.when(answer, || m.set(left, joined(served.parts(self.lanes).iter().map(|beat| beat.any()))));
    }

    /// Beat, lanes and data of what is written now.
    pub fn beat(&self, group: Signal<'m>, mask: Signal<'m>, data: Signal<'m>) -> [Signal<'m>; 3] {
        let (lanes, threads) = (self.lanes, mask.width());
        let Some(left) = self.left else {
            if threads == lanes {
                return [group, mask, data];
            }
            let parts = lanes / threads;
            let within = group.bits(0, parts.ilog2());
            let here = index_one_hot(within, parts).to_bits().into_iter().map(|here| mask & here.repeat(threads));
            return [above(group, parts.ilog2()), joined(here), data.repeat(parts)];
        };
        let hit = lowest_set(left);
        let within = one_hot_index(hit);
        let beat = if threads == WARP { within } else { group.join(within) };
        [beat, one_hot_mux(hit, &mask.parts(lanes)), payload_mux(hit, &data.parts(32 * lanes))]
    }
}
