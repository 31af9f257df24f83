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
//! Contract: as that of the cache ([`mod@cache::block`]), for reads alone. A reply is shown for one cycle and
//! always taken above: hits in the order of their requests, a miss when its line is here. What it holds is read by
//! others, too, and nobody writes it while a kernel runs; the flush at the end of the kernel forgets all lines. The
//! ports for writes of the cache are tied, so synthesis removes what serves them.
//!
//! Source: Bakhoda's thesis, sections 2.1 and 3.2 (constant and texture caches); Kim's thesis, section 1.1 (instruction
//! cache).
//!
//! Testbench: `testbenches/read_only_cache/`; tests: `tests/core/random.rs`, `tests/chip/run.rs`.

use cache::{Cache, CacheParams, cache};
use hdl::{Builder, Module, bundle, ports};
use protocol::{ClientPorts, MemoryReply, MemoryRequest, Protocol};

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

ports! {
    /// Ports of a [`read_only_cache`], beside those of a client.
    pub struct ReadOnlyCachePorts(p: &CacheParams) of ReadOnlyCache {
        /// Lines that are wanted.
        in request: bundle LineRead(&p.protocol) with taken: 1,
        /// Lines, each for one cycle.
        out reply: bundle LineReply(&p.protocol),
        /// The kernel has ended: all lines are forgotten.
        in flush: 1,
        /// They are.
        out flushed: 1,
    }
}

/// The cache; see the [module documentation](self).
pub fn read_only_cache(p: &CacheParams) -> Module {
    let m = Builder::new("read_only_cache", p.parameters());
    m.doc("Cache of a core that is only read.");
    m.require(!p.writes_back(), "read_only_cache: write_hit = back, but nothing is written");
    let (above, inner, below) = (&p.protocol, &p.downstream(), &downstream(p));
    let (io, down) = (ReadOnlyCachePorts::new(&m, p), ClientPorts::new(&m, below));
    let cache = Cache(m.instance("cache", &cache(p)));
    let zero = |width: u32| m.lit(1, 0).repeat(width);
    let (LineRead { valid, tag, line }, taken) = io.request().signals();
    let (words, data) = (zero(above.words()), zero(above.data_bits()));
    cache.request().drive(MemoryRequest { valid, write: zero(1), tag, line, words, bytes: zero(4), data });
    taken.shows(cache.request().answer());
    let MemoryReply { valid, write, tag, data } = cache.reply().signals();
    cache.reply().answer(valid);
    io.reply(LineReply { valid, tag, data });

    let missed = cache.downstream().signals();
    down.downstream().shows(MemoryRequest { tag: missed.tag.bits(0, below.tag_bits), ..missed });
    cache.downstream().answer(down.downstream().answer());
    let (filled, taken) = down.downstream_reply().signals();
    cache.downstream_reply().drive(MemoryReply { tag: filled.tag.extend(inner.tag_bits), ..filled });
    taken.shows(cache.downstream_reply().answer());
    cache.flush(io.flush());
    io.flushed(m.delayed("flushed_now", cache.flushed()));
    m.always("nothing is written", !(missed.valid & missed.write | valid & write | filled.valid & filled.write));
    m.finish()
}
