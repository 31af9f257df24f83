//! Prefetches: they come when nothing else does, and ask for lines that nobody waits for.

use super::{CachePorts, decision::Decision, operation::Operation, statistics};
use crate::{
    CacheParams,
    events::{PrefetchEvents, PrefetchRequest},
    params::Prefetching,
};
use blocks::index_one_hot;
use hdl::{Builder, Signal, mux};
use protocol::MemoryRequest;

/// The port, and two bits for each miss entry.
pub struct Prefetches<'m> {
    /// What is shown.
    pub request: PrefetchRequest<'m>,
    /// It is taken into the request register.
    pub req_fire: Signal<'m>,
    /// The request in the register is a prefetch.
    pub held: Signal<'m>,
    /// A prefetch has asked for the line of the entry.
    opened: Signal<'m>,
    /// And no read has followed.
    unused: Signal<'m>,
}

impl<'m> Prefetches<'m> {
    /// Where there is a port.
    pub fn new(m: &'m Builder, p: &CacheParams, io: CachePorts<'m>) -> Option<Self> {
        p.prefetches().then(|| {
            m.comment("Prefetches.");
            Self {
                request: io.prefetch().inputs(),
                req_fire: m.wire_later("prefetch_fire", 1),
                held: m.register("held_prefetch", 1, 0),
                opened: m.register("opened_by_prefetch", p.all_entries(), 0),
                unused: m.register("prefetch_unused", p.all_entries(), 0),
            }
        })
    }

    /// Takes a prefetch into the request register where that is `possible`; `other`: a request comes.
    pub fn take(
        &self,
        m: &'m Builder,
        io: CachePorts<'m>,
        request: &MemoryRequest<'m>,
        possible: Signal<'m>,
        other: Signal<'m>,
    ) {
        m.assign(self.req_fire, possible & self.request.valid);
        io.prefetch().answer().shows(self.req_fire);
        m.when(self.req_fire, || {
            m.set(request.valid, 1);
            m.set(request.write, 0);
            m.set(request.line, self.request.line);
        });
        m.when(self.req_fire | other, || m.set(self.held, self.req_fire));
    }

    /// From the turn of whatever is in the register: that of other requests, and that of a prefetch, which does not wait for the reply queue.
    /// `row_here`: the row of the set has been read, and nothing else needs it.
    pub fn turns(
        &self,
        m: &'m Builder,
        s1_valid: Signal<'m>,
        [valid, row_here]: [Signal<'m>; 2],
    ) -> (Signal<'m>, Option<Signal<'m>>) {
        let prefetch = m.wire("s1_prefetch", valid & self.held);
        m.always("a prefetch is decided in the cycle after it is taken", !prefetch | row_here);
        (m.wire("s1_other", s1_valid & !self.held), Some(prefetch))
    }

    /// Whether the line of `entry`, which is not `poisoned`, is kept.
    pub fn stays(&self, p: &CacheParams, entry: Signal<'m>, sound: Signal<'m>) -> Signal<'m> {
        if p.prefetching == Prefetching::Only { sound & self.opened.at(entry) } else { sound }
    }

    /// A prefetch has asked for the line of `entry`.
    pub fn opened(&self, entry: Signal<'m>) -> Signal<'m> {
        self.opened.at(entry)
    }

    /// A prefetch has asked for the line of `entry`, and no read has.
    pub fn unused(&self, entry: Signal<'m>) -> Signal<'m> {
        self.unused.at(entry)
    }

    /// The line of `entry` becomes pending, or is read.
    pub fn update(&self, m: &'m Builder, entry: Signal<'m>, decision: &Decision<'m>) {
        let mine = index_one_hot(entry, self.opened.width());
        let by_prefetch = self.held.repeat(mine.width());
        let of = |bits: Signal<'m>| mux(decision.primary, bits & !mine | mine & by_prefetch, bits);
        m.set(self.opened, of(self.opened));
        m.set(self.unused, of(self.unused) & !(mine & decision.merged.repeat(mine.width())));
    }

    /// Counts what becomes of the lines, and shows it. `found`: the entry of the request's line.
    pub fn outputs(&self, m: &'m Builder, io: CachePorts<'m>, now: &Operation<'_, 'm>, found: Signal<'m>) {
        let Operation { row, decision, fill, change, .. } = *now;
        let issued = decision.prefetch.as_ref().map_or(m.lit(1, 0), |of| of.issued);
        let useful = m.wire("useful", decision.read_hit & row.unused_here());
        let late = m.wire("late", decision.merged & self.unused(found));
        // A line that a write forgets or poisons is lost as one that leaves.
        let poisoned = fill.fills & !fill.keeps & self.unused(fill.entry);
        let left = change.evicts & row.victim_unused() | decision.forgets & row.unused_here();
        let useless = m.wire("useless", left | poisoned);
        m.count(statistics::USEFUL_PREFETCHES, useful);
        m.count(statistics::LATE_PREFETCHES, late);
        m.count(statistics::USELESS_PREFETCHES, useless);
        let events = PrefetchEvents {
            issued: m.delayed("event_issued", issued),
            useful: m.delayed("event_useful", useful),
            late: m.delayed("event_late", late),
            useless: m.delayed("event_useless", useless),
            merged: m.delayed("event_merged", decision.merged),
            asked: m.delayed("event_asked", decision.primary),
        };
        io.prefetch_event(events);
    }
}
