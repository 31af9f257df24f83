//! *Behavioural*, off the chip: whether a kernel keeps to its buffers, watched from two sides at no cost for the simulation.
//!
//! * At the DRAM's pins ([`BufferLines`]): the chip reads and writes no line that holds no part of any buffer, whatever made it.
//! * Beside it ([`Checks`]): the emulator executes the launch with all checks ([`memcheck`](program::memcheck)) on a thread
//!   of its own, some ten times as fast as the chip is simulated. What it finds stops the simulation.
//!
//! The second knows who does what; so when the pins show something first, it is waited for.

use crate::{
    host::{HostError, device::LineAccess},
    report::{MemoryChecks, Verdict},
};
use program::{
    Launch,
    memcheck::{CheckKinds, Checker, MemoryCheck, MemoryFault, check_for, nearest_buffer},
};
use sim::SimError;
use std::{
    fmt,
    ops::Range,
    sync::{
        OnceLock,
        atomic::{AtomicU64, Ordering},
    },
    thread,
};

/// A read or write of the chip where no buffer is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OutOfBoundsLine {
    /// Name of the kernel.
    pub kernel: String,
    /// DRAM channel.
    pub channel: usize,
    /// Cycle of the command, on the channel's clock.
    pub cycle: u64,
    /// First address of the line; none when no address leads there.
    pub address: Option<u32>,
    /// Its bytes.
    pub bytes: u32,
    /// It is written.
    pub write: bool,
    /// The nearest buffer, and what is known of who does it.
    pub details: String,
}

impl std::error::Error for OutOfBoundsLine {}

impl fmt::Display for OutOfBoundsLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kernel, channel, cycle, address, bytes, write, details } = self;
        let what = if *write { "writes" } else { "reads" };
        let place = address.map_or("a line that no address has".into(), |at| format!("{bytes} bytes from {at:#x} on"));
        write!(
            f,
            "kernel `{kernel}`: the chip {what} {place}, where no buffer is (DRAM channel {channel}, cycle {cycle}){details}"
        )
    }
}

/// The lines that hold a part of a buffer, of a variable or of local memory.
pub(super) struct BufferLines {
    kernel: String,
    /// What may be written, ascending.
    bytes: Vec<Range<u64>>,
    /// What else may be read: constants and the program.
    read_only: Vec<Range<u64>>,
}

impl BufferLines {
    pub fn of(launch: &Launch, read_only: Vec<Range<u64>>) -> Self {
        Self { kernel: launch.kernel.name.clone(), bytes: launch.writable(), read_only }
    }

    /// Refuses a line that holds no part of a buffer.
    pub fn allow(&self, line: LineAccess) -> Result<(), HostError> {
        let LineAccess { channel, cycle, address, bytes, write } = line;
        let reads = |address| !write && self.may_read(address, bytes);
        if address.is_some_and(|address| self.hold(address, bytes) || reads(address)) {
            return Ok(());
        }
        let (kernel, details) = (self.kernel.clone(), String::new());
        Err(HostError::OutOfBounds(Box::new(OutOfBoundsLine {
            kernel,
            channel,
            cycle,
            address,
            bytes,
            write,
            details,
        })))
    }

    /// The line from `address` on has a byte of what may be read alone.
    fn may_read(&self, address: u32, bytes: u32) -> bool {
        let line = u64::from(address)..u64::from(address) + u64::from(bytes);
        self.read_only.iter().any(|range| range.start < line.end && range.end > line.start)
    }

    /// The line from `address` on has a byte of a buffer.
    fn hold(&self, address: u32, bytes: u32) -> bool {
        let line = u64::from(address)..u64::from(address) + u64::from(bytes);
        let before_its_end = self.bytes.partition_point(|range| range.start < line.end);
        before_its_end.checked_sub(1).is_some_and(|last| self.bytes[last].end > line.start)
    }
}

/// The check that runs while the simulation does.
pub(crate) struct Checks<'l> {
    launch: &'l Launch,
    /// Thread instructions that it may execute.
    limit: AtomicU64,
    outcome: OnceLock<MemoryCheck>,
    enabled: bool,
}

