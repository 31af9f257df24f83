//! No limit, and one that does not change (static warp limiting).
//!
//! Source: Kim's thesis, section 3.2; the best limit of a kernel is found by running it with each.

use super::{Limit, ThrottleConfig, ThrottlePolicy, ThrottleView};
use hdl::{Builder, Signal};

/// All warps may issue.
pub struct All;

impl ThrottlePolicy for All {
    fn limits(&self, _: &ThrottleConfig, _: u32) -> bool {
        false
    }

    fn allowed<'m>(&self, _: &'m Builder, _: &ThrottleConfig, _: &ThrottleView<'m>) -> Option<Signal<'m>> {
        None
    }
}

/// The oldest `throttle.warps`.
pub struct FixedLimit;

impl ThrottlePolicy for FixedLimit {
    fn limits(&self, config: &ThrottleConfig, warps: u32) -> bool {
        config.warps < warps
    }

    fn allowed<'m>(&self, m: &'m Builder, config: &ThrottleConfig, seen: &ThrottleView<'m>) -> Option<Signal<'m>> {
        let limit = || Limit { on: m.lit(1, 1), warps: m.lit(seen.warp_count_bits(), config.warps.into()) };
        self.limits(config, seen.warps).then(|| seen.oldest(&limit()))
    }
}
