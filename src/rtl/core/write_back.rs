//! Write-back: who writes the register file in this cycle.
//!
//! ```text
//!  lane_*   (results of the lanes) ---->+------------+--> valid, warp, destination, beat, mask, data
//!  load_*   (words of global loads) --->| write_back |--> load_granted, shared_granted
//!  shared_* (words of shared loads) --->|            |--> hold_lanes
//!  <unit>_* (results of such a unit) -->+------------+--> <unit>_granted
//! ```
//!
//! Contract: combinational but for a counter. The lanes cannot wait and come first, then global loads, then shared
//! loads, then results of the units beside the lanes, in the order of [`UNITS`](super::units::UNITS). When a load or
//! such a result has waited for [`PATIENCE`] cycles, `hold_lanes` asks the scheduler not to issue instructions with a
//! lane result, until it is served.
//!
//! Testbench: `testbenches/write_back/`; tests: `tests/core/random.rs`.

use super::{params::CoreParams, ports::RegisterWrite};
use hdl::{Builder, Bundle, Module, statistics};

statistics! {
    "write_back" {
        /// Cycles in which a load waits for the write port of the registers.
        LOAD_WAIT_CYCLES: load_wait_cycles in "cycles";
    }
}

/// Cycles that a load waits for the write port before the lanes are held back.
pub const PATIENCE: u64 = 12;

/// The write port's arbiter.
pub fn write_back(p: &CoreParams) -> Module {
    let m = Builder::new("write_back", p.parameters(p.sizes()));
    m.doc("Chooses who writes the register file: lanes, global loads, shared loads.");
    let [lanes, loads, shared_loads] = ["lane", "load", "shared"].map(|from| RegisterWrite::inputs(&m, from, p));
    let (lane, load, shared) = (lanes.valid, loads.valid, shared_loads.valid);
    let beside: Vec<_> = p.units().map(|unit| (unit.name(), RegisterWrite::inputs(&m, unit.name(), p))).collect();
    let in_order = [lanes, loads, shared_loads].into_iter().chain(beside.iter().map(|(_, write)| *write));
    let in_order: Vec<_> = in_order.collect();
    let chosen = in_order.iter().rev().copied().reduce(|other, first| first.or_else(first.valid, other));
    let any = lane | load | shared;
    let valid = beside.iter().fold(any, |any, (_, write)| any | write.valid);
    RegisterWrite { valid, ..chosen.unwrap_or(lanes) }.outputs(&m, "", p);
    m.output_of("load_granted", !lane);
    m.output_of("shared_granted", !lane & !load);

    let waited = m.register("waited", 4, 0);
    let waits = lane & load | shared & (lane | load);
    let (waits, _) = beside.iter().fold((waits, any), |(waits, before), (unit, write)| {
        m.output_of(format!("{unit}_granted"), !before);
        (waits | write.valid & before, before | write.valid)
    });
    let waits = m.wire("waits", waits);
    m.when(!waits, || m.set(waited, 0)).otherwise(|| {
        m.when(waited.lt(PATIENCE), || m.set(waited, waited + 1));
    });
    m.output_of("hold_lanes", waited.eq(PATIENCE));
    m.count(LOAD_WAIT_CYCLES, waits);
    m.finish()
}
