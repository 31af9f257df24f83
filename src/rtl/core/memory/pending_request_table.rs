//! Pending request table: the loads from global memory that are in flight, and the way of their words into the register
//! file.
//!
//! ```text
//!  reserve, warp, destination, size ------->+----------------------------+--> load_free: another load can be taken
//!  finish (of the instruction) ------------>| loads: open, remaining     |--> tag, tag_free (to the coalescer's round)
//!  begin, last, row_* (coalescer) --------->| tags:  rows, beats, load   |--> write: valid, warp, destination, beat, mask, data
//!  reply_valid, reply_tag, reply_data ----->| lines, order of arrival    |--> done, done_warp, done_destination (scoreboard)
//!  write_granted -------------------------->+----------------------------+--> open (warps): a load of the warp is in flight
//! ```
//!
//! Contract: a *load* is an instruction, a *tag* one of its requests. Replies come in any order and are always
//! accepted: each tag has a place for its line. A line's words are written to the register file beat by beat, in the
//! beats that asked for it, oldest line first; a write waits until it is granted. A load of two registers (an atomic of
//! 64 bits) is announced by its `high_part`; `low_part` says where the low words go, and each beat is written twice.
//! When the last word of a load is written, `done` tells the scoreboard. Never: a reply without a request.
//!
//! Testbench: `testbenches/pending_request_table/`; tests: `tests/core/memory.rs`, `tests/core/random.rs`.

use super::sub_word::{SIZE_BITS, extract};
use crate::{
    config::CoreParams,
    ports::{Access, Completion, RegisterWrite, RoundRow},
};
use blocks::{Fifo, FifoParams, fifo, index_one_hot, lowest_set, one_hot_index, or_all, popcount, priority_index};
use hdl::{
    Bits, Builder, Bundle, MemoryHandle, Module, Signal, bundle, index_width, mux, params, ports, row as joined,
    select, statistics,
};
use protocol::MemoryReply;

statistics! {
    "pending_request_table" {
        /// Pending read requests, summed over the cycles in which there are any.
        TAGS_IN_USE: tags_in_use in "entries";
        /// Read requests begun: `tags_in_use` over it is how long one takes.
        REQUESTS: requests in "requests";
        /// Cycles in which no further load has a place.
        FULL_CYCLES: full_cycles in "cycles";
    }
}

/// Remaining requests of a load: at most one per thread.
const REMAINING_BITS: u32 = 6;

bundle! {
    /// A load instruction in flight.
    struct LoadEntry(p: &CoreParams) {
        warp: p.warp_bits(),
        destination: p.register_bits(),
        size: SIZE_BITS,
        writes: 1,
    }
}

ports! {
    /// Ports of a [`pending_request_table`].
    pub struct PendingRequestTablePorts(p: &CoreParams) of PendingRequestTable {
        /// A load begins; of two registers: its high part.
        in access as "": bundle Access(p),
        /// The low part of the load that has begun comes.
        maybe (p.atomics) in low_part: 1,
        /// Another load has a place.
        out load_free: 1,
        /// A beat of a round of the coalescer for the load that has begun.
        in round as "": bundle RoundRow(p),
        /// Tag of the round.
        out tag: p.tag_bits,
        /// A round may begin.
        out tag_free: 1,
        /// Lines, in any order.
        in reply: bundle MemoryReply(&p.protocol()),
        /// Words for the registers.
        out write: bundle RegisterWrite(p) with granted: 1,
        /// Warps with a load in flight.
        out open: p.warps,
        /// A load is done.
        out done: bundle Completion(p),
    }
}

