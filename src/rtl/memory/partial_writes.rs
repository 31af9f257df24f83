//! Partial writes: in front of a DRAM that writes whole chunks alone, reads the line of a write that does not fill its
//! chunks, and writes it back whole.
//!
//! ```text
//!                 +------------------------------------------------+
//!  request_*   -->| fills its chunks, or a read: passes            |--> downstream_*
//!  request_taken<-| else: entry {line, tag, mask, data}, read  ----|--> (whole lines of entries first)
//!  reply_*     <--|                                                |<-- downstream_taken
//!  reply_taken -->| line of an entry: what was not written is kept |<-- downstream_reply_*
//!                 +------------------------------------------------+--> downstream_reply_taken
//! ```
//!
//! Contract: between two links of the memory protocol. A write whose mask covers part of a chunk of 16 bytes takes one
//! of the entries, if one is free; its line is read, the other bytes are filled in, and the whole line is written,
//! whose reply is that of the write. Requests for the line of an entry wait, and what is behind them too, so requests
//! for a line keep their order. Requests and replies pass in the cycle in which they are shown. The reply to a read of
//! an entry is taken whatever waits above. Never: a reply to an entry that is free (asserted).
//!
//! Source: Bakhoda's thesis, pages 25 and 43 (the smallest access is of 16 bytes; without caches it reads before it
//! writes less). Testbench: `testbenches/partial_writes/`; tests: `tests/memory/partial_writes.rs`.

use blocks::{any_of, index_one_hot, lowest_set, one_hot_index};
use hdl::{Builder, Bundle, Module, index_width, mux, params, row, statistics};
use protocol::{ClientPorts, MemoryReply, MemoryRequest, Protocol, ServerPorts, byte_mask};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

statistics! {
    "partial_writes" {
        /// Lines read because a write changes a part of a chunk.
        READS_FIRST: reads_first in "requests";
        /// Cycles in which a request waits for a line that is being completed.
        LINE_WAIT_CYCLES: line_wait_cycles in "cycles";
        /// Cycles in which a partial write waits for an entry.
        ENTRY_WAIT_CYCLES: entry_wait_cycles in "cycles";
    }
}

/// How writes of less than a chunk are done.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PartialWrite {
    /// The DRAM has a mask of bytes.
    #[default]
    Mask,
    /// Their line is read first, and written whole.
    ReadModifyWrite,
}

/// Bytes that a DRAM without a mask writes at least.
pub const CHUNK_BYTES: u32 = 16;

/// Parameters of [`partial_writes`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct PartialWritesParams {
    /// Requests from above.
    pub protocol: Protocol,
    /// Writes whose lines are being completed, 2 and up.
    pub entries: u32,
}

impl PartialWritesParams {
    /// Entries of a memory partition.
    pub const ENTRIES: u32 = 4;

    fn entry_bits(&self) -> u32 {
        index_width(self.entries as usize)
    }

    /// Requests below: the upper bit of the tag says that it is the read of an entry.
    pub fn downstream(&self) -> Protocol {
        self.protocol.with_tag_bits(self.protocol.tag_bits.max(self.entry_bits()) + 1)
    }
}

