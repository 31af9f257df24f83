//! Pages: a DRAM row to each bank of a controller in turn, then to those of the next controller. What lies in one row
//! of 2 KB is consecutive in memory.
//!
//! ```text
//!  row | controller | bank | column
//! ```
//!
//! Source: Bakhoda 2014, section 3.1 (successive pages of 2 KB go over the banks and chips).

use super::{Interleaving, Organisation};

pub(super) struct Page2k;

impl Interleaving for Page2k {
    fn chunk_bits(&self, organisation: &Organisation) -> u32 {
        organisation.row_offset_bits + organisation.bank_bits
    }
}
