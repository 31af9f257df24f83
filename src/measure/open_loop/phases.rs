//! Warm-up, measurement and drain of a load.

use std::ops::Range;

/// Lengths of the phases, cycles.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Phases {
    /// Before measuring.
    pub warmup: u64,
    /// Packets created in these are measured.
    pub measure: u64,
    /// At most, until they have arrived.
    pub drain: u64,
}

impl Phases {
    /// Cycles of the measurement.
    pub fn window(&self) -> Range<u64> {
        self.warmup..self.warmup + self.measure
    }
}

impl Default for Phases {
    fn default() -> Self {
        Self { warmup: 2_000, measure: 10_000, drain: 20_000 }
    }
}
