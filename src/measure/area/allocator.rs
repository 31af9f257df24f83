//! Area of the VC and switch allocators of a router: pairs of requesting and granted VC.
//!
//! ```text
//!   area = ((links + terminals) x VCs)^2 x area of a pair       the ports of one terminal count once
//! ```
//!
//! Every VC of an input may ask for every VC of an output, and an arbiter grows with its requests. Source: table 6.5 of
//! A. Bakhoda's thesis (2014): 0.001 mm^2 with 2 VCs and 0.004 mm^2 with 4, one digit, the same for full and
//! half-routers and for one and two terminal ports. So what a half-router or a second port to the same terminal changes
//! is not in this number (0.1 to 1.4 % of a router with up to 4 VCs); the structural model counts it.

use super::{MM2, RouterShape, Technology};

/// mm^2.
pub fn area(router: &RouterShape, vcs: u32, technology: &Technology) -> f64 {
    let requests = f64::from((router.links() + router.terminals) * vcs);
    requests * requests * technology.allocator_pair_um2 * MM2
}
