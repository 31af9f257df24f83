//! A kernel on the emulators, against its execution on the host.

use super::{host, ptx, tree::Kernel};
use program::{Argument, Buffer, Check, Launch, Target, Tolerance, compile, emulator};

/// Instructions that a thread executes at most, summed over a launch; thousands of times what kernels of
/// [`super::generate`] take.
const LIMIT: u64 = 1 << 28;

/// The launch of a kernel, with what the host computes as expectation.
pub fn launch(kernel: &Kernel, target: &Target) -> Result<Launch, String> {
    let source = ptx::text(kernel);
    let compiled =
        compile(&source, "random.ptx", None, target).map_err(|e| format!("{:?}", miette::Report::new(*e)))?;
    let expected = host::run(kernel);
    let buffer = |name: &str, words: &[u32]| Buffer::words(name, words.iter().map(|_| 0));
    let check = |buffer: usize, words: &[u32]| Check {
        buffer,
        expected: words.iter().flat_map(|w| w.to_le_bytes()).collect(),
        tolerance: Tolerance::Exact,
    };
    Ok(Launch {
        name: format!("random{}", kernel.seed),
        kernel: compiled,
        grid: [kernel.blocks, 1, 1],
        block: [kernel.threads, 1, 1],
        buffers: vec![
            Buffer::words("in", kernel.input.iter().copied()),
            buffer("out", &expected.out),
            buffer("scratch", &expected.scratch),
        ],
        args: vec![Argument::Buffer(0), Argument::Buffer(1), Argument::Buffer(2), Argument::Word(kernel.count)],
        checks: vec![check(1, &expected.out), check(2, &expected.scratch)],
        placement: None,
    })
}

/// All emulators.
pub fn on_the_emulators(launch: &Launch) -> Result<(), String> {
    let verify = |memory: &[u8]| launch.verify(|at, bytes| memory[at as usize..][..bytes].to_vec());
    let run = emulator::run(launch, LIMIT).map_err(|e| format!("emulator: {e}"))?;
    verify(&run.memory).map_err(|e| format!("emulator: {e}"))?;
    let warps = emulator::run_lockstep(launch, LIMIT).map_err(|e| format!("warps: {e}"))?;
    verify(&warps.memory).map_err(|e| format!("warps: {e}"))?;
    let compiled = emulator::run_warps(launch, LIMIT, emulator::Engine::Compiled);
    if compiled.map_err(|e| format!("compiled: {e}"))? != warps {
        return Err("compiled: not what the interpreter does".into());
    }
    match warps.thread_instructions == run.thread_instructions {
        true => Ok(()),
        false => {
            Err(format!("warps: {} instructions, {} expected", warps.thread_instructions, run.thread_instructions))
        }
    }
}
