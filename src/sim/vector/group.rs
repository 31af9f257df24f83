//! A group of equal tiles: their state, interleaved, and what happens to it.

use super::{
    build::TwinSite,
    lower::{frame, limbs},
};
use crate::{
    layout::{Area, Bases, Counters},
    lines::Lines,
    state::{State, WritePort},
};
use hdl::{Bits, words_for};

/// Tiles in a vector.
pub(super) const LANES: usize = 16;

/// Phases of an instance, in [`Group::activity`].
const LATE: usize = 0;
const EARLY: usize = 1;

/// Words of 32 bits that a word of the common layout takes.
const WORD: usize = 2 * LANES;

/// Code of a phase: present registers, next registers, rest, the first tile's rest in the common state, frame.
pub(super) type Phase =
    unsafe extern "C" fn(registers: *const u32, next: *mut u32, rest: *mut u32, memory: *const u64, frame: *mut u32);

/// A net's place in a tile (words of the common layout), and its width in bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Slot {
    pub offset: u32,
    pub width: u32,
}

/// Copies a net of a lane out of interleaved words.
fn get(from: &[u32], slot: Slot, lane: usize, to: &mut [u64]) {
    let at = slot.offset as usize * WORD + lane;
    assert!(at + (limbs(slot.width) - 1) * LANES < from.len());
    // SAFETY: the last word that is read is inside.
    unsafe { get_at(from.as_ptr(), slot, lane, to) }
}

/// Copies a net of a lane into interleaved words.
fn set(to: &mut [u32], slot: Slot, lane: usize, from: &[u64]) {
    let at = slot.offset as usize * WORD + lane;
    assert!(at + (limbs(slot.width) - 1) * LANES < to.len());
    // SAFETY: the last word that is written is inside.
    unsafe { set_at(to.as_mut_ptr(), slot, lane, from) }
}

/// As [`get`].
///
/// # Safety
/// The words of the net are there.
pub(super) unsafe fn get_at(from: *const u32, slot: Slot, lane: usize, to: &mut [u64]) {
    // SAFETY: the caller's.
    unsafe {
        let from = from.add(slot.offset as usize * WORD + lane);
        if slot.width == 1 {
            to[0] = u64::from(*from & 1);
            return;
        }
        for limb in 0..limbs(slot.width) {
            let value = u64::from(*from.add(limb * LANES));
            if limb % 2 == 0 {
                to[limb / 2] = value;
            } else {
                to[limb / 2] |= value << 32;
            }
        }
    }
}

/// As [`set`].
///
/// # Safety
/// The words of the net are there.
pub(super) unsafe fn set_at(to: *mut u32, slot: Slot, lane: usize, from: &[u64]) {
    // SAFETY: the caller's.
    unsafe {
        let to = to.add(slot.offset as usize * WORD + lane);
        if slot.width == 1 {
            *to = if from[0] & 1 == 1 { u32::MAX } else { 0 };
            return;
        }
        for limb in 0..limbs(slot.width) {
            *to.add(limb * LANES) = (from[limb / 2] >> (32 * (limb % 2))) as u32;
        }
    }
}

/// A pending memory write of an instance.
#[derive(Clone, Debug)]
pub(super) struct WriteSite {
    /// Address, data and mask.
    pub operands: Vec<Slot>,
    /// Where the instance's rest starts in the tile's.
    pub base: u32,
    pub port: WritePort,
}

/// A probe of an instance that does not just count events.
#[derive(Debug)]
pub(super) struct ProbeSite {
    pub value: Option<Slot>,
    /// Offsets in the tile.
    pub counters: Counters,
    /// Per tile: its table, for histograms of wide values.
    pub tables: Vec<usize>,
}

impl ProbeSite {
    /// Counts the present value in a lane of a block, for so many clock edges.
    fn count(&self, rest: &[u32], lane: usize, bases: Bases, tile: usize, edges: u64, state: &mut State) {
        let mut value = [0];
        self.value.iter().for_each(|&slot| get(rest, slot, lane, &mut value));
        let mut add = |offset: u32, amount: u64| {
            let counter = &mut state.rest[(bases.rest + offset) as usize];
            *counter = counter.wrapping_add(amount);
        };
        match self.counters {
            Counters::Count { count } => add(count, edges),
            Counters::Sum { count, sum } => {
                add(count, edges);
                add(sum, edges.wrapping_mul(value[0]));
            }
            Counters::Bins { first, .. } => add(first + value[0] as u32, edges),
            Counters::Table => *state.tables[self.tables[tile]].entry(value[0]).or_default() += edges,
        }
    }
}

