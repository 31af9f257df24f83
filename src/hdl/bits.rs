//! Constants of any width.

use std::fmt;

/// A bit vector of fixed width (1 bit and up), kept as little-endian 64-bit words; bits above the width are zero.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Bits {
    width: u32,
    words: Vec<u64>,
}

impl Bits {
    /// The value `value` in `width` bits; bits that do not fit are dropped.
    pub fn new(width: u32, value: u64) -> Self {
        let mut words = vec![0; words_for(width)];
        if let Some(first) = words.first_mut() {
            *first = value;
        }
        Self { width, words }.masked()
    }

    /// All zero.
    pub fn zero(width: u32) -> Self {
        Self::new(width, 0)
    }

    /// All one.
    pub fn ones(width: u32) -> Self {
        Self { width, words: vec![u64::MAX; words_for(width)] }.masked()
    }

    /// From little-endian words; missing words are zero, surplus bits are dropped.
    pub fn from_words(width: u32, words: &[u64]) -> Self {
        let mut own = vec![0; words_for(width)];
        let n = own.len().min(words.len());
        own[..n].copy_from_slice(&words[..n]);
        Self { width, words: own }.masked()
    }

    fn masked(mut self) -> Self {
        let rest = self.width % 64;
        if rest != 0
            && let Some(last) = self.words.last_mut()
        {
            *last &= (1 << rest) - 1;
        }
        self
    }

    /// Width in bits.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Little-endian 64-bit words.
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// The low 64 bits.
    pub fn to_u64(&self) -> u64 {
        self.words.first().copied().unwrap_or(0)
    }

    /// Bit `index`; zero above the width.
    pub fn bit(&self, index: u32) -> bool {
        index < self.width && self.words[index as usize / 64] >> (index % 64) & 1 == 1
    }

    /// Sets bit `index`, which must lie within the width.
    pub fn set_bit(&mut self, index: u32, value: bool) {
        assert!(index < self.width, "bit {index} of a {}-bit constant", self.width);
        let word = &mut self.words[index as usize / 64];
        *word = *word & !(1 << (index % 64)) | u64::from(value) << (index % 64);
    }

    /// True when every bit is zero.
    pub fn is_zero(&self) -> bool {
        self.words.iter().all(|&w| w == 0)
    }

    /// `width` bits from bit `lo` on; bits above the own width read zero.
    pub fn slice(&self, lo: u32, width: u32) -> Self {
        let mut out = Self::zero(width);
        let (skip, shift) = (lo as usize / 64, lo % 64);
        for (i, word) in out.words.iter_mut().enumerate() {
            let low = self.words.get(skip + i).copied().unwrap_or(0);
            let high = self.words.get(skip + i + 1).copied().unwrap_or(0);
            *word = if shift == 0 { low } else { low >> shift | high << (64 - shift) };
        }
        out.masked()
    }

    /// Parts joined, the first part in the most significant place.
    pub fn concat(parts: &[Bits]) -> Self {
        let mut out = Self::zero(parts.iter().map(Bits::width).sum());
        let mut at = 0;
        for part in parts.iter().rev() {
            for i in 0..part.width {
                out.set_bit(at + i, part.bit(i));
            }
            at += part.width;
        }
        out
    }
}

/// Number of 64-bit words that hold `width` bits (at least one).
pub fn words_for(width: u32) -> usize {
    (width as usize).div_ceil(64).max(1)
}

/// Bits needed to tell `count` things apart: `ceil(log2(count))`, and at least 1, as a port cannot have no bits.
pub fn index_width(count: usize) -> u32 {
    (usize::BITS - count.saturating_sub(1).leading_zeros()).max(1)
}

impl fmt::LowerHex for Bits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = (self.width as usize).div_ceil(4).max(1);
        for i in (0..digits).rev() {
            write!(f, "{:x}", self.words[i / 16] >> (i % 16 * 4) & 15)?;
        }
        Ok(())
    }
}

impl fmt::Display for Bits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}'h{:x}", self.width, self)
    }
}

impl fmt::Debug for Bits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slices_and_joins_across_words() {
        let wide = Bits::from_words(130, &[0x0123_4567_89ab_cdef, 0xfedc_ba98_7654_3210, 3]);
        assert_eq!(wide.slice(60, 12).to_u64(), 0x100);
        assert_eq!(wide.slice(120, 16).to_u64(), 0x3fe);
        assert_eq!(Bits::concat(&[wide.slice(64, 66), wide.slice(0, 64)]), wide);
        assert_eq!(format!("{:x}", wide.slice(64, 66)), "3fedcba9876543210");
    }

    #[test]
    fn index_width_covers_small_counts() {
        assert_eq!([1, 2, 3, 4, 5, 64, 65].map(index_width), [1, 1, 2, 2, 3, 6, 7]);
    }
}
