//! The row of a set: what it says of a line, and how it changes.

use super::{decision::Decision, fill::Fill, walk::Walk};
use crate::{
    Allocation, CacheParams,
    index::{line_of, set_of},
    set_array::{SetArray, set_array},
};
use blocks::{lowest_set, one_hot_index, one_hot_mux};
use hdl::{Builder, Bundle, Signal, bundle, mux, row as joined};

bundle! {
    /// What the tags hold of a way.
    pub struct TaggedLine(p: &CacheParams) {
        /// The line is here.
        valid: 1,
        /// It differs from memory.
        maybe dirty: u32::from(p.writes_back()),
        /// The way is reserved for a line that is pending.
        maybe pending: u32::from(p.allocation == Allocation::OnMiss),
        /// It was hit since it came or was protected.
        maybe hit: u32::from(p.has_hit_bits()),
        /// It was prefetched, and nobody has read it.
        maybe unused: u32::from(p.prefetches()),
        /// Warp that brought it.
        maybe warp: p.locality.unwrap_or(0),
        tag: p.tag_bits(),
    }
}

/// The arrays with a row for each set.
pub struct Sets<'m> {
    tags: SetArray<'m>,
    order: Option<SetArray<'m>>,
    names: Option<SetArray<'m>>,
}

/// The row of a set, compared with the number of a line; a bit for each way, or a word of it.
pub struct SetRow<'m> {
    lines: Vec<TaggedLine<'m>>,
    order: Option<Signal<'m>>,
    names: Vec<Signal<'m>>,
    /// The wanted line is here.
    pub here: Signal<'m>,
    /// The wanted line is pending; zero with allocation on fill.
    pub pending_here: Signal<'m>,
    /// The way that leaves (one-hot); zero when all are reserved.
    pub victim: Signal<'m>,
    valid: Signal<'m>,
    dirty: Signal<'m>,
    pending: Signal<'m>,
    hit: Signal<'m>,
    unused: Signal<'m>,
}

impl<'m> Sets<'m> {
    pub fn new(m: &'m Builder, p: &CacheParams, walk: &Walk<'m>, next_line: Signal<'m>) -> Self {
        let read_set = mux(walk.busy, walk.next_set(), set_of(p.index, next_line, p.set_bits()));
        let read_set = m.wire("read_set", read_set);
        let array = |name: &str, width: u32| {
            let array = SetArray(m.instance(name, &set_array(p.sets, width)));
            array.read_set(read_set);
            array
        };
        let tags = array("tags", p.ways * TaggedLine::width(p));
        let some = |name: &str, width: u32| (width > 0).then(|| array(name, width));
        let names = if p.misses.policy().in_tags() { p.ways * p.name_bits() } else { 0 };
        Self { tags, order: some("order", p.order_bits()), names: some("names", names) }
    }

    /// The row that was read, for the line `wanted`.
    pub fn row(&self, m: &'m Builder, p: &CacheParams, wanted: Signal<'m>) -> SetRow<'m> {
        let words = self.tags.row().parts(TaggedLine::width(p));
        let lines: Vec<_> = words.into_iter().map(|word| TaggedLine::unpack(word, p)).collect();
        let tag = wanted.bits(p.set_bits(), p.tag_bits());
        let equal = m.wire("tag_equal", joined(lines.iter().map(|line| line.tag.eq(tag))));
        let valid = joined(lines.iter().map(|line| line.valid));
        let none = m.lit(p.ways, 0);
        let all = |bit: fn(&TaggedLine<'m>) -> Option<Signal<'m>>| {
            let bits: Option<Vec<_>> = lines.iter().map(bit).collect();
            bits.map_or(none, joined)
        };
        let (dirty, pending, hit) = (all(|line| line.dirty), all(|line| line.pending), all(|line| line.hit));
        let unused = all(|line| line.unused);
        let order = self.order.map(SetArray::row);
        let (free, candidates) = (m.wire("free_ways", !valid & !pending), m.wire("victims", !pending));
        let oldest = if p.ways > 1 { p.replacement.policy().victim(m, order, candidates) } else { candidates };
        SetRow {
            here: m.wire("here", equal & valid),
            pending_here: m.wire("pending_here", equal & pending),
            victim: m.wire("victim", mux(free.any(), lowest_set(free), oldest)),
            valid,
            dirty: m.wire("dirty", dirty & valid),
            pending,
            hit,
            unused,
            names: self.names.map_or(vec![], |array| array.row().parts(p.name_bits())),
            lines,
            order,
        }
    }

