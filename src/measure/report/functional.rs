//! The result of a run on the emulator.

use super::{
    MemoryChecks, Verdict,
    text::headline,
    words::{counted, grouped},
};
use crate::record::Origin;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// One run of one kernel without the chip.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct FunctionalReport {
    /// Version of this format: 1.
    pub format_version: u32,
    /// Version of the program.
    pub version: String,
    /// True: tells it from the report of a chip.
    pub functional: bool,
    /// Name of the chip that the kernel was compiled for.
    pub config: String,
    /// Name of the kernel.
    pub kernel: String,
    /// How the run ended.
    pub verdict: Verdict,
    /// The result was compared and is right; null when the launch says nothing to compare or the run did not end.
    pub verified: Option<bool>,
    /// First difference, when `verified` is false.
    pub mismatch: Option<String>,
    /// Whether what the kernel does with memory was checked.
    pub memory_checks: MemoryChecks,
    /// Instructions executed, summed over threads, those whose guard fails (which the chip does not count) included.
    pub thread_instructions: u64,
    /// Instructions executed, each for a warp.
    pub warp_instructions: u64,
    /// The same by unit, of those that had any.
    pub units: Vec<UnitUse>,
    /// Thread blocks of the grid.
    pub blocks: u64,
    /// Threads of the grid.
    pub threads: u64,
    /// Seed of the input data.
    pub seed: u64,
    /// The kernel was compiled to machine code, not interpreted.
    pub compiled: bool,
    /// Time to compile it.
    pub compile_seconds: f64,
    /// Time to run it.
    pub wall_seconds: f64,
    /// Speed.
    pub thread_instructions_per_second: f64,
    /// What the report is of and what has made it.
    #[serde(default)]
    pub origin: Option<Origin>,
}

/// Instructions of a unit.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct UnitUse {
    /// `control`, `integer`, `predicate`, `multiply`, `float`, `load`, `store` or `atomic`.
    pub unit: String,
    /// Executed, each for a warp.
    pub warp_instructions: u64,
}

impl FunctionalReport {
    /// The kernel ran to its end and its result is not wrong.
    pub fn succeeded(&self) -> bool {
        self.verdict == Verdict::Completed && self.verified != Some(false)
    }

    /// As pretty JSON.
    pub fn json(&self) -> String {
        serde_json::to_string_pretty(self).expect("numbers and strings only")
    }
}

impl fmt::Display for FunctionalReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let headline = headline(self.verdict, self.verified);
        writeln!(f, "{} for {}, on the emulator: {headline}", self.kernel, self.config)?;
        if let Some(mismatch) = &self.mismatch {
            writeln!(f, "  {mismatch}")?;
        }
        if let MemoryChecks::NotCompleted { reason } = &self.memory_checks {
            writeln!(f, "  checks on memory were not completed: {reason}")?;
        }
        writeln!(f)?;
        let mut row = |title: &str, name: &str, value: String, note: String| {
            let line = format!("  {title:<12}{name:<22}{value:>14}  {note}");
            writeln!(f, "{}", line.trim_end())
        };
        row("Kernel", "threads", grouped(self.threads), format!("in {}", counted(self.blocks, "block")))?;
        row("", "thread instructions", grouped(self.thread_instructions), "with guards that fail".into())?;
        row("", "warp instructions", grouped(self.warp_instructions), String::new())?;
        for UnitUse { unit, warp_instructions } in &self.units {
            let share = 100.0 * *warp_instructions as f64 / self.warp_instructions.max(1) as f64;
            row("", &format!("  {unit}"), grouped(*warp_instructions), format!("{share:.1} %"))?;
        }
        let how = if self.compiled { "machine code" } else { "interpreted" };
        let million = self.thread_instructions_per_second / 1e6;
        row("Emulator", "speed", format!("{million:.0}"), format!("million thread instructions a second, {how}"))?;
        row(
            "",
            "time",
            format!("{:.2} s", self.wall_seconds),
            format!("after {:.2} s to compile", self.compile_seconds),
        )?;
        write!(f, "\n  No chip was simulated: there are no cycles.")
    }
}
