//! Random values for the inputs of blocks.

use crate::Bits;
use common::random::Random;
use std::ops::{Deref, DerefMut};

/// A [`Random`] that draws values of any width, too.
#[derive(Clone, Debug)]
pub struct Rng(Random);

impl Rng {
    /// The same seed gives the same numbers.
    pub fn new(seed: u64) -> Self {
        Self(Random::new(seed))
    }

    /// `width` random bits.
    pub fn bits(&mut self, width: u32) -> Bits {
        let words: Vec<_> = (0..width.div_ceil(64)).map(|_| self.next_u64()).collect();
        Bits::from_words(width, &words)
    }
}

impl Deref for Rng {
    type Target = Random;

    fn deref(&self) -> &Random {
        &self.0
    }
}

impl DerefMut for Rng {
    fn deref_mut(&mut self) -> &mut Random {
        &mut self.0
    }
}
