//! What a session tells of its launches.

use crate::{
    record::Origin,
    report::{MemoryChecks, RunReport, SlotUse, WarpUse, words::grouped},
    statistics::HardwareStatistics,
};
use rtl::core::front_end;
use rustc_hash::FxHashMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt::Write;

/// Where a launch was executed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Where {
    /// On the chip.
    #[serde(rename = "chip")]
    Rtl,
    /// On the emulator.
    Emulator,
    /// On the emulator, in an earlier run.
    Checkpoint,
}

/// What the instructions of a launch are, each counted once for a warp.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct InstructionMix {
    /// Branches, ends, barriers, fences.
    pub control: u64,
    /// Arithmetic other than `fma`.
    pub alu: u64,
    /// Float products with a sum.
    pub fma: u64,
    /// Loads and stores of global memory.
    pub global: u64,
    /// Loads and stores of shared memory.
    pub shared: u64,
    /// Loads of parameters.
    pub parameter: u64,
}

impl InstructionMix {
    /// From what the cores have counted.
    pub fn of(statistics: &HardwareStatistics) -> Self {
        Self {
            control: statistics.total(front_end::CONTROL_INSTRUCTIONS),
            alu: [
                front_end::ALU_INSTRUCTIONS,
                front_end::PRODUCT_INSTRUCTIONS,
                front_end::FLOAT_INSTRUCTIONS,
                front_end::FMUL_INSTRUCTIONS,
            ]
            .map(|statistic| statistics.total(statistic))
            .iter()
            .sum(),
            fma: statistics.total(front_end::FMA_INSTRUCTIONS),
            global: statistics.total(front_end::GLOBAL_INSTRUCTIONS),
            shared: statistics.total(front_end::SHARED_INSTRUCTIONS),
            parameter: statistics.total(front_end::PARAMETER_INSTRUCTIONS),
        }
    }
}

/// A launch that has ended.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Record {
    /// From 1.
    pub number: usize,
    /// Name of the kernel.
    pub kernel: String,
    /// Blocks in x, y, z.
    pub grid: [u32; 3],
    /// Threads of a block.
    pub block: [u32; 3],
    /// Where.
    pub executed: Where,
    /// Cycles of the cores; only on the chip.
    pub cycles: Option<u64>,
    /// Summed over threads.
    pub thread_instructions: u64,
    /// Summed over warps.
    pub warp_instructions: u64,
    /// What is wrong with a checkpoint of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checkpoint: Option<String>,
    /// What checks on memory have found: nothing, or why they could not be completed.
    pub memory_checks: MemoryChecks,
    /// Only on the chip.
    pub mix: Option<InstructionMix>,
    /// All that the chip tells.
    pub report: Option<Box<RunReport>>,
}

impl Record {
    /// Thread instructions a cycle.
    pub fn ipc(&self) -> Option<f64> {
        self.cycles.filter(|&cycles| cycles > 0).map(|cycles| self.thread_instructions as f64 / cycles as f64)
    }
}

/// What a report says of the launches of a program.
#[derive(Serialize, JsonSchema)]
pub struct LaunchesReport {
    /// Version of this format: 1.
    pub format_version: u32,
    /// Name of the chip; none of a program that never used the device.
    pub config: Option<String>,
    /// Those that have ended, in order.
    pub launches: Vec<Record>,
    /// Those that went wrong.
    pub failed: Vec<FailedLaunch>,
    /// What was selected for the chip and was not among the launches.
    pub selected_nothing: Option<String>,
    /// Why there is no waveform or trace, or not all of it.
    pub not_recorded: Option<String>,
    /// What the report is of and what has made it.
    pub origin: Option<Origin>,
}

/// A launch that went wrong.
#[derive(Serialize, JsonSchema)]
pub struct FailedLaunch {
    /// From 1.
    pub number: usize,
    /// Name of the kernel.
    pub kernel: String,
}

pub(super) fn launches(count: usize) -> String {
    format!("{count} {}", if count == 1 { "launch" } else { "launches" })
}

pub(crate) fn dims([x, y, z]: [u32; 3]) -> String {
    match (y, z) {
        (1, 1) => x.to_string(),
        (_, 1) => format!("{x}x{y}"),
        _ => format!("{x}x{y}x{z}"),
    }
}

/// A line for each launch.
pub(super) fn table_of_launches(records: &[Record]) -> String {
    let (mut text, width) = (String::new(), name_width(records));
    let header = ["grid", "block", "cycles", "instructions", "IPC"];
    let [grid, block, cycles, instructions, ipc] = header;
    // Writing to a string does not fail.
    let _ =
        writeln!(text, "{:>5}  {:width$} {grid:>12} {block:>9} {cycles:>14} {instructions:>16} {ipc:>8}", "", "kernel");
    for record in records {
        let kernel: String = record.kernel.chars().take(width).collect();
        let without = if record.executed == Where::Checkpoint { "checkpoint" } else { "emulated" };
        let cycles = record.cycles.map_or(without.into(), grouped);
        let ipc = record.ipc().map_or("-".into(), |ipc| format!("{ipc:.2}"));
        let _ = writeln!(
            text,
            "{:>5}  {kernel:width$} {:>12} {:>9} {cycles:>14} {:>16} {ipc:>8}",
            record.number,
            dims(record.grid),
            dims(record.block),
            grouped(record.thread_instructions)
        );
    }
    text
}