/// What a clock edge has found.
#[derive(Clone, Copy)]
struct Flags<'a> {
    frame: &'a [u32],
    at: usize,
    valid: u32,
}

impl Flags<'_> {
    /// Lanes in which number so many was found.
    fn lanes(self, number: usize) -> impl Iterator<Item = usize> {
        let mut left = self.frame[self.at + number / 2] >> (16 * (number % 2)) & self.valid;
        std::iter::from_fn(move || {
            let lane = left.trailing_zeros();
            left &= left.wrapping_sub(1);
            (lane < 32).then_some(lane as usize)
        })
    }
}

/// Up to sixteen tiles.
pub(super) struct Block {
    /// Per lane.
    pub bases: Vec<Bases>,
    pub registers: Lines<u32>,
    pub next: Lines<u32>,
    /// There are holes where the common layout has memories.
    pub rest: Lines<u32>,
    pub frame: Lines<u32>,
    /// Its late phase was evaluated since the last clock edge.
    evaluated: bool,
    /// Clock edges since then at which events have yet to be counted: nothing else happens, as present and next registers are equal and no
    /// memory is written.
    idle_edges: u32,
}

impl Block {
    /// `registers`, `rest`: words of a tile. `frame`: what follows the table of functions is there already.
    pub fn new(bases: Vec<Bases>, registers: u32, rest: u32, frame: Lines<u32>) -> Self {
        let mut block = Self {
            registers: Lines::new(registers as usize * WORD),
            next: Lines::new(registers as usize * WORD),
            rest: Lines::new(rest as usize * WORD),
            frame,
            bases,
            evaluated: false,
            idle_edges: 0,
        };
        let first = block.bases[0].rest;
        for lane in 0..LANES {
            let bases = block.bases.get(lane).copied();
            let words = &mut block.frame;
            words[frame::LANES as usize / 4 + lane] = bases.map_or(0, |bases| bases.rest - first);
            words[frame::VALID as usize / 4 + lane] = if bases.is_some() { u32::MAX } else { 0 };
            words[frame::ODD as usize / 4 + lane] = if lane % 2 == 1 { u32::MAX } else { 0 };
            words[frame::NUMBERS as usize / 4 + lane] = lane as u32;
        }
        block.frame[frame::LANE_BITS as usize / 4] = (1 << block.bases.len()) - 1;
        block
    }

    /// How many clock edges the next one stands for.
    fn set_edges(&mut self, edges: u32) {
        self.frame[frame::EDGES as usize / 4..][..LANES].fill(edges);
    }

    fn call(&mut self, phase: Phase, state: &State) {
        let memory = state.rest[self.bases[0].rest as usize..].as_ptr();
        let (registers, next) = (self.registers.as_ptr(), self.next.as_mut_ptr());
        let (rest, frame) = (self.rest.as_mut_ptr(), self.frame.as_mut_ptr());
        // SAFETY: the arrays have the sizes of the layouts that the code was generated for, and it stays inside: offsets are those of
        // the layouts, and what is read at variable places is checked against their bounds.
        unsafe { phase(registers, next, rest, memory, frame) }
    }
}

/// Equal tiles.
pub(super) struct Group {
    /// Positions in the instances of the top.
    pub tiles: Vec<usize>,
    pub kind: String,
    /// Position of their clock domain among those of the top.
    pub domain: usize,
    pub early: Option<Phase>,
    pub late: Phase,
    /// Fetches inputs.
    pub fetch: Phase,
    /// Looks for what a clock edge has to do, with events counted and without.
    pub edge: Phase,
    pub silent_edge: Phase,
    /// Compares outputs that are no registers with what was shown last.
    pub compare_outputs: Phase,
    pub blocks: Vec<Block>,
    /// Outputs that are registers, and others.
    pub outputs: Vec<Slot>,
    pub early_outputs: Vec<Slot>,
    pub registers: Vec<Slot>,
    pub resets: Vec<(Slot, Bits)>,
    pub writes: Vec<WriteSite>,
    pub probes: Vec<ProbeSite>,
    /// Events that are counted: where, and the counters; offsets in the tile.
    pub events: Vec<(Slot, u32)>,
    /// Where the frame has counts that the state does not have yet, and flags; words.
    pub counts: usize,
    pub flags: usize,
    /// Cycles counted there.
    pub uncounted: u32,
    /// Offsets in the rest of a tile of events that others would count.
    pub quiet: Vec<u32>,
    /// Where idle instances are skipped, per instance, the tile first: the words of a block's rest that say in which lanes its late phase and
    /// its early phase are active (see [`activity_at`](super::lower::activity_at)).
    pub activity: Option<Vec<[usize; 2]>>,
    /// Code has their addresses.
    pub _twins: Vec<TwinSite>,
}

