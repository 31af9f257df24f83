//! What becomes of the request in the register.

use super::{prefetch_outcome::PrefetchOutcome, set_row::SetRow, statistics};
use crate::{Allocation, CacheParams, MissHandling, WriteHit, WriteMiss, WritePending};
use hdl::{Builder, Signal, mux, row as joined};
use protocol::MemoryRequest;

/// Where there is room.
pub struct FreeSpace<'m> {
    /// In the reply queue.
    pub reply: Signal<'m>,
    /// Among the requests below.
    pub request: Signal<'m>,
    /// For a dirty line that leaves now, or when the line comes.
    pub write_back: Signal<'m>,
    /// In the entry of the pending line.
    pub target: Signal<'m>,
    /// For another pending line.
    pub entry: Signal<'m>,
}

/// What the miss entries say of the line.
pub struct Pending<'m> {
    /// It is pending.
    pub found: Signal<'m>,
    /// It is to be forgotten when it comes.
    pub poisoned: Signal<'m>,
    /// If it becomes pending, it gets its way now.
    pub reserves: Signal<'m>,
    /// The handling refuses it for a cause of its own.
    pub refuses: Signal<'m>,
}

/// The decision; all are zero when it is not the request's turn. A prefetch is done in any case.
pub struct Decision<'m> {
    /// The request is done here.
    pub accepted: Signal<'m>,
    /// It is answered now.
    pub answers: Signal<'m>,
    /// It finds its line.
    pub hits: Signal<'m>,
    /// It reads its line, which is here.
    pub read_hit: Signal<'m>,
    /// Its line becomes pending.
    pub primary: Signal<'m>,
    /// It gets its way.
    pub reserves: Signal<'m>,
    /// It waits for a pending line.
    pub merged: Signal<'m>,
    /// A write poisons its line, which is pending.
    pub poisons: Signal<'m>,
    /// A write goes below.
    pub forwards: Signal<'m>,
    /// The line is written.
    pub changes_line: Signal<'m>,
    /// The line differs from memory from now on.
    pub dirties: Signal<'m>,
    /// The line leaves.
    pub forgets: Signal<'m>,
    /// What becomes of a prefetch, where there are some.
    pub prefetch: Option<PrefetchOutcome<'m>>,
    /// It stays in the register, by [`Cause`](crate::events::Cause).
    pub refused: Signal<'m>,
}

