//! Files of miss status holding registers (MSHR) as Kim's thesis counts them: with the tags of their entries, or found by
//! number and with the tags shared with the cache.
//!
//! An entry has eight fields and is 56 bytes without its tag, which has 32 bits. Two views of a file without tags:
//! * [`file()`] found by [`Search::Index`]: as the source estimates it, a direct-mapped array with the tags and the comparator left in, in place
//!   of what the cache gets ([`extras`]);
//! * [`tagless`] and [`extras`]: the array without tags, and the bits and gates that section 5.1 and 5.2 list, counted.
//!
//! Source: K. Kim's thesis (2017), sections 5.1, 5.2 and 5.5.

use super::array::{Array, ArrayCost, ArrayTechnology, Search};
use hdl::index_width;
use rtl::cache::MissHandling;

/// Bits of an entry without its tag: eight fields, 56 bytes.
pub const ENTRY_BITS: u32 = 448;
/// Bits of a tag.
pub const TAG_BITS: u32 = 32;
/// Transistors of a bit of SRAM.
const CELL: u64 = 6;
/// Transistors of a priority encoder of 64 bits (section 5.5).
const ENCODER_64: u64 = 599;

/// A file of so many entries, which are found so.
pub fn file(entries: u32, search: Search) -> Array {
    Array { entries, data_bits: ENTRY_BITS, tag_bits: TAG_BITS, search, ports: 1 }
}

/// Every tag is compared.
pub fn conventional(entries: u32) -> Array {
    file(entries, Search::All)
}

/// The array alone of a file that has no tags.
pub fn tagless(entries: u32) -> Array {
    Array { tag_bits: 0, ..file(entries, Search::Index) }
}

/// The cache that shares its tags.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SharingCache {
    /// Sets.
    pub sets: u32,
    /// Blocks of a set.
    pub ways: u32,
}

/// What sharing tags adds to cache and MSHR file, in bits and transistors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Extras {
    /// Index and share bit of every cache block; with a second file the hit bit too, a counter of shared blocks a set and the empty bit.
    pub cache_bits: u32,
    /// Bit vector of free entries and the index register.
    pub index_bits: u32,
    /// All of it with the priority encoder, six transistors a bit.
    pub transistors: u64,
}

/// What a file of `entries` entries adds whose tags stand in the cache; `second`: there is another one that has its tags.
pub fn extras(entries: u32, cache: SharingCache, second: bool) -> Extras {
    let index = index_width(entries as usize);
    let (block, set) = if second { (index + 2, index_width(cache.ways as usize)) } else { (index + 1, 0) };
    let cache_bits = cache.sets * (cache.ways * block + set) + u32::from(second);
    let index_bits = entries + index;
    let encoder = (u64::from(entries) * ENCODER_64).div_ceil(64);
    Extras { cache_bits, index_bits, transistors: CELL * u64::from(cache_bits + index_bits) + encoder }
}

/// Files of one handling of misses, and the way through them: the search of all but the first, then the access of that.
#[derive(Clone, PartialEq, Debug)]
pub struct Files(Vec<ArrayCost>);

impl Files {
    /// Of `kind`, with so many entries, and so many in addition.
    pub fn new(kind: MissHandling, entries: u32, own: u32, technology: &ArrayTechnology) -> Self {
        let files = kind.policy().estimated(entries, own);
        Self(files.into_iter().map(|(entries, search)| file(entries, search).cost(technology)).collect())
    }

    /// mm^2.
    pub fn area_mm2(&self) -> f64 {
        self.0.iter().map(|file| file.area_mm2).sum()
    }

    /// mW, all in use all the time.
    pub fn dynamic_mw(&self) -> f64 {
        self.0.iter().map(ArrayCost::dynamic_mw).sum()
    }

    /// mW.
    pub fn leakage_mw(&self) -> f64 {
        self.0.iter().map(|file| file.leakage_mw).sum()
    }

    /// ns.
    pub fn critical_ns(&self) -> f64 {
        let Some((first, others)) = self.0.split_first() else { return 0.0 };
        others.iter().map(|file| file.tag_ns).sum::<f64>() + first.access_ns
    }
}
