//! What a policy of the throttle says, and what it sees of the core.

use super::{LocalityEvents, ThrottleConfig, oldest_warps};
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

    /// The warps that are allowed, a register; none where all are.
    fn allowed<'m>(&self, m: &'m Builder, config: &ThrottleConfig, seen: &ThrottleView<'_, 'm>) -> Option<Signal<'m>>;
}

/// What a policy looks at, each thing once at most.
pub struct ThrottleView<'a, 'm> {
    pub(super) m: &'m Builder,
    /// How many there are.
    pub warps: u32,
    /// Entries of the data cache for misses.
    pub miss_entries: u32,
    /// Warps that run a block.
    pub active: Signal<'m>,
    /// What happens in the data cache, where the policy reads it.
    pub cache: &'a dyn Fn() -> LocalityEvents<'m>,
}

impl<'m> ThrottleView<'_, 'm> {
    /// Bits of a number of warps.
    pub fn warp_count_bits(&self) -> u32 {
        index_width(self.warps as usize + 1)
    }

    /// Warps that start a block.
    pub fn starts(&self) -> Signal<'m> {
        self.m.input("starts", self.warps)
    }

    /// Whether an instruction issues, and its warp, of a policy that reads them.
    pub fn issued(&self) -> (Signal<'m>, Signal<'m>) {
        (self.m.input("issued", 1), self.m.input("issued_warp", index_width(self.warps as usize)))
    }

    /// The oldest that do not wait at a barrier, as many as the limit says.
    pub(super) fn oldest(&self, limit: &Limit<'m>) -> Signal<'m> {
        let oldest = self.m.instance("oldest_warps", &oldest_warps::oldest_warps(self.warps));
        oldest.drive("starts", self.starts());
        oldest.drive("eligible", self.active & !self.m.input("at_barrier", self.warps));
        oldest.drive("on", limit.on);
        oldest.drive("limit", limit.warps);
        oldest.get("allowed")
    }
}
