//! The exported Verilog of the core: clean, and the same as the native simulation.

use crate::{
    cuda::{check, generate},
    random,
    rig::*,
};
use warpmesh::{
    core::{CoreParams, WarpScheduler, core},
    netlist::elaborate,
    program::{Target, kernels},
    verilog::lint,
};

#[test]
fn the_verilog_is_clean() {
    let design = elaborate(&core(&params())).unwrap_or_else(|e| panic!("{e}"));
    let diagnostics = lint(&design).unwrap_or_else(|e| panic!("{e}"));
    let all: Vec<_> = diagnostics.iter().map(ToString::to_string).collect();
    assert!(all.is_empty(), "{}", all.join("\n"));
}

/// Random programs and kernels one after the other on one core, with random memory latencies, for more than 20,000 cycles.
#[test]
fn simulation_and_verilog_agree() {
    let mut rig = Rig::with_verilog(&params(), 9);
    let mut cycles = 0;
    for name in ["matmul", "bfs", "collatz", "gather", "reduction"] {
        let builtin = kernels::find(name).expect("the kernel exists");
        let launch = builtin.launch(Some(20), 9, &Target::default()).unwrap_or_else(|e| panic!("{e}"));
        cycles += rig.run_program(&launch);
    }
    // Their warps come to barriers in parts.
    for seed in [2, 24, 66] {
        let launch = check::launch(&generate::kernel(seed), &Target::default()).unwrap_or_else(|e| panic!("{e}"));
        cycles += rig.run_program(&launch);
    }
    for seed in 40.. {
        cycles += rig.run_program(&random::program(seed, 3, [45, 1, 1]));
        if cycles > 20_000 {
            break;
        }
    }
    let agreement = rig.agreement();
    println!("{agreement:?}");
    assert!(agreement.cycles > 20_000);
    assert_eq!(agreement.still, Vec::<String>::new(), "every output has moved");
}

/// Programs, constants and textures through the smallest caches.
#[test]
fn caches_that_are_only_read_agree_with_their_verilog() {
    let [program, ..] = random::read_only_caches(params().fetch_protocol());
    let [_, constants, _] = random::read_only_caches(params().constant_protocol());
    let [textures, ..] = random::read_only_caches(params().texture_protocol());
    let core = CoreParams { instruction_cache: Some(program), ..params() };
    let core = CoreParams { constant_cache: Some(constants), texture_cache: Some(textures), ..core };
    let mut rig = Rig::with_verilog(&core, 10);
    let mut cycles = rig.run_program(&random::program(50, 4, [45, 1, 1]));
    for name in ["convolution", "blur"] {
        let builtin = kernels::find(name).expect("the kernel exists");
        let launch = builtin.launch(Some(12), 9, &Target::default()).unwrap_or_else(|e| panic!("{e}"));
        cycles += rig.run_program(&launch);
    }
    assert!(rig.agreement().cycles > cycles);
}

#[test]
fn another_size_agrees_with_its_verilog() {
    let wide = CoreParams { lanes: 16, warps: 4, registers: 32, blocks: 3, execute_stages: 2, loads: 3, ..params() };
    let wide = CoreParams { scheduler: WarpScheduler::OldestReadyFirst, ..wide };
    let mut rig = Rig::with_verilog(&wide, 10);
    let cycles: u64 = (50..54).map(|seed| rig.run_program(&random::program(seed, 4, [45, 1, 1]))).sum();
    assert!(rig.agreement().cycles > cycles);
}

#[test]
fn a_core_with_atomics_agrees_with_its_verilog() {
    let mut rig = Rig::with_verilog(&params(), 11);
    let cycles: u64 =
        (60..66).map(|seed| rig.run_program(&random::program_of(seed, 4, [45, 1, 1], random::all_of(&params())))).sum();
    assert!(rig.agreement().cycles > cycles);
}
