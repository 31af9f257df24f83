//! What becomes of the request in the register.

use super::set_row::SetRow;
use crate::{
    cache::{Allocation, CacheParams, WriteHit, WriteMiss},
    memory::protocol::MemoryRequest,
};
use hdl::{Builder, Signal, mux};

/// Where there is room.
pub struct Room<'m> {
    /// In the reply queue.
    pub reply: Signal<'m>,
    /// Among the requests below.
    pub request: Signal<'m>,
    /// For a dirty line that leaves now.
    pub write_back: Signal<'m>,
    /// For a dirty line that may leave when the line comes.
    pub reserved: Signal<'m>,
    /// In the entry of the pending line.
    pub field: Signal<'m>,
    /// For another pending line.
    pub entry: Signal<'m>,
}

/// The decision; all are zero when it is not the request's turn.
pub struct Decision<'m> {
    /// The request is done here.
    pub accepted: Signal<'m>,
    /// It is answered now.
    pub answers: Signal<'m>,
    /// It finds its line.
    pub hits: Signal<'m>,
    /// Its line becomes pending.
    pub primary: Signal<'m>,
    /// It waits for a pending line.
    pub merged: Signal<'m>,
    /// A write goes below.
    pub forwards: Signal<'m>,
    /// The line is written.
    pub changes_line: Signal<'m>,
    /// The line differs from memory from now on.
    pub dirties: Signal<'m>,
    /// The line leaves.
    pub forgets: Signal<'m>,
}

impl<'m> Decision<'m> {
    pub fn new(
        m: &'m Builder,
        p: &CacheParams,
        turn: Signal<'m>,
        request: &MemoryRequest<'m>,
        row: &SetRow<'m>,
        found: Signal<'m>,
        room: &Room<'m>,
    ) -> Self {
        let (read, write) = (m.wire("read_turn", turn & !request.write), m.wire("write_turn", turn & request.write));
        let here = m.wire("line_here", row.here.any());
        let pending = m.wire("line_pending", found);
        let absent = !here & !pending;
        // A miss needs an entry, a request below and, by the kind of allocation, a way or a place for what may leave.
        let reserves = p.allocation == Allocation::OnMiss;
        let way = if reserves { row.victim.any() } else { m.lit(1, 1) };
        let leave = match (p.writes_back(), reserves) {
            (false, _) => m.lit(1, 1),
            (true, true) => !row.victim_dirty() | room.write_back,
            (true, false) => room.reserved,
        };
        let lower = m.wire("lower_room", room.request & leave);
        let fetches = if p.write_miss == WriteMiss::Fetch { write & absent } else { m.lit(1, 0) };
        let misses = m.wire("misses", read & absent | fetches);
        let primary = m.wire("primary", misses & room.entry & way & lower);
        let merges = m.wire("merges", read & pending);
        let merged = m.wire("merged", merges & room.field);
        let read_hit = m.wire("read_hit", read & here & room.reply);
        let write_here = write & here;
        let (answered, forwarded) = match p.write_hit {
            WriteHit::Back => (write_here & room.reply, m.lit(1, 0)),
            WriteHit::Through | WriteHit::Evict => (m.lit(1, 0), write_here & room.request),
        };
        let write_hit = m.wire("write_hit", answered | forwarded);
        let alone = if p.write_miss == WriteMiss::Forward { write & absent & room.request } else { m.lit(1, 0) };
        let forwards = m.wire("forwards", forwarded | alone);
        let evicts = p.write_hit == WriteHit::Evict;
        let of_hit = |holds: bool| if holds { write_hit } else { m.lit(1, 0) };
        let decision = Self {
            accepted: read_hit | merged | primary & !request.write | write_hit | forwards,
            answers: read_hit | answered,
            hits: read_hit | write_hit,
            primary,
            merged,
            forwards,
            changes_line: of_hit(!evicts),
            dirties: of_hit(p.writes_back()),
            forgets: of_hit(evicts),
        };
        m.always("a line is not both here and pending", !turn | !(here & pending));
        m.count(super::READS, read_hit | merged | primary & !request.write);
        m.count(super::READ_HITS, read_hit);
        m.count(super::PRIMARY_MISSES, primary & !request.write);
        m.count(super::MERGED_MISSES, merged);
        m.count(super::WRITES, write_hit | alone);
        m.count(super::WRITE_HITS, write_hit);
        let answered_here = mux(request.write, m.lit(1, u64::from(p.write_hit == WriteHit::Back)), 1);
        m.count(super::WAITS_FOR_REPLY, turn & here & answered_here & !room.reply);
        m.count(super::WAITS_FOR_ENTRY, misses & !room.entry);
        m.count(super::WAITS_FOR_WAY, misses & room.entry & !way);
        m.count(
            super::WAITS_FOR_LOWER,
            misses & room.entry & way & !lower | write & !pending & !room.request & !fetches & (!here | !answered_here),
        );
        m.count(super::WAITS_FOR_FIELD, merges & !room.field);
        m.count(super::WAITS_FOR_LINE, write & pending);
        decision
    }
}