impl Group {
    /// True when an assertion fails.
    pub fn evaluate(&mut self, state: &mut State) -> bool {
        let mut failed = false;
        for number in 0..self.blocks.len() {
            let block = &mut self.blocks[number];
            block.call(self.fetch, state);
            if self.activity.as_ref().is_some_and(|activity| block.rest[activity[0][LATE]] == 0) {
                continue;
            }
            // The events of the evaluation before, which this one overwrites.
            self.count_idle_edges(number, state);
            let block = &mut self.blocks[number];
            let at = frame::FAILED as usize / 4;
            block.frame[at..at + LANES].fill(0);
            block.call(self.late, state);
            block.evaluated = true;
            failed |= block.frame[at..at + block.bases.len()].iter().any(|&lane| lane != 0);
        }
        failed
    }

    pub fn apply_reset(&mut self) {
        for block in &mut self.blocks {
            for (slot, value) in &self.resets {
                (0..LANES).for_each(|lane| set(&mut block.next, *slot, lane, value.words()));
            }
            block.evaluated = true;
        }
        self.wake();
    }

    /// All instances are active: something has changed from outside.
    pub fn wake(&mut self) {
        for block in &mut self.blocks {
            for &at in self.activity.iter().flatten().flatten() {
                block.rest[at] = block.frame[frame::LANE_BITS as usize / 4];
            }
        }
    }

    /// The clock edge; `count`: statistics count. Adds the places in the common state in which outputs have changed.
    pub fn commit(&mut self, state: &mut State, count: bool, shown: &mut Vec<(Area, usize)>) {
        self.uncounted += u32::from(count);
        if self.uncounted == u32::MAX {
            self.flush_counters(state);
        }
        for number in 0..self.blocks.len() {
            let block = &mut self.blocks[number];
            if std::mem::take(&mut block.evaluated) {
                self.edge(number, u32::from(count), state, shown);
                let block = &mut self.blocks[number];
                std::mem::swap(&mut block.registers, &mut block.next);
            } else {
                block.idle_edges += u32::from(count);
            }
        }
        self.show_early(state, false, shown);
    }

    /// Counts the events of clock edges at which a block was idle.
    fn count_idle_edges(&mut self, number: usize, state: &mut State) {
        let edges = std::mem::take(&mut self.blocks[number].idle_edges);
        if edges > 0 {
            self.edge(number, edges, state, &mut vec![]);
        }
    }

    /// What happens at clock edges of a block that all do the same: memory writes, statistics of so many edges, outputs.
    fn edge(&mut self, number: usize, edges: u32, state: &mut State, shown: &mut Vec<(Area, usize)>) {
        let block = &mut self.blocks[number];
        block.set_edges(edges);
        block.call(if edges > 0 { self.edge } else { self.silent_edge }, state);
        let flags = Flags { frame: &block.frame, at: self.flags, valid: (1 << block.bases.len()) - 1 };
        let rest = &block.rest;
        for (number, site) in self.writes.iter().enumerate() {
            for lane in flags.lanes(number) {
                let base = block.bases[lane].rest as usize;
                for &slot in &site.operands {
                    get(rest, slot, lane, &mut state.rest[base + slot.offset as usize..]);
                }
                site.port.write(&mut state.rest[base + site.base as usize..]);
            }
        }
        if edges > 0 {
            let first_tile = number * LANES;
            for (number, probe) in self.probes.iter().enumerate() {
                for lane in flags.lanes(self.writes.len() + number) {
                    let bases = block.bases[lane];
                    probe.count(rest, lane, bases, first_tile + lane, edges.into(), state);
                }
            }
        }
        for (number, &slot) in self.outputs.iter().enumerate() {
            for lane in flags.lanes(self.writes.len() + self.probes.len() + number) {
                let at = (block.bases[lane].registers + slot.offset) as usize;
                // In both arrays, which change places.
                get(&block.next, slot, lane, &mut state.registers[at..]);
                get(&block.next, slot, lane, &mut state.next[at..]);
                shown.push((Area::Registers, at));
            }
        }
    }

