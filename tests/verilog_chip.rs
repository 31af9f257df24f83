//! The exported default chip: clean in all three tools.

use warpmesh::{
    chip::{Chip, ChipConfig, build},
    hdl::Module,
    netlist::elaborate,
    verilog::lint,
};

fn default_chip() -> Module {
    let chip = Chip::new(&ChipConfig::default()).unwrap_or_else(|e| panic!("{e}"));
    build(&chip).unwrap_or_else(|e| panic!("{e}"))
}

#[test]
fn the_default_chip_is_clean() {
    let design = elaborate(&default_chip()).unwrap_or_else(|e| panic!("{e}"));
    let complaints = lint(&design).unwrap_or_else(|e| panic!("{e}"));
    let all: Vec<_> = complaints.iter().map(ToString::to_string).collect();
    assert!(all.is_empty(), "{}", all.join("\n"));
}
