//! A group of tiles that have one code, what happens to its blocks in an evaluation and at a clock edge, and its state in
//! the common layout.

use super::{
    block::{Block, CommonState, Phase, SharedMarks, TileState},
    build::IntrinsicSite,
    lower::frame,
    slots::{LANES, Slot, get, set},
};
use crate::{
    layout::{Area, Bases, Counters},
    state::{State, WritePort},
};
use hdl::{Bits, words_for};

/// Phases of an instance, in [`GroupCode::activity`].
const LATE: usize = 0;
const EARLY: usize = 1;

/// Where more inputs of single tiles are marked than this times the inputs of a tile, all are gathered. An estimate: gathering
/// takes some 30 cycles for each limb, and copying an input of a tile 15 and 3 for each limb.
const FETCHED_ALONE: usize = 2;

/// Words of flags that are looked at together: a vector.
const FLAG_WORDS: usize = 16;

/// A pending memory write of an instance.
#[derive(Clone, Debug)]
pub(super) struct WriteSite {
    /// Address, data and mask.
    pub operands: Vec<Slot>,
    /// Where the instance's storage starts in the tile's.
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
    /// Counts the present value in a lane of a block, for so many clock edges; `storage`: the tile's in the common
    /// state.
    ///
    /// # Safety
    /// Nobody else has the tile's tables meanwhile.
    unsafe fn count(&self, block: &Block, lane: usize, edges: u64, storage: &mut [u64], state: CommonState) {
        let mut value = [0];
        self.value.iter().for_each(|&slot| get(&block.storage, slot, lane, &mut value));
        let mut add = |offset: u32, amount: u64| {
            let counter = &mut storage[offset as usize];
            *counter = counter.wrapping_add(amount);
        };
        match self.counters {
            Counters::Count { count } => add(count, edges),
            Counters::Sum { count, sum } => {
                add(count, edges);
                add(sum, edges.wrapping_mul(value[0]));
            }
            Counters::Bins { first, .. } => add(first + value[0] as u32, edges),
            Counters::Table => {
                // SAFETY: the caller's.
                let table = unsafe { state.table(self.tables[block.first_tile + lane]) };
                *table.entry(value[0]).or_default() += edges;
            }
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
    /// Calls `found` with the number and the lane of each thing found among so many, in order. Most cycles find little.
    fn each(self, count: usize, mut found: impl FnMut(usize, usize)) {
        let valid = self.valid << LANES | self.valid;
        let words = &self.frame[self.at..self.at + count.div_ceil(2)];
        for (part, words) in words.chunks(FLAG_WORDS).enumerate() {
            if words.iter().fold(0, |any, word| any | word) & valid == 0 {
                continue;
            }
            for (at, word) in words.iter().enumerate() {
                let mut left = word & valid;
                while left != 0 {
                    let bit = left.trailing_zeros() as usize;
                    left &= left - 1;
                    found(2 * (part * FLAG_WORDS + at) + bit / LANES, bit % LANES);
                }
            }
        }
    }
}

/// What is the same for all tiles of a group: their code, and where in them everything is.
pub(super) struct GroupCode {
    pub early: Option<Phase>,
    pub late: Phase,
    /// Inputs, in the order of the module, and what fetches all of them.
    pub inputs: Vec<Slot>,
    pub fetch_all: Phase,
    /// Looks for what a clock edge has to do, with events counted and without.
    pub edge: Phase,
    pub silent_edge: Phase,
    /// Compares outputs that are no registers with what was shown last.
    pub compare_outputs: Phase,
    /// Words of a tile.
    pub size: Bases,
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
    /// Offsets in the rest of a tile of events that others would count.
    pub quiet: Vec<u32>,
    /// Where idle instances are skipped, per instance, the tile first: the words of a block's storage that say in which
    /// lanes its late phase and its early phase are active (see [`activity_at`](super::lower::activity_at)).
    pub activity: Option<Vec<[usize; 2]>>,
    /// Code has their addresses.
    pub _intrinsics: Vec<IntrinsicSite>,
}

/// Tiles that have one code.
pub(super) struct Group {
    /// Positions in the instances of the top.
    pub tiles: Vec<usize>,
    pub kind: String,
    /// Position of their clock domain among those of the top.
    pub domain: usize,
    pub code: GroupCode,
    pub blocks: Vec<Block>,
    /// Clock edges counted in the frames of the blocks.
    pub uncounted: u32,
}

/// Blocks may be on different threads.
///
/// # Safety
/// Of all functions: nobody else has anything of the block's tiles meanwhile.
impl GroupCode {
    /// True when an assertion fails. `input_marks`: inputs that have changed; if they are known.
    pub unsafe fn evaluate(&self, block: &mut Block, state: CommonState, input_marks: Option<SharedMarks>) -> bool {
        // SAFETY: the caller's, here and below.
        match input_marks {
            // SAFETY: the caller's.
            Some(marks) => unsafe { self.fetch_changed(block, state, marks) },
            // SAFETY: the caller's.
            None => unsafe { block.call(self.fetch_all, state) },
        }
        if self.activity.as_ref().is_some_and(|activity| block.storage[activity[0][LATE]] == 0) {
            return false;
        }
        // The events of the evaluation before, which this one overwrites.
        // SAFETY: the caller's.
        unsafe { self.count_idle_edges(block, state) };
        let at = frame::FAILED as usize / 4;
        block.frame[at..at + LANES].fill(0);
        // SAFETY: the caller's.
        unsafe { block.call(self.late, state) };
        block.evaluated = true;
        block.frame[at..at + block.bases.len()].iter().any(|&lane| lane != 0)
    }

    /// Fetches inputs that are marked: one by one, or all at once where that takes less time.
    unsafe fn fetch_changed(&self, block: &mut Block, state: CommonState, marks: SharedMarks) {
        let words = self.inputs.len().div_ceil(64);
        // SAFETY: the caller's, here and below; words of different tiles are apart.
        let of_lane = |block: &Block, lane: usize| unsafe { marks.of_tile(block.input_marks[lane], words) };
        let lanes = block.bases.len();
        let marked: u32 = (0..lanes).flat_map(|lane| of_lane(block, lane).iter()).map(|word| word.count_ones()).sum();
        if marked == 0 {
            return;
        }
        if marked as usize > FETCHED_ALONE * self.inputs.len() {
            (0..lanes).for_each(|lane| of_lane(block, lane).fill(0));
            // SAFETY: the caller's.
            return unsafe { block.call(self.fetch_all, state) };
        }
        let mut changed = 0;
        for lane in 0..lanes {
            // SAFETY: the caller's.
            let storage = unsafe { state.tile(block.bases[lane], self.size) }.storage;
            for (number, word) in of_lane(block, lane).iter_mut().enumerate() {
                let mut left = std::mem::take(word);
                while left != 0 {
                    let input = 64 * number + left.trailing_zeros() as usize;
                    left &= left - 1;
                    // Where nothing is known, all bits are set.
                    if let Some(&slot) = self.inputs.get(input) {
                        set(&mut block.storage, slot, lane, &storage[slot.offset as usize..]);
                        changed |= 1 << lane;
                    }
                }
            }
        }
        if let Some(activity) = &self.activity {
            block.storage[activity[0][LATE]] |= changed;
        }
    }

    /// The clock edge; `count`: statistics count. Leaves the places in the common state in which outputs have changed.
    pub unsafe fn commit(&self, block: &mut Block, state: CommonState, count: bool) {
        block.shown.clear();
        if std::mem::take(&mut block.evaluated) {
            // SAFETY: the caller's, here and below.
            unsafe { self.edge(block, u32::from(count), state) };
            std::mem::swap(&mut block.registers, &mut block.next);
        } else {
            block.idle_edges += u32::from(count);
        }
        // SAFETY: the caller's.
        unsafe { self.show_early(block, state, false) };
    }

    /// Counts the events of clock edges at which a block was idle.
    unsafe fn count_idle_edges(&self, block: &mut Block, state: CommonState) {
        let edges = std::mem::take(&mut block.idle_edges);
        if edges > 0 {
            // SAFETY: the caller's.
            unsafe { self.edge(block, edges, state) };
            // Registers keep their values.
            block.shown.clear();
        }
    }

    /// What happens at clock edges of a block that all do the same: memory writes, statistics of so many edges,
    /// outputs.
    unsafe fn edge(&self, block: &mut Block, edges: u32, state: CommonState) {
        block.set_edges(edges);
        // SAFETY: the caller's, here and below.
        unsafe { block.call(if edges > 0 { self.edge } else { self.silent_edge }, state) };
        // SAFETY: the caller's.
        let tile = |lane: usize| unsafe { state.tile(block.bases[lane], self.size) };
        let flags = Flags { frame: &block.frame, at: self.flags, valid: block.lanes() };
        let (probes, outputs) = (self.writes.len(), self.writes.len() + self.probes.len());
        let mut shown = std::mem::take(&mut block.shown);
        flags.each(outputs + self.outputs.len(), |number, lane| {
            if let Some(site) = self.writes.get(number) {
                let storage = tile(lane).storage;
                site.operands
                    .iter()
                    .for_each(|&slot| get(&block.storage, slot, lane, &mut storage[slot.offset as usize..]));
                site.port.write(&mut storage[site.base as usize..]);
            } else if let Some(probe) = self.probes.get(number - probes) {
                if edges > 0 {
                    // SAFETY: the caller's.
                    unsafe { probe.count(block, lane, edges.into(), tile(lane).storage, state) };
                }
            } else if let Some(&slot) = self.outputs.get(number - outputs) {
                // In both arrays, which change places.
                let (TileState { registers, next, .. }, at) = (tile(lane), slot.offset as usize);
                let words = at..at + words_for(slot.width);
                get(&block.next, slot, lane, &mut registers[words.clone()]);
                next[words.clone()].copy_from_slice(&registers[words]);
                shown.push((Area::Registers, block.bases[lane].registers as usize + at));
            }
        });
        block.shown = shown;
    }

    /// Computes the outputs that are no registers, and shows those that have changed, or `all`.
    unsafe fn show_early(&self, block: &mut Block, state: CommonState, all: bool) {
        let Some(early) = self.early else { return };
        let active = self.activity.as_ref().map(|activity| &mut block.storage[activity[0][EARLY]]);
        if active.is_some_and(|active| std::mem::take(active) == 0) {
            return;
        }
        // SAFETY: the caller's, here and below.
        unsafe {
            block.call(early, state);
            block.call(self.compare_outputs, state);
        }
        if all {
            let at = self.flags..self.flags + self.early_outputs.len().div_ceil(2);
            block.frame[at].fill(u32::MAX);
        }
        let flags = Flags { frame: &block.frame, at: self.flags, valid: block.lanes() };
        let mut shown = std::mem::take(&mut block.shown);
        flags.each(self.early_outputs.len(), |number, lane| {
            let Some(&slot) = self.early_outputs.get(number) else { return };
            let at = slot.offset as usize;
            // SAFETY: the caller's.
            let storage = unsafe { state.tile(block.bases[lane], self.size).storage };
            get(&block.storage, slot, lane, &mut storage[at..]);
            shown.push((Area::Storage, block.bases[lane].storage as usize + at));
        });
        block.shown = shown;
    }

    /// Adds the events counted in the block's frame to the counters.
    unsafe fn flush_counters(&self, block: &mut Block, state: CommonState) {
        // SAFETY: the caller's, here and below.
        unsafe { self.count_idle_edges(block, state) };
        for (number, &(_, counter)) in self.events.iter().enumerate() {
            let at = self.counts + number * LANES;
            for (lane, &bases) in block.bases.iter().enumerate() {
                let more = std::mem::take(&mut block.frame[at + lane]);
                if more > 0 {
                    // SAFETY: the caller's.
                    let counter = unsafe { &mut state.tile(bases, self.size).storage[counter as usize] };
                    *counter = counter.wrapping_add(more.into());
                }
            }
        }
    }
}

impl Group {
    pub fn apply_reset(&mut self) {
        for block in &mut self.blocks {
            for (slot, value) in &self.code.resets {
                (0..LANES).for_each(|lane| set(&mut block.next, *slot, lane, value.words()));
            }
            block.evaluated = true;
        }
        self.wake();
    }

    /// All instances are active: something has changed from outside.
    pub fn wake(&mut self) {
        for block in &mut self.blocks {
            for &at in self.code.activity.iter().flatten().flatten() {
                block.storage[at] = block.frame[frame::LANE_BITS as usize / 4];
            }
        }
    }

    /// A clock edge comes, at which statistics count: counters in the frames do not overflow.
    pub fn will_count(&mut self, state: &mut State) {
        self.uncounted += 1;
        if self.uncounted == u32::MAX {
            self.flush_counters(state);
        }
    }

    pub fn flush_counters(&mut self, state: &mut State) {
        self.uncounted = 0;
        let (Self { code, blocks, .. }, state) = (self, CommonState::new(state));
        // SAFETY: all of it is ours.
        blocks.iter_mut().for_each(|block| unsafe { code.flush_counters(block, state) });
    }

    /// Block, lane, place in the common state, and place in the tile.
    pub fn register_places(&self) -> impl Iterator<Item = (usize, usize, usize, Slot)> {
        self.blocks.iter().enumerate().flat_map(move |(number, block)| {
            let lanes = block.bases.iter().enumerate();
            lanes.flat_map(move |(lane, bases)| {
                let at = move |slot: &Slot| (number, lane, (bases.registers + slot.offset) as usize, *slot);
                self.code.registers.iter().map(at)
            })
        })
    }

    pub fn put_register(&self, block: usize, lane: usize, slot: Slot, to: &mut [u64]) {
        get(&self.blocks[block].registers, slot, lane, to);
    }

    pub fn put_wire(&self, block: usize, lane: usize, slot: Slot, to: &mut [u64]) {
        get(&self.blocks[block].storage, slot, lane, to);
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
        let (Self { code, blocks, .. }, common) = (&mut *self, CommonState::new(state));
        for block in blocks {
            // SAFETY: all of it is ours.
            unsafe { code.show_early(block, common, true) };
        }
        // Events that others would count.
        for bases in self.blocks.iter().flat_map(|block| &block.bases) {
            self.code.quiet.iter().for_each(|offset| state.storage[(bases.storage + offset) as usize] = 0);
        }
    }

    pub fn about(&self) -> String {
        let Self { kind, tiles, blocks, .. } = self;
        format!("group {kind}: {} lanes in {} vectors", tiles.len(), blocks.len())
    }
}
