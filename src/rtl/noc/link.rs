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
//! `tests/noc/networks/topologies.rs`. Testbench: `testbenches/link/`.

use super::{
    FlitFormat,
    channel::{Flit, FlitProducer},
};
use hdl::{Builder, Module, PortName, params, ports};

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

/// The end of a flit channel from `sender` that is `cycles` (1 and up) long; a longer one than 1 gets a link tile of this name.
pub(super) fn channel<'m>(
    m: &'m Builder,
    name: impl PortName,
    sender: FlitProducer<'m>,
    format: &FlitFormat,
    cycles: u32,
) -> FlitProducer<'m> {
    if cycles <= 1 {
        return sender;
    }
    let tile = Link(m.tile(name, &link(format, cycles - 1)));
    sender.connect(tile.flit());
    tile.next()
}
