//! Tags of the lines that each warp of a core has lately lost from its data cache (victim tag array, VTA).
//!
//! ```text
//!  lost: warp, line ----->+-------------------------------------+
//!  miss: warp, line ----->| row of the warp and set:            |--> hit: the warp misses a line that it has lost
//!  store: warp, line ---->|  newest, ..., oldest tag, valid bits |
//!  starts (w) ----------->+-------------------------------------+
//! ```
//!
//! Contract: `hit` is combinational. A row is first in, first out: a lost line enters as the newest unless it is there.
//! A hit leaves the tag. A store takes the tag of its line from its own warp; a warp that starts has none. Of one
//! cycle, the store comes first.
//!
//! Choice: a store leaves the tags of other warps. To look at all rows it would need a comparator for each tag of the
//! core.
//!
//! Source: T. G. Rogers, M. O'Connor and T. M. Aamodt, *Cache-conscious wavefront scheduling* (MICRO 2012); Kim's
//! thesis, section 3.1. Testbench: `testbenches/victim_tags/`; tests: `tests/core/cache_conscious.rs`.

use blocks::{any_of, index_one_hot};
use hdl::{Builder, Module, Signal, index_width, params, ports, row};

/// Shape of the array.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct VictimTagsParams {
    /// Warps of the core.
    pub warps: u32,
    /// Sets of a warp, a power of two.
    pub sets: u32,
    /// Tags of a set.
    pub ways: u32,
    /// Bits of a line's number.
    pub line_bits: u32,
}

impl VictimTagsParams {
    fn set_bits(&self) -> u32 {
        self.sets.ilog2()
    }

    /// Bits of a tag.
    pub fn tag_bits(&self) -> u32 {
        self.line_bits - self.set_bits()
    }
}

/// What happens to a line of a warp.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LineEvent {
    /// It leaves the data cache, which the warp had brought it to.
    Lost,
    /// The warp misses it.
    Miss,
    /// The warp writes it.
    Store,
}

impl LineEvent {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Lost, Self::Miss, Self::Store];

    fn name(self) -> &'static str {
        match self {
            Self::Lost => "lost",
            Self::Miss => "miss",
            Self::Store => "store",
        }
    }
}

ports! {
    /// Ports of [`victim_tags`].
    pub struct VictimTagsPorts(p: &VictimTagsParams) of VictimTags {
        /// Whose line it happens to.
        in warp[event: LineEvent in LineEvent::ALL] as (event.name(), "warp"): index_width(p.warps as usize),
        /// Number of the line.
        in line[event: LineEvent in LineEvent::ALL] as (event.name(), "line"): p.line_bits,
        /// It happens.
        in happens[event: LineEvent in LineEvent::ALL] as (event.name()): 1,
        /// The warp misses a line that it has lost.
        out hit: 1,
        /// Warps that start a block: they have lost nothing.
        in starts: p.warps,
    }
}

/// A line of a warp.
struct WarpLine<'m> {
    valid: Signal<'m>,
    row: Signal<'m>,
    tag: Signal<'m>,
}

impl<'m> WarpLine<'m> {
    /// The one that `event` happens to.
    fn of(io: VictimTagsPorts<'m>, p: &VictimTagsParams, event: LineEvent) -> Self {
        let (warp, line) = (io.warp(event), io.line(event));
        let row = if p.sets == 1 { warp } else { warp.join(line.bits(0, p.set_bits())) };
        Self { valid: io.happens(event), row, tag: line.bits(p.set_bits(), p.tag_bits()) }
    }
}

/// The array.
pub fn victim_tags(p: &VictimTagsParams) -> Module {
    let m = Builder::new("victim_tags", params! { warps: p.warps, sets: p.sets, ways: p.ways, line_bits: p.line_bits });
    m.doc("Tags of the lines that each warp has lately lost from the data cache.");
    let io = VictimTagsPorts::new(&m, p);
    let rows = p.warps * p.sets;
    let tags = m.memory("tags", rows as usize, p.ways * p.tag_bits());
    let valid: Vec<_> = (0..p.ways).map(|way| m.register(("valid", way), rows, 0)).collect();
    let [lost, miss, store] = LineEvent::ALL.map(|event| WarpLine::of(io, p, event));
    let [of_lost, of_miss, of_store] = [(&lost, "lost_row"), (&miss, "miss_row"), (&store, "store_row")]
        .map(|(place, name)| m.wire(name, tags.read(place.row)).parts(p.tag_bits()));
    let [lost_here, miss_here, store_here] =
        [(&lost, &of_lost), (&miss, &of_miss), (&store, &of_store)].map(|(place, stored)| -> Vec<_> {
            stored.iter().zip(&valid).map(|(tag, valid)| tag.eq(place.tag) & valid.at(place.row)).collect()
        });

    io.hit(m.wire("found", miss.valid & any_of(&miss_here)));

    m.comment("A lost line enters its row as the newest.");
    let enters = m.wire("enters", lost.valid & !any_of(&lost_here));
    let newest_first = std::iter::once(lost.tag).chain(of_lost).take(p.ways as usize);
    m.when(enters, || tags.write(lost.row, row(newest_first)));

    m.comment("What a store writes is not lost; then the lost line enters.");
    let [entered, stored] = [(lost.row, enters), (store.row, store.valid)]
        .map(|(place, now)| index_one_hot(place, rows) & now.repeat(rows));
    let kept: Vec<_> =
        valid.iter().zip(store_here).map(|(valid, written)| *valid & !(stored & written.repeat(rows))).collect();
    let starts = row(io.starts().to_bits().into_iter().map(|start| start.repeat(p.sets)));
    for (way, valid) in valid.iter().enumerate() {
        let newer = if way == 0 { m.lit(1, 1) } else { kept[way - 1].at(lost.row) };
        m.set(*valid, (kept[way] & !entered | entered & newer.repeat(rows)) & !starts);
    }
    m.finish()
}
