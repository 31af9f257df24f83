//! The memory protocol: what a request to a line of memory says, wherever it passes.

use hdl::bundle;

bundle! {
    /// Header of a request packet, 64 bits.
    pub struct RequestHeader(_p: &()) {
        /// Zero.
        reserved: 12,
        /// Bytes of each word that are written.
        bytes: 4,
        /// Words of the line that are read or written.
        words: 16,
        /// Of the line, in bytes.
        address: 32,
    }
}
