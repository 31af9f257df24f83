//! A kernel on a chip, too, against its execution on the host.

pub use super::emulated::{launch, on_the_emulators};
use super::{c, ptx, tree::Kernel};
use warpmesh::{
    chip::Chip,
    host::{Host, HostError, Limits},
    program::{Launch, compile},
    report::Verdict,
    sim::Options,
};

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
