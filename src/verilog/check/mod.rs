//! Is the text that an export is about to write whole? Found out from the text alone.
//!
//! A reader of the Verilog that [`module`](super::module) prints, and of nothing else: it shares no code and no data
//! with the printer, so that a mistake there shows here. In one pass over each file, children before parents, with and
//! without the macro of assertions, it looks at
//!
//! * names: everything that is used is declared before, once in its scope, and what it is used as; no name is reserved, or hides
//!   that of the instance it is in;
//! * drivers: every wire and variable has one, an input none;
//! * widths: of operands, of the two sides of an assignment, of pins and ports, of indices; parts lie within what they are of;
//! * instances: their module is there, with these ports, each connected once.
//!
//! [`tokens`] makes tokens of the text, [`scope`] keeps what is declared, [`expression`] finds the width of an
//! expression, and [`items`] reads modules. What they find is a
//! [`Fault`].

mod expression;
mod fault;
mod items;
mod scope;
mod tokens;

pub use fault::Fault;

use super::{module::GUARD, verilog_file::VerilogFile};
use rustc_hash::FxHashMap;

/// What is wrong with `files`, which hold a module each, children before parents: nothing, unless the exporter has a bug.
pub fn check(files: &[VerilogFile]) -> Vec<Fault> {
    let mut faults: Vec<Fault> = vec![];
    for defined in [false, true] {
        let mut modules = FxHashMap::default();
        for file in files {
            let found = match tokens::tokens(&file.text, GUARD, defined) {
                Ok(tokens) => items::module(&tokens, &file.name, &mut modules),
                Err(fault) => vec![fault],
            };
            for mut fault in found {
                fault.file = format!("{}.v", file.name);
                // Most of the text is the same with and without assertions.
                if !faults.contains(&fault) {
                    faults.push(fault);
                }
            }
        }
    }
    faults
}
