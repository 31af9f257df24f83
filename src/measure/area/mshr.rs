//! Files of miss status holding registers (MSHR): conventional, set associative, tag shared (TSMA) and hybrid (HTSMA).
//!
//! An entry has eight fields and is 56 bytes without its tag, which has 32 bits. A TSMA has no tags: the tag of the
//! cache block is shared. Two views of it:
//! * [`tsma`]: as the source estimates it, a direct-mapped array with the tags and the comparator left in, in place of what the cache gets
//!   ([`extras`]);
//! * [`tagless`] and [`extras`]: the array without tags, and the bits and gates that section 5.1 and 5.2 list, counted.
//!
//! Source: K. Kim's thesis (2017), sections 5.1, 5.2 and 5.5.

use super::array::{Array, ArrayCost, ArrayTechnology, Search};
use hdl::index_width;

/// Bits of an entry without its tag: eight fields, 56 bytes.
pub const ENTRY_BITS: u32 = 448;
/// Bits of a tag.
pub const TAG_BITS: u32 = 32;
/// Transistors of a bit of SRAM.
const CELL: u64 = 6;
/// Transistors of a priority encoder of 64 bits (section 5.5).
const ENCODER_64: u64 = 599;

/// Every tag is compared.
pub fn conventional(entries: u32) -> Array {
    Array { entries, data_bits: ENTRY_BITS, tag_bits: TAG_BITS, search: Search::All, ports: 1 }
}

/// The tags of a set are compared.
pub fn set_associative(entries: u32, ways: u32) -> Array {
    Array { search: Search::Ways(ways), ..conventional(entries) }
}

/// A TSMA as the source estimates it.
pub fn tsma(entries: u32) -> Array {
    Array { search: Search::Index, ..conventional(entries) }
}

/// The array of a TSMA alone.
pub fn tagless(entries: u32) -> Array {
    Array { tag_bits: 0, ..tsma(entries) }
}

/// The cache that shares its tags.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SharingCache {
    /// Sets.
    pub sets: u32,
    /// Blocks of a set.
    pub ways: u32,
}

/// What a TSMA adds to cache and MSHR file, in bits and transistors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Extras {
    /// Index and share bit of every cache block; for the hybrid the hit bit too, a counter of shared blocks a set and the empty bit.
    pub cache_bits: u32,
    /// Bit vector of free entries and the index register.
    pub index_bits: u32,
    /// All of it with the priority encoder, six transistors a bit.
    pub transistors: u64,
}

/// What a TSMA of `entries` entries, or an HTSMA, adds.
pub fn extras(entries: u32, cache: SharingCache, hybrid: bool) -> Extras {
    let index = index_width(entries as usize);
    let (block, set) = if hybrid { (index + 2, index_width(cache.ways as usize)) } else { (index + 1, 0) };
    let cache_bits = cache.sets * (cache.ways * block + set) + u32::from(hybrid);
    let index_bits = entries + index;
    let encoder = (u64::from(entries) * ENCODER_64).div_ceil(64);
    Extras { cache_bits, index_bits, transistors: CELL * u64::from(cache_bits + index_bits) + encoder }
}

/// An HTSMA: both files, and the way through both, which is the search of the small one and then the access of the large one.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Hybrid {
    /// The tag shared file.
    pub tsma: ArrayCost,
    /// The small conventional one.
    pub small: ArrayCost,
}

impl Hybrid {
    /// With `entries` tag shared and `small` conventional entries.
    pub fn new(entries: u32, small: u32, technology: &ArrayTechnology) -> Self {
        Self { tsma: tsma(entries).cost(technology), small: conventional(small).cost(technology) }
    }

    /// mm^2.
    pub fn area_mm2(&self) -> f64 {
        self.tsma.area_mm2 + self.small.area_mm2
    }

    /// mW, both in use all the time.
    pub fn dynamic_mw(&self) -> f64 {
        self.tsma.dynamic_mw() + self.small.dynamic_mw()
    }

    /// mW.
    pub fn leakage_mw(&self) -> f64 {
        self.tsma.leakage_mw + self.small.leakage_mw
    }

    /// ns.
    pub fn critical_ns(&self) -> f64 {
        self.small.tag_ns + self.tsma.access_ns
    }
}
