//! The kernels of the project, compiled and run by the emulator, against results computed on the host.

use std::sync::atomic::AtomicU64;
use warpmesh::program::{
    Argument, Buffer, Check, Launch, Target, Tolerance, compile, emulator, kernels,
    memcheck::{self, MemoryCheck},
};

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
            let checked = memcheck::check(&launch, &AtomicU64::new(u64::MAX));
            assert!(matches!(checked, MemoryCheck::Passed { .. }), "{name} {size}: {checked:?}");
        }
    }
}

/// The same in warps with a reconvergence stack: the same result, every thread executes as many instructions, and the
/// warps come together again: they issue not much more than the longest way through.
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
    // Threads of a warp leave the Collatz loop at different times, but walk through it together: without reconvergence
    // the warp would issue as many instructions as all its threads.
    let builtin = kernels::find("collatz").expect("the kernel exists");
    let launch = builtin.launch(Some(1024), 1, &Target::default()).unwrap_or_else(|e| panic!("{e}"));
    let run = emulator::run_lockstep(&launch, 100_000_000).unwrap_or_else(|e| panic!("{e}"));
    let share = run.thread_instructions as f64 / (32 * run.warp_instructions) as f64;
    assert!((0.3..0.9).contains(&share), "{share}");
}

/// `if (i >= n) return;` before a barrier: the threads that return must be gone when the others arrive there.
#[test]
fn an_early_return_before_a_barrier() {
    let source = ".version 7.0\n.target sm_35\n.address_size 64\n.visible .entry early(.param .u64 out, .param .u32 n)\n{\n\
                  .reg .pred %p<2>;\n.reg .b32 %r<6>;\n.reg .b64 %d<4>;\n.shared .align 4 .b8 place[256];\n\
                  mov.u32 %r1, %tid.x;\nld.param.u32 %r2, [n];\nsetp.ge.u32 %p1, %r1, %r2;\n@%p1 bra DONE;\n\
                  shl.b32 %r3, %r1, 2;\nmov.u32 %r4, place;\nadd.s32 %r3, %r4, %r3;\nst.shared.u32 [%r3], %r1;\n\
                  bar.sync 0;\nxor.b32 %r5, %r3, 4;\nld.shared.u32 %r5, [%r5];\nld.param.u64 %d1, [out];\n\
                  mul.wide.u32 %d2, %r1, 4;\nadd.s64 %d3, %d1, %d2;\nst.global.u32 [%d3], %r5;\nDONE:\nret;\n}\n";
    let kernel = compile(source, "early.ptx", None, &Target::default()).unwrap_or_else(|e| panic!("{e}"));
    let expected = (0..64u32).map(|i| if i < 40 { i ^ 1 } else { 0 }).flat_map(u32::to_le_bytes).collect();
    let launch = Launch {
        name: "early".into(),
        kernel,
        grid: [1; 3],
        block: [64, 1, 1],
        buffers: vec![Buffer::words("out", vec![0; 64])],
        args: vec![Argument::Buffer(0), Argument::Word(40)],
        checks: vec![Check { buffer: 0, expected, tolerance: Tolerance::Exact }],
        placement: None,
    };
    launch.validate().expect("the launch fits");
    let run = emulator::run(&launch, 1_000_000).expect("runs");
    launch.verify(|at, bytes| run.memory[at as usize..][..bytes].to_vec()).expect("right");
    lockstep("early", &launch, run.thread_instructions);
}

/// A warp of threads in shared memory `s`, then `body`; what it does with memory is checked.
fn checked(body: &str) -> MemoryCheck {
    let source = format!(
        ".version 7.0\n.target sm_35\n.address_size 64\n.visible .entry warp(.param .u64 out)\n{{\n.reg .pred %p<2>;\n\
         .reg .b32 %r<6>;\n.reg .b64 %d<4>;\n.shared .align 4 .b8 s[132];\nmov.u32 %r1, %tid.x;\nshl.b32 %r2, %r1, 2;\n\
         mov.u32 %r3, s;\nadd.s32 %r2, %r2, %r3;\nadd.s32 %r3, %r1, 1;\nld.param.u64 %d1, [out];\n{body}\nret;\n}}\n"
    );
    let kernel = compile(&source, "warp.ptx", None, &Target::default()).unwrap_or_else(|e| panic!("{e}"));
    let launch = Launch {
        name: "warp".into(),
        kernel,
        grid: [1; 3],
        block: [32, 1, 1],
        buffers: vec![Buffer::words("out", vec![0; 32])],
        args: vec![Argument::Buffer(0)],
        checks: vec![],
        placement: None,
    };
    launch.validate().expect("the launch fits");
    memcheck::check(&launch, &AtomicU64::new(1_000_000))
}

/// `out[s[...] - 1] = ...`: below the buffer where nobody has written to `s` yet.
const STORE: &str = "mad.wide.s32 %d2, %r4, 4, %d1; st.global.u32 [%d2+-4], %r1;";

/// Old kernels rely on the threads of a warp being together: a thread reads what its neighbour has just written.
#[test]
fn a_check_executes_warps_as_the_chip_does() {
    let outcome = checked(&format!(
        "st.shared.u32 [%r2], %r3; setp.eq.u32 %p1, %r1, 31; @%p1 ret; ld.shared.u32 %r4, [%r2+4]; {STORE}"
    ));
    assert!(matches!(outcome, MemoryCheck::Passed { .. }), "{outcome:?}");
}

/// What is wrong in one order of threads alone may never happen on the chip.
#[test]
fn a_race_is_no_bad_access() {
    let outcome = checked(&format!(
        "setp.eq.u32 %p1, %r1, 0; @%p1 bra FIRST; ld.shared.u32 %r4, [%r2+-4]; {STORE}\nFIRST:\nst.shared.u32 [%r2], %r3;"
    ));
    let MemoryCheck::Incomplete(reason) = outcome else { panic!("{outcome:?}") };
    assert!(reason.starts_with("whether there is one depends on the order of threads: "), "{reason}");
}

/// A kernel whose warps are apart at a barrier is executed by threads alone.
#[test]
fn a_bad_access_is_found_also_where_warps_are_apart_at_barriers() {
    let apart = "setp.lt.u32 %p1, %r1, 7; @%p1 bra HALF; bar.sync 0;\nHALF:\nmov.u32 %r4, 0;";
    let outcome = checked(&format!("{apart} {STORE}"));
    let MemoryCheck::Failed(fault) = outcome else { panic!("{outcome:?}") };
    assert_eq!((fault.access.address, fault.thread), (0xfc, [0, 0, 0]), "{fault}");
}

/// Whoever waits for the check may shorten it.
#[test]
fn a_check_ends_at_its_limit() {
    let outcome = checked("L: bra.uni L;");
    assert!(matches!(outcome, MemoryCheck::Limit), "{outcome:?}");
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
fn blur() {
    check("blur", &[1, 7, 33]);
}

#[test]
fn convolution() {
    check("convolution", &[1, 7, 33]);
}

#[test]
fn histogram() {
    check("histogram", &[1, 127, 3000]);
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
