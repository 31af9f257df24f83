//! How textures are read.

use std::collections::BTreeMap;

/// What the bits of a channel mean.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Texel {
    /// An integer, or with a float as result a fraction of the largest one.
    Unsigned,
    /// The same with a sign.
    Signed,
    /// A float of 16 or 32 bits.
    Float,
}

/// What is read beyond an edge.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Beyond {
    /// The texel at the edge.
    Clamp,
    /// Zeros.
    Border,
    /// The texture again; normalised coordinates only.
    Wrap,
    /// The texture turned round; normalised coordinates only.
    Mirror,
}

/// How a texture is read. Code depends on it, so a kernel is compiled for it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct TextureFormat {
    /// One, two or three dimensions.
    pub dimensions: u32,
    /// Channels of a texel: 1, 2 or 4.
    pub channels: u32,
    /// Bits of a channel: 8, 16 or 32.
    pub bits: u32,
    /// What they mean.
    pub texel: Texel,
    /// Float coordinates go from 0 to 1.
    pub normalized: bool,
    /// Between the nearest texels, or else the one to the lower left.
    pub linear: bool,
    /// Beyond the edges of each dimension. Integer coordinates stop at the edge.
    pub beyond: [Beyond; 3],
}

impl TextureFormat {
    /// Bytes of a texel.
    pub fn texel_bytes(&self) -> u32 {
        self.channels * self.bits / 8
    }

    /// Kernels need not be compiled for it.
    pub fn is_plain(&self) -> bool {
        let plain = if self.dimensions == 1 { self.channels } else { 1 };
        let stops = |beyond: &Beyond| *beyond == Beyond::Clamp;
        (self.bits, self.channels) == (32, plain)
            && self.dimensions < 3
            && !self.normalized
            && !self.linear
            && self.beyond[..self.dimensions as usize].iter().all(stops)
    }

    /// What is read where nothing else is said, in three dimensions.
    pub(super) fn of_volumes() -> Self {
        let beyond = [Beyond::Clamp; 3];
        Self { dimensions: 3, channels: 1, bits: 32, texel: Texel::Float, normalized: false, linear: false, beyond }
    }
}

/// How textures are read, by their names in the PTX file. Of others nothing is known.
pub type TextureFormats = BTreeMap<String, TextureFormat>;
