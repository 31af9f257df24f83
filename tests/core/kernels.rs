//! The kernels of the project on the core, against the emulator and the host's results.

use crate::rig::*;
use program::{Launch, Target, emulator, kernels};
use testkit_base::cuda_features;

fn check(name: &str, size: u32, seed: u64) {
    let builtin = kernels::find(name).expect("the kernel exists");
    let launch = builtin.launch(Some(size), seed, &Target::default()).unwrap_or_else(|e| panic!("{e}"));
    check_launch(&format!("{name} {size}"), &launch, seed);
}

fn check_launch(name: &str, launch: &Launch, seed: u64) {
    let mut rig = CoreRig::new(&params(), seed);
    let cycles = rig.run_program(launch);
    let expected = emulator::run(launch, 100_000_000).unwrap_or_else(|e| panic!("{e}"));
    let read = |at: u32, bytes: usize| rig.memory[at as usize..][..bytes].to_vec();
    launch.verify(read).unwrap_or_else(|e| panic!("{name}: {e}"));
    assert!(rig.memory[..expected.memory.len()] == expected.memory, "{name}: memory as the emulator leaves it");
    println!("{name}: {cycles} cycles, {} thread instructions", expected.thread_instructions);
}

/// CUDA C with what real programs need: functions, local arrays, generic pointers, float division.
#[test]
fn cuda_programs() {
    check_launch("ratios", &cuda_features::ratios(), 1);
    check_launch("sorted", &cuda_features::sorted(), 2);
}

#[test]
fn vector_add() {
    check("vector_add", 1000, 1);
}

#[test]
fn saxpy() {
    check("saxpy", 1001, 2);
}

#[test]
fn matmul() {
    check("matmul", 37, 3);
}

#[test]
fn reduction() {
    check("reduction", 1000, 4);
}

#[test]
fn transpose() {
    check("transpose", 45, 5);
}

#[test]
fn collatz() {
    check("collatz", 300, 6);
}

#[test]
fn gather() {
    check("gather", 700, 7);
}

#[test]
fn bfs() {
    check("bfs", 500, 8);
}

#[test]
fn histogram() {
    check("histogram", 1500, 9);
}
