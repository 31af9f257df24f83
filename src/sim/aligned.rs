//! Words that begin at a cache line, as vectors are loaded from there.

use std::{
    marker::PhantomData,
    ops::{Deref, DerefMut},
};

/// Bytes of a line, and of the longest vector.
const BYTES: usize = 64;

#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Line([u8; BYTES]);

/// Types of which all bytes may be anything.
pub(crate) trait Word: Copy {}
impl Word for u32 {}
impl Word for u64 {}

/// Words, zero at first. Pages that nobody touches cost nothing.
#[derive(Clone)]
pub(crate) struct AlignedWords<T: Word>(Box<[Line]>, PhantomData<T>);

impl<T: Word> AlignedWords<T> {
    /// So many words, and what is left of the last line.
    pub fn new(words: usize) -> Self {
        let lines = Box::new_zeroed_slice((words * size_of::<T>()).div_ceil(BYTES));
        // SAFETY: a line of zeros is a line.
        Self(unsafe { lines.assume_init() }, PhantomData)
    }

    fn len(&self) -> usize {
        self.0.len() * BYTES / size_of::<T>()
    }
}

impl<T: Word> Deref for AlignedWords<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        // SAFETY: a line is bytes without padding and aligned, so lines in a row are words in a row.
        unsafe { std::slice::from_raw_parts(self.0.as_ptr().cast(), self.len()) }
    }
}

impl<T: Word> DerefMut for AlignedWords<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as above, and the lines are ours alone.
        unsafe { std::slice::from_raw_parts_mut(self.0.as_mut_ptr().cast(), self.len()) }
    }
}
