//! Area of caches: the arrays that a cache of given parameters consists of, by the model of arrays.
//!
//! ```text
//!   parameters of a cache --> tags, lines, order, miss entries, fields: an Array each --cost [x LARGE_FACTOR]--> mm^2
//! ```
//!
//! The model of [`Array`] is calibrated to files of 48 to 128 entries and knows no wires between sub-arrays.
//! [`LARGE_FACTOR`], for what has a row a set or a line, brings the bank of the thesis' table 6.1 (128 KB) to the 1.73
//! mm^2 that its section 6.8 has from CACTI. Queues, the pipeline and what decides in it are not counted. Tables of a
//! prefetcher belong to the data cache beside them: they learn and are looked up in the same cycle, by two ports.
//!
//! The tags that a TSMA keeps to find the set of a returning line (its index tags) are left out in Kim's thesis; here
//! they are a part of their own.

use super::{Array, ArrayTechnology, Search};
use rtl::{
    cache::{Allocation, CacheParams},
    core::{CoreParams, prefetch::Table},
};

/// Area of a large array to that by the model; see the [module documentation](self).
pub const LARGE_FACTOR: f64 = 1.52;

/// Names of parts.
pub const LINES: &str = "lines";
/// See [`LINES`].
pub const ENTRIES: &str = "miss entries";
/// See [`LINES`].
pub const TARGETS: &str = "miss targets";
/// See [`LINES`].
pub const INDEX_TAGS: &str = "index tags";
/// See [`LINES`].
pub const CAM_ENTRIES: &str = "CAM miss entries";
/// See [`LINES`].
pub const ENTRY_NUMBERS: &str = "entry numbers in tags";
/// See [`LINES`].
pub const SHARE_BITS: &str = "share and hit bits";

/// Parts that handle misses; the others hold lines.
pub const MISS_HANDLING: [&str; 6] = [TARGETS, ENTRIES, CAM_ENTRIES, ENTRY_NUMBERS, SHARE_BITS, INDEX_TAGS];

/// What a cache consists of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CachePart {
    /// Which.
    pub name: &'static str,
    /// Its array.
    pub array: Array,
    /// It has a row for each set or line.
    pub large: bool,
}

/// The arrays of a cache.
pub fn parts(p: &CacheParams) -> Vec<CachePart> {
    let lines = p.sets * p.ways;
    let state = 1 + u32::from(p.writes_back()) + p.locality.unwrap_or(0) + u32::from(p.prefetches());
    let large = |name, entries, bits| CachePart { name, array: Array::ram(entries, bits), large: true };
    let small = |name, array| CachePart { name, array, large: false };
    let tags =
        Array { entries: lines, data_bits: state, tag_bits: p.tag_bits(), search: Search::Ways(p.ways), ports: 1 };
    let mut parts =
        vec![CachePart { name: "tags", array: tags, large: true }, large(LINES, lines, p.protocol.data_bits())];
    let waiting = p.waiting_requests().arrays(p.all_entries(), p.protocol.tag_bits);
    parts.extend(waiting.into_iter().map(|(entries, bits)| small(TARGETS, Array::ram(entries, bits))));
    if p.order_bits() > 0 {
        parts.push(large("order of lines", p.sets, p.order_bits()));
    }
    let shared = u32::from(p.allocation == Allocation::OnMiss) + u32::from(p.has_hit_bits());
    if shared > 0 {
        parts.push(large(SHARE_BITS, p.sets, p.ways * shared));
    }
    let key = p.protocol.line_number_bits();
    // In use; asked for by a prefetch, and by no read.
    let bits = 1 + 2 * u32::from(p.prefetches());
    let entries = Array { entries: p.entries, data_bits: bits, tag_bits: key, search: Search::All, ports: 1 };
    let names = large(ENTRY_NUMBERS, p.sets, p.ways * p.name_bits());
    let index_tags = small(INDEX_TAGS, Array::ram(p.entries, key));
    let compared = p.compared_entries();
    if p.entries_in_tags() {
        parts.extend([names, index_tags]);
        parts.extend((compared > 0).then(|| small(CAM_ENTRIES, Array { entries: compared, ..entries })));
    } else {
        let search = if compared < p.entries { Search::Ways(compared) } else { Search::All };
        parts.push(small(ENTRIES, Array { search, ..entries }));
    }
    parts
}

/// The tables of a core's prefetcher.
pub fn prefetch_tables(p: &CoreParams) -> Vec<CachePart> {
    let part = |table: Table| {
        let Table { name, entries, key_bits, data_bits } = table;
        let array = Array { entries, data_bits, tag_bits: key_bits, search: Search::All, ports: 2 };
        CachePart { name, array, large: false }
    };
    p.prefetch.kind.tables(p).into_iter().map(part).collect()
}

/// A kind of cache of a chip.
#[derive(Clone, PartialEq, Debug)]
pub struct CacheArea {
    /// How many there are.
    pub count: u32,
    /// Parts of one, mm^2.
    pub parts: Vec<(&'static str, f64)>,
}

impl CacheArea {
    /// `count` caches at a node of `nm`.
    pub fn new(p: &CacheParams, count: u32, nm: u32) -> Self {
        Self::of_parts(&parts(p), count, nm)
    }

    /// Of these parts.
    pub fn of_parts(parts: &[CachePart], count: u32, nm: u32) -> Self {
        // Areas do not depend on the supply.
        let technology = ArrayTechnology::scaled(nm, ArrayTechnology::NM130.supply_v);
        let mm2 = |part: &CachePart| {
            let factor = if part.large { LARGE_FACTOR } else { 1.0 };
            (part.name, factor * part.array.cost(&technology).area_mm2)
        };
        Self { count, parts: parts.iter().map(mm2).collect() }
    }

    /// Handling of misses in one of them, mm^2.
    pub fn misses_mm2(&self) -> f64 {
        self.parts.iter().filter(|(name, _)| MISS_HANDLING.contains(name)).map(|(_, mm2)| mm2).sum()
    }

    /// One of them, mm^2.
    pub fn one_mm2(&self) -> f64 {
        self.parts.iter().map(|(_, mm2)| mm2).sum()
    }

    /// All of them, mm^2.
    pub fn all_mm2(&self) -> f64 {
        f64::from(self.count) * self.one_mm2()
    }
}
