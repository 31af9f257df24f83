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
    blocks::popcount,
    cache::{Allocation, CacheParams, events::Cause, miss::miss_entries},
    memory::protocol::MemoryRequest,
};
use hdl::{Builder, Child, Signal, mux};

/// Entries, and the targets of each.
pub struct Misses<'m> {
    pub entries: Child<'m>,
    pub targets: Child<'m>,
    /// Entries in use.
    pub used: Signal<'m>,
    /// The entry that the line would get.
    pub entry: Signal<'m>,
    /// The entry that it has.
    pub found_entry: Signal<'m>,
}

impl<'m> Misses<'m> {
    pub fn new(m: &'m Builder, p: &CacheParams) -> Self {
        let entries = m.instance("miss_entries", &miss_entries(p));
        let targets = m.instance("targets", &p.waiting_requests().module(p.all_entries(), p.protocol.tag_bits));
        let [used, entry, found_entry] = ["used", "entry", "found_entry"].map(|port| entries.get(port));
        Self { entries, targets, used, entry, found_entry }
    }

    /// How many pending lines get their way only when they come, where there are some.
    pub fn deferred(&self, p: &CacheParams) -> Option<Signal<'m>> {
        match p.allocation {
            Allocation::OnFill => Some(self.used),
            Allocation::OnMiss => p.cam_part().map(|_| self.entries.get("deferred")),
        }
    }

    /// The entry that the line has takes another request.
    pub fn free_target(&self, p: &CacheParams) -> Signal<'m> {
        match p.misses.policy().shows_bits() {
            true => (self.entries.get("found_bits") & self.targets.get("full")).is_zero(),
            false => self.targets.get("free"),
        }
    }

    /// Asks for `line`, in this `row`; `next_line` is that of the next cycle.
    pub fn ask(&self, m: &'m Builder, p: &CacheParams, row: &SetRow<'m>, line: Signal<'m>, next_line: Signal<'m>) {
        self.entries.drive("line", line);
        if p.misses.policy().in_tags() {
            self.entries.drive("pending", row.pending_here.any());
            self.entries.drive("name", row.name_here());
        }
        if p.cam_part().is_some() {
            self.entries.drive("last_way", row.last_way());
            self.entries.drive("is_protected", if p.has_hit_bits() { row.victim_hit() } else { m.lit(1, 1) });
            self.entries.drive("next_line", next_line);
        }
    }

    /// What they say of it.
    pub fn pending(&self, m: &'m Builder, p: &CacheParams, poison: &Poison<'m>) -> Pending<'m> {
        let of_cam_part = |port: &str, else_all: u64| match p.cam_part() {
            Some(_) => self.entries.get(port),
            None => m.lit(1, else_all),
        };
        Pending {
            found: self.entries.get("found"),
            poisoned: poison.of(self.found_entry),
            reserves: of_cam_part("reserves", 1),
            cam_full: of_cam_part("cam_full", 0),
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
        self.entries.drive("take", decision.primary);
        self.entries.drive("release", fill.ends);
        self.entries.drive("released", fill.entry);
        fill.remember(m, decision.primary, self.entry, request.line);
        self.targets.drive("open", decision.primary);
        self.targets.drive("has_target", prefetches.map_or(!request.write, |of| !request.write & !of.held));
        self.targets.drive("open_entry", self.entry);
        self.targets.drive("append", decision.merged);
        self.targets.drive("entry", self.found_entry);
        let entry = m.wire("entry_of_request", mux(decision.primary, self.entry, self.found_entry));
        self.targets.drive("target", request.tag);
        poison.update(m, entry, decision.primary, decision.poisons);
        if let Some(prefetches) = prefetches {
            prefetches.update(m, entry, decision);
        }
    }

    /// Counts what becomes of misses.
    pub fn statistics(&self, m: &'m Builder, now: &Operation<'_, 'm>) {
        let Operation { p, s1_valid, row, decision, fill, .. } = *now;
        m.histogram(statistics::ENTRIES_IN_USE, m.lit(1, 1), self.used);
        m.histogram(statistics::REQUESTS_PER_LINE, fill.ends, self.targets.get("drain_count"));
        let policy = p.misses.policy();
        let compared = p.compared_entries();
        if compared > 0 {
            // A CAM part is compared where the tags do not have the line, and only while it is not empty.
            let asks = match p.cam_part() {
                Some(_) => !row.pending_here.any() & self.entries.get("deferred").any(),
                None => m.lit(1, 1),
            };
            let looks = m.wire("looks_up", s1_valid & !row.here.any() & asks);
            m.count(statistics::MSHR_LOOKUPS, looks);
            m.sum(statistics::MSHR_TAGS_COMPARED, looks, m.lit(16, u64::from(compared)));
        }
        if policy.in_tags() {
            let of_cam_part = match p.cam_part() {
                Some(_) => decision.primary & !decision.reserves | decision.merged & self.entries.get("found_in_cam"),
                None => m.lit(1, 0),
            };
            m.count(statistics::CAM_ACCESSES, of_cam_part);
            m.count(statistics::TAG_ARRAY_ACCESSES, (decision.primary | decision.merged) & !of_cam_part);
            m.histogram(statistics::PENDING_WAYS, s1_valid, popcount(row.reserved()));
        }
    }

    /// What must hold.
    pub fn checks(&self, m: &'m Builder, now: &Operation<'_, 'm>) {
        let Operation { p, s1_valid, row, decision, fill, change, .. } = *now;
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
        if p.cam_part().is_some() {
            let twice = self.entries.get("found_in_cam") & row.pending_here.any();
            m.always("a line is pending in one part", !(s1_valid & twice));
            m.always("a set keeps a way that is not reserved", !s1_valid | !row.reserved().all());
        }
        let by = policy.keys();
        let unlimited = [(Cause::Entry, !by.entries), (Cause::Target, !by.targets)].into_iter().filter(|(_, is)| *is);
        let refusals = unlimited.map(|(cause, _)| decision.refused.bit(cause as u32));
        if let Some(refused) = refusals.reduce(|any, one| any | one) {
            m.always("unlimited miss entries refuse nothing", !refused);
        }
    }
}
