//! Places of the predicates and registers of a warp, and sets of them.

use crate::isa::PT;

/// Where predicates and registers of a warp are: 32 words each, predicates first.
pub const SLOTS: usize = PREDICATES + 256;
const PREDICATES: usize = 8;

/// The place of a predicate, which holds all ones or zero.
pub fn predicate(index: u8) -> usize {
    usize::from(index & 7)
}

/// The place of a register.
pub fn register(number: u8) -> usize {
    PREDICATES + usize::from(number)
}

const _: () = assert!(PT as usize == PREDICATES - 1);

/// A set of slots.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Slots([u64; SLOTS.div_ceil(64)]);

impl Slots {
    /// All there are.
    pub const ALL: Self = Self([u64::MAX; SLOTS.div_ceil(64)]);

    /// Takes one in.
    pub fn insert(&mut self, slot: usize) {
        self.0[slot / 64] |= 1 << (slot % 64);
    }

    /// Puts one out.
    pub fn remove(&mut self, slot: usize) {
        self.0[slot / 64] &= !(1 << (slot % 64));
    }

    /// It is there.
    pub fn contains(&self, slot: usize) -> bool {
        self.0[slot / 64] >> (slot % 64) & 1 == 1
    }

    /// Those of both.
    pub fn union(self, other: Self) -> Self {
        Self(std::array::from_fn(|word| self.0[word] | other.0[word]))
    }
}
