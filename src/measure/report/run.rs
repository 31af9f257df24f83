//! The result of a run.

use super::{CacheUse, ChipCost, IssueUse, MemoryUse, Simulation, StatisticRow};
use rtl::chip::ClocksConfig;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How a run ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Every block has ended.
    Completed,
    /// The cycle limit came first.
    CycleLimit,
    /// The limit on wall-clock time came first: all numbers are those up to there.
    TimeLimit,
    /// Nothing moved any more.
    Deadlocked,
    /// Somebody has ended it: all numbers are those up to there.
    Interrupted,
}

/// Whether every access of the kernel was held to its buffers; one that leaves them ends the run without a report.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum MemoryChecks {
    /// All are allowed.
    Completed,
    /// Nobody looked.
    Off,
    /// Not all were looked at.
    NotCompleted {
        /// Why.
        reason: String,
    },
}

/// One run of one kernel on one chip.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct RunReport {
    /// Version of this format: 2.
    pub format_version: u32,
    /// Version of the program.
    pub version: String,
    /// Name of the chip.
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
    /// Clocks, MHz: cycles and IPC are those of the cores, latencies those of the network, figures of DRAM those of DRAM.
    #[serde(default)]
    pub clocks: ClocksConfig,
    /// Cycles from the start of the kernel to its end.
    pub core_cycles: u64,
    /// Instructions executed, summed over threads.
    pub thread_instructions: u64,
    /// Instructions issued, each for a warp.
    pub warp_instructions: u64,
    /// Thread instructions per cycle of the whole chip.
    pub ipc: f64,
    /// Thread instructions per cycle that the lanes of all cores could do.
    pub peak_ipc: f64,
    /// Cores of the chip.
    pub cores: usize,
    /// Thread blocks of the grid.
    pub blocks: u64,
    /// Threads of the grid.
    pub threads: u64,
    /// Blocks that a core takes at a time.
    pub resident_blocks: u32,
    /// What issue slots of the cores were used for, and the occupancy.
    #[serde(default)]
    pub issue: IssueUse,
    /// Network.
    pub network: Noc,
    /// Cycles after the kernel in which caches are flushed; they are not in `core_cycles`.
    #[serde(default)]
    pub flush_cycles: u64,
    /// Data caches of the cores, of a chip that has some.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub l1d: Option<CacheUse>,
    /// Instruction caches of the cores, of a chip that has some.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instruction_cache: Option<CacheUse>,
    /// Constant caches of the cores, of a chip that has some.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub constant_cache: Option<CacheUse>,
    /// Texture caches of the cores, of a chip that has some.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub texture_cache: Option<CacheUse>,
    /// L2 banks, of a chip that has some.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub l2: Option<CacheUse>,
    /// DRAM of all controllers.
    pub dram: Dram,
    /// Where reads spend their time, and who asks and answers how much.
    #[serde(default)]
    pub memory: MemoryUse,
    /// Area and power, and throughput per area.
    pub cost: ChipCost,
    /// Seed of the input data.
    pub seed: u64,
    /// Engine that ran: `word` or `interpreter`.
    pub engine: String,
    /// What the warps wait for, when the run did not complete.
    pub waiting: Vec<Waiting>,
    /// Statistics of the hardware that were asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub statistics: Vec<StatisticRow>,
    /// Parts that are plain Rust, not hardware.
    pub behavioural: Vec<String>,
    /// How the simulation itself went (timing fields, among the others in the JSON).
    #[serde(flatten)]
    pub simulation: Simulation,
}

/// Network statistics.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Noc {
    /// Mean latency of request packets from network interface to network interface, cycles of the network; null without packets.
    pub request_latency: Option<f64>,
    /// The same of reply packets.
    pub reply_latency: Option<f64>,
    /// Longest request, cycles.
    pub longest_request: u64,
    /// Longest reply, cycles.
    pub longest_reply: u64,
    /// Request packets delivered.
    pub request_packets: u64,
    /// Reply packets delivered.
    pub reply_packets: u64,
    /// Flits that the network interfaces sent.
    pub flits: u64,
    /// Packets that were routed YX, at first or all the way; null where the routing does not have both orders.
    #[serde(default)]
    pub yx_packets: Option<u64>,
    /// Each subnetwork, overlays behind the others; empty without routers.
    #[serde(default)]
    pub subnetworks: Vec<SubnetworkUse>,
}

