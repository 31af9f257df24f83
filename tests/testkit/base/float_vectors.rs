//! Operands that matter: special values, and random ones near the places where units go wrong.

use program::random::Random;
use std::ops::{Deref, DerefMut};

/// Zeros, subnormals, both ends of the normal range, ones and their neighbours, halves and integers at the limits of
/// conversion, infinities, quiet and signalling NaNs; each with both signs where that matters.
pub const SPECIAL: [u32; 44] = [
    0x0000_0000, // zeros
    0x8000_0000,
    0x0000_0001, // subnormals
    0x8000_0001,
    0x0000_0002,
    0x0040_0000,
    0x0055_5555,
    0x007f_ffff,
    0x807f_ffff,
    0x0080_0000, // smallest normal numbers
    0x8080_0000,
    0x0080_0001,
    0x00ff_ffff,
    0x0100_0000,
    0x0b80_0000, // products of these lie at the smallest subnormal
    0x1a00_0000,
    0x1f80_0000,
    0x2000_0000,
    0x337f_ffff, // around the last place of one
    0x3380_0000,
    0xb400_0000,
    0x3f00_0000, // one half, its neighbours
    0xbf00_0000,
    0x3eff_ffff,
    0x3f00_0001,
    0x3f80_0000, // one, its neighbours
    0xbf80_0000,
    0x3f7f_ffff,
    0x3f80_0001,
    0x3fc0_0000, // 1.5, 2.5
    0x4020_0000,
    0x4b7f_ffff, // around 2^24
    0x4b80_0001,
    0x4eff_ffff, // around 2^31 and 2^32
    0x4f00_0000,
    0xcf00_0000,
    0x4f80_0000,
    0x5f7f_ffff, // products of these lie at the largest finite number
    0x7f7f_ffff,
    0xff7f_ffff,
    0x7f80_0000, // infinities
    0xff80_0000,
    0x7f80_0001, // NaNs
    0xffc1_2345,
];

/// Draws operands near the places where units go wrong.
pub struct RandomOperands(Random);

impl Deref for RandomOperands {
    type Target = Random;

    fn deref(&self) -> &Random {
        &self.0
    }
}

impl DerefMut for RandomOperands {
    fn deref_mut(&mut self) -> &mut Random {
        &mut self.0
    }
}

impl RandomOperands {
    /// The same seed gives the same operands.
    pub fn new(seed: u64) -> Self {
        Self(Random::new(seed))
    }

    /// A single-precision word: any, special, subnormal, near overflow, near one; with any, few or nearly all fraction
    /// bits.
    pub fn float(&mut self) -> u32 {
        let exponent = match self.below(8) {
            0 => return SPECIAL[self.below(SPECIAL.len() as u64) as usize],
            1 => self.below(4),
            2 => 251 + self.below(4),
            3 | 4 => 117 + self.below(20),
            5 => 40 + self.below(48), // squares around the subnormals
            _ => self.below(256),
        };
        self.with_exponent(exponent as i64)
    }

    /// A word with the given exponent field (held within the finite range) and a fraction of any kind.
    pub fn with_exponent(&mut self, exponent: i64) -> u32 {
        let any = self.next_u64();
        let fraction = match self.below(4) {
            0 => 1 << self.below(23) | 1 << self.below(23),
            1 => !(1 << self.below(23)),
            2 => any << self.below(23),
            _ => any,
        } as u32;
        let sign = (any >> 63) as u32;
        (sign << 31) | ((exponent.clamp(0, 255) as u32) << 23) | (fraction & 0x7f_ffff)
    }

    /// A word close to `target`: a few last places away, of either sign, or some binary places smaller or greater.
    pub fn near(&mut self, target: u32) -> u32 {
        let sign = (self.below(2) as u32) << 31;
        match self.below(3) {
            0 => target.wrapping_add(self.below(9) as u32).wrapping_sub(4) ^ sign,
            1 => target ^ 1 << self.below(23) ^ sign,
            _ => {
                let exponent = i64::from(target >> 23 & 255);
                let away = self.below(60) as i64 - 30;
                self.with_exponent(exponent + away)
            }
        }
    }
}
