//! The Verilog of imported blocks: clean for Verilator, Icarus and Yosys.

use rust_hdl::prelude::*;
use warpmesh::{
    blocks::fixed::{alu32, compare32, dram_bank_state},
    hdl::{Module, import},
    netlist::elaborate,
    verilog::{
        self,
        lockstep::{RandomStimulus, Run, lockstep_icarus},
    },
};

/// Three tools without a word, and Icarus cycle by cycle.
fn check(module: &Module) {
    let design = elaborate(module).unwrap_or_else(|e| panic!("{e}"));
    let complaints = verilog::lint(&design).unwrap_or_else(|e| panic!("{e}"));
    let text: Vec<_> = complaints.iter().map(ToString::to_string).collect();
    assert!(text.is_empty(), "{}: {}", module.name, text.join("\n"));
    lockstep_icarus(module, &mut RandomStimulus::new(1), &Run::cycles(1000)).unwrap_or_else(|e| panic!("{e}"));
}

#[test]
fn fixed_blocks_are_clean() {
    [alu32(), compare32(), dram_bank_state()].iter().for_each(check);
}

#[test]
fn widgets_are_clean() {
    check(&import(&SynchronousFIFO::<Bits<8>, 3, 4, 2>::default(), "fifo"));
    check(&import(&SPIMaster::<16>::new(config()), "spi_master"));
    check(&import(&LFSRSimple::default(), "lfsr"));
    check(&import(&SyncROM::<Bits<8>, 4>::from((0..9_u32).map(|i| i.to_bits::<8>())), "table"));
}

fn config() -> SPIConfig {
    SPIConfig { clock_speed: 320, cs_off: true, mosi_off: false, speed_hz: 10, cpha: true, cpol: false }
}
