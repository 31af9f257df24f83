//! Content-addressable memory: finds the entry that holds a key, by comparing all entries at once.
//!
//! ```text
//!                           +-----------+
//!  lookup_key     (width) ->|           |-> hit (1), hit_entries (entries, one-hot), hit_index
//!  insert             (1) ->|  key[0]   |-> full (1)
//!  insert_key     (width) ->|  key[1]   |-> insert_entry (entries, one-hot: the lowest free one; zero when full)
//!  invalidate   (entries) ->|  ...      |-> valid (entries)
//!                           +-----------+
//! ```
//!
//! Contract: lookup is combinational and sees the entries as they were before this cycle's insert and invalidate.
//! `insert` stores the key in `insert_entry` at the clock edge; what belongs to the key is kept by the user, at the
//! same index. Each bit of `invalidate` frees its entry at the clock edge. After reset all entries are free. Never:
//! insert while full, or of a key that is present and not invalidated in the same cycle; invalidation of a free entry
//! (asserted).
//!
//! Testbench: `testbenches/cam/`.

use super::select::{lowest_set, one_hot_index};
use hdl::{Builder, Module, Signal, concat, index_width, params, ports};

ports! {
    /// Ports of a [`cam`] of so many entries, keys of so many bits.
    pub struct CamPorts((entries, width): &(u32, u32)) of Cam {
        /// The key that is looked for.
        in lookup_key: *width,
        /// Puts a key in.
        in insert: 1,
        /// The key that is put in.
        in insert_key: *width,
        /// Entries that are free from the next cycle on.
        in invalidate: *entries,
        /// An entry has the key that is looked for.
        out hit: 1,
        /// The entry that has it, one-hot.
        out hit_entries: *entries,
        /// Its number.
        out hit_index: index_width(*entries as usize),
        /// No entry is free.
        out full: 1,
        /// The entry that a key is put in, one-hot.
        out insert_entry: *entries,
        /// Entries that are used.
        out valid: *entries,
    }
}

/// A CAM of `entries` (1 and up) keys of `width` bits (1 and up); `hit_index` has `index_width(entries)` bits.
pub fn cam(entries: u32, width: u32) -> Module {
    let m = Builder::new("cam", params! { entries, width });
    m.doc("Content-addressable memory with parallel match.");
    m.require(entries >= 1, "cam: entries = 0, at least 1 is needed");
    m.require(width >= 1, "cam: width = 0 bits, at least 1 is needed");
    let (entries, width) = (entries.max(1), width.max(1));
    let io = CamPorts::new(&m, &(entries, width));
    let (lookup_key, insert, insert_key) = (io.lookup_key(), io.insert(), io.insert_key());
    let invalidate = io.invalidate();

    let valid = m.register("used", entries, 0);
    let keys: Vec<_> = (0..entries).map(|i| m.register_payload(("key", i), width)).collect();
    let hits = m.wire("hits", holders(&keys, lookup_key) & valid);
    io.hit(hits.any());
    io.hit_entries(hits);
    io.hit_index(one_hot_index(hits));

    let free = m.wire("free", lowest_set(!valid));
    io.full(valid.all());
    io.insert_entry(free);
    io.valid(valid);
    let inserted = m.wire("inserted", free & insert.repeat(entries));
    m.set(valid, (valid & !invalidate) | inserted);
    for (key, chosen) in keys.iter().zip(inserted.to_bits()) {
        m.when(chosen, || m.set(*key, insert_key));
    }

    m.always("insert finds a free entry", !insert | !valid.all());
    m.always("no key is inserted twice", !insert | (holders(&keys, insert_key) & valid & !invalidate).is_zero());
    m.always("only used entries are invalidated", (invalidate & !valid).is_zero());
    m.finish()
}

/// Which of the entries hold `key`.
fn holders<'m>(keys: &[Signal<'m>], key: Signal<'m>) -> Signal<'m> {
    let equal: Vec<_> = keys.iter().rev().map(|stored| stored.eq(key)).collect();
    concat(&equal)
}
