//! Up to sixteen tiles: their state, and the common state as code and threads see it.

use super::{
    lower::frame,
    slots::{LANES, WORD},
};
use crate::{
    aligned::AlignedWords,
    layout::{Area, Bases},
    state::State,
};
use std::{collections::BTreeMap, marker::PhantomData};

/// Code of a phase: present registers, next registers, storage, the first tile's storage in the common state, frame.
pub(super) type Phase =
    unsafe extern "C" fn(registers: *const u32, next: *mut u32, storage: *mut u32, memory: *const u64, frame: *mut u32);

/// The common state, while blocks are worked on by several threads: each touches only what is its tiles'.
#[derive(Clone, Copy)]
pub(super) struct CommonState<'a> {
    registers: *mut u64,
    next: *mut u64,
    storage: *mut u64,
    tables: *mut BTreeMap<u64, u64>,
    /// Words of the register arrays, words of the storage, tables.
    sizes: [usize; 3],
    state: PhantomData<&'a mut State>,
}

// SAFETY: who takes something out of it says that nobody else has it.
unsafe impl Sync for CommonState<'_> {}

/// Marks of changed inputs, while blocks are worked on by several threads: each touches only those of its tiles.
#[derive(Clone, Copy)]
pub(super) struct SharedMarks<'a> {
    words: *mut u64,
    size: usize,
    marks: PhantomData<&'a mut [u64]>,
}

// SAFETY: who takes or reads marks says that nobody else has those of the tile.
unsafe impl Sync for SharedMarks<'_> {}

impl<'a> SharedMarks<'a> {
    pub fn new(words: &'a mut [u64]) -> Self {
        Self { words: words.as_mut_ptr(), size: words.len(), marks: PhantomData }
    }

    /// The marks of a tile.
    ///
    /// # Safety
    /// Nobody else has them meanwhile.
    pub unsafe fn of_tile(self, first: usize, words: usize) -> &'a mut [u64] {
        assert!(first + words <= self.size);
        // SAFETY: they are there, and the caller's.
        unsafe { std::slice::from_raw_parts_mut(self.words.add(first), words) }
    }
}

/// What a tile has in the common state.
pub(super) struct TileState<'a> {
    pub registers: &'a mut [u64],
    pub next: &'a mut [u64],
    pub storage: &'a mut [u64],
}

impl<'a> CommonState<'a> {
    pub fn new(state: &'a mut State) -> Self {
        assert_eq!(state.registers.len(), state.next.len());
        Self {
            registers: state.registers.as_mut_ptr(),
            next: state.next.as_mut_ptr(),
            storage: state.storage.as_mut_ptr(),
            tables: state.tables.as_mut_ptr(),
            sizes: [state.registers.len(), state.storage.len(), state.tables.len()],
            state: PhantomData,
        }
    }

    /// Where the rest of this tile starts.
    fn storage_from(self, tile: Bases) -> *const u64 {
        assert!(tile.storage as usize <= self.sizes[1]);
        // SAFETY: it is inside, or its end.
        unsafe { self.storage.add(tile.storage as usize) }
    }

    /// The regions of a tile of this size.
    ///
    /// # Safety
    /// Nobody else has anything of the tile meanwhile.
    pub unsafe fn tile(self, tile: Bases, size: Bases) -> TileState<'a> {
        assert!((tile.registers + size.registers) as usize <= self.sizes[0]);
        assert!((tile.storage + size.storage) as usize <= self.sizes[1]);
        // SAFETY: the regions are inside, and the caller's.
        let region = |array: *mut u64, first: u32, words: u32| unsafe {
            std::slice::from_raw_parts_mut(array.add(first as usize), words as usize)
        };
        TileState {
            registers: region(self.registers, tile.registers, size.registers),
            next: region(self.next, tile.registers, size.registers),
            storage: region(self.storage, tile.storage, size.storage),
        }
    }

    /// A table.
    ///
    /// # Safety
    /// Nobody else has it meanwhile.
    pub unsafe fn table(self, number: usize) -> &'a mut BTreeMap<u64, u64> {
        assert!(number < self.sizes[2]);
        // SAFETY: it is there, and the caller's.
        unsafe { &mut *self.tables.add(number) }
    }
}

/// Up to sixteen tiles.
pub(super) struct Block {
    /// Position of the first tile in the group.
    pub first_tile: usize,
    /// Per lane.
    pub bases: Vec<Bases>,
    /// Likewise: the first word of the marks of changed inputs.
    pub input_marks: Vec<usize>,
    pub registers: AlignedWords<u32>,
    pub next: AlignedWords<u32>,
    /// There are holes where the common layout has memories.
    pub storage: AlignedWords<u32>,
    pub frame: AlignedWords<u32>,
    /// Its late phase was evaluated since the last clock edge.
    pub evaluated: bool,
    /// Clock edges since then at which events have yet to be counted: nothing else happens, as present and next
    /// registers are equal and no memory is written.
    pub idle_edges: u32,
    /// Places of the common state that outputs have changed at the last clock edge.
    pub shown: Vec<(Area, usize)>,
}

impl Block {
    /// `size`: words of a tile. `frame`: what follows the table of functions is there already.
    pub fn new(first_tile: usize, bases: Vec<Bases>, size: Bases, frame: AlignedWords<u32>) -> Self {
        let Bases { registers, storage } = size;
        let mut block = Self {
            first_tile,
            input_marks: vec![],
            shown: vec![],
            registers: AlignedWords::new(registers as usize * WORD),
            next: AlignedWords::new(registers as usize * WORD),
            storage: AlignedWords::new(storage as usize * WORD),
            frame,
            bases,
            evaluated: false,
            idle_edges: 0,
        };
        let first = block.bases[0].storage;
        for lane in 0..LANES {
            let bases = block.bases.get(lane).copied();
            let words = &mut block.frame;
            words[frame::LANES as usize / 4 + lane] = bases.map_or(0, |bases| bases.storage - first);
            words[frame::VALID as usize / 4 + lane] = if bases.is_some() { u32::MAX } else { 0 };
            words[frame::ODD as usize / 4 + lane] = if lane % 2 == 1 { u32::MAX } else { 0 };
            words[frame::NUMBERS as usize / 4 + lane] = lane as u32;
        }
        block.frame[frame::LANE_BITS as usize / 4] = (1 << block.bases.len()) - 1;
        block
    }

    /// How many clock edges the next one stands for.
    pub fn set_edges(&mut self, edges: u32) {
        self.frame[frame::EDGES as usize / 4..][..LANES].fill(edges);
    }

    /// Lanes that exist, a bit each.
    pub fn lanes(&self) -> u32 {
        (1 << self.bases.len()) - 1
    }

    /// # Safety
    /// The code is that of the block's group, and nobody writes to the tiles in the common state meanwhile.
    pub unsafe fn call(&mut self, phase: Phase, state: CommonState) {
        let memory = state.storage_from(self.bases[0]);
        let (registers, next) = (self.registers.as_ptr(), self.next.as_mut_ptr());
        let (storage, frame) = (self.storage.as_mut_ptr(), self.frame.as_mut_ptr());
        // SAFETY: the arrays have the sizes of the layouts that the code was generated for, and it stays inside:
        // offsets are those of the layouts, and what is read at variable places is checked against their bounds.
        unsafe { phase(registers, next, storage, memory, frame) }
    }
}
