//! Ports of a throttle, with what they depend on: apart from its policies, which look at them.

use super::events::{LocalityEvents, LocalityWidths};
use hdl::{index_width, ports};

/// What a throttle looks at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ThrottleSees {
    /// Warps that there are.
    pub warps: u32,
    /// What happens in the data cache.
    pub cache: Option<LocalityWidths>,
    /// Which warps start a block.
    pub starts: bool,
    /// Which wait at a barrier.
    pub barriers: bool,
    /// Which issue.
    pub issues: bool,
}

ports! {
    /// Ports of a [`throttle`](super::throttle()): what its policy looks at, and what it says.
    pub struct ThrottlePorts(p: &ThrottleSees) of ThrottleUnit {
        /// Warps that run a block.
        in active: p.warps,
        /// What happens in the data cache.
        maybe (p.cache.is_some()) in cache: bundle LocalityEvents(&p.cache.expect("it exists")),
        /// Warps that start a block.
        maybe (p.starts) in starts: p.warps,
        /// Warps that wait at a barrier.
        maybe (p.barriers) in at_barrier: p.warps,
        /// An instruction issues.
        maybe (p.issues) in issued: 1,
        /// Its warp.
        maybe (p.issues) in issued_warp: index_width(p.warps as usize),
        /// Warps that may issue, or may issue loads; a register.
        out allowed: p.warps,
    }
}
