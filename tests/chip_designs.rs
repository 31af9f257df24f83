//! The designs of the thesis by name: each is proven free of deadlock, exports one clean module per distinct router, and runs the kernels.

use std::{collections::BTreeSet, path::Path};
use warpmesh::{
    chip::{self, Chip, EMBEDDED, Limits, run},
    netlist::elaborate,
    program::kernels,
    report::Verdict,
    sim::Options,
    verilog::lint,
};

/// The configs that are networks of the thesis: all but those that other tests run.
fn designs() -> Vec<(&'static str, Chip)> {
    let names = EMBEDDED.iter().map(|(name, _)| *name).filter(|name| !["default.toml", "small.toml"].contains(name));
    names.map(|name| (name, chip::load(Some(Path::new(name)), &[]).unwrap_or_else(|e| panic!("{name}: {e}")))).collect()
}

#[test]
fn every_design_is_free_of_deadlock() {
    for (name, chip) in designs() {
        let proof = chip.fabric().prove().unwrap_or_else(|e| panic!("{name}: {e}"));
        assert!(proof.channels > 300 && proof.dependencies > proof.channels, "{name}: {proof}");
    }
}

/// Every kernel, of a size that a few cycles are enough for, on every design of 36 nodes; the larger one runs one kernel.
#[test]
fn kernels_verify_on_every_design() {
    for (name, chip) in designs() {
        let large = chip.nodes() > 36;
        let options = Options { threads: 1, ..Options::default() };
        for kernel in kernels::ALL.iter().filter(|kernel| !large || kernel.name == "vector_add") {
            let launch = kernel.launch(&chip.target(), kernel.default_size / 4).unwrap_or_else(|e| panic!("{e}"));
            let report = run(&chip, &launch, &options, Limits::default(), 1, |_, _| Ok(()));
            let report = report.unwrap_or_else(|e| panic!("{name}, {}: {e}", kernel.name));
            assert_eq!((report.verdict, report.verified), (Verdict::Completed, Some(true)), "{name}, {}", kernel.name);
        }
    }
}

/// Distinct routers of the designs, and interfaces: clean in Verilator, Icarus and Yosys.
#[test]
fn every_design_exports_clean_verilog() {
    let mut seen = BTreeSet::new();
    for (name, chip) in designs() {
        let design = elaborate(&chip::build(&chip).unwrap_or_else(|e| panic!("{name}: {e}")));
        let design = design.unwrap_or_else(|e| panic!("{name}: {e}"));
        for module in &design.modules {
            let module = &module.module;
            if !["router", "network_interface"].contains(&module.kind.as_str()) || !seen.insert(module.name.clone()) {
                continue;
            }
        }
        let complaints = lint(&design).unwrap_or_else(|e| panic!("{e}"));
        let all: Vec<_> = complaints.iter().map(ToString::to_string).collect();
        assert!(all.is_empty(), "{name}:\n{}", all.join("\n"));
    }
}
