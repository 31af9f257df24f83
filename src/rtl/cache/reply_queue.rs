//! Replies of a cache: they wait until they are due and taken.
//!
//! ```text
//!  reserve (1) ------------>+------------------------+--> free (1): another reply can be promised
//!  push, tag, write, line ->| queue, promised, due   |--> reply_valid, _tag, _write, _data
//!                           +------------------------+<-- reply_taken
//! ```
//!
//! Contract: a reply is promised (`reserve`) before its line is read, and pushed later; `places` are promised at most.
//! A reply that is pushed in cycle t is shown from t + 1 + `delay` on, in order, until it is taken.
//!
//! Testbench: `testbenches/cache_reply_queue/`; tests: `tests/memory/cache/`.

use hdl::{Builder, Module, index_width, mux, params, ports};
use protocol::{LineQueue, MemoryReply, Protocol};

/// Parameters of a [`reply_queue`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ReplyQueueParams {
    /// Replies.
    pub protocol: Protocol,
    /// Replies that are promised or wait, 1 and up.
    pub places: u32,
    /// Cycles that each waits at least.
    pub delay: u32,
}

ports! {
    /// Ports of a [`reply_queue`].
    pub struct ReplyQueuePorts(p: &ReplyQueueParams) of ReplyQueue {
        /// Promises a reply.
        in reserve: 1,
        /// Puts a promised reply in.
        in push: 1,
        /// Tag of the reply that is put in.
        in tag: p.protocol.tag_bits,
        /// It answers a write.
        in write: 1,
        /// Its line.
        in line: p.protocol.data_bits(),
        /// Another reply can be promised.
        out free: 1,
        /// The oldest reply, when it is due.
        out reply: bundle MemoryReply(&p.protocol) with taken: 1,
    }
}

/// The queue.
pub fn reply_queue(p: &ReplyQueueParams) -> Module {
    let ReplyQueueParams { protocol, places, delay } = p;
    let m = Builder::new(
        "cache_reply_queue",
        params! { places, delay, line_bytes: protocol.line_bytes, tag_bits: protocol.tag_bits },
    );
    m.doc("Replies of a cache, until they are due and taken.");
    m.require(*places >= 1, "cache_reply_queue: places = 0, at least 1 is needed");
    let (places, delay) = ((*places).max(1), *delay);
    let io = ReplyQueuePorts::new(&m, p);
    let (reserve, push, tag, write, line) = (io.reserve(), io.push(), io.tag(), io.write(), io.line());
    let (heads, lines) = (("heads", 1 + protocol.tag_bits), ("lines", protocol.data_bits()));
    let waiting = LineQueue::new(&m, places as usize, heads, lines);
    waiting.push((push, write.join(tag)), (push, line));
    let taken = io.reply().answer();
    waiting.pop(taken, taken);

    let promised = m.register("promised", index_width(places as usize + 1), 0);
    m.when(reserve ^ taken, || m.set(promised, mux(reserve, promised + 1, promised - 1)));
    io.free(promised.ne(u64::from(places)));
    let due = if delay == 0 {
        waiting.valid()
    } else {
        let ages = m.register("ages", delay, 0);
        m.set(ages, if delay == 1 { push } else { ages.bits(0, delay - 1).join(push) });
        let (due, leaves) = (m.register("due", index_width(places as usize + 1), 0), ages.bit(delay - 1));
        m.when(leaves ^ taken, || m.set(due, mux(leaves, due + 1, due - 1)));
        due.any()
    };
    let head = waiting.head();
    let reply = MemoryReply {
        valid: due,
        write: head.bit(protocol.tag_bits),
        tag: head.bits(0, protocol.tag_bits),
        data: waiting.line(),
    };
    io.reply().shows(reply);
    m.always("a reply is promised where a place is free", !reserve | promised.ne(u64::from(places)) | taken);
    m.always("a reply is taken when it is shown", !taken | due);
    m.finish()
}
