//! An array of the cache with a row for each set: tags, order of use, names of miss entries.
//!
//! ```text
//!  read_set (set) ---->+------------------------------+
//!  write (1) --------->| memory (1 read, 1 write) ----+--> row: of the set that `read_set` named one cycle before
//!  write_set (set) --->|   '-> output register        |
//!  write_row (width) ->|   '-> row that was written --+
//!                      +------------------------------+
//! ```
//!
//! Contract: a synchronous memory with one read and one write port, as memory compilers make them. A row that is
//! written in the cycle in which it is read is shown as written: the multiplexer stands behind the output register.
//! `row` does not depend on inputs. What a set holds before it is written is unknown: the cache clears all sets after
//! reset.
//!
//! Testbench: `testbenches/cache_set_array/`; tests: `tests/memory/cache/`.

use hdl::{Builder, Module, mux, params, ports};

ports! {
    /// Ports of a [`set_array`] of so many rows of so many bits.
    pub struct SetArrayPorts((sets, width): &(u32, u32)) of SetArray {
        /// The set whose row is read.
        in read_set: sets.ilog2(),
        /// Writes a row.
        in write: 1,
        /// The set whose row is written.
        in write_set: sets.ilog2(),
        /// The row that is written.
        in write_row: *width,
        /// The row of the set that was named one cycle before.
        out row: *width,
    }
}

/// An array of `sets` rows (a power of two, 2 and up) of `width` bits.
pub fn set_array(sets: u32, width: u32) -> Module {
    let m = Builder::new("cache_set_array", params! { sets, width });
    m.doc("Rows of the sets of a cache, read a cycle ahead.");
    m.require(
        sets.is_power_of_two() && sets >= 2,
        &format!("cache_set_array: sets = {sets}, a power of two from 2 on is needed"),
    );
    let (sets, width) = (sets.next_power_of_two().max(2), width.max(1));
    let io = SetArrayPorts::new(&m, &(sets, width));
    let rows = m.memory("rows", sets as usize, width);
    let read_set = io.read_set();
    let (write, write_set, write_row) = (io.write(), io.write_set(), io.write_row());
    m.when(write, || rows.write(write_set, write_row));
    let stored = rows.read_sync("stored", read_set, m.lit(1, 1));
    let same = m.delayed("written_now", write & write_set.eq(read_set));
    let written = m.captured("written_row", write, write_row);
    io.row(mux(same, written, stored));
    m.finish()
}
