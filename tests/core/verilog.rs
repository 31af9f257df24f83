//! The exported Verilog of the core is clean; that it is the same as the native simulation: `lockstep.rs`.

use crate::rig::params;
use warpmesh::{core::core, netlist::elaborate, verilog::lint};

#[test]
fn the_verilog_is_clean() {
    let design = elaborate(&core(&params())).unwrap_or_else(|e| panic!("{e}"));
    let diagnostics = lint(&design).unwrap_or_else(|e| panic!("{e}"));
    let all: Vec<_> = diagnostics.iter().map(ToString::to_string).collect();
    assert!(all.is_empty(), "{}", all.join("\n"));
}
