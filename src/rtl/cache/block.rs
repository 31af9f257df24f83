//! The pipeline of a cache.
//!
//! ```text
//!                 +---------------------------------------------------------------------+
//!  request_* ---->| request    +-------------+  hit   +-------+  line   +-------------+ |--> reply_*
//!  request_taken<-| register ->| tags, order |------->| lines |-------->| reply queue | |<-- reply_taken
//!                 |    ^       | decision    |        +-------+         +-------------+ |
//!                 |    '-------| retry       |  miss  +--------------+     ^            |
//!                 |            +-------------+------->| miss entries |     | targets    |
//!                 |                  ^       |        | and targets  |-----'            |
//!                 |                  |       v        +--------------+                  |
//!                 |     fill: look, fill, drain    requests, write-backs ---------------|--> downstream_* (requests)
//!  flush -------->|     walk over all sets               ^                              |<-- downstream_taken
//!  flushed <------|                                      '------------------------------|<-- downstream_reply_*
//!                 +---------------------------------------------------------------------+--> downstream_reply_taken
//! ```
//!
//! Contract. A request is taken into the request register, while the row of its set is read; in the next cycle it is
//! decided:
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
//! What lacks room (reply queue, entries, targets, queues below, a way to reserve) stays in the request register and is
//! decided again in the next cycle; requests behind it wait. So requests take effect in the order in which they are
//! taken: a read sees every write before it and none behind it, provided that what is below keeps the order of the
//! requests to one line.
//!
//! A line that comes back has priority: in one cycle the row of its set is read, in the next it is put there, and its
//! first request is answered in the one after; then the others, one a cycle. A dirty line that must leave has a place
//! among the write-backs before the miss is accepted, so a fill never waits for what is below: a full path to memory
//! cannot stop the path from memory that empties it. Write-backs leave before requests. A hit is answered `latency`
//! cycles after its request is shown.
//!
//! With [`prefetching`](CacheParams::prefetching) there is a port `prefetch_*`: a line is taken when no request is
//! shown, no fill is in progress and the request register takes something; in the next cycle it becomes pending, with
//! nobody who waits for it, or is dropped, as it is here or pending, or no entry, way or place below is free. So it
//! delays no request that would have been decided. Reads merge with it. `prefetch_event_*` shows what becomes of
//! prefetches. A cache of prefetched lines alone passes other lines on and does not keep them.
//!
//! After reset a walk over all sets clears them. With `flush`, when nothing is pending, another one writes dirty lines
//! back and clears the sets, too, or leaves clean lines with [`Flush::Clean`](super::Flush); `flushed` is one when that
//! is done and all writes are acknowledged, until `flush` falls. Never: a request while `flush` is one (asserted).
//!
//! Source: Bakhoda's thesis, section 3.2.4; Kim's thesis, sections 1.2 and 5.1. Testbench: `testbenches/cache/`; tests:
//! `tests/memory/cache/`.

mod decision;
mod downstream;
mod fill;
mod locality;
mod misses;
mod operation;
mod poison;
mod ports;
mod prefetch_outcome;
mod prefetches;
mod set_row;
mod statistics;
pub mod taps;
mod walk;

pub use ports::{Cache, CachePorts};
pub use statistics::{
    DOWNSTREAM_WAIT_CYCLES, ENTRIES_IN_USE, ENTRY_WAIT_CYCLES, EVICTIONS, INTER_HITS, INTER_MERGED, INTRA_HITS,
    INTRA_MERGED, LATE_PREFETCHES, LINE_WAIT_CYCLES, MERGED_MISSES, MSHR_LOOKUPS, MSHR_TAGS_COMPARED,
    POISONED_WAIT_CYCLES, PREFETCHES, PREFETCHES_BLOCKED, PREFETCHES_PENDING, PREFETCHES_PRESENT,
    PREFETCHES_WITHOUT_ENTRY, PRIMARY_MISSES, READ_HITS, READS, REPLY_WAIT_CYCLES, REQUESTS_PER_LINE, STATISTICS,
    TARGET_WAIT_CYCLES, USEFUL_PREFETCHES, USELESS_PREFETCHES, WAY_WAIT_CYCLES, WRITE_BACKS, WRITE_HITS, WRITES,
};

