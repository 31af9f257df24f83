//! Random netlists: modules that nobody would write, exported, linted, and compared with the native simulation. What
//! the directed tests of `verilog.rs` forget, these find.

use crate::matrix::options;
use crate::netlist::random_module;
use warpmesh::{
    hdl::{Builder, Module, concat, index_width, params},
    netlist::elaborate,
    verilog::{
        lint,
        lockstep::{RandomStimulus, RunLength, lockstep, lockstep_icarus},
    },
};

fn check(top: &Module, seed: u64, cycles: u64, icarus: bool) {
    let design = elaborate(top).unwrap_or_else(|e| panic!("{e}"));
    let diagnostics = lint(&design).unwrap_or_else(|e| panic!("{e}"));
    // What nobody writes: a comparison with a wire that happens to be constant, a memory written at such an address
    // only.
    let known = ["%Warning-UNSIGNED", "%Warning-CMPCONST", "Warning: Replacing memory"];
    let harmless = |line: &&str| known.iter().any(|k| line.starts_with(k));
    for diagnostic in &diagnostics {
        let warnings = || diagnostic.text.lines().filter(|l| l.starts_with("%Warning") || l.contains("arning: "));
        let all = warnings().count();
        assert!(all > 0 && warnings().filter(harmless).count() == all, "{}: {diagnostic}", top.name);
    }
    let mut run = RunLength { sim: options(), ..RunLength::cycles(cycles) };
    run.model.optimise = "-O0";
    if icarus {
        lockstep_icarus(top, &mut RandomStimulus::new(seed), &run).unwrap_or_else(|e| panic!("{e}"));
    }
    lockstep(top, &mut RandomStimulus::new(seed), &run).unwrap_or_else(|e| panic!("{e}"));
}

#[test]
fn random_modules_agree() {
    for seed in 0..4 {
        check(&random_module(seed, 200, &[]), seed, 1000, true);
    }
}

#[test]
fn random_hierarchies_agree() {
    let leaves = [random_module(100, 60, &[]), random_module(101, 60, &[])];
    let middle = random_module(102, 60, &leaves);
    check(&random_module(103, 80, &[middle, leaves[0].clone()]), 7, 500, true);
}

#[test]
fn index_widths_are_what_verilog_expects() {
    // A memory or vector of every small size, indexed with too few, enough and too many bits.
    let m = Builder::new("indexed", params! {});
    let (address, data, offset) = (m.input("address", 6), m.input("data", 9), m.input("offset", 5));
    let mut words = vec![];
    for depth in 1..10 {
        let memory = m.memory(format!("memory{depth}"), depth, 3);
        memory.write(address.bits(0, 4), data.bits(0, 3));
        for width in 1..6 {
            words.push(memory.read(address.bits(0, width)));
            words.push(data.bits(0, depth as u32).bits_at(offset.bits(0, width), index_width(depth)));
        }
    }
    m.output_of("words", concat(&words));
    check(&m.finish(), 9, 2000, true);
}
