//! Fields of the miss entries: the requests that wait for each pending line, in the order in which they came.
//!
//! ```text
//!  open (1), has_field (1) -------->+-----------------+--> room (1): the entry `entry` takes another request
//!  append (1), entry, field (tag) ->| counts          |
//!  drain_entry, drain_place ------->| fields (memory) |--> drained (tag), drain_count
//!                                   +-----------------+
//! ```
//!
//! Contract: `open` begins the list of `entry`, with `field` in it when `has_field` is one; `append` puts `field` at its end. Reads are
//! combinational. Never: `append` without `room` (asserted).
//!
//! Testbench: `testbenches/cache_fields/`; tests: `tests/cache/`.

use hdl::{Builder, Module, index_width, mux, params};

/// Lists of at most `fields` (1 and up) tags of `tag_bits` for each of `entries` (2 and up).
pub fn fields(entries: u32, fields: u32, tag_bits: u32) -> Module {
    let m = Builder::new("cache_fields", params! { entries, fields, tag_bits });
    m.doc("Requests that wait for each pending line.");
    let legal = entries >= 2 && fields >= 1 && tag_bits >= 1;
    m.require(legal, "cache_fields: at least 2 entries with 1 field of 1 bit are needed");
    let (entries, fields, tag_bits) = (entries.max(2), fields.max(1), tag_bits.max(1));
    let (entry_bits, count_bits) = (index_width(entries as usize), index_width(fields as usize + 1));
    let place_bits = index_width(fields as usize);
    let [open, has_field, append] = ["open", "has_field", "append"].map(|port| m.input(port, 1));
    let (entry, field) = (m.input("entry", entry_bits), m.input("field", tag_bits));
    let counts = m.memory("counts", entries as usize, count_bits);
    let tags = m.memory("tags", (entries << place_bits) as usize, tag_bits);
    let count = m.wire("count", counts.read(entry));
    let room = m.wire("has_room", count.ne(u64::from(fields)));
    m.when(open | append, || counts.write(entry, mux(open, has_field.extend(count_bits), count + 1)));
    let place = mux(open, 0, count.resize(place_bits));
    m.when(open & has_field | append, || tags.write(entry.join(place), field));
    m.output_of("room", room);
    let drain_entry = m.input("drain_entry", entry_bits);
    m.output_of("drained", tags.read(drain_entry.join(m.input("drain_place", place_bits))));
    m.output_of("drain_count", counts.read(drain_entry));
    m.always("a request is appended where there is room", !append | room);
    m.finish()
}
