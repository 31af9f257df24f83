//! Kernels for which the cores have too few registers do the same with some of them in memory, on all engines.

use std::sync::atomic::AtomicU64;
use testkit_base::large_kernels;
use warpmesh_program::{
    Argument, Buffer, Launch, Target, compile,
    emulator::{self, Engine, run_lockstep, run_warps},
    kernels,
    memcheck::{self, MemoryCheck},
};

const LIMIT: u64 = 1 << 24;

/// A kernel of a shape for so many registers.
fn launch(text: &str, registers: usize) -> Launch {
    let target = Target { registers, double: true, special: true, ..Target::default() };
    let kernel = compile(text, "large.ptx", None, &target).unwrap_or_else(|e| panic!("{registers} registers: {e}"));
    assert!(kernel.registers <= registers, "{} of {registers}", kernel.registers);
    // Doubles near 1, so that sums and products tell each other apart.
    let words = (0..20_000u32).flat_map(|i| [i.wrapping_mul(0x9e37_79b9), 0x3ff0_0000 | ((i % 1000) << 8)]);
    Launch {
        name: format!("{registers} registers"),
        kernel,
        grid: [2, 1, 1],
        block: [40, 1, 1],
        buffers: vec![Buffer::words("in", words), Buffer::words("out", [0; 256])],
        args: vec![Argument::Buffer(0), Argument::Buffer(1)],
        checks: vec![],
        placement: None,
    }
}

/// What a launch leaves in its second buffer.
fn result(launch: &Launch) -> Vec<u8> {
    launch.validate().unwrap_or_else(|e| panic!("{e}"));
    let at = launch.buffer_addresses()[1] as usize;
    let out = |memory: &[u8]| memory[at..at + 1024].to_vec();
    let warps = run_lockstep(launch, LIMIT).unwrap_or_else(|e| panic!("{}: {e}", launch.name));
    let compiled = run_warps(launch, LIMIT, Engine::Compiled).unwrap_or_else(|e| panic!("{}: {e}", launch.name));
    assert!(compiled == warps, "{}: the engines differ", launch.name);
    out(&warps.memory)
}

#[test]
fn few_registers_give_what_many_do() {
    let mut spilled = 0;
    // Assertions fail with these numbers.
    for shape in large_kernels::SHAPES.iter().filter(|shape| shape.name != "assertions") {
        // As many cases of a jump table as a block has threads.
        let text = (shape.kernel)(160);
        let expected = result(&launch(&text, 255));
        for registers in [8, 24] {
            let few = launch(&text, registers);
            spilled += usize::from(few.kernel.spill.is_some());
            assert!(result(&few) == expected, "{}: {registers} registers", shape.name);
        }
    }
    assert!(spilled >= 10, "{spilled} kernels had registers in memory");
}

#[test]
fn the_project_s_kernels_do_with_eight() {
    for kernel in kernels::every() {
        let target = Target { registers: 8, ..Target::default() };
        let size = kernel.default_size.min(64);
        let launch = kernel.launch(Some(size), 1, &target).unwrap_or_else(|e| panic!("{e}"));
        let run = emulator::run(&launch, LIMIT).unwrap_or_else(|e| panic!("{}: {e}", kernel.name));
        let verified = launch.verify(|at, bytes| run.memory[at as usize..][..bytes].to_vec());
        verified.unwrap_or_else(|e| panic!("{}: {e}", kernel.name));
        let check = memcheck::check(&launch, &AtomicU64::new(LIMIT));
        assert!(matches!(check, MemoryCheck::Passed { .. }), "{}: {check:?}", kernel.name);
    }
}
