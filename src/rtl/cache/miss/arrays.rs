//! Arrays that a handling of misses has, in words that a model of area and energy can price.

use hdl::Statistic;

/// How an entry of an array is found.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ArraySearch {
    /// By its number. With tag bits, the tag of that entry is compared.
    Index,
    /// By number of a set and comparison of the tags of its ways.
    Ways(u32),
    /// By comparison of all tags.
    All,
}

/// How often an array is read and written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ArrayAccesses {
    /// Searched by each access, written by each primary miss.
    Searches,
    /// Written by each primary miss, read when its line comes.
    Fills,
    /// Read and written with the tags of the set.
    Tags,
    /// As often as is counted: reads, writes.
    Counted(Statistic, Statistic),
}

/// An array.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MissArray {
    /// What it holds.
    pub name: &'static str,
    /// Entries, at least 1.
    pub entries: u32,
    /// Bits of an entry without its tag.
    pub data_bits: u32,
    /// Bits of a tag, or none.
    pub tag_bits: u32,
    /// How an entry is found.
    pub search: ArraySearch,
    /// It has a row for each set.
    pub of_sets: bool,
    /// What is done with it.
    pub accesses: ArrayAccesses,
}

/// The cache beside it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BesideCache {
    /// Sets.
    pub sets: u32,
    /// Lines of a set.
    pub ways: u32,
    /// Bits of a line's number.
    pub line_bits: u32,
    /// Bits that the cache keeps of each entry.
    pub entry_state_bits: u32,
}

impl MissArray {
    /// What the cache keeps of `entries` lines, with their numbers as tags.
    pub fn of_lines(name: &'static str, entries: u32, search: ArraySearch, cache: &BesideCache) -> Self {
        let BesideCache { line_bits, entry_state_bits, .. } = *cache;
        let accesses = ArrayAccesses::Searches;
        Self { name, entries, data_bits: entry_state_bits, tag_bits: line_bits, search, of_sets: false, accesses }
    }
}