/// The table.
pub fn pending_request_table(p: &CoreParams) -> Module {
    let protocol = &p.protocol();
    let offset_bits = protocol.offset_bits();
    let names = params! { warps: p.warps, lanes: p.lanes, loads: p.load_entries };
    let m = Builder::new("pending_request_table", p.parameters(names));
    m.doc("Global loads in flight, and the way of their words into the register file.");
    let (lanes, beats, tags, loads) = (p.lanes, p.beats(), p.tags(), p.load_entries);
    let (load_bits, tag_bits) = (index_width(loads as usize), p.tag_bits);

    let io = PendingRequestTablePorts::new(&m, p);
    let Loads { reserve, busy, open, free, present, infos, warps, wide } = Loads::new(&m, p, io);
    io.load_free((!busy).any());
    let round = io.round();
    let RoundRow { begin, finish, .. } = round;
    let Tags { free: tags_free, tag, rows, infos: tag_info } = Tags::new(&m, p, io, &round, present);

    m.comment("Replies: lines by tag, and the order in which they came.");
    let MemoryReply { valid: reply, write: acknowledges, tag: reply_tag, data } = io.reply();
    let lines = m.memory("lines", tags as usize, protocol.data_bits());
    m.when(reply, || lines.write(reply_tag, data));
    let arrived = FifoParams { depth: tags as usize, width: tag_bits, registered: false };
    let arrived = Fifo(m.instance("arrived", &fifo(arrived)));
    arrived.push(reply);
    arrived.push_data(reply_tag);

    m.comment("One line at a time is written, a beat with a grant.");
    let (writing, writing_tag) = (m.register("writing", 1, 0), m.register("writing_tag", tag_bits, 0));
    let (left, load) = (m.register("beats_left", beats, 0), m.register("writing_load", load_bits, 0));
    let beat_hit = m.wire("beat_hit", lowest_set(left));
    let granted = m.wire("granted_now", writing & io.write().answer());
    let high = wide.as_ref().map(|wide| wide.word(&m, granted, load));
    let advances = high.map_or(granted, |(_, last)| m.wire("beat_ends", granted & last));
    let ends = m.wire("ends", advances & (left & !beat_hit).is_zero());
    let next = m.wire("next", arrived.valid() & (!writing | ends));
    arrived.pop(next);
    let next_tag = arrived.data();
    let line = lines.read_sync("line", next_tag, next);
    let next_info = tag_info.read(next_tag).named("next_info");
    m.when(advances, || m.set(left, left & !beat_hit));
    m.set(writing, next | writing & !ends);
    m.when(next, || {
        m.set(writing_tag, next_tag);
        m.set(left, next_info.bits(0, beats));
        m.set(load, next_info.bits(beats, load_bits));
    });
    let beat = m.wire("write_beat_now", one_hot_index(beat_hit));
    let row = m.wire("row", rows.read(p.row(&[writing_tag], beat)));
    let info = LoadEntry::unpack(m.wire("present_info", infos.read(load)), p);
    let mut offsets = row.bits(0, lanes * offset_bits).parts(offset_bits);
    let LoadEntry { warp, destination, size, writes } = match (&wide, high) {
        (Some(wide), Some((high, _))) => {
            offsets.iter_mut().for_each(|at| *at = *at | high.extend(offset_bits) << 2);
            LoadEntry::unpack(wide.infos.read(load), p).or_else(high, info)
        }
        _ => info,
    };
    let data = words_at(line, offsets, size);
    let mask = row.bits(lanes * offset_bits, lanes);
    io.write().shows(RegisterWrite { valid: writing & writes, warp, destination, beat, mask, data });

    m.comment("A load is done when it is closed and no request remains.");
    let released = index_one_hot(writing_tag, tags) & ends.repeat(tags);
    let begun = index_one_hot(tag, tags) & begin.repeat(tags);
    m.set(tags_free, tags_free & !begun | released);
    let of_warp = warps.iter().enumerate();
    let of_warp = of_warp.map(|(l, warp)| index_one_hot(*warp, p.warps) & busy.bit(l as u32).repeat(p.warps));
    io.open(or_all(&of_warp.collect::<Vec<_>>()));
    let drained = drained(&m, loads, (begin, present), (ends, load));
    let complete = m.wire("complete", lowest_set(busy & !open & drained));
    let first = wide.as_ref().map(|wide| wide.first_completion(&m, complete));
    let number = m.wire("complete_number", one_hot_index(complete));
    let taken = free & reserve.repeat(loads);
    let closed = index_one_hot(present, loads) & finish.repeat(loads);
    let leaves = first.map_or(complete, |first| complete & !first.repeat(loads));
    m.set(busy, busy & !leaves | taken);
    m.set(open, open & !closed | taken);
    let done = LoadEntry::unpack(m.wire("done_info", infos.read(number)), p);
    let done = match (&wide, first) {
        (Some(wide), Some(first)) => LoadEntry::unpack(wide.infos.read(number), p).or_else(first, done),
        _ => done,
    };
    io.done(Completion { valid: complete.any() & done.writes, warp: done.warp, destination: done.destination });

    let replied = index_one_hot(reply_tag, tags) & reply.repeat(tags);
    m.always("a read is answered by a line", !reply | !acknowledges);
    m.always("a reply answers a request", (replied & tags_free).is_zero());
    m.always("a request has a tag", !begin | tags_free.any());
    m.always("a load has a place in the table", !reserve | (!busy).any());
    m.count(REQUESTS, begin);
    m.count(FULL_CYCLES, busy.all());
    m.sum(TAGS_IN_USE, busy.any(), popcount(!tags_free));
    m.finish()
}

