//! What is left of a module's gates when its code is there: how many words they have, and how the world outside sets them.

use super::items::Source;
use std::collections::BTreeMap;

/// Words of bits and what to set in them.
pub(crate) type Set = BTreeMap<u32, u64>;

/// The words of an instance, from the start of its gates on: bits for now of early and late clusters, bits of tiles, bits for
/// next of early and late clusters, the result under construction, slots.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Shape {
    /// Early clusters, late clusters, tiles.
    pub counts: [u32; 3],
    /// Words of slots.
    pub slots: u32,
    /// Per place of an input: bits to set when it changes.
    pub inputs: BTreeMap<u32, Set>,
    /// Per tile: what its result means: these bits of it, then this to be set for the next evaluation.
    pub tile_results: Vec<Vec<(u64, Set)>>,
    /// Per register or place of the rest that tiles elsewhere show: bits to set when it changes.
    pub shown: BTreeMap<Source, Set>,
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

    /// Where the bits for next start.
    pub fn next(&self) -> u32 {
        self.early() + self.late() + self.tiles()
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

    /// All bits of early and late clusters and of tiles, by word.
    pub fn all(&self) -> impl Iterator<Item = u64> {
        let ones = |count: u32| {
            (0..count.div_ceil(64)).map(move |word| match count - 64 * word {
                left if left < 64 => (1 << left) - 1,
                _ => u64::MAX,
            })
        };
        self.counts.into_iter().flat_map(ones)
    }

    /// As numbers.
    pub fn write(&self, out: &mut Vec<u32>) {
        out.extend(self.counts);
        out.push(self.slots);
        out.push(self.inputs.len() as u32);
        for (&place, set) in &self.inputs {
            out.push(place);
            write_set(set, out);
        }
        out.push(self.tile_results.len() as u32);
        for results in &self.tile_results {
            out.push(results.len() as u32);
            for (mask, set) in results {
                write_word(*mask, out);
                write_set(set, out);
            }
        }
        out.push(self.shown.len() as u32);
        for (source, set) in &self.shown {
            let (kind, offset) = match *source {
                Source::Register(offset) => (0, offset),
                Source::Rest(offset) => (1, offset),
                Source::Memory(offset) => (2, offset),
            };
            out.extend([kind, offset]);
            write_set(set, out);
        }
    }

    /// From numbers; `None` when they are not that.
    pub fn read(numbers: &mut impl Iterator<Item = u32>) -> Option<Self> {
        let mut shape = Self::default();
        for count in &mut shape.counts {
            *count = numbers.next()?;
        }
        shape.slots = numbers.next()?;
        for _ in 0..numbers.next()? {
            shape.inputs.insert(numbers.next()?, read_set(numbers)?);
        }
        for _ in 0..numbers.next()? {
            let mut results = vec![];
            for _ in 0..numbers.next()? {
                results.push((read_word(numbers)?, read_set(numbers)?));
            }
            shape.tile_results.push(results);
        }
        for _ in 0..numbers.next()? {
            let source = match (numbers.next()?, numbers.next()?) {
                (0, offset) => Source::Register(offset),
                (1, offset) => Source::Rest(offset),
                (2, offset) => Source::Memory(offset),
                _ => return None,
            };
            shape.shown.insert(source, read_set(numbers)?);
        }
        Some(shape)
    }
}

fn write_word(word: u64, out: &mut Vec<u32>) {
    out.extend([word as u32, (word >> 32) as u32]);
}

fn read_word(numbers: &mut impl Iterator<Item = u32>) -> Option<u64> {
    Some(u64::from(numbers.next()?) | u64::from(numbers.next()?) << 32)
}

fn write_set(set: &Set, out: &mut Vec<u32>) {
    out.push(set.len() as u32);
    for (&word, &bits) in set {
        out.push(word);
        write_word(bits, out);
    }
}

fn read_set(numbers: &mut impl Iterator<Item = u32>) -> Option<Set> {
    let mut set = Set::new();
    for _ in 0..numbers.next()? {
        set.insert(numbers.next()?, read_word(numbers)?);
    }
    Some(set)
}
