//! Throttles: how many warps may issue, so that the lines of a core's data cache are not lost before they are used again.
//!
//! ```text
//!  loads, fills, full (of the cache) -->+----------+ limit  +------------+
//!  active (w) ------------------------->|  policy  |------->| oldest     |--> allowed (w)
//!  fair ------------------------------->|          |  on -->| warps      |
//!  starts (w), at_barrier (w) -------------------------- -->+------------+
//! ```
//!
//! Contract: `allowed` says which warps may issue; a policy says only how many ([`Limit`]), and [`mod@oldest_warps`] which: the oldest of those that
//! do not wait at a barrier, so what others wait for there can always go on. A policy is a file in `throttle/` and a row of [`Throttle`]; one that
//! does not look at the cache needs none.
//!
//! Source: Kim's thesis, chapter 3. Tests: `tests/core/throttle.rs`.

mod fixed_limit;
mod hit_count;
pub mod oldest_warps;

pub use hit_count::STATISTICS;

use super::{params::CoreParams, ports::LocalityEvents};
use common::{parameters, policies};
use hdl::{Builder, Bundle, Module, Signal, params};

policies! {
    /// How many warps of a core may issue.
    pub enum Throttle: dyn ThrottlePolicy {
        /// All.
        None = "none" => fixed_limit::All,
        /// The oldest `core.throttle.warps` (static warp limiting, SWL).
        Fixed = "swl" => fixed_limit::FixedLimit,
        /// As many as lately found their own lines in the data cache, when its miss entries are all in use, or those that fill the entries by divergent loads (THU).
        Hits = "thu" => hit_count::HitCount { divergence: true },
        /// As `thu`, without the rule for divergent loads (NMD).
        HitsAlone = "thu-nmd" => hit_count::HitCount { divergence: false },
    }
}

parameters! {
    /// Throttling of a core's warps (Kim's thesis, chapter 3).
    #[derive(Copy, Hash)]
    pub struct ThrottleConfig {
        /// How many warps may issue.
        kind: Throttle = Throttle::None;
        /// Warps that `swl` lets issue.
        warps: u32 = 4, range(1, 64);
        /// Fewest warps that `thu` lets issue.
        min_warps: u32 = 2, range(1, 64);
        /// Cycles from a decision of `thu` to the next.
        min_cycles: u32 = 1024, range(1, 65_535) cycles;
        /// `thu`: fewer warps than this that hold all miss entries are divergent.
        divergence: u32 = 8, range(1, 64) warps;
        /// Decisions of `thu` without a new least or greatest number of hitting warps after which the limit is their mean.
        stable_periods: u32 = 8, range(1, 64);
    }
}

/// How many warps may issue.
pub struct Limit<'m> {
    /// There is a limit now.
    pub on: Signal<'m>,
    /// So many.
    pub warps: Signal<'m>,
}

/// A way to limit the warps that issue.
pub trait ThrottlePolicy: Sync {
    /// It looks at the data cache.
    fn reads_cache(&self) -> bool {
        false
    }

    /// The limit; none where all may issue.
    fn limit<'m>(&self, m: &'m Builder, p: &CoreParams, seen: &Seen<'_, 'm>) -> Option<Limit<'m>>;
}

/// What a policy looks at.
pub struct Seen<'a, 'm> {
    /// Warps that run a block.
    pub active: Signal<'m>,
    /// What happens in the data cache, where the policy reads it.
    pub cache: &'a dyn Fn() -> LocalityEvents<'m>,
}

/// A throttle as a block: `active`, `at_barrier`, `starts` (a bit for each warp) and, where it reads the cache, `cache_*`
/// ([`LocalityEvents`]), to `allowed`, a register.
pub fn throttle(p: &CoreParams) -> Module {
    let config = &p.throttle;
    let mut names = params! { kind: config.kind.name().replace('-', "_"), w: p.warps };
    names.extend(match config.kind.policy().reads_cache() {
        true => params! { e: p.miss_entries(), lo: config.min_warps, c: config.min_cycles, d: config.divergence, s: config.stable_periods },
        false => params! { n: config.warps },
    });
    let m = Builder::new("throttle", names);
    m.doc("How many warps may issue, and which.");
    let active = m.input("active", p.warps);
    let events = || LocalityEvents::inputs(&m, "cache", p);
    let limit = config.kind.policy().limit(&m, p, &Seen { active, cache: &events });
    let all = m.lit(p.warps, u64::MAX >> (64 - p.warps));
    let allowed = limit.map(|Limit { on, warps }| {
        let oldest = m.instance("oldest_warps", &oldest_warps::oldest_warps(p.warps));
        oldest.drive("starts", m.input("starts", p.warps));
        oldest.drive("eligible", active & !m.input("at_barrier", p.warps));
        oldest.drive("on", on);
        oldest.drive("limit", warps);
        oldest.get("allowed")
    });
    m.output_of("allowed", allowed.unwrap_or(all));
    m.finish()
}
