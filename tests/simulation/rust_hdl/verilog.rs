//! The Verilog of imported blocks: clean for Verilator, Icarus and Yosys.

use rust_hdl::prelude::*;
use warpmesh::{
    blocks::fixed::{alu32, compare32, dram_bank_state},
    hdl::{Builder, Module, params},
    netlist::elaborate,
    rusthdl::import,
    sim::Simulator,
    verilog::{
        self,
        lockstep::{RandomStimulus, RunLength, lockstep_icarus},
    },
};

/// Three tools without a word, and Icarus cycle by cycle.
fn check(module: &Module) {
    let design = elaborate(module).unwrap_or_else(|e| panic!("{e}"));
    let diagnostics = verilog::lint(&design).unwrap_or_else(|e| panic!("{e}"));
    let text: Vec<_> = diagnostics.iter().map(ToString::to_string).collect();
    assert!(text.is_empty(), "{}: {}", module.name, text.join("\n"));
    lockstep_icarus(module, &mut RandomStimulus::new(1), &RunLength::cycles(1000)).unwrap_or_else(|e| panic!("{e}"));
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

/// rust-hdl's FIFO twice in a module of ours: one Verilog module, words come out in order.
#[test]
fn a_fifo_of_rust_hdl_in_a_module() {
    let fifo = import(&SynchronousFIFO::<Bits<8>, 3, 4, 2>::default(), "fifo");
    let m = Builder::new("two_fifos", params! {});
    let (front, back) = (m.instance("front", &fifo), m.instance("back", &fifo));
    front.drive("write", m.input("push", 1) & !front.get("full"));
    front.drive("data_in", m.input("data", 8));
    let moved = m.wire("moved", !front.get("empty") & !back.get("full"));
    front.drive("read", moved);
    back.drive("write", moved);
    back.drive("data_in", front.get("data_out") + 1);
    back.drive("read", m.input("pop", 1) & !back.get("empty"));
    m.output_of("valid", !back.get("empty"));
    m.output_of("word", back.get("data_out"));
    let module = m.finish();
    check(&module);
    let design = elaborate(&module).expect("checked above");
    assert_eq!(design.about(&fifo).instances, 2);
    let mut simulator = Simulator::new(&design, &crate::matrix::options()).unwrap_or_else(|e| panic!("{e}"));
    simulator.reset(1);
    simulator.poke("pop", 1);
    let mut words = vec![];
    for word in 0..200 {
        simulator.poke("push", u64::from(word % 3 == 0));
        simulator.poke("data", word);
        if simulator.peek("valid") == 1 {
            words.push(simulator.peek("word"));
        }
        simulator.step().unwrap_or_else(|e| panic!("{e}"));
    }
    assert!(words.len() > 60, "{} words came through", words.len());
    assert!(words.iter().zip((0..).step_by(3)).all(|(&word, pushed)| word == pushed + 1), "{words:?}");
}

fn config() -> SPIConfig {
    SPIConfig { clock_speed: 320, cs_off: true, mosi_off: false, speed_hz: 10, cpha: true, cpol: false }
}
