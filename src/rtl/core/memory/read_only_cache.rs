//! A cache of a core that is only read: of instructions, constants or textures.
//!
//! ```text
//!  request: valid, tag, line -->+-------+--> downstream_* (reads; the tag is a miss entry)
//!  request_taken <--------------| cache |<-- downstream_taken
//!  reply: valid, tag, data <----|       |<-- downstream_reply_valid, _write, _tag, _data
//!  flush ---------------------->|       |--> downstream_reply_taken
//!  flushed <--------------------+-------+
//! ```
//!
//! Contract: as that of the cache ([`mod@crate::cache::block`]), for reads alone. A reply is shown for one cycle and
//! always taken above: hits in the order of their requests, a miss when its line is here. What it holds is read by
//! others, too, and nobody writes it while a kernel runs; the flush at the end of the kernel forgets all lines. The
//! ports for writes of the cache are tied, so synthesis removes what serves them.
//!
//! Source: Bakhoda's thesis, sections 2.1 and 3.2 (constant and texture caches); Kim's thesis, section 1.1 (instruction
//! cache).
//!
//! Testbench: `testbenches/read_only_cache/`; tests: `tests/core/random.rs`, `tests/chip/run.rs`.

use crate::{
    cache::{CacheParams, cache},
    memory::protocol::{MemoryReply, MemoryRequest, Protocol},
};
use hdl::{Builder, Bundle, Module, bundle};

bundle! {
    /// A read of a line: shown until it is taken.
    pub struct LineRead(p: &Protocol) {
        valid: 1,
        tag: p.tag_bits,
        /// Number of the line.
        line: p.line_number_bits(),
    }
}

bundle! {
    /// A line that was read, for one cycle.
    pub struct LineReply(p: &Protocol) {
        valid: 1,
        tag: p.tag_bits,
        data: p.data_bits(),
    }
}

/// Requests below.
pub fn downstream(p: &CacheParams) -> Protocol {
    p.protocol.with_tag_bits(p.entry_bits())
}

/// The cache; see the [module documentation](self).
pub fn read_only_cache(p: &CacheParams) -> Module {
    let m = Builder::new("read_only_cache", p.parameters());
    m.doc("Cache of a core that is only read.");
    m.require(!p.writes_back(), "read_only_cache: write_hit = back, but nothing is written");
    let (above, inner, below) = (&p.protocol, &p.downstream(), &downstream(p));
    let cache = m.instance("cache", &cache(p));
    let zero = |width: u32| m.lit(1, 0).repeat(width);
    let LineRead { valid, tag, line } = LineRead::inputs(&m, "request", above);
    let (words, data) = (zero(above.words()), zero(above.data_bits()));
    MemoryRequest { valid, write: zero(1), tag, line, words, bytes: zero(4), data }.drive(cache, "request", above);
    m.output_of("request_taken", cache.get("request_taken"));
    let MemoryReply { valid, write, tag, data } = MemoryReply::of(cache, "reply", above);
    cache.drive("reply_taken", valid);
    LineReply { valid, tag, data }.outputs(&m, "reply", above);

    let missed = MemoryRequest::of(cache, "downstream", inner);
    MemoryRequest { tag: missed.tag.bits(0, below.tag_bits), ..missed }.outputs(&m, "downstream", below);
    cache.drive("downstream_taken", m.input("downstream_taken", 1));
    let filled = MemoryReply::inputs(&m, "downstream_reply", below);
    MemoryReply { tag: filled.tag.extend(inner.tag_bits), ..filled }.drive(cache, "downstream_reply", inner);
    m.output_of("downstream_reply_taken", cache.get("downstream_reply_taken"));
    cache.drive("flush", m.input("flush", 1));
    m.output_of("flushed", m.delayed("flushed_now", cache.get("flushed")));
    m.always("nothing is written", !(missed.valid & missed.write | valid & write | filled.valid & filled.write));
    m.finish()
}
