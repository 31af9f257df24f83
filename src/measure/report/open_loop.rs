//! The result of an open-loop measurement: `noc --json`.

use super::{LinkUse, NetworkPowerReport};
use crate::record::Origin;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// How the measurement of a load ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LoadVerdict {
    /// The network is in a steady state and takes what is offered, and every measured packet has arrived.
    Converged,
    /// Neither beyond doubt: a longer measurement can tell.
    Undecided,
    /// The network takes less than is offered: queues and latency grow with the length of the measurement.
    Saturated,
    /// No packet was created in the measurement.
    NoPackets,
    /// Packets are in the network and nothing moves.
    Deadlocked,
    /// Every packet of a trace has arrived.
    Completed,
}

impl LoadVerdict {
    /// As in the JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Converged => "converged",
            Self::Undecided => "undecided",
            Self::Saturated => "saturated",
            Self::NoPackets => "no_packets",
            Self::Deadlocked => "deadlocked",
            Self::Completed => "completed",
        }
    }
}

/// Traffic of rising load on one network.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct OpenLoopReport {
    /// Version of this format: 1.
    pub format_version: u32,
    /// Configuration of the network.
    pub config: String,
    /// Traffic pattern.
    pub traffic: String,
    /// Seed of the traffic.
    pub seed: u64,
    /// Zero-load latency, mean over the packets of the pattern, cycles.
    pub zero_load_latency: f64,
    /// Packets that were measured for it, each alone in the network; 0 where a formula says it, as no packet waits for its own credits.
    pub zero_load_measured: usize,
    /// Load at which the mean latency reaches three times that, flits per sender and cycle; null when it was not looked for or not
    /// reached.
    pub saturation_load: Option<f64>,
    /// Load below which it is, when it is below the lowest that could be measured.
    pub saturation_below: Option<f64>,
    /// The same as `saturation_load` in bytes per sender and cycle.
    pub saturation_bytes: Option<f64>,
    /// Of a trace: cycles until all its packets have arrived; null of other traffic, and when they have not.
    pub makespan: Option<u64>,
    /// Measured loads, rising; of a trace one, its flits in the cycles that it took.
    pub points: Vec<LoadPoint>,
    /// The measurement was ended before all loads were measured.
    pub interrupted: bool,
    /// Technology node of power, nm.
    pub technology_nm: u32,
    /// Clock that power is computed with, MHz.
    pub clock_mhz: f64,
    /// Power of the network at each of them, for the channels of the configuration. Open-loop traffic has no data: switching is assumed.
    pub power: Vec<NetworkPowerReport>,
    /// What is sent.
    pub packets: String,
    /// Nodes in a row, and in a column.
    pub nodes: [u32; 2],
    /// Nodes that send requests (one-way traffic: packets); loads are per node of these.
    pub senders: usize,
    /// Bytes of a flit.
    pub flit_bytes: u32,
    /// Cycles of warm-up and measurement, and at most of drain.
    pub phases: [u64; 3],
    /// Parts that are plain Rust, not hardware.
    pub behavioural: Vec<String>,
    /// Their share of the simulation's time (0 to 1), sampled; null for very short runs.
    pub behavioural_share: Option<f64>,
    /// Simulated cycles of all loads.
    pub simulated_cycles: u64,
    /// Seconds that they took.
    pub wall_seconds: f64,
    /// Seconds that building, elaborating and compiling the network took.
    pub preparation_seconds: f64,
    /// What the report is of and what has made it.
    #[serde(default)]
    pub origin: Option<Origin>,
}

/// One load. Loads are in flits per sender and cycle (requests only, where requests are answered), and in bytes, too.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct LoadPoint {
    /// Load that was offered.
    pub offered: f64,
    /// In bytes.
    pub offered_bytes: f64,
    /// Load that came out during the measurement; where requests are answered, the load of requests that the replies that came out
    /// stand for.
    pub accepted: f64,
    /// In bytes.
    pub accepted_bytes: f64,
    /// Half the width of the 95 % confidence interval of the accepted load, by the means of 20 batches.
    pub accepted_half_width: f64,
    /// How it ended.
    pub verdict: LoadVerdict,
    /// Why it is not `converged`, in words; empty when it is, and in a deadlock.
    pub reason: String,
    /// Latency of the packets created during the measurement (those that arrived), waiting in the source included, cycles; null
    /// without packets.
    pub packet_latency: Option<LatencySummary>,
    /// Half the width of the 95 % confidence interval of its mean, by the means of 20 batches, cycles; null where a batch has no packet.
    pub mean_half_width: Option<f64>,
    /// Mean time from head on the injection channel to tail on the ejection channel, cycles.
    pub network_latency_mean: Option<f64>,
    /// Routers on a packet's way, mean.
    pub routers_per_packet: Option<f64>,
    /// By message class: `request` and `reply`, or `packet`.
    pub classes: BTreeMap<String, ClassPoint>,
    /// Measured packets that arrived.
    pub packets: u64,
    /// Measured packets that did not.
    pub missing: u64,
    /// The longest that any packet, measured or not, has waited from its creation to its arrival or, if it has not arrived, to the end,
    /// cycles.
    pub oldest_waiting: u64,
    /// By node: flits of all classes that it sent and that came out, per cycle.
    pub accepted_per_node: Vec<f64>,
    /// Use of every link; empty when it was not asked for.
    pub links: Vec<LinkUse>,
    /// What is stuck, in a deadlock: the oldest packets.
    pub stuck: Vec<String>,
}

/// One message class of a load.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ClassPoint {
    /// Measured packets that arrived.
    pub packets: u64,
    /// Flits that came out, per node that sends this class and cycle.
    pub accepted: f64,
    /// Latency, cycles; null without packets.
    pub packet_latency: Option<LatencySummary>,
    /// Mean time in the network, cycles.
    pub network_latency_mean: Option<f64>,
    /// Routers on a packet's way, mean.
    pub routers_per_packet: Option<f64>,
}

/// A distribution of latencies, cycles.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct LatencySummary {
    /// Mean.
    pub mean: f64,
    /// Median.
    pub p50: u64,
    /// 95th percentile.
    pub p95: u64,
    /// 99th percentile.
    pub p99: u64,
    /// Longest.
    pub max: u64,
}

impl OpenLoopReport {
    /// As pretty JSON.
    pub fn json(&self) -> String {
        serde_json::to_string_pretty(self).expect("numbers and strings only")
    }

    /// The fields that differ from run to run; everything else depends on config, traffic and seed alone.
    pub const TIMING: [&str; 4] = ["behavioural_share", "wall_seconds", "preparation_seconds", "origin"];
}
