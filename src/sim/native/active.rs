//! With activity gates: which tiles take part in an evaluation.
//!
//! The top has a bit per tile, set when an input of the tile changes (by code of the top) or when the tile has left
//! something for the next evaluation (here, from the result of its function). Results also tell which outputs change;
//! the clusters of the top that read these are evaluated next time. So the work follows activity, not the size of the
//! chip. Inputs of tiles that another engine evaluates have a bit each, from which it knows what to fetch.

use super::{
    activity::{ActivityFlags, MarkLayout},
    compile::CompiledModule,
    modes::Modes,
    tile::{Tile, Turn},
};
use crate::{
    clocks::Edges,
    layout::Area,
    passes::gates::{self, bits::LATE, items::ReadPlace},
    state::Scope,
};
use rustc_hash::FxHashMap;
use std::{collections::BTreeMap, ops::Range};

/// Words of the marks and bits to set in them.
type Set = Vec<(usize, u64)>;

/// Sets by the place of an output. Most outputs are registers, and many change in a cycle: those are looked up by position.
struct ShownSets {
    /// Per register place: where its set is in `all`.
    registers: Vec<Range<u32>>,
    all: Set,
    storage: FxHashMap<u32, Set>,
}

impl ShownSets {
    fn new(sets: impl Iterator<Item = (ReadPlace, Set)>) -> Self {
        let mut shown = Self { registers: vec![], all: vec![], storage: FxHashMap::default() };
        for (place, set) in sets {
            match place {
                ReadPlace::Register(at) => {
                    let (at, start) = (at as usize, shown.all.len() as u32);
                    shown.registers.resize(shown.registers.len().max(at + 1), 0..0);
                    shown.registers[at] = start..start + set.len() as u32;
                    shown.all.extend(set);
                }
                ReadPlace::Storage(at) => _ = shown.storage.insert(at, set),
                ReadPlace::Memory(_) => unreachable!("no output is a memory"),
            }
        }
        shown
    }

    fn at(&self, area: Area, place: usize) -> &[(usize, u64)] {
        match area {
            Area::Registers => {
                let range = self.registers.get(place).cloned().unwrap_or_default();
                &self.all[range.start as usize..range.end as usize]
            }
            Area::Storage => self.storage.get(&(place as u32)).map_or(&[], |set| set),
        }
    }
}

/// Bits of the top, in the marks.
pub(super) struct Active {
    /// Words of clusters of the top, for the next evaluation.
    top: Range<usize>,
    /// Words of tiles.
    tiles: Range<usize>,
    /// Words of marks of changed inputs of tiles elsewhere.
    pub input_marks: Range<usize>,
    /// Per bit of those: the tile, if it has a function.
    numbers: Vec<Option<usize>>,
    /// Per tile with a function: the domains of the top that clock something in it.
    domains: Vec<Vec<u32>>,
    /// Per such tile: its bit, and per part of its result what to set.
    results: Vec<(Set, Vec<(u64, Set)>)>,
    /// Per place of an input of the top.
    inputs: FxHashMap<usize, Set>,
    /// What to set when a tile elsewhere shows something else.
    shown: ShownSets,
    /// All bits, by word.
    all: Set,
    /// Per tile with a function: where its bits are among all.
    inside: Vec<Range<usize>>,
    /// Per such tile: what to set when it has run plain code, which does not tell what has changed: its bit, all that
    /// its result can mean, and bits of its early phase, if that is called (which always has gates).
    plain: Vec<Set>,
    /// All bits are to be set.
    stale: bool,
}

