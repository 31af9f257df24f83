//! What goes below: dirty lines first, then misses and writes in their order.

use super::{CachePorts, decision::Decision, set_row::Change};
use crate::CacheParams;
use hdl::{Builder, Bundle, Signal, bundle, index_width, mux};
use protocol::{LineQueue, MemoryRequest};

/// Writes below that are not acknowledged: bits of their number.
const OPEN_BITS: u32 = 16;

bundle! {
    /// A request below, without the line of a write.
    struct RequestHead(p: &CacheParams) {
        write: 1,
        tag: p.downstream().tag_bits,
        line: p.protocol.line_number_bits(),
        words: p.protocol.words(),
        bytes: 4,
    }
}

/// The queues.
pub struct Downstream<'m> {
    requests: LineQueue<'m>,
    /// Numbers and data of dirty lines, of a cache that writes back.
    dirty: Option<LineQueue<'m>>,
    /// A dirty line is read in this cycle.
    leaves: Signal<'m>,
    /// There is room for a request.
    pub free: Signal<'m>,
    /// There is room for a dirty line.
    pub write_back_free: Signal<'m>,
    /// Dirty lines that wait.
    waiting: Option<Signal<'m>>,
}

impl<'m> Downstream<'m> {
    pub fn new(m: &'m Builder, p: &CacheParams) -> Self {
        m.comment("Queues of what goes below.");
        let (data, number) = (p.protocol.data_bits(), p.protocol.line_number_bits());
        let queue = |depth: u32, heads, lines| LineQueue::new(m, depth as usize, heads, (lines, data));
        let requests = queue(p.requests, ("requests", RequestHead::width(p)), "written_lines");
        let dirty = p.writes_back().then(|| queue(p.write_backs, ("dirty_numbers", number), "dirty_lines"));
        let leaves = m.register("dirty_line_leaves", 1, 0);
        let waiting = dirty.map(|dirty| {
            let count = dirty.count();
            m.wire("dirty_waiting", count.extend(count.width() + 1) + leaves.extend(count.width() + 1))
        });
        Self {
            requests,
            dirty,
            leaves,
            free: !requests.full(),
            write_back_free: waiting.map_or(m.lit(1, 1), |waiting| waiting.lt(u64::from(p.write_backs))),
            waiting,
        }
    }

    /// There is room for a dirty line for each of the `deferred` lines, whose victims are not chosen yet, and one more.
    pub fn free_for_dirty_line(&self, m: &'m Builder, p: &CacheParams, deferred: Option<Signal<'m>>) -> Signal<'m> {
        let (Some(waiting), Some(deferred)) = (self.waiting, deferred) else { return self.write_back_free };
        let bits = index_width((p.write_backs + p.all_entries()) as usize + 2) + 1;
        m.wire("free_for_dirty_line", (waiting.resize(bits) + deferred.extend(bits)).lt(u64::from(p.write_backs)))
    }

    /// Takes what the request becomes.
    pub fn requests(
        &self,
        m: &'m Builder,
        p: &CacheParams,
        request: &MemoryRequest<'m>,
        decision: &Decision<'m>,
        entry: Signal<'m>,
    ) {
        let protocol = p.downstream();
        let forwards = decision.forwards;
        let head = RequestHead {
            write: forwards,
            tag: mux(forwards, request.tag.extend(protocol.tag_bits), entry.extend(protocol.tag_bits)),
            line: request.line,
            words: request.words | (!forwards).repeat(protocol.words()),
            bytes: request.bytes | (!forwards).repeat(4),
        };
        let goes = m.wire("request_below", decision.primary | forwards);
        self.requests.push((goes, head.pack()), (forwards, request.data));
    }

    /// Takes the dirty line that leaves, which is read in the cycle after the decision.
    pub fn write_backs(&self, m: &'m Builder, p: &CacheParams, change: &Change<'m>, line: Signal<'m>) {
        m.set(self.leaves, change.writes_back);
        let Some(dirty) = self.dirty else {
            m.always("nothing is dirty in a cache that does not write back", !change.writes_back);
            return;
        };
        let number = m.captured("leaving_number", change.writes_back, change.leaving);
        dirty.push((self.leaves, number), (self.leaves, line));
        m.always("a dirty line has a place", !self.leaves | !dirty.full());
        let _ = p;
    }

    /// The link below. Whether nothing waits and all writes are acknowledged.
    pub fn outputs(&self, m: &'m Builder, p: &CacheParams, io: CachePorts<'m>, acknowledged: Signal<'m>) -> Signal<'m> {
        let protocol = p.downstream();
        let taken = io.downstream().answer();
        let head = RequestHead::unpack(self.requests.head(), p);
        let shown = self.requests.valid();
        let request = MemoryRequest {
            valid: shown,
            write: head.write,
            tag: head.tag,
            line: head.line,
            words: head.words,
            bytes: head.bytes,
            data: self.requests.line(),
        };
        let (request, first) = match self.dirty {
            None => (request, m.lit(1, 0)),
            Some(waiting) => {
                let first = waiting.valid();
                let tag = m.lit(protocol.tag_bits, 1 << p.protocol.tag_bits);
                let ones = |width: u32| m.lit(1, 1).repeat(width);
                let dirty = MemoryRequest {
                    valid: first,
                    write: ones(1),
                    tag,
                    line: waiting.head(),
                    words: ones(protocol.words()),
                    bytes: ones(4),
                    data: waiting.line(),
                };
                waiting.pop(taken & first, taken & first);
                let valid = first | shown;
                (MemoryRequest { valid, ..dirty.or_else(first, request) }, first)
            }
        };
        self.requests.pop(taken & !first, taken & !first & head.write);
        io.downstream().shows(request);
        let open = m.register("writes_open", OPEN_BITS, 0);
        let sent = taken & request.write;
        m.when(sent ^ acknowledged, || m.set(open, mux(sent, open + 1, open - 1)));
        m.always("an acknowledgement answers a write", !acknowledged | open.any());
        m.always("writes that are not acknowledged can be counted", !sent | !open.all());
        !request.valid & !self.leaves & open.is_zero()
    }
}