/// What the links of a subnetwork, from router to router, have carried.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct SubnetworkUse {
    /// Links, each for one direction.
    pub links: usize,
    /// What a link carries at most, GB/s: the payload of a flit in each cycle.
    #[serde(default)]
    pub link_gb_per_s: f64,
    /// Flits, counted at every link that they took.
    pub flits: u64,
    /// Flits of a link in a cycle of the network (0 to 1, in overlays with a faster clock more).
    pub link_use: f64,
}

/// DRAM statistics of all controllers.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Dram {
    /// Requests served.
    pub requests: u64,
    /// Of them writes.
    pub writes: u64,
    /// Requests that found their row open.
    pub row_hits: u64,
    /// Rows opened.
    pub activates: u64,
    /// DRAM cycles in which a data bus was occupied, summed over controllers.
    pub bus_busy_cycles: u64,
    /// Requests that found another row open.
    #[serde(default)]
    pub bank_conflicts: u64,
    /// Share of the data bus cycles with a request that waits or is served that were occupied (0 to 1); null without requests.
    #[serde(default)]
    pub efficiency: Option<f64>,
    /// Share of all data bus cycles that were occupied (0 to 1).
    pub bandwidth_share: f64,
    /// Cycles of the network in which a reply of a memory node waited for it, summed over the nodes.
    pub network_wait_cycles: u64,
    /// Bytes that moved per DRAM cycle, over the whole chip (a line for every request).
    pub bytes_per_cycle: f64,
    /// The same at the clock of the DRAM, GB/s (10^9 bytes a second).
    #[serde(default)]
    pub gb_per_s: f64,
    /// With every cycle of the data buses occupied, GB/s.
    #[serde(default)]
    pub peak_gb_per_s: f64,
}

/// Warps that wait for the same thing.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Waiting {
    /// How many.
    pub warps: usize,
    /// Instruction address.
    pub pc: u64,
    /// PTX line.
    pub line: u32,
    /// Disassembled.
    pub instruction: String,
    /// Why.
    pub reason: String,
}

impl RunReport {
    /// The fields that differ from run to run, or with options that only look at it; everything else depends on config, kernel and seed alone.
    pub const TIMING: [&str; 16] = [
        "simulated_cycles",
        "threads_of_simulation",
        "threads_automatic",
        "thread_trials",
        "preparation_seconds",
        "elaborate_seconds",
        "compile_seconds",
        "code_from_cache",
        "wall_seconds",
        "cycles_per_second",
        "behavioural_share",
        "peak_memory_bytes",
        "engines",
        "profile",
        "activity",
        "origin",
    ];

    /// The report without the timing fields: equal for equal runs.
    pub fn without_timing(&self) -> Self {
        Self { simulation: Simulation::default(), ..self.clone() }
    }

    /// The kernel ran to its end and its result is not wrong.
    pub fn succeeded(&self) -> bool {
        self.verdict == Verdict::Completed && self.verified != Some(false)
    }

    /// Why nothing can be said of its cycles; none when it has succeeded.
    pub fn why_no_result(&self) -> Option<&'static str> {
        match self.verdict {
            Verdict::Completed if self.succeeded() => None,
            Verdict::Completed => Some("gives a wrong result"),
            Verdict::CycleLimit => Some("did not end: stopped at the cycle limit"),
            Verdict::TimeLimit => Some("did not end: stopped at the time limit"),
            Verdict::Deadlocked => Some("did not end: deadlocked"),
            Verdict::Interrupted => Some("interrupted"),
        }
    }

    /// Core cycles with those of the flush.
    pub fn all_cycles(&self) -> u64 {
        self.core_cycles + self.flush_cycles
    }

    /// As pretty JSON.
    pub fn json(&self) -> String {
        serde_json::to_string_pretty(self).expect("numbers and strings only")
    }
}
