//! Where the state of the engine is, and its translation to and from the layout that all engines share.

use super::{
    addresses,
    arrays::{Planes, lanes_of},
    engine::Sliced,
};
use crate::{
    aligned::AlignedWords,
    batched::{TileEngine, TileState},
    clocks::Edges,
    layout::{Area, Place},
    state::State,
};

/// Planes (and words of payload), aligned for vectors and to lines of the cache.
pub(super) type ArrayOfPlanes = AlignedWords<u64>;

/// How a register is kept.
#[derive(Clone, Copy, Debug)]
pub(super) enum RegisterStorage {
    /// As planes (of registers).
    Bits(Planes),
    /// As payload: word of its flag, place of lane 0, words.
    Payload { flag: usize, first: usize, words: usize },
}

/// A register in one word of lanes.
#[derive(Clone, Debug)]
pub(super) struct RegisterSite {
    pub storage: RegisterStorage,
    /// Per lane: place in the register arrays of the state, or `None` where there is no instance.
    pub places: Vec<Option<usize>>,
}

/// Writes the words of a lane.
fn put_bits(bits: Planes, lane: usize, planes: &[u64], words: &mut [u64]) {
    for part in 0..bits.count.div_ceil(64) {
        let count = (bits.count - 64 * part).min(64);
        words[part] =
            (0..count).fold(0, |v, i| v | (planes[bits.first + (64 * part + i) * bits.stride] >> lane & 1) << i);
    }
}

impl RegisterSite {
    /// Writes the value in a lane to its place in an array of the state.
    fn put(&self, lane: usize, at: usize, planes: &[u64], store: &[u64], array: &mut [u64]) {
        match self.storage {
            RegisterStorage::Bits(bits) => put_bits(bits, lane, planes, &mut array[at..]),
            RegisterStorage::Payload { flag, first, words } => {
                let from = first + (lane * 2 + (planes[flag] >> lane & 1) as usize) * words;
                array[at..at + words].copy_from_slice(&store[from..from + words]);
            }
        }
    }
}

/// A memory in one word of lanes.
#[derive(Clone, Debug)]
pub(super) struct MemorySite {
    pub place: addresses::Address,
    /// Per lane: place in the storage.
    pub places: Vec<Option<usize>>,
}

/// An output that is read outside, in one word of lanes.
#[derive(Clone, Debug)]
pub(super) struct Export {
    pub kept: Shown,
    /// What was shown last: planes, or the flags of payload.
    pub last: Vec<u64>,
    pub fresh: bool,
    pub lanes: u64,
    /// Per lane.
    pub places: Vec<Option<(Area, usize)>>,
}

/// What an export shows.
#[derive(Clone, Debug)]
pub(super) enum Shown {
    /// Words of register planes, per bit; `None`: a constant zero, one.
    Bits(Vec<Result<usize, bool>>),
    Payload {
        flag: usize,
        first: usize,
        words: usize,
    },
}

impl Export {
    /// After a clock edge: writes what has changed, and adds its places to `changes`.
    pub fn show(&mut self, present: &[u64], store: &[u64], state: &mut State, changes: &mut Vec<(Area, usize)>) {
        match &self.kept {
            Shown::Bits(bits) => {
                let plane = |bit: &Result<usize, bool>| match bit {
                    Ok(word) => present[*word],
                    Err(value) => 0u64.wrapping_sub(u64::from(*value)),
                };
                let mut changed = if self.fresh { 0 } else { self.lanes };
                for (bit, last) in bits.iter().zip(&mut self.last) {
                    let now = plane(bit);
                    changed |= (now ^ *last) & self.lanes;
                    *last = now;
                }
                for lane in lanes_of(changed) {
                    let Some((area, at)) = self.places[lane] else { continue };
                    changes.push((area, at));
                    for (part, chunk) in bits.chunks(64).enumerate() {
                        let value = chunk.iter().enumerate().fold(0, |v, (i, bit)| v | (plane(bit) >> lane & 1) << i);
                        write(state, area, at + part, value);
                    }
                }
            }
            Shown::Payload { flag, first, words } => {
                let changed = if self.fresh { (present[*flag] ^ self.last[0]) & self.lanes } else { self.lanes };
                self.last[0] = present[*flag];
                for lane in lanes_of(changed) {
                    let Some((area, at)) = self.places[lane] else { continue };
                    changes.push((area, at));
                    let from = first + (lane * 2 + (present[*flag] >> lane & 1) as usize) * words;
                    (0..*words).for_each(|i| write(state, area, at + i, store[from + i]));
                }
            }
        }
        self.fresh = true;
    }
}

