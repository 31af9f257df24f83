//! What a report has by part: the stages of a read's way, area and power.

use crate::{
    area::{ChipArea, Layout, Technology, TechnologyNode},
    record::StoredRecord,
    report::{ChipCost, RunReport},
};
use rtl::chip::Chip;
use serde::Serialize;

/// A part of something that is a sum.
#[derive(Serialize)]
pub struct Part {
    group: String,
    name: String,
    value: f64,
}

fn part(group: &str, name: &str, value: f64) -> Part {
    Part { group: group.into(), name: name.into(), value }
}

/// The way of reads to memory and back, mean over all; in cycles of the network.
#[derive(Serialize)]
pub struct ReadStages {
    /// One after the other.
    stages: Vec<(&'static str, f64)>,
    /// All of them.
    latency: f64,
    /// What is known of the time at memory.
    note: String,
}

/// Stages of the reads of a run; none without reads that came back.
pub fn stages(report: &RunReport) -> Option<ReadStages> {
    let memory = &report.memory;
    let stages = [
        ("to memory", memory.to_memory.mean?),
        ("at memory", memory.at_memory.mean?),
        ("back to the core", memory.to_core.mean?),
    ];
    let queue = memory.queue_cycles.map(|cycles| {
        format!(
            "At memory are L2, the controller and DRAM: there a request waits {cycles:.1} DRAM cycles for its command, mean, \
             and a read takes {} more to the end of its data.",
            memory.dram_cycles
        )
    });
    Some(ReadStages { stages: stages.to_vec(), latency: memory.read_latency()?, note: queue.unwrap_or_default() })
}

/// Power of a run by part, W: all that its energy is of.
pub fn power(cost: &ChipCost) -> Vec<Part> {
    let network = &cost.network;
    let of_network = [
        ("buffers", network.buffers_w),
        ("crossbars", network.crossbars_w),
        ("allocators", network.allocators_w),
        ("channels", network.links_w),
    ];
    let of_network = of_network.map(|(name, watts)| part("network, dynamic", name, watts));
    let arrays = cost.arrays.iter().map(|array| part("arrays, dynamic", &array.name, array.dynamic_w));
    let lanes = part("lanes, dynamic", "lanes", cost.lanes_w);
    let clock = cost.tiles.iter().map(|tile| part("clock", &tile.kind, tile.clock_w));
    let leakage = cost.tiles.iter().map(|tile| part("leakage", &tile.kind, tile.leakage_w));
    // Records from before tiles were told apart have the whole alone.
    let rest = cost.chip_leakage_w - network.leakage_w - cost.tiles.iter().map(|tile| tile.leakage_w).sum::<f64>();
    let rest = if rest > 1e-9 * cost.chip_leakage_w { rest } else { 0.0 };
    let leakage =
        leakage.chain([part("leakage", "network", network.leakage_w), part("leakage", "rest of the chip", rest)]);
    of_network
        .into_iter()
        .chain(arrays)
        .chain([lanes])
        .chain(clock)
        .chain(leakage)
        .filter(|part| part.value > 0.0)
        .collect()
}

/// Area of the chip of a record by part, mm^2; none where this program computes another one than the report has.
pub fn area(record: &StoredRecord, chip_mm2: f64) -> Option<Vec<Part>> {
    let parts = area_of(&record.chip().ok()?);
    let sum: f64 = parts.iter().map(|part| part.value).sum();
    ((sum - chip_mm2).abs() <= 1e-6 * chip_mm2).then_some(parts)
}

fn area_of(chip: &Chip) -> Vec<Part> {
    let area = ChipArea::new(chip, Layout::Tile, &Technology::at(TechnologyNode::Nm65));
    let network = &area.network;
    let routers = |of: fn(&crate::area::RouterArea) -> f64| -> f64 {
        network.routers.iter().map(|router| f64::from(router.count) * of(router)).sum()
    };
    let of_network = [
        ("buffers", routers(|router| router.buffer_mm2)),
        ("crossbars", routers(|router| router.crossbar_mm2)),
        ("allocators", routers(|router| router.allocator_mm2)),
        ("channels between routers", network.global_links_mm2),
        ("channels to terminals", network.local_links_mm2),
    ];
    let of_network = of_network.map(|(name, mm2)| part("network", name, mm2));
    let of_cores = [part("cores", "cores", area.cores_mm2()), part("cores", "data caches", area.l1d_mm2())];
    let read_only = area.read_only.iter().map(|(name, cache)| part("cores", &format!("{name}s"), cache.all_mm2()));
    let of_memory = [part("memory", "controllers", area.controllers_mm2()), part("memory", "L2", area.l2_mm2())];
    let all = of_network.into_iter().chain(of_cores).chain(read_only).chain(of_memory);
    all.filter(|part| part.value > 0.0).collect()
}
