//! Block distribution: which of the cores that have room gets the next thread block.
//!
//! ```text
//!  has_free_slot (cores) --->+-----------+
//!  busy slots of each core ->|  policy   |--> chosen (cores): one-hot, of those that have room; zero iff none has
//!  give -------------------->|  state    |
//!                            +-----------+
//! ```
//!
//! Contract: combinational; `give` says that the chosen core gets a block in this cycle. A policy is a file in
//! `block_distribution/` and a row of [`BlockDistribution`].

mod fewest_resident;
mod round_robin;

use common::policies;
use hdl::{Builder, Signal};

policies! {
    /// Which of the cores that have room gets the next thread block.
    pub enum BlockDistribution: dyn Distribution {
        /// The core after the last one that got a block comes first.
        RoundRobin = "round-robin" | "rr" => round_robin::RoundRobinDistribution,
        /// The core with the fewest blocks, of equal ones the first.
        FewestResident = "fewest-resident" => fewest_resident::FewestResident,
    }
}

/// A way to choose a core.
pub trait Distribution: Sync {
    /// The chosen core, one-hot.
    fn choose<'m>(&self, cores: &Cores<'_, 'm>) -> Signal<'m>;
}

/// What a policy sees.
pub struct Cores<'a, 'm> {
    /// The block that is built.
    pub m: &'m Builder,
    /// Cores with a free slot.
    pub has_free_slot: Signal<'m>,
    /// Slots in use of each core.
    pub busy: &'a [Signal<'m>],
    /// The chosen core gets a block.
    pub give: Signal<'m>,
}
