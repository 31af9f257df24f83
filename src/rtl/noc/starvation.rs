//! Starvation counters: how long the input ports of a router without a priority have waited for those with one.
//!
//! ```text
//!  request_<input> (1) -->+----------------------+
//!  grant_<input> (1) ---->| counter a port, sat. |-> starved (1): one of them has waited for too long
//!                         +----------------------+
//! ```
//!
//! A counter counts the cycles in which its port requests a VC or the switch and is granted nothing, begins again with
//! every grant, and stays at `cycles`. Contract: `starved` is a function of registers: it rises in the cycle after the
//! last of `cycles` such cycles, and falls in the one after the grant. While it is high no packet of the router has a
//! priority, so round-robin arbiters serve the port next but for as many requests as there are others. A port is served
//! when any of its VCs is. Reset: zero.
//!
//! Source: Y. Li and L. Chen, *Accelerated Reply Injection for Removing NoC Bottleneck in GPGPUs* (IPDPS 2020), section
//! 5; which packets are counted and when it ends is not said there. Testbench: `testbenches/starvation_counter/`;
//! tests: `tests/noc/priority.rs`.

use super::Input;
use hdl::{Builder, Module, index_width, params, ports, row, statistics};

statistics! {
    "starvation_counter" {
        /// Times that a port has waited so long that packets with a priority lose it.
        STARVATION_EVENTS: starvation_events in "events";
        /// Cycles in which they have none for that reason.
        STARVED_CYCLES: starved_cycles in "cycles";
    }
}

ports! {
    /// Ports of a [`starvation_counter`] for such input ports.
    pub struct StarvationCounterPorts(inputs: &[Input]) of StarvationCounter {
        /// A packet of the port asks.
        in request[input: Input in inputs.iter().copied()]: 1,
        /// It gets what it asks for.
        in grant[input: Input in inputs.iter().copied()]: 1,
        /// A port has waited for too long.
        out starved: 1,
    }
}

/// Counters for these input ports; `cycles`: 1 and up.
pub fn starvation_counter(inputs: &[Input], cycles: u32) -> Module {
    let m = Builder::new("starvation_counter", params! { cycles; inputs });
    m.doc("Cycles that ports have waited, and whether one has for too long.");
    let io = StarvationCounterPorts::new(&m, inputs);
    let waits = inputs.iter().map(|input| {
        let (request, grant) = (io.request(*input), io.grant(*input));
        let waited = m.register(("waited", input), index_width(cycles as usize + 1), 0);
        let lost = m.wire(("lost", input), request & !grant);
        let full = m.wire(("full", input), waited.eq(u64::from(cycles)));
        m.when(grant, || m.set(waited, 0));
        m.when(lost & !full, || m.set(waited, waited + 1));
        (full, lost & waited.eq(u64::from(cycles) - 1))
    });
    let (full, fills): (Vec<_>, Vec<_>) = waits.unzip();
    let starved = m.wire("any_full", row(full).any());
    io.starved(starved);
    m.count(STARVATION_EVENTS, row(fills).any());
    m.count(STARVED_CYCLES, starved);
    m.finish()
}