/// Registers are written in both arrays, which change places.
fn write(state: &mut State, area: Area, at: usize, value: u64) {
    match area {
        Area::Registers => {
            state.registers[at] = value;
            state.next[at] = value;
        }
        Area::Storage => state.storage[at] = value,
    }
}

impl TileState for Sliced {
    fn hides(&self, place: Place) -> bool {
        self.regions.hides(place)
    }

    fn tile_at(&self, place: Place) -> Option<usize> {
        self.regions.tile_at(place)
    }

    fn put_register(&mut self, place: Place, state: &mut State) -> bool {
        if place.area != Area::Registers {
            return false;
        }
        if self.at_place.is_empty() {
            let lanes = |site: &RegisterSite| site.places.clone().into_iter().enumerate();
            let sites = self.registers.iter().enumerate().flat_map(|(i, site)| lanes(site).map(move |lane| (i, lane)));
            self.at_place = sites.filter_map(|(site, (lane, at))| Some((at?, (site, lane)))).collect();
        }
        let at = place.offset as usize;
        let Some(&(site, lane)) = self.at_place.get(&at) else { return false };
        self.registers[site].put(lane, at, &self.present, &self.store, &mut state.registers);
        true
    }

    fn has_wire(&self, place: Place) -> bool {
        place.area == Area::Storage && self.observed_wires.contains_key(&(place.offset as usize))
    }

    fn put_wire(&self, place: Place, _edges: Edges, state: &mut State) -> bool {
        let at = place.offset as usize;
        let Some(&(bits, lane)) = self.observed_wires.get(&at).filter(|_| place.area == Area::Storage) else {
            return false;
        };
        put_bits(bits, lane, &self.wires, &mut state.storage[at..]);
        true
    }

    fn put(&mut self, state: &mut State, next: bool) {
        self.flush_counters(state);
        for site in &self.registers {
            let arrays = [(&self.present, &mut state.registers), (&self.next, &mut state.next)];
            for (planes, array) in arrays.into_iter().take(1 + usize::from(next)) {
                for (lane, place) in site.places.iter().enumerate() {
                    if let Some(at) = *place {
                        site.put(lane, at, planes, &self.store, array);
                    }
                }
            }
        }
        for site in &self.memories {
            for (lane, place) in site.places.iter().enumerate() {
                let Some(at) = *place else { continue };
                let size = site.place.depth * site.place.words;
                let from = site.place.first + lane * size;
                state.storage[at..at + size].copy_from_slice(&self.store[from..from + size]);
            }
        }
    }

    fn take(&mut self, state: &mut State) {
        self.parts.iter_mut().for_each(|part| part.level = false);
        for site in &self.registers {
            for (lane, place) in site.places.iter().enumerate() {
                let Some(at) = *place else { continue };
                match site.storage {
                    RegisterStorage::Bits(bits) => {
                        for i in 0..bits.count {
                            let value = state.registers[at + i / 64] >> (i % 64) & 1;
                            let word = &mut self.present[bits.first + i * bits.stride];
                            *word = *word & !(1 << lane) | value << lane;
                        }
                    }
                    RegisterStorage::Payload { flag, first, words } => {
                        let to = first + (lane * 2 + (self.present[flag] >> lane & 1) as usize) * words;
                        self.store[to..to + words].copy_from_slice(&state.registers[at..at + words]);
                    }
                }
            }
        }
        for site in &self.memories {
            for (lane, place) in site.places.iter().enumerate() {
                let Some(at) = *place else { continue };
                let size = site.place.depth * site.place.words;
                let to = site.place.first + lane * size;
                self.store[to..to + size].copy_from_slice(&state.storage[at..at + size]);
            }
        }
        self.quiet.iter().for_each(|&at| state.storage[at] = 0);
        for export in self.parts.iter_mut().flat_map(|part| &mut part.exports) {
            export.fresh = false;
            export.show(&self.present, &self.store, state, &mut self.shown);
        }
    }
}
