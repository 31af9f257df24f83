//! Bits of the clusters of a module, and who sets them.

use super::{
    items::ReadPlace,
    shape::{Set, Shape},
};
use crate::passes::ir::{Call, CallKey, CallKind, NodeId};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// Result of a call, bit 0: an assertion failed.
pub(crate) const FAILED: u64 = 1;
/// Result of a call, bit 1: the late function must be called, after an early one now, after a late one in the next
/// evaluation.
pub(crate) const LATE: u64 = 2;
/// Result of a late call, bit 2: the early function must be called in the next evaluation.
pub(crate) const EARLY: u64 = 4;
/// The bits above tell which outputs have changed.
const FIRST_GROUP: u32 = 3;
const GROUPS: u32 = 64 - FIRST_GROUP;

/// Whose bits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Owner {
    /// Of the instance itself.
    Own,
    /// Of a called child: part and position in its instances.
    Child(usize, usize),
}

/// Who is told of a change.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub(crate) struct Target {
    /// Bits to set: words and masks.
    pub bits: BTreeMap<(Owner, u32), u64>,
    /// Bits of the result.
    pub exports: u64,
}

impl Target {
    fn add(&mut self, owner: Owner, bit: u32) {
        *self.bits.entry((owner, bit / 64)).or_default() |= 1 << (bit % 64);
    }

    /// Bits of the instance itself.
    fn own(&self) -> Set {
        let own = self.bits.iter().filter(|((owner, _), _)| *owner == Owner::Own);
        own.map(|(&(_, word), &mask)| (word, mask)).collect()
    }

    fn is_empty(&self) -> bool {
        self.bits.is_empty() && self.exports == 0
    }
}

/// Gates of a module, as its code and modules around must know them.
#[derive(Clone, Debug, Default)]
pub(crate) struct ModuleGates {
    pub shape: Shape,
    pub targets: Vec<Target>,
    /// Per place of an output: bit of the result.
    pub exports: FxHashMap<ReadPlace, u32>,
}

/// Bits of a module under construction.
pub(super) struct Bits<'a> {
    early: u32,
    late: u32,
    counts: [usize; 2],
    /// Instances.
    tiles: &'a [usize],
    /// Marks of inputs of tiles elsewhere, by their places, and words of all.
    input_marks: &'a FxHashMap<u32, u32>,
    mark_words: u32,
    slots: u32,
    /// Clusters that read a source.
    watchers: FxHashMap<ReadPlace, BTreeSet<u32>>,
    /// Clusters that read a value of the early or late phase.
    value_watchers: FxHashMap<(bool, NodeId), BTreeSet<u32>>,
    /// Bits of calls.
    calls: FxHashMap<CallKey, u32>,
    exports: FxHashMap<ReadPlace, u32>,
    of_tiles: Vec<Vec<(u64, Set)>>,
    targets: Vec<Target>,
    known: FxHashMap<Target, usize>,
}

