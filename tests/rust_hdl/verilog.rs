//! The Verilog of imported blocks: clean for Verilator, Icarus and Yosys.

use rust_hdl::prelude::*;
use warpmesh::{
    blocks::fixed::{alu32, compare32, dram_bank_state},
    hdl::{Module, import},
    netlist::elaborate,
    verilog,
};

fn check(module: &Module) {
    let design = elaborate(module).unwrap_or_else(|e| panic!("{e}"));
    let complaints = verilog::lint(&design).unwrap_or_else(|e| panic!("{e}"));
    let text: Vec<_> = complaints.iter().map(ToString::to_string).collect();
    assert!(text.is_empty(), "{}: {}", module.name, text.join("\n"));
}

#[test]
fn fixed_blocks_are_clean() {
    [alu32(), compare32(), dram_bank_state()].iter().for_each(check);
}

#[test]
fn widgets_are_clean() {
    check(&import(&SynchronousFIFO::<Bits<8>, 3, 4, 2>::default(), "fifo"));
    check(&import(&LFSRSimple::default(), "lfsr"));
    check(&import(&SyncROM::<Bits<8>, 4>::from((0..9_u32).map(|i| i.to_bits::<8>())), "table"));
}
