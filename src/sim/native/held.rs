//! Registers of domains without an edge, which keep their values.
//!
//! Present and next registers change places at every instant at which any clock has an edge. So of a domain that rests
//! then, both arrays must hold the present values. They do, unless the tile was evaluated since: code with activity
//! gates says whether it has left a next value that differs from the present one
//! ([`LATE`](crate::passes::gates::bits::LATE)), and leaves the arrays equal when it has not. A tile at rest is not
//! evaluated. So its registers are copied once after an edge that changed one of them, and those of a tile without
//! activity never.
//!
//! Tiles that another engine evaluates keep their registers elsewhere, and show outputs in both arrays; only a reset
//! writes to one of them.

use crate::{
    clocks::Edges,
    state::{Held, State},
};
use rustc_hash::FxHashSet;
use std::mem::take;

/// Which registers have to be copied.
#[derive(Debug, Default)]
pub(super) struct HeldRegisters {
    /// Outside of tiles: those of the top.
    top: Vec<Held>,
    /// Of tiles that another engine evaluates.
    elsewhere: Vec<Held>,
    /// Per tile: its registers.
    tiles: Vec<Vec<Held>>,
    /// Tiles whose arrays may differ, each once, and whether a tile is among them.
    uneven: Vec<usize>,
    is_uneven: Vec<bool>,
}

impl HeldRegisters {
    /// `tiles`: positions in the instances of the top of those that have a function here; `elsewhere`: of those of
    /// another engine.
    pub fn new(all: &[Held], tiles: impl Iterator<Item = usize>, elsewhere: &FxHashSet<usize>) -> Self {
        let of = |tile: usize| all.iter().filter(|held| held.instance == Some(tile)).cloned().collect();
        let numbers: Vec<usize> = tiles.collect();
        let tiles: Vec<Vec<Held>> = numbers.iter().map(|&tile| of(tile)).collect();
        let is_elsewhere = |held: &&Held| held.instance.is_some_and(|instance| elsewhere.contains(&instance));
        let is_here = |held: &&Held| held.instance.is_some_and(|instance| numbers.contains(&instance));
        let mut registers = Self {
            top: all.iter().filter(|held| !is_elsewhere(held) && !is_here(held)).cloned().collect(),
            elsewhere: all.iter().filter(is_elsewhere).cloned().collect(),
            uneven: vec![],
            is_uneven: vec![false; tiles.len()],
            tiles,
        };
        registers.forget();
        registers
    }

    /// The arrays of this tile may differ.
    pub fn evaluated(&mut self, tile: usize) {
        if !std::mem::replace(&mut self.is_uneven[tile], true) {
            self.uneven.push(tile);
        }
    }

    /// Those of any may.
    pub fn forget(&mut self) {
        (0..self.tiles.len()).for_each(|tile| self.evaluated(tile));
    }

    /// Before the arrays change places at an instant at which not all domains have an edge; `reset`: with what
    /// registers become under reset.
    pub fn hold(&mut self, edges: Edges, reset: bool, state: &mut State) {
        state.hold(&self.top, edges);
        if reset {
            state.hold(&self.elsewhere, edges);
        }
        for tile in take(&mut self.uneven) {
            state.hold(&self.tiles[tile], edges);
            // What has an edge differs from now on as it did before.
            self.is_uneven[tile] = self.tiles[tile].iter().any(|held| edges.has(held.domain as usize));
            if self.is_uneven[tile] {
                self.uneven.push(tile);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clocks::edges;

    /// Registers of the top, of two tiles here, and of one elsewhere: two words each, of domains 0 and 1.
    fn registers() -> HeldRegisters {
        let instances = [None, Some(0), Some(1), Some(2)].into_iter().enumerate();
        let both = |(i, instance)| {
            [0, 1].map(|domain| Held {
                instance,
                domain,
                registers: 2 * i + domain as usize..2 * i + domain as usize + 1,
            })
        };
        let all: Vec<Held> = instances.flat_map(both).collect();
        HeldRegisters::new(&all, [0, 2].into_iter(), &FxHashSet::from_iter([1]))
    }

    /// Words that were copied with these edges.
    fn copied(held: &mut HeldRegisters, domains: &[usize], reset: bool) -> Vec<usize> {
        let mut state = State { registers: vec![1; 8], next: vec![2; 8], storage: vec![], tables: vec![] };
        held.hold(edges(domains), reset, &mut state);
        (0..8).filter(|&at| state.next[at] == 1).collect()
    }

    #[test]
    fn registers_of_a_domain_at_rest_are_copied_once_after_they_have_changed() {
        let mut held = registers();
        // Nothing is known at first.
        assert_eq!(copied(&mut held, &[0], false), [1, 3, 7]);
        // Both tiles have had an edge of domain 0.
        assert_eq!(copied(&mut held, &[1], false), [0, 2, 6]);
        assert_eq!(copied(&mut held, &[], false), [0, 1, 2, 3, 6, 7]);
        assert_eq!(copied(&mut held, &[], false), [0, 1]);
        assert_eq!(copied(&mut held, &[0], false), [1]);
        held.evaluated(1);
        held.evaluated(1);
        assert_eq!(copied(&mut held, &[0], false), [1, 7]);
        assert_eq!(copied(&mut held, &[], false), [0, 1, 6, 7]);
        assert_eq!(copied(&mut held, &[], false), [0, 1]);
        held.forget();
        assert_eq!(copied(&mut held, &[], false), [0, 1, 2, 3, 6, 7]);
    }

    #[test]
    fn a_reset_writes_to_registers_that_are_kept_elsewhere() {
        assert_eq!(copied(&mut registers(), &[1], true), [0, 2, 4, 6]);
    }
}
