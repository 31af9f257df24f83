//! From the caches that a person wrote to those that are built; the same checks for all of them.

use super::{ChipConfig, ChipError, L1Config, L2Config, ReadOnlyConfig, error::invalid_value};
use crate::{
    cache::{
        Allocation, CacheParams, Flush, MissHandling, Prefetching, ProtectedVictims, Replacement, SetIndex, WriteHit,
        WriteMiss, WritePending,
    },
    memory::{L2Params, protocol::Protocol},
};

/// Lines that can be pending at a bank with unlimited miss handling.
const UNLIMITED: u32 = 1024;

/// What all kinds of caches have.
struct Common {
    /// Table of the configuration.
    key: &'static str,
    bytes: u32,
    ways: u32,
    index: SetIndex,
    replacement: Replacement,
    allocation: Allocation,
    write_hit: WriteHit,
    write_miss: WriteMiss,
    mshr: MissHandling,
    mshr_entries: u32,
    mshr_ways: u32,
    mshr_targets: u32,
    mshr_cam_entries: u32,
    mshr_cam_pipelined: bool,
    mshr_protected_victims: ProtectedVictims,
    write_pending: WritePending,
    flush: Flush,
    latency: u32,
    replies: u32,
    requests: u32,
    write_backs: u32,
}

/// The fields of the same name, and those whose names or values differ.
macro_rules! common {
    ($config:ident, { $($own:ident: $value:expr),* }) => {
        Common {
            bytes: $config.bytes,
            ways: $config.ways,
            index: $config.index,
            replacement: $config.replacement,
            allocation: $config.allocation,
            mshr: $config.mshr,
            mshr_entries: $config.mshr_entries,
            mshr_ways: $config.mshr_ways,
            mshr_targets: $config.mshr_targets,
            mshr_cam_entries: $config.mshr_cam_entries,
            mshr_cam_pipelined: $config.mshr_cam_pipelined,
            mshr_protected_victims: $config.mshr_protected_victims,
            latency: $config.latency,
            replies: $config.reply_entries,
            requests: $config.miss_queue_entries,
            $($own: $value),*
        }
    };
}

impl From<&L1Config> for Common {
    fn from(l1: &L1Config) -> Self {
        // No line is ever dirty: no miss waits for a place among the write-backs.
        common!(l1, {
            key: "cache.l1d", write_hit: l1.write_hit, write_miss: l1.write_miss, write_pending: l1.write_pending, flush: Flush::Invalidate, write_backs: l1.mshr_entries
        })
    }
}

impl From<&L2Config> for Common {
    fn from(l2: &L2Config) -> Self {
        common!(l2, {
            key: "cache.l2", write_hit: l2.write_hit, write_miss: l2.write_miss, write_pending: l2.write_pending, flush: l2.flush, write_backs: l2.write_back_entries
        })
    }
}

impl Common {
    /// One that is only read.
    fn read_only(key: &'static str, config: &ReadOnlyConfig) -> Self {
        common!(config, {
            key: key, write_hit: WriteHit::Through, write_miss: WriteMiss::NoAllocate, write_backs: config.mshr_entries,
            write_pending: WritePending::Stall, flush: Flush::Invalidate
        })
    }

    /// `reads`: how many there can be outstanding.
    fn params(&self, protocol: Protocol, reads: u32) -> CacheParams {
        let is_unlimited = self.mshr == MissHandling::Unlimited;
        // A write that fetches its line is one more.
        let entries = if is_unlimited { reads.max(2) + 1 } else { self.mshr_entries };
        CacheParams {
            protocol,
            sets: self.bytes / self.ways / protocol.line_bytes,
            ways: self.ways,
            index: self.index,
            replacement: self.replacement,
            allocation: self.allocation,
            write_hit: self.write_hit,
            write_miss: self.write_miss,
            misses: self.mshr,
            entries,
            entry_ways: if self.mshr == MissHandling::SetAssociative { self.mshr_ways } else { entries },
            targets: self.mshr_targets,
            cam_entries: if self.mshr == MissHandling::Htsma { self.mshr_cam_entries } else { 0 },
            cam_pipelined: self.mshr_cam_pipelined,
            protects: self.mshr_protected_victims,
            write_pending: self.write_pending,
            flush: self.flush,
            locality: None,
            prefetching: Prefetching::None,
            latency: self.latency,
            replies: self.replies,
            requests: self.requests,
            // No miss waits for a place among them, either.
            write_backs: if is_unlimited { self.write_backs + entries } else { self.write_backs },
        }
    }