use super::{
    CacheParams,
    data_array::{DataArray, data_array},
    reply_queue::{ReplyQueue, ReplyQueueParams, reply_queue},
};
use decision::{Decision, FreeSpace};
use downstream::Downstream;
use fill::Fill;
use hdl::{Builder, Bundle, Module, Signal, mux};
use locality::Locality;
use misses::Misses;
use operation::Operation;
use poison::Poison;
use prefetches::Prefetches;
use protocol::{MemoryRequest, Protocol, byte_mask};
use set_row::{Change, Sets};
use walk::Walk;

/// The cache.
pub fn cache(p: &CacheParams) -> Module {
    let m = Builder::new("cache", p.parameters());
    m.doc("Cache: tags, lines and miss handling between two links of the memory protocol.");
    if let Some(problem) = p.problem() {
        m.require(false, &format!("cache: {problem}"));
        return m.finish();
    }
    let io = CachePorts::new(&m, p);
    let misses = Misses::new(&m, p);
    let replies = ReplyQueue(m.instance("replies", &reply_queue(&reply_queue_params(p))));
    let downstream = Downstream::new(&m, p);

    m.comment("The request register. Fill and walk have priority over it.");
    let (coming, request_taken) = io.request().signals();
    let request = request_register(&m, &p.protocol);
    let (tag_valid, accepted) = (m.register("tag_valid", 1, 0), m.wire_later("accepted", 1));
    let poison = Poison::new(&m, p);
    let prefetches = Prefetches::new(&m, p, io);
    let stays = |entry| prefetches.as_ref().map_or(!poison.of(entry), |of| of.stays(p, entry, !poison.of(entry)));
    let fill = Fill::new(&m, p, io, (misses.targets, replies.free()), &stays);
    let flush = io.flush();
    let none_pending = !request.valid & misses.used.is_zero() & !fill.busy;
    let walk = Walk::new(&m, p, flush, none_pending);
    let req_ready = m.wire("req_ready", (!request.valid | accepted) & !walk.busy);
    let req_fire = m.wire("req_fire", req_ready & coming.valid);
    request_taken.shows(req_fire);
    m.when(accepted, || m.set(request.valid, 0));
    m.when(req_fire, || request.set(coming));
    m.set(tag_valid, !fill.begins & !walk.busy);
    m.always("no request while the cache is flushed", !(coming.valid & flush));
    if let Some(prefetches) = &prefetches {
        prefetches.take(&m, io, &request, req_ready & !coming.valid & !flush & !fill.busy & !fill.begins, req_fire);
    }
    let locality = Locality::new(&m, p, io, req_fire, prefetches.as_ref());

    m.comment("The row of a set, and what is to be done with it.");
    let shown_line = prefetches.as_ref().map_or(coming.line, |of| mux(of.req_fire, of.request.line, coming.line));
    let next_line = mux(fill.begins, fill.coming_line, mux(req_ready, shown_line, request.line));
    let sets = Sets::new(&m, p, &walk, next_line);
    let row = sets.row(&m, p, mux(fill.fills, fill.line, request.line));
    let free = FreeSpace {
        reply: replies.free(),
        request: downstream.free,
        write_back: downstream.free_for_dirty_line(&m, p, misses.deferred(p)),
        target: misses.free_target(),
        entry: misses.entries.available(),
    };
    misses.ask(&m, p, &row, request.line, next_line);
    let s1_valid = request.valid & tag_valid & !fill.busy & !walk.busy & !fill.answers_write;
    let turns = prefetches
        .as_ref()
        .map_or((s1_valid, None), |of| of.turns(&m, s1_valid, [request.valid, tag_valid & !fill.busy & !walk.busy]));
    let s1_valid = m.wire("s1_valid", turns.1.map_or(s1_valid, |prefetch| turns.0 | prefetch));
    m.tap(taps::DECIDES, s1_valid);
    m.tap(taps::ACCEPTED, accepted);
    let pending = misses.pending(&m, p, &poison);
    let decision =
        Decision::new(&m, p, (turns.1.map_or(s1_valid, |_| turns.0), turns.1), &request, &row, &pending, &free);
    m.assign(accepted, decision.accepted);

    misses.take(&m, &request, &decision, &fill, (&poison, prefetches.as_ref()));

    m.comment("The row as it will be, and the lines.");
    let bringer = locality.as_ref().map(|locality| locality.bringer(&fill));
    let unused = prefetches.as_ref().map(|of| of.unused(fill.entry));
    let change = Change::new(&m, p, &row, &decision, &fill, &walk, (request.line, bringer, unused));
    m.assign(walk.steps, walk.clears | walk.tag_valid & !change.walks_back & !row.dirty_any());
    m.assign(walk.writes_back, walk.tag_valid & row.dirty_any() & downstream.write_back_free);
    sets.write(&m, p, &row, &change, misses.entry);
    let now = Operation {
        p,
        s1_valid,
        request: &request,
        row: &row,
        decision: &decision,
        fill: &fill,
        change: &change,
        prefetches: prefetches.as_ref(),
    };
    let line = lines(&m, &now);
    answers(&m, io, &now, &misses, replies, line);

    m.comment("Requests below.");
    downstream.requests(&m, p, &request, &decision, misses.entry);
    downstream.write_backs(&m, p, &change, line);
    let idle = downstream.outputs(&m, p, io, fill.acknowledged);
    io.flushed(walk.walked & idle);
    m.count(WRITE_BACKS, change.writes_back);
    m.count(EVICTIONS, change.evicts);
    misses.statistics(&m, &now);
    misses.checks(&m, &now);
    if let Some(prefetches) = &prefetches {
        prefetches.outputs(&m, io, &now, misses.found_entry);
    }
    if let Some(locality) = locality {
        locality.outputs(&m, io, &now, &misses, pending.found);
    }
    m.finish()
}