/// It may execute so many times as many thread instructions as the chip does, whose threads may wait less for each other...
const TIMES: u64 = 4;
/// ...and so many more.
const MORE: u64 = 1 << 20;
/// When the chip has left its buffers, it may execute more, to find out who does it: some seconds.
const SEARCH: u64 = 1 << 28;

impl<'l> Checks<'l> {
    /// Runs `body` with the check of a launch on another thread, which ends with it. With a `checker` of the kernel, if there is one already.
    pub fn beside<T>(
        (launch, checker): (&'l Launch, Option<&Checker>),
        enabled: bool,
        check_kinds: CheckKinds,
        body: impl FnOnce(&Self) -> T,
    ) -> T {
        let checks = Self { launch, limit: AtomicU64::new(u64::MAX), outcome: OnceLock::new(), enabled };
        if !enabled {
            return body(&checks);
        }
        thread::scope(|scope| {
            // However the body ends.
            let _end = OnDrop(|| checks.limit.store(0, Ordering::Relaxed));
            let work = || {
                let _told = OnDrop(|| checks.settle(MemoryCheck::Incomplete("they broke off".into())));
                checks.settle(match checker {
                    Some(checker) => checker.check(launch, &checks.limit, check_kinds),
                    None => check_for(launch, &checks.limit, check_kinds),
                });
            };
            if let Err(cause) = thread::Builder::new().name("memory checks".into()).spawn_scoped(scope, work) {
                checks.settle(MemoryCheck::Incomplete(format!("there was no thread for them: {cause}")));
            }
            body(&checks)
        })
    }

    fn settle(&self, outcome: MemoryCheck) {
        // The first one stays.
        let _ = self.outcome.set(outcome);
    }

    /// The bad access, as soon as it is known.
    pub fn fault(&self) -> Option<&MemoryFault> {
        match self.outcome.get() {
            Some(MemoryCheck::Failed(fault)) => Some(fault),
            _ => None,
        }
    }

    /// What came out, when the chip has executed `thread_instructions` and then stopped for `verdict`; waits for it.
    pub fn conclude(&self, verdict: Verdict, thread_instructions: u64) -> Result<MemoryChecks, Box<MemoryFault>> {
        if !self.enabled {
            return Ok(MemoryChecks::Off);
        }
        let limit = thread_instructions.saturating_mul(TIMES).saturating_add(MORE);
        // Nobody waits for the rest of what somebody has stopped: it may take as long as the run did, and longer.
        let stopped = matches!(verdict, Verdict::Interrupted | Verdict::TimeLimit);
        let reason = match self.wait(if stopped { 0 } else { limit }) {
            MemoryCheck::Failed(fault) => return Err(fault.clone()),
            // Whether it was so far before the chip had ended must not matter.
            MemoryCheck::Passed { thread_instructions } if *thread_instructions <= limit => {
                return Ok(MemoryChecks::Completed);
            }
            MemoryCheck::Passed { .. } | MemoryCheck::Limit if verdict == Verdict::Completed => {
                "the kernel does not end where warps run one after the other: they may wait for each other without a barrier".into()
            }
            MemoryCheck::Passed { .. } | MemoryCheck::Limit => "the run was stopped before them".into(),
            MemoryCheck::Parted(parted) => parted.to_string(),
            MemoryCheck::Incomplete(reason) => reason.clone(),
        };
        Ok(MemoryChecks::NotCompleted { reason })
    }

    fn wait(&self, limit: u64) -> &MemoryCheck {
        self.limit.store(limit, Ordering::Relaxed);
        self.outcome.wait()
    }

    /// Who it is that leaves the buffers; or, where that cannot be found out, the line with all that is known.
    pub fn explain(&self, line: OutOfBoundsLine, thread_instructions: u64) -> HostError {
        let nearest = line.address.and_then(|address| nearest_buffer(self.launch, address));
        let near = nearest.map_or(String::new(), |buffer| format!("; the nearest is {buffer}"));
        let who = match self.search(thread_instructions) {
            MemoryCheck::Failed(fault) => return HostError::Memory(fault.clone()),
            MemoryCheck::Passed { .. } => "no thread does so when they execute one after the other".into(),
            MemoryCheck::Limit => "it does not happen where warps run one after the other".into(),
            MemoryCheck::Parted(parted) => parted.to_string(),
            MemoryCheck::Incomplete(reason) => reason.clone(),
        };
        let details = format!("{near}; by which thread was not found out ({who})");
        HostError::OutOfBounds(Box::new(OutOfBoundsLine { details, ..line }))
    }

    /// A broken claim of the chip, with the lines of the barriers when threads of a warp wait at different ones.
    pub fn explain_claim(&self, claim: SimError, thread_instructions: u64) -> HostError {
        let kernel = &self.launch.kernel.name;
        match self.enabled.then(|| self.search(thread_instructions)) {
            Some(MemoryCheck::Parted(cause)) => {
                HostError::Parted { claim: Box::new(claim), kernel: kernel.clone(), cause: cause.clone() }
            }
            _ => HostError::Simulation(claim),
        }
    }

    /// What came out, when it is worth some more instructions.
    pub fn search(&self, thread_instructions: u64) -> &MemoryCheck {
        self.wait(thread_instructions.saturating_mul(TIMES).saturating_add(SEARCH))
    }
}

/// Calls a function when it goes out of scope.
struct OnDrop<F: FnMut()>(F);

impl<F: FnMut()> Drop for OnDrop<F> {
    fn drop(&mut self) {
        (self.0)();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use program::{Buffer, Target, compile, kernels};

    #[test]
    fn lines_of_a_buffer_are_those_with_one_of_its_bytes() {
        let mut launch = kernels::ALL[0].launch(Some(1), 1, &Target::default()).expect("compiles");
        let buffer = |bytes: usize| Buffer { name: "x".into(), data: vec![0; bytes] };
        launch.buffers = vec![buffer(1), buffer(0), buffer(65), buffer(256), buffer(200)];
        assert_eq!(launch.buffer_addresses(), [256, 512, 768, 1024, 1280]);
        let program = 1536..1600;
        let lines = BufferLines::of(&launch, vec![program]);
        let held: Vec<u32> = (0..2048).step_by(64).filter(|&line| lines.hold(line, 64)).collect();
        assert_eq!(held, [256, 768, 832, 1024, 1088, 1152, 1216, 1280, 1344, 1408, 1472]);
        assert!(!lines.hold(u32::MAX - 63, 64));
        let access = |address, write| LineAccess { channel: 0, cycle: 0, address: Some(address), bytes: 64, write };
        assert!(lines.allow(access(1536, false)).is_ok() && lines.allow(access(1536, true)).is_err());
        assert!(lines.allow(access(1600, false)).is_err());
    }

    /// The checks of a launch without end are over when the launch is, however much it has executed.
    #[test]
    fn nobody_waits_for_the_checks_of_what_was_stopped() {
        let ptx =
            ".version 7.0\n.target sm_35\n.address_size 64\n.visible .entry endless()\n{\nagain:\nbra again;\n}\n";
        let kernel = compile(ptx, "endless.ptx", None, &Target::default()).expect("it compiles");
        let launch = Launch {
            name: "endless".into(),
            kernel,
            grid: [1; 3],
            block: [1; 3],
            buffers: vec![],
            args: vec![],
            checks: vec![],
            placement: None,
        };
        for verdict in [Verdict::Interrupted, Verdict::TimeLimit] {
            let executed = u64::MAX / TIMES / 2;
            let concluded = Checks::beside((&launch, None), true, CheckKinds::default(), |checks| {
                checks.conclude(verdict, executed)
            });
            assert!(matches!(concluded, Ok(MemoryChecks::NotCompleted { .. })), "{concluded:?}");
        }
    }
}
