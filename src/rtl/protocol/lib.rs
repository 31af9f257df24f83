//! The memory protocol: what a transaction says, the same wherever it passes.
//!
//! ```text
//!  unit of a core --MemoryRequest--> memory port --packet: kind, tag, RequestHeader, line--> partition --Transaction--> controller
//!  unit of a core <--MemoryReply---- memory port <--packet: kind, tag, line---------------- partition <--TransactionReply-- controller
//! ```
//!
//! A transaction moves words of one line. A request stays shown until it is taken; a reply is shown for one cycle and
//! always accepted. Every request is answered, writes too, except where the chip says so ([`WriteReply`]). The tag is
//! the asker's own: it comes back with the reply. A read of no words is a **fence**: the partition answers it like a
//! write when it has taken everything before it.
//!
//! An *atomic* is a write that names no bytes: `bytes` is 0. `words` says which word, or aligned pair of words, it
//! works on; its data is an [`AtomicData`]. So everything on its way keeps it in the order of writes. It ends at the
//! `memory::atomic_unit` of its memory node; one that `returns` is answered as a read is, with the
//! old value in all words (or pairs) of the line, others as a write.
//!
//! Source of the sizes: Bakhoda 2014, section 3.1 (request packets of 8 bytes, lines of 64); Kim 2017, table 5.3 (lines
//! of 128).

#![forbid(unsafe_code)]

mod line_queue;

pub use line_queue::LineQueue;

use blocks::atomic_alu::OPERATION_BITS;
use hdl::{Bundle, Signal, bundle, ports, row};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Bits of a byte address.
pub const ADDRESS_BITS: u32 = 32;
/// Bits of the header of a request packet.
pub const HEADER_BITS: u32 = 64;
/// Sizes that a line may have, in bytes: the word mask and the line's number fit a packet's header.
pub const LINE_SIZES: [u32; 3] = [32, 64, 128];

/// Whether controllers answer writes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum WriteReply {
    /// A packet answers each write.
    #[default]
    Packet,
    /// Nothing does. The network has to keep the order of a core's requests to a controller; fences ask whether writes have arrived.
    None,
}

/// Widths of the transactions of a chip.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
pub struct Protocol {
    /// Bytes of a line; one of [`LINE_SIZES`].
    pub line_bytes: u32,
    /// Bits of a tag.
    pub tag_bits: u32,
}

impl Protocol {
    /// Bits of a line of data.
    pub fn data_bits(&self) -> u32 {
        8 * self.line_bytes
    }

    /// Words of 32 bits in a line.
    pub fn words(&self) -> u32 {
        self.line_bytes / 4
    }

    /// Bits of the number of a word in its line.
    pub fn word_index_bits(&self) -> u32 {
        self.words().ilog2()
    }

    /// Bits of the offset of a byte in its line.
    pub fn offset_bits(&self) -> u32 {
        self.line_bytes.ilog2()
    }

    /// Bits of the number of a line: an address without the offset.
    pub fn line_number_bits(&self) -> u32 {
        ADDRESS_BITS - self.offset_bits()
    }

    /// Bits of a header that mean nothing.
    pub fn reserved_bits(&self) -> u32 {
        HEADER_BITS - 4 - self.words() - self.line_number_bits()
    }

    /// The same with tags of other width.
    pub fn with_tag_bits(self, tag_bits: u32) -> Self {
        Self { tag_bits, ..self }
    }
}

bundle! {
    /// A request: shown until it is taken.
    pub struct MemoryRequest(p: &Protocol) {
        valid: 1,
        /// Kind: a write or an atomic, or else a read.
        write: 1,
        tag: p.tag_bits,
        /// Number of the line.
        line: p.line_number_bits(),
        /// Words of the line that are read or written.
        words: p.words(),
        /// Bytes of each of these words that are written; of an atomic none.
        bytes: 4,
        /// Of a write or an atomic.
        data: p.data_bits(),
    }
}

bundle! {
    /// A reply, for one cycle.
    pub struct MemoryReply(p: &Protocol) {
        valid: 1,
        /// Kind of what was asked for.
        write: 1,
        tag: p.tag_bits,
        /// The line, of a read.
        data: p.data_bits(),
    }
}

bundle! {
    /// Header of a request packet: [`HEADER_BITS`] bits.
    pub struct RequestHeader(p: &Protocol) {
        /// Zero.
        reserved: p.reserved_bits(),
        /// Bytes of each word that are written.
        bytes: 4,
        /// Words of the line that are read or written.
        words: p.words(),
        /// Number of the line.
        line: p.line_number_bits(),
    }
}

bundle! {
    /// Low bits of the data of an atomic.
    pub struct AtomicData(_p: &()) {
        /// The old value is wanted.
        returns: 1,
        /// Code of an [`AtomicOp`](program::isa::AtomicOp).
        operation: OPERATION_BITS,
        /// The value that a compare-and-swap looks for.
        compare: 64,
        operand: 64,
    }
}

impl<'m> MemoryRequest<'m> {
    /// It is a fence: see the [module documentation](self).
    pub fn is_fence(&self) -> Signal<'m> {
        !self.write & self.words.is_zero()
    }

    /// An atomic.
    pub fn is_atomic(&self) -> Signal<'m> {
        self.write & self.bytes.is_zero()
    }

    /// An atomic whose old value is wanted: it is answered as a read.
    pub fn returns_old(&self) -> Signal<'m> {
        self.is_atomic() & AtomicData::unpack(self.data.bits(0, AtomicData::width(&())), &()).returns
    }
}

/// Bit `4 w + b`: word mask bit `w` and byte mask bit `b`. As many bits as a line has bytes.
pub fn byte_mask<'m>(words: Signal<'m>, bytes: Signal<'m>) -> Signal<'m> {
    row(words.to_bits().into_iter().map(|word| word.repeat(4) & bytes))
}

ports! {
    /// Ports of what takes requests and answers them.
    pub struct ServerPorts(p: &Protocol) of Server {
        /// Requests.
        in request: bundle MemoryRequest(p) with taken: 1,
        /// Replies.
        out reply: bundle MemoryReply(p) with taken: 1,
    }
}

ports! {
    /// Ports of what asks something below it.
    pub struct ClientPorts(p: &Protocol) of Client {
        /// Requests.
        out downstream: bundle MemoryRequest(p) with taken: 1,
        /// Replies to them.
        in downstream_reply: bundle MemoryReply(p) with taken: 1,
    }
}

impl<'m> Client<'m> {
    /// Asks `server`.
    pub fn connect(self, server: Server<'m>) {
        self.downstream().connect(server.request());
        server.reply().connect(self.downstream_reply());
    }
}
