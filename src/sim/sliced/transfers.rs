//! What is not boolean algebra: memories and payload.
//!
//! All of it is described by data, with absolute places, and executed lane by lane for the lanes that take part: memory reads
//! whose words become bits, copies of payload registers under their conditions, and memory writes at the clock edge. Bits that go
//! from tile to tile: [`links`](super::links).
//!
//! A payload register has two places in every lane and a flag (a plane among the registers) that says which of them holds the
//! present value. A new value goes to the other place and turns the flag of the next state, so copies may be made in any order
//! and, before the clock edge, made again.

use super::transpose::{Column, Transpose};
use std::mem::MaybeUninit;

/// The arrays of a running engine, as parts of it see them: several threads may hold them, each for its own part.
#[derive(Clone, Copy)]
pub(super) struct Arrays {
    /// Planes of registers: present and next.
    pub present: *const u64,
    pub next: *mut u64,
    pub wires: *mut u64,
    /// Memories and payload registers.
    pub store: *mut u64,
    /// The part of the state of other tiles that holds inputs.
    pub rest: *const u64,
    /// Words of these: registers, wires, store, rest.
    pub sizes: [usize; 4],
    pub transpose: Transpose,
}

// Whoever uses them has its places from the assembly, which hands out each place once, inside the arrays; a part writes
// only to places of its own bundles and reads, of other parts, only present registers and payload that this evaluation leaves
// alone. In debug builds every place is checked.
impl Arrays {
    #[inline(always)]
    fn set_next(&self, at: usize, value: u64) {
        debug_assert!(at < self.sizes[0]);
        // SAFETY: see above.
        unsafe { *self.next.add(at) = value }
    }

    #[inline(always)]
    pub fn present(&self, at: usize) -> u64 {
        debug_assert!(at < self.sizes[0]);
        // SAFETY: see above.
        unsafe { *self.present.add(at) }
    }

    #[inline(always)]
    pub fn wire(&self, at: usize) -> u64 {
        debug_assert!(at < self.sizes[1]);
        // SAFETY: see above.
        unsafe { *self.wires.add(at) }
    }

    #[inline(always)]
    pub fn set_wire(&self, at: usize, value: u64) {
        debug_assert!(at < self.sizes[1]);
        // SAFETY: see above.
        unsafe { *self.wires.add(at) = value }
    }

    #[inline(always)]
    fn stored(&self, at: usize) -> u64 {
        debug_assert!(at < self.sizes[2]);
        // SAFETY: see above.
        unsafe { *self.store.add(at) }
    }

    #[inline(always)]
    fn set_stored(&self, at: usize, value: u64) {
        debug_assert!(at < self.sizes[2]);
        // SAFETY: see above.
        unsafe { *self.store.add(at) = value }
    }

    #[inline(always)]
    pub fn rest(&self, at: usize) -> u64 {
        debug_assert!(at < self.sizes[3]);
        // SAFETY: see above.
        unsafe { *self.rest.add(at) }
    }

    #[inline(always)]
    fn copy(&self, from: usize, to: usize, words: usize) {
        for i in 0..words {
            self.set_stored(to + i, self.stored(from + i));
        }
    }
}

/// Consecutive planes of one word: `count` of them, `stride` words apart.
#[derive(Clone, Copy, Debug)]
pub(super) struct Planes {
    pub first: usize,
    pub count: usize,
    pub stride: usize,
}

impl Planes {
    /// Of up to 64 planes: the words of the lanes.
    #[inline(always)]
    fn lanes(self, plane: impl Fn(usize) -> u64, transpose: Transpose, out: &mut Lanes) {
        out.bytes = self.count.div_ceil(8).min(8);
        let mut planes = [0; 8];
        for (i, column) in out.columns[..out.bytes].iter_mut().enumerate() {
            let count = (self.count - 8 * i).min(8);
            for (bit, word) in planes[..count].iter_mut().enumerate() {
                *word = plane(self.first + (8 * i + bit) * self.stride);
            }
            transpose.lanes(&planes[..count], column);
        }
    }
}

