//! No limit, and one that does not change (static warp limiting).
//!
//! Source: Kim's thesis, section 3.2; the best limit of a kernel is found by running it with each.

use super::{Limit, Seen, ThrottlePolicy};
use crate::core::params::CoreParams;
use hdl::Builder;

/// All warps may issue.
pub struct All;

impl ThrottlePolicy for All {
    fn limit<'m>(&self, _: &'m Builder, _: &CoreParams, _: &Seen<'_, 'm>) -> Option<Limit<'m>> {
        None
    }
}

/// The oldest `throttle.warps`.
pub struct FixedLimit;

impl ThrottlePolicy for FixedLimit {
    fn limit<'m>(&self, m: &'m Builder, p: &CoreParams, _: &Seen<'_, 'm>) -> Option<Limit<'m>> {
        let warps = p.throttle.warps;
        (warps < p.warps).then(|| Limit { on: m.lit(1, 1), warps: m.lit(p.warp_count_bits(), warps.into()) })
    }
}
