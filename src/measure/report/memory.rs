//! Where reads spend their time, and who asks for and gives how much: cores and memory nodes, one by one.

use super::CacheUse;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The way of reads to memory and back, as the packet ports show it; cycles of the network where nothing else is said.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct MemoryUse {
    /// From a core's packet port to that of memory.
    pub to_memory: Latencies,
    /// At the memory node: queues, L2, DRAM, waiting for the network.
    pub at_memory: Latencies,
    /// From there to the core.
    pub to_core: Latencies,
    /// DRAM cycles that a request waits in a controller for its command, mean; null without requests.
    pub queue_cycles: Option<f64>,
    /// DRAM cycles from a read command to the end of its data, `memory.min_latency` with it.
    pub dram_cycles: u32,
    /// Bytes that a core sends in a cycle, mean.
    pub bytes_per_core_cycle: f64,
    /// The same of a memory node.
    pub bytes_per_memory_cycle: f64,
    /// Cores.
    pub cores: Vec<CoreMemory>,
    /// Memory nodes.
    pub controllers: Vec<ControllerMemory>,
}

impl MemoryUse {
    /// From the packet of a read to that of its reply, mean over all; `None` without reads.
    pub fn read_latency(&self) -> Option<f64> {
        let count: u64 = self.cores.iter().map(|core| core.latency.count).sum();
        let sum = self.cores.iter().filter_map(|core| Some(core.latency.mean? * core.latency.count as f64));
        (count > 0).then(|| sum.sum::<f64>() / count as f64)
    }
}

/// Latencies of one kind.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Latencies {
    /// How many.
    pub count: u64,
    /// Mean; null without any.
    pub mean: Option<f64>,
    /// The longest.
    pub longest: u64,
    /// Bucket `i` has those below 2^i cycles that are in no bucket before.
    pub histogram: Vec<u64>,
}

/// What a core asks for.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct CoreMemory {
    /// Its node.
    pub node: u32,
    /// Read requests sent, fences with them.
    pub reads: u64,
    /// Write requests sent.
    pub writes: u64,
    /// Bytes that it sends in a cycle.
    pub bytes_per_cycle: f64,
    /// Requests for the row that its last request to the bank was for: the locality of its stream before the network mixes it with others.
    pub row_hits_at_injection: u64,
    /// Core cycles from the request of a load, as the coalescer begins it, to its data, mean; null without loads. In front of a data cache.
    pub issue_to_data: Option<f64>,
    /// From the packet of a read to that of its reply, both at the core's port.
    pub latency: Latencies,
}

/// What a memory node does.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ControllerMemory {
    /// Its node.
    pub node: u32,
    /// Requests that its controller has taken.
    pub requests: u64,
    /// READ commands.
    pub reads: u64,
    /// WRITE commands.
    pub writes: u64,
    /// ACTIVATE commands.
    pub activates: u64,
    /// PRECHARGE commands.
    pub precharges: u64,
    /// Reads and writes for each ACTIVATE; null without any.
    pub accesses_per_activate: Option<f64>,
    /// Reads and writes of a row that was open.
    pub row_hits: u64,
    /// Requests that wait in the controller, mean over its cycles.
    pub queue_mean: f64,
    /// Most that did.
    pub queue_longest: u64,
    /// Share of all DRAM cycles in which data moved (0 to 1).
    pub utilisation: f64,
    /// Share of the DRAM cycles with a request (0 to 1); null without.
    pub efficiency: Option<f64>,
    /// Cycles in which a reply waited for the network.
    pub network_wait_cycles: u64,
    /// Bytes that the node sends in a cycle.
    pub bytes_per_cycle: f64,
    /// Its L2 bank.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub l2: Option<CacheUse>,
}
