//! Statistics of many instances at once.
//!
//! An event counter keeps its low bits as planes: adding one plane of events to all 64 counters is a ripple of a few
//! words. When the planes are nearly full they are added to the counters of the state. Sums and histograms visit the
//! lanes of their events one by one.

#![expect(unsafe_op_in_unsafe_fn, reason = "each of them is a list of places that the part vouches for")]

use super::arrays::{Arrays, Planes, lanes_of};
use crate::{layout::Counters, state::State};
use std::collections::BTreeMap;

/// Planes of low bits: those that every cycle counts in, and all of them.
const FIRST: usize = 3;
const BITS: usize = 8;

/// What a probe needs to know of each lane.
#[derive(Default, Debug)]
pub(super) struct Instances {
    /// Place of the instance in the storage.
    pub bases: Vec<u32>,
    /// Table of the histogram, for those of wide values.
    pub tables: Vec<usize>,
}

/// A probe in one word of lanes. It keeps what it counts until [`Counter::flush`], so that counters of different
/// threads have nothing in common.
#[derive(Debug)]
pub(super) struct Counter {
    enable: usize,
    valid: u64,
    value: Option<Planes>,
    counters: Counters,
    lanes: Instances,
    low: [u64; BITS],
    /// Carries out of the first planes: one at most in as many cycles as these count.
    carried: u64,
    since: u32,
    /// Lane by lane, what is to be added to the counters of the state.
    kept: Vec<u64>,
    /// Likewise, to its tables.
    tables: BTreeMap<(usize, u64), u64>,
}

impl Counter {
    pub fn new(enable: usize, valid: u64, value: Option<Planes>, counters: Counters, lanes: Instances) -> Self {
        let kept = vec![0; lanes.bases.len() * places(counters).count()];
        Self {
            enable,
            valid,
            value,
            counters,
            lanes,
            low: [0; BITS],
            carried: 0,
            since: 0,
            kept,
            tables: BTreeMap::new(),
        }
    }

    #[inline(always)]
    unsafe fn value(&self, arrays: &Arrays, lane: usize) -> u64 {
        let planes = self.value.expect("the probe has a value");
        (0..planes.count).fold(0, |v, i| v | (arrays.wire(planes.first + i * planes.stride) >> lane & 1) << i)
    }

    /// Records one cycle.
    #[inline(always)]
    pub unsafe fn count(&mut self, arrays: &Arrays) {
        let events = arrays.wire(self.enable) & self.valid;
        match self.counters {
            Counters::Count { .. } => {
                self.carried |= add(&mut self.low[..FIRST], events);
                self.since += 1;
                if self.since.is_multiple_of(1 << FIRST) {
                    self.add_carried();
                }
                if self.since == (1 << BITS) - (1 << FIRST) {
                    self.keep_low();
                }
            }
            Counters::Sum { .. } => {
                for lane in lanes_of(events) {
                    self.kept[2 * lane] += 1;
                    self.kept[2 * lane + 1] = self.kept[2 * lane + 1].wrapping_add(self.value(arrays, lane));
                }
            }
            Counters::Bins { bins, .. } => {
                for lane in lanes_of(events) {
                    let bin = self.value(arrays, lane) as usize;
                    self.kept[lane * bins as usize + bin] += 1;
                }
            }
            Counters::Table => {
                for lane in lanes_of(events) {
                    let value = self.value(arrays, lane);
                    *self.tables.entry((lane, value)).or_default() += 1;
                }
            }
        }
    }

    fn add_carried(&mut self) {
        add(&mut self.low[FIRST..], std::mem::take(&mut self.carried));
    }

    /// Empties the planes.
    fn keep_low(&mut self) {
        self.add_carried();
        self.since = 0;
        let any = self.low.iter().fold(0, |any, plane| any | plane);
        for lane in lanes_of(any) {
            self.kept[lane] += (0..BITS).fold(0, |v, i| v | (self.low[i] >> lane & 1) << i);
        }
        self.low = [0; BITS];
    }

    /// Adds all that was counted to the state.
    pub fn flush(&mut self, state: &mut State) {
        self.keep_low();
        let count = places(self.counters).count().max(1);
        for (&base, kept) in self.lanes.bases.iter().zip(self.kept.chunks_exact_mut(count)) {
            for (place, kept) in places(self.counters).zip(kept) {
                let at = &mut state.storage[(base + place) as usize];
                *at = at.wrapping_add(std::mem::take(kept));
            }
        }
        for ((lane, value), events) in std::mem::take(&mut self.tables) {
            *state.tables[self.lanes.tables[lane]].entry(value).or_default() += events;
        }
    }
}

/// Adds a one in each of these lanes; returns the carries. To the end, whether there is a carry or not: that could not
/// be predicted.
#[inline(always)]
fn add(planes: &mut [u64], lanes: u64) -> u64 {
    planes.iter_mut().fold(lanes, |carry, plane| {
        let next = *plane & carry;
        *plane ^= carry;
        next
    })
}

/// Counters of an instance, relative to its base.
fn places(counters: Counters) -> impl Iterator<Item = u32> {
    let (few, many) = match counters {
        Counters::Count { count } => ([Some(count), None], 0..0),
        Counters::Sum { count, sum } => ([Some(count), Some(sum)], 0..0),
        Counters::Bins { first, bins } => ([None, None], first..first + bins),
        Counters::Table => ([None, None], 0..0),
    };
    few.into_iter().flatten().chain(many)
}
