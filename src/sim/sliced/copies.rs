//! Words that go from place to place in the store.
//!
//! Which lanes take part in a copy changes from cycle to cycle, and a loop over them would mispredict its end each
//! time. So copies of many registers and memories are listed first, 16 lanes at a time and without a branch, and then
//! made in one loop.

#![expect(unsafe_op_in_unsafe_fn, reason = "each of them is a list of places that the part vouches for")]

use super::{arrays::Arrays, lanes::Lanes};
use std::mem::MaybeUninit;

/// Copies that are listed before they are made.
const MOST: usize = 512;

/// A list of copies, all of equally many words, in order.
pub(super) struct Copies {
    words: usize,
    count: usize,
    from: [MaybeUninit<u32>; MOST + 16],
    to: [MaybeUninit<u32>; MOST + 16],
}

impl Copies {
    #[inline(always)]
    pub fn new() -> Self {
        let (from, to) = ([const { MaybeUninit::uninit() }; MOST + 16], [const { MaybeUninit::uninit() }; MOST + 16]);
        Self { words: 0, count: 0, from, to }
    }

    /// What is listed from here on are copies of so many words.
    #[inline(always)]
    pub unsafe fn of(&mut self, words: usize, arrays: &Arrays) {
        if self.words != words {
            self.make(arrays);
            self.words = words;
        }
    }

    /// Lists copies in `lanes`.
    #[inline(always)]
    pub unsafe fn push<L: Lanes>(&mut self, with: L, from: L::Sixteen, to: L::Sixteen, lanes: u16, arrays: &Arrays) {
        if self.count > MOST {
            self.make(arrays);
        }
        for (list, places) in [(&mut self.from, from), (&mut self.to, to)] {
            let end = list[self.count..].first_chunk_mut().expect("there is room for 16");
            with.pack(places, lanes, end);
        }
        self.count += lanes.count_ones() as usize;
    }

    /// Makes the copies that are listed.
    #[inline(always)]
    pub unsafe fn make(&mut self, arrays: &Arrays) {
        // Two words are the usual channel, one the control part of a flit.
        match self.words {
            1 => self.make_with(arrays, 1),
            2 => self.make_with(arrays, 2),
            words => self.make_with(arrays, words),
        }
    }

    #[inline(always)]
    unsafe fn make_with(&mut self, arrays: &Arrays, words: usize) {
        for (from, to) in self.from[..self.count].iter().zip(&self.to) {
            // As many are written as are counted.
            let [from, to] = [from, to].map(|place| place.assume_init() as usize);
            arrays.copy_stored(from, to, words);
        }
        self.count = 0;
    }
}