/// The load instructions in flight.
struct Loads<'m> {
    /// One comes.
    reserve: Signal<'m>,
    busy: Signal<'m>,
    /// Some of its requests are still to be made.
    open: Signal<'m>,
    /// The lowest place that is free, one-hot.
    free: Signal<'m>,
    /// The one that the coalescer works at.
    present: Signal<'m>,
    infos: MemoryHandle<'m>,
    warps: Vec<Signal<'m>>,
    /// In a core with atomics.
    wide: Option<WideLoads<'m>>,
}

impl<'m> Loads<'m> {
    fn new(m: &'m Builder, p: &CoreParams, io: PendingRequestTablePorts<'m>) -> Self {
        let loads = p.load_entries;
        m.comment("Loads: the present one is open until the coalescer has made all its requests.");
        let Access { reserve, warp, destination, size, writes, high_part, .. } = io.access();
        let (busy, open) = (m.register("loads_busy", loads, 0), m.register("loads_open", loads, 0));
        let infos = m.memory("load_info", loads as usize, LoadEntry::width(p));
        let warps: Vec<_> = (0..loads).map(|l| m.register(("warp_of_load", l), p.warp_bits(), 0)).collect();
        let free = m.wire("free_load", lowest_set(!busy));
        let present = m.register("present_load", index_width(loads as usize), 0);
        m.when(reserve, || {
            infos.write(one_hot_index(free), LoadEntry { warp, destination, size, writes }.pack());
            m.set(present, one_hot_index(free));
            warps.iter().zip(free.to_bits()).for_each(|(of, hit)| {
                m.when(hit, || m.set(*of, warp));
            });
        });
        let wide = high_part.zip(io.low_part()).map(|(high_part, low_part)| {
            let info = LoadEntry { warp, destination, size, writes }.pack();
            let wide = WideLoads::new(m, p, (reserve & high_part, free, info));
            m.when(reserve, || m.set(wide.loads, mux(high_part, wide.loads | free, wide.loads & !free)));
            m.when(low_part, || infos.write(present, info));
            wide
        });
        Self { reserve, busy, open, free, present, infos, warps, wide }
    }
}

/// The requests in flight.
struct Tags<'m> {
    free: Signal<'m>,
    /// That of the coalescer's round.
    tag: Signal<'m>,
    /// The lanes of each beat that want words of the line, and which.
    rows: MemoryHandle<'m>,
    /// The load, and its beats.
    infos: MemoryHandle<'m>,
}

