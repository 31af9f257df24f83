//! The miss entries of the cache and the requests that wait in them: what they are asked and told, what is counted and
//! checked.

use super::{
    decision::{Decision, Pending},
    fill::Fill,
    operation::Operation,
    poison::Poison,
    prefetches::Prefetches,
    set_row::SetRow,
    statistics,
};
use crate::{
    Allocation, CacheParams,
    miss::{MissCycle, MissEntries, SetView, miss_entries},
    waiting_requests::Waiting,
};
use hdl::{Builder, Signal, mux};
use protocol::MemoryRequest;

/// Entries, and the targets of each.
pub struct Misses<'m> {
    pub entries: MissEntries<'m>,
    pub targets: Waiting<'m>,
    /// Entries in use.
    pub used: Signal<'m>,
    /// The entry that the line would get.
    pub entry: Signal<'m>,
    /// The entry that it has.
    pub found_entry: Signal<'m>,
}

impl<'m> Misses<'m> {
    pub fn new(m: &'m Builder, p: &CacheParams) -> Self {
        let entries = MissEntries(m.instance("miss_entries", &miss_entries(p)));
        let waiting = p.waiting_requests().module(p.all_entries(), p.protocol.tag_bits);
        let targets = Waiting(m.instance("targets", &waiting));
        let (used, entry, found_entry) = (entries.used(), entries.entry(), entries.found_entry());
        Self { entries, targets, used, entry, found_entry }
    }

    /// How many pending lines get their way only when they come, where there are some.
    pub fn deferred(&self, p: &CacheParams) -> Option<Signal<'m>> {
        match p.allocation {
            Allocation::OnFill => Some(self.used),
            Allocation::OnMiss => p.misses.policy().says(self.entries.0).deferred,
        }
    }

    /// The entry that the line has takes another request.
    pub fn free_target(&self) -> Signal<'m> {
        match self.entries.found_bits().zip(self.targets.full()) {
            Some((found, full)) => (found & full).is_zero(),
            None => self.targets.free(),
        }
    }

    /// Asks for `line`, in this `row`; `next_line` is that of the next cycle.
    pub fn ask(&self, m: &'m Builder, p: &CacheParams, row: &SetRow<'m>, line: Signal<'m>, next_line: Signal<'m>) {
        self.entries.line(line);
        if p.misses.policy().in_tags() {
            self.entries.pending(row.pending_here.any());
            self.entries.name(row.name_here());
        }
        p.misses.policy().look(m, self.entries.0, &AskedSet { p, row, next_line });
    }

    /// What they say of it.
    pub fn pending(&self, m: &'m Builder, p: &CacheParams, poison: &Poison<'m>) -> Pending<'m> {
        let answer = p.misses.policy().says(self.entries.0);
        Pending {
            found: self.entries.found(),
            poisoned: poison.of(self.found_entry),
            reserves: answer.reserves.unwrap_or(m.lit(1, 1)),
            refuses: answer.refuses.unwrap_or(m.lit(1, 0)),
        }
    }

    /// Takes the request, or frees an entry.
    pub fn take(
        &self,
        m: &'m Builder,
        request: &MemoryRequest<'m>,
        decision: &Decision<'m>,
        fill: &Fill<'m>,
        (poison, prefetches): (&Poison<'m>, Option<&Prefetches<'m>>),
    ) {
        m.comment("Miss entries and their targets.");
        self.entries.take(decision.primary);
        self.entries.release(fill.ends);
        self.entries.released(fill.entry);
        fill.remember(m, decision.primary, self.entry, request.line);
        self.targets.open(decision.primary);
        self.targets.has_target(prefetches.map_or(!request.write, |of| !request.write & !of.held));
        self.targets.open_entry(self.entry);
        self.targets.append(decision.merged);
        self.targets.entry(self.found_entry);
        let entry = m.wire("entry_of_request", mux(decision.primary, self.entry, self.found_entry));
        self.targets.target(request.tag);
        poison.update(m, entry, decision.primary, decision.poisons);
        if let Some(prefetches) = prefetches {
            prefetches.update(m, entry, decision);
        }
    }

    /// Counts what becomes of misses.
    pub fn statistics(&self, m: &'m Builder, now: &Operation<'_, 'm>) {
        let Operation { p, s1_valid, row, fill, .. } = *now;
        m.histogram(statistics::ENTRIES_IN_USE, m.lit(1, 1), self.used);
        m.histogram(statistics::REQUESTS_PER_LINE, fill.ends, self.targets.drain_count());
        let (policy, cycle) = (p.misses.policy(), self.cycle(now));
        let compared = p.compared_entries();
        if compared > 0 {
            let asks = policy.looks_up(m, &cycle);
            let looks = m.wire("looks_up", s1_valid & !row.here.any() & asks);
            m.count(statistics::MSHR_LOOKUPS, looks);
            m.sum(statistics::MSHR_TAGS_COMPARED, looks, m.lit(16, u64::from(compared)));
        }
        policy.count(m, &cycle);
    }

    /// What the kind of handling sees of the cycle.
    fn cycle(&self, now: &Operation<'_, 'm>) -> MissCycle<'m> {
        let Operation { s1_valid, row, decision, .. } = *now;
        MissCycle {
            entries: self.entries.0,
            decides: s1_valid,
            pending_here: row.pending_here,
            reserved: row.reserved(),
            primary: decision.primary,
            reserves: decision.reserves,
            merged: decision.merged,
            refused: decision.refused,
        }
    }

    /// What must hold.
    pub fn checks(&self, m: &'m Builder, now: &Operation<'_, 'm>) {
        let Operation { p, row, decision, fill, change, .. } = *now;
        let policy = p.misses.policy();
        m.always("a line that comes has a way", !fill.keeps | change.way.any());
        if p.allocation == Allocation::OnMiss {
            m.always("a line that has its way finds it", !fill.fills | fill.deferred | row.pending_here.any());
            m.always("a reserved way was not reserved", !decision.reserves | (row.victim & row.reserved()).is_zero());
        }
        if policy.in_tags() {
            let name = row.name_here().extend(p.entry_bits());
            m.always("tags name the entry that comes", !fill.fills | fill.deferred | name.eq(fill.entry));
        }
        policy.check(m, &self.cycle(now));
    }
}

/// The set of the line that is asked for.
struct AskedSet<'a, 'm> {
    p: &'a CacheParams,
    row: &'a SetRow<'m>,
    next_line: Signal<'m>,
}

impl<'m> SetView<'m> for AskedSet<'_, 'm> {
    fn last_way(&self) -> Signal<'m> {
        self.row.last_way()
    }

    fn victim_hit(&self) -> Option<Signal<'m>> {
        self.p.has_hit_bits().then(|| self.row.victim_hit())
    }

    fn next_line(&self) -> Signal<'m> {
        self.next_line
    }
}
