//! What is left of a module's gates when its code is there: how many words they have, and how the world outside sets
//! them.

use super::items::ReadPlace;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Words of bits and what to set in them.
pub(crate) type Set = BTreeMap<u32, u64>;

/// The words of an instance, from the start of its gates on: bits for now of early and late clusters, bits of tiles,
/// marks of changed inputs of tiles elsewhere, bits for next of early and late clusters, the result under construction,
/// slots.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Shape {
    /// Early clusters, late clusters, tiles, marks of inputs.
    pub counts: [u32; 4],
    /// Words of slots.
    pub slots: u32,
    /// Per place of an input: bits to set when it changes.
    pub inputs: BTreeMap<u32, Set>,
    /// Per tile: what its result means: these bits of it, then this to be set for the next evaluation.
    pub tile_results: Vec<Vec<(u64, Set)>>,
    /// Per register or place of the storage that tiles elsewhere show: bits to set when it changes.
    pub shown: BTreeMap<ReadPlace, Set>,
}

impl Shape {
    /// Words of bits of early clusters.
    pub fn early(&self) -> u32 {
        self.counts[0].div_ceil(64)
    }

    /// Words of bits of late clusters.
    pub fn late(&self) -> u32 {
        self.counts[1].div_ceil(64)
    }

    /// Words of bits of tiles.
    pub fn tiles(&self) -> u32 {
        self.counts[2].div_ceil(64)
    }

    /// Words of marks of inputs.
    pub fn input_marks(&self) -> u32 {
        self.counts[3].div_ceil(64)
    }

    /// Where the bits for next start.
    pub fn next(&self) -> u32 {
        self.early() + self.late() + self.tiles() + self.input_marks()
    }

    /// Where the result is.
    pub fn result(&self) -> u32 {
        self.next() + self.early() + self.late()
    }

    /// Where slots start.
    pub fn first_slot(&self) -> u32 {
        self.result() + 1
    }

    /// All words.
    pub fn size(&self) -> u32 {
        self.first_slot() + self.slots
    }

    /// All bits of early and late clusters, of tiles and of inputs, by word.
    pub fn all(&self) -> impl Iterator<Item = u64> {
        let ones = |count: u32| {
            (0..count.div_ceil(64)).map(move |word| match count - 64 * word {
                left if left < 64 => (1 << left) - 1,
                _ => u64::MAX,
            })
        };
        self.counts.into_iter().flat_map(ones)
    }
}
