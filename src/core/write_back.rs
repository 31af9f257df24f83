//! Write-back: who writes the register file in this cycle.
//!
//! ```text
//!  lane_*   (results of the lanes) ---->+------------+--> valid, warp, register, beat, mask, data
//!  load_*   (words of global loads) --->| write_back |--> load_granted, shared_granted
//!  shared_* (words of shared loads) --->+------------+--> hold_lanes
//! ```
//!
//! Contract: combinational but for a counter. The lanes cannot wait and come first, then global loads, then shared loads. When a load has
//! waited for [`PATIENCE`] cycles, `hold_lanes` asks the scheduler not to issue instructions with a lane result, until the load
//! is served.
//!
//! Tests: `tests/core/random.rs`.

use super::params::CoreParams;
use crate::{
    hdl::{Builder, Module, mux},
    params,
};

/// Cycles that a load waits for the write port before the lanes are held back.
pub const PATIENCE: u64 = 12;

/// The write port's arbiter.
pub fn write_back(p: &CoreParams) -> Module {
    let m = Builder::new("write_back", params! { w: p.warps, l: p.lanes, r: p.registers });
    m.doc("Chooses who writes the register file: lanes, global loads, shared loads.");
    let fields = [
        ("warp", p.warp_bits()),
        ("register", p.register_bits()),
        ("beat", p.beat_bits()),
        ("mask", p.lanes),
        ("data", p.lanes * 32),
    ];
    let (lane, load) = (m.input("lane_valid", 1), m.input("load_valid", 1));
    let shared = m.input("shared_valid", 1);
    m.output_of("valid", lane | load | shared);
    for (field, width) in fields {
        let [lanes, loads, shareds] = ["lane", "load", "shared"].map(|s| m.input(&format!("{s}_{field}"), width));
        m.output_of(field, mux(lane, lanes, mux(load, loads, shareds)));
    }
    m.output_of("load_granted", !lane);
    m.output_of("shared_granted", !lane & !load);

    let waited = m.register("waited", 4, 0);
    let waits = m.wire("waits", lane & load | shared & (lane | load));
    m.when(!waits, || m.set(waited, 0)).otherwise(|| {
        m.when(waited.lt(PATIENCE), || m.set(waited, waited + 1));
    });
    m.output_of("hold_lanes", waited.eq(PATIENCE));
    m.count("load_waits", waits);
    m.finish()
}
