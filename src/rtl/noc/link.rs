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
use hdl::{Builder, Bundle, Child, Module, PortName, params};

/// A link; see the [module documentation](self).
pub fn link(format: &FlitFormat, stages: u32) -> Module {
    let FlitFormat { vcs, width, .. } = *format;
    let m = Builder::new("link", params! { vcs, width, stages }.and(format));
    m.doc("Registers in a long flit channel.");
    let mut flit = Flit::inputs(&m, "in", format);
    let mut credit = m.input("out_credit", vcs);
    for stage in 0..stages {
        flit = flit.registered(&m, ("flit_after", stage), format);
        credit = m.delayed(("credit_after", stage), credit);
    }
    flit.outputs(&m, "out", format);
    m.output_of("in_credit", credit);
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
    let tile = m.tile(name, &link(format, cycles - 1));
    into_link((from, out), tile, format);
    Flit::connect(format, (tile, "out"), (to, ("in", &into)));
    tile.drive("out_credit", to.get(("in", &into, "credit")));
}

/// Connects the flit channel from output port `out` of `from` to a link tile.
pub(super) fn into_link<'m>((from, out): (Child<'m>, impl PortName), link: Child<'m>, format: &FlitFormat) {
    Flit::connect(format, (from, ("out", &out)), (link, "in"));
    from.drive(("out", &out, "credit"), link.get("in_credit"));
}
