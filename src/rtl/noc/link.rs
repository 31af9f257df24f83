//! Link: registers in a flit channel that takes more than one cycle, and in its credits. A tile.
//!
//! ```text
//!  in_valid, ... --> [register] ... [register] --> out_valid, ...
//!  in_credit (V) <-- [register] ... [register] <-- out_credit (V)
//! ```
//!
//! Contract: `stages` (1 and up) cycles both ways. A channel of `n` cycles has a link of `n - 1` stages, as the
//! sender's output register is one of them: its credits come so much later too, so a VC needs `2 (n - 1)` more places
//! to be used without a gap. Fields that only mean something with `valid` are held, not reset. Reset: no flits, no
//! credits on the way.
//!
//! Source: A. Bakhoda's thesis (2014), section 7.1: links of a flattened butterfly have variable latencies. Tests:
//! `tests/noc/topologies.rs`. Testbench: `testbenches/link/`.

use super::{
    FlitFormat,
    channel::{Flit, connect},
};
use hdl::{Builder, Bundle, Child, Module, PortName, params, ports};

ports! {
    /// Ports of a [`link()`].
    pub struct LinkPorts(format: &FlitFormat) of Link {
        /// Flits from the sender.
        in flit as "in": bundle Flit(format) with credit: format.vcs,
        /// Flits for the receiver.
        out next as "out": bundle Flit(format) with credit: format.vcs,
    }
}

/// A link; see the [module documentation](self).
pub fn link(format: &FlitFormat, stages: u32) -> Module {
    let FlitFormat { vcs, width, .. } = *format;
    let m = Builder::new("link", params! { vcs, width, stages }.and(format));
    m.doc("Registers in a long flit channel.");
    let io = LinkPorts::new(&m, format);
    let mut flit = io.flit().inputs();
    let mut credit = io.next().answer();
    for stage in 0..stages {
        flit = flit.registered(&m, ("flit_after", stage), format);
        credit = m.delayed(("credit_after", stage), credit);
    }
    io.next().shows(flit);
    io.flit().answer().shows(credit);
    m.finish()
}

/// Connects the flit channel from output port `out` of `from` to input port `into` of `to`, `cycles` (1 and up) long; a longer one than 1
/// gets a link tile of this name. Ports are named without the prefixes `out_` and `in_`.
pub(super) fn channel<'m>(
    m: &'m Builder,
    name: impl PortName,
    (from, out): (Child<'m>, impl PortName),
    (to, into): (Child<'m>, impl PortName),
    format: &FlitFormat,
    cycles: u32,
) {
    if cycles <= 1 {
        return connect((from, out), (to, into), format);
    }
    let tile = Link(m.tile(name, &link(format, cycles - 1)));
    into_link((from, out), tile, format);
    tile.next().signals().drive(to, ("in", &into), format);
    tile.next().answer(to.get(("in", &into, "credit")));
}

/// Connects the flit channel from output port `out` of `from` to a link tile.
pub(super) fn into_link<'m>((from, out): (Child<'m>, impl PortName), link: Link<'m>, format: &FlitFormat) {
    link.flit().drive(Flit::of(from, ("out", &out), format));
    from.drive(("out", &out, "credit"), link.flit().answer());
}
