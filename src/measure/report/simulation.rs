//! How a simulation itself went: its speed, its memory, and which engine did what.

use super::{
    activity::ActivityProfile,
    profile::TimeProfile,
    words::{ReportRow, counted, grouped},
};
use crate::record::Origin;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The timing fields of a [`RunReport`](super::RunReport), which differ from run to run and from machine to machine.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Simulation {
    /// Simulated cycles; those in which the host loads the kernel are among them.
    pub simulated_cycles: u64,
    /// Threads of the simulation, in most of its cycles.
    pub threads_of_simulation: usize,
    /// The number was not given but measured.
    pub threads_automatic: bool,
    /// Other numbers that were tried last.
    pub thread_trials: Vec<ThreadTrial>,
    /// Seconds that building, elaborating and compiling the chip took.
    pub preparation_seconds: f64,
    /// Of them, for building and elaborating.
    pub elaborate_seconds: f64,
    /// Of them, for generating machine code.
    pub compile_seconds: f64,
    /// The machine code was there from an earlier run.
    pub code_from_cache: bool,
    /// Seconds that the simulation took.
    pub wall_seconds: f64,
    /// Simulated cycles a second.
    pub cycles_per_second: f64,
    /// Share of the simulation's time that went to behavioural parts (0 to 1), sampled; null for very short runs.
    pub behavioural_share: Option<f64>,
    /// Most memory that the process has occupied so far, bytes; null where the system does not tell.
    pub peak_memory_bytes: Option<u64>,
    /// Which engine simulates which tiles, and the wiring between them.
    pub engines: Vec<TileEngine>,
    /// Where the time went; null unless it was asked for.
    pub profile: Option<TimeProfile>,
    /// What changed from one clock edge to the next; null unless it was asked for.
    pub activity: Option<ActivityProfile>,
    /// What the report is of and what has made it; of a launch among several null, as their report says it.
    #[serde(default)]
    pub origin: Option<Origin>,
}

/// A number of threads that was tried.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ThreadTrial {
    /// How many.
    pub threads: usize,
    /// Time of a cycle relative to that on one thread.
    pub relative_time: f64,
}

/// Equal tiles, or the wiring between tiles, and their engine.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct TileEngine {
    /// Kind of the tiles.
    pub kind: String,
    /// Name of the module.
    pub module: String,
    /// How many tiles; 1 for the wiring.
    pub instances: usize,
    /// It is the top module: the wiring between tiles, without them.
    pub wiring: bool,
    /// Engine that simulates them.
    pub engine: String,
    /// Why.
    pub reason: String,
    /// Functions of machine code, those of the blocks inside included; groups may share them.
    pub functions: usize,
    /// Bytes of these functions.
    pub code_bytes: usize,
}

impl Simulation {
    /// As rows of the report; none when the fields were taken out.
    pub(super) fn rows(&self) -> Vec<ReportRow> {
        if self.simulated_cycles == 0 {
            return vec![];
        }
        let share = match self.behavioural_share {
            Some(share) => format!(", {:.1} % of the time in behavioural parts", 100.0 * share),
            None => String::new(),
        };
        let memory = self.peak_memory_bytes.map_or("unknown".into(), |bytes| format!("{} MiB", grouped(bytes >> 20)));
        let (elaborate, compile) = (self.elaborate_seconds, self.compile_seconds);
        let mut rows = vec![
            (
                "speed".to_string(),
                grouped(self.cycles_per_second as u64),
                format!("cycles a second on {}{}", counted(self.threads_of_simulation as u64, "thread"), self.trials()),
            ),
            (
                "time".to_string(),
                format!("{:.2} s", self.wall_seconds),
                format!("for {}{share}", counted(self.simulated_cycles, "cycle")),
            ),
            (
                "preparation".to_string(),
                format!("{:.2} s", self.preparation_seconds),
                format!(
                    "{elaborate:.2} s to elaborate, {compile:.2} s {}",
                    if self.code_from_cache { "for code from the cache" } else { "to compile" }
                ),
            ),
            ("peak memory".to_string(), memory, String::new()),
        ];
        for (engine, tiles, kinds) in self.by_engine() {
            rows.push((format!("engine {engine}"), counted(tiles as u64, "tile"), kinds));
        }
        rows
    }