    /// What the parameters demand of each other.
    fn fits(&self, line: u32) -> Result<(), ChipError> {
        let Self { key, bytes, ways, .. } = *self;
        if bytes == 0 {
            return Ok(());
        }
        let wrong =
            |field: &str, value: &str, allowed: String| Err(invalid_value(&format!("{key}.{field}"), value, allowed));
        let set = ways * line;
        if !bytes.is_multiple_of(set) || !(bytes / set).is_power_of_two() || bytes / set < 2 {
            let allowed = format!("0, or {set} ({key}.ways lines of {line}) times a power of two of sets, at least 2");
            return wrong("bytes", &bytes.to_string(), allowed);
        }
        if self.mshr.policy().in_tags() && self.allocation == Allocation::OnFill {
            let allowed = format!("on-miss, as {key}.mshr = {} keeps pending lines in the tags", self.mshr.name());
            return wrong("allocation", "on-fill", allowed);
        }
        if self.mshr == MissHandling::Htsma && ways < 2 {
            let allowed = format!("2 and more, as {key}.mshr = htsma keeps a way of each set unshared");
            return wrong("ways", &ways.to_string(), allowed);
        }
        if self.write_pending == WritePending::Poison && self.write_miss == WriteMiss::Allocate {
            let allowed = format!("stall, as {key}.write_miss = allocate: a write would poison its own line");
            return wrong("write_pending", "poison", allowed);
        }
        if self.write_hit == WriteHit::Evict && self.write_miss == WriteMiss::Allocate {
            let allowed = format!("no-allocate, as {key}.write_hit = evict: a write leaves no line");
            return wrong("write_miss", "allocate", allowed);
        }
        let (entries, entry_ways) = (self.mshr_entries, self.mshr_ways);
        let divides = entries.is_multiple_of(entry_ways) && (entries / entry_ways).is_power_of_two();
        if self.mshr == MissHandling::SetAssociative && !divides {
            let allowed = format!("a divisor of {key}.mshr_entries = {entries} that gives a power of two of sets");
            return wrong("mshr_ways", &entry_ways.to_string(), allowed);
        }
        Ok(())
    }
}

/// Lines that can be pending in a data cache; none without one, or where nothing limits them.
pub(super) fn pending_lines(l1d: &L1Config) -> Option<u32> {
    let policy = l1d.mshr.policy();
    let cam = if policy.is_hybrid() { l1d.mshr_cam_entries } else { 0 };
    (l1d.bytes > 0 && !policy.is_unlimited()).then_some(l1d.mshr_entries + cam)
}

/// Checks all caches.
pub(super) fn fit(config: &ChipConfig) -> Result<(), ChipError> {
    let l1d = &config.cache.l1d;
    Common::from(l1d).fits(config.memory.line_bytes)?;
    if l1d.bytes > 0 && l1d.write_hit == WriteHit::Back {
        let allowed = "through or evict: cores would write back what they have of each other's words";
        return Err(invalid_value("cache.l1d.write_hit", "back", allowed));
    }
    for (key, cache) in [
        ("cache.instruction", &config.cache.instruction),
        ("cache.constant", &config.cache.constant),
        ("cache.texture", &config.cache.texture),
    ] {
        Common::read_only(key, cache).fits(config.memory.line_bytes)?;
    }
    Common::from(&config.cache.l2).fits(config.memory.line_bytes)
}

/// Checks that unlimited L2 banks, of which each may get all `reads` of the cores, can be built.
pub(super) fn fit_reads(config: &ChipConfig, reads: u32) -> Result<(), ChipError> {
    let l2 = &config.cache.l2;
    if l2.bytes > 0 && l2.mshr == MissHandling::Unlimited && reads > UNLIMITED {
        let allowed = format!(
            "other kinds, as {reads} requests can be outstanding (cores times core.max_outstanding or 2^core.tag_bits), more than {UNLIMITED}"
        );
        return Err(invalid_value("cache.l2.mshr", "unlimited", allowed));
    }
    Ok(())
}

/// A cache of a core that is only read, of which `reads` can be outstanding.
pub(super) fn read_only(config: &ReadOnlyConfig, protocol: Protocol, reads: u32) -> Option<CacheParams> {
    (config.bytes > 0).then(|| Common::read_only("", config).params(protocol, reads))
}

/// The data cache of a core whose load/store unit has these transactions, of so many warps, which `prefetches`.
pub(super) fn l1d(
    config: &L1Config,
    protocol: Protocol,
    warp_bits: Option<u32>,
    prefetches: bool,
) -> Option<CacheParams> {
    let prefetching = match (prefetches, config.only_prefetches) {
        (false, _) => Prefetching::None,
        (true, false) => Prefetching::Beside,
        (true, true) => Prefetching::Only,
    };
    let common = || Common::from(config).params(protocol, 1 << protocol.tag_bits);
    (config.bytes > 0).then(|| CacheParams { locality: warp_bits, prefetching, ..common() })
}

/// The L2 bank of a partition with these transactions, of which `reads` can be outstanding.
pub(super) fn l2(config: &L2Config, above: Protocol, reads: u32) -> Option<L2Params> {
    (config.bytes > 0).then(|| L2Params {
        cache: Common::from(config).params(above, reads),
        queue_entries: config.queue_entries as usize,
        fill_queue_entries: config.fill_queue_entries as usize,
    })
}