fn request_register<'m>(m: &'m Builder, protocol: &Protocol) -> MemoryRequest<'m> {
    let kept = |name: &str, width: u32| m.register_payload(("held", name), width);
    MemoryRequest {
        valid: m.register("held_valid", 1, 0),
        write: kept("write", 1),
        tag: kept("tag", protocol.tag_bits),
        line: kept("line", protocol.line_number_bits()),
        words: kept("words", protocol.words()),
        bytes: kept("bytes", 4),
        data: kept("data", protocol.data_bits()),
    }
}

fn reply_queue_params(p: &CacheParams) -> ReplyQueueParams {
    let delay = p.latency - CacheParams::LEAST_LATENCY;
    ReplyQueueParams { protocol: p.protocol, places: p.replies + delay, delay }
}

/// Replies: the line of a hit or of a fill, a cycle after the decision.
fn answers<'m>(
    m: &'m Builder,
    io: CachePorts<'m>,
    now: &Operation<'_, 'm>,
    misses: &Misses<'m>,
    replies: ReplyQueue<'m>,
    line: Signal<'m>,
) {
    m.comment("Replies: the line of a hit or of a fill, a cycle after the decision.");
    let Operation { request, decision, fill, .. } = *now;
    let answers = m.wire("answers_now", decision.answers | fill.answers | fill.answers_write);
    replies.reserve(answers);
    replies.push(m.delayed("answers", answers));
    let of_fill = misses.targets.drained();
    let tag = mux(fill.answers, of_fill, mux(fill.answers_write, fill.write_tag, request.tag));
    replies.tag(m.captured("answer_tag", answers, tag));
    let write = !fill.answers & (fill.answers_write | request.write);
    replies.write(m.captured("answer_write", answers, write));
    replies.line(mux(m.captured("answer_filled", answers, fill.answers), fill.data, line));
    io.reply().connect(replies.reply());
}

/// The lines: read for a hit and for what leaves dirty, written by a write that hits and by a fill a cycle after its row.
fn lines<'m>(m: &'m Builder, now: &Operation<'_, 'm>) -> Signal<'m> {
    let Operation { p, request, decision, fill, change, .. } = *now;
    let array = DataArray(m.instance("lines", &data_array(p.sets << p.place_way_bits(), p.protocol.line_bytes)));
    array.read(decision.answers & !request.write | change.writes_back);
    array.read_place(change.place);
    let filled = m.delayed("filled", fill.keeps);
    let place = m.captured("filled_place", fill.keeps, change.place);
    array.write(filled | decision.changes_line);
    array.write_place(mux(filled, place, change.place));
    array.write_line(mux(filled, fill.data, request.data));
    let bytes = byte_mask(request.words, request.bytes);
    array.write_bytes(bytes | filled.repeat(bytes.width()));
    array.line()
}