/// Characters of the column of names.
fn name_width(records: &[Record]) -> usize {
    records.iter().map(|record| record.kernel.chars().count()).max().unwrap_or(0).clamp(6, 40)
}

/// A line for each kernel, in the order of their first launch; those on the chip and those that were emulated apart.
pub(super) fn table_of_kernels(records: &[Record]) -> String {
    let mut kernels: Vec<(&str, Where, Vec<&Record>)> = vec![];
    let mut places = FxHashMap::default();
    for record in records {
        let place = *places.entry((record.kernel.as_str(), record.executed)).or_insert_with(|| {
            kernels.push((&record.kernel, record.executed, vec![]));
            kernels.len() - 1
        });
        kernels[place].2.push(record);
    }
    let (mut text, width) = (String::new(), name_width(records));
    let [count, min, mean, max] = ["launches", "min cycles", "mean", "max"];
    let _ = writeln!(
        text,
        "  {:width$} {count:>9} {min:>12} {mean:>12} {max:>12} {:>18} {:>8}",
        "kernel", "instructions", "IPC"
    );
    for (kernel, executed, launches) in kernels {
        let kernel: String = kernel.chars().take(width).collect();
        let cycles: Vec<u64> = launches.iter().filter_map(|record| record.cycles).collect();
        let instructions: u64 = launches.iter().map(|record| record.thread_instructions).sum();
        let sum: u64 = cycles.iter().sum();
        let [min, mean, max] = match executed {
            Where::Rtl => {
                let mean = sum / cycles.len().max(1) as u64;
                [cycles.iter().copied().min().unwrap_or(0), mean, cycles.iter().copied().max().unwrap_or(0)]
                    .map(grouped)
            }
            Where::Emulator => ["emulated".into(), "-".into(), "-".into()],
            Where::Checkpoint => ["checkpoint".into(), "-".into(), "-".into()],
        };
        let ipc = if sum > 0 { format!("{:.2}", instructions as f64 / sum as f64) } else { "-".into() };
        let _ = writeln!(
            text,
            "  {kernel:width$} {:>9} {min:>12} {mean:>12} {max:>12} {:>18} {ipc:>8}",
            grouped(launches.len() as u64),
            grouped(instructions)
        );
    }
    text
}

/// What launches on the chip and on the emulator come to, with what is to be said of single ones; the chip at so many MHz.
pub(crate) fn totals(records: &[Record], frequency: u32) -> String {
    let mut text = String::new();
    let on_chip = || records.iter().filter(|record| record.executed == Where::Rtl);
    let emulated = records.len() - on_chip().count();
    let restored = records.iter().filter(|record| record.executed == Where::Checkpoint).count();
    let sum = |count: fn(&Record) -> u64| records.iter().map(count).sum::<u64>();
    let cycles: u64 = on_chip().filter_map(|record| record.cycles).sum();
    let of_chip: u64 = on_chip().map(|record| record.thread_instructions).sum();
    if emulated < records.len() {
        let ipc = of_chip as f64 / cycles.max(1) as f64;
        let milliseconds = cycles as f64 / (f64::from(frequency) * 1e3);
        let _ = writeln!(
            text,
            "on the chip: {}, {} cycles ({milliseconds:.3} ms at {frequency} MHz), {} thread instructions, IPC {ipc:.2}",
            launches(records.len() - emulated),
            grouped(cycles),
            grouped(of_chip)
        );
        let reports = || on_chip().filter_map(|record| record.report.as_ref());
        let slots: SlotUse = reports().map(|report| report.issue.slots).sum();
        let [used, lost] = slots.text();
        let _ = writeln!(text, "issue slots: {used} used, {lost}");
        let warps: WarpUse = reports().map(|report| report.issue.warp_cycles).sum();
        let [issued, waits] = warps.text();
        let _ = writeln!(text, "warp-cycles: {issued} issued, {waits}");
    }
    if emulated > 0 {
        let instructions = sum(|record| record.thread_instructions) - of_chip;
        let _ = writeln!(
            text,
            "on the emulator, without time: {}, {} thread instructions{}",
            launches(emulated),
            grouped(instructions),
            if restored > 0 { format!("; {restored} of them in an earlier run") } else { String::new() }
        );
    }
    for record in records {
        if let Some(problem) = &record.checkpoint {
            let _ = writeln!(text, "launch {}: checkpoint: {problem}", record.number);
        }
    }
    for record in records {
        if let MemoryChecks::NotCompleted { reason } = &record.memory_checks {
            let _ = writeln!(text, "launch {}: checks on memory were not completed: {reason}", record.number);
        }
    }
    text
}