impl Active {
    /// `numbers`: per tile of the plan, its number among those that have a function; `domains`: of those. `None`
    /// without gates.
    pub fn new(
        modules: &[CompiledModule],
        layouts: &[MarkLayout],
        scopes: &[Scope],
        marks: &ActivityFlags,
        numbers: Vec<Option<usize>>,
        functions: &[Tile],
        domains: Vec<Vec<u32>>,
    ) -> Option<Self> {
        let top = scopes[0].module;
        let gates = modules[top].gates.as_ref()?;
        let start = layouts[top].gates as usize;
        let words = (gates.early() + gates.late()) as usize;
        let set = |set: &gates::shape::Set| -> Set {
            set.iter().map(|(&word, &mask)| (start + word as usize, mask)).collect()
        };
        let mut results: Vec<(Set, Vec<(u64, Set)>)> = vec![];
        for (tile, told) in gates.tile_results.iter().enumerate() {
            if numbers[tile].is_some() {
                let own = vec![(start + words + tile / 64, 1 << (tile % 64))];
                results.push((own, told.iter().map(|(mask, bits)| (*mask, set(bits))).collect()));
            }
        }
        let inputs = gates.inputs.iter().map(|(&place, bits)| (place as usize, set(bits))).collect();
        let shown = ShownSets::new(gates.shown.iter().map(|(&source, bits)| (source, set(bits))));
        let (mut all, mut early): (Set, Set) = (vec![], vec![]);
        for (scope, base) in scopes.iter().zip(&marks.bases) {
            let start = base + layouts[scope.module].gates as usize;
            let bits = modules[scope.module].gates.iter().flat_map(|gates| gates.all());
            let bits = bits.enumerate().map(|(word, bits)| (start + word, bits));
            let count = modules[scope.module].gates.as_ref().map_or(0, |gates| gates.early() as usize);
            let first = all.len();
            all.extend(bits);
            early.extend_from_slice(&all[first..first + count]);
        }
        all.sort_unstable();
        let within = |set: &Set, tile: &Tile| {
            let end = |word: usize| set.partition_point(|&(at, _)| at < word);
            end(tile.marks.0)..end(tile.marks.1)
        };
        let inside = functions.iter().map(|tile| within(&all, tile)).collect();
        early.sort_unstable();
        let plain = functions.iter().zip(&results).map(|(tile, (own, told))| {
            let inside = if tile.early { within(&early, tile) } else { 0..0 };
            let mut set = BTreeMap::new();
            let all = own.iter().chain(told.iter().flat_map(|(_, bits)| bits)).chain(&early[inside]);
            all.for_each(|&(word, bits)| *set.entry(word).or_insert(0) |= bits);
            set.into_iter().collect()
        });
        let plain = plain.collect();
        let tiles = start + words..start + words + gates.tiles() as usize;
        let input_marks = tiles.end..tiles.end + gates.input_marks() as usize;
        Some(Self {
            top: start..start + words,
            tiles,
            input_marks,
            numbers,
            domains,
            results,
            inputs,
            shown,
            all,
            inside,
            plain,
            stale: true,
        })
    }

    /// The state has changed from outside.
    pub fn forget(&mut self) {
        self.stale = true;
    }

    /// An input of the top has changed.
    pub fn poked(&self, place: usize, marks: &mut ActivityFlags) {
        self.inputs.get(&place).into_iter().flatten().for_each(|&(word, bits)| marks.words[word] |= bits);
    }

    /// A tile is to be evaluated as a whole.
    pub fn wake(&self, tile: usize, marks: &mut ActivityFlags) {
        let inside = &self.all[self.inside[tile].clone()];
        self.results[tile].0.iter().chain(inside).for_each(|&(word, bits)| marks.words[word] |= bits);
    }

    /// A tile elsewhere shows something else.
    pub fn shown(&self, area: Area, place: usize, marks: &mut ActivityFlags) {
        self.shown.at(area, place).iter().for_each(|&(word, bits)| marks.words[word] |= bits);
    }

    /// Before an evaluation: whether the top has to be evaluated.
    pub fn start(&mut self, marks: &mut ActivityFlags) -> bool {
        if std::mem::take(&mut self.stale) {
            self.all.iter().for_each(|&(word, bits)| marks.words[word] |= bits);
        }
        marks.words[self.top.clone()].iter().any(|&word| word != 0)
    }

    /// When the top has been evaluated: the tiles that take part, and those that would if they had an edge.
    pub fn take_tiles(
        &mut self,
        edges: Edges,
        marks: &mut ActivityFlags,
        modes: &Modes,
        active: &mut Vec<Turn>,
        left: &mut Vec<usize>,
    ) {
        let timed = modes.is_timed();
        for (word, bits) in marks.words[self.tiles.clone()].iter_mut().enumerate() {
            let mut todo = std::mem::take(bits);
            while todo != 0 {
                let bit = todo.trailing_zeros() as usize;
                todo &= todo - 1;
                let Some(tile) = self.numbers[64 * word + bit] else { continue };
                let domains = &self.domains[tile];
                let due = domains.is_empty() || domains.iter().any(|&domain| edges.has(domain as usize));
                if due || edges == Edges::ALL {
                    active.push(Turn { tile, plain: modes.is_plain(tile), timed });
                } else {
                    left.push(tile);
                    *bits |= 1 << bit;
                }
            }
        }
    }

    /// The result of a tile's function.
    pub fn result(&self, turn: Turn, result: u64, marks: &mut ActivityFlags) {
        let (own, told) = &self.results[turn.tile];
        let mut set = |bits: &Set| bits.iter().for_each(|&(word, bits)| marks.words[word] |= bits);
        if turn.plain {
            return set(&self.plain[turn.tile]);
        }
        if result & LATE != 0 {
            set(own);
        }
        told.iter().filter(|(mask, _)| result & mask != 0).for_each(|(_, bits)| set(bits));
    }
}
