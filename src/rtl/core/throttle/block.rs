//! The throttle as a block.

use super::{LocalityEvents, ThrottleView};
use crate::core::params::CoreParams;
use hdl::{Builder, Bundle, Module, params};

/// A throttle as a block: `active`, and where it looks at them `at_barrier`, `starts` (a bit for each warp), `issued`, `issued_warp` and `cache_*`
/// ([`LocalityEvents`]), to `allowed`, a register.
pub fn throttle(p: &CoreParams) -> Module {
    let m = Builder::new("throttle", p.parameters(params! { kind: p.throttle.kind, warps: p.warps }));
    m.doc("How many warps may issue, and which.");
    let active = m.input("active", p.warps);
    let events = || LocalityEvents::inputs(&m, "cache", &p.locality_widths());
    let seen = ThrottleView { m: &m, warps: p.warps, miss_entries: p.miss_entries(), active, cache: &events };
    let all = m.lit(p.warps, u64::MAX >> (64 - p.warps));
    m.output_of("allowed", p.throttle.kind.policy().allowed(&m, &p.throttle, &seen).unwrap_or(all));
    m.finish()
}