/// A word in every lane: the first `bytes` columns are there.
struct Lanes {
    columns: [MaybeUninit<Column>; 8],
    bytes: usize,
}

impl Lanes {
    fn none() -> Self {
        Self { columns: [const { MaybeUninit::uninit() }; 8], bytes: 0 }
    }

    /// The addresses that planes of wires hold.
    #[inline(always)]
    fn addresses(&mut self, arrays: &Arrays, planes: Planes) {
        planes.lanes(|at| arrays.wire(at), arrays.transpose, self);
    }

    #[inline(always)]
    fn of(&self, lane: usize) -> u64 {
        let byte = |i: usize| {
            // SAFETY: the first `bytes` columns are written by `Planes::lanes`.
            unsafe { self.columns[i].assume_init_ref()[lane] }
        };
        (0..self.bytes).fold(0, |word, i| word | u64::from(byte(i)) << (8 * i))
    }
}

/// Lanes in a word, lowest first.
#[inline(always)]
pub(super) fn lanes_of(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lane = word.trailing_zeros() as usize;
        word &= word.wrapping_sub(1);
        (lane < 64).then_some(lane)
    })
}

/// Memory of one word of lanes, in the store.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub first: usize,
    pub depth: usize,
    /// Words of an entry.
    pub words: usize,
}

impl Place {
    /// The entry at an address, if there is one.
    #[inline(always)]
    fn at(self, lane: usize, address: u64) -> Option<usize> {
        (address < self.depth as u64).then(|| self.first + (lane * self.depth + address as usize) * self.words)
    }
}

/// A memory read whose word is needed as bits.
#[derive(Clone, Debug)]
pub(super) struct ReadRun {
    pub address: Planes,
    pub result: Planes,
    /// Per word of the bundle: lanes, and the memory.
    pub places: Vec<(u64, Place)>,
}

impl ReadRun {
    #[inline(always)]
    pub fn run(&self, arrays: &Arrays) {
        let (mut values, mut addresses) = ([0u64; 64], Lanes::none());
        for (word, &(valid, place)) in self.places.iter().enumerate() {
            if valid == 0 {
                continue;
            }
            addresses.addresses(arrays, Planes { first: self.address.first + word, ..self.address });
            for (part, start) in (0..self.result.count).step_by(64).enumerate() {
                for lane in lanes_of(valid) {
                    let entry = place.at(lane, addresses.of(lane));
                    values[lane] = entry.map_or(0, |entry| arrays.stored(entry + part));
                }
                let count = (self.result.count - start).min(64);
                let first = self.result.first + start * self.result.stride + word;
                arrays.transpose.words(&values, count, |bit, plane| {
                    arrays.set_wire(first + bit * self.result.stride, plane);
                });
            }
        }
    }
}

/// A word of a plane, or its complement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Condition {
    pub wire: usize,
    pub inverted: bool,
}

/// Where payload of a lane comes from when it comes from another tile.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Distant {
    /// A payload register: word and bit of its flag, and its two places.
    Payload { flag: usize, bit: u32, first: usize },
    /// An input that the top level has left in the state.
    Rest(usize),
    /// Not connected.
    Zero,
}

/// Where payload comes from.
#[derive(Clone, Debug)]
pub(super) enum From {
    /// A payload register of the same tile: word of its flag, and places of lane 0.
    Register {
        flag: usize,
        first: usize,
    },
    Memory {
        address: Planes,
        place: Place,
    },
    /// An input of the tile, per lane.
    Input(Vec<Distant>),
    Constant(Vec<u64>),
    /// Bits of the bundle.
    Wires(Planes),
    /// A register of another tile that is kept as bits: planes of registers, and per lane the lane there.
    Bits {
        planes: Planes,
        lanes: Vec<u8>,
    },
}

