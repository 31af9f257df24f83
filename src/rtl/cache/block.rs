//! The pipeline of a cache.
//!
//! ```text
//!                 +---------------------------------------------------------------------+
//!  request_* ---->| request    +-------------+  hit   +-------+  line   +-------------+ |--> reply_*
//!  request_taken<-| register ->| tags, order |------->| lines |-------->| reply queue | |<-- reply_taken
//!                 |    ^       | decision    |        +-------+         +-------------+ |
//!                 |    '-------| retry       |  miss  +--------------+     ^            |
//!                 |            +-------------+------->| miss entries |     | fields     |
//!                 |                  ^       |        | and fields   |-----'            |
//!                 |                  |       v        +--------------+                  |
//!                 |     fill: look, fill, drain    requests, write-backs ---------------|--> lower_* (requests)
//!  flush -------->|     walk over all sets               ^                              |<-- lower_taken
//!  flushed <------|                                      '------------------------------|<-- lower_reply_*
//!                 +---------------------------------------------------------------------+--> lower_reply_taken
//! ```
//!
//! Contract. A request is taken into the request register, while the row of its set is read; in the next cycle it is decided:
//!
//! | it is | and | then |
//! |---|---|---|
//! | a read | its line is here | the line is read and goes to the reply queue |
//! | | its line is pending | it waits in the entry of its line: a merged miss |
//! | | neither | the line becomes pending and is asked for below: a primary miss |
//! | a write | its line is pending | it waits in the request register until the line is here; with `WritePending::Poison` it goes below, and the line |
//! | | | is poisoned: reads of it wait in the request register, and it is not kept when it comes |
//! | | its line is here | it changes the line (`WriteHit::Back`: and is answered), or goes below, or both |
//! | | neither | it goes below, or its line is asked for and it waits in the request register |
//!
//! What lacks room (reply queue, entries, fields, queues below, a way to reserve) stays in the request register and is decided again in the
//! next cycle; requests behind it wait. So requests take effect in the order in which they are taken: a read sees every write before it
//! and none behind it, provided that what is below keeps the order of the requests to one line.
//!
//! A line that comes back has priority: in one cycle the row of its set is read, in the next it is put there, and its first request is
//! answered in the one after; then the others, one a cycle. A dirty line that must leave has a place among the write-backs before the miss is
//! accepted, so a fill never waits for what is below: a full path to memory cannot stop the path from memory that empties it.
//! Write-backs leave before requests. A hit is answered `latency` cycles after its request is shown.
//!
//! After reset, and with `flush` when nothing is pending, a walk over all sets writes dirty lines back and forgets the others; `flushed` is
//! one when that is done and all writes are acknowledged, until `flush` falls. Never: a request while `flush` is one (asserted).
//!
//! Source: Bakhoda's thesis, section 3.2.4; Kim's thesis, sections 1.2 and 5.1. Testbench: `testbenches/cache/`; tests: `tests/cache/`.

mod decision;
mod fill;
mod locality;
mod lower;
mod poison;
mod set_row;
mod walk;

use super::{
    CacheParams,
    data_array::data_array,
    fields::fields,
    miss::miss_entries,
    reply_queue::{ReplyQueueParams, reply_queue},
    waiting_lists::waiting_lists,
};
use crate::{
    blocks::popcount,
    cache::Allocation,
    memory::protocol::{MemoryReply, MemoryRequest, byte_mask},
};
use decision::{Decision, Pending, Room};
use fill::Fill;
use hdl::{Builder, Bundle, Child, Module, Signal, mux, statistics};
use locality::{Locality, Now};
use lower::Lower;
use poison::Poison;
use set_row::{Change, SetRow, Sets};
use walk::Walk;

