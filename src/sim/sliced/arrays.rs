//! The arrays that an evaluation works on.

use std::marker::PhantomData;

/// Code of a kernel: present registers, next registers, wires.
pub(super) type Kernel = unsafe extern "C" fn(present: *const u64, next: *mut u64, wires: *mut u64);

/// The arrays of a running engine, as parts of it see them: several threads may hold them, each for its own part. Places
/// are checked, here and not in compiled code; that nobody else writes them meanwhile is promised when they are made.
#[derive(Clone, Copy)]
pub(super) struct Arrays<'a> {
    present: *const u64,
    next: *mut u64,
    wires: *mut u64,
    store: *mut u64,
    storage: *const u64,
    sizes: Sizes,
    lives: PhantomData<&'a mut u64>,
}

/// Words of the arrays.
#[derive(Clone, Copy)]
struct Sizes {
    registers: usize,
    wires: usize,
    store: usize,
    storage: usize,
}

/// What the arrays are made of.
pub(super) struct ArraySlices<'a> {
    /// Planes of registers: present and next.
    pub present: &'a [u64],
    pub next: &'a mut [u64],
    /// Planes of wires, and [tables](super::scratch).
    pub wires: &'a mut [u64],
    /// Memories, payload registers, and [words on their way](super::scratch).
    pub store: &'a mut [u64],
    /// The part of the state of other tiles that holds inputs.
    pub storage: &'a [u64],
}

impl<'a> Arrays<'a> {
    /// # Safety
    /// Copies of them on different threads are used for different parts of one assembly: a part writes only to places of
    /// its own bundles and its own scratch, and reads, of other parts, only present registers and payload that this
    /// evaluation leaves alone.
    pub unsafe fn new(slices: ArraySlices<'a>) -> Self {
        let ArraySlices { present, next, wires, store, storage } = slices;
        assert_eq!(present.len(), next.len());
        let sizes = Sizes { registers: present.len(), wires: wires.len(), store: store.len(), storage: storage.len() };
        Self {
            present: present.as_ptr(),
            next: next.as_mut_ptr(),
            wires: wires.as_mut_ptr(),
            store: store.as_mut_ptr(),
            storage: storage.as_ptr(),
            sizes,
            lives: PhantomData,
        }
    }

    /// Calls compiled code.
    ///
    /// # Safety
    /// It was compiled for arrays of these sizes.
    #[inline(always)]
    pub unsafe fn call(&self, code: Kernel) {
        // SAFETY: the caller's; nobody else writes what it works on, by the promise of `new`.
        unsafe { code(self.present, self.next, self.wires) }
    }

    #[inline(always)]
    pub fn set_next(&self, at: usize, value: u64) {
        assert!(at < self.sizes.registers);
        // SAFETY: it is inside, and ours by the promise of `new`; here and below.
        unsafe { *self.next.add(at) = value }
    }

    #[inline(always)]
    pub fn present(&self, at: usize) -> u64 {
        assert!(at < self.sizes.registers);
        // SAFETY: see `set_next`.
        unsafe { *self.present.add(at) }
    }

    #[inline(always)]
    pub fn wire(&self, at: usize) -> u64 {
        assert!(at < self.sizes.wires);
        // SAFETY: see `set_next`.
        unsafe { *self.wires.add(at) }
    }

    #[inline(always)]
    pub fn set_wire(&self, at: usize, value: u64) {
        assert!(at < self.sizes.wires);
        // SAFETY: see `set_next`.
        unsafe { *self.wires.add(at) = value }
    }

    /// Places of 16 of the 64 lanes of the table that begins at a word of the wires, two in a word.
    #[inline(always)]
    fn sixteen(&self, at: usize, sixteen: usize) -> *mut [u32; 16] {
        assert!(sixteen < 4 && at < self.sizes.wires && self.sizes.wires - at >= 32);
        // SAFETY: they are inside.
        unsafe { self.wires.add(at + 8 * sixteen).cast() }
    }

    /// Reads [16 lanes](Self::sixteen) of a table.
    #[inline(always)]
    pub fn table(&self, at: usize, sixteen: usize) -> [u32; 16] {
        // SAFETY: see `set_next`; words are aligned for halves of them.
        unsafe { *self.sixteen(at, sixteen) }
    }

    /// Writes them.
    #[inline(always)]
    pub fn set_table(&self, at: usize, sixteen: usize, places: [u32; 16]) {
        // SAFETY: as for `table`.
        unsafe { *self.sixteen(at, sixteen) = places }
    }

    #[inline(always)]
    pub fn stored(&self, at: usize) -> u64 {
        assert!(at < self.sizes.store);
        // SAFETY: see `set_next`.
        unsafe { *self.store.add(at) }
    }

    #[inline(always)]
    pub fn set_stored(&self, at: usize, value: u64) {
        assert!(at < self.sizes.store);
        // SAFETY: see `set_next`.
        unsafe { *self.store.add(at) = value }
    }

    /// Copies words of the store; what is read is not written, or is the same.
    #[inline(always)]
    pub fn copy_stored(&self, from: usize, to: usize, words: usize) {
        assert!(words <= self.sizes.store && from.max(to) <= self.sizes.store - words);
        // SAFETY: see `set_next`.
        (0..words).for_each(|i| unsafe { *self.store.add(to + i) = *self.store.add(from + i) });
    }

    /// The store from a word on, for those who read it in all lanes at once.
    #[inline(always)]
    pub fn store_from(&self, at: usize) -> *const u64 {
        assert!(at < self.sizes.store);
        // SAFETY: it is inside.
        unsafe { self.store.add(at) }
    }

    #[inline(always)]
    pub fn storage(&self, at: usize) -> u64 {
        assert!(at < self.sizes.storage);
        // SAFETY: see `set_next`.
        unsafe { *self.storage.add(at) }
    }
}

/// Consecutive planes of one word: `count` of them, `stride` words apart.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Planes {
    pub first: usize,
    pub count: usize,
    pub stride: usize,
}

impl Planes {
    /// Places of the planes, lowest bit first.
    #[inline(always)]
    pub fn places(self) -> impl Iterator<Item = usize> {
        (0..self.count).map(move |bit| self.first + bit * self.stride)
    }

    /// Some of them.
    #[inline(always)]
    pub fn part(self, from: usize, count: usize) -> Self {
        Self { first: self.first + from * self.stride, count, ..self }
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

/// Lanes of a word from the first to the last that exists.
#[inline(always)]
pub(super) fn span(valid: u64) -> usize {
    64 - valid.leading_zeros() as usize
}
