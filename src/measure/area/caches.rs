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
//! Which arrays miss handling has it says itself ([`rtl::cache::miss::MissPolicy::arrays`]).

use super::{Array, ArrayTechnology, Search};
use rtl::{
    cache::{
        Allocation, CacheParams,
        miss::arrays::{ArrayAccesses, MissArray},
    },
    core::{CoreParams, prefetch::Table},
};

/// Area of a large array to that by the model; see the [module documentation](self).
pub const LARGE_FACTOR: f64 = 1.52;

/// What a cache consists of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CachePart {
    /// Which.
    pub name: &'static str,
    /// Its array.
    pub array: Array,
    /// It has a row for each set or line.
    pub large: bool,
    /// It handles misses; others hold lines.
    pub of_misses: bool,
    /// What is done with it.
    pub accesses: PartAccesses,
}

/// How often a part is read and written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PartAccesses {
    /// For each line that is read or written.
    Lines,
    /// By each miss, and when it is answered.
    Misses,
    /// As miss handling says, or with the tags of the set.
    Other(ArrayAccesses),
    /// Not told.
    Unknown,
}

impl CachePart {
    fn of_handling(array: MissArray) -> Self {
        let MissArray { name, entries, data_bits, tag_bits, search, of_sets, accesses } = array;
        let array = Array { entries, data_bits, tag_bits, search, ports: 1 };
        Self { name, array, large: of_sets, of_misses: true, accesses: PartAccesses::Other(accesses) }
    }
}

/// The arrays of a cache.
pub fn parts(p: &CacheParams) -> Vec<CachePart> {
    let lines = p.sets * p.ways;
    let state = 1 + u32::from(p.writes_back()) + p.locality.unwrap_or(0) + u32::from(p.prefetches());
    let with_tags = PartAccesses::Other(ArrayAccesses::Tags);
    let large = |name, array, accesses| CachePart { name, array, large: true, of_misses: false, accesses };
    let tags =
        Array { entries: lines, data_bits: state, tag_bits: p.tag_bits(), search: Search::Ways(p.ways), ports: 1 };
    let data = Array::ram(lines, p.protocol.data_bits());
    let mut parts = vec![large("tags", tags, with_tags), large("lines", data, PartAccesses::Lines)];
    let waiting = p.waiting_requests().arrays(p.all_entries(), p.protocol.tag_bits);
    parts.extend(waiting.into_iter().map(|(entries, bits)| CachePart {
        name: "miss targets",
        array: Array::ram(entries, bits),
        large: false,
        of_misses: true,
        accesses: PartAccesses::Misses,
    }));
    if p.order_bits() > 0 {
        parts.push(large("order of lines", Array::ram(p.sets, p.order_bits()), with_tags));
    }
    let shared = u32::from(p.allocation == Allocation::OnMiss) + u32::from(p.has_hit_bits());
    if shared > 0 {
        let bits = large("share and hit bits", Array::ram(p.sets, p.ways * shared), with_tags);
        parts.push(CachePart { of_misses: true, ..bits });
    }
    parts.extend(p.miss_arrays().into_iter().map(CachePart::of_handling));
    parts
}

/// The tables of a core's prefetcher.
pub fn prefetch_tables(p: &CoreParams) -> Vec<CachePart> {
    let part = |table: Table| {
        let Table { name, entries, key_bits, data_bits } = table;
        let array = Array { entries, data_bits, tag_bits: key_bits, search: Search::All, ports: 2 };
        CachePart { name, array, large: false, of_misses: false, accesses: PartAccesses::Unknown }
    };
    p.prefetch.kind.tables(p).into_iter().map(part).collect()
}

/// A kind of cache of a chip.
#[derive(Clone, PartialEq, Debug)]
pub struct CacheArea {
    /// How many there are.
    pub count: u32,
    /// Parts of one.
    pub parts: Vec<PartArea>,
}

/// Area of a part of a cache.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PartArea {
    /// Which.
    pub name: &'static str,
    /// mm^2.
    pub mm2: f64,
    /// It handles misses.
    pub of_misses: bool,
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
            let mm2 = factor * part.array.cost(&technology).area_mm2;
            PartArea { name: part.name, mm2, of_misses: part.of_misses }
        };
        Self { count, parts: parts.iter().map(mm2).collect() }
    }

    /// Handling of misses in one of them, mm^2.
    pub fn misses_mm2(&self) -> f64 {
        self.parts.iter().filter(|part| part.of_misses).map(|part| part.mm2).sum()
    }

    /// One of them, mm^2.
    pub fn one_mm2(&self) -> f64 {
        self.parts.iter().map(|part| part.mm2).sum()
    }

    /// All of them, mm^2.
    pub fn all_mm2(&self) -> f64 {
        f64::from(self.count) * self.one_mm2()
    }
}