statistics! {
    "cache" {
        /// Reads decided.
        READS: reads in "accesses";
        /// Reads that found their line.
        READ_HITS: read_hits in "accesses";
        /// Reads of lines that nobody had asked for.
        PRIMARY_MISSES: primary_misses in "accesses";
        /// Reads of pending lines.
        MERGED_MISSES: merged_misses in "accesses";
        /// Writes decided.
        WRITES: writes in "accesses";
        /// Writes that found their line.
        WRITE_HITS: write_hits in "accesses";
        /// Dirty lines written to memory.
        WRITE_BACKS: write_backs in "lines";
        /// Cycles in which a request waits for a place in the reply queue.
        WAITS_FOR_REPLY: waits_for_reply in "cycles";
        /// Cycles in which a read waits for a miss entry.
        WAITS_FOR_ENTRY: waits_for_entry in "cycles";
        /// Cycles in which a read waits for an entry of the small part of a hybrid, to which it may go alone.
        WAITS_FOR_SMALL: waits_for_small in "cycles";
        /// Cycles in which a read waits for a field of the entry of its line.
        WAITS_FOR_FIELD: waits_for_field in "cycles";
        /// Cycles in which a miss waits for a way to reserve.
        WAITS_FOR_WAY: waits_for_way in "cycles";
        /// Cycles in which a request waits for a place in the queues below.
        WAITS_FOR_LOWER: waits_for_lower in "cycles";
        /// Cycles in which a write waits for its line, which is pending.
        WAITS_FOR_LINE: waits_for_line in "cycles";
        /// Cycles in which a read waits for its line, which is pending and poisoned by a write.
        WAITS_FOR_POISONED: waits_for_poisoned in "cycles";
        /// Miss entries in use, each cycle.
        ENTRIES_IN_USE: entries_in_use in "entries";
        /// Requests that a line answers when it comes.
        REQUESTS_PER_LINE: requests_per_line in "requests";
        /// Lines that left for another one, dirty or not.
        EVICTIONS: evictions in "lines";
        /// Times that the tags of miss entries were compared: for each access to a line that is not here, again in each cycle in which it waits.
        LOOK_UPS: look_ups in "look-ups";
        /// Tags of miss entries that were compared in them.
        COMPARED_TAGS: compared_tags in "tags";
        /// Misses, merged ones too, that went to the small part of a hybrid.
        SMALL_ACCESSES: small_accesses in "accesses";
        /// Misses, merged ones too, that went to entries whose tags stand in the cache.
        SHARED_ACCESSES: shared_accesses in "accesses";
        /// Ways of the set that pending lines hold, at each access in each cycle, where the tags of pending lines stand in the cache.
        SHARED_WAYS: shared_ways in "ways";
        /// Reads that found their line here, brought by the same warp; this and the next three of a cache with locality.
        INTRA_HITS: intra_hits in "accesses";
        /// Reads that found their line here, brought by another warp.
        INTER_HITS: inter_hits in "accesses";
        /// Reads that found their line pending, asked for by the same warp.
        INTRA_MERGED: intra_merged in "accesses";
        /// Reads that found their line pending, asked for by another warp.
        INTER_MERGED: inter_merged in "accesses";
    }
}

