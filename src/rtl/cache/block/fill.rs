//! What comes back from below: lines, in three steps, and acknowledgements of writes.

use super::CachePorts;
use crate::{Allocation, CacheParams, waiting_requests::Waiting};
use hdl::{Builder, MemoryHandle, Signal, mux};

/// The steps of a fill: look (`begins`), put the line there (`fills`), answer the requests that wait for it, one a cycle (`answers`).
pub struct Fill<'m> {
    /// The row of the set of `coming_line` is read.
    pub begins: Signal<'m>,
    /// Number of the line that begins.
    pub coming_line: Signal<'m>,
    /// The tags of the line are written.
    pub fills: Signal<'m>,
    /// In that step: the line stays; one that is poisoned does not.
    pub keeps: Signal<'m>,
    /// In that step: the line gets its way only now.
    pub deferred: Signal<'m>,
    /// After `begins` until the last request is answered.
    pub busy: Signal<'m>,
    /// A request is answered.
    pub answers: Signal<'m>,
    /// The entry becomes free.
    pub ends: Signal<'m>,
    /// Miss entry of the line.
    pub entry: Signal<'m>,
    /// Its number.
    pub line: Signal<'m>,
    /// Its data.
    pub data: Signal<'m>,
    /// A write is acknowledged from below.
    pub acknowledged: Signal<'m>,
    /// That is a write from above, which is answered.
    pub answers_write: Signal<'m>,
    /// Its tag.
    pub write_tag: Signal<'m>,
    numbers: MemoryHandle<'m>,
}

impl<'m> Fill<'m> {
    /// `stays`: whether the line of an entry is kept.
    pub fn new(
        m: &'m Builder,
        p: &CacheParams,
        io: CachePorts<'m>,
        (waiting, reply_free): (Waiting<'m>, Signal<'m>),
        stays: &dyn Fn(Signal<'m>) -> Signal<'m>,
    ) -> Self {
        m.comment("Lines and acknowledgements from below.");
        let (reply, taken) = io.downstream_reply().signals();
        let (fills, drains) = (m.register("fills", 1, 0), m.register("drains", 1, 0));
        let busy = m.wire("fill_busy", fills | drains);
        let arrives = reply.valid & !busy;
        let begins = m.wire("fill_begins", arrives & !reply.write);
        let of_line = if p.writes_back() { reply.tag.bit(p.protocol.tag_bits) } else { m.lit(1, 0) };
        let acknowledged = m.wire("acknowledged", arrives & reply.write & (of_line | reply_free));
        taken.shows(begins | acknowledged);

        let numbers = m.memory("pending_numbers", p.all_entries() as usize, p.protocol.line_number_bits());
        let coming_entry = reply.tag.bits(0, p.entry_bits());
        let coming_line = m.wire("coming_line", numbers.read(coming_entry));
        let entry = m.captured("fill_entry", begins, coming_entry);
        m.set(fills, begins);
        waiting.drain_entry(entry);
        let count = waiting.drain_count();
        let answers = m.wire("drain_answers", drains & count.any() & reply_free);
        let place = m.register("drain_place", p.waiting_requests().place_bits(p.protocol.tag_bits), 0);
        p.waiting_requests().drain(waiting, place, answers);
        let last = (place.extend(count.width()) + 1).eq(count);
        let ends = m.wire("fill_ends", drains & (count.is_zero() | answers & last));
        m.set(drains, fills | drains & !ends);
        m.when(answers, || m.set(place, mux(last, 0, place + 1)));
        let deferred = p.misses.policy().deferred(&p.miss(), entry);
        let deferred = deferred.unwrap_or(m.lit(1, u64::from(p.allocation == Allocation::OnFill)));
        Self {
            begins,
            coming_line,
            fills,
            keeps: m.wire("fill_keeps", fills & stays(entry)),
            deferred,
            busy,
            answers,
            ends,
            entry,
            line: m.captured("fill_line", begins, coming_line),
            data: m.captured("fill_data", begins, reply.data),
            acknowledged,
            answers_write: m.wire("answers_write", acknowledged & !of_line),
            write_tag: reply.tag.bits(0, p.protocol.tag_bits),
            numbers,
        }
    }

    /// The line becomes pending in `entry`.
    pub fn remember(&self, m: &'m Builder, primary: Signal<'m>, entry: Signal<'m>, line: Signal<'m>) {
        m.when(primary, || self.numbers.write(entry, line));
    }
}
