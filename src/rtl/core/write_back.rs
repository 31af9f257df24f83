//! Write-back: who writes the register file in this cycle.
//!
//! ```text
//!  lane_*   (results of the lanes) ---->+------------+--> valid, warp, destination, beat, mask, data
//!  load_*   (words of global loads) --->| write_back |--> load_granted, shared_granted
//!  shared_* (words of shared loads) --->+------------+--> hold_lanes
//! ```
//!
//! Contract: combinational but for a counter. The lanes cannot wait and come first, then global loads, then shared loads. When a load has
//! waited for [`PATIENCE`] cycles, `hold_lanes` asks the scheduler not to issue instructions with a lane result, until the load
//! is served.
//!
//! Testbench: `testbenches/write_back/`; tests: `tests/core/random.rs`.

use super::{params::CoreParams, ports::RegisterWrite};
use hdl::{Builder, Bundle, Module, params, statistics};

statistics! {
    "write_back" {
        /// Cycles in which a load waits for the write port of the registers.
        LOAD_WAITS: load_waits in "cycles";
    }
}

/// Cycles that a load waits for the write port before the lanes are held back.
pub const PATIENCE: u64 = 12;

/// The write port's arbiter.
pub fn write_back(p: &CoreParams) -> Module {
    let m = Builder::new("write_back", params! { w: p.warps, l: p.lanes, r: p.registers });
    m.doc("Chooses who writes the register file: lanes, global loads, shared loads.");
    let [lanes, loads, shared_loads] = ["lane", "load", "shared"].map(|from| RegisterWrite::inputs(&m, from, p));
    let (lane, load, shared) = (lanes.valid, loads.valid, shared_loads.valid);
    let chosen = lanes.or_else(lane, loads.or_else(load, shared_loads));
    RegisterWrite { valid: lane | load | shared, ..chosen }.outputs(&m, "", p);
    m.output_of("load_granted", !lane);
    m.output_of("shared_granted", !lane & !load);

    let waited = m.register("waited", 4, 0);
    let waits = m.wire("waits", lane & load | shared & (lane | load));
    m.when(!waits, || m.set(waited, 0)).otherwise(|| {
        m.when(waited.lt(PATIENCE), || m.set(waited, waited + 1));
    });
    m.output_of("hold_lanes", waited.eq(PATIENCE));
    m.count(LOAD_WAITS, waits);
    m.finish()
}
