//! What can go wrong when a design is simulated.

use super::engine::Engine;
use hdl::{Bits, Source};

/// An error of the simulator.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SimError {
    /// The top module has no such port.
    #[error("no {direction} port `{name}`{}", did_you_mean(.candidates))]
    UnknownPort {
        /// `input` or `output`.
        direction: &'static str,
        /// As asked for.
        name: String,
        /// Ports with similar names, best first.
        candidates: Vec<String>,
    },
    /// The hierarchy has no such instance, net or memory.
    #[error("no instance or net is named `{path}`{}", did_you_mean(.candidates))]
    UnknownPath {
        /// As asked for.
        path: String,
        /// Similar paths, best first.
        candidates: Vec<String>,
    },
    /// Who looks at a net finds its tap tied to other nets than it should be: the description is wrong.
    #[error("tap `{tap}` is tied to {found} nets of the design, {expected} expected")]
    Taps {
        /// The tap.
        tap: String,
        /// Nets that it is tied to.
        found: usize,
        /// Nets that it should be tied to.
        expected: usize,
    },
    /// A memory has no such word.
    #[error("memory `{path}` has {depth} words, address {address} is out of range")]
    Address {
        /// The memory.
        path: String,
        /// As asked for.
        address: usize,
        /// Words.
        depth: usize,
    },
    /// The top module has no such clock domain.
    #[error("no clock domain `{name}`{}", did_you_mean(.candidates))]
    UnknownClock {
        /// As asked for.
        name: String,
        /// Domains with similar names, best first.
        candidates: Vec<String>,
    },
    /// Frequencies that cannot be simulated.
    #[error("clocks: {0}")]
    Clocks(String),
    /// An assertion of a block failed; the clock edge was not executed.
    #[error("cycle {cycle}{}: {path}: assertion failed: {message}\n    at {source_line}", of_clock(.clock))]
    Assertion {
        /// Number of the clock edge that would have come next.
        cycle: u64,
        /// The clock domain of the top whose edge that is, where there are several.
        clock: Option<String>,
        /// The instance.
        path: String,
        /// What is asserted.
        message: String,
        /// Where it is asserted.
        source_line: Source,
    },
    /// Two engines disagree.
    #[error("cycle {cycle}: {path}.{net}: {} {}, {} {}", .engines[0], .values[0], .engines[1], .values[1])]
    Difference {
        /// Number of the clock edge whose evaluation differs.
        cycle: u64,
        /// The instance.
        path: String,
        /// Net, or write port or probe of the instance.
        net: String,
        /// The engine at work, and the second one.
        engines: [Engine; 2],
        /// Their values.
        values: Box<[Bits; 2]>,
    },
    /// A snapshot does not belong to this design or is damaged.
    #[error("cannot restore: {0}")]
    Snapshot(String),
    /// Code generation failed.
    #[error("native code of module `{module}`: {message}")]
    Native {
        /// The module.
        module: String,
        /// Cranelift's words.
        message: String,
    },
    /// The system has no memory for code.
    #[error("out of memory: that for native code of module `{module}` was refused")]
    OutOfMemory {
        /// The module.
        module: String,
    },
    /// The state of one instance is larger than code can address.
    #[error("the state of module `{module}` takes {words} words of 64 bits; at most {limit} can be addressed")]
    TooLarge {
        /// The module.
        module: String,
        /// Words needed.
        words: u64,
        /// Words allowed.
        limit: u64,
    },
    /// Whoever watched the simulation has ended it.
    #[error("interrupted")]
    Interrupted,
    /// Preparing the simulation would take more memory than there is.
    #[error(
        "simulating this takes about {needs} MB of memory, and {left} MB are left; most of it is for the {count} x `{kind}`: fewer or smaller ones take less{}",
        key_of(.kind)
    )]
    Memory {
        /// Megabytes, estimated.
        needs: u64,
        /// Megabytes that are left.
        left: u64,
        /// The kind of tile that most of it is for.
        kind: String,
        /// How many there are.
        count: usize,
    },
    /// A waveform could not be written.
    #[error("waveform `{file}`: {message}")]
    Wave {
        /// The file.
        file: String,
        /// What happened.
        message: String,
    },
}

/// Keys of a configuration that make these tiles smaller.
fn key_of(kind: &str) -> &'static str {
    match kind {
        "core" => " (config keys `core.warps`, `core.shared_bytes`)",
        "router" | "network_interface" | "link" => " (config keys `network.vcs`, `network.vc_depth`)",
        "memory_partition" => " (config key `memory.queue_entries`)",
        _ => "",
    }
}

fn of_clock(clock: &Option<String>) -> String {
    clock.as_ref().map_or_else(String::new, |name| format!(" of clock `{name}`"))
}

fn did_you_mean(candidates: &[String]) -> String {
    match candidates {
        [] => String::new(),
        some => format!("; did you mean `{}`?", some.join("`, `")),
    }
}

/// The names most like `name`, best first, at most three.
pub(super) fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut scored: Vec<(f64, &str)> =
        known.map(|k| (strsim::jaro_winkler(name, k), k)).filter(|(score, _)| *score > 0.7).collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
    scored.dedup();
    scored.into_iter().take(3).map(|(_, k)| k.to_string()).collect()
}
