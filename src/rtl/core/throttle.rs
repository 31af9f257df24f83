//! Throttles: how many warps may issue, so that the lines of a core's data cache are not lost before they are used
//! again.
//!
//! ```text
//!  loads, fills, full (of the cache) -->+----------+ limit  +------------+
//!  active (w) ------------------------->|  policy  |------->| oldest     |--> allowed (w)
//!  prefer_rr -------------------------->|          |  on -->| warps      |
//!  starts (w), at_barrier (w) -------------------------- -->+------------+
//! ```
//!
//! Contract: `allowed` says which warps may issue, or may issue loads of global memory
//! ([`ThrottlePolicy::holds_loads_only`]). Most policies say only how many ([`Limit`]), and [`mod@oldest_warps`] which:
//! the oldest of those that do not wait at a barrier, so what others wait for there can always go on. A policy is a
//! file in `throttle/` and a row of [`Throttle`]; one that does not look at the cache needs none.
//!
//! Source: Kim's thesis, chapter 3. Tests: `tests/core/throttle.rs`.

mod cache_conscious;
mod fixed_limit;
mod hit_count;
pub mod oldest_warps;
pub mod victim_tags;

pub use hit_count::STATISTICS;

use super::{params::CoreParams, ports::LocalityEvents};
use common::{parameters, policies};
use hdl::{Builder, Bundle, Module, Signal, index_width, params};

policies! {
    /// How many warps of a core may issue.
    pub enum Throttle: dyn ThrottlePolicy {
        /// All.
        None = "none" | "off" => fixed_limit::All,
        /// The oldest `core.throttle.warps` (static warp limiting, SWL).
        Fixed = "swl" => fixed_limit::FixedLimit,
        /// As many as lately found their own lines in the data cache, when its miss entries are all in use, or those that fill the entries by divergent loads (THU).
        Hits = "thu" => hit_count::HitCount { divergence: true },
        /// As `thu`, without the rule for divergent loads (NMD).
        HitsAlone = "thu-nmd" => hit_count::HitCount { divergence: false },
        /// Loads only of the warps that have lost the most of their lines, when they miss them again (CCWS).
        CacheConscious = "ccws" => cache_conscious::CacheConscious,
    }
}

parameters! {
    /// Throttling of a core's warps (Kim's thesis, chapter 3).
    #[derive(Copy, Hash)]
    pub struct ThrottleConfig {
        /// How many warps may issue.
        kind: Throttle = Throttle::None;
        /// Warps that `swl` lets issue.
        #[only(is("kind", "swl"))]
        warps: u32 = 4, range(1, 64);
        /// Fewest warps that `thu` lets issue.
        #[only(policy("kind", |kind: Throttle| kind.counts_hits()))]
        min_warps: u32 = 2, range(1, 64);
        /// Cycles from a decision of `thu` to the next.
        #[only(policy("kind", |kind: Throttle| kind.counts_hits()))]
        min_cycles: u32 = 1024, range(1, 65_535) cycles;
        /// `thu`: fewer warps than this that hold all miss entries are divergent.
        #[only(is("kind", "thu"))]
        divergence: u32 = 8, range(1, 64) warps;
        /// Decisions of `thu` without a new least or greatest number of hitting warps after which the limit is their mean.
        #[only(policy("kind", |kind: Throttle| kind.counts_hits()))]
        stable_periods: u32 = 8, range(1, 64);
        /// `ccws`: tags of lost lines that it keeps for each warp.
        #[only(policy("kind", |kind: Throttle| kind.policy().reads().lost_lines))]
        victim_tags: u32 = 16, powers(1, 64) tags;
        /// `ccws`: tags of a set.
        #[only(policy("kind", |kind: Throttle| kind.policy().reads().lost_lines))]
        victim_ways: u32 = 8, powers(1, 64) tags;
        /// `ccws`: score of a warp that loses nothing.
        #[only(policy("kind", |kind: Throttle| kind.policy().reads().lost_lines))]
        base_score: u32 = 100, range(1, 255);
        /// `ccws`: factor of the score of one that does.
        #[only(policy("kind", |kind: Throttle| kind.policy().reads().lost_lines))]
        locality_factor: u32 = 8, range(1, 255);
    }
}

impl Throttle {
    /// It goes by the number of warps that hit.
    fn counts_hits(self) -> bool {
        let reads = self.policy().reads();
        reads.cache && !reads.lost_lines
    }
}

/// How many warps may issue.
pub struct Limit<'m> {
    /// There is a limit now.
    pub on: Signal<'m>,
    /// So many.
    pub warps: Signal<'m>,
}

/// What a policy looks at.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ThrottleReads {
    /// What happens in the data cache.
    pub cache: bool,
    /// And there, which lines are lost.
    pub lost_lines: bool,
    /// Which warps issue.
    pub issues: bool,
}

/// A way to limit the warps that issue.
pub trait ThrottlePolicy: Sync {
    /// What it looks at.
    fn reads(&self) -> ThrottleReads {
        ThrottleReads::default()
    }

    /// Warps that are not allowed may issue all but loads of global memory.
    fn holds_loads_only(&self) -> bool {
        false
    }

    /// The warps that are allowed, a register; none where all are.
    fn allowed<'m>(&self, m: &'m Builder, p: &CoreParams, seen: &ThrottleView<'_, 'm>) -> Option<Signal<'m>>;
}

/// What a policy looks at, each thing once at most.
pub struct ThrottleView<'a, 'm> {
    m: &'m Builder,
    warps: u32,
    /// Warps that run a block.
    pub active: Signal<'m>,
    /// What happens in the data cache, where the policy reads it.
    pub cache: &'a dyn Fn() -> LocalityEvents<'m>,
}

impl<'m> ThrottleView<'_, 'm> {
    /// Warps that start a block.
    pub fn starts(&self) -> Signal<'m> {
        self.m.input("starts", self.warps)
    }

    /// Whether an instruction issues, and its warp, of a policy that reads them.
    pub fn issued(&self) -> (Signal<'m>, Signal<'m>) {
        (self.m.input("issued", 1), self.m.input("issued_warp", index_width(self.warps as usize)))
    }

    /// The oldest that do not wait at a barrier, as many as the limit says.
    fn oldest(&self, limit: &Limit<'m>) -> Signal<'m> {
        let oldest = self.m.instance("oldest_warps", &oldest_warps::oldest_warps(self.warps));
        oldest.drive("starts", self.starts());
        oldest.drive("eligible", self.active & !self.m.input("at_barrier", self.warps));
        oldest.drive("on", limit.on);
        oldest.drive("limit", limit.warps);
        oldest.get("allowed")
    }
}

/// A throttle as a block: `active`, and where it looks at them `at_barrier`, `starts` (a bit for each warp), `issued`, `issued_warp` and `cache_*`
/// ([`LocalityEvents`]), to `allowed`, a register.
pub fn throttle(p: &CoreParams) -> Module {
    let m = Builder::new("throttle", [params! { w: p.warps }, p.throttle_key()].concat());
    m.doc("How many warps may issue, and which.");
    let active = m.input("active", p.warps);
    let events = || LocalityEvents::inputs(&m, "cache", p);
    let seen = ThrottleView { m: &m, warps: p.warps, active, cache: &events };
    let all = m.lit(p.warps, u64::MAX >> (64 - p.warps));
    m.output_of("allowed", p.throttle.kind.policy().allowed(&m, p, &seen).unwrap_or(all));
    m.finish()
}
