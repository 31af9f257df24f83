//! The oldest few of the warps that can go on.
//!
//! ```text
//!  starts (w) -->+-----+ before   +-----------------+
//!                | age |--------->| walk: the oldest|--> allowed (w), a register
//!  eligible (w) --+----+--------->| one a cycle,    |
//!  on, limit ------------ ------->| then again      |
//!                                 +-----------------+
//! ```
//!
//! Contract: a walk picks the oldest eligible warp that is not yet picked, one a cycle, until there are `limit` of them
//! or no more; then `allowed` is what was picked, and a walk begins again. So `allowed` follows `eligible` and `limit`
//! within `2 limit + 2` cycles; a sorting network would follow at once and cost the square of the warps. While `on` is
//! low, all are allowed. Eligible are warps that run and do not wait at a barrier: one that reaches a barrier loses its
//! place to the next one, so the warps that it waits for get there.
//!
//! Source: Kim's thesis, section 3.3.1. Testbench: `testbenches/oldest_warps/`; tests: `tests/core/throttle.rs`.

use blocks::order;
use hdl::{Builder, Module, index_width, params, ports};

ports! {
    /// Ports of [`oldest_warps`] of so many.
    pub struct OldestWarpsPorts(warps: &u32) of OldestWarps {
        /// There is a limit.
        in on: 1,
        /// Warps that may be among them.
        in eligible: *warps,
        /// So many are allowed.
        in limit: index_width(*warps as usize + 1),
        /// Warps that start a block.
        in starts: *warps,
        /// The oldest ones; a register.
        out allowed: *warps,
    }
}

/// The oldest `limit` of `warps`.
pub fn oldest_warps(warps: u32) -> Module {
    let m = Builder::new("oldest_warps", params! { warps });
    m.doc("The oldest few of the warps that can go on.");
    let io = OldestWarpsPorts::new(&m, &warps);
    let (on, eligible, limit) = (io.on(), io.eligible(), io.limit());
    let ages = order::ages(&m, io.starts());
    let (picked, count) = (m.register("picked", warps, 0), m.register("count", limit.width(), 0));
    let oldest = order::first(&m, "oldest", ages, eligible & !picked);
    let ends = m.wire("walk_ends", count.ge(limit) | !oldest.any());
    let allowed = m.register("allowed_now", warps, u64::MAX >> (64 - warps));
    m.set(picked, picked | oldest);
    m.set(count, count + 1);
    m.when(ends, || {
        m.set(allowed, picked);
        m.set(picked, 0);
        m.set(count, 0);
    });
    m.when(!on, || {
        m.set(allowed, u64::MAX >> (64 - warps));
        m.set(picked, 0);
        m.set(count, 0);
    });
    io.allowed(allowed);
    m.finish()
}
