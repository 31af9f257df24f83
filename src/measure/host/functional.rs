//! A launch on the emulator instead of a chip: the same result, no cycles, many thousand times as fast.

use crate::{
    host::{HostError, memory_checks::Checks, residency},
    report::{FunctionalReport, MemoryChecks, UnitUse, Verdict},
};
use program::{
    Launch, Trap,
    emulator::{BadAccess, CompiledKernel, EmulationError, Fault, LockstepOutcome},
    memcheck::{CheckKinds, MemoryFault},
};
use rtl::chip::Chip;
use std::{
    sync::{
        OnceLock,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

/// Time between two questions whether to go on.
const PAUSE: Duration = Duration::from_millis(20);

/// What checks on memory do.
#[derive(Clone, Copy, Debug)]
pub struct MemoryWatch {
    /// Anything at all.
    pub enabled: bool,
    /// What they look for beside addresses.
    pub check_kinds: CheckKinds,
}

/// Runs `launch`, which has to fit `chip`, and verifies it. `seed` is only reported. `stop` is asked some times a second
/// whether to end, and then says how that is called in the report.
pub fn run_functional(
    chip: &Chip,
    launch: &Launch,
    seed: u64,
    watch: MemoryWatch,
    stop: impl FnMut() -> Option<Verdict> + Send,
) -> Result<FunctionalReport, HostError> {
    launch.validate()?;
    residency(chip, launch)?;
    Checks::beside((launch, None), watch.enabled, watch.check_kinds, |checks| {
        let mut report = run_beside(checks, launch, watch, stop)?;
        report.config = chip.config().name.clone();
        report.seed = seed;
        Ok(report)
    })
}

/// How a launch has ended on the emulator.
pub(crate) struct Emulated {
    pub outcome: LockstepOutcome,
    pub verdict: Verdict,
    pub memory_checks: MemoryChecks,
}

/// A launch with its kernel in machine code, beside its checks.
pub(crate) fn emulate(
    (kernel, launch): (&CompiledKernel, &Launch),
    checks: &Checks,
    watch: MemoryWatch,
    stop: impl FnMut() -> Option<Verdict> + Send,
) -> Result<Emulated, HostError> {
    let stopped = OnceLock::new();
    let (outcome, ended) = watched(checks, stop, &stopped, |limit| kernel.run_until(launch, limit));
    let verdict = match ended {
        Ok(()) => Verdict::Completed,
        Err(EmulationError::Limit { .. }) => match checks.fault() {
            Some(fault) => return Err(HostError::Memory(Box::new(fault.clone()))),
            None => stopped.get().copied().unwrap_or(Verdict::Interrupted),
        },
        Err(EmulationError::Access(bad)) => return Err(bad_access(checks, launch, watch, &bad)),
        Err(cause) => return Err(HostError::Emulation { kernel: launch.kernel.name.clone(), cause }),
    };
    let memory_checks = checks.conclude(verdict, outcome.thread_instructions).map_err(HostError::Memory)?;
    Ok(Emulated { outcome, verdict, memory_checks })
}

fn run_beside(
    checks: &Checks,
    launch: &Launch,
    watch: MemoryWatch,
    stop: impl FnMut() -> Option<Verdict> + Send,
) -> Result<FunctionalReport, HostError> {
    let start = Instant::now();
    let kernel = CompiledKernel::new(&launch.kernel);
    let compile_seconds = start.elapsed().as_secs_f64();
    let start = Instant::now();
    let Emulated { outcome, verdict, memory_checks } = emulate((&kernel, launch), checks, watch, stop)?;
    let wall_seconds = start.elapsed().as_secs_f64();
    let executed = outcome.thread_instructions;
    let read = |at: u32, bytes: usize| outcome.memory.get(at as usize..).map_or(vec![], |rest| rest[..bytes].to_vec());
    let mismatch = match verdict {
        Verdict::Completed => launch.verify(read).err(),
        _ => None,
    };
    let blocks: u64 = launch.grid.iter().map(|&n| u64::from(n)).product();
    let units = launch.kernel.issued_by_unit(&outcome.issued).into_iter().filter(|(_, count)| *count > 0);
    Ok(FunctionalReport {
        format_version: 1,
        version: env!("CARGO_PKG_VERSION").into(),
        functional: true,
        config: String::new(),
        kernel: launch.name.clone(),
        verdict,
        verified: (verdict == Verdict::Completed && !launch.checks.is_empty()).then_some(mismatch.is_none()),
        mismatch: mismatch.map(|mismatch| mismatch.to_string()),
        memory_checks,
        thread_instructions: executed,
        warp_instructions: outcome.warp_instructions,
        units: units.map(|(unit, warp_instructions)| UnitUse { unit: unit.into(), warp_instructions }).collect(),
        blocks,
        threads: blocks * u64::from(launch.block_threads()),
        seed: 0,
        compiled: kernel.is_compiled(),
        compile_seconds,
        wall_seconds,
        thread_instructions_per_second: executed as f64 / wall_seconds.max(1e-9),
        origin: None,
    })
}

/// Runs `body` with a limit that becomes 0 when `stop` says so, or when the checks have found something.
fn watched<T>(
    checks: &Checks,
    mut stop: impl FnMut() -> Option<Verdict> + Send,
    stopped: &OnceLock<Verdict>,
    body: impl FnOnce(&AtomicU64) -> T,
) -> T {
    let (limit, done) = (AtomicU64::new(u64::MAX), AtomicBool::new(false));
    let watch = || {
        while !done.load(Ordering::Relaxed) {
            let verdict = stop();
            if verdict.is_some() || checks.fault().is_some() {
                // It is asked no more.
                verdict.into_iter().for_each(|verdict| _ = stopped.set(verdict));
                limit.store(0, Ordering::Relaxed);
                return;
            }
            thread::park_timeout(PAUSE);
        }
    };
    thread::scope(|scope| {
        // Without a thread for it, nothing ends the run before its time.
        let watcher = thread::Builder::new().name("watch".into()).spawn_scoped(scope, watch);
        let result = body(&limit);
        done.store(true, Ordering::Relaxed);
        watcher.iter().for_each(|watcher| watcher.thread().unpark());
        result
    })
}

/// What the checks say of an access that is not in memory at all; or else the emulator, which knows less.
fn bad_access(checks: &Checks, launch: &Launch, watch: MemoryWatch, bad: &BadAccess) -> HostError {
    if watch.enabled {
        _ = checks.search(bad.number);
    }
    match checks.fault() {
        Some(fault) => HostError::Memory(Box::new(fault.clone())),
        None if bad.fault == Fault::Trap => {
            let trap = launch.kernel.trap_at(bad.line, bad.access.address).unwrap_or(Trap::Instruction);
            HostError::Trapped { kernel: launch.kernel.name.clone(), line: launch.kernel.code_line(bad.line), trap }
        }
        None => HostError::Memory(Box::new(MemoryFault::in_place(launch, bad))),
    }
}
