//! What of a core is in the names of its modules: what is not usual, each key by the unit that it is about.

use super::{Coalescing, CoreParams, IssueRule, MemoryOrder};
use crate::core::{
    scheduler::WarpScheduler,
    throttle::{Throttle, ThrottleConfig},
};
use hdl::params;

impl CoreParams {
    /// For the names of modules that depend on the scheduler; nothing for the default.
    pub(in crate::core) fn scheduler_key(&self) -> Vec<(String, String)> {
        let other = self.scheduler != WarpScheduler::default();
        let kind = other.then(|| ("s".into(), self.scheduler.name().replace('-', "_")));
        let group = self.warp_group.key(self.scheduler.policy().reads(), self.blocks);
        kind.into_iter().chain(group).chain(self.throttle_key()).collect()
    }

    /// For the names of modules that depend on the throttle; nothing without one.
    pub(in crate::core) fn throttle_key(&self) -> Vec<(String, String)> {
        let ThrottleConfig { kind, warps, min_warps, min_cycles, divergence, stable_periods, .. } = self.throttle;
        let ThrottleConfig { victim_tags, victim_ways, base_score, locality_factor, .. } = self.throttle;
        let name = kind.name().replace('-', "_");
        match kind {
            Throttle::None => vec![],
            _ if self.reads_lost_lines() => params! {
                th: name, tv: victim_tags, tvw: victim_ways, tb: base_score, tf: locality_factor, tline: self.lost_line_bits()
            },
            _ if kind.policy().reads().cache => params! {
                th: name, tl: min_warps, tc: min_cycles, td: divergence, ts: stable_periods, te: self.miss_entries()
            },
            _ => params! { th: name, tw: warps },
        }
    }

    /// For the names of modules that pass on what a prefetcher sees; nothing without one.
    pub(in crate::core) fn prefetch_key(&self) -> Option<(String, String)> {
        self.prefetches().then(|| ("pf".into(), "1".into()))
    }

    /// For the names of modules that depend on the rule of issue; nothing for the default.
    pub(in crate::core) fn issue_key(&self) -> Option<(String, String)> {
        (self.issue == IssueRule::Barrel).then(|| ("barrel".into(), self.pipeline_depth().to_string()))
    }

    /// For the names of modules that depend on latencies; nothing where all are equal.
    pub(in crate::core) fn latency_key(&self) -> Option<(String, String)> {
        self.latencies.map(|latencies| latencies.key())
    }

    /// For the names of modules that depend on the rule of coalescing; nothing for the default.
    pub(in crate::core) fn coalescing_key(&self) -> Option<(String, String)> {
        let rule = match self.coalescing {
            Coalescing::Line => return None,
            Coalescing::HalfWarp => "half",
            Coalescing::Cuda1x => "cuda1x",
        };
        Some(("coalesce".into(), rule.into()))
    }

    /// For the names of modules that depend on the banks of shared memory and who meets there; nothing for the default.
    pub(in crate::core) fn bank_key(&self) -> Vec<(String, String)> {
        let [banks, group] = [("k", self.banks()), ("g", self.group_threads())];
        let other = |(name, value): (&str, u32)| (value != self.lanes).then(|| (name.to_string(), value.to_string()));
        [banks, group].into_iter().filter_map(other).collect()
    }

    /// For the names of modules that instructions with a kind for constants or textures pass.
    pub(in crate::core) fn constant_key(&self) -> Option<(String, String)> {
        let kinds = u32::from(self.constant_cache.is_some()) + 2 * u32::from(self.texture_cache.is_some());
        (kinds > 0).then(|| ("k".into(), kinds.to_string()))
    }

    /// For the names of modules that depend on the order; nothing for the default.
    pub(in crate::core) fn order_key(&self) -> Option<(String, String)> {
        (self.memory_order == MemoryOrder::Line).then(|| ("o".into(), "line".into()))
    }

    /// For the names of modules that differ then; nothing for the default.
    pub(in crate::core) fn posts_key(&self) -> Option<(String, String)> {
        self.posts_writes().then(|| ("p".into(), "1".into()))
    }

    /// For the names of modules that depend on them; nothing without.
    pub(in crate::core) fn double_key(&self) -> Option<(String, String)> {
        self.has_double().then(|| ("d".into(), self.double_units().to_string()))
    }

    /// For the names of modules that depend on them; nothing without.
    pub(in crate::core) fn special_key(&self) -> Option<(String, String)> {
        self.has_special().then(|| ("sf".into(), self.special_units.to_string()))
    }

    /// For the names of modules that pass instructions of such units on, and do not depend on how many there are.
    pub(in crate::core) fn side_keys(&self) -> impl Iterator<Item = (String, String)> {
        let keys = [("d", self.has_double()), ("sf", self.has_special())];
        keys.into_iter().filter(|(_, has)| *has).map(|(key, _)| (key.into(), "1".into()))
    }

    /// For the names of modules that have to do with several barriers; nothing for one.
    pub(in crate::core) fn barriers_key(&self) -> Option<(String, String)> {
        self.has_named_barriers().then(|| ("n".into(), self.barriers.to_string()))
    }

    /// For the names of modules that know that there are several, and not how many.
    pub(in crate::core) fn passes_barriers_key(&self) -> Option<(String, String)> {
        self.has_named_barriers().then(|| ("n".into(), "1".into()))
    }

    /// For the names of modules that depend on atomics; nothing without.
    pub(in crate::core) fn atomics_key(&self) -> Option<(String, String)> {
        self.atomics.then(|| ("a".into(), "1".into()))
    }
}
