//! Why a launch was not run to its end.

use crate::{
    host::{OutOfBoundsLine, TimingViolation, saved::DamagedState},
    report::{RunReport, Verdict},
    statistics::NoSuchStatistic,
};
use common::parameters::find;
use netlist::ElaborationError;
use program::{CodeLine, LaunchError, Requirement, Trap, emulator::EmulationError, memcheck::MemoryFault};
use rtl::{chip::ChipConfig, noc::NocError};
use sim::SimError;

/// A launch that does not fit the chip, or a run that went wrong.
#[derive(Debug, thiserror::Error)]
pub enum HostError {
    /// The network cannot be built.
    #[error(transparent)]
    Network(#[from] NocError),
    /// The chip is described wrongly: a mistake of ours.
    #[error(transparent)]
    Elaboration(#[from] ElaborationError),
    /// The launch contradicts itself.
    #[error(transparent)]
    Launch(#[from] LaunchError),
    /// The kernel needs more than the chip has.
    #[error("kernel `{kernel}` needs {needs} {what}, the chip has {has} (config key `{key}`, {})", possible(key, *needs))]
    DoesNotFit {
        /// Kernel name.
        kernel: String,
        /// Amount needed.
        needs: u64,
        /// Of what.
        what: &'static str,
        /// Amount that there is.
        has: u64,
        /// What to change.
        key: &'static str,
    },
    /// The kernel needs a unit or an ability that the chip has not, or not enough of.
    #[error(
        "kernel `{kernel}` needs {needs} ({line}), the chip has {} (config key `{key}`; configuration `fermi` has them)",
        amount(*has)
    )]
    Lacks {
        /// Kernel name.
        kernel: String,
        /// What it needs.
        needs: Requirement,
        /// Of the first instruction that needs it.
        line: CodeLine,
        /// How much there is.
        has: u32,
        /// What to change.
        key: &'static str,
    },
    /// A session is to report statistics that the chip does not have.
    #[error("{0}: {help}", help = .0.help())]
    Statistics(#[from] NoSuchStatistic),
    /// A broken claim of a block, or a difference between engines.
    #[error(transparent)]
    Simulation(#[from] SimError),
    /// A broken claim, because threads of a warp wait at different barriers.
    #[error("{claim}\nkernel `{kernel}`: {cause}")]
    Parted {
        /// Of the chip.
        claim: Box<SimError>,
        /// Name of the kernel.
        kernel: String,
        /// What the emulator has seen.
        cause: EmulationError,
    },
    /// The kernel does what no kernel may, on the emulator.
    #[error("kernel `{kernel}`: {cause}")]
    Emulation {
        /// Name of the kernel.
        kernel: String,
        /// What it does.
        cause: EmulationError,
    },
    /// A memory controller broke a rule of its DRAM.
    #[error(transparent)]
    Dram(#[from] TimingViolation),
    /// A thread of the kernel made an access that it must not make.
    #[error(transparent)]
    Memory(Box<MemoryFault>),
    /// A thread has trapped.
    #[error("kernel `{kernel}`: a thread has trapped at {line}: {}", trap.text())]
    Trapped {
        /// Kernel name.
        kernel: String,
        /// Of the `trap`.
        line: CodeLine,
        /// Why.
        trap: Trap,
    },
    /// What a run was to be continued from is not its state.
    #[error(transparent)]
    Damaged(#[from] DamagedState),
    /// A launch of a session that goes on is not the one that it was.
    #[error("{0}")]
    OtherProgram(String),
    /// A launch of a session that the chip did not bring to its end.
    #[error("kernel `{}` did not end: {}", report.kernel, ending(report))]
    NotEnded {
        /// What there is to tell of it.
        report: Box<RunReport>,
    },
    /// A launch of a session that the limit of time has ended on the emulator, or has not let begin.
    #[error("kernel `{kernel}` did not end: the limit of time was reached")]
    TimeLimit {
        /// Name of the kernel.
        kernel: String,
    },
    /// The chip left the kernel's buffers.
    #[error(transparent)]
    OutOfBounds(Box<OutOfBoundsLine>),
}

/// What the warps of a launch that did not end wait for.
fn ending(report: &RunReport) -> String {
    let what = match report.verdict {
        Verdict::Deadlocked => "nothing moves any more",
        Verdict::CycleLimit => "the limit of cycles was reached",
        Verdict::TimeLimit => "the limit of time was reached",
        Verdict::Interrupted | Verdict::Completed => "it was interrupted",
    };
    let of_warps = |group: &crate::report::Waiting| {
        format!("\n  {} warps at PTX line {}, `{}`: {}", group.warps, group.line, group.instruction, group.reason)
    };
    format!("{what} after {} cycles{}", report.core_cycles, report.waiting.iter().map(of_warps).collect::<String>())
}

/// A number, or `none`.
fn amount(has: u32) -> String {
    if has == 0 { "none".into() } else { has.to_string() }
}

/// What can be done with a key of which a kernel needs so much: a value that is enough, or the limit of all chips.
fn possible(key: &str, needs: u64) -> String {
    let Some(range) = find::<ChipConfig>(key).and_then(|parameter| parameter.range) else { return "any".into() };
    match range.least(needs) {
        Some(least) => format!("{least} is enough"),
        None => format!("at most {}: the kernel fits no chip", range.ends().1),
    }
}