/// The cache.
pub fn cache(p: &CacheParams) -> Module {
    let m = Builder::new("cache", p.names());
    m.doc("Cache: tags, lines and miss handling between two links of the memory protocol.");
    if let Some(problem) = p.problem() {
        m.require(false, &format!("cache: {problem}"));
        return m.finish();
    }
    let protocol = &p.protocol;
    let entries = m.instance("miss_entries", &miss_entries(p));
    let lists = match p.misses.policy().is_unlimited() {
        true => waiting_lists(p.all_entries(), protocol.tag_bits),
        false => fields(p.all_entries(), p.fields, protocol.tag_bits),
    };
    let waiting = m.instance("fields", &lists);
    let replies = m.instance("replies", &reply_queue(&reply_queue_params(p)));
    let lower = Lower::new(&m, p);

    m.comment("The request register. Fill and walk have priority over it.");
    let coming = MemoryRequest::inputs(&m, "request", protocol);
    let kept = |name: &str, width: u32| m.register_payload(("held", name), width);
    let request = MemoryRequest {
        valid: m.register("held_valid", 1, 0),
        write: kept("write", 1),
        tag: kept("tag", protocol.tag_bits),
        line: kept("line", protocol.line_number_bits()),
        words: kept("words", protocol.words()),
        bytes: kept("bytes", 4),
        data: kept("data", protocol.data_bits()),
    };
    let (looked, accepted) = (m.register("looked", 1, 0), m.wire_later("accepted", 1));
    let poison = Poison::new(&m, p);
    let fill = Fill::new(&m, p, waiting, replies.get("room"), &poison);
    let flush = m.input("flush", 1);
    let none_pending = !request.valid & entries.get("used").is_zero() & !fill.busy;
    let walk = Walk::new(&m, p, flush, none_pending);
    let takes = m.wire("takes", (!request.valid | accepted) & !walk.busy);
    let comes = m.wire("comes", takes & coming.valid);
    m.output_of("request_taken", comes);
    m.when(accepted, || m.set(request.valid, 0));
    m.when(comes, || request.set(coming));
    m.set(looked, !fill.begins & !walk.busy);
    m.always("no request while the cache is flushed", !(coming.valid & flush));
    let locality = Locality::new(&m, p, comes);

    m.comment("The row of a set, and what is to be done with it.");
    let next_line = mux(fill.begins, fill.coming_line, mux(takes, coming.line, request.line));
    let sets = Sets::new(&m, p, &walk, next_line);
    let row = sets.row(&m, p, mux(fill.fills, fill.line, request.line));
    let hybrid = p.misses.policy().is_hybrid();
    let deferred = match p.allocation {
        Allocation::OnFill => Some(entries.get("used")),
        Allocation::OnMiss => hybrid.then(|| entries.get("deferred")),
    };
    let room = Room {
        reply: replies.get("room"),
        request: lower.room,
        write_back: lower.room_for_dirty(&m, p, deferred),
        field: waiting.get("room"),
        entry: entries.get("available"),
    };
    entries.drive("line", request.line);
    if p.misses.policy().in_tags() {
        entries.drive("pending", row.pending_here.any());
        entries.drive("name", row.name_here());
    }
    if hybrid {
        entries.drive("last_way", row.last_way());
        entries.drive("spared", if p.has_hit_bits() { row.victim_hit() } else { m.lit(1, 1) });
        entries.drive("next_line", next_line);
    }
    let turn = request.valid & looked & !fill.busy & !walk.busy & !fill.answers_write;
    let turn = m.wire("turn", turn);
    let found_entry = entries.get("found_entry");
    let pending = Pending {
        found: entries.get("found"),
        poisoned: poison.of(found_entry),
        reserves: if hybrid { entries.get("reserves") } else { m.lit(1, 1) },
        small_full: if hybrid { entries.get("small_full") } else { m.lit(1, 0) },
    };
    let decision = Decision::new(&m, p, turn, &request, &row, &pending, &room);
    m.assign(accepted, decision.accepted);

    m.comment("Miss entries and their fields.");
    let entry = entries.get("entry");
    entries.drive("take", decision.primary);
    entries.drive("release", fill.ends);
    entries.drive("released", fill.entry);
    fill.remember(&m, decision.primary, entry, request.line);
    waiting.drive("open", decision.primary);
    waiting.drive("has_field", !request.write);
    waiting.drive("append", decision.merged);
    let entry_of_request = m.wire("entry_of_request", mux(decision.primary, entry, found_entry));
    waiting.drive("entry", entry_of_request);
    waiting.drive("field", request.tag);
    poison.update(&m, entry_of_request, decision.primary, decision.poisons);

    m.comment("The row as it will be, and the lines.");
    let bringer = locality.as_ref().map(|locality| locality.bringer(&fill));
    let change = Change::new(&m, p, &row, &decision, &fill, &walk, (request.line, bringer));
    m.assign(walk.steps, walk.clears | walk.looked & !change.walks_back & !row.dirty_any());
    m.assign(walk.writes_back, walk.looked & row.dirty_any() & lower.write_back_room);
    sets.write(&m, p, &row, &change, entry);
    let line = lines(&m, &Operation { p, request: &request, decision: &decision, fill: &fill, change: &change });

    m.comment("Replies: the line of a hit or of a fill, a cycle after the decision.");
    let answers = m.wire("answers_now", decision.answers | fill.answers | fill.answers_write);
    replies.drive("reserve", answers);
    replies.drive("push", m.delayed("answers", answers));
    let tag = mux(fill.answers, waiting.get("drained"), mux(fill.answers_write, fill.write_tag, request.tag));
    replies.drive("tag", m.captured("answer_tag", answers, tag));
    let write = !fill.answers & (fill.answers_write | request.write);
    replies.drive("write", m.captured("answer_write", answers, write));
    replies.drive("line", mux(m.captured("answer_filled", answers, fill.answers), fill.data, line));
    replies.drive("reply_taken", m.input("reply_taken", 1));
    MemoryReply::of(replies, "reply", protocol).outputs(&m, "reply", protocol);

    m.comment("Requests below.");
    lower.requests(&m, p, &request, &decision, entry);
    lower.write_backs(&m, p, &change, line);
    let idle = lower.outputs(&m, p, fill.acknowledged);
    m.output_of("flushed", walk.walked & idle);
    let used = entries.get("used");
    m.histogram(ENTRIES_IN_USE, m.lit(1, 1), used);
    m.count(WRITE_BACKS, change.writes_back);
    m.count(EVICTIONS, change.evicts);
    m.histogram(REQUESTS_PER_LINE, fill.ends, waiting.get("drain_count"));
    let checked = Checked { turn, row: &row, decision: &decision, fill: &fill, change: &change, entries };
    miss_statistics(&m, p, &checked);
    miss_assertions(&m, p, &checked);
    if let Some(locality) = locality {
        let (request, row, decision, fill, change) = (&request, &row, &decision, &fill, &change);
        let found = pending.found;
        locality.outputs(&m, p, &Now { request, row, decision, fill, change, found, found_entry, entry, used });
    }
    m.finish()
}

