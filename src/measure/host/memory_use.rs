//! The memory side of a report, from packet ports and the statistics of the blocks.

use super::{
    cache_use::cache_use,
    memory_path::{Durations, MemoryPath},
};
use crate::{
    report::{ControllerMemory, CoreMemory, Latencies, MemoryUse},
    statistics::HardwareStatistics,
};
use hdl::Statistic;
use rtl::{
    chip::{
        Chip,
        build::{core_tile, memory_tile},
    },
    core::memory::pending_request_table,
    memory::{controller, partition},
    noc::MessageClass,
};
use sim::ProbeResult;

fn latencies(durations: &Durations) -> Latencies {
    let Durations { count, longest, ref histogram, .. } = *durations;
    Latencies { count, mean: durations.mean(), longest, histogram: histogram.clone() }
}

fn over(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { part / whole } else { 0.0 }
}

/// What a part of the chip has counted.
struct ChipPartCounts<'s> {
    statistics: &'s HardwareStatistics,
    name: String,
}

impl ChipPartCounts<'_> {
    fn each(&self, statistic: Statistic) -> impl Iterator<Item = &'_ ProbeResult> {
        self.statistics.each(statistic).filter(|probe| probe.path.split('.').next() == Some(&self.name))
    }

    fn total(&self, statistic: Statistic) -> u64 {
        self.each(statistic).map(ProbeResult::value).sum()
    }
}

/// Of a run of so many cycles of network and DRAM.
pub(super) fn memory_use(
    chip: &Chip,
    path: &MemoryPath,
    statistics: &HardwareStatistics,
    [network, dram]: [f64; 2],
) -> MemoryUse {
    let packets = chip.packets();
    let bytes = |node: usize, class| {
        let [reads, writes] = path.sent.get(&(node as u32)).copied().unwrap_or_default();
        let of = |write| u64::from(packets.bits(class, write).div_ceil(8));
        over((reads * of(false) + writes * of(true)) as f64, network)
    };
    let core = |(i, &node): (usize, &usize)| {
        let asked = path.cores.get(&(node as u32)).cloned().unwrap_or_default();
        let part = ChipPartCounts { statistics, name: core_tile(i) };
        let lines = part.total(pending_request_table::REQUESTS);
        let in_use = part.total(pending_request_table::TAGS_IN_USE);
        CoreMemory {
            node: node as u32,
            reads: asked.reads,
            writes: asked.writes,
            bytes_per_cycle: bytes(node, MessageClass::Request),
            row_hits_at_injection: asked.row_hits,
            issue_to_data: (lines > 0).then(|| in_use as f64 / lines as f64),
            latency: latencies(&asked.reads_take),
        }
    };
    let cores: Vec<_> = chip.core_nodes().iter().enumerate().map(core).collect();
    let here = |(c, &node): (usize, &usize)| {
        let part = ChipPartCounts { statistics, name: memory_tile(c) };
        controller_use(chip, &part, node, bytes(node, MessageClass::Reply), dram)
    };
    let nodes = if chip.is_perfect() { &[] } else { chip.memory_nodes() };
    let controllers: Vec<_> = nodes.iter().enumerate().map(here).collect();
    let waiting: u64 = statistics.each(controller::QUEUE_OCCUPANCY).map(|probe| probe.sum).sum();
    let requests = statistics.total(controller::REQUESTS);
    let memory = &chip.config().memory;
    let mean = |all: Vec<f64>| over(all.iter().sum(), all.len() as f64);
    MemoryUse {
        to_memory: latencies(&path.to_memory),
        at_memory: latencies(&path.at_memory),
        to_core: latencies(&path.to_core),
        queue_cycles: (requests > 0).then(|| waiting as f64 / requests as f64),
        dram_cycles: if chip.is_perfect() { 0 } else { memory.timing.latency() + memory.min_latency },
        bytes_per_core_cycle: mean(cores.iter().map(|core| core.bytes_per_cycle).collect()),
        bytes_per_memory_cycle: mean(controllers.iter().map(|node| node.bytes_per_cycle).collect()),
        cores,
        controllers,
    }
}

fn controller_use(
    chip: &Chip,
    part: &ChipPartCounts<'_>,
    node: usize,
    bytes_per_cycle: f64,
    dram: f64,
) -> ControllerMemory {
    let total = |statistic| part.total(statistic);
    let (bursts, activates) = (total(controller::BURSTS), total(controller::ACTIVATES));
    let (busy, pending) = (total(controller::BUS_BUSY_CYCLES), total(controller::PENDING_CYCLES));
    let queue = part.each(controller::QUEUE_OCCUPANCY).next();
    let longest = queue.and_then(|probe| probe.histogram.keys().max().copied());
    let in_bank = |statistic: Statistic| {
        let inside = |probe: &&ProbeResult| probe.path.split('.').nth(1) == Some("l2");
        part.each(statistic).filter(inside).collect()
    };
    ControllerMemory {
        node: node as u32,
        requests: total(controller::REQUESTS),
        reads: total(controller::READ_COMMANDS),
        writes: bursts - total(controller::READ_COMMANDS),
        activates,
        precharges: total(controller::PRECHARGES),
        accesses_per_activate: (activates > 0).then(|| bursts as f64 / activates as f64),
        row_hits: total(controller::ROW_HITS),
        queue_mean: queue.map_or(0.0, |probe| over(probe.sum as f64, probe.count as f64)),
        queue_longest: longest.unwrap_or(0),
        utilisation: over(busy as f64, dram),
        efficiency: (pending > 0).then(|| busy as f64 / pending as f64),
        network_wait_cycles: total(partition::NETWORK_WAIT_CYCLES),
        bytes_per_cycle,
        l2: chip.partition().l2.map(|_| cache_use(in_bank)),
    }
}
