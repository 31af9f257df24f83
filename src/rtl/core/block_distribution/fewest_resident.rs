//! Fewest resident: the core with the fewest blocks, of equal ones the first. No state.
//!
//! Source: Bakhoda 2014, section 3.2.2; its example of imbalance (section 3.5.1) is a test in
//! `tests/chip/dispatcher.rs`.

use super::{Cores, Distribution};
use blocks::{lowest_set, popcount};
use hdl::{Signal, mux, row};

/// See the [module documentation](self).
pub struct FewestResident;

impl Distribution for FewestResident {
    fn choose<'m>(&self, cores: &Cores<'_, 'm>) -> Signal<'m> {
        let Cores { m, has_free_slot, busy, .. } = *cores;
        let slots = u64::from(busy[0].width());
        let resident: Vec<_> =
            busy.iter().enumerate().map(|(core, &busy)| m.wire(("resident", core), popcount(busy))).collect();
        // From most to fewest, so that the fewest have the last word.
        let none = m.lit(has_free_slot.width(), 0);
        let candidates = (0..slots).rev().fold(none, |others, blocks| {
            let with = row(resident.iter().map(|count| count.eq(blocks))) & has_free_slot;
            mux(with.any(), with, others)
        });
        lowest_set(m.wire("candidates", candidates))
    }
}