    /// Writes the changed row.
    pub fn write(&self, m: &'m Builder, p: &CacheParams, row: &SetRow<'m>, change: &Change<'m>, entry: Signal<'m>) {
        let drive = |array: SetArray<'m>, name: &str, word: Signal<'m>| {
            array.write(change.writes);
            array.write_set(change.set);
            array.write_row(m.wire(name, word));
        };
        let zero = |word: Signal<'m>| mux(change.clears, 0, word);
        drive(
            self.tags,
            "tags_written",
            zero(joined(row.lines.iter().enumerate().map(|(w, l)| change.line(*l, w as u32)))),
        );
        if let (Some(array), Some(order)) = (self.order, row.order) {
            let policy = p.replacement.policy();
            let updated = mux(change.touches, policy.update(order, change.way, change.brings), order);
            let initial = policy.initial(p.ways).signal(m);
            drive(array, "order_written", mux(change.clears, initial, updated));
        }
        if let Some(array) = self.names {
            let names = row.names.iter().zip(change.way.to_bits());
            let entry = entry.resize(p.name_bits());
            let named = names.map(|(name, way)| mux(way & change.reserves, entry, *name));
            drive(array, "names_written", zero(joined(named)));
        }
    }
}

impl<'m> SetRow<'m> {
    /// Name of the miss entry of the wanted line, which is pending.
    pub fn name_here(&self) -> Signal<'m> {
        one_hot_mux(self.pending_here, &self.names)
    }

    /// The victim differs from memory.
    pub fn victim_dirty(&self) -> Signal<'m> {
        (self.victim & self.dirty).any()
    }

    /// The victim is a line.
    fn victim_valid(&self) -> Signal<'m> {
        (self.victim & self.valid).any()
    }

    /// The victim is a line that was hit.
    pub fn victim_hit(&self) -> Signal<'m> {
        (self.victim & self.hit & self.valid).any()
    }

    /// The wanted line is here, was prefetched, and nobody has read it.
    pub fn unused_here(&self) -> Signal<'m> {
        (self.here & self.unused).any()
    }

    /// The victim is such a line.
    pub fn victim_unused(&self) -> Signal<'m> {
        (self.victim & self.valid & self.unused).any()
    }

    /// One way alone is not reserved.
    pub fn last_way(&self) -> Signal<'m> {
        let free = !self.pending;
        (free & (free - 1)).is_zero()
    }

    /// Ways that are reserved, a bit each.
    pub fn reserved(&self) -> Signal<'m> {
        self.pending
    }

    /// Warps that brought the lines.
    pub fn owners(&self) -> Vec<Signal<'m>> {
        self.lines.iter().filter_map(|line| line.warp).collect()
    }

    /// A line of the set differs from memory.
    pub fn dirty_any(&self) -> Signal<'m> {
        self.dirty.any()
    }
}

/// What happens to the row in this cycle.
pub struct Change<'m> {
    /// The row is written.
    pub writes: Signal<'m>,
    /// Its set.
    pub set: Signal<'m>,
    /// All of it is cleared.
    clears: Signal<'m>,
    /// The way that it happens to (one-hot).
    pub way: Signal<'m>,
    /// The place of that way among the lines.
    pub place: Signal<'m>,
    /// The way was used.
    touches: Signal<'m>,
    /// Another line gets the way.
    brings: Signal<'m>,
    /// The way is reserved.
    reserves: Signal<'m>,
    fills: Signal<'m>,
    /// The line that comes stays.
    keeps: Signal<'m>,
    /// The way was hit.
    hits: Signal<'m>,
    /// By a read.
    reads: Signal<'m>,
    /// The line that comes was prefetched, and nobody waits for it.
    unused: Option<Signal<'m>>,
    /// It is protected, or leaves.
    protects: Signal<'m>,
    /// A line leaves for another one.
    pub evicts: Signal<'m>,
    /// Who brings the line, where lines know it.
    bringer: Option<Signal<'m>>,
    /// The line is changed.
    changes: Signal<'m>,
    /// The line is forgotten.
    forgets: Signal<'m>,
    /// A dirty line leaves.
    pub writes_back: Signal<'m>,
    /// Of a walk.
    pub walks_back: Signal<'m>,
    /// Its number.
    pub leaving: Signal<'m>,
    tag: Signal<'m>,
}