    pub fn flush_counters(&mut self, state: &mut State) {
        self.uncounted = 0;
        for number in 0..self.blocks.len() {
            self.count_idle_edges(number, state);
            let block = &mut self.blocks[number];
            for (number, &(_, counter)) in self.events.iter().enumerate() {
                let at = self.counts + number * LANES;
                for (lane, bases) in block.bases.iter().enumerate() {
                    let more = std::mem::take(&mut block.frame[at + lane]);
                    let counter = &mut state.rest[(bases.rest + counter) as usize];
                    *counter = counter.wrapping_add(more.into());
                }
            }
        }
    }

    /// Computes the outputs that are no registers, and shows those that have changed, or `all`.
    fn show_early(&mut self, state: &mut State, all: bool, shown: &mut Vec<(Area, usize)>) {
        let Some(early) = self.early else { return };
        for block in &mut self.blocks {
            let active = self.activity.as_ref().map(|activity| &mut block.rest[activity[0][EARLY]]);
            if active.is_some_and(|active| std::mem::take(active) == 0) {
                continue;
            }
            block.call(early, state);
            block.call(self.compare_outputs, state);
            let valid = (1 << block.bases.len()) - 1;
            if all {
                let at = self.flags..self.flags + self.early_outputs.len().div_ceil(2);
                block.frame[at].fill(u32::MAX);
            }
            let flags = Flags { frame: &block.frame, at: self.flags, valid };
            for (number, &slot) in self.early_outputs.iter().enumerate() {
                for lane in flags.lanes(number) {
                    let at = (block.bases[lane].rest + slot.offset) as usize;
                    get(&block.rest, slot, lane, &mut state.rest[at..]);
                    shown.push((Area::Rest, at));
                }
            }
        }
    }

    /// Block, lane, place in the common state, and place in the tile.
    pub fn register_places(&self) -> impl Iterator<Item = (usize, usize, usize, Slot)> {
        self.blocks.iter().enumerate().flat_map(move |(number, block)| {
            let lanes = block.bases.iter().enumerate();
            lanes.flat_map(move |(lane, bases)| {
                let at = move |slot: &Slot| (number, lane, (bases.registers + slot.offset) as usize, *slot);
                self.registers.iter().map(at)
            })
        })
    }

    pub fn put_register(&self, block: usize, lane: usize, slot: Slot, to: &mut [u64]) {
        get(&self.blocks[block].registers, slot, lane, to);
    }

    pub fn put_wire(&self, block: usize, lane: usize, slot: Slot, to: &mut [u64]) {
        get(&self.blocks[block].rest, slot, lane, to);
    }

    /// As [`TileState::put`](crate::batched::TileState::put).
    pub fn put(&self, state: &mut State, next: bool) {
        for (block, lane, at, slot) in self.register_places() {
            let block = &self.blocks[block];
            get(&block.registers, slot, lane, &mut state.registers[at..]);
            if next {
                get(&block.next, slot, lane, &mut state.next[at..]);
            }
        }
    }

    pub fn take(&mut self, state: &mut State) {
        let places: Vec<_> = self.register_places().collect();
        for (block, lane, at, slot) in places {
            let block = &mut self.blocks[block];
            set(&mut block.registers, slot, lane, &state.registers[at..]);
            // A register without a driver has the same value in both.
            set(&mut block.next, slot, lane, &state.registers[at..]);
            // Outputs are in both arrays.
            let words = at..at + words_for(slot.width);
            state.next[words.clone()].copy_from_slice(&state.registers[words]);
        }
        self.wake();
        self.show_early(state, true, &mut vec![]);
        // Events that others would count.
        for bases in self.blocks.iter().flat_map(|block| &block.bases) {
            self.quiet.iter().for_each(|offset| state.rest[(bases.rest + offset) as usize] = 0);
        }
    }

    pub fn about(&self) -> String {
        let Self { kind, tiles, blocks, .. } = self;
        format!("group {kind}: {} lanes in {} vectors", tiles.len(), blocks.len())
    }
}
