//! The low five bits of the line's number, mixed with its bits 6, 7, 8, 10 and 12; further bits of the set are plain.
//!
//! Source: the set index of Fermi's L1 cache for lines of 128 bytes, where these are the address bits 13, 14, 15, 17
//! and 19 (C. Nugteren et al., *A detailed GPU cache model based on reuse distance theory*, HPCA 2014), as Kim's thesis
//! uses it (section 5.3.1).

use super::IndexPolicy;
use hdl::{Signal, row};

/// See the [module documentation](self).
pub struct Hashed;

impl IndexPolicy for Hashed {
    fn mix<'m>(&self, line: Signal<'m>, bits: u32) -> Option<Signal<'m>> {
        let mixed = [6, 7, 8, 10, 12].into_iter().take(bits as usize).filter(|bit| *bit < line.width());
        Some(row(mixed.map(|bit| line.bit(bit))))
    }
}