/// The block; see the [module documentation](self).
pub fn partial_writes(p: &PartialWritesParams) -> Module {
    let PartialWritesParams { protocol, entries } = p;
    let m = Builder::new(
        "partial_writes",
        params! { entries, line_bytes: protocol.line_bytes, tag_bits: protocol.tag_bits },
    );
    m.doc("Reads the line of a write that does not fill its chunks, and writes it whole.");
    m.require(*entries >= 2, &format!("partial_writes: entries = {entries}, at least 2 are needed"));
    let (entries, downstream, bytes) = (*entries, &p.downstream(), protocol.line_bytes);
    let [valid, ready] = ["valid", "ready"].map(|name| m.register(name, entries, 0));
    let numbers: Vec<_> = (0..entries).map(|e| m.register_payload(("line", e), protocol.line_number_bits())).collect();
    let tags = m.memory("tags", entries as usize, protocol.tag_bits);
    let masks = m.memory("masks", entries as usize, bytes);
    let lines = m.memory("lines", entries as usize, protocol.data_bits());

    m.comment("A write is partial where a chunk is neither left alone nor filled.");
    let (up, down) = (ServerPorts::new(&m, protocol), ClientPorts::new(&m, downstream));
    let (request, request_taken) = up.request().signals();
    let mask = m.wire("mask", byte_mask(request.words, request.bytes));
    let split: Vec<_> = mask.parts(CHUNK_BYTES).into_iter().map(|chunk| chunk.any() & !chunk.all()).collect();
    let partial = m.wire("partial", request.write & any_of(&split));
    let same = row(numbers.iter().map(|&number| number.eq(request.line))) & valid;
    let in_the_way = m.wire("in_the_way", request.valid & same.any());
    let entry = m.wire("entry", lowest_set(!valid));
    let number = m.wire("entry_number", one_hot_index(entry));

    m.comment("Below: completed lines first.");
    let whole = m.wire("whole", lowest_set(valid & ready));
    let whole_number = m.wire("whole_number", one_hot_index(whole));
    let completes = whole.any();
    let ones = |width: u32| m.lit(1, 1).repeat(width);
    let line = MemoryRequest {
        valid: completes,
        write: ones(1),
        tag: tags.read(whole_number).extend(downstream.tag_bits),
        line: blocks::one_hot_mux(whole, &numbers),
        words: ones(protocol.words()),
        bytes: ones(4),
        data: lines.read(whole_number),
    };
    let own_tag = m.lit(1, 1).join(number.extend(downstream.tag_bits - 1));
    let passing = MemoryRequest {
        valid: request.valid & !in_the_way & (!partial | entry.any()),
        write: request.write & !partial,
        tag: mux(partial, own_tag, request.tag.extend(downstream.tag_bits)),
        words: request.words | partial.repeat(protocol.words()),
        bytes: request.bytes | partial.repeat(4),
        ..request
    };
    down.downstream().shows(line.or_else(completes, passing));
    let downstream_taken = down.downstream().answer();
    let taken = m.wire("taken", downstream_taken & !completes);
    request_taken.shows(taken);
    let begins = m.wire("begins", taken & partial);

    m.comment("Replies: the line of an entry is completed when nothing else is written there.");
    let (reply, downstream_reply_taken) = down.downstream_reply().signals();
    let own = reply.tag.bit(downstream.tag_bits - 1);
    let merges = m.wire("merges", reply.valid & own & !begins);
    let merged = m.wire("merged_entry", reply.tag.bits(0, p.entry_bits()));
    let above = MemoryReply { valid: reply.valid & !own, tag: reply.tag.bits(0, protocol.tag_bits), ..reply };
    up.reply().shows(above);
    downstream_reply_taken.shows(mux(own, merges, up.reply().answer()));
    m.when(begins, || {
        tags.write(number, request.tag);
        masks.write(number, mask);
    });
    for (&line, takes) in numbers.iter().zip((entry & begins.repeat(entries)).to_bits()) {
        m.when(takes, || m.set(line, request.line));
    }
    m.when(begins | merges, || {
        let kept = mux(begins, ones(bytes), !masks.read(merged));
        lines.write_masked(mux(begins, number, merged), mux(begins, request.data, reply.data), kept);
    });
    let leaves = whole & (downstream_taken & completes).repeat(entries);
    let done = index_one_hot(merged, entries) & merges.repeat(entries);
    m.set(valid, valid & !leaves | entry & begins.repeat(entries));
    m.set(ready, ready & !leaves | done);

    m.always("a line answers an entry that waits for it", (done & (!valid | ready)).is_zero());
    m.always("entries are answered by lines", !(reply.valid & own & reply.write));
    m.count(READS_FIRST, begins);
    m.count(LINE_WAIT_CYCLES, in_the_way);
    m.count(ENTRY_WAIT_CYCLES, request.valid & !in_the_way & partial & !entry.any());
    m.finish()
}
