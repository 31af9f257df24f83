//! Errors of a run as failures of the command: exit codes, and what helps.

use crate::{Failure, interrupt, memory};
use common::short::shortened;
use measure::{
    host::HostError, issue_spec::IssueSpecError, report::Verdict, statistics::NoSuchStatistic, timeline::TimelineError,
};
use sim::SimError;

/// Which exit code an error of a run has.
pub fn failure(error: HostError) -> Failure {
    let code = match &error {
        HostError::Launch(_) | HostError::DoesNotFit { .. } | HostError::Lacks { .. } => 2,
        HostError::Network(_) | HostError::Statistics(_) => 2,
        HostError::Damaged(_) | HostError::OtherProgram(_) | HostError::Simulation(SimError::Snapshot(_)) => 2,
        HostError::Elaboration(_) | HostError::Memory(_) | HostError::Trapped { .. } | HostError::OutOfBounds(_) => 1,
        // The waveform that was asked for: its file, or the paths in it; a chip that is too large for this machine.
        HostError::Simulation(SimError::UnknownPath { .. } | SimError::Wave { .. } | SimError::Memory { .. }) => 2,
        HostError::Simulation(SimError::Interrupted) => interrupt::CODE,
        HostError::Simulation(SimError::OutOfMemory { .. }) => memory::OUT_OF_MEMORY,
        HostError::Simulation(_) | HostError::Parted { .. } | HostError::Dram(_) => 4,
        HostError::Emulation { .. } => 1,
        HostError::NotEnded { report } if report.verdict == Verdict::Interrupted => interrupt::CODE,
        HostError::NotEnded { .. } | HostError::TimeLimit { .. } => 3,
    };
    match error {
        HostError::Memory(mut fault) => {
            fault.help = format!("{}; {UNCHECKED}", fault.help);
            Failure { code, reports: vec![(*fault).into()] }
        }
        HostError::OutOfBounds(line) => Failure { code, reports: vec![miette::miette!(help = UNCHECKED, "{line}")] },
        error if code == memory::OUT_OF_MEMORY => {
            Failure { code, reports: vec![miette::miette!(help = memory::HELP, "{error}")] }
        }
        error => Failure::new(code, error),
    }
}

/// What is wrong with `--stats`.
pub fn no_such_statistic(error: NoSuchStatistic) -> Failure {
    Failure::input_message(format!("--stats {}: {error}", shortened(&error.pattern)), error.help())
}

/// What is wrong with a trace of issue slots.
pub fn issue_failure(error: IssueSpecError) -> Failure {
    match error {
        IssueSpecError::NoSuchCore { last, .. } => {
            Failure::input_message(error, format!("the chip has core0 to core{last}"))
        }
        IssueSpecError::NotReached { .. } => Failure::input_message(error, "choose an earlier window"),
        IssueSpecError::Picture(_) => Failure::new(4, error),
    }
}

/// Why there is no timeline.
pub fn timeline_failure(error: TimelineError) -> Failure {
    match error {
        TimelineError::NotReached { .. } => Failure::input_message(error, "choose an earlier window"),
        TimelineError::Memory { cycle, .. } => {
            Failure::input_message(error, format!("show fewer cycles: a --window that ends before cycle {cycle}"))
        }
        TimelineError::Unmatched { .. } => Failure::new(4, error),
    }
}

/// What helps who wants to see what the chip makes of it.
const UNCHECKED: &str = "--no-memory-checks runs the kernel all the same";

#[cfg(test)]
mod tests {
    use super::*;
    use hdl::Bits;
    use measure::host::TimingViolation;
    use sim::Engine;

    #[test]
    fn what_stops_a_simulation_is_exit_code_4_and_what_was_asked_wrongly_2() {
        let code = |error: SimError| failure(HostError::Simulation(error)).code;
        let (path, net) = ("core0.alu".to_string(), "sum".to_string());
        let (engines, values) = ([Engine::Word, Engine::Interpreter], Box::new([Bits::new(4, 1), Bits::new(4, 2)]));
        assert_eq!(code(SimError::Difference { cycle: 3, path, net, engines, values }), 4);
        let (path, message) = ("core0".to_string(), "one owner".to_string());
        let source_line = hdl::Source { file: "alu.rs", line: 7 };
        assert_eq!(code(SimError::Assertion { cycle: 3, clock: None, path, message, source_line }), 4);
        let violation = TimingViolation { channel: 0, cycle: 9, bank: 1, rule: "tRP", detail: "too early".into() };
        assert_eq!(failure(HostError::Dram(violation)).code, 4);
        assert_eq!(code(SimError::Native { module: "alu".into(), message: "no such machine".into() }), 4);
        assert_eq!(code(SimError::UnknownPath { path: "cor0".into(), candidates: vec![] }), 2);
        assert_eq!(code(SimError::Wave { file: "x.fst".into(), message: "no space".into() }), 2);
    }
}
