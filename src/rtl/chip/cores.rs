//! From the core that a person wrote to the one that is built, and what its parts need of the rest of the chip.

use super::{ChipConfig, ChipError, MemoryModel, caches, error::invalid_value};
use crate::{
    core::{
        CoreParams, Latencies,
        memory::{constant_memory, texture_path},
    },
    memory::{AddressMap, WriteReply},
};
use hdl::index_width;

/// Parameters of the cores.
pub(super) fn core_params(config: &ChipConfig, map: &AddressMap) -> CoreParams {
    let core = &config.core;
    let params = CoreParams {
        warps: core.warps,
        lanes: core.lanes,
        registers: core.registers,
        program_words: core.program_words,
        shared_bytes: core.shared_bytes,
        blocks: core.blocks,
        execute_stages: core.execute_stages,
        load_entries: core.load_entries,
        tag_bits: tag_bits(config),
        scheduler: core.scheduler,
        warp_group: core.warp_group,
        laws_max_misses: core.laws_max_misses,
        throttle: core.throttle,
        prefetch: core.prefetch,
        tx_queue_packets: config.network.tx_queue_packets,
        flit_bits: 8 * config.network.channels()[0].bytes,
        map: map.clone(),
        l1d: None,
        instruction_cache: None,
        constant_cache: None,
        texture_cache: None,
        memory_order: core.memory_order,
        issue: core.issue,
        latencies: Latencies::new(
            core.latencies,
            (core.latency, core.initiation_interval),
            core.execute_stages,
            core.lanes,
        ),
        coalescing: core.coalescing,
        merge_loads: core.merge_loads,
        shared_banks: core.shared_banks,
        shared_conflict_group: core.shared_conflict_group,
        max_outstanding: core.max_outstanding,
        write_reply: config.memory.write_reply,
        atomics: core.atomics,
        double: core.double,
        special_units: core.special_units,
        barriers: core.barriers,
        issue_slots: core.issue_slots,
        part_of: 1,
    };
    let shows_warps = config.cache.l1d.warp_locality || params.reads_cache_events();
    let warp_bits = shows_warps.then(|| params.warp_bits());
    let cache = &config.cache;
    let l1d = caches::l1d(&cache.l1d, params.protocol(), warp_bits, params.prefetches());
    let instruction_cache = caches::read_only(&cache.instruction, params.fetch_protocol(), params.warps);
    let constant_cache = caches::read_only(&cache.constant, params.constant_protocol(), constant_memory::GROUPS);
    let texture_cache = caches::read_only(&cache.texture, params.texture_protocol(), texture_path::PLACES);
    CoreParams { l1d, instruction_cache, constant_cache, texture_cache, ..params }
}

/// Bits of a transaction number where a configuration does not say: as many, or those of a warp number, or those of all targets of the data cache's MSHRs.
const TAG_BITS: u32 = 4;
/// The most that a configuration can say.
const MOST_TAG_BITS: u32 = 8;

/// Bits of a transaction number.
fn tag_bits(config: &ChipConfig) -> u32 {
    let core = &config.core;
    if core.tag_bits > 0 {
        return core.tag_bits;
    }
    let l1d = &config.cache.l1d;
    let targets = caches::pending_lines(l1d).map_or(1, |lines| lines * l1d.mshr.targets);
    TAG_BITS.max(index_width(core.warps as usize)).max(index_width(targets as usize).min(MOST_TAG_BITS))
}

/// A core can have all lines pending that the MSHRs of its data cache hold.
pub(super) fn fills_mshrs(config: &ChipConfig) -> Result<(), ChipError> {
    let ChipConfig { core, cache, memory, .. } = config;
    let Some(lines) = caches::pending_lines(&cache.l1d).filter(|_| memory.model == MemoryModel::Controllers) else {
        return Ok(());
    };
    let lines = lines.min(1 << MOST_TAG_BITS);
    let why = format!("as the data cache can have {lines} lines pending (cache.l1d.mshr.entries)");
    let least = index_width(lines as usize);
    if (1..least).contains(&core.tag_bits) {
        let allowed = format!("{least} to {MOST_TAG_BITS} bits, {why}, or 0: as many as it takes");
        return Err(invalid_value("core.tag_bits", core.tag_bits, allowed));
    }
    if core.max_outstanding < lines {
        return Err(invalid_value("core.max_outstanding", core.max_outstanding, format!("{lines} to 256, {why}")));
    }
    Ok(())
}

/// What atomics do not go with.
pub(super) fn atomics(config: &ChipConfig) -> Result<(), ChipError> {
    let others = [
        (
            config.memory.write_reply == WriteReply::None,
            "memory.write_reply = none: an atomic is a write that is answered",
        ),
        (config.memory.model == MemoryModel::Perfect, "memory.model = perfect: no request leaves a core"),
        (config.core.merge_loads, "core.merge_loads = true: replies of atomics are nobody else's"),
    ];
    match others.iter().find(|(is, _)| config.core.atomics && *is) {
        Some((_, why)) => Err(invalid_value("core.atomics", true, format!("false, as {why}"))),
        None => Ok(()),
    }
}

/// A prefetcher has a data cache that can take prefetches.
pub(super) fn prefetcher(config: &ChipConfig) -> Result<(), ChipError> {
    let ChipConfig { core, cache, memory, .. } = config;
    let (kind, l1d) = (core.prefetch.kind, &cache.l1d);
    let prefetches = !kind.policy().sources().is_empty();
    if prefetches && (l1d.bytes == 0 || memory.model == MemoryModel::Perfect) {
        let why = "none, as there is no data cache (cache.l1d.bytes = 0, or memory.model = perfect)";
        return Err(invalid_value("core.prefetch.kind", kind.name(), why));
    }
    if l1d.only_prefetches && !prefetches {
        return Err(invalid_value("cache.l1d.only_prefetches", true, "false, as core.prefetch.kind = none"));
    }
    Ok(())
}

/// What goes by the events of the data cache has one, and a throttle lets at most all warps issue.
pub(super) fn listeners(config: &ChipConfig) -> Result<(), ChipError> {
    let ChipConfig { core, cache, memory, .. } = config;
    let has_none = cache.l1d.bytes == 0 || memory.model == MemoryModel::Perfect;
    let why = "others, as there is no data cache (cache.l1d.bytes = 0, or memory.model = perfect)";
    if has_none && core.scheduler.policy().reads().prefer_rr {
        return Err(invalid_value("core.scheduler", core.scheduler.name(), why));
    }
    if has_none && core.throttle.kind.policy().reads().cache {
        return Err(invalid_value("core.throttle.kind", core.throttle.kind.name(), why));
    }
    let own = core.warps / core.issue_slots;
    if core.throttle.min_warps > own && core.throttle.kind.policy().reads().cache {
        let each = if core.issue_slots > 1 { " of each issue slot" } else { "" };
        let allowed = format!("1 to core.warps = {own}{each}");
        return Err(invalid_value("core.throttle.min_warps", core.throttle.min_warps, allowed));
    }
    if core.throttle.victim_ways > core.throttle.victim_tags {
        let allowed = format!("1 to core.throttle.victim_tags = {}", core.throttle.victim_tags);
        return Err(invalid_value("core.throttle.victim_ways", core.throttle.victim_ways, allowed));
    }
    Ok(())
}
