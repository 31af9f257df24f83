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

use super::{config::CoreParams, ports::RegisterWrite, units::Writer};
use hdl::{Builder, Bundle, Module, ports, statistics};

statistics! {
    "write_back" {
        /// Cycles in which a load waits for the write port of the registers.
        LOAD_WAIT_CYCLES: load_wait_cycles in "cycles";
    }
}

/// Cycles that a load waits for the write port before the lanes are held back.
pub const PATIENCE: u64 = 12;

ports! {
    /// Ports of a [`write_back`].
    pub struct WriteBackPorts(p: &CoreParams) of WriteBack {
        /// Results of the lanes, which cannot wait.
        in lane: bundle RegisterWrite(p),
        /// Words of others, in the order of their turn.
        in waiting[from: Writer in p.writers().skip(1)] as from: bundle RegisterWrite(p) with granted: 1,
        /// What is written.
        out write as "": bundle RegisterWrite(p),
        /// Nothing with a lane result is to issue.
        out hold_lanes: 1,
    }
}

/// The write port's arbiter.
pub fn write_back(p: &CoreParams) -> Module {
    let m = Builder::new("write_back", p.parameters(p.sizes()));
    m.doc("Chooses who writes the register file: lanes, global loads, shared loads.");
    let io = WriteBackPorts::new(&m, p);
    let lanes = io.lane();
    let [loads, shared_loads] = [Writer::LOADS, Writer::SHARED].map(|from| io.waiting(from).inputs());
    let (lane, load, shared) = (lanes.valid, loads.valid, shared_loads.valid);
    let beside: Vec<_> = p.units().map(|unit| io.waiting(Writer::of(unit)).signals()).collect();
    let in_order = [lanes, loads, shared_loads].into_iter().chain(beside.iter().map(|(write, _)| *write));
    let in_order: Vec<_> = in_order.collect();
    let chosen = in_order.iter().rev().copied().reduce(|other, first| first.or_else(first.valid, other));
    let any = lane | load | shared;
    let valid = beside.iter().fold(any, |any, (write, _)| any | write.valid);
    io.write(RegisterWrite { valid, ..chosen.unwrap_or(lanes) });
    io.waiting(Writer::LOADS).answer().shows(!lane);
    io.waiting(Writer::SHARED).answer().shows(!lane & !load);

    let waited = m.register("waited", 4, 0);
    let waits = lane & load | shared & (lane | load);
    let (waits, _) = beside.into_iter().fold((waits, any), |(waits, before), (write, granted)| {
        granted.shows(!before);
        (waits | write.valid & before, before | write.valid)
    });
    let waits = m.wire("waits", waits);
    m.when(!waits, || m.set(waited, 0)).otherwise(|| {
        m.when(waited.lt(PATIENCE), || m.set(waited, waited + 1));
    });
    io.hold_lanes(waited.eq(PATIENCE));
    m.count(LOAD_WAIT_CYCLES, waits);
    m.finish()
}