/// A source and when it is the one. At most one source of a register holds at a time.
#[derive(Clone, Debug)]
pub(super) struct Source {
    pub lanes: u64,
    pub conditions: Vec<Condition>,
    pub from: From,
}

impl Source {
    #[inline(always)]
    fn selected(&self, arrays: &Arrays) -> u64 {
        self.conditions.iter().fold(self.lanes, |lanes, condition| {
            let plane = arrays.wire(condition.wire);
            lanes & if condition.inverted { !plane } else { plane }
        })
    }

    /// Copies `words` words in each of `lanes` to where `target` says.
    #[inline(always)]
    fn copy(&self, lanes: u64, words: usize, arrays: &Arrays, target: impl Fn(usize) -> Option<usize>) {
        match &self.from {
            From::Register { flag, first } => {
                let flags = arrays.present(*flag);
                for lane in lanes_of(lanes) {
                    let from = first + (lane * 2 + (flags >> lane & 1) as usize) * words;
                    if let Some(to) = target(lane) {
                        arrays.copy(from, to, words);
                    }
                }
            }
            From::Memory { address, place } => {
                let mut addresses = Lanes::none();
                addresses.addresses(arrays, *address);
                for lane in lanes_of(lanes) {
                    let Some(to) = target(lane) else { continue };
                    match place.at(lane, addresses.of(lane)) {
                        Some(from) => arrays.copy(from, to, words),
                        None => (0..words).for_each(|i| arrays.set_stored(to + i, 0)),
                    }
                }
            }
            From::Input(sources) => {
                for lane in lanes_of(lanes) {
                    let Some(to) = target(lane) else { continue };
                    match sources[lane] {
                        Distant::Payload { flag, bit, first } => {
                            let which = (arrays.present(flag) >> bit & 1) as usize;
                            arrays.copy(first + which * words, to, words);
                        }
                        Distant::Rest(at) => (0..words).for_each(|i| arrays.set_stored(to + i, arrays.rest(at + i))),
                        Distant::Zero => (0..words).for_each(|i| arrays.set_stored(to + i, 0)),
                    }
                }
            }
            From::Constant(value) => {
                for to in lanes_of(lanes).filter_map(target) {
                    value.iter().enumerate().for_each(|(i, &word)| arrays.set_stored(to + i, word));
                }
            }
            From::Wires(planes) => pack(*planes, |at| arrays.wire(at), arrays, lanes, |lane| lane, target),
            From::Bits { planes, lanes: there } => {
                pack(*planes, |at| arrays.present(at), arrays, lanes, |lane| usize::from(there[lane]), target);
            }
        }
    }
}

/// Planes as words: for each of `lanes`, lane `from` of the planes goes to where `target` says.
#[inline(always)]
fn pack(
    planes: Planes,
    plane: impl Fn(usize) -> u64,
    arrays: &Arrays,
    lanes: u64,
    from: impl Fn(usize) -> usize,
    target: impl Fn(usize) -> Option<usize>,
) {
    for part in 0..planes.count.div_ceil(64) {
        let count = (planes.count - 64 * part).min(64);
        let planes = Planes { first: planes.first + 64 * part * planes.stride, count, ..planes };
        let mut words = Lanes::none();
        planes.lanes(&plane, arrays.transpose, &mut words);
        for lane in lanes_of(lanes) {
            if let Some(to) = target(lane) {
                arrays.set_stored(to + part, words.of(from(lane)));
            }
        }
    }
}

/// Inputs that are needed as bits and come from payload registers, for one word of lanes.
#[derive(Clone, Debug)]
pub(super) struct UnpackRun {
    /// In the wires.
    pub to: Planes,
    pub lanes: u64,
    pub sources: Vec<Distant>,
}

