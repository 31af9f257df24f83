//! The arrays that an evaluation works on.

/// Code of a kernel: present registers, next registers, wires.
pub(super) type Kernel = unsafe extern "C" fn(present: *const u64, next: *mut u64, wires: *mut u64);

/// The arrays of a running engine, as parts of it see them: several threads may hold them, each for its own part.
#[derive(Clone, Copy)]
pub(super) struct Arrays {
    /// Planes of registers: present and next.
    pub present: *const u64,
    pub next: *mut u64,
    /// Planes of wires, and [tables](super::scratch).
    pub wires: *mut u64,
    /// Memories, payload registers, and [words on their way](super::scratch).
    pub store: *mut u64,
    /// The part of the state of other tiles that holds inputs.
    pub storage: *const u64,
    /// Words of these: registers, wires, store, rest.
    pub sizes: [usize; 4],
}

// Whoever uses them has its places from the assembly, which hands out each place once, inside the arrays; a part writes
// only to places of its own bundles and its own scratch, and reads, of other parts, only present registers and payload
// that this evaluation leaves alone. In debug builds every place is checked.
impl Arrays {
    #[inline(always)]
    pub fn set_next(&self, at: usize, value: u64) {
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

    /// Places of 16 lanes, of the table that begins at a word of the wires.
    #[inline(always)]
    pub fn table(&self, at: usize, sixteen: usize) -> *mut [u32; 16] {
        debug_assert!(sixteen < 4 && at + 32 <= self.sizes[1]);
        // SAFETY: see above; a table has 64 places, two in a word.
        unsafe { self.wires.add(at + 8 * sixteen).cast() }
    }

    #[inline(always)]
    pub fn stored(&self, at: usize) -> u64 {
        debug_assert!(at < self.sizes[2]);
        // SAFETY: see above.
        unsafe { *self.store.add(at) }
    }

    #[inline(always)]
    pub fn set_stored(&self, at: usize, value: u64) {
        debug_assert!(at < self.sizes[2]);
        // SAFETY: see above.
        unsafe { *self.store.add(at) = value }
    }

    #[inline(always)]
    pub fn storage(&self, at: usize) -> u64 {
        debug_assert!(at < self.sizes[3]);
        // SAFETY: see above.
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
