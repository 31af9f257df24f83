//! Addresses in addition to those of planes, payload and memories: for what transfers make on their way.
//!
//! Among the wires: *tables*, a place in the store for each of 64 lanes (two in a word), constant or made anew in each
//! evaluation, and planes of flags. In the store: constants, and words that are copied from there.

use super::addresses::{Addresses, SPACING};
use rustc_hash::FxHashMap;

/// Words of a table.
const TABLE: usize = 32;

/// Hands out places at the ends of the wires and of the store.
pub(super) struct Scratch {
    pub wire_words: usize,
    pub store_words: usize,
    /// Words that are not zero from the start on.
    pub wires: Vec<(usize, u64)>,
    pub store: Vec<(usize, u64)>,
    /// A word of wires that is always zero.
    pub no_flag: usize,
    /// An entry that is always zero, as long as any.
    pub zero: usize,
    tables: FxHashMap<Vec<u32>, usize>,
    constants: FxHashMap<Vec<u64>, usize>,
    /// Per part: words for single planes.
    planes: FxHashMap<usize, std::ops::Range<usize>>,
}

impl Scratch {
    /// `longest`: words of the longest entry of all memories and payload.
    pub fn new(places: &Addresses, longest: usize) -> Self {
        let mut out = Self {
            wire_words: places.wire_words,
            store_words: places.store_words,
            wires: vec![],
            store: vec![],
            no_flag: 0,
            zero: 0,
            tables: FxHashMap::default(),
            constants: FxHashMap::default(),
            planes: FxHashMap::default(),
        };
        (out.no_flag, out.zero) = (taken(&mut out.wire_words, 1), out.block(longest));
        out
    }

    /// Words in the store that one part writes.
    pub fn block(&mut self, words: usize) -> usize {
        taken(&mut self.store_words, words)
    }

    /// A table that is made in each evaluation.
    pub fn slot(&mut self) -> usize {
        taken(&mut self.wire_words, TABLE)
    }

    /// A table of these places; zero entries in other lanes.
    pub fn table(&mut self, places: impl IntoIterator<Item = usize>) -> usize {
        let mut table: Vec<u32> = places.into_iter().map(place).collect();
        table.resize(64, place(self.zero));
        if let Some(&at) = self.tables.get(&table) {
            return at;
        }
        let at = self.slot();
        let words = table.chunks_exact(2).map(|pair| u64::from(pair[0]) | u64::from(pair[1]) << 32);
        self.wires.extend((at..).zip(words));
        self.tables.insert(table, at);
        at
    }

    /// A place that holds these words.
    pub fn constant(&mut self, words: &[u64]) -> usize {
        if let Some(&at) = self.constants.get(words) {
            return at;
        }
        let at = self.block(words.len());
        self.store.extend((at..).zip(words.iter().copied()));
        self.constants.insert(words.to_vec(), at);
        at
    }

    /// A word of wires that a part writes.
    pub fn plane(&mut self, part: usize) -> usize {
        let left = self.planes.entry(part).or_default();
        left.next().unwrap_or_else(|| {
            let first = taken(&mut self.wire_words, SPACING);
            *left = first + 1..first + SPACING;
            first
        })
    }
}

fn taken(end: &mut usize, words: usize) -> usize {
    let at = end.next_multiple_of(SPACING);
    *end = at + words.next_multiple_of(SPACING);
    at
}

/// As it stands in tables.
pub(super) fn place(at: usize) -> u32 {
    u32::try_from(at).expect("the store has less than 32 GB")
}