impl<'m> Decision<'m> {
    pub fn new(
        m: &'m Builder,
        p: &CacheParams,
        (s1_valid, prefetch_turn): (Signal<'m>, Option<Signal<'m>>),
        request: &MemoryRequest<'m>,
        row: &SetRow<'m>,
        entries: &Pending<'m>,
        free: &FreeSpace<'m>,
    ) -> Self {
        let no = m.lit(1, 0);
        let (read, write) =
            (m.wire("s1_read", s1_valid & !request.write), m.wire("s1_write", s1_valid & request.write));
        let here = m.wire("line_here", row.here.any());
        let pending = m.wire("line_pending", entries.found);
        let absent = !here & !pending;
        // A miss needs an entry, a request below and, by the kind of allocation, a way or a place for what may leave.
        let way = if p.allocation == Allocation::OnMiss { row.victim.any() } else { m.lit(1, 1) };
        let leave = match (p.writes_back(), p.allocation) {
            (false, _) => m.lit(1, 1),
            (true, Allocation::OnMiss) => entries.reserves & !row.victim_dirty() | free.write_back,
            (true, Allocation::OnFill) => free.write_back,
        };
        let downstream = m.wire("downstream_free", free.request & leave);
        let fetches = if p.write_miss == WriteMiss::Allocate { write & absent } else { no };
        let misses = m.wire("misses", read & absent | fetches);
        let prefetch = prefetch_turn
            .map(|s1_valid| PrefetchOutcome::new(m, s1_valid, (here, pending), [free.entry, way & downstream]));
        let wanted = prefetch.as_ref().map_or(misses, |of| misses | of.absent);
        let primary = m.wire("primary", wanted & free.entry & way & downstream);
        let by_read = prefetch.as_ref().map_or(primary & !request.write, |of| primary & !request.write & !of.absent);
        let merges = m.wire("merges", read & pending & !entries.poisoned);
        let merged = m.wire("merged", merges & free.target);
        let read_hit = m.wire("read_hit", read & here & free.reply);
        let write_here = write & here;
        let (answered, forwarded) = match p.write_hit {
            WriteHit::Back => (write_here & free.reply, no),
            WriteHit::Through | WriteHit::Evict => (no, write_here & free.request),
        };
        let write_hit = m.wire("write_hit", answered | forwarded);
        let (waits, poison) = match p.write_pending {
            WritePending::Stall => (write & pending, no),
            WritePending::Poison => (no, write & pending),
        };
        let poisons = m.wire("poisons", poison & free.request);
        let alone = if p.write_miss == WriteMiss::NoAllocate { write & absent & free.request } else { no };
        let forwards = m.wire("forwards", forwarded | alone | poisons);
        let evicts = p.write_hit == WriteHit::Evict;
        let of_hit = |holds: bool| if holds { write_hit } else { no };
        let answered_here = mux(request.write, m.lit(1, u64::from(p.write_hit == WriteHit::Back)), 1);
        let needs_lower = write & !pending & !fetches & (!here | !answered_here) | poison;
        let no_entry = misses & !free.entry;
        // In the order of their causes; that of the handling itself is counted in all caches, so that they compare.
        let refusals = [
            (Some(statistics::REPLY_WAIT_CYCLES), s1_valid & here & answered_here & !free.reply),
            (Some(statistics::ENTRY_WAIT_CYCLES), no_entry & !entries.refuses),
            (None, no_entry & entries.refuses),
            (Some(statistics::TARGET_WAIT_CYCLES), merges & !free.target),
            (Some(statistics::WAY_WAIT_CYCLES), misses & free.entry & !way),
            (
                Some(statistics::DOWNSTREAM_WAIT_CYCLES),
                misses & free.entry & way & !downstream | needs_lower & !free.request,
            ),
            (Some(statistics::LINE_WAIT_CYCLES), waits),
            (Some(statistics::POISONED_WAIT_CYCLES), read & pending & entries.poisoned),
        ];
        let own = p.misses.policy().refusal();
        for (statistic, condition) in refusals {
            match statistic {
                Some(statistic) => m.count(statistic, condition),
                None => MissHandling::refusals()
                    .iter()
                    .for_each(|of| m.count(of.statistic, if own == Some(*of) { condition } else { no })),
            }
        }
        m.count(statistics::READS, read_hit | merged | by_read);
        m.count(statistics::READ_HITS, read_hit);
        m.count(statistics::PRIMARY_MISSES, by_read);
        m.count(statistics::MERGED_MISSES, merged);
        m.count(statistics::WRITES, write_hit | alone | poisons);
        m.count(statistics::WRITE_HITS, write_hit);
        m.always("a line is not both here and pending", !s1_valid | !(here & pending));
        let done = read_hit | merged | by_read | write_hit | forwards;
        Self {
            accepted: prefetch_turn.map_or(done, |prefetch| done | prefetch),
            prefetch,
            answers: read_hit | answered,
            hits: read_hit | write_hit,
            read_hit,
            primary,
            reserves: m.wire("reserves_way", primary & entries.reserves),
            merged,
            poisons,
            forwards,
            changes_line: of_hit(!evicts),
            dirties: of_hit(p.writes_back()),
            // An atomic changes the line below: a cache that writes through forgets it.
            forgets: match p.write_hit {
                WriteHit::Through => write_hit & request.is_atomic(),
                _ => of_hit(evicts),
            },
            refused: joined(refusals.map(|(_, condition)| condition)),
        }
    }
}
