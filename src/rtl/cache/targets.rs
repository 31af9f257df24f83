//! Targets of the miss entries: the requests that wait for each pending line, in the order in which they came.
//!
//! ```text
//!  open (1), open_entry, has_target -->+-----------------+--> free (1): the entry `entry` takes another request
//!  append (1), entry, target (tag) --->| counts, full    |--> full (a bit each): entries that take no further request
//!  drain_entry, drain_place ---------->| tags (memory)   |--> drained (tag), drain_count
//!                                      +-----------------+
//! ```
//!
//! Contract: `open` begins the list of `open_entry`, with `target` in it when `has_target` is one; `append` puts `target` at
//! the end of that of `entry`. Reads are combinational; `free` and `full` are of the list as it was begun last, so whoever asks
//! knows whether the entry is in use. Never: `append` without `free`, or both at once (asserted).
//!
//! Testbench: `testbenches/cache_targets/`; tests: `tests/memory/cache/`.

use super::waiting_requests::{WaitingPorts, WaitingRequests};
use blocks::index_one_hot;
use hdl::{Builder, Module, index_width, mux, params, select};

/// Lists of at most `targets` (1 and up) tags of `tag_bits` for each of `entries` (2 and up).
pub fn targets(entries: u32, targets: u32, tag_bits: u32) -> Module {
    let m = Builder::new("cache_targets", params! { entries, targets, tag_bits });
    m.doc("Requests that wait for each pending line.");
    let legal = entries >= 2 && targets >= 1 && tag_bits >= 1;
    m.require(legal, "cache_targets: at least 2 entries with 1 target of 1 bit are needed");
    let (entries, targets, tag_bits) = (entries.max(2), targets.max(1), tag_bits.max(1));
    let (count_bits, place_bits) = (index_width(targets as usize + 1), index_width(targets as usize));
    let io = WaitingPorts::new(&m, &(WaitingRequests::Targets(targets), entries, tag_bits));
    let (open, has_target, append) = (io.open(), io.has_target(), io.append());
    // An entry that begins is known late, and nothing is read of it.
    let (open_entry, entry, target) = (io.open_entry(), io.entry(), io.target());
    let written = m.wire("entry_written", mux(open, open_entry, entry));
    let counts = m.memory("counts", entries as usize, count_bits);
    let tags = m.memory("tags", (entries << place_bits) as usize, tag_bits);
    let count = m.wire("count", counts.read(entry));
    let next = m.wire("next_count", mux(open, has_target.extend(count_bits), count + 1));
    m.when(open | append, || counts.write(written, next));
    // Beside the counts, for whoever knows the entry as a bit: that is sooner than its number.
    let full = m.register("full_now", entries, 0);
    let written_entry = index_one_hot(written, entries) & (open | append).repeat(entries);
    let fills = m.wire("fills", next.eq(u64::from(targets)));
    m.set(full, full & !written_entry | written_entry & fills.repeat(entries));
    let free = m.wire("has_free", !select(entry, &full.to_bits()));
    io.full(full);
    let place = mux(open, 0, count.resize(place_bits));
    m.when(open & has_target | append, || tags.write(written.join(place), target));
    io.free(free);
    let (drain_entry, drain_place) = (io.drain_entry(), io.drain_place().expect("requests have places"));
    io.drained(tags.read(drain_entry.join(drain_place)));
    io.drain_count(counts.read(drain_entry));
    m.always("a request is appended where a target is free", !append | free);
    m.always("an entry is full when all its targets are taken", !append | free.eq(count.ne(u64::from(targets))));
    m.always("a request begins a list or is appended", !(open & append));
    m.finish()
}
