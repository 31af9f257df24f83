//! Testbenches as data: every folder of `testbenches/` that holds a `testbench.toml` names a block of the registry, its
//! parameters and its stimulus; `trace.snap` beside it is what the block did, cycle by cycle. `testbenches/README.md`
//! describes the format.
//!
//! Each folder is a test of its own name. A new testbench is a new folder; a missing or changed trace is reviewed with
//! `cargo insta`.

mod copies;
mod run;
mod table;

use libtest_mimic::{Arguments, Trial};
use std::process::ExitCode;
use testkit::matrix;
use warpmesh::{
    block_bench::{Testbench, shipped},
    netlist::elaborate,
    registry::blocks,
};

fn main() -> ExitCode {
    let mut arguments = Arguments::from_args();
    let asked = std::env::var("RUST_TEST_THREADS").ok().and_then(|threads| threads.parse().ok());
    arguments.test_threads = arguments.test_threads.or(asked);
    let trial = |name: &'static str, check: fn()| {
        Trial::test(name, move || {
            check();
            Ok(())
        })
    };
    let folder = |(folder, _): (&'static str, _)| {
        Trial::test(format!("folder::{folder}"), move || {
            run::check(folder);
            Ok(())
        })
    };
    let mut trials: Vec<Trial> = shipped().into_iter().map(folder).collect();
    trials.push(trial("every_block_has_a_testbench", every_block_has_a_testbench));
    trials.push(trial("every_block_is_one_with_all_its_parameters", every_block_is_one_with_all_its_parameters));
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn every_block_has_a_testbench() {
    let benches = shipped().into_iter().map(|(folder, text)| {
        let bench = Testbench::parse(folder, text).unwrap_or_else(|e| panic!("{e}"));
        bench.block(folder).unwrap_or_else(|e| panic!("{folder}: {e}")).name
    });
    let benches: Vec<_> = benches.collect();
    let without: Vec<_> = blocks().iter().map(|block| block.name).filter(|name| !benches.contains(name)).collect();
    assert!(without.is_empty(), "blocks without a testbench: {without:?}");
}

/// Each parameter at its least and its greatest value, the others as by default: a block, or a message.
fn every_block_is_one_with_all_its_parameters() {
    let mut wrong = vec![];
    for block in blocks() {
        let defaults: Vec<u32> = block.parameters.iter().map(|parameter| parameter.default).collect();
        let mut cases = vec![defaults.clone()];
        for (at, parameter) in block.parameters.iter().enumerate() {
            let ends = match parameter.range {
                Some(range) => {
                    let ends = range.ends();
                    // As large as this, some take minutes to elaborate.
                    [ends.0, ends.1.min(64)]
                }
                None => [0, parameter.names().len() as u32 - 1],
            };
            for value in ends {
                let mut case = defaults.clone();
                case[at] = value;
                cases.push(case);
            }
        }
        for case in cases {
            // What elaboration refuses is out of range, too: the table should have said so.
            let shown = format!("{} {}", block.name, block.shown(&case));
            match block.build(&case) {
                Ok(module) => wrong.extend(elaborate(&module).err().map(|e| format!("{shown}: {e}"))),
                Err(error) => assert!(case != defaults && error.message.contains("cannot be"), "{shown}: {error}"),
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
