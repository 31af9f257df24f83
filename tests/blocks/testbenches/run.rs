//! Runs a testbench and compares what it did with the trace beside it.

use crate::{copies::Copies, matrix::part_of_matrix, table::table};
use std::path::PathBuf;
use warpmesh::{
    block_bench::{Testbench, shipped},
    hdl::{Module, NetId},
    netlist::{Design, elaborate},
    sim::{Engine, Options},
    verilog::{
        lint,
        lockstep::{Recording, replay_on_icarus},
    },
};

/// Copies that run beside each other, each with a seed of its own.
const COPIES: usize = 3;

/// Runs the testbench in `folder` on its block: the trace must be the recorded one, on every engine with selections of
/// passes, with and without native intrinsics, alone and as one of several equal tiles, and in Icarus on the exported
/// Verilog, which must be clean.
pub fn check(folder: &str) {
    let benches = shipped();
    let number = benches.iter().position(|(name, _)| *name == folder).expect("a folder with a testbench.toml");
    let (_, text) = benches[number];
    let bench = Testbench::parse(folder, text).unwrap_or_else(|e| panic!("{e}"));
    let block = bench.block(folder).unwrap_or_else(|e| panic!("{folder}: {e}"));
    let values = bench.values(block, &[]).unwrap_or_else(|e| panic!("{folder}: {e}"));
    let module = block.build(&values).unwrap_or_else(|e| panic!("{folder}: {e}"));
    for name in bench.inputs.keys() {
        assert!(port_names(&module, &module.inputs).contains(name), "{} has no input `{name}`", module.name);
    }
    let design = elaborate(&module).unwrap_or_else(|e| panic!("{e}"));

    let plain = Options { engine: Engine::Interpreter, intrinsics: false, ..Options::default() };
    let trace = run(&bench, bench.seed, &design, &plain);
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(root().join(folder));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!("trace", table(&module, &trace)));

    // Without native intrinsics in it, the block is simulated in one way.
    let intrinsics: &[bool] =
        if design.modules.iter().any(|m| m.module.intrinsic.is_some()) { &[false, true] } else { &[true] };
    for options in part_of_matrix(number) {
        for &intrinsics in intrinsics {
            let other = run(&bench, bench.seed, &design, &Options { intrinsics, ..options });
            let (engine, passes) = (options.engine, options.passes);
            assert_eq!(trace, other, "{} on {engine}, passes {passes}, intrinsics {intrinsics}", module.name);
        }
    }
    let others = (1..COPIES as u64).map(|copy| run(&bench, bench.seed + copy, &design, &plain));
    let traces: Vec<_> = [trace.clone()].into_iter().chain(others).collect();
    let copies = Copies::new(&module, COPIES);
    for options in part_of_matrix(number) {
        copies.check(&traces, &options, &bench.frequencies());
    }
    for engine in [Engine::Sliced, Engine::Vector] {
        let beside = Options { engine, validate: Some(Engine::Interpreter), ..Options::default() };
        copies.check(&traces, &beside, &bench.frequencies());
    }
    replay_on_icarus(&design, &trace).unwrap_or_else(|e| panic!("{e}"));
    let diagnostics = lint(&design).unwrap_or_else(|e| panic!("{e}"));
    let diagnostics: Vec<_> = diagnostics.iter().map(ToString::to_string).collect();
    assert!(diagnostics.is_empty(), "{}", diagnostics.join("\n"));
}

fn run(bench: &Testbench, seed: u64, design: &Design, options: &Options) -> Recording {
    bench.run(seed, design, options).unwrap_or_else(|e| panic!("{e}"))
}

/// The folder of all testbenches.
fn root() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/testbenches"))
}

fn port_names(module: &Module, nets: &[NetId]) -> Vec<String> {
    nets.iter().map(|&net| module.net(net).name.clone()).collect()
}
