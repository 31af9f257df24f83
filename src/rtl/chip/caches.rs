//! From the caches that a person wrote to those that are built; the same checks for all of them.

use super::{
    CacheConfig, ChipConfig, ChipError, L1Config, L2Config, ReadOnlyConfig, config::WriteConfig, error::invalid_value,
};
use cache::{CacheParams, MissHandling, MshrConfig, Prefetching, WriteHit};
use memory::L2Params;
use protocol::Protocol;

impl CacheConfig {
    /// What is built, of which `reads` can be outstanding; `write_backs`: places for dirty lines. The caller adds how it is written.
    fn params(&self, mshr: MshrConfig, write_backs: u32, protocol: Protocol, reads: u32) -> CacheParams {
        let params = CacheParams {
            index: self.index,
            replacement: self.replacement,
            allocation: self.allocation,
            latency: self.latency,
            replies: self.reply_entries,
            requests: self.miss_queue_entries,
            write_backs,
            ..CacheParams::new(protocol, self.bytes / self.ways / protocol.line_bytes, self.ways)
        };
        params.with_misses(&mshr, reads)
    }
}

impl WriteConfig {
    /// A cache that takes writes so.
    fn of(self, cache: CacheParams) -> CacheParams {
        let Self { write_hit, write_miss, write_pending } = self;
        CacheParams { write_hit, write_miss, write_pending, ..cache }
    }
}

/// `prefetches`: there is a prefetcher beside it.
fn l1_params(l1: &L1Config, protocol: Protocol, reads: u32, prefetches: bool) -> CacheParams {
    let prefetching = match (prefetches, l1.only_prefetches) {
        (false, _) => Prefetching::None,
        (true, false) => Prefetching::Beside,
        (true, true) => Prefetching::Only,
    };
    // No line is ever dirty: no miss waits for a place among the write-backs.
    let cache = CacheConfig::from(l1).params((&l1.mshr).into(), l1.mshr.entries, protocol, reads);
    CacheParams { prefetching, ..WriteConfig::from(l1).of(cache) }
}

fn read_only_params(config: &ReadOnlyConfig, protocol: Protocol, reads: u32) -> CacheParams {
    CacheParams {
        write_hit: WriteHit::Through,
        ..CacheConfig::from(config).params((&config.mshr).into(), config.mshr.entries, protocol, reads)
    }
}

fn l2_params(l2: &L2Config, protocol: Protocol, reads: u32) -> CacheParams {
    let cache = CacheConfig::from(l2).params((&l2.mshr).into(), l2.write_back_entries, protocol, reads);
    CacheParams { flush: l2.flush, ..WriteConfig::from(l2).of(cache) }
}

/// Lines that can be pending in a data cache; none without one, or where nothing limits them.
pub(super) fn pending_lines(l1d: &L1Config) -> Option<u32> {
    MshrConfig::from(&l1d.mshr).lines().filter(|_| l1d.bytes > 0)
}

/// Checks all caches.
pub(super) fn fit(config: &ChipConfig) -> Result<(), ChipError> {
    let cache = &config.cache;
    // No rule depends on tags of transactions, or on how many reads there are.
    let protocol = Protocol { line_bytes: config.memory.line_bytes, tag_bits: 1 };
    let prefetches = !config.core.prefetch.kind.policy().sources().is_empty();
    let read_only = |table: &ReadOnlyConfig| (table.bytes, read_only_params(table, protocol, 0));
    let caches = [
        ("cache.l1d.", (cache.l1d.bytes, l1_params(&cache.l1d, protocol, 0, prefetches))),
        ("cache.instruction.", read_only(&cache.instruction)),
        ("cache.constant.", read_only(&cache.constant)),
        ("cache.texture.", read_only(&cache.texture)),
        ("cache.l2.", (cache.l2.bytes, l2_params(&cache.l2, protocol, 0))),
    ];
    for (table, (bytes, params)) in caches.into_iter().filter(|(_, (bytes, _))| *bytes > 0) {
        let (ways, line) = (params.ways, protocol.line_bytes);
        let (set, sets) = (ways * line, params.sets);
        if bytes != sets * set || !sets.is_power_of_two() || sets < 2 {
            let allowed = format!("0, or {set} ({table}ways lines of {line}) times a power of two of sets, at least 2");
            return Err(invalid_value(&format!("{table}bytes"), bytes, allowed));
        }
        if let Some(rule) = params.first_violation(table) {
            return Err(invalid_value(&format!("{table}{}", rule.key), rule.value, rule.allowed));
        }
    }
    if cache.l1d.bytes > 0 && cache.l1d.write_hit == WriteHit::Back {
        let allowed = "through or evict: cores would write back what they have of each other's words";
        return Err(invalid_value("cache.l1d.write_hit", "back", allowed));
    }
    Ok(())
}

/// Checks that L2 banks, of which each may get all `reads` of the cores, can be built.
pub(super) fn fit_reads(config: &ChipConfig, reads: u32) -> Result<(), ChipError> {
    let (bytes, kind) = (config.cache.l2.bytes, config.cache.l2.mshr.kind);
    match kind.policy().needs().most_reads {
        Some(most) if bytes > 0 && reads > most => {
            let allowed = format!(
                "{}, as {reads} requests can be outstanding (cores times core.max_outstanding or 2^core.tag_bits), more than {most}",
                MissHandling::names_of(|needs| needs.most_reads.is_none_or(|most| reads <= most)),
            );
            Err(invalid_value("cache.l2.mshr.kind", kind.name(), allowed))
        }
        _ => Ok(()),
    }
}

/// A cache of a core that is only read, of which `reads` can be outstanding.
pub(super) fn read_only(config: &ReadOnlyConfig, protocol: Protocol, reads: u32) -> Option<CacheParams> {
    (config.bytes > 0).then(|| read_only_params(config, protocol, reads))
}

/// The data cache of a core whose load/store unit has these transactions, of so many warps, which `prefetches`.
pub(super) fn l1d(
    config: &L1Config,
    protocol: Protocol,
    warp_bits: Option<u32>,
    prefetches: bool,
) -> Option<CacheParams> {
    let params = || l1_params(config, protocol, 1 << protocol.tag_bits, prefetches);
    (config.bytes > 0).then(|| CacheParams { locality: warp_bits, ..params() })
}

/// The L2 bank of a partition with these transactions, of which `reads` can be outstanding.
pub(super) fn l2(config: &L2Config, above: Protocol, reads: u32) -> Option<L2Params> {
    (config.bytes > 0).then(|| L2Params {
        cache: l2_params(config, above, reads),
        queue_entries: config.queue_entries as usize,
        fill_queue_entries: config.fill_queue_entries as usize,
    })
}
