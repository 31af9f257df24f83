//! From the core that a person wrote to the one that is built, and what its parts need of the rest of the chip.

use super::{ChipConfig, ChipError, MemoryModel, caches, error::invalid_value};
use hdl::index_width;
use memory::AddressMap;
use simt_core::{
    CoreParams, Latencies,
    memory::{constant_memory, texture_path},
};

/// Parameters of the cores.
pub(super) fn core_params(config: &ChipConfig, map: &AddressMap) -> CoreParams {
    let core = &config.core;
    let params = CoreParams {
        tag_bits: tag_bits(config),
        tx_queue_packets: config.network.tx_queue_packets,
        flit_bits: 8 * config.network.channels()[0].bytes,
        map: map.clone(),
        latencies: Latencies::new(
            core.latencies,
            (core.latency, core.initiation_interval),
            core.execute_stages,
            core.lanes,
        ),
        write_reply: config.memory.write_reply,
        ..CoreParams::from(core)
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

/// What the parameters of cores demand of each other.
pub(super) fn fit(config: &ChipConfig) -> Result<(), ChipError> {
    let ChipConfig { core, cache, memory, .. } = config;
    let is_perfect = memory.model == MemoryModel::Perfect;
    if core.atomics && is_perfect {
        let allowed = "false, as memory.model = perfect: no request leaves a core";
        return Err(invalid_value("core.atomics", true, allowed));
    }
    // No rule depends on where memory is.
    let built = core_params(config, &AddressMap::default().with_line_bytes(memory.line_bytes));
    let built = CoreParams { l1d: built.l1d.clone().filter(|_| !is_perfect), ..built };
    if let Some(rule) = built.first_violation("core.") {
        return Err(invalid_value(&format!("core.{}", rule.key), rule.value, rule.allowed));
    }
    if cache.l1d.only_prefetches && !built.prefetches() {
        return Err(invalid_value("cache.l1d.only_prefetches", true, "false, as core.prefetch.kind = none"));
    }
    Ok(())
}
