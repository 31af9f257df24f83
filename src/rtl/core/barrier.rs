//! Barrier unit: lets the warps of a thread block go on when all of them that have not ended have arrived.
//!
//! ```text
//!  active, at_barrier (warps) --->+---------+
//!  slots (warps x slot number) -->| barrier |--> release (warps)
//!                                 +---------+
//! ```
//!
//! Contract: combinational. A warp at the barrier is released in the first cycle in which no warp of its block runs elsewhere.
//!
//! Testbench: `testbenches/barrier/`; tests: `tests/core/control.rs`.

use super::params::CoreParams;
use crate::blocks::{index_one_hot, or_all};
use hdl::{Builder, Module, params, row, statistics};

statistics! {
    "barrier" {
        /// Cycles in which some warp waits at a barrier.
        WAITING_CYCLES: waiting_cycles in "cycles";
    }
}

/// The barrier unit.
pub fn barrier(p: &CoreParams) -> Module {
    let m = Builder::new("barrier", params! { w: p.warps, b: p.blocks });
    m.doc("Releases the warps of a thread block when all of them that have not ended wait at the barrier.");
    let (active, waiting) = (m.input("active", p.warps), m.input("at_barrier", p.warps));
    let slots = m.input("slots", p.warps * p.slot_bits()).parts(p.slot_bits());
    let elsewhere = m.wire("elsewhere", active & !waiting);
    let blocked: Vec<_> = slots
        .iter()
        .zip(elsewhere.to_bits())
        .map(|(slot, runs)| index_one_hot(*slot, p.blocks) & runs.repeat(p.blocks))
        .collect();
    let blocked = m.wire("blocked", or_all(&blocked));
    let release = slots.iter().zip(waiting.to_bits()).map(|(slot, w)| w & !blocked.at(*slot));
    m.count(WAITING_CYCLES, waiting.any());
    m.output_of("release", row(release));
    m.finish()
}