impl<'m> Tags<'m> {
    /// A round of the coalescer takes one, for the load `present`.
    fn new(
        m: &'m Builder,
        p: &CoreParams,
        io: PendingRequestTablePorts<'m>,
        round: &RoundRow<'m>,
        present: Signal<'m>,
    ) -> Self {
        m.comment("Tags: a round of the coalescer takes the lowest free one.");
        let &RoundRow { row_valid, row_beat, row_match, row_offset, begin, last, .. } = round;
        let (tags, beats) = (p.tags(), p.beats());
        let free = m.register_bits("tags_free", Bits::ones(tags));
        let held_tag = m.register("held_tag", p.tag_bits, 0);
        let tag = m.wire("round_tag", mux(begin, priority_index(free), held_tag));
        m.set(held_tag, tag);
        io.tag(held_tag);
        io.tag_free(free.any());
        let rows = m.memory("rows", (tags * beats) as usize, p.lanes * (1 + p.protocol().offset_bits()));
        let infos = m.memory("tag_info", tags as usize, present.width() + beats);
        let used = m.register("used_beats", beats, 0);
        let hit = index_one_hot(row_beat, beats) & row_match.any().repeat(beats);
        let used_now = m.wire("used_now", hit | mux(begin, 0, used));
        m.when(row_valid, || {
            rows.write(p.row(&[tag], row_beat), row_match.join(row_offset));
            m.set(used, used_now);
        });
        m.when(last, || infos.write(tag, present.join(used_now)));
        Self { free, tag, rows, infos }
    }
}

/// Loads of two registers: atomics of 64 bits.
struct WideLoads<'m> {
    /// Which loads are.
    loads: Signal<'m>,
    /// Where their high words go.
    infos: MemoryHandle<'m>,
}

impl<'m> WideLoads<'m> {
    /// The high part of a load `comes` and takes `place`, one-hot.
    fn new(m: &'m Builder, p: &CoreParams, (comes, place, info): (Signal<'m>, Signal<'m>, Signal<'m>)) -> Self {
        m.comment("Loads of two registers.");
        let infos = m.memory("high_info", p.load_entries as usize, LoadEntry::width(p));
        m.when(comes, || infos.write(one_hot_index(place), info));
        Self { loads: m.register("wide_loads", p.load_entries, 0), infos }
    }

    /// Whether the high word of the beat is written now, and whether this write is its last.
    fn word(&self, m: &'m Builder, granted: Signal<'m>, load: Signal<'m>) -> (Signal<'m>, Signal<'m>) {
        let (high, wide) = (m.register("high_word", 1, 0), self.loads.at(load));
        m.when(granted, || m.set(high, wide & !high));
        (high, high | !wide)
    }

    /// A complete load has its high register released now, and its low one next.
    fn first_completion(&self, m: &'m Builder, complete: Signal<'m>) -> Signal<'m> {
        let released = m.register("high_released", self.loads.width(), 0);
        let first = m.wire("first_completion", (complete & self.loads & !released).any());
        m.set(released, mux(first, released | complete, released & !complete));
        first
    }
}

/// What lanes load from `line`, a row: the bytes at these offsets of the line.
fn words_at<'m>(line: Signal<'m>, offsets: Vec<Signal<'m>>, size: Signal<'m>) -> Signal<'m> {
    let words = line.parts(32);
    joined(offsets.into_iter().map(|at| {
        let word = select(at.bits(2, at.width() - 2), &words);
        extract(word, at.bits(0, 2), size)
    }))
}

/// Which loads have no request outstanding, a bit each. A request `begins` for, and one `ends` of, the load of that number.
fn drained<'m>(
    m: &'m Builder,
    loads: u32,
    (begins, of): (Signal<'m>, Signal<'m>),
    (ends, whose): (Signal<'m>, Signal<'m>),
) -> Signal<'m> {
    joined((0..loads).map(|l| {
        let remaining = m.register(("remaining", l), REMAINING_BITS, 0);
        let more = begins & of.eq(u64::from(l));
        let less = ends & whose.eq(u64::from(l));
        m.when(more ^ less, || m.set(remaining, mux(more, remaining + 1, remaining - 1)));
        remaining.is_zero()
    }))
}
