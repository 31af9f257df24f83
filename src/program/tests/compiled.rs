//! The emulator in machine code against the interpreter: the same memory, counts and errors to the last bit.

#[path = "../../../tests/support/assembling.rs"]
mod assembling;
#[path = "../../../tests/support/random_program.rs"]
mod random_program;

use random_program::{Random, program_of};
use warpmesh_program as program;
use warpmesh_program::{
    Launch, Target,
    emulator::{self, CompiledKernel, EmulationError, Engine, LockstepOutcome},
    kernels,
};

const LIMIT: u64 = 1 << 28;

/// Runs on both engines, which have to agree.
fn both(launch: &Launch, limit: u64) -> Result<LockstepOutcome, EmulationError> {
    let expected = emulator::run_warps(launch, limit, Engine::Interpreter);
    let kernel = CompiledKernel::new(&launch.kernel);
    assert!(kernel.is_compiled(), "{}", launch.kernel.disassemble());
    let found = kernel.run(launch, limit);
    if let (Ok(found), Ok(expected)) = (&found, &expected) {
        let words = found.memory.chunks(4).zip(expected.memory.chunks(4));
        let wrong: Vec<usize> = words.enumerate().filter(|(_, (a, b))| a != b).map(|(word, _)| word).collect();
        assert!(wrong.is_empty(), "{}: words {wrong:x?}\n{}", launch.name, launch.kernel.disassemble());
    }
    assert_eq!(found, expected, "{}", launch.name);
    expected
}

#[test]
fn every_kernel_of_the_project() {
    for kernel in kernels::every() {
        let sizes = [Some(1), Some(37), (kernel.default_size <= 16384).then_some(kernel.default_size)];
        for size in sizes.into_iter().flatten() {
            let launch = kernel.launch(Some(size), 1, &Target::default()).unwrap_or_else(|e| panic!("{e}"));
            let run = both(&launch, LIMIT).unwrap_or_else(|e| panic!("{} {size}: {e}", kernel.name));
            let read = |at: u32, bytes: usize| run.memory[at as usize..][..bytes].to_vec();
            launch.verify(read).unwrap_or_else(|e| panic!("{} {size}: {e}", kernel.name));
        }
    }
}

#[test]
fn random_programs() {
    for seed in 0..60 {
        let block = [[64, 1, 1], [37, 1, 1], [9, 4, 2], [33, 3, 1]][seed as usize % 4];
        let launch = program_of(seed, 2, block, seed % 2 == 1);
        let run = both(&launch, LIMIT).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
        // Wherever the limit is, it is reached at the same instruction.
        if seed < 8 {
            let mut random = Random::new(seed);
            for limit in (0..6).map(|_| random.below(run.thread_instructions)) {
                assert_eq!(both(&launch, limit), Err(EmulationError::Limit { limit }));
            }
            both(&launch, run.thread_instructions).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
        }
    }
}
