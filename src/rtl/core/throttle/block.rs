//! The throttle as a block.

use super::{LocalityEvents, ThrottleView};
use crate::core::params::CoreParams;
use hdl::{Builder, Module, params, ports};

impl CoreParams {
    /// The throttle goes by the age of the warps: it may hold some back.
    pub(in crate::core) fn throttle_reads_starts(&self) -> bool {
        self.throttle.kind.policy().limits(&self.throttle, self.warps)
    }

    /// Warps that wait at a barrier make place for others.
    pub(in crate::core) fn throttle_reads_barriers(&self) -> bool {
        self.throttle_reads_starts() && !self.throttle.kind.policy().holds_loads_only()
    }
}

ports! {
    /// Ports of a [`throttle`]: what its policy looks at, and what it says.
    pub struct ThrottlePorts(p: &CoreParams) of ThrottleUnit {
        /// Warps that run a block.
        in active: p.warps,
        /// What happens in the data cache.
        maybe (p.throttle.kind.policy().reads().cache) in cache: bundle LocalityEvents(&p.locality_widths()),
        /// Warps that start a block.
        maybe (p.throttle_reads_starts()) in starts: p.warps,
        /// Warps that wait at a barrier.
        maybe (p.throttle_reads_barriers()) in at_barrier: p.warps,
        /// An instruction issues.
        maybe (p.throttle.kind.policy().reads().issues) in issued: 1,
        /// Its warp.
        maybe (p.throttle.kind.policy().reads().issues) in issued_warp: p.warp_bits(),
        /// Warps that may issue, or may issue loads; a register.
        out allowed: p.warps,
    }
}

/// A throttle as a block; see the [module documentation](super).
pub fn throttle(p: &CoreParams) -> Module {
    let m = Builder::new("throttle", p.parameters(params! { kind: p.throttle.kind, warps: p.warps }));
    m.doc("How many warps may issue, and which.");
    let io = ThrottlePorts::new(&m, p);
    let seen = ThrottleView { m: &m, warps: p.warps, miss_entries: p.miss_entries(), active: io.active(), io };
    let all = m.lit(p.warps, u64::MAX >> (64 - p.warps));
    io.allowed(p.throttle.kind.policy().allowed(&m, &p.throttle, &seen).unwrap_or(all));
    m.finish()
}
