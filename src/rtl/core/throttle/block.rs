//! The throttle as a block.

use super::{
    ThrottleView,
    ports::{ThrottlePorts, ThrottleSees},
};
use crate::config::CoreParams;
use hdl::{Builder, Module, params};

impl CoreParams {
    /// What the throttle looks at.
    pub(crate) fn throttle_sees(&self) -> ThrottleSees {
        let (policy, config) = (self.throttle.kind.policy(), &self.throttle);
        let limits = policy.limits(config, self.warps);
        ThrottleSees {
            warps: self.warps,
            cache: policy.reads().cache.then(|| self.locality_widths()),
            starts: limits,
            // One that reaches a barrier gives its place to another.
            barriers: limits && !policy.holds_loads_only(),
            issues: policy.reads().issues,
        }
    }
}

/// A throttle as a block; see the [module documentation](super).
pub fn throttle(p: &CoreParams) -> Module {
    let m = Builder::new("throttle", p.parameters(params! { kind: p.throttle.kind, warps: p.warps }));
    m.doc("How many warps may issue, and which.");
    let io = ThrottlePorts::new(&m, &p.throttle_sees());
    let seen = ThrottleView { m: &m, warps: p.warps, miss_entries: p.miss_entries(), active: io.active(), io };
    let all = m.lit(p.warps, u64::MAX >> (64 - p.warps));
    io.allowed(p.throttle.kind.policy().allowed(&m, &p.throttle, &seen).unwrap_or(all));
    m.finish()
}