    /// Why so many threads: the speedup over one thread, of the numbers that were tried.
    fn trials(&self) -> String {
        let mut trials = self.thread_trials.iter();
        let speedup = |trial: &ThreadTrial| format!("{:.2}", 1.0 / trial.relative_time);
        let Some(first) = trials.next() else { return String::new() };
        let others: String = trials.map(|trial| format!(", with {}: {}", trial.threads, speedup(trial))).collect();
        format!(" (speedup with {}: {}{others})", counted(first.threads as u64, "thread"), speedup(first))
    }

    /// Per group of equal tiles: which engine, and why.
    pub fn explanation(&self) -> String {
        let mut text = "Engines:\n".to_string();
        for group in &self.engines {
            let what = if group.wiring { "wiring of ".to_string() } else { format!("{} x ", group.instances) };
            let (engine, reason) = (&group.engine, &group.reason);
            let (functions, bytes) = (counted(group.functions as u64, "function"), grouped(group.code_bytes as u64));
            text +=
                &format!("  {what}{}\n      {engine}: {reason}; {functions}, {bytes} bytes of code\n", group.module);
        }
        text
    }

    /// Per engine: how many tiles, and of which kinds. A module more or less, as at the edges of a mesh, makes no kind.
    fn by_engine(&self) -> Vec<(&str, usize, String)> {
        let mut engines: Vec<(&str, Vec<(&str, usize)>)> = vec![];
        for tiles in self.engines.iter().filter(|tiles| !tiles.wiring) {
            let at = engines.iter().position(|(engine, _)| *engine == tiles.engine).unwrap_or_else(|| {
                engines.push((&tiles.engine, vec![]));
                engines.len() - 1
            });
            let kinds = &mut engines[at].1;
            match kinds.iter_mut().find(|(kind, _)| *kind == tiles.kind) {
                Some((_, count)) => *count += tiles.instances,
                None => kinds.push((&tiles.kind, tiles.instances)),
            }
        }
        let named = |&(kind, count): &(&str, usize)| counted(count as u64, &kind.replace('_', " "));
        let line = |(engine, kinds): (_, Vec<(&str, usize)>)| {
            let tiles = kinds.iter().map(|(_, count)| count).sum();
            (engine, tiles, kinds.iter().map(named).collect::<Vec<_>>().join(", "))
        };
        engines.into_iter().map(line).collect()
    }
}

/// The most memory that this process has occupied so far, in bytes, as Linux tells it.
pub fn peak_memory() -> Option<u64> {
    peak_in(&std::fs::read_to_string("/proc/self/status").ok()?)
}

/// `VmHWM:     1234 kB` in the lines of `/proc/self/status`.
fn peak_in(status: &str) -> Option<u64> {
    let value = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = value.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kilobytes.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn peak_memory_is_read_and_garbage_is_not() {
        assert_eq!(peak_in("Name:\tx\nVmHWM:\t   1234 kB\nVmRSS:\t 9 kB\n"), Some(1234 * 1024));
        for status in ["", "VmHWM: 12", "VmHWM: many kB", "VmRSS: 9 kB", "VmHWM: 99999999999999999999 kB"] {
            assert_eq!(peak_in(status), None, "{status}");
        }
        if cfg!(target_os = "linux") {
            assert!(peak_memory().is_some_and(|bytes| bytes > 100_000));
        }
    }

    #[test]
    fn tiles_are_summed_by_engine_and_kind() {
        let tiles = |kind: &str, module: &str, instances, engine: &str| TileEngine {
            kind: kind.into(),
            module: module.into(),
            instances,
            wiring: kind == "chip",
            engine: engine.into(),
            reason: "asked for".into(),
            functions: 1,
            code_bytes: 1234,
        };
        let engines = vec![
            tiles("router", "router_ports5", 4, "word"),
            tiles("core", "core_lanes8", 12, "interpreter"),
            tiles("router", "router_ports3", 4, "word"),
            tiles("block_dispatcher", "block_dispatcher_cores12", 1, "word"),
            tiles("chip", "chip_default", 1, "word"),
        ];
        let simulation = Simulation { engines, ..Simulation::default() };
        let rows = simulation.by_engine();
        assert_eq!(rows[0], ("word", 9, "8 routers, 1 block dispatcher".to_string()));
        assert_eq!(rows[1], ("interpreter", 12, "12 cores".to_string()));
        assert_eq!(rows.len(), 2);
        let explanation = simulation.explanation();
        let lines: Vec<_> = explanation.lines().collect();
        assert_eq!(
            lines[..3],
            ["Engines:", "  4 x router_ports5", "      word: asked for; 1 function, 1,234 bytes of code"]
        );
        assert_eq!(lines[9], "  wiring of chip_default");
    }
}
