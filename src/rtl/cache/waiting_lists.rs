//! Waiting lists: the requests that wait for each pending line, any number of them, as lists linked through the tags of
//! the requests.
//!
//! ```text
//!  open (1), open_entry, has_target ---->+-----------------------+--> free (1): always one
//!  append (1), entry, target (tag) ----->| count, first, last    |
//!  drain_entry, drain_begins, _step ---->| behind: tag after tag |--> drained (tag), drain_count
//!                                        +-----------------------+
//! ```
//!
//! Contract: as that of [`targets`](mod@super::targets), but that a list is as long as there are tags; a tag waits in
//! one place at a time, as no asker uses one again before it is answered. `drained` is the first tag of the list of
//! `drain_entry` while `drain_begins` is one, and after each `drain_step` the one behind.
//!
//! Testbench: `testbenches/cache_waiting_lists/`; tests: `tests/memory/cache/`.

use super::waiting_requests::{WaitingPorts, WaitingRequests};
use hdl::{Builder, Module, mux, params};

/// Lists of tags of `tag_bits` (1 to 20) for each of `entries` (2 and up).
pub fn waiting_lists(entries: u32, tag_bits: u32) -> Module {
    let m = Builder::new("cache_waiting_lists", params! { entries, tag_bits });
    m.doc("Requests that wait for each pending line, without a limit.");
    m.require(entries >= 2, "cache_waiting_lists: at least 2 entries are needed");
    m.require((1..=20).contains(&tag_bits), "cache_waiting_lists: tag_bits are 1 to 20");
    let (entries, tag_bits) = (entries.max(2), tag_bits.clamp(1, 20));
    let count_bits = tag_bits + 1;
    let io = WaitingPorts::new(&m, &(WaitingRequests::Lists, entries, tag_bits));
    let (open, has_target, append) = (io.open(), io.has_target(), io.append());
    let (open_entry, entry, target) = (io.open_entry(), io.entry(), io.target());
    let written = m.wire("entry_written", mux(open, open_entry, entry));
    let of_entry = |name: &str, width: u32| m.memory(name, entries as usize, width);
    let (counts, firsts, lasts) =
        (of_entry("counts", count_bits), of_entry("first", tag_bits), of_entry("last", tag_bits));
    let behind = m.memory("behind", 1 << tag_bits, tag_bits);
    let count = m.wire("count", counts.read(entry));
    let inserts = m.wire("inserts", open & has_target | append);
    m.when(open | append, || counts.write(written, mux(open, has_target.extend(count_bits), count + 1)));
    m.when(inserts & (open | count.is_zero()), || firsts.write(written, target));
    m.when(append & count.any(), || behind.write(lasts.read(entry), target));
    m.when(inserts, || lasts.write(written, target));
    io.free(1);
    let drain_entry = io.drain_entry();
    let (begins, step) = io.drain_begins().zip(io.drain_step()).expect("requests stand in lists");
    let following = m.register_payload("following", tag_bits);
    let drained = m.wire("drained_now", mux(begins, firsts.read(drain_entry), following));
    m.when(step, || m.set(following, behind.read(drained)));
    io.drained(drained);
    io.drain_count(counts.read(drain_entry));
    m.always("a request begins a list or is appended", !(open & append));
    m.always("a list is no longer than there are tags", !append | !count.bit(tag_bits));
    m.finish()
}
