//! The arrays that an evaluation works on.

use std::marker::PhantomData;

/// Code of a kernel: present registers, next registers, wires.
pub(super) type Kernel = unsafe extern "C" fn(present: *const u64, next: *mut u64, wires: *mut u64);

/// The arrays of a running engine, as parts of it see them: several threads may hold them, each for its own part.
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

/// # Safety
/// Of all functions but `new`: the places are those that the assembly, which hands out each place once, has given to the
/// part at work, inside arrays of these sizes; a part writes only to places of its own bundles and its own scratch, and
/// reads, of other parts, only present registers and payload that this evaluation leaves alone. In debug builds every
/// place is checked.
impl<'a> Arrays<'a> {
    pub fn new(slices: ArraySlices<'a>) -> Self {
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

    /// Calls compiled code of the part.
    #[inline(always)]
    pub unsafe fn call(&self, code: Kernel) {
        // SAFETY: the caller's, here and below.
        unsafe { code(self.present, self.next, self.wires) }
    }

    #[inline(always)]
    pub unsafe fn set_next(&self, at: usize, value: u64) {
        debug_assert!(at < self.sizes.registers);
        // SAFETY: the caller's.
        unsafe { *self.next.add(at) = value }
    }

    #[inline(always)]
    pub unsafe fn present(&self, at: usize) -> u64 {
        debug_assert!(at < self.sizes.registers);
        // SAFETY: the caller's.
        unsafe { *self.present.add(at) }
    }

    #[inline(always)]
    pub unsafe fn wire(&self, at: usize) -> u64 {
        debug_assert!(at < self.sizes.wires);
        // SAFETY: the caller's.
        unsafe { *self.wires.add(at) }
    }

    #[inline(always)]
    pub unsafe fn set_wire(&self, at: usize, value: u64) {
        debug_assert!(at < self.sizes.wires);
        // SAFETY: the caller's.
        unsafe { *self.wires.add(at) = value }
    }

    /// Places of 16 of the 64 lanes of the table that begins at a word of the wires, two in a word.
    #[inline(always)]
    unsafe fn sixteen(&self, at: usize, sixteen: usize) -> *mut [u32; 16] {
        debug_assert!(sixteen < 4 && at < self.sizes.wires && self.sizes.wires - at >= 32);
        // SAFETY: the caller's.
        unsafe { self.wires.add(at + 8 * sixteen).cast() }
    }

    /// Reads [16 lanes](Self::sixteen) of a table.
    #[inline(always)]
    pub unsafe fn table(&self, at: usize, sixteen: usize) -> [u32; 16] {
        // SAFETY: the caller's.
        unsafe { *self.sixteen(at, sixteen) }
    }

    /// Writes them.
    #[inline(always)]
    pub unsafe fn set_table(&self, at: usize, sixteen: usize, places: [u32; 16]) {
        // SAFETY: the caller's.
        unsafe { *self.sixteen(at, sixteen) = places }
    }

    #[inline(always)]
    pub unsafe fn stored(&self, at: usize) -> u64 {
        debug_assert!(at < self.sizes.store);
        // SAFETY: the caller's.
        unsafe { *self.store.add(at) }
    }

    #[inline(always)]
    pub unsafe fn set_stored(&self, at: usize, value: u64) {
        debug_assert!(at < self.sizes.store);
        // SAFETY: the caller's.
        unsafe { *self.store.add(at) = value }
    }

    /// Copies words of the store; what is read is not written, or is the same.
    #[inline(always)]
    pub unsafe fn copy_stored(&self, from: usize, to: usize, words: usize) {
        debug_assert!(words <= self.sizes.store && from.max(to) <= self.sizes.store - words);
        // SAFETY: the caller's.
        (0..words).for_each(|i| unsafe { *self.store.add(to + i) = *self.store.add(from + i) });
    }

    /// The store from a word on, for those who read it in all lanes at once.
    #[inline(always)]
    pub unsafe fn store_from(&self, at: usize) -> *const u64 {
        debug_assert!(at < self.sizes.store);
        // SAFETY: the caller's.
        unsafe { self.store.add(at) }
    }

    #[inline(always)]
    pub unsafe fn storage(&self, at: usize) -> u64 {
        debug_assert!(at < self.sizes.storage);
        // SAFETY: the caller's.
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