impl<'m> Change<'m> {
    pub fn new(
        m: &'m Builder,
        p: &CacheParams,
        row: &SetRow<'m>,
        decision: &Decision<'m>,
        fill: &Fill<'m>,
        walk: &Walk<'m>,
        (requested, bringer, unused): (Signal<'m>, Option<Signal<'m>>, Option<Signal<'m>>),
    ) -> Self {
        let on_miss = p.allocation == Allocation::OnMiss;
        let no = m.lit(1, 0);
        let reserves = if on_miss { decision.reserves } else { no };
        let filled_way = if !on_miss {
            row.victim
        } else if p.misses.policy().defers() {
            mux(fill.deferred, row.victim, row.pending_here)
        } else {
            row.pending_here
        };
        let replaces = m.wire("replaces", reserves | fill.keeps & fill.deferred);
        let of_request = mux(decision.primary, row.victim, row.here | row.pending_here);
        let way = mux(walk.writes_back, lowest_set(row.dirty), mux(fill.fills, filled_way, of_request));
        let way = m.wire("way", way);
        let line = mux(fill.fills, fill.line, requested);
        let set = m.wire("set", mux(walk.busy, walk.set, set_of(p.index, line, p.set_bits())));
        let clears = m.wire("set_cleared", walk.clears_set(p));
        let merged = if on_miss { decision.merged & row.pending_here.any() } else { no };
        // A victim that was protected, or that leaves, loses its hit bit.
        let protects = if p.has_hit_bits() { decision.primary } else { no };
        let uses = decision.hits | reserves | merged;
        let tags: Vec<_> = row.lines.iter().map(|line| line.tag).collect();
        Self {
            writes: m.wire("row_written", clears | walk.writes_back | fill.fills | uses | protects),
            set,
            clears,
            way,
            place: m.wire("place", place(p, set, way)),
            touches: fill.keeps | uses,
            brings: reserves | fill.keeps,
            reserves,
            fills: fill.fills,
            keeps: fill.keeps,
            hits: decision.hits,
            reads: decision.read_hit,
            unused,
            protects,
            evicts: replaces & row.victim_valid(),
            bringer,
            changes: decision.dirties,
            forgets: decision.forgets,
            writes_back: m.wire("writes_back", replaces & row.victim_dirty() | walk.writes_back),
            walks_back: walk.writes_back,
            leaving: m.wire("leaving_line", line_of(p.index, one_hot_mux(way, &tags), set)),
            tag: line.bits(p.set_bits(), p.tag_bits()),
        }
    }

    /// What the tags hold of way `w` afterwards.
    fn line(&self, line: TaggedLine<'m>, w: u32) -> Signal<'m> {
        let mine = self.way.bit(w);
        let brought = mine & self.brings;
        let cleaned = brought | mine & (self.walks_back | self.forgets);
        let changed = TaggedLine {
            valid: (line.valid | mine & self.keeps) & !(mine & (self.reserves | self.forgets)),
            dirty: line.dirty.map(|dirty| (dirty | mine & self.changes) & !cleaned),
            pending: line.pending.map(|pending| (pending | mine & self.reserves) & !(mine & self.fills)),
            hit: line.hit.map(|hit| hit & !(brought | mine & self.protects) | mine & self.hits),
            unused: line.unused.map(|unused| {
                let comes = self.unused.unwrap_or(unused);
                mux(brought, comes, unused & !(mine & self.reads))
            }),
            warp: line.warp.map(|warp| self.bringer.map_or(warp, |bringer| mux(brought, bringer, warp))),
            tag: mux(brought, self.tag, line.tag),
        };
        changed.pack()
    }
}

/// The place of a way of a set among the lines.
fn place<'m>(p: &CacheParams, set: Signal<'m>, way: Signal<'m>) -> Signal<'m> {
    if p.ways == 1 { set } else { set.join(one_hot_index(way)) }
}
