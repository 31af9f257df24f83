//! Tiles that have nothing to do are not evaluated.
//!
//! What a tile computes follows from its inputs, registers and memories. When the last clock edge changed no register of it,
//! its inputs are those of the last evaluation and that evaluation wrote to no memory, then evaluating again would give the
//! same wires and the same next registers. Both stand in their arrays already: the array of next registers is the one of
//! present registers before the edge, which is equal. What remains is to count what probes count in every such cycle.
//!
//! Whoever changes the state from outside (reset, restore, a memory word) must call [`Watch::forget`].

use super::Tile;
use crate::sim::{
    layout::Layout,
    state::{Sites, State},
};
use std::ops::Range;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Known {
    /// Must be evaluated.
    Nothing,
    /// Was evaluated with the inputs in `seen`.
    Evaluated,
    /// Is evaluated with the inputs and registers of the evaluation before.
    Repeated,
    /// Need not be evaluated until inputs or registers change.
    Idle,
}

/// What is known about a tile; all places are absolute.
pub(super) struct Watch {
    registers: Range<usize>,
    inputs: Range<usize>,
    /// Enables of memory write ports.
    enables: Vec<usize>,
    /// Counters.
    statistics: Vec<Range<usize>>,
    known: Known,
    /// Inputs of the last evaluation.
    seen: Vec<u64>,
    /// Counters before the last evaluation, when repeated.
    before: Vec<u64>,
    /// Counters that count when idle, and how much.
    counts: Vec<(usize, u64)>,
}

impl Watch {
    /// For a tile with this layout and so many words of inputs.
    pub fn new(tile: &Tile, layout: &Layout, inputs: usize, sites: &Sites) -> Self {
        let (registers, rest) = (tile.bases.registers as usize, tile.bases.rest as usize);
        let (enables, statistics) = sites.within(rest..rest + layout.rest as usize);
        Self {
            registers: registers..registers + layout.registers as usize,
            inputs: rest..rest + inputs,
            enables,
            statistics,
            known: Known::Nothing,
            seen: vec![],
            before: vec![],
            counts: vec![],
        }
    }

    /// The state is no longer what the last evaluation and clock edge made it.
    pub fn forget(&mut self) {
        self.known = Known::Nothing;
    }

    /// Before an evaluation, when inputs are there: whether the tile takes part. If not, its probes have counted.
    pub fn takes_part(&mut self, state: &mut State) -> bool {
        let inputs = &state.rest[self.inputs.clone()];
        let same = self.known != Known::Nothing
            && self.seen == inputs
            && state.registers[self.registers.clone()] == state.next[self.registers.clone()];
        if !same {
            self.seen.clear();
            self.seen.extend_from_slice(inputs);
            self.known = Known::Evaluated;
        } else if self.known == Known::Idle {
            for &(at, amount) in &self.counts {
                state.rest[at] = state.rest[at].wrapping_add(amount);
            }
            return false;
        } else {
            self.known = Known::Repeated;
            self.before.clear();
            self.statistics.iter().for_each(|range| self.before.extend_from_slice(&state.rest[range.clone()]));
        }
        true
    }

    /// After an evaluation without a failed assertion.
    pub fn evaluated(&mut self, state: &State) {
        if self.known == Known::Repeated && self.enables.iter().all(|&enable| state.rest[enable] == 0) {
            let after = self.statistics.iter().cloned().flatten();
            let counted = after.zip(&self.before).map(|(at, before)| (at, state.rest[at].wrapping_sub(*before)));
            self.counts.clear();
            self.counts.extend(counted.filter(|&(_, amount)| amount != 0));
            self.known = Known::Idle;
        }
    }
}
