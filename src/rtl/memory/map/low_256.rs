//! Low-order interleaving: 256 bytes to each controller in turn. Eight chunks of a controller make a row of 2 KB.
//!
//! ```text
//!  row | bank | column, upper part | controller | 256 bytes
//! ```
//!
//! Source: Bakhoda 2014, chapter 4 (addresses are low-order interleaved among the controllers every 256 bytes).

use super::{Interleaving, Organisation};

pub(super) struct Low256;

impl Interleaving for Low256 {
    fn chunk_bits(&self, _: &Organisation) -> u32 {
        8
    }
}
