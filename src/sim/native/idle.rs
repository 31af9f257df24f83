//! Tiles that have nothing to do are not evaluated.
//!
//! What a tile computes follows from its inputs, registers and memories. When the last clock edge changed no register
//! of it, its inputs are those of the last evaluation and that evaluation wrote to no memory, then evaluating again
//! would give the same wires and the same next registers. Both stand in their arrays already: the array of next
//! registers is the one of present registers before the edge, which is equal. Probes count on by themselves (see
//! [`activity`](super::activity)).
//!
//! With several clocks a tile without an edge is left out, and its arrays are made equal once (*level*) and stay so
//! until it is evaluated again. That its registers did not change in an edge of its own is then to be remembered, as
//! the arrays no longer show it.
//!
//! Whoever changes the state from outside (reset, restore, a memory word) must call [`Watch::forget`].

use super::tile::Tile;
use crate::{
    clocks::Edges,
    layout::Layout,
    state::{Sites, State},
};
use std::ops::Range;

/// What is known about a tile; all places are absolute.
pub(super) struct Watch {
    registers: Range<usize>,
    inputs: Range<usize>,
    /// Enables of memory write ports.
    enables: Vec<usize>,
    /// Inputs of the last evaluation, if nothing else can have changed since but registers.
    seen: Option<Vec<u64>>,
    /// The last evaluation wrote to no memory.
    quiet: bool,
    /// Domains of the top that clock something in it.
    domains: Vec<u32>,
    /// Present and next registers are equal because there was no edge.
    level: bool,
}

impl Watch {
    /// For a tile with this layout and so many words of inputs.
    pub fn new(tile: &Tile, layout: &Layout, inputs: usize, sites: &Sites, domains: Vec<u32>) -> Self {
        let (registers, storage) = (tile.bases.registers as usize, tile.bases.storage as usize);
        Self {
            registers: registers..registers + layout.registers as usize,
            inputs: storage..storage + inputs,
            enables: sites.enables_within(storage..storage + layout.storage as usize),
            seen: None,
            quiet: false,
            domains,
            level: false,
        }
    }

    /// This register is in the tile and, as one domain clocks all of it, kept by [`hold`](Self::hold).
    pub fn holds(&self, register: usize) -> bool {
        self.domains.len() == 1 && self.registers.contains(&register)
    }

    /// The state is no longer what the last evaluation and clock edge made it.
    pub fn forget(&mut self) {
        self.seen = None;
        self.level = false;
    }

    /// As [`takes_part`](Self::takes_part), where not all domains have an edge; `None` when none of this tile has, and
    /// it is left out.
    pub fn takes_part_at(&mut self, edges: Edges, state: &State) -> Option<bool> {
        let count = self.domains.iter().filter(|&&domain| edges.has(domain as usize)).count();
        if count == self.domains.len() {
            return Some(self.takes_part(state));
        }
        if self.domains.len() > 1 {
            self.forget();
        }
        (count > 0).then_some(true)
    }

    /// Before an edge that not all domains have.
    pub fn hold(&mut self, edges: Edges, state: &mut State) {
        let count = self.domains.iter().filter(|&&domain| edges.has(domain as usize)).count();
        if count == self.domains.len() || self.level {
            return;
        }
        if self.domains.len() > 1 {
            // Some registers change and others are held: the arrays will not tell which.
            return self.forget();
        }
        let registers = &state.registers[self.registers.clone()];
        if state.next[self.registers.clone()] != *registers {
            self.seen = None;
            state.next[self.registers.clone()].copy_from_slice(registers);
        }
        self.level = true;
    }

    /// Before an evaluation, when inputs are there: whether the tile takes part.
    pub fn takes_part(&self, state: &State) -> bool {
        let same = |seen: &Vec<u64>| *seen == state.storage[self.inputs.clone()];
        !(self.quiet
            && self.seen.as_ref().is_some_and(same)
            && state.registers[self.registers.clone()] == state.next[self.registers.clone()])
    }

    /// After an evaluation without a failed assertion.
    pub fn evaluated(&mut self, state: &State) {
        self.level = false;
        let seen = self.seen.get_or_insert_default();
        seen.clear();
        seen.extend_from_slice(&state.storage[self.inputs.clone()]);
        self.quiet = self.enables.iter().all(|&enable| state.storage[enable] == 0);
    }
}
