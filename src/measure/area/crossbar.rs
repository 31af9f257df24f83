//! Area of a crossbar: crosspoints times channel bits squared.
//!
//! ```text
//!   area = crosspoints x W^2 x crosspoint area            W: bits of a channel
//!
//!   full router, one terminal port each way   inputs x outputs      one matrix, every crossing laid out      5 x 5      = 25
//!   full router, more terminal ports          ones of the matrix    as its connectivity says                 2 + 2: 32
//!   half-router                               ones of the matrix    four 2:1 and one 4:1                     4 x 2 + 4  = 12
//!                                             but inject -> eject   with 2 + 2: four 3:1 and two 4:1         4 x 3 + 8  = 20
//! ```
//!
//! A port with several switch inputs has the ones of its row as often (not of the thesis): an injection port with four
//! switch inputs adds 3 x 5 to the 25 of a full router.
//!
//! Source: A. Bakhoda's thesis (2014), section 6.8 with footnote 8. The routers with two ports are not spelled out
//! there; these counts are the only ones of the obvious ones that table 6.5 agrees with.

use super::{MM2, RouterShape, Technology};

/// Crosspoints of one bit by one bit.
pub fn crosspoints(router: &RouterShape) -> u32 {
    let of_ports = match (router.half, router.injects <= 1 && router.ejects <= 1) {
        (false, true) => router.inputs() * router.outputs(),
        (false, false) => router.ones,
        (true, _) => router.ones - router.inject_to_eject,
    };
    of_ports + router.more_ones
}

/// mm^2.
pub fn area(router: &RouterShape, channel_bits: u32, technology: &Technology) -> f64 {
    let width = f64::from(channel_bits);
    f64::from(crosspoints(router)) * width * width * technology.crosspoint_um2 * MM2
}
