//! The lines of a cache.
//!
//! ```text
//!  read (1), read_place ----------------------------->+--------+--> line: of the last cycle with `read`
//!  write (1), write_place, write_line, write_bytes -->| memory |
//!                                                     +--------+
//! ```
//!
//! Contract: a synchronous memory with one read port and one write port with a bit for each byte. The cache never reads
//! a line in the cycle in which it is written (asserted), which memory compilers leave undefined.
//!
//! Testbench: `testbenches/cache_data_array/`; tests: `tests/memory/cache/`.

use hdl::{Builder, Module, index_width, params, ports};

ports! {
    /// Ports of a [`data_array`] of so many lines of so many bytes.
    pub struct DataArrayPorts((lines, line_bytes): &(u32, u32)) of DataArray {
        /// Reads a line.
        in read: 1,
        /// Place of the line that is read.
        in read_place: index_width(*lines as usize),
        /// Writes bytes of a line.
        in write: 1,
        /// Place of the line that is written.
        in write_place: index_width(*lines as usize),
        /// The line that is written.
        in write_line: 8 * line_bytes,
        /// Bytes of it that are written.
        in write_bytes: *line_bytes,
        /// The line that was read last.
        out line: 8 * line_bytes,
    }
}

/// An array of `lines` (2 and up) of `line_bytes`.
pub fn data_array(lines: u32, line_bytes: u32) -> Module {
    let m = Builder::new("cache_data_array", params! { lines, line_bytes });
    m.doc("Lines of a cache: one read and one write port.");
    m.require(lines >= 2 && line_bytes >= 1, "cache_data_array: at least 2 lines of 1 byte are needed");
    let (lines, line_bytes) = (lines.max(2), line_bytes.max(1));
    let io = DataArrayPorts::new(&m, &(lines, line_bytes));
    let memory = m.memory("lines", lines as usize, 8 * line_bytes);
    let (read, read_place) = (io.read(), io.read_place());
    let (write, write_place) = (io.write(), io.write_place());
    let (write_line, write_bytes) = (io.write_line(), io.write_bytes());
    m.when(write, || memory.write_masked(write_place, write_line, write_bytes));
    io.line(memory.read_sync("line_read", read_place, read));
    m.always("a line is not read while it is written", !(read & write) | read_place.ne(write_place));
    m.finish()
}
