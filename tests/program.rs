//! The kernels of the project, compiled and run by the emulator, against results computed on the host.

use warpmesh::program::{Launch, Target, emulator, kernels};

fn check(name: &str, sizes: &[u32]) {
    let builtin = kernels::find(name).expect("the kernel exists");
    for &size in sizes {
        for seed in [1, 2] {
            let launch = builtin.launch(Some(size), seed, &Target::default()).unwrap_or_else(|e| panic!("{e}"));
            launch.validate().unwrap_or_else(|e| panic!("{name} {size}: {e}"));
            let run = emulator::run(&launch, 100_000_000).unwrap_or_else(|e| panic!("{name} {size}: {e}"));
            let read = |at: u32, bytes: usize| run.memory[at as usize..][..bytes].to_vec();
            launch.verify(read).unwrap_or_else(|e| panic!("{name} {size}: {e}"));
            lockstep(name, &launch, run.thread_instructions);
        }
    }
}

/// The same in warps with a reconvergence stack: the same result, every thread executes as many instructions, and the warps
/// come together again: they issue not much more than the longest way through.
fn lockstep(name: &str, launch: &Launch, thread_instructions: u64) {
    let run = emulator::run_lockstep(launch, 100_000_000).unwrap_or_else(|e| panic!("{name} in lockstep: {e}"));
    let read = |at: u32, bytes: usize| run.memory[at as usize..][..bytes].to_vec();
    launch.verify(read).unwrap_or_else(|e| panic!("{name} in lockstep: {e}"));
    // Threads of breadth-first search look at what others write: how much they do depends on who is first.
    if name != "bfs" {
        assert_eq!(run.thread_instructions, thread_instructions, "{name} in lockstep");
    }
    assert!(run.warp_instructions * 32 >= run.thread_instructions);
}

#[test]
fn threads_meet_again() {
    // Full warps whose threads all take the same way: 32 threads an instruction.
    for (name, size) in [("vector_add", 256), ("matmul", 16), ("transpose", 64)] {
        let builtin = kernels::find(name).expect("the kernel exists");
        let launch = builtin.launch(Some(size), 1, &Target::default()).unwrap_or_else(|e| panic!("{e}"));
        let run = emulator::run_lockstep(&launch, 100_000_000).unwrap_or_else(|e| panic!("{e}"));
        let share = run.thread_instructions as f64 / (32 * run.warp_instructions) as f64;
        assert!(share > 0.75, "{name}: {share}");
    }
    // Threads of a warp leave the Collatz loop at different times, but walk through it together: without reconvergence the
    // warp would issue as many instructions as all its threads.
    let builtin = kernels::find("collatz").expect("the kernel exists");
    let launch = builtin.launch(Some(1024), 1, &Target::default()).unwrap_or_else(|e| panic!("{e}"));
    let run = emulator::run_lockstep(&launch, 100_000_000).unwrap_or_else(|e| panic!("{e}"));
    let share = run.thread_instructions as f64 / (32 * run.warp_instructions) as f64;
    assert!((0.3..0.9).contains(&share), "{share}");
}

#[test]
fn vector_add() {
    check("vector_add", &[1, 31, 128, 1000]);
}

#[test]
fn saxpy() {
    check("saxpy", &[1, 33, 256, 1001]);
}

#[test]
fn matmul() {
    check("matmul", &[1, 7, 16, 37]);
}

#[test]
fn reduction() {
    check("reduction", &[1, 100, 256, 1000]);
}

#[test]
fn transpose() {
    check("transpose", &[1, 5, 16, 45]);
}

#[test]
fn collatz() {
    check("collatz", &[1, 127, 300]);
}

#[test]
fn gather() {
    check("gather", &[1, 127, 300]);
}

#[test]
fn bfs() {
    check("bfs", &[1, 50, 1000]);
}

/// A check that cannot fail proves nothing: wrong data must be found.
#[test]
fn a_wrong_result_is_found() {
    let launch = kernels::ALL[0].launch(Some(100), 1, &Target::default()).expect("compiles");
    let run = emulator::run(&launch, 1_000_000).expect("runs");
    let address = launch.buffer_addresses()[2] as usize;
    let mut memory = run.memory;
    memory[address + 4 * 42] ^= 1;
    let error = launch.verify(|at, bytes| memory[at as usize..][..bytes].to_vec()).expect_err("the byte is wrong");
    assert_eq!((error.buffer.as_str(), error.element, error.wrong, error.count), ("c", 42, 1, 100));
}
