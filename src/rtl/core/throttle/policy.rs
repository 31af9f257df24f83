//! What a policy of the throttle says, and what it sees of the core.

use super::{
    LocalityEvents, ThrottleConfig,
    oldest_warps::{OldestWarps, oldest_warps},
    ports::ThrottlePorts,
};
use hdl::{Builder, Signal, index_width};

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

    /// It may hold back some of so many warps.
    fn limits(&self, _config: &ThrottleConfig, _warps: u32) -> bool {
        true
    }

    /// The warps that are allowed, a register; none where all are.
    fn allowed<'m>(&self, m: &'m Builder, config: &ThrottleConfig, seen: &ThrottleView<'m>) -> Option<Signal<'m>>;
}

/// What a policy looks at, each thing once at most.
pub struct ThrottleView<'m> {
    pub(super) m: &'m Builder,
    /// How many there are.
    pub warps: u32,
    /// Entries of the data cache for misses.
    pub miss_entries: u32,
    /// Warps that run a block.
    pub active: Signal<'m>,
    pub(super) io: ThrottlePorts<'m>,
}

impl<'m> ThrottleView<'m> {
    /// Bits of a number of warps.
    pub fn warp_count_bits(&self) -> u32 {
        index_width(self.warps as usize + 1)
    }

    /// What happens in the data cache, for a policy that reads it.
    pub fn cache(&self) -> LocalityEvents<'m> {
        self.io.cache().expect("the policy reads the cache")
    }

    /// Warps that start a block, for a policy that limits them.
    pub fn starts(&self) -> Signal<'m> {
        self.io.starts().expect("the policy limits the warps")
    }

    /// Whether an instruction issues, and its warp, for a policy that reads them.
    pub fn issued(&self) -> (Signal<'m>, Signal<'m>) {
        self.io.issued().zip(self.io.issued_warp()).expect("the policy reads what issues")
    }

    /// The oldest that do not wait at a barrier, as many as the limit says.
    pub(super) fn oldest(&self, limit: &Limit<'m>) -> Signal<'m> {
        let oldest = OldestWarps(self.m.instance("oldest_warps", &oldest_warps(self.warps)));
        oldest.starts(self.starts());
        oldest.eligible(self.active & !self.io.at_barrier().expect("the policy limits warps as a whole"));
        oldest.on(limit.on);
        oldest.limit(limit.warps);
        oldest.allowed()
    }
}