impl UnpackRun {
    #[inline(always)]
    pub fn run(&self, arrays: &Arrays) {
        let words = self.to.count.div_ceil(64);
        let mut values = [0u64; 64];
        for part in 0..words {
            for lane in lanes_of(self.lanes) {
                if let Distant::Payload { flag, bit, first } = self.sources[lane] {
                    let which = (arrays.present(flag) >> bit & 1) as usize;
                    values[lane] = arrays.stored(first + which * words + part);
                }
            }
            let count = (self.to.count - 64 * part).min(64);
            let first = self.to.first + 64 * part * self.to.stride;
            arrays.transpose.words(&values, count, |bit, plane| {
                let at = first + bit * self.to.stride;
                arrays.set_wire(at, arrays.wire(at) & !self.lanes | plane & self.lanes);
            });
        }
    }
}

/// The next value of a payload register, for one word of lanes.
#[derive(Clone, Debug)]
pub(super) struct MoveRun {
    /// Word of its flag.
    pub flag: usize,
    /// Places of lane 0.
    pub first: usize,
    pub words: usize,
    pub sources: Vec<Source>,
    /// For profiles.
    pub bundle: u32,
}

impl MoveRun {
    #[inline(always)]
    pub fn run(&self, arrays: &Arrays) {
        // Two words are the usual channel: a copy of known length.
        if self.words == 2 { self.run_with(arrays, 2) } else { self.run_with(arrays, self.words) }
    }

    #[inline(always)]
    fn run_with(&self, arrays: &Arrays, words: usize) {
        let flags = arrays.present(self.flag);
        let mut changed = 0;
        for source in &self.sources {
            let lanes = source.selected(arrays);
            if lanes != 0 {
                changed |= lanes;
                let target = |lane: usize| Some(self.first + (lane * 2 + (!flags >> lane & 1) as usize) * words);
                source.copy(lanes, words, arrays, target);
            }
        }
        arrays.set_next(self.flag, flags ^ changed);
    }
}

/// A memory write port, for one word of lanes; executed at the clock edge, before registers change.
#[derive(Clone, Debug)]
pub(super) struct WriteRun {
    pub enable: usize,
    pub valid: u64,
    pub address: Planes,
    pub place: Place,
    pub sources: Vec<Source>,
    /// Planes that enable equal parts of the word, and bits of a part; then the data is one source of wires.
    pub mask: Option<(Planes, usize)>,
    /// For profiles.
    pub bundle: u32,
}

impl WriteRun {
    #[inline(always)]
    pub fn run(&self, arrays: &Arrays) {
        let enabled = arrays.wire(self.enable) & self.valid;
        if enabled == 0 {
            return;
        }
        let mut addresses = Lanes::none();
        addresses.addresses(arrays, self.address);
        let entry = |lane: usize| self.place.at(lane, addresses.of(lane));
        if let Some((mask, part)) = self.mask {
            return self.masked(arrays, enabled, mask, part, entry);
        }
        for source in &self.sources {
            let lanes = enabled & source.selected(arrays);
            if lanes != 0 {
                if self.place.words == 2 {
                    source.copy(lanes, 2, arrays, entry);
                } else {
                    source.copy(lanes, self.place.words, arrays, entry);
                }
            }
        }
    }

    #[cold]
    fn masked(&self, arrays: &Arrays, enabled: u64, mask: Planes, part: usize, entry: impl Fn(usize) -> Option<usize>) {
        let From::Wires(data) = self.sources[0].from else { unreachable!("masked data is kept as bits") };
        for lane in lanes_of(enabled) {
            let Some(to) = entry(lane) else { continue };
            for bit in 0..data.count {
                if arrays.wire(mask.first + bit / part * mask.stride) >> lane & 1 == 1 {
                    let value = arrays.wire(data.first + bit * data.stride) >> lane & 1;
                    let word = arrays.stored(to + bit / 64);
                    arrays.set_stored(to + bit / 64, word & !(1 << (bit % 64)) | value << (bit % 64));
                }
            }
        }
    }
}