impl<'a> Bits<'a> {
    /// For so many clusters of the early and the late phase.
    pub fn new(
        counts: [usize; 2],
        tiles: &'a [usize],
        (input_marks, mark_words): (&'a FxHashMap<u32, u32>, u32),
        outputs: &[ReadPlace],
    ) -> Self {
        let [early, late] = counts.map(|count| count.div_ceil(64) as u32);
        let mut exports = FxHashMap::default();
        // Groups hold outputs of one kind, as registers change later than wires.
        let mut sorted: Vec<ReadPlace> = outputs.to_vec();
        sorted.sort_unstable();
        sorted.dedup();
        let registers = sorted.iter().filter(|s| matches!(s, ReadPlace::Register(_))).count() as u32;
        let wires = sorted.len() as u32 - registers;
        let for_registers = match registers + wires {
            all if all <= GROUPS => registers,
            _ if registers == 0 => 0,
            all => (registers * GROUPS / all).clamp(1, GROUPS - u32::from(wires > 0)),
        };
        let (mut next_register, mut next_wire) = (0, 0);
        for source in sorted {
            let group = if matches!(source, ReadPlace::Register(_)) {
                next_register += 1;
                (next_register - 1) * for_registers / registers.max(1)
            } else {
                next_wire += 1;
                for_registers + (next_wire - 1) * (GROUPS - for_registers).min(wires) / wires.max(1)
            };
            exports.insert(source, FIRST_GROUP + group);
        }
        Self {
            early,
            late,
            counts,
            tiles,
            input_marks,
            mark_words,
            slots: 0,
            watchers: FxHashMap::default(),
            value_watchers: FxHashMap::default(),
            calls: FxHashMap::default(),
            exports,
            of_tiles: vec![vec![]; tiles.len()],
            targets: vec![],
            known: FxHashMap::default(),
        }
    }

    /// The bit of a cluster.
    pub fn bit(&self, early: bool, cluster: usize) -> u32 {
        cluster as u32 + if early { 0 } else { 64 * self.early }
    }

    /// A cluster reads a source.
    pub fn watch(&mut self, source: ReadPlace, bit: u32) {
        self.watchers.entry(source).or_default().insert(bit);
    }

    /// A cluster reads a value of another cluster of its phase.
    pub fn watch_value(&mut self, early: bool, id: NodeId, bit: u32) {
        self.value_watchers.entry((early, id)).or_default().insert(bit);
    }

    /// A cluster is a call.
    pub fn call(&mut self, early: bool, call: &Call, cluster: usize) {
        let bit = self.bit(early, cluster);
        let key = CallKey { part: call.part, instance: call.instance, early: call.kind == CallKind::Early };
        self.calls.insert(key, bit);
    }

    /// A slot for a value of so many words.
    pub fn slot(&mut self, words: u32) -> u32 {
        self.slots += words;
        self.slots - words
    }

    fn intern(&mut self, target: Target) -> usize {
        let next = self.targets.len();
        *self.known.entry(target.clone()).or_insert_with(|| {
            self.targets.push(target);
            next
        })
    }

    fn some(&mut self, target: Target) -> Option<usize> {
        (!target.is_empty()).then(|| self.intern(target))
    }

    /// Whoever reads a source, but one cluster.
    fn readers(&self, source: ReadPlace, but: Option<u32>) -> Target {
        let mut target = Target::default();
        for &bit in self.watchers.get(&source).into_iter().flatten().filter(|&&bit| Some(bit) != but) {
            target.add(Owner::Own, bit);
        }
        target.exports = self.exports.get(&source).map_or(0, |group| 1 << group);
        target
    }

    /// Told of a change now: whoever reads the source, but the cluster that computes it.
    pub fn source_target(&mut self, source: ReadPlace, but: Option<u32>) -> Option<usize> {
        let target = self.readers(source, but);
        self.some(target)
    }

    /// Told of a change next: whoever reads the source, and the cluster itself.
    pub fn next_target(&mut self, source: Option<ReadPlace>, own: u32) -> usize {
        let mut target = source.map_or_else(Target::default, |source| self.readers(source, None));
        target.add(Owner::Own, own);
        self.intern(target)
    }

    /// What the results of tiles mean.
    pub fn tile_results(&mut self, call: &Call, child: &ModuleGates) {
        let Some(tile) = self.tiles.iter().position(|&tile| tile == call.instance) else { return };
        let results = self.results(call, child, None);
        let own = |target: usize| self.targets[target].own();
        let results = results.into_iter().map(|(mask, _, target)| (mask, own(target))).collect();
        self.of_tiles[tile] = results;
    }

    /// Told of a change of a value that passes between clusters.
    pub fn value_target(&mut self, early: bool, id: NodeId) -> Option<usize> {
        let mut target = Target::default();
        for &bit in self.value_watchers.get(&(early, id)).into_iter().flatten() {
            target.add(Owner::Own, bit);
        }
        self.some(target)
    }

    /// Told of a change of an input of a call: `inside`, the bits of the child; the call, or the input's mark where
    /// another engine evaluates the tile; and whoever reads the place, as an output may be nothing but an input.
    pub fn input_target(&mut self, call: &Call, offset: u32, inside: BTreeMap<u32, u64>, own: u32) -> Option<usize> {
        let mut target = self.readers(ReadPlace::Storage(offset), Some(own));
        let elsewhere = call.kind == CallKind::Tile && !self.tiles.contains(&call.instance);
        if let Some(&mark) = self.input_marks.get(&offset).filter(|_| elsewhere) {
            target.add(Owner::Own, 64 * (self.early + self.late + self.tiles.len().div_ceil(64) as u32) + mark);
        }
        if !inside.is_empty() && !elsewhere {
            let owner = Owner::Child(call.part, call.instance);
            target.bits.extend(inside.into_iter().map(|(word, mask)| ((owner, word), mask)));
            let made = match call.kind {
                CallKind::Tile => self.tiles.iter().position(|&tile| tile == call.instance).map(|tile| self.tile(tile)),
                _ => {
                    let key = CallKey { part: call.part, instance: call.instance, early: false };
                    self.calls.get(&key).copied()
                }
            };
            if let Some(bit) = made {
                target.add(Owner::Own, bit);
            }
        }
        self.some(target)
    }

    /// The bit of a tile.
    fn tile(&self, tile: usize) -> u32 {
        64 * (self.early + self.late) + tile as u32
    }

    /// What the result of a call means.
    pub fn results(&mut self, call: &Call, child: &ModuleGates, own: Option<u32>) -> Vec<(u64, bool, usize)> {
        let mut targets: BTreeMap<(u64, bool), Target> = BTreeMap::new();
        let early = call.kind == CallKind::Early;
        let mut again = |result: u64, function_is_early: bool, next: bool| {
            let key = CallKey { part: call.part, instance: call.instance, early: function_is_early };
            if let Some(&bit) = self.calls.get(&key) {
                targets.entry((result, next)).or_default().add(Owner::Own, bit);
            }
        };
        if early {
            again(LATE, false, false);
        } else {
            again(LATE, false, true);
            again(EARLY, true, true);
        }
        for (&source, &group) in &child.exports {
            let (source, next) = match source {
                ReadPlace::Register(offset) => (ReadPlace::Register(call.bases.registers + offset), true),
                ReadPlace::Storage(offset) => (ReadPlace::Storage(call.bases.storage + offset), false),
                ReadPlace::Memory(_) => continue,
            };
            let readers = self.readers(source, own.filter(|_| !next));
            let target = targets.entry((1 << group, next)).or_default();
            readers.bits.into_iter().for_each(|(word, mask)| *target.bits.entry(word).or_default() |= mask);
            target.exports |= readers.exports;
        }
        // Groups that tell the same are tested together.
        let mut merged: BTreeMap<(Target, bool), u64> = BTreeMap::new();
        for ((mask, next), target) in targets {
            if !target.is_empty() {
                *merged.entry((target, next)).or_default() |= mask;
            }
        }
        merged.into_iter().map(|((target, next), mask)| (mask, next, self.intern(target))).collect()
    }

    /// The module's gates; `inputs`: the places of its inputs; `shown`: what tiles elsewhere show.
    pub fn finish(self, inputs: &[u32], shown: &[ReadPlace]) -> ModuleGates {
        let set = |source: ReadPlace| {
            let bits = self.watchers.get(&source).into_iter().flatten();
            let mut set = Set::new();
            bits.for_each(|bit| *set.entry(bit / 64).or_default() |= 1 << (bit % 64));
            (!set.is_empty()).then_some(set)
        };
        let inputs = inputs.iter().filter_map(|&place| Some((place, set(ReadPlace::Storage(place))?))).collect();
        let shown = shown.iter().filter_map(|&source| Some((source, set(source)?))).collect();
        let [early, late] = self.counts.map(|count| count as u32);
        let counts = [early, late, self.tiles.len() as u32, 64 * self.mark_words];
        let shape = Shape { counts, slots: self.slots, inputs, tile_results: self.of_tiles, shown };
        ModuleGates { shape, targets: self.targets, exports: self.exports }
    }
}
