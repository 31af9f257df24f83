//! Statistics of many instances at once.
//!
//! An event counter keeps its low bits as planes: adding one plane of events to all 64 counters is a ripple of a few words.
//! When the planes are nearly full they are added to the counters of the state. Sums and histograms visit the lanes of their
//! events one by one.

use super::transfers::{Planes, lanes_of};
use crate::sim::{layout::Counters, state::State};

/// Planes of low bits.
const BITS: usize = 8;

/// What a probe needs to know of each lane.
#[derive(Default, Debug)]
pub(super) struct Lanes {
    /// Place of the instance in the rest.
    pub bases: Vec<u32>,
    /// Table of the histogram, for those of wide values.
    pub tables: Vec<usize>,
}

/// A probe in one word of lanes.
#[derive(Debug)]
pub(super) struct Counter {
    pub enable: usize,
    pub valid: u64,
    pub value: Option<Planes>,
    pub counters: Counters,
    /// Per lane: place of the instance in the rest.
    pub bases: Vec<u32>,
    /// Per lane: table of the histogram, for those of wide values.
    pub tables: Vec<usize>,
    low: [u64; BITS],
    since: u32,
}

impl Counter {
    pub fn new(enable: usize, valid: u64, value: Option<Planes>, counters: Counters, lanes: Lanes) -> Self {
        let Lanes { bases, tables } = lanes;
        Self { enable, valid, value, counters, bases, tables, low: [0; BITS], since: 0 }
    }

    fn value(&self, wires: &[u64], lane: usize) -> u64 {
        let planes = self.value.expect("the probe has a value");
        (0..planes.count).fold(0, |v, i| v | (wires[planes.first + i * planes.stride] >> lane & 1) << i)
    }

    /// Records one cycle.
    pub fn count(&mut self, wires: &[u64], state: &mut State) {
        let events = wires[self.enable] & self.valid;
        let at = |lane: usize, offset: u32| (self.bases[lane] + offset) as usize;
        match self.counters {
            Counters::Count { .. } => {
                let mut carry = events;
                for plane in &mut self.low {
                    (*plane, carry) = (*plane ^ carry, *plane & carry);
                    if carry == 0 {
                        break;
                    }
                }
                self.since += 1;
                if self.since == (1 << BITS) - 1 {
                    self.flush(state);
                }
            }
            Counters::Sum { count, sum } => {
                for lane in lanes_of(events) {
                    let value = self.value(wires, lane);
                    state.rest[at(lane, count)] = state.rest[at(lane, count)].wrapping_add(1);
                    state.rest[at(lane, sum)] = state.rest[at(lane, sum)].wrapping_add(value);
                }
            }
            Counters::Bins { first, .. } => {
                for lane in lanes_of(events) {
                    let bin = self.value(wires, lane) as u32;
                    state.rest[at(lane, first + bin)] += 1;
                }
            }
            Counters::Table => {
                for lane in lanes_of(events) {
                    let value = self.value(wires, lane);
                    *state.tables[self.tables[lane]].entry(value).or_default() += 1;
                }
            }
        }
    }

    /// Adds the low bits to the counters of the state.
    pub fn flush(&mut self, state: &mut State) {
        self.since = 0;
        let Counters::Count { count } = self.counters else { return };
        let any = self.low.iter().fold(0, |any, plane| any | plane);
        for lane in lanes_of(any) {
            let low = (0..BITS).fold(0, |v, i| v | (self.low[i] >> lane & 1) << i);
            let at = (self.bases[lane] + count) as usize;
            state.rest[at] = state.rest[at].wrapping_add(low);
        }
        self.low = [0; BITS];
    }
}
