//! A kernel on the emulator and on a chip, against its execution on the host.

use super::{c, host, ptx, tree::Kernel};
use warpmesh::{
    chip::Chip,
    host::{Host, HostError, Limits},
    program::{Argument, Buffer, Check, Launch, Target, Tolerance, compile, emulator},
    report::Verdict,
    sim::Options,
};

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

/// Runs one kernel after the other on the emulators and on a chip.
pub struct Checker {
    host: Host,
}

impl Checker {
    pub fn new(chip: &Chip, options: &Options) -> Self {
        Self { host: Host::new(chip, options).unwrap_or_else(|e| panic!("{e}")) }
    }

    /// The launch of a kernel, compiled for the chip.
    pub fn launch(&self, kernel: &Kernel) -> Result<Launch, String> {
        launch(kernel, &self.host.chip().target())
    }

    /// Emulators and chip; returns the chip's cycles, or what to print about a kernel that failed.
    pub fn check(&mut self, kernel: &Kernel) -> Result<u64, String> {
        let mut run = || {
            let launch = self.launch(kernel)?;
            on_the_emulators(&launch)?;
            self.on_the_chip(&launch)
        };
        run().map_err(|error| self.failure(kernel, &error))
    }

    /// Runs a launch and verifies it; returns its cycles.
    pub fn on_the_chip(&mut self, launch: &Launch) -> Result<u64, String> {
        let limits = Limits { max_cycles: 20_000_000, watchdog: 5_000, ..Limits::default() };
        let mut run = || -> Result<(Verdict, u64), HostError> {
            self.host.start(launch)?;
            self.host.run(limits, |_, _| Ok(()))
        };
        let (verdict, cycles) = run().map_err(|e| format!("chip: {e}"))?;
        if verdict != Verdict::Completed {
            return Err(format!("chip: {verdict:?} after {cycles} cycles"));
        }
        launch.verify(|at, bytes| self.host.read_memory(at, bytes)).map_err(|e| format!("chip: {e}"))?;
        Ok(cycles)
    }

    fn failure(&self, kernel: &Kernel, error: &str) -> String {
        let source = ptx::text(kernel);
        let compiled = compile(&source, "random.ptx", None, &self.host.chip().target());
        let code = compiled.map_or(String::new(), |kernel| kernel.disassemble());
        format!("seed {}: {error}\n\n{}\n{source}\n{code}", kernel.seed, c::text(kernel))
    }
}
