//! Order of lines: lets requests go their way in a network that does not keep their order, so that none overtakes
//! another of its line where that would matter.
//!
//! ```text
//!                 +-------------------------------------------+
//!  request_*   -->| entries: valid, kind, line, tag from above|--> downstream_* (the tag is the entry)
//!  request_taken<-|   any of its line in the way? one free?   |<-- downstream_taken
//!  reply_*     <--|   tag of the entry                        |<-- downstream_reply_*
//!  reply_taken -->|                                           |--> downstream_reply_taken
//!                 +-------------------------------------------+
//! ```
//!
//! Contract: a read waits while a write of its line is outstanding, a write while anything of its line is. A request is
//! outstanding from the cycle after it is taken until the cycle in which its reply is. What waits holds back what comes
//! behind it. Requests and replies pass in the cycle in which they are shown; one of each a cycle. Never: a reply to an
//! entry that is free (asserted).
//!
//! Why: behind a cache a read that overtakes a write of its line would leave the old line in the cache, where the
//! writer would find it.
//!
//! Testbench: `testbenches/line_order/`; tests: `tests/core/l1_data.rs`, `tests/core/random.rs`.

use super::stage::MemoryStage;
use crate::config::{CoreParams, MemoryOrder};
use blocks::{index_one_hot, lowest_set, one_hot_index};
use hdl::{Builder, Module, Statistic, index_width, params, row, statistics};
use protocol::{ClientPorts, MemoryReply, MemoryRequest, Protocol, ServerPorts};

statistics! {
    "line_order" {
        /// Cycles in which a request waits for another one of its line.
        LINE_WAIT_CYCLES: line_wait_cycles in "cycles";
        /// Cycles in which a request waits for an entry.
        ENTRY_WAIT_CYCLES: entry_wait_cycles in "cycles";
    }
}

/// Parameters of a [`line_order`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct LineOrderParams {
    /// Requests from above.
    pub protocol: Protocol,
    /// Requests outstanding, 2 and up.
    pub entries: u32,
    /// There are atomics among the writes, answered as reads or as writes.
    pub atomics: bool,
}

impl LineOrderParams {
    /// Requests below: the tag is an entry.
    pub fn downstream(&self) -> Protocol {
        self.protocol.with_tag_bits(index_width(self.entries as usize))
    }
}

/// Its row: a data cache has one within.
pub(crate) struct LineOrder;

impl LineOrder {
    fn params(p: &CoreParams, above: Protocol) -> LineOrderParams {
        LineOrderParams { protocol: above, entries: p.max_outstanding, atomics: p.atomics }
    }
}

impl MemoryStage for LineOrder {
    fn name(&self) -> &'static str {
        "line_order"
    }

    fn about(&self) -> &'static str {
        "Order of lines."
    }

    fn exists(&self, p: &CoreParams) -> bool {
        p.l1d.is_none() && p.memory_order == MemoryOrder::Line
    }

    fn downstream(&self, p: &CoreParams, above: Protocol) -> Protocol {
        Self::params(p, above).downstream()
    }

    fn holds_replies(&self) -> bool {
        true
    }

    fn module(&self, p: &CoreParams, above: Protocol) -> Option<Module> {
        self.exists(p).then(|| line_order(&Self::params(p, above)))
    }

    fn statistics(&self) -> &'static [Statistic] {
        STATISTICS
    }
}

/// The block, with the ports of a server and of a client; see the [module documentation](self).
pub fn line_order(p: &LineOrderParams) -> Module {
    let LineOrderParams { protocol, entries, atomics } = p;
    let names = params! { entries, line_bytes: protocol.line_bytes, tag_bits: protocol.tag_bits, atomics };
    let m = Builder::new("line_order", names);
    m.doc("Keeps the order of reads and writes of each line.");
    m.require(*entries >= 2, &format!("line_order: entries = {entries}, at least 2 are needed"));
    let entries = *entries;
    let (up, down) = (ServerPorts::new(&m, protocol), ClientPorts::new(&m, &p.downstream()));
    let (valid, writes) = (m.register("outstanding", entries, 0), m.register("writes", entries, 0));
    let lines: Vec<_> = (0..entries).map(|e| m.register_payload(("line", e), protocol.line_number_bits())).collect();
    let tags = m.memory("tags", entries as usize, protocol.tag_bits);

    m.comment("Requests.");
    let (request, request_taken) = up.request().signals();
    let same = row(lines.iter().map(|&line| line.eq(request.line))) & valid;
    let in_the_way = m.wire("in_the_way", (same & (writes | request.write.repeat(entries))).any());
    let entry = m.wire("entry", lowest_set(!valid));
    let passes = m.wire("passes", request.valid & !in_the_way & entry.any());
    let number = m.wire("entry_number", one_hot_index(entry));
    let taken = m.wire("taken", passes & down.downstream().answer());
    down.downstream().shows(MemoryRequest { valid: passes, tag: number, ..request });
    request_taken.shows(taken);
    m.when(taken, || tags.write(number, request.tag));
    for (&line, takes) in lines.iter().zip((entry & taken.repeat(entries)).to_bits()) {
        m.when(takes, || m.set(line, request.line));
    }

    m.comment("Replies.");
    let (reply, reply_taken) = down.downstream_reply().signals();
    let leaves = m.wire("leaves", reply.valid & up.reply().answer());
    reply_taken.shows(leaves);
    let answered = m.wire("answered", index_one_hot(reply.tag, entries));
    up.reply().shows(MemoryReply { tag: tags.read(reply.tag), ..reply });
    m.always("a reply answers a request", !reply.valid | (answered & valid).any());

    let begins = entry & taken.repeat(entries);
    let acknowledged = if p.atomics {
        let kinds = m.register("acknowledged", entries, 0);
        m.set(kinds, kinds & !begins | begins & (request.write & !request.returns_old()).repeat(entries));
        kinds
    } else {
        writes
    };
    let kind = (answered & acknowledged).any().eq(reply.write);
    m.always("a reply is of the kind of its request", !reply.valid | kind);
    m.set(valid, valid & !(answered & leaves.repeat(entries)) | begins);
    m.set(writes, writes & !begins | begins & request.write.repeat(entries));
    m.count(LINE_WAIT_CYCLES, request.valid & in_the_way);
    m.count(ENTRY_WAIT_CYCLES, request.valid & !in_the_way & !entry.any());
    m.finish()
}