/// What is counted and checked of misses.
struct Checked<'a, 'm> {
    turn: Signal<'m>,
    row: &'a SetRow<'m>,
    decision: &'a Decision<'m>,
    fill: &'a Fill<'m>,
    change: &'a Change<'m>,
    entries: Child<'m>,
}

fn miss_statistics<'m>(m: &'m Builder, p: &CacheParams, now: &Checked<'_, 'm>) {
    let Checked { turn, row, decision, entries, .. } = *now;
    let policy = p.misses.policy();
    let compared = policy.compared(p);
    // A hybrid compares where the tags do not have the line, and only while its small part is not empty.
    let asks = match policy.is_hybrid() {
        true => !row.pending_here.any() & entries.get("deferred").any(),
        false => m.lit(1, 1),
    };
    if compared > 0 {
        let looks = m.wire("looks_up", turn & !row.here.any() & asks);
        m.count(LOOK_UPS, looks);
        m.sum(COMPARED_TAGS, looks, m.lit(16, u64::from(compared)));
    }
    if policy.in_tags() {
        let small = if policy.is_hybrid() {
            decision.primary & !decision.reserves | decision.merged & entries.get("found_small")
        } else {
            m.lit(1, 0)
        };
        m.count(SMALL_ACCESSES, small);
        m.count(SHARED_ACCESSES, (decision.primary | decision.merged) & !small);
        m.histogram(SHARED_WAYS, turn, popcount(row.reserved()));
    }
}

fn miss_assertions<'m>(m: &'m Builder, p: &CacheParams, now: &Checked<'_, 'm>) {
    let Checked { turn, row, decision, fill, change, entries } = *now;
    m.always("a line that comes has a way", !fill.keeps | change.way.any());
    if p.allocation == Allocation::OnMiss {
        m.always("a line that has its way finds it", !fill.fills | fill.deferred | row.pending_here.any());
        m.always("a reserved way was not reserved", !decision.reserves | (row.victim & row.reserved()).is_zero());
    }
    if p.misses.policy().in_tags() {
        let name = row.name_here().extend(p.entry_bits());
        m.always("tags name the entry that comes", !fill.fills | fill.deferred | name.eq(fill.entry));
    }
    if p.misses.policy().is_hybrid() {
        let twice = entries.get("found_small") & row.pending_here.any();
        m.always("a line is pending in one part", !(turn & twice));
        m.always("a set keeps a way that is not reserved", !turn | !row.reserved().all());
    }
    if p.misses.policy().is_unlimited() {
        let (entry, field) = (decision.refused.bit(1), decision.refused.bit(3));
        m.always("unlimited miss entries refuse nothing", !(entry | field));
    }
}

fn reply_queue_params(p: &CacheParams) -> ReplyQueueParams {
    let delay = p.latency - CacheParams::LEAST_LATENCY;
    ReplyQueueParams { protocol: p.protocol, places: p.replies + delay, delay }
}

/// What happens in a cycle.
struct Operation<'a, 'm> {
    p: &'a CacheParams,
    request: &'a MemoryRequest<'m>,
    decision: &'a Decision<'m>,
    fill: &'a Fill<'m>,
    change: &'a Change<'m>,
}

/// The lines: read for a hit and for what leaves dirty, written by a write that hits and by a fill a cycle after its row.
fn lines<'m>(m: &'m Builder, now: &Operation<'_, 'm>) -> Signal<'m> {
    let Operation { p, request, decision, fill, change } = now;
    let array = m.instance("lines", &data_array(p.sets << p.place_way_bits(), p.protocol.line_bytes));
    array.drive("read", decision.answers & !request.write | change.writes_back);
    array.drive("read_place", change.place);
    let filled = m.delayed("filled", fill.keeps);
    let place = m.captured("filled_place", fill.keeps, change.place);
    array.drive("write", filled | decision.changes_line);
    array.drive("write_place", mux(filled, place, change.place));
    array.drive("write_line", mux(filled, fill.data, request.data));
    let bytes = byte_mask(request.words, request.bytes);
    array.drive("write_bytes", bytes | filled.repeat(bytes.width()));
    array.get("line")
}
