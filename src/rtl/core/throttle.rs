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

mod block;
mod cache_conscious;
mod events;
mod fixed_limit;
mod hit_count;
pub mod oldest_warps;
mod policy;
mod ports;
pub mod victim_tags;

use common::{parameters, policies};

pub use block::throttle;
pub use events::{LocalityEvents, LocalityWidths};
pub use hit_count::STATISTICS;
pub use policy::{Limit, ThrottlePolicy, ThrottleReads, ThrottleView};
pub use ports::ThrottleUnit;

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
