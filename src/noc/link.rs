//! Link: registers in a flit channel that takes more than one cycle, and in its credits. A tile.
//!
//! ```text
//!  in_valid, ... --> [register] ... [register] --> out_valid, ...
//!  in_credit (V) <-- [register] ... [register] <-- out_credit (V)
//! ```
//!
//! Contract: `stages` (1 and up) cycles both ways. A channel of `n` cycles has a link of `n - 1` stages, as the sender's output register is
//! one of them: its credits come so much later too, so a VC needs `2 (n - 1)` more places to be used without a gap. Fields that only
//! mean something with `valid` are held, not reset. Reset: no flits, no credits on the way.
//!
//! Source: A. Bakhoda's thesis (2014), section 7.1: links of a flattened butterfly have variable latencies. Tests: `tests/noc/topologies.rs`.
//! Testbench: `testbenches/link/`.

use super::{FlitFormat, channel::connect};
use crate::{
    hdl::{Builder, Child, Module},
    params,
};

/// A link; see the [module documentation](self).
pub fn link(format: FlitFormat, stages: u32) -> Module {
    let FlitFormat { vcs, width, node_bits, tag_bits, .. } = format;
    let m = Builder::new("link", format.named(params! { vcs, width, node_bits, tag_bits, stages }));
    m.doc("Registers in a long flit channel.");
    let fields: Vec<_> = format.fields().into_iter().chain([("payload", width)]).collect();
    let mut now: Vec<_> = fields.iter().map(|(name, bits)| m.input(&format!("in_{name}"), *bits)).collect();
    for stage in 0..stages {
        let valid = now[0];
        let next = fields.iter().zip(&now).map(|((field, bits), value)| {
            let name = format!("{field}_after{stage}");
            if *field == "valid" {
                return m.delayed(&name, *value);
            }
            let register = m.register_payload(&name, *bits);
            m.when(valid, || m.set(register, *value));
            register
        });
        now = next.collect();
    }
    for ((name, _), value) in fields.iter().zip(now) {
        m.output_of(&format!("out_{name}"), value);
    }
    let credit = m.input("out_credit", vcs);
    let back = (0..stages).fold(credit, |credit, stage| m.delayed(&format!("credit_after{stage}"), credit));
    m.output_of("in_credit", back);
    m.finish()
}

/// Connects the flit channel from output port `out` of `from` to input port `into` of `to`, `cycles` (1 and up) long; a longer one than 1
/// gets a link tile of this name. Ports are named without the prefixes `out_` and `in_`.
pub(super) fn channel<'m>(
    m: &'m Builder,
    name: &str,
    (from, out): (Child<'m>, &str),
    (to, into): (Child<'m>, &str),
    format: FlitFormat,
    cycles: u32,
) {
    match cycles {
        0 | 1 => connect(from, out, to, into, format),
        _ => {
            let tile = m.tile(name, &link(format, cycles - 1));
            into_link(from, out, tile, format);
            for (field, _) in format.fields().into_iter().chain([("payload", format.width)]) {
                to.drive(&format!("in_{into}_{field}"), tile.get(&format!("out_{field}")));
            }
            tile.drive("out_credit", to.get(&format!("in_{into}_credit")));
        }
    }
}

/// Connects the flit channel from output port `out` of `from` to a link tile.
pub(super) fn into_link<'m>(from: Child<'m>, out: &str, link: Child<'m>, format: FlitFormat) {
    for (field, _) in format.fields().into_iter().chain([("payload", format.width)]) {
        link.drive(&format!("in_{field}"), from.get(&format!("out_{out}_{field}")));
    }
    from.drive(&format!("out_{out}_credit"), link.get("in_credit"));
}
